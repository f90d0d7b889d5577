"""Subscripts that may count from the end: asked at both ends of the loop. Places of one array that move alike."""
from numba import njit


@njit("void(float64[::1], float64[::1], int64)")
def shifted(a, x, n):
    for i in range(len(x)):
        value = x[i]
        while value > 1.0:
            value *= 0.5
        a[i + n] = a[i + n] * 0.5 + value


@njit("void(float64[::1], float64[:, ::1])")
def two_columns(x, out):
    for i in range(len(x)):
        value = x[i]
        steps = 0.0
        while value > 1.0:
            value *= 0.5
            steps += 1.0
        out[i, 0] = value
        out[i, 1] = steps
