"""Neighbours around the ends of lines, where iterations depend on one another and where they do not."""
import numpy as np
import pytest
from conftest import Batch

LEAST = -2**63
PLACES = {"next": "(j + 1) % m", "before": "(j - 1) % m", "same": "j % m", "turned": "(j - 1 + m) % m", "ahead": "(m + j + 1) % m",
          "long": "(j + m - 1) % m", "far": "(j + 2) % m", "back": "(j - 2) % m", "less": "(j - m) % m", "twice": "(2 * j + 1) % m",
          "least": "(j + LEAST) % m"}
built, checked = Batch("neighbours"), Batch("neighbours_checked", ["--boundscheck"])
scalar = Batch("neighbours_scalar", ["--no-lanes"])
for batch in (built, checked, scalar):
    batch.add("LEAST = -2**63")
    for name, place in PLACES.items():
        batch.add(f'''
@njit("void(int64[:], int64[:])")
def sweep_{name}(s, w):
    m = len(s)
    for j in range(m):
        s[j] = (3 * s[j] + s[{place}] + w[j]) % 1009

@njit("int64(int64[:, :], int64[:])")
def rows_{name}(s, w):
    n, m = s.shape
    total = 0
    for t in range(1, n):
        for j in range(m):
            s[t, j] = ((w[j] >> (s[t - 1, j] & 3)) + s[t - 1, {place}]) & 63
            total += s[t, j] * (j + 1)
    return total

@njit("int64(int64[:], int64)")
def early_{name}(s, stop):
    m = s.size
    j = -1
    for j in range(m):
        if s[{place}] == stop:
            break
    return j
''')
    batch.add('''
@njit("int64(int64)")
def far_end(m):
    s = 0
    for j in range(m):
        s += (j + m + 1) % m
        if j == 3:
            break
    return s

@njit("int64(int64[:], int64)")
def ends_that_move(s, m):
    t = 0
    for j in range(m):
        t = t * 3 + s[(j + 1) % m]
        m = m - 1 if m > 1 else 1
    for j in range(m):
        j = j + 1
        t += s[(j + 1) % len(s)]
    for j in range(1, len(s)):
        t = (t * 5 + s[(j - 1) % len(s)]) & 0xffff
    return t & 0xffff

@njit("int64(int64[:, :], int64)")
def two_lines(s, turns):
    n, m = s.shape
    for k in range(turns):
        for i in range(n):
            for j in range(m):
                s[i, j] = (s[(i + 1) % n, j] + s[(i - 1) % n, j] * 2 + s[i, (j + 1) % m] + s[i, (j - 1 + m) % m]
                           + s[(i + 1) % n, (j - 1) % m] + (j + 1) % n) % 97
    return s.sum()
''')

BATCHES = pytest.mark.parametrize("batch", [built, checked, scalar], ids=["lanes", "checked", "scalar"])


@BATCHES
@pytest.mark.parametrize("name", PLACES)
def test_lines(batch, name):
    for size in (0, 1, 2, 3, 4, 7, 33, 130):
        rng = np.random.default_rng(size)
        s, w = rng.integers(0, 1009, size), rng.integers(0, 1009, size)
        mine, other = s.copy(), s.copy()
        getattr(batch, f"sweep_{name}")(mine, w)
        getattr(batch.plain, f"sweep_{name}")(other, w)
        np.testing.assert_array_equal(mine, other)
        for stop in (s[-1] if size else 0, -1):
            assert getattr(batch, f"early_{name}")(s, stop) == getattr(batch.plain, f"early_{name}")(s, stop)
        for order in "CF":
            mine = np.asarray(rng.integers(0, 64, (4, size)), order=order)
            other = mine.copy()
            total = getattr(batch, f"rows_{name}")(mine, w)
            assert total == getattr(batch.plain, f"rows_{name}")(other, w)
            np.testing.assert_array_equal(mine, other)


@BATCHES
def test_grids(batch):
    for shape in ((0, 0), (1, 1), (1, 5), (5, 1), (2, 2), (3, 7), (9, 40)):
        mine = np.random.default_rng(1).integers(0, 97, shape)
        other = mine.copy()
        assert batch.two_lines(mine, 3) == batch.plain.two_lines(other, 3)
        np.testing.assert_array_equal(mine, other)
    for size in (1, 2, 3, 20):
        s = np.random.default_rng(2).integers(0, 97, size)
        assert batch.ends_that_move(s, size) == batch.plain.ends_that_move(s, size)


@BATCHES
def test_sums_that_overflow(batch):
    wrapped = lambda v: (v + 2**63) % 2**64 - 2**63
    for m in (7, 2**62 - 2, 2**63 - 2, 2**63 - 1):
        assert batch.far_end(m) == wrapped(sum(wrapped(j + m + 1) % m for j in range(4))), m


def test_no_division_is_left():
    text = built.emitted[built.emitted.rindex("void sweep_next"):]
    body = text[:text.index("\n}\n")]
    assert "j + 1 == m ? 0 : j + 1" in body and ", m)" not in body
