"""Chains of branches that count, without branches: by truths; what may not be evaluated stays a branch."""
from numba import njit


@njit("float64(float64[::1], float64[::1])")
def concordant(x, y):
    c = d = t = 0
    for i in range(x.size):
        for j in range(i):
            p = (x[i] - x[j]) * (y[i] - y[j])
            if p > 0:
                c += 1
            elif p < 0:
                d += 1
            elif x[i] == x[j] and y[i] != y[j]:
                t += 1
    return c - d + 0.5 * t


@njit("int64(uint8[::1])")
def kinds(a):
    low = high = 0
    for i in range(a.size):
        if a[i] < 10:
            low += 1
        elif a[i] > 200:
            high -= 2
        else:
            low += 3
    return low * 1000 + high


@njit("int64(int64[::1], int64[::1])")
def guarded(a, t):
    n = m = 0
    for i in range(a.size):
        if a[i] < 0:
            n += 1
        elif t[a[i]] > 0:
            m += 1
    return n - m
