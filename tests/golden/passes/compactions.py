"""Elements picked one behind the other, without a branch; not of arrays that something else looks at."""
import numpy as np
from numba import njit


@njit("float64[:](float64[::1], float64)")
def above(x, t):
    out = np.empty(x.size)
    k = 0
    for i in range(x.size):
        if x[i] > t:
            out[k] = x[i]
            k += 1
    return out[:k]


@njit("UniTuple(int64[:], 2)(float64[:, ::1])")
def places(a):
    n = a.size
    rows = np.empty(n, np.int64)
    columns = np.empty(n, np.int64)
    k = 0
    for i in range(a.shape[0]):
        for j in range(1, a.shape[1]):
            if a[i, j] > a[i, j - 1]:
                rows[k] = i
                columns[k] = j
                k += 1
    return rows[:k], columns[:k]


@njit("Tuple((float64[:], float64[:]))(float64[::1], float64)")
def sides(x, t):
    low, high = np.zeros(x.size), np.full(x.size, 9.0)
    a = b = 0
    for i in range(x.size):
        if x[i] < t:
            low[a] = x[i]
            a += 1
        else:
            high[b] = 2 * x[i]
            b += 1
    return low, high


@njit("float64[:](float64[::1])")
def rising(x):
    """What was picked last is asked."""
    out = np.empty(x.size + 1)
    out[0] = 0.0
    k = 1
    for i in range(x.size):
        if x[i] > out[k - 1]:
            out[k] = x[i]
            k += 1
    return out[:k]


@njit("float64[:](float64[::1])")
def signs(x):
    """Both sides fill one array."""
    out = np.empty(x.size)
    k = 0
    for i in range(x.size):
        if x[i] > 0:
            out[k] = 1.0
            k += 1
        else:
            out[k] = -1.0
            k += 1
    return out
