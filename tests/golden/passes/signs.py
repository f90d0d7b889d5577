"""uint64 that is asked for as int64 is int64; what only uint64 says stays."""
from numba import njit
import numpy as np


@njit("int64(uint8[::1], uint8[::1])")
def differences(a, b):
    total = 0
    for i in range(len(a)):
        span = int(a[i]) - int(b[i])
        if span > 0:
            total += abs(3 * np.int64(span)) // np.int64(span)
        total += np.int64(int(a[i]) * int(b[i]) - int(b[i]))
    return total


@njit("uint64(uint64[::1])")
def stays(x):
    state = x[0]
    largest = np.uint64(0)
    for i in range(len(x)):
        state = state * np.uint64(6364136223846793005) + x[i]
        if state > largest:
            largest = state
    return largest >> np.uint64(3)
