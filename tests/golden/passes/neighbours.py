"""Neighbours around the end of a line, of a lattice that a sweep changes: choices in place of remainders."""
from numba import njit


@njit("void(int8[:, ::1], float64[:, ::1], float64)")
def sweep(s, u, level):
    n, m = s.shape
    for i in range(n):
        for j in range(m):
            around = s[(i + 1) % n, j] + s[(i - 1 + n) % n, j] + s[i, (j + 1) % m] + s[i, (j - 1) % m]
            if around * s[i, j] < 0 or u[i, j] < level:
                s[i, j] = -s[i, j]


@njit("int64(int64[::1], int64, int64)")
def others(a, n, m):
    s = 0
    for i in range(n):
        s += a[s % n] + (i + 2) % n + (i + 1) % m + (i - 1 - n) % n
        m += 1
    for i in range(1, n):
        s = s * (i - 1) % n + (2 * i + 1) % n
    return s
