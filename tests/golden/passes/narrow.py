"""int64 that fits 32 bits is computed in 32; sums, subscripts and what hangs on them stay."""
from numba import njit
import numpy as np


@njit("void(uint8[::1], int16[::1], int32[::1], float64[::1])")
def kept_small(a, b, c, out):
    for i in range(len(a)):
        sum_of_bytes = 3 * int(a[i]) - b[i]
        out[i] = sum_of_bytes // 7 if a[i] > b[i] else b[i] * b[i]
        c[i] = max(0, min(255, sum_of_bytes))


@njit("void(float64[::1], uint8[::1])")
def of_floats(x, out):
    for i in range(len(x)):
        level = int(min(max(x[i], 0.0), 255.0))
        out[i] = 255 - level // 2


@njit("int64(uint8[::1], int64[::1])")
def stays_wide(a, counts):
    total = 0
    for i in range(len(a)):
        at = int(a[i])
        counts[at] += 1
        total += 1000 * at * at
    return total


@njit("int64(float32[::1], float64)")
def above(x, t):
    """Compared as float32 where the number is one."""
    n = 0
    for v in x:
        if v > 0.5 and 127 >= v and v != 0.1:
            n += 1
        if v < t:
            n += 2
    return n
