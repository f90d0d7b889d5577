"""Loops over a window, written out: every turn is known, rows are named, equal ones once."""
import numpy as np
from numba import njit

OFFSETS = (-1, 0, 1)
WEIGHTS = np.array([0.25, 0.5, 0.25])


@njit("void(float64[:, ::1], float64[:, ::1])")
def cross(a, out):
    for i in range(1, a.shape[0] - 1):
        for j in range(1, a.shape[1] - 1):
            s = 0.0
            for di in OFFSETS:
                for dj in range(-1, 2):
                    if di != 0 and dj != 0:
                        continue
                    s += a[i + di, j + dj]
            out[i, j] = s


@njit("void(int64[:, ::1], int64[:, ::1])")
def edges(a, out):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            n = 0
            for di, dj in ((0, 1), (-1, 0)):
                if 0 <= i + di and j + dj < a.shape[1]:
                    n += a[i + di, j + dj]
            out[i, j] = n


@njit("void(int64[:, ::1], int64[:, ::1])")
def rounded(a, out):
    n, m = a.shape
    for i in range(n):
        for j in range(m):
            s = 0
            for d in range(-1, 2, 2):
                y = min(i + 2, n - 1)
                s += a[(i + d) % n, j] * (d * d + 3) - a[y, j]
            out[i, j] = s


@njit("float64(float64[:])")
def smoothed(x):
    largest = 0.0
    for i in range(1, len(x) - 1):
        s = 0.0
        for k in range(3):
            s += WEIGHTS[k] * x[i + k - 1]
        largest = max(largest, s)
    return largest


@njit("void(float64[:, ::1], float64[:, ::1])")
def apart(a, out):
    """Not side by side; too many; nobody knows how many: they stay."""
    for i in range(a.shape[0]):
        for k in range(3):
            out[i, k] = a[i, k]
    for i in range(9, len(a) - 9):
        for k in range(-9, 9):
            for d in range(-9, 9):
                out[0, i] += a[d, i + k]
    for i in range(9, len(a) - 9):
        for k in range(i):
            out[1, i] += a[0, i + k]


@njit("int64(int64[::1], int64)")
def left(x, wanted):
    """The last turn's values are read behind the loop; a way out keeps the loop."""
    k_at = 0
    v = 0
    for i in range(1, len(x) - 1):
        for k in range(-1, 2):
            v = x[i + k]
            k_at += k
    for i in range(1, len(x) - 1):
        for k in range(-1, 2):
            if x[i + k] == wanted:
                break
            k_at += 1
    return v + k_at


@njit("int64(uint8[:, ::1])")
def rings(img):
    """Items of a tuple that is made here, by number."""
    total = 0
    for y in range(1, img.shape[0] - 1):
        for x in range(1, img.shape[1] - 1):
            ring = (img[y - 1, x], img[y, x + 1], img[y + 1, x], img[y, x - 1], img[y - 1, x])
            for k in range(4):
                if ring[k] == 0 and ring[k + 1] == 1:
                    total += 1
    return total


@njit("void(float64[::1], float64[::1])")
def shared_out(x, out):
    for v in x:
        i = int(v)
        for d, w in ((0, 1.0 - v), (1, v)):
            out[i + d] += w


@njit
def largest(a, i, j):
    s = 0.0
    for di in range(-1, 2):
        for dj in range(-1, 2):
            s = max(s, a[i + di, j + dj])
    return s


@njit("void(float64[:, ::1], float64[:, ::1])")
def behind(a, out):
    for i in range(1, a.shape[0] - 1):
        for j in range(1, a.shape[1] - 1):
            out[i, j] = largest(a, i, j)
