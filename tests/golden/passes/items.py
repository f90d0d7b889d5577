"""Arrays in tuples: what loops behind the tuple's only assignment mention has a name from there on."""
from collections import namedtuple

import numpy as np
from numba import njit

Forest = namedtuple("Forest", "parent size")


@njit
def planted(n):
    return Forest(np.arange(n), np.ones(n, dtype=np.int64))


@njit("int64(int64, int64[::1], int64[::1])")
def joined(n, left, right):
    trees = planted(n)
    for i in range(len(left)):
        a, b = left[i], right[i]
        while trees.parent[a] != a:
            a = trees.parent[a]
        while trees.parent[b] != b:
            b = trees.parent[b]
        if a != b:
            trees.parent[a] = b
            trees.size[b] += trees.size[a]
    return trees.size.max()


@njit("float64(Tuple((float64[::1], UniTuple(float64[::1], 2))))")
def nested(given):
    s = 0.0
    for i in range(given[0].size):
        s += given[0][i] * given[1][1][i]
    return s


@njit("float64(int64)")
def several(n):
    pair = (np.ones(n), np.zeros(n))
    if n > 3:
        pair = (np.zeros(n), np.ones(n))
    s = 0.0
    for i in range(n):
        s += pair[0][i]
    return s
