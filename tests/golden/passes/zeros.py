"""Sums that only some turns make, of what may be -0.0."""
import numpy as np
from numba import njit


@njit("float64(float64[::1], float64)")
def given(x, s):
    for i in range(len(x)):
        if x[i] > 0.0:
            s += x[i]
        else:
            s -= 0.5
    return s


@njit("float64(float64[::1])")
def from_zero(x):
    s = 0.0
    for i in range(len(x)):
        if x[i] > 0.0:
            s += x[i]
    return s


@njit("float64(float64[::1], float64)")
def of_two(x, s):
    t = 0.0
    for i in range(len(x)):
        if x[i] > 0.0:
            t += x[i]
            s = t
    return s * t


@njit("float64(float64[::1], float64)")
def of_products(x, s):
    t = 1.0
    for i in range(len(x)):
        if x[i] < 0.0:
            t += x[i]
        t *= s
    return t


@njit("complex128(complex128[::1], complex128)")
def skipped(x, s):
    for z in x:
        if z.real <= 0.0:
            continue
        s = z + s
    return s


@njit("float64(float64[::1], float64)")
def selected(x, s):
    for i in range(len(x)):
        t = s + x[i]
        s = t if x[i] > 0.0 else s
        s -= -x[i] if x[i] < -5.0 else 0.0
    return s


@njit
def helper(s, y):
    if y > 0.0:
        return s + y
    return s


@njit
def no_sum(a, b):
    return a + b if a > b else a - b


@njit("float64(float64[::1], float64)")
def by_helpers(x, s):
    for i in range(len(x)):
        s = helper(s, no_sum(x[i], 1.0))
    return s


@njit("float64(float64[::1], float64)")
def left(x, s):
    for i in range(len(x)):
        if x[i] > 9.0:
            break
        if x[i] > 0.0:
            s += x[i]
    return s


@njit("float64(float64[::1], float64)")
def always(x, s):
    for i in range(len(x)):
        s += x[i] - 1.0
    return s


@njit("float64(float64[::1], float64)", fastmath=True)
def in_any_order(x, s):
    for i in range(len(x)):
        if x[i] > 0.0:
            s += x[i]
    return s
