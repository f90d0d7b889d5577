from numba import njit


@njit("float64(int64)")
def last(n):
    for i in range(n):
        if i > 0:
            x = x + 1.0
    return x
