from numba import njit


@njit("int64(int64)")
def f(n):
    s = 0
    for i in (range(n) if n > 2 else n):
        s += i
    return s
