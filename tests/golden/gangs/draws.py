"""Random numbers of all lanes at once, where no seed is set."""
import random

from numba import njit, prange


@njit("int64(int64)", parallel=True)
def inside(n):
    count = 0
    for i in prange(n):
        x = random.random()
        if x * x + random.random() ** 2 < 1.0:
            count += 1
    return count
