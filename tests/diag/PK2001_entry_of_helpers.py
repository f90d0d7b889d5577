# Only `total` lacks types: those of `term` come from its call.
from numba import njit


@njit
def term(x):
    return x * x


@njit
def total(a):
    s = 0.0
    for x in a:
        s += term(x)
    return s
