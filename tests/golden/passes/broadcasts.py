"""An operand of extent 1 along an axis, by its text, is read at 0 there; its other axes are fitted as ever."""
import numpy as np
from numba import njit


@njit("float64[:,:](float64[:], float64[::1], float64)")
def outer(a, b, c):
    x = b.reshape(1, -1)
    return a[:, np.newaxis] * c + x


@njit("void(float64[:,::1], float64[:])")
def adds(out, a):
    out += a[:, None]


@njit("float64[:,:](float64[:,::1], int64)")
def may_be_one(a, n):
    x = a[:1]
    if n > 0:
        x = a
    return x + a
