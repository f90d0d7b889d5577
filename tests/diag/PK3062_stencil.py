import numba
import numpy as np
from numba import njit, stencil


@stencil
def stores(a):
    a[0] = 1.0
    return a[1]


@stencil
def moves(a, k):
    return a[k] + a[0]


@stencil
def rows(a, b):
    return a[0, 1] + b[1]


@stencil(neighborhood=((-1, 1),))
def flat(a):
    return a[0, 1]


@stencil
def steps(a):
    return np.sum(a[:2])


@stencil
def number(a):
    return a + 1


@stencil
def pair(a):
    return a[0], a[1]


@njit("float64[:](float64[:])")
def f(a):
    return stores(a) + moves(a, 2)


@njit("float64[:, :](float64[:, :], float64[:])")
def g(a, b):
    return rows(a, b) + flat(a)


@njit("float64[:](float64[:])")
def h(a):
    return steps(a) + number(2.0) + pair(a)


@njit("float64[:](float64[:], float64[:, :])")
def into(a, out):
    return smooth(a, out=out)


@stencil
def smooth(a):
    return a[-1] + a[1]
