import numpy as np
from numba import njit


@njit("float64(float64[:,:], int32[:])")
def spread(a, counts):
    total = np.sum(counts)
    low = a.min()
    return (a.max() - low) / total + np.argmax(counts)


@njit("int64[:](float64[:], int64)")
def ranks(a, n):
    edges = np.sort(a)
    edges[1:].sort()
    steps = np.arange(n)
    steps.fill(np.searchsorted(edges, 0.5))
    return np.cumsum(steps)
