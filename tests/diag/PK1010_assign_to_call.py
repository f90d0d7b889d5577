from numba import njit


@njit("void(float64[:], float64)")
def put(a, x):
    len(a) = x
