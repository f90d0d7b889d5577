"""Arrays stored into slices: shapes, layouts, types and overlap against NumPy; the error where nothing fits."""
import itertools

import numpy as np
import pytest
from conftest import build, load_module

SOURCE = '''from numba import njit


@njit(["void(float64[:], float64[:])", "void(int32[:], float64[:])", "void(complex64[:], int16[:])",
       "void(boolean[:], float32[:])"])
def whole(a, b):
    a[:] = b


@njit("void(float64[:], float64[:], int64, int64)")
def part(a, b, lo, hi):
    a[lo:hi] = b[:-1]


@njit(["void(float64[:, :], float64[:])", "void(float64[:, :], float64[:, :])"])
def rows(a, b):
    a[:, :] = b


@njit("void(float64[:, :], float64[:])")
def row(a, b):
    a[1] = b


@njit("void(float64[:])")
def shifts(a):
    a[1:] = a[:-1]
    a[:-2] = a[2:]
    a[::2] = a[::-2]
    a[:] = a[::-1]


@njit("void(float64[:, :])")
def transposes(a):
    a[:, :] = a.T


@njit("void(float64[:], float64[:, :])")
def flattened(a, b):
    a[:] = b
'''


@pytest.fixture(scope="module")
def module():
    compiled = load_module(next(build(SOURCE, "slices").glob("slices.*.so")))
    plain = {}
    exec(SOURCE.replace("from numba import njit", "njit = lambda *a: lambda f: f"), plain)
    return compiled, plain


def same(module, name, *arguments):
    """Runs both on equal arguments; both raise ValueError, or leave equal arrays."""
    compiled, plain = module
    outcomes = []
    for function in (getattr(compiled, name), plain[name]):
        mine = [a.copy(order="K") if isinstance(a, np.ndarray) else a for a in arguments]
        for k, a in enumerate(arguments):  # a copy of a strided array is not strided
            if isinstance(a, np.ndarray) and a.strides != mine[k].strides:
                mine[k] = np.repeat(a, 2, axis=-1)[..., ::2] if a.strides[-1] > 0 else a[..., ::-1].copy()[..., ::-1]
        try:
            function(*mine)
            outcomes.append(mine)
        except ValueError:
            outcomes.append("ValueError")
    ours, theirs = outcomes
    if "ValueError" in (ours, theirs):
        assert ours == theirs
    else:
        for a, b in zip(ours, theirs):
            np.testing.assert_array_equal(a, b)


def vectors(n, dtype="f8"):
    a = np.arange(n).astype(dtype) + np.dtype(dtype).type(1.5 if np.dtype(dtype).kind in "fc" else 1)
    return [a, np.repeat(a, 2)[::2], a[::-1]]


@pytest.mark.parametrize("n", [0, 1, 2, 13, 1000])
def test_vectors(module, n):
    for a, b in itertools.product(vectors(n), vectors(n) + vectors(1) + vectors(3)):
        same(module, "whole", a, b)
    for to, source in (("i4", "f8"), ("c8", "i2"), ("?", "f4")):
        for a, b in itertools.product(vectors(n, to), vectors(n, source)):
            same(module, "whole", a, b)
    for lo, hi in ((0, n - 1), (1, n), (-3, n), (2, 1), (0, 100)):
        same(module, "part", vectors(n)[0], vectors(max(n, 1))[1], lo, hi)


@pytest.mark.parametrize("shape", [(0, 3), (1, 1), (2, 3), (5, 13)])
def test_matrices(module, shape):
    m, n = shape
    for order in "CF":
        a = np.asarray(np.arange(m * n, dtype=float).reshape(shape), order=order)
        for b in (np.ones(n), np.arange(m + n + 1.0), np.ones((1, n)), np.ones((m, 1)), np.ones(shape, order="F"),
                  np.ones((m + 1, n)), np.ones(1)):
            same(module, "rows", a, b)
        if m > 1:
            same(module, "row", a, np.arange(float(n)))
        same(module, "flattened", np.zeros(n), np.asarray(np.ones((1, n)), order=order))


@pytest.mark.parametrize("n", [2, 3, 13, 1000])
def test_overlap(module, n):
    for a in vectors(n):
        same(module, "shifts", a)
    square = np.arange(n * n, dtype=float).reshape(n, n) if n < 100 else np.arange(9.0).reshape(3, 3)
    same(module, "transposes", square)
    same(module, "transposes", np.asfortranarray(square))
