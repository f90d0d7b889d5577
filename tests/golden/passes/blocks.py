"""Sums of small numbers: in blocks, whose own sums take few bits."""
from numba import njit


@njit("int64(uint8[:])")
def total(image):
    s = 0
    for v in image:
        s += v
    return s


@njit("Tuple((int64, int32))(int8[::1], boolean[::1], uint8)")
def several(x, kept, limit):
    s = 0
    n = 0
    for i in range(len(x)):
        if kept[i]:
            s -= x[i]
        if x[i] > 3:
            n += 1
    return s, n


@njit("int64(uint8[::1], uint8[::1])")
def differing(x, y):
    n = 0
    for i in range(len(x)):
        if x[i] != y[i]:
            n += 1
    return n


@njit("int64(int16[:, :])")
def rows(image):
    s = 0
    for i in range(image.shape[0]):
        for j in range(1, image.shape[1]):
            s += image[i, j] * image[i, j - 1]
    return s


@njit("int64(uint8[:], int64[:], int64)")
def others(x, wide, k):
    s = 0
    n = 3
    for i in range(len(x)):  # as many bits as the sum
        s += wide[i]
    for i in range(len(x)):
        if x[i] == k:
            s += 1
    for i in range(9):  # few
        s += x[i]
    for i in range(n):  # read before it is added to
        n += x[i]
    for i in range(len(x)):  # the sum itself is asked
        s += x[i]
        if s > 100:
            n += 1
    for i in range(len(x)):
        n += x[x[i]]
    return s + n
