"""Loops whose iterations may raise: strips of them, checked first."""
import numpy as np
from numba import njit, prange


@njit("void(float64[:], float64[:], float64[:])")
def divide(a, b, out):
    for i in range(len(a)):
        out[i] = a[i] / b[i]


@njit("void(float32[:,:], float32[:], float32[:,:])", parallel=True)
def scale_columns(a, scale, out):
    for i in prange(a.shape[0]):
        for j in range(a.shape[1]):
            out[i, j] = a[i, j] / scale[j]


@njit("float64[:](float64[:], float64)")
def checked(a, limit):
    out = np.empty(len(a))
    for i in range(len(a)):
        if a[i] > limit:
            raise ValueError("over the limit", limit)
        out[i] = a[i] * 0.5
    return out
