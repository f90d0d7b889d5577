"""Clips in front of conversions that clip anyhow."""
from numba import njit


@njit("void(float64[::1], uint8[::1])")
def by_ifs(a, out):
    for i in range(a.size):
        v = a[i] * 1.5 + 10.0
        if v < 0:
            v = 0
        if v > 255:
            v = 255
        out[i] = v


@njit("void(float64[::1], uint8[::1])")
def by_sides(a, out):
    for i in range(a.size):
        v = a[i] * 1.5
        if v < 0:
            out[i] = 0
        elif v > 255:
            out[i] = 255
        else:
            out[i] = v


@njit("void(float64[::1], uint8[::1], int16[::1])")
def of_whole(a, out, other):
    for i in range(a.size):
        out[i] = max(0, min(255, int(a[i] + 0.5)))
        v = int(a[i])
        if v < -32768:
            v = -32768
        elif v > 32767:
            v = 32767
        other[i] = v


@njit("void(float64[::1], uint8[::1], uint8[::1])")
def stay(a, out, other):
    for i in range(a.size):
        v = a[i]
        if v < 16:  # less than the type holds
            v = 16
        if v > 235:
            v = 235
        out[i] = v
        w = int(a[i])
        if w > 255:  # the other end wraps
            w = 255
        out[i] += w
        x = a[i]
        if x < 0:
            x = 0
        other[i] = x
        out[i] += min(255.0, a[i])  # of NaN 255
        if x > 1e9:  # read
            out[i] = 0
