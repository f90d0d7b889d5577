import os

from numba import njit

FAST = os.environ.get("FAST")


@njit("float64(float64)", parallel=FAST)
def half(x):
    return x / 2
