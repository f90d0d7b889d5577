"""Rows of an array that many iterations load are laid side by side for them."""
import numpy as np
from numba import njit, prange


@njit("void(float64[:, ::1], float64[:, ::1], float64[:, ::1])")
def product(a, b, c):
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            total = 0.0
            for k in range(1, b.shape[0]):
                total += a[i, k] * b[k, j]
            c[i, j] = total


@njit("void(float64[:, ::1], float64[:, ::1], float64[:, ::1])", parallel=True)
def least_path(a, b, c):
    for i in prange(c.shape[0]):
        for j in range(c.shape[1]):
            for k in range(b.shape[0]):
                c[i, j] = min(c[i, j], a[i, k] + b[k, j])


@njit("void(float32[:, ::1], float32[:, ::1], float32[:, ::1])")
def distances(x, y, out):
    """Lanes have a row of `y` each: a copy, or where they are."""
    for i in range(x.shape[0]):
        for j in range(y.shape[0]):
            total = np.float32(0)
            for k in range(x.shape[1]):
                total += (x[i, k] - y[j, k]) * (x[i, k] - y[j, k])
            out[i, j] = total


@njit("void(float64[:, ::1], float64[:, ::1], int64[::1])", parallel=True)
def nearest(points, centres, labels):
    """Rows of `points` that every centre is compared with."""
    for i in prange(points.shape[0]):
        smallest, best = np.inf, -1
        for c in range(centres.shape[0]):
            total = 0.0
            for k in range(points.shape[1]):
                total += (points[i, k] - centres[c, k]) ** 2
            if total < smallest:
                smallest, best = total, c
        labels[i] = best


@njit("void(float64[:, ::1], int64[::1])", parallel=True)
def nearest_other(points, out):
    """A turn that ends early, around the loop along the rows."""
    for i in prange(points.shape[0]):
        smallest, best = np.inf, -1
        for j in range(points.shape[0]):
            if j == i:
                continue
            total = 0.0
            for k in range(points.shape[1]):
                total += (points[i, k] - points[j, k]) ** 2
            if total < smallest:
                smallest, best = total, j
        out[i] = best
