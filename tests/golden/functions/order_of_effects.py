import numpy as np
from numba import njit

@njit("float64(float64[:], float64)")
def bump(a, x):
    a[0] += x
    return a[0]

@njit("float64(float64[:])")
def order1(a):
    return a[0] + bump(a, 1.0)

@njit("float64(float64[:])")
def order2(a):
    return bump(a, 1.0) + a[0] * 10.0

@njit("float64(float64[:])")
def order3(a):
    x = a[0]
    y = bump(a, 2.0) - bump(a, 3.0) * x
    a[1] = bump(a, 1.0) + a[1]
    a[1] += bump(a, a[0])
    return y + bump(a, 1.0) * a[1]

@njit("float64(float64[:])")
def order4(a):
    b, c = bump(a, 1.0), a[0]
    return b * 100 + c if bump(a, 1.0) > 3 else a[0]
