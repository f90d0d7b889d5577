from numba import njit


@njit("float64(float64)", error_model="nunpy")
def half(x):
    return x / 2
