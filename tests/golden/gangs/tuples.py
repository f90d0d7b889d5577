"""Tuples of numbers in lanes: a variable for each item."""
import math

from numba import njit


@njit
def halved(x, y):
    steps = 0
    while x + y > 1.0:
        x, y, steps = y * 0.5, math.sqrt(x * 0.75), steps + 1
        if steps > 50:
            return x, -1
    return x + y, steps


@njit("void(float64[::1], float64[::1], int64[::1])")
def apply(x, out, steps):
    for i in range(len(x)):
        pair = halved(x[i], 2.0)
        best = pair
        if best[0] > 0.5:
            best = (pair[0] - 0.5, pair[1] + 1)
        out[i], steps[i] = best


@njit("void(float64[::1], float64[::1])")
def swapped(x, out):
    for i in range(len(x)):
        t = (x[i], 1.0)
        while t[0] < 10.0:
            t = (t[1], t[0] + t[1])
        out[i] = t[0] - t[1]
