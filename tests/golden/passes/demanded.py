"""What is cut to 32 bits is computed in 32 bits; who asks for more, or fits anyhow, stays."""
from numba import njit
import numpy as np


@njit("void(int32[::1], int32[::1], int32[::1])")
def cut(a, b, c):
    for i in range(len(c)):
        c[i] += a[i] * b[i]


@njit("void(int32[:, ::1], int32[:, ::1], uint16[::1], int64[::1])")
def sums(a, b, c, all_of_it):
    for i in range(len(c)):
        low, whole = 0, 0
        for k in range(a.shape[1]):
            low += a[i, k] * b[i, k]
            whole += a[i, k] * b[i, k]
        c[i] = low if i > 3 else -low
        all_of_it[i] = whole


@njit("int64(uint8[::1], int64)")
def masks(text, seed):
    h = 2166136261
    for byte in text:
        h = ((h ^ byte) * 16777619) & 0xffffffff
        seed = (seed * 1103515245 + 12345) & 0x7fffffff
    return h + seed + ((seed * 3) & 0x1ffffffff)


@njit("void(uint8[::1], int16[::1])")
def fits(a, out):
    for i in range(len(a)):
        out[i] = a[i] * a[i] + 3


@njit("void(int32[::1], int32[::1], int32[::1], int64[::1])")
def through_names(a, b, c, whole):
    low = 0
    for i in range(len(a)):
        product = a[i] * b[i]
        low += product
        c[i] = low
        x1 = a[i] * b[i] * 65537
        x2 = x1 * 3
        x3 = x2 * 3
        whole[i] = x3


@njit("boolean(float32[::1], float32)")
def parity(x, level):
    count = 0
    for i in range(len(x)):
        if x[i] > level:
            count += 1
    return count % 2 == 1
