"""Turns that end early."""
from numba import njit


@njit("float64(float64[::1])")
def guarded(x):
    s = 0.0
    for i in range(len(x)):
        if x[i] <= 0.0:
            continue
        y = 2.0 * x[i]
        if y > 3.0:
            continue
        s += y
    return s


@njit("void(float64[::1], float64[::1])")
def sides(x, out):
    for i in range(len(x)):
        if x[i] < 0.0:
            out[i] = 0.0
            continue
        elif x[i] > 1.0:
            out[i] = 1.0
        else:
            out[i] = x[i]
            continue
        out[i] *= 0.5


@njit("int64(int64[::1])")
def inside(x):
    n = i = 0
    while i < len(x):
        i += 1
        if x[i - 1] > 0:
            if x[i - 1] > 5:
                continue
            n += 1
        n += 1
        if n == 7:
            continue
    return n


@njit("int64(int64[:, ::1])")
def around_a_loop(a):
    n = 0
    for i in range(a.shape[0]):
        if a[i, 0] == 0:
            continue
        for v in a[i]:
            n += v
    return n


@njit("int64(int64[::1])")
def many(x):
    n = 0
    for v in x:
        if v == 1:
            continue
        if v == 3:
            continue
        if v == 5:
            continue
        if v == 7:
            continue
        if v == 9:
            continue
        n += v
    return n
