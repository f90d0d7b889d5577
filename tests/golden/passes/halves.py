"""Sums of complex numbers, as those of their parts."""
import numpy as np
from numba import njit


@njit("complex128(complex128[::1], complex128[::1])")
def overlap(a, b):
    s = 0j
    for i in range(len(a)):
        if a[i] != 0:
            s -= np.conj(a[i]) * b[i]
    return s


@njit("complex64(complex64[::1])")
def turned(x):  # hands on a product as well
    s, w = np.complex64(0), np.complex64(1)
    for v in x:
        s += v * w
        w *= np.complex64(1j)
    return s
