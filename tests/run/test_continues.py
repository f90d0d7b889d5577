"""Turns that end early do what they do, and no more."""
import sys

import numpy as np
import pytest
from conftest import ROOT, Batch

sys.path.insert(0, str(ROOT / "tests/fuzz"))
import guards  # noqa: E402

built = Batch("continues")
built.add('''
@njit("float64(float64[:], float64[:])")
def guarded(x, out):
    s = 0.0
    for i in range(len(x)):
        if not x[i] > 0.0:
            continue
        out[i] = 1.0
        if x[i] > 3.0:
            out[i] = 2.0
            continue
        s += x[i]
        out[i] += s
    return s

@njit("int64(int64[:], int64[:])")
def nested(x, out):
    n = 0
    for i in range(len(x)):
        if x[i] % 2 == 0:
            if x[i] > 6:
                n += 100
                continue
            elif x[i] == 2:
                out[i] = 2
            else:
                out[i] = -1
                continue
            n += 1
        elif x[i] == 5:
            continue
        else:
            out[i] = n
        n += 10
        if x[i] == 3:
            continue
    return n

@njit("int64(int64[:])")
def counted(x):
    i = n = 0
    while i < len(x):
        i += 1
        if x[i - 1] < 0:
            continue
        if n > 50:
            break
        if x[i - 1] == 0:
            continue
        n += x[i - 1]
    else:
        n = -n
    return n

@njit
def noted(log, v):
    log[0] += 1
    return v > 0

@njit("int64(int64[:], int64[:])")
def called(x, log):
    n = 0
    for v in x:
        if noted(log, v):
            continue
        n += 1
        if noted(log, n):
            continue
    return n

@njit("int64(int64[:], int64[:])")
def raised(x, out):
    n = 0
    for i in range(len(x)):
        if x[i] == 1:
            out[i] = 1
            continue
        n += 10 // x[i]
        out[i] = n
    return n

@njit("int64(int64[:], int64[:])", parallel=True)
def in_parallel(x, out):
    n = 0
    for i in prange(len(x)):
        out[i] = -1
        if x[i] < 0:
            continue
        n += x[i]
        out[i] = x[i]
        if x[i] > 3:
            out[i] = 3
            continue
        out[i] += 1
    return n

@njit("void(float64[:, :], float64[:])")
def of_rows(a, out):
    for i in range(a.shape[0]):
        if a[i, 0] < 0:
            continue
        for j in range(a.shape[1]):
            if a[i, j] > 1:
                continue
            out[i] += a[i, j]
            if a[i, j] > 0.5:
                continue
            out[i] -= 1
''')

SIZES = [0, 1, 7, 33, 100]


@pytest.mark.parametrize("size", SIZES)
def test_floats(size):
    x = np.resize([0.5, -1.0, 4.0, np.nan, 0.0, 2.5], size)
    out, expected = np.zeros(size), np.zeros(size)
    assert built.guarded(x, out) == built.plain.guarded(x, expected)
    assert out.tolist() == expected.tolist()
    assert built.guarded(out, out) == built.plain.guarded(expected, expected)  # one array for both
    assert out.tolist() == expected.tolist()


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", ["nested", "called", "in_parallel"])
def test_integers(name, size):
    x = np.random.default_rng(size).integers(-3, 9, size)
    out, expected = np.zeros(size + 1, np.int64), np.zeros(size + 1, np.int64)
    assert getattr(built, name)(x, out) == getattr(built.plain, name)(x, expected)
    assert out.tolist() == expected.tolist()


@pytest.mark.parametrize("size", SIZES)
def test_while(size):
    for high in (2, 9):
        x = np.random.default_rng(size).integers(-3, high, size)
        assert built.counted(x) == built.plain.counted(x)


def test_exceptions():
    x = np.array([1, 2, 5, 0, 1, 2])
    out, expected = np.zeros(6, np.int64), np.zeros(6, np.int64)
    for f, x, into in (built.raised, x, out), (built.plain.raised, x.tolist(), expected):
        with pytest.raises(ZeroDivisionError):
            f(x, into)
    assert out.tolist() == expected.tolist() == [1, 5, 7, 0, 0, 0]


@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (5, 7), (40, 33)])
def test_rows(shape):
    a = np.random.default_rng(1).normal(size=shape)
    if a.shape[1] == 0:
        a = np.zeros((0, 4))
    out, expected = np.zeros(shape[0]), np.zeros(shape[0])
    built.of_rows(a, out)
    built.plain.of_rows(a, expected)
    assert out.tolist() == expected.tolist()


@pytest.mark.parametrize("seed, options", [(1, []), (2, ["--gang=8", "--march=native"]), (3, ["--no-lanes", "--march=x86-64-v2"])])
def test_random_guards(seed, options):
    bad, compared, chosen = guards.run(40, seed, options)
    assert not bad and compared > 2000 and chosen > 10
