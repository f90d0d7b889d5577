import time

from numba import njit

start = time.time()


@njit("float64(float64)")
def since(now):
    return now - start
