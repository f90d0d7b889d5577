from numba import njit


@njit("float64(float64, float64)")
def larger(a, b):
    return max(a b)
