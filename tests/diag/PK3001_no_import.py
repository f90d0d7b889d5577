from numba import njit


@njit("int64(int64)", parallel=True)
def total(n):
    s = 0
    for i in prange(n):
        s += i
    return s
