"""Every target has a program of its own: what its entries reach, in the order of calls."""
import numpy as np
from numba import cuda, njit

TABLE = np.array([1.0, 2.0])


@njit
def shared(x):
    return x + TABLE[0]


@njit("float64(float64)")
def host_only(x):
    def closure(y):
        return shared(y) * x

    return closure(2.0)


@cuda.jit("void(float64[::1])")
def device_only(a):
    a[cuda.grid(1)] = shared(1.0)


@njit("int64(int64)")
def recursive(n):
    return n if n < 2 else recursive(n - 1) + recursive(n - 2)
