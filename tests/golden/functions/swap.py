from numba import njit


@njit("int64(int64, int64)")
def swap(a, b):
    while b != 0:
        a, b = b, a % b
    return a
