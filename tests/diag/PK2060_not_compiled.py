# args: --sig half=float64(float64) --sig PK2060_not_compiled.py:13=float64(float64)
from functools import cache

from numba import njit


@cache
def half(x):
    return x / 2


@njit
def third(x):
    return x / 3
