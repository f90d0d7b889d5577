"""Truths as factors of floats: by bits, but of constants and of truths."""
from numba import njit


@njit("float64(float64[::1], float64[::1], boolean)")
def factors(x, y, b):
    s = 0.0
    for i in range(len(x)):
        s = s * (x[i] < s) + (y[i] > 0.5) * x[i] + 2.0 * (x[i] < y[i]) + s * b
        y[i] = (x[i] < 0.5) * (y[i] < 0.25) * 1.5
    return s


@njit("int64(int64[::1])")
def of_integers(x):
    s = 0
    for v in x:
        s += v * (v > 3)
    return s
