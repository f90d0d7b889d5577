"""Functions whose bodies say the same become one text, for any layout or for either form of libm's functions."""
import math

from numba import cuda, njit


@njit("float64(float64[:], float64[:])")
def dot(a, b):
    s = 0.0
    for i in range(len(a)):
        s += a[i] * b[i]
    return s


@njit("float64(float64[:,:])")
def calls(a):
    return dot(a[0], a[1])


@njit("float64(float64[:], float64[:])")
def differs(a, b):
    if len(a) > 0:
        a = a[::2]
    return a[0] + b[0]


@njit
def bell(x):
    return math.exp(-x * x)


@njit("void(float64[::1], float64)")
def both_forms(a, x):
    for i in range(len(a)):
        a[i] = bell(a[i])
    a[0] = bell(x)


@njit("float64(float64[:], int64)")
def recursive(a, n):
    if n == 0:
        return 0.0
    return a[n] + recursive(a, n - 1)


@njit("float64(float64[:], int64)")
def of_one_layout(a, n):
    if n == 0:
        return 0.0
    return a[n] + of_one_layout(a[::2], n - 1)


@njit(["float64(float64)", "float32(float32)"])
def overloads(x):
    return x + x


@njit("Tuple((float64[:], float64))(float64[:])")
def in_a_tuple(a):
    return a, a[0]
