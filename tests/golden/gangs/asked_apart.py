"""A condition on what a function has given begins a run of its own."""
import numpy as np
from numba import njit


@njit("float64(float64[::1], float64, int64)")
def split(s, p, n):
    kept = lost = 0.0
    for i in range(s.size):
        value = s[i] ** p
        if not np.isnan(value):
            if i < n:
                kept += value
            else:
                lost += value
    return kept - lost
