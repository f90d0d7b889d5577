# Windows that slide: known to lie inside (by the loop's ends, by conditions), asked for in front, and those that stay.
import numpy as np
from numba import njit


@njit("float64[:](float64[::1], float64[::1])")
def filtered(x, b):
    n = x.shape[0] - b.shape[0] + 1
    out = np.zeros(n)
    for i in range(n):
        a = x[i:i + b.shape[0]]
        for k in range(a.shape[0]):
            out[i] += a[k] * b[-1 - k]
    return out


@njit("float64[:](float64[::1], int64)")
def trailing(x, w):
    out = np.full(x.size, np.nan)
    for i in range(x.size):
        if i < w:
            continue
        out[i] = np.mean(x[i - w:i])
    return out


@njit("float64[:, :](float64[:, ::1], float64[:, ::1])")
def correlated(image, kernel):
    h, w = kernel.shape
    out = np.zeros((image.shape[0] - h + 1, image.shape[1] - w + 1))
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            out[i, j] = np.sum(image[i:i + h, j:j + w] * kernel)
    return out


@njit("float64(float64[::1], int64[::1])")
def anywhere(x, starts):
    s = 0.0
    for i in range(starts.size):
        a = x[starts[i]:]
        s += a[0]
    return s


@njit("float64(float64[::1], int64[::1], int64)")
def some(x, ends, w):
    s = 0.0
    for i in range(x.size):
        if i - w < 0 or i + w > x.size:
            continue
        a = x[i - w:ends[i]]  # stays, and asks nothing
        b = x[i - w:i + w]
        s += a[0] * b[0] + b[b.size - 1]
    return s


@njit("float64(float64[::1])")
def sometimes(x):
    lo, hi = -5, 1000
    s = 0.0
    for i in range(x.size):
        if i > 3:
            lo, hi = max(0, i - 1), min(x.size, i + 3)
        s += x[lo:hi].sum()
    return s
