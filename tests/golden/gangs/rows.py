"""Rows of arrays in lanes: their elements are those of the whole array."""
import math

from numba import njit


@njit("void(float64[:, ::1], float64[:, ::1])")
def normalized(vectors, out):
    for i in range(len(vectors)):
        x, y, z = vectors[i]
        scale = 1.0
        while scale * math.sqrt(x * x + y * y + z * z) > 1.0:
            scale *= 0.5
        row = out[i]
        row[0], row[1], row[2] = x * scale, y * scale, z * scale


@njit("void(float64[:, :, ::1], float64[::1])")
def columns(a, out):
    for i in range(a.shape[0]):
        best = 0.0
        part = a[i, :, 1]
        k = i
        for j in range(len(part)):
            k = k // 2
            if part[j] > best and part[j] < 9.0:
                best = part[j]
        out[i] = best + k
