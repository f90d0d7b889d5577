import numpy as np
from numba import njit, stencil

border = np.random.rand()


@stencil("wrap")
def wraps(a):
    return a[0]


@stencil(neighborhood=((-1, 1), 2))
def around(a):
    return a[0]


@stencil(cval=border)
def ends(a):
    return a[0]


@stencil(standard_indexing=("weight",))
def weighted(a, weights):
    return a[0] * weights[0]


@stencil(standard_indexing=("a",))
def first(a):
    return a[0]


@njit("float64(float64)")
def half(x):
    return x / 2
