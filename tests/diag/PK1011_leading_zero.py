from numba import njit


@njit("int64(int64)")
def masked(x):
    return x & 0777
