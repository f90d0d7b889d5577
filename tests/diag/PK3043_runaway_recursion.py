from numba import njit


@njit("(int64,)")
def down(n):
    return down(n - 1)
