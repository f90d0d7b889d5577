from numba import njit


@njit("boolean(int64)")
def kernel(n):
    return 3 in n
