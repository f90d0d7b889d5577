from numba import njit


@njit("float64(float64, int64)")
def kernel(x, i):
    pair = (x, i)
    return pair[i]
