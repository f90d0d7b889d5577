# args: no_such_file.py
from numba import njit


@njit("float64(float64)")
def half(x):
    return x / 2
