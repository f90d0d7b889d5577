"""How functions that may raise end, and calls whose status cannot be handed on as it is."""
import numpy as np
from numba import njit, prange


@njit
def checked(x):
    if x < 0:
        raise ValueError("negative")
    return x


@njit("float64(float64)")
def hands_on(x):
    return checked(x)


@njit("float64(int64)")
def converts(n):
    return checked(n)


@njit("void(float64)")
def result_unused(x):
    checked(x)


@njit("float64[::1](int64)")
def allocates(n):
    return np.zeros(n)


@njit("void(float64[::1])")
def ends_in_a_branch(a):
    if a[0] > 0.0:
        a[0] = checked(a[1])
    else:
        return


@njit("void(float64[::1])", parallel=True)
def ends_in_a_loop(a):
    for i in prange(len(a)):
        a[i] = checked(a[i])


@njit("optional(float64)(float64)")
def optional(x):
    if x > 1.0:
        return checked(x)
    return None


@njit("void()")
def only_raises():
    raise RuntimeError


@njit("float64(float64)")
def never(x):
    return x
