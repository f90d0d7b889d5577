from numba import njit


@njit("float64(float64)")
def kernel(x):
    table = {"a": x}
    return x
