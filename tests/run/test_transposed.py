"""Transposed arrays: elements, extents, stores, products and sums of theirs, compared with NumPy and CPython."""
import numpy as np
import pytest
from conftest import Batch, outcome_of

MADE = Batch("transposed")
MADE.add('''
@njit(["float64[:,:](float64[:,::1], float64[:,::1])", "float32[:,:](float32[:,::1], float32[:,::1])"])
def across(a, b):
    return np.dot(a, b.T)


@njit(["float64[:,:](float64[:,:], float64[:,:])"])
def both(a, b):
    return a.T @ b.T


@njit(["float64[:](float64[:,::1], float64[::1])", "float32[:](float32[:,::1], float32[::1])"])
def rows(a, x):
    return a @ x


@njit("float64[:](float64[:,:], float64[:])")
def columns(a, x):
    return a.T @ x


@njit("int64(int64[:,:], int64, int64, int64)")
def stores(a, i, j, v):
    t = a.T
    back = t.T
    t[i, j] += v
    t[-1, 0] = back[0, -1] + 1
    n = 0
    for k in range(t.shape[0]):
        for m in range(t.shape[1]):
            n += t[k, m] * (k + 1) - back[m, k] * m
    return n + t.shape[0] * 100 + len(back) + t.size + t.ndim


@njit("float64(float64[:,:], int64)")
def made_anew(a, n):
    """The array has another one later; the transposed one keeps the first."""
    total = 0.0
    t = a.T
    for k in range(n):
        total += t[0, k % t.shape[1]]
        a = a[1:] if len(a) > 1 else np.ones((2, 3))
        u = a.T
        total += u[-1, 0] * 10
        if k % 2:
            t = u
    return total


@njit("float64(float64[:,:,:])")
def three(a):
    t = a.T
    total = 0.0
    for i in range(t.shape[0]):
        for j in range(t.shape[1]):
            for k in range(t.shape[2]):
                total += t[i, j, k] * (i + 2 * j + 3 * k)
    return total


@njit("float64(float64[:,:], int64, int64)", boundscheck=True)
def checked(a, i, j):
    t = a.T
    return t[i, j]


@njit("float64(float64[:,:])", parallel=True)
def in_threads(a):
    t = a.T
    total = 0.0
    for i in prange(t.shape[0]):
        for j in range(t.shape[1]):
            total += t[i, j]
        t[i, 0] = i
    return total
''')
SIZES = [(0, 3, 2), (9, 130, 3), (1, 64, 1), (40, 300, 7), (6, 64, 7), (0, 70, 3), (5, 70, 0),
         (1, 1, 1), (3, 4, 5), (4, 64, 9), (5, 63, 33), (9, 130, 8), (70, 17, 40), (33, 200, 65), (3, 0, 4)]


@pytest.mark.parametrize("n, k, m", SIZES)
def test_products(n, k, m):
    rng = np.random.default_rng(n * k + m)
    for dtype, tolerance in (("f8", 1e-13), ("f4", 2e-5)):
        a, b, x = (rng.normal(size=s).astype(dtype) for s in ((n, k), (m, k), k))
        np.testing.assert_allclose(MADE.across(a, b), a @ b.T, rtol=tolerance, atol=tolerance * 10)
        np.testing.assert_allclose(MADE.rows(a, x), a @ x, rtol=tolerance, atol=tolerance * 10)
    a, b, x = (rng.normal(size=s) for s in ((n, k), (m, k), k))
    for p, q in ((a.T, b), (np.asfortranarray(a.T), b[:, ::-1]), (a[::-1].T, np.repeat(b, 2, 0)[::2])):
        np.testing.assert_allclose(MADE.both(p, q), p.T @ q.T, rtol=1e-13, atol=1e-12)
    np.testing.assert_allclose(MADE.columns(a.T, x), a @ x, rtol=1e-13, atol=1e-12)


GRID = np.arange(12).reshape(3, 4) ** 2
CASES = [("stores", (GRID, 1, 2, 7)), ("stores", (GRID, -1, -3, 7)), ("stores", (GRID[::-1, ::2], 0, 1, -4)), ("stores", (GRID.T, 2, 3, 1)),
         ("stores", (np.asfortranarray(GRID), 3, 2, 5)), ("made_anew", (GRID * 1.0, 0)), ("made_anew", (GRID * 1.0, 7)),
         ("three", (np.arange(24.0).reshape(2, 3, 4),)), ("three", (np.arange(24.0).reshape(2, 3, 4)[:, ::-1, ::2],)), ("three", (np.zeros((0, 2, 3)),)),
         ("checked", (GRID * 1.0, 3, 2)), ("checked", (GRID * 1.0, 2, 3)), ("checked", (GRID * 1.0, -4, 0)), ("checked", (GRID * 1.0, 0, -4)),
         ("in_threads", (GRID * 1.0,)), ("in_threads", (GRID[:, 1:] * 1.0,))]


@pytest.mark.parametrize("name, arguments", CASES)
def test_elements(name, arguments):
    results = []
    for module in (MADE, MADE.plain):
        copies = [np.copy(a, order="K") if isinstance(a, np.ndarray) else a for a in arguments]
        returned = outcome_of(lambda *given: getattr(module, name)(*copies), ())
        results.append((returned, copies))
    (ours, ours_then), (theirs, theirs_then) = results
    assert type(ours) is type(theirs) if isinstance(theirs, Exception) else ours == theirs
    for x, y in zip(ours_then, theirs_then):
        np.testing.assert_array_equal(x, y)

