"""Host functions as Python sees them: defaults, docstrings, named tuples, exceptions, new arrays."""
from typing import NamedTuple

import numpy as np
from numba import njit


class Range(NamedTuple):
    """The least and the greatest."""
    low: float
    high: float = 1.0


@njit("float64(float64, float64, boolean)")
def clamp(x, limit=1.0, strict=False):
    """Cuts x to [-limit, limit].

    strict: raises instead.
    """
    if strict and abs(x) > limit:
        raise ValueError("out of range: \"x\"", x)
    return min(max(x, -limit), limit)


@njit(["(float64[:],)", "(float32[::1],)"])
def bounds(values):
    if len(values) == 0:
        return None
    low = high = values[0]
    for x in values:
        low = min(low, x)
        high = max(high, x)
    return Range(low, high)


@njit("int64[::1](int64[:,:], int64)")
def counts(table, n):
    out = np.zeros(n, np.int64)
    for row in table:
        for k in row:
            if k < 0 or k >= n:
                raise IndexError("no such bin")
            out[k] += 1
    return out
