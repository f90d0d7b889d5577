import numpy as np
from numba import njit


@njit("void(float64[:], float64[:])")
def kernel(a, b):
    c = a + b
    a[0] = np.sum(c)
