import numpy as np
from numba import njit, prange


@njit
def bump(a, k, x):
    a[k] += x
    return a[k]


@njit("void(float64[:], int64[:])", parallel=True)
def where_it_says(a, at):
    for i in prange(len(at)):
        bump(a, at[i], 1.0)


@njit("void(float64[:], int64)", parallel=True)
def writes_only(a, n):
    for i in prange(n):
        a[0] = 1.0
        a[1:3][0] = i


@njit("void(float64[:], int64)", parallel=True)
def each_at_its_own(a, n):
    for i in prange(n):
        bump(a, i, 1.0)
        own = np.zeros(3)
        bump(own, 0, 1.0)
        for k in range(2):
            own = own[1:]
        bump(own, 0, 1.0)
        a[i] += own[0]


@njit("void(float64[:, :], int64)", parallel=True)
def each_in_its_row(a, n):
    for i in prange(n):
        bump(a[i], 0, 1.0)


@njit
def copy(to, a):
    to[0] = a[0]


@njit("void(float64[:], float64[:])", parallel=True)
def all_the_same(to, a):
    for i in prange(len(a)):
        copy(to, a)
