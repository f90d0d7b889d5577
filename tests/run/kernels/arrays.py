"""Functions over arrays, each tried at many sizes and layouts (test_arrays.py)."""
import math

import numpy as np
from numba import njit, prange


@njit("float64(float64[:])")
def total(a):
    s = 0.0
    for i in range(len(a)):
        s += a[i]
    return s


@njit("float64(float64[:])")
def total_by_element(a):
    s = 0.0
    for x in a:
        s += x
    return s


@njit("float64(float64[:])")
def total_backwards(a):
    s = 0.0
    for i in range(len(a) - 1, -1, -1):
        s += a[i]
    return s


@njit("float64(float64[:])")
def from_the_end(a):
    s = 0.0
    for i in range(1, len(a) + 1):
        s = s * 0.5 + a[-i]
    return s


@njit("void(float64[:], float64[:])")
def copy(a, out):
    for i in range(min(len(a), len(out))):
        out[i] = a[i]


@njit("void(float64[:], float64[:])")
def shift(a, out):
    """Order of loads and stores matters when the arguments overlap."""
    for i in range(1, min(len(a), len(out))):
        out[i] = a[i - 1] + 1.0


@njit("void(float64[:], float64[:])")
def smooth(a, out):
    n = min(len(a), len(out))
    for i in range(1, n - 1):
        out[i] = (a[i - 1] + a[i] + a[i + 1]) / 3.0


@njit("void(float64[:], float64, float64[:])")
def scale_in_place(a, factor, b):
    for i in range(len(a)):
        a[i] *= factor
        if i < len(b):
            a[i] -= b[i]


@njit("int64(float64[:], float64)")
def find(a, x):
    for i, value in enumerate(a):
        if value == x:
            return i
    return -1


@njit("float64(float64[:], float64[:])")
def dot(a, b):
    s = 0.0
    for x, y in zip(a, b):
        s += x * y
    return s


@njit("float64(float64[:,:])")
def trace(a):
    s = 0.0
    for i in range(min(a.shape)):
        s += a[i, i]
    return s


@njit("void(float64[:,:], float64[:])")
def row_sums(a, out):
    m, n = a.shape
    for i in range(min(m, len(out))):
        s = 0.0
        row = a[i]
        for j in range(n):
            s += row[j]
        out[i] = s


@njit("void(float64[:,:], float64[:])")
def column_maxima(a, out):
    for j in range(min(a.shape[1], len(out))):
        best = -math.inf
        for x in a[:, j]:
            best = max(best, x)
        out[j] = best


@njit("void(float64[:,:], float64[:,:])")
def transpose(a, out):
    for i in range(min(a.shape[0], out.shape[1])):
        for j in range(min(a.shape[1], out.shape[0])):
            out[j, i] = a[i, j]


@njit("float64(float64[:,:])")
def window(a):
    inner = a[1:-1, ::2]
    s = 0.0
    for i in range(inner.shape[0]):
        for j in range(inner.shape[1]):
            s += inner[i, j] * (i + 1)
    return s


@njit("float64[:](float64[:])")
def reversed_view(a):
    return a[::-1]


@njit("float64[::1](float64[:])")
def doubled(a):
    out = np.empty(len(a))
    for i in range(len(a)):
        out[i] = 2.0 * a[i]
    return out


@njit("Tuple((float64, int64))(float64[:])")
def largest(a):
    where, best = -1, -np.inf
    for i in range(a.size):
        if a[i] > best:
            where, best = i, a[i]
    return best, where


@njit("void(float64[:], float64[:])", parallel=True)
def parallel_square(a, out):
    for i in prange(min(len(a), len(out))):
        out[i] = a[i] * a[i]


@njit("Tuple((float64, float64, int64))(float64[:])", parallel=True)
def parallel_statistics(a):
    low = np.inf
    high = -np.inf
    positive = 0
    for i in prange(len(a)):
        low = min(low, a[i])
        high = max(high, a[i])
        if a[i] > 0.0:
            positive += 1
    return low, high, positive


@njit("int64(int64[:], int64[:])")
def gather(index, values):
    s = 0
    n = len(values)
    for i in range(len(index)):
        if n > 0:
            s += values[index[i] % n]
    return s


@njit("void(uint8[:,:], uint8[:,:])")
def invert(a, out):
    for i in range(min(a.shape[0], out.shape[0])):
        for j in range(min(a.shape[1], out.shape[1])):
            out[i, j] = 255 - a[i, j]


@njit("complex128(complex128[:])")
def phasor_sum(z):
    s = 0j
    for x in z:
        s += x * x.conjugate() + 1j * x.real
    return s


@njit("float64(float64[:,:,:])")
def volume(a):
    s = 0.0
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            for k in range(a.shape[2]):
                s += a[i, j, k] * (i - j + k)
    return s


@njit("float64(float64[:])")
def by_halves(a):
    n = len(a)
    if n < 2:
        return a[0] if n == 1 else 0.0
    return by_halves(a[: n // 2]) - by_halves(a[n // 2 :])


@njit("float64(float64[:])")
def even_and_odd(a):
    n = len(a)
    if n < 2:
        return a[0] if n == 1 else 0.0
    return even_and_odd(a[::2]) - even_and_odd(a[1::2])  # strided whatever `a` is
