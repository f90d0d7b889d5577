"""The clauses of prange loops: what iterations share, add up or leave behind, and when threads pay."""
import numpy as np
from numba import njit, prange


@njit("Tuple((float64, int64, boolean))(float64[::1])", parallel=True)
def reductions(a):
    total, count, found = 0.0, 0, False
    for i in prange(len(a)):
        total += a[i]
        if a[i] > 1.0:
            count -= 1
        found = found or a[i] == 0.0
    return total, count, found


@njit("float64(float64[::1], float64[::1])", parallel=True)
def last_values(a, out):
    x = 0.0
    for i in prange(len(a)):
        t = a[i] * 2.0
        x = t + 1.0
        out[i] = x
    return x


@njit("void(int64[::1], int64[::1])", parallel=True)
def atomic(index, counts):
    for i in prange(len(index)):
        counts[index[i]] += 1
        index[i] -= 1


@njit("void(float64[:,::1], int64)", parallel=True)
def triangle(a, n):
    for i in prange(n):
        for j in range(i):
            a[i, j] = a[j, i] + i


@njit("void(float64[::1])", parallel=True)
def downwards(a):
    for i in prange(len(a) - 1, -1, -1):
        a[i] = i


@njit("void(float64[:,::1], float64[::1])", parallel=True)
def rows(a, out):
    for i in prange(a.shape[0]):
        row = a[i]
        row[0] = out[i]
        scratch = np.empty(3)
        scratch[0] = row[1]
        out[i] = scratch[0]


@njit("int64(int64)", parallel=True)
def nothing_to_do(n):
    s = 0
    for i in prange(n, n):
        s += i
    for i in prange(n):
        pass
    return s


@njit("float64(float64[:,::1])", parallel=True)
def nested(a):
    s = 0.0
    for i in prange(a.shape[0]):
        for j in prange(a.shape[1]):
            s += a[i, j]
    return s
