"""Divisions by what a loop does not change, under fastmath."""
from numba import njit


@njit("float64(float64[::1], int64)", fastmath=True)
def smoothed(x, length):
    value = 0.0
    for i in range(len(x)):
        value = (value * (length - 1.0) + x[i]) / length
    return value


@njit("void(float64[:, ::1], float64, float64[::1])", fastmath=True)
def scaled(a, step, by):
    """In front of both loops, of one, and in every turn."""
    for i in range(a.shape[0]):
        row = by[i]
        for j in range(a.shape[1]):
            a[i, j] = a[i, j] / (2 * step) / row + 1 / a[i, j]


@njit("float64(float64[::1], float64)")
def in_order(x, by):
    total = 0.0
    for i in range(len(x)):
        total += x[i] / by
    return total
