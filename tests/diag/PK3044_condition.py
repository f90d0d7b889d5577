import numpy as np
from numba import njit

if np.__version__ >= "2":
    LIMIT = 5
else:
    LIMIT = 6


@njit("int64(int64)")
def f(n):
    return n + LIMIT
