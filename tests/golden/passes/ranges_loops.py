"""Which way loops count, what their indices can be, and what holds behind them."""
from numba import njit


@njit("int64(int64)")
def downwards(n):
    s = 0
    for i in range(n, 0, -3):
        s += i
    return s


@njit("int64(int64, int64, int64)")
def unknown_step(a, b, c):
    s = 0
    for i in range(a, b, c):
        s += 1
    return s


@njit("int64(int64)")
def last_step_may_overflow(n):
    s = 0
    for i in range(0, n, 1000000007):
        s += 1
    return s


@njit("int64()")
def empty():
    s = 0
    for i in range(5, 5):
        s += i
    for i in range(0, 5, -1):
        s += i
    return s


@njit("float64(float64[::1])")
def counters(a):
    k = 0
    s = 0.0
    while k < len(a):
        s += a[k]
        k += 2
    return s + a[k - 2]


@njit("int64(int64)")
def broken_off(n):
    k = 0
    for i in range(n):
        if i * i > n:
            k = -1
            break
        k = i + 1
    return k + 1


@njit("int64(int64)")
def index_behind(n):
    i = 7
    for i in range(1, n):
        pass
    return i - 1


@njit("int64(float64[::1], float64)")
def bisection(x, q):
    lo = 0
    hi = len(x) - 1
    while hi - lo > 1:
        k = (hi + lo) // 2
        if x[k] > q:
            hi = k
        else:
            lo = k
    return lo
