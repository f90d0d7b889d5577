"""Sums along rows: of several rows at a time, what is done with them row by row."""
import math

import numpy as np
from numba import njit, prange


@njit("void(float64[:, ::1], float64[::1])")
def totals(a, out):
    for i in range(a.shape[0]):
        total = 0.0
        for j in range(a.shape[1]):
            total += a[i, j]
        out[i] = total


@njit("void(float32[:, ::1], float32[::1], float32[:, ::1])")
def layer_norm(x, scale, out):
    """What follows the sums raises, row by row."""
    n, m = x.shape
    for i in range(n):
        total = np.float32(0)
        for j in range(m):
            total += x[i, j]
        mean = total / np.float32(m)
        spread = np.float32(0)
        for j in range(m):
            off = x[i, j] - mean
            spread += off * off
        factor = np.float32(1) / np.sqrt(spread / np.float32(m))
        for j in range(m):
            out[i, j] = (x[i, j] - mean) * factor * scale[j]


@njit("int64(float64[:, ::1], float64[::1])")
def nearest(points, to):
    """What follows the sums hands something on."""
    best = 0
    least = math.inf
    for i in range(points.shape[0]):
        distance = 0.0
        for j in range(points.shape[1]):
            distance += abs(points[i, j] - to[j])
        if distance < least:
            least = distance
            best = i
    return best


@njit("void(float64[:, ::1], float64, float64[:, ::1])")
def smooth(x, share, y):
    """The chain goes through an element."""
    for i in range(x.shape[0]):
        y[i, 0] = x[i, 0]
        for j in range(1, x.shape[1]):
            y[i, j] = share * x[i, j] + (1.0 - share) * y[i, j - 1]


@njit("void(float64[:, ::1], float64[::1])", parallel=True)
def horner(coefficients, x):
    for i in prange(coefficients.shape[0]):
        value = 0.0
        for j in range(coefficients.shape[1]):
            value = value * x[i] + coefficients[i, j]
        x[i] = value


@njit("float64[:](float64[:, ::1], float64[::1])")
def times(m, x):
    """Sums without an order: rows at a time where they are short."""
    return m @ x


@njit("void(complex128[:, ::1], complex128[::1], complex128[::1])")
def of_parts(a, sums, products):
    """Complex numbers are added up so, products of theirs are not."""
    for i in range(a.shape[0]):
        s = 0j
        for j in range(a.shape[1]):
            s += a[i, j]
        sums[i] = s
    for i in range(a.shape[0]):
        s = 1 + 0j
        for j in range(a.shape[1]):
            s *= a[i, j]
        products[i] = s
