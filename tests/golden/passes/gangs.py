"""A loop whose iterations take different numbers of turns."""
import math
import random

from numba import njit


@njit("void(float64[::1], int64[::1], int64)")
def halvings(x, out, most):
    for i in range(len(x)):
        value = x[i]
        count = 0
        while value > 1.0 and count < most:
            value = value * 0.5
            count += 1
        out[i] = count


@njit("void(float64[:, ::1], float64[:, ::1], float64[:, ::1])")
def products(a, b, c):
    for i in range(4, c.shape[0]):
        for j in range(c.shape[1]):
            for k in range(7):
                c[i, j] += a[i, k] * b[k, j]


@njit("void(float64[::1], float64[::1])")
def sines(x, out):
    for i in range(len(x)):
        out[i] = math.sin(x[i])


@njit("void(float64[::1], float64[::1])")
def both(x, out):
    for i in range(len(x)):
        out[i] = math.sin(x[i]) + math.cos(x[i])


@njit("float64(int64)")
def mean(n):
    total = 0
    for i in range(n):
        total += random.random() < 0.5
    return total / n


@njit("void(int32[:, ::1], int32[:, ::1])")
def rows(a, b):
    for i in range(a.shape[0]):
        x = a[i, 0]
        turns = 0
        while x > 1:
            x = x // 2
            turns += 1
        b[i, 0] = a[i, 2] + turns
        b[i, 1] = x
        b[i, 2] = a[i, 0] - a[i, 1]
