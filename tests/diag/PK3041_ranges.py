from numba import njit


@njit("int64(uint64, int64, boolean)")
def count(n, m, c):
    s = 0
    for i in (range(n) if c else range(m)):
        s += 1
    return s
