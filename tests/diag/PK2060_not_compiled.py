# args: --sig half=float64(float64) --sig PK2060_not_compiled.py:14=float64(float64)
from numba import njit


def traced(f):
    return f


@traced
def half(x):
    return x / 2


@njit
def third(x):
    return x / 3
