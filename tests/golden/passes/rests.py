"""Divisions of what stays the same, in front of loops."""
from numba import njit


@njit("void(float64[:, ::1], float64[:, ::1])")
def periodic(a, out):
    """Rows above and below, around the edges."""
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            out[i, j] = a[(i - 1) % a.shape[0], j] + a[(i + 1) % a.shape[0], j]


@njit("int64(int64[::1], int64, int64)")
def pieces(a, k, n):
    """The whole piece; one name for equal ones; a constant divides quickly; what changes stays, and what is seldom asked for."""
    total = 0
    for i in range(len(a)):
        total += a[i] * (k // n * 3) + a[i] % (k // n * 3) + k // 7
        if a[i] > 5:
            total += k % n
        total ^= i // n + len(a) // (k + 5)
    return total
