"""Loops that count by chains of branches, against the same source in CPython: NaN, signed zeros, wrapping, what may not be
read where a branch before it says so, and what is left of a chain that does more than count."""
import itertools

import numpy as np
import pytest
from conftest import Batch

built = Batch("counts")
built.add('''
@njit("Tuple((int64, int64, int64))(float64[:], float64[:])")
def concordant(x, y):
    c = d = t = 0
    for i in range(x.size):
        for j in range(i):
            p = (x[i] - x[j]) * (y[i] - y[j])
            if p > 0:
                c += 1
            elif p < 0:
                d += 1
            elif x[i] == x[j] and y[i] != y[j]:
                t += 1
    return c, d, t


@njit("Tuple((int64, int64, int64))(float64[:, :], float64)")
def parted(a, limit):
    below = above = other = 0
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            v = a[i, j]
            if v < limit or v == 0.0:
                below += 1
            elif not (v < 2 * limit):
                above -= 2
                other += 1
            else:
                other += 5
    return below, above, other


@njit("Tuple((int64, int32, uint8))(uint8[:], int32)")
def narrow(a, start):
    low, mid, high = 0, start, np.uint8(250)
    for v in a:
        if v < 10:
            low += 1
        elif v > 200:
            high += np.uint8(3)
        elif v == 100:
            mid -= np.int32(7)
    return low, np.int32(mid), np.uint8(high)


@njit("Tuple((int64, int64))(int64[:], int64[:])")
def guarded(a, t):
    n = m = 0
    for i in range(a.size):
        if a[i] < 0 or a[i] >= t.size:
            n += 1
        elif t[a[i]] > 0:
            m += 1
    return n, m


@njit("Tuple((int64, int64, int64))(int64[:])")
def asks_itself(a):
    n = m = k = 0
    for v in a:
        if n < v:
            n += 2
        elif m < n:
            m += 1
        else:
            k += 1
    return n, m, k


@njit("Tuple((int64, int64, float64))(float64[:])")
def does_more(a):
    n = m = 0
    s = 0.0
    for v in a:
        if v > 0.5:
            n += 1
            s += v
        elif v > 0.25:
            m += 1
    return n, m, s


@njit("Tuple((int64, int64))(int64[:], int64)")
def divides(a, by):
    n = m = 0
    for v in a:
        if by == 0:
            n += 1
        elif v // by == 2:
            m += 1
    return n, m


@njit("Tuple((int64, int64, int64))(int64)")
def by_index(n):
    a = b = c = 0
    for i in range(n):
        if i % 15 == 0:
            a += 1
        elif i & 3 == 1:
            b += i
        elif i > 7 and i < 100:
            c += 1
    return a, b, c
''')
rng = np.random.default_rng(11)


def floats(n):
    a = np.round(rng.random(n) * 6) / 6
    a[n // 3:n // 3 + 2] = np.nan
    return a


CALLS = {
    "concordant": [(floats(n)[::s], floats(n)[::s]) for n, s in itertools.product((0, 1, 2, 7, 40, 150), (1, -2))],
    "parted": [(floats(n * m).reshape(n, m), 0.4) for n, m in ((0, 3), (1, 1), (3, 7), (20, 65))],
    "narrow": [(rng.choice([0, 5, 50, 100, 201, 255], n).astype(np.uint8), 9) for n in (0, 1, 33, 500)],
    "guarded": [(rng.integers(-3, 9, n), rng.integers(-1, 2, m)) for n in (0, 1, 100) for m in (0, 1, 5)],
    "asks_itself": [(rng.integers(-3, 90, n),) for n in (0, 1, 100)],
    "does_more": [(rng.random(n),) for n in (0, 1, 100)],
    "divides": [(rng.integers(-30, 90, n), by) for n in (0, 1, 100) for by in (0, 7, -9)],
    "by_index": [(n,) for n in (-1, 0, 1, 16, 1000)],
}


@pytest.mark.parametrize("name", CALLS)
def test_like_python(name):
    for args in CALLS[name]:
        with np.errstate(over="ignore"):
            assert getattr(built.module, name)(*args) == getattr(built.plain, name)(*args)
