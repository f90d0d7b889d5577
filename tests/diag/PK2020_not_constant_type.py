import sys

from numba import float32, float64, njit

real = float64 if sys.maxsize > 2**32 else float32


@njit(real(real))
def f(x):
    return x
