"""Loops with checks that no strip may run ahead of."""
from numba import njit


@njit("void(float64[:], float64[:])")
def own_stores(a, b):
    for i in range(len(a)):
        b[i] = a[i] - 1.0
        a[i] = 1.0 / b[i]  # what is checked was just stored


@njit("void(float64[:], int64[:], float64[:])")
def guarded_index(a, index, out):
    for i in range(len(index)):
        if index[i] < 0 or index[i] >= len(a):
            raise IndexError("no such element")
        out[i] = 1.0 / a[index[i]]  # not read before it is known to exist


@njit("float64(float64[:], float64[:])")
def running(a, b):
    acc = 0.0
    for i in range(len(a)):
        acc += a[i] / b[i]
    return acc


@njit("void(float64[:], float64, float64[:])")
def same_divisor(a, b, out):
    for i in range(len(a)):
        out[i] = a[i] / b  # g++ checks it once


@njit("float64(float64[:], float64[:], float64[:])")
def last_value(a, b, out):
    ratio = 0.0
    for i in range(len(a)):
        ratio = a[i] / b[i]
        out[i] = ratio
    return ratio
