"""Conditions that are asked as a whole, where arrays surely have the elements."""
from numba import njit


@njit("void(uint8[:, ::1], int64[::1], uint8[:, ::1])")
def asked(a, at, out):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            c = a[i, j]
            if c == 3 or (c == 2 and a[i, 0] == 1):
                out[i, j] = 1
            elif c > 4 and a[i, at[j]] == 1:
                out[i, j] = 2
            elif j > 0 and a[i, j - 1] == 7:
                out[i, j] = 3


@njit("int64(uint8[::1], uint8[::1])")
def ways(a, b):
    """Another array has other elements; a way out; one of several loops: they stay."""
    n = 0
    for i in range(len(a)):
        if a[i] == 1 and b[i] == 1:
            n += 1
    for i in range(len(a)):
        if a[i] == 1 and a[0] == 1:
            break
        n += 1
    return n
