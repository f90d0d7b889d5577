from numba import njit


@njit("int64(int64)")
def total(n):
    s = 0
    for i in n:
        s += i
    return s
