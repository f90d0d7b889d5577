from numba import njit


# pyk2cu: sig hlaf(float64)
@njit
def half(x):
    return x / 2
