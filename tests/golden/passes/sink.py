"""What both sides of a branch store last is stored once, behind it, in the same order."""
from numba import njit


@njit("void(float64[::1], float64[::1], float64[::1], int64)")
def sunk(x, out, other, n):
    for i in range(len(x)):
        if x[i] < 0.0:
            out[i] = 0.0
            other[i] = 1.0
        elif n == i:
            out[i] = 1.0 / x[i]
            other[i] = x[i]
        else:
            y = x[i] * 2.0
            out[i] = y
            other[i] = y + 1.0


@njit("void(float64[::1], float64[::1], int64)")
def elsewhere(x, out, n):
    for i in range(len(x)):
        k = i
        if x[i] < 0.0:
            k = n
            out[k] = 0.0
        else:
            out[k] = 1.0


@njit("float64(float64[::1], float64[::1], float64)")
def added(x, out, d):
    s = 0.0
    for i in range(len(x)):
        if x[i] < d:
            s += x[i] * x[i]
            out[i] += s
        else:
            s += d * (x[i] - d)
            out[i] += 1.0
    return s


@njit("void(float64[::1], float64[::1], float64)")
def one_store(x, out, d):
    for i in range(len(x)):
        if out[i] != out[i]:
            if x[i] == x[i]:
                out[i] = x[i]
        elif x[i] == x[i] and x[i] > out[i]:
            out[i] = x[i]
        if x[i] < d:
            x[i] = d
        elif out[i] < d:
            x[i] = d
        if x[i] > 1.0:
            if out[i] > 2.0:
                out[i] = d
        else:
            out[i] = d
