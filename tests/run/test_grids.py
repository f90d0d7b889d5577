"""Loops over all indices of an array, np.ndindex and np.ndenumerate, compared with CPython."""
import numpy as np
import pytest
from conftest import Batch, outcome_of

MADE = Batch("grids")
MADE.add('''
@njit("int64(int64[:,:], int64)")
def goes_on(c, m):
    s = 0
    last = -1
    for (i, j), x in np.ndenumerate(c):
        if x % 2 == 0:
            continue
        for k in range(3):
            if k == m:
                break
            s += k * x + i - j
        if x == 9999:
            return -s
        last = i * 10 + j
    else:
        s += 1000
    return s * 100 + last


@njit("int64(int64[:,:], int64)")
def is_left(c, m):
    s = 0
    for (i, j), x in np.ndenumerate(c):
        if x >= m:
            if x % 3 == 0:
                break
        s += i * x - j
    else:
        s = -s
    return s


@njit("int64(int64, int64, int64)")
def indices(n, m, k):
    """The extents are those of the beginning."""
    s = 0
    for idx in np.ndindex(n, m, k):
        s = s * 3 + idx[0] - idx[2] * idx[1]
        n = 100
        s %= 1000003
        idx = (s, 0, 0)
    return s


@njit("int64[:,:](int64[:,:])")
def stores(c):
    out = np.zeros_like(c)
    for idx, x in np.ndenumerate(c):
        out[idx] = x * 2 + idx[0]
        if idx[0] == 1:
            c[2, 0] = 77
    return out


@njit("int64(int64[:,:], int64)")
def inside_each_other(c, n):
    s = 0
    for i, j in np.ndindex(c.shape):
        for a, b in np.ndindex((n, 2)):
            if a > i:
                break
            if b == j:
                continue
            s += c[i, j] * a - b
    return s


@njit("int64(int64[:,:])")
def raises(c):
    s = 0
    for (i, j), x in np.ndenumerate(c):
        if x == 16:
            raise ValueError("sixteen", i, j, s)
        s += x
    return s
''')
GRID = np.arange(12).reshape(3, 4)
CASES = [("goes_on", (GRID, 2)), ("goes_on", (GRID, 0)), ("goes_on", (GRID[:0], 1)), ("goes_on", (GRID[:, :0], 1)), ("goes_on", (GRID[:, ::-2], 1)),
         ("goes_on", (GRID * 0 + 9999, 1)), ("is_left", (GRID, 5)), ("is_left", (GRID, 50)), ("indices", (3, 4, 5)), ("indices", (0, 3, 2)),
         ("indices", (2, 3, 0)), ("stores", (GRID,)), ("stores", (np.asfortranarray(GRID),)), ("inside_each_other", (GRID, 3)),
         ("inside_each_other", (GRID.T, 0)), ("raises", (GRID,)), ("raises", (GRID * 2,)), ("raises", (GRID.T * 4,))]


@pytest.mark.parametrize("name, arguments", CASES)
def test_as_in_cpython(name, arguments):
    results = []
    for module in (MADE, MADE.plain):
        copies = [np.copy(a, order="K") if isinstance(a, np.ndarray) else a for a in arguments]
        results.append((outcome_of(lambda *_: getattr(module, name)(*copies), ()), copies))
    (ours, ours_then), (theirs, theirs_then) = results
    if isinstance(theirs, Exception):
        assert type(ours) is type(theirs) and ours.args == theirs.args
    else:
        np.testing.assert_array_equal(ours, theirs)
    for x, y in zip(ours_then, theirs_then):
        np.testing.assert_array_equal(x, y)
