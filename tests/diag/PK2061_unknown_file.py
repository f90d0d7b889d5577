# args: --sig kernel.py:6=float64(float64)
from numba import njit


@njit
def half(x):
    return x / 2
