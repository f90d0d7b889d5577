"""What a condition said of an expression holds until its variables, or elements of arrays, may be others."""
import math

from numba import njit


@njit("void(float64[:], float64[:], float64[:])")
def ratio(a, b, out):
    for i in range(len(a)):
        if b[i] != 0:
            out[i] = a[i] / b[i]
        else:
            out[i] = 1.0 / b[i]


@njit("void(int32[:], int64[:], float64[:])")
def skips(n, at, out):
    for i in range(len(n)):
        if n[i] <= 0 or at[i] < 0:
            continue
        out[at[i]] = 1.0 / n[i]


@njit("float64(float64, float64, float64)")
def expressions(x, y, eps):
    if abs(x - y) > 1e-12 and math.sqrt(x) >= 0.5:
        return 1.0 / (x - y) + 1.0 / math.sqrt(x)
    if x * y:
        return 1.0 / (x * y)
    if abs(x) > eps:  # which may be below 0
        return 1.0 / x
    return 0.0


@njit("void(float64[:], float64[:])")
def written(b, out):
    for i in range(len(b)):
        if b[i] > 0.0:
            out[i] = 0.0
            out[i] = 1.0 / b[i]


@njit("void(float64[:], float64[:,:])")
def loops(b, a):
    for i in range(len(b)):
        if b[i] > 0.0:
            for j in range(a.shape[1]):
                a[i, j] /= b[i]


@njit("float64(float64[:], int64)")
def moves(b, i):
    s = 0.0
    if b[i] != 0:
        s += 1.0 / b[i]
        i += 1
        s += 1.0 / b[i]
    return s


@njit("float64(float64[:])")
def clears(b):
    b[0] = 0.0
    return 1.0


@njit("float64(float64[:])")
def calls(b):
    if b[0] > 0.0 and clears(b) > 0.0:
        return 1.0 / b[0]
    return 0.0


@njit("float64(float64, float64)")
def roots(x, scale):
    if x > 0.0:
        r = math.sqrt(x)
        return scale / (2.0 * r) + 1.0 / (r * -3.5) + 1.0 / (0.5 * x)  # the last may round to 0
    return 0.0
