"""Loops for the lanes of vector registers: strips of checked iterations, vector math, helpers' forms."""
import math

from numba import njit, prange


@njit("void(float64[::1], float64[::1])")
def divide(a, b):
    for i in range(len(a)):
        b[i] = 1.0 / a[i]


@njit
def wave(x):
    return math.exp(-x) * 2.0


@njit("void(float64[::1])")
def vector_math(a):
    for i in range(len(a)):
        a[i] = wave(a[i])


@njit("float64(float64[::1])", parallel=True)
def adds_up(a):
    s = 0.0
    for i in prange(len(a)):
        s += wave(a[i])
    return s


@njit("void(float64[::1])")
def few_turns(a):
    for i in range(8):
        a[i] = math.sin(a[i])


@njit("void(float64[::1])", fastmath=True)
def fast(a):
    for i in range(len(a)):
        a[i] = math.sin(a[i])


@njit("void(float64[::1])")
def carried(a):
    x = 1.0
    for i in range(len(a)):
        x = math.sin(x)
        a[i] = x
