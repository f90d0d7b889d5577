"""Kinds of values as inference makes them."""
import numpy as np
from numba import njit


@njit("float64(optional(float64), int64)")
def optionals(x, n):
    if x is None:
        return -1.0
    y = None
    if n > 0:
        y = x + n
    return y if y is not None else 0.5


@njit("int64(UniTuple(int64, 3), Tuple((int64, float64)), int64)")
def tuples(same, mixed, k):
    return same[k] + same[-1] + mixed[0] + int(mixed[1])


@njit("float64(float64[:,:], uint8)")
def views(a, k):
    row = a[k, 1:-1:2]
    tall = row[::-1, None]
    return row[0] + tall[0, 0] + a.strides[0] + a.size + len(a) * a.shape[1]


@njit("boolean(complex128, int32, boolean)")
def operators(z, i, b):
    return (not b and ~i << 2 > -i) or z == 1j or bool(i)


@njit("float64[:,::1](int64)")
def arrays(n):
    a = np.full((n, 2), 7.0)
    a[0] = 1.0
    return a


@njit
def halves(n):
    while n > 0:
        yield n
        n //= 2


@njit("int64(int64)")
def over_generator(n):
    total = 0
    for x in halves(n):
        total += x
    return total
