"""Where locals are declared: at their first assignment, in the narrowest scope that serves."""
import numpy as np
from numba import njit, prange


@njit("float64(float64, boolean)")
def branches(x, k):
    a = x + 1.0
    b = a
    b += 1.0
    if k:
        c = a * b
        d = c + 1.0
        e = d
    else:
        e = 2.0
    return e + b


@njit("float64(int64)")
def loops(n):
    total = 0.0
    for i in range(n):
        x = i * 2.0
        y = x
        if x > 3.0:
            y = 1.0
        total += y
    for i in range(n):
        x = i * 3.0
        total -= x
    return total


@njit("float64(int64)")
def from_turn_to_turn(n):
    last = 0.0
    for i in range(n):
        now = i * 1.0
        total = last + now
        last = now
    while n > 0:
        half = n // 2
        n = half
    return last


@njit("float64(float64[::1])", parallel=True)
def private(a):
    s = 0.0
    for i in prange(len(a)):
        t = a[i]
        u = t * t
        s += u
    return s


@njit("int64(int64)")
def maybe_unbound(n):
    if n > 3:
        x = n
        y = 1
    return x + y


@njit("float64(float64[::1], int64)")
def statuses(a, n):
    b = np.zeros(n)
    q = int(a[0]) // n
    c = b
    c[0] = q
    return c[0]
