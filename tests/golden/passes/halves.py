"""Sums of complex numbers, as those of their parts."""
import numpy as np
from numba import njit


@njit("complex128(complex128[::1], float64[::1])")
def phased(a, x):
    s = 0j
    for i in range(len(a)):
        if a[i] != 0:
            s -= np.conj(a[i]) * np.exp(1j * x[i])
    return s


@njit("complex64(complex64[::1])")
def in_any_order(x):
    return np.sum(x * x)


@njit("complex64(complex64[::1])")
def in_order(x):
    s = np.complex64(0)
    for v in x:
        s += v
    return s
