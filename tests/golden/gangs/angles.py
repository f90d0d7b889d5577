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


@njit("void(float64[::1], float64[::1], float64[::1])")
def parted(theta, x, y):
    """Both of one angle, in two statements; another angle in between."""
    for i in range(len(theta)):
        angle = theta[i] * 0.5
        x[i] = math.cos(angle)
        while angle > 1.0:
            angle = angle - math.cos(angle) * math.sin(angle)
        y[i] = math.sin(angle) + math.cos(angle)
