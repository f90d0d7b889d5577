"""Iterations of a length that nobody knows beforehand: a few of them are worth the threads, one at a time."""
from numba import njit, prange


@njit("void(float64[:], int64[:], float64[:])", parallel=True)
def rows(values, begin, out):
    for r in prange(len(out)):
        total = 0.0
        for j in range(begin[r], begin[r + 1]):
            total += values[j]
        out[r] = total


@njit("void(float64[:])", parallel=True)
def series(out):
    for r in prange(1, 5):
        for k in range(1_000_000):
            out[r] += 1.0 / (k + r)
