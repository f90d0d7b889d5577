"""Ends and steps of loops that would be computed in every turn get a name before it."""
from numba import njit


@njit
def count(a):
    return len(a) // 2


@njit("int64(float64[::1], int64[::1], int64)")
def ends(a, b, n):
    s = 0
    for i in range(n):
        s += 1
    for i in range(len(a) - 1):
        s += 1
    for i in range(n // 3):
        s += 1
    for i in range(count(a)):
        s += 1
    for i in range(b[0]):
        b[0] = 0
        s += 1
    for i in range(min(n, len(a))):
        s += 1
    return s


@njit("int64(int64)")
def changed_inside(n):
    s = 0
    for i in range(n):
        n = n - 1
        s += 1
    return s


@njit("int64(float64[::1])")
def array_changed_inside(a):
    s = 0
    for i in range(len(a)):
        a = a[1:]
        s += 1
    return s


@njit("int64(int64, uint8)")
def steps(n, k):
    s = 0
    for i in range(n, 0, -(k % 5) - 1):
        s += i
    for i in range(0, n, n):
        s += i
    return s


@njit("int64(int64, int64)")
def inner(n, m):
    s = 0
    for i in range(n):
        for j in range(i % 3, m % 5):
            s += j
    return s


@njit("int64(float64[:,::1])")
def views(a):
    s = 0
    for i in range(len(a[0, 1:])):
        s += i
    return s
