"""Sines and cosines of all lanes at once."""
import math

from numba import njit


@njit("void(float64[::1], float64[::1], float64[::1])")
def turned(x, y, out):
    for i in range(len(x)):
        out[i] = x[i] * math.cos(y[i]) - math.sin(y[i])


@njit("void(float32[::1], float32[::1])")
def swings(x, out):
    for i in range(len(x)):
        angle = x[i]
        if angle > 1.0:
            angle = math.sin(angle) * angle
        out[i] = math.tan(angle)
