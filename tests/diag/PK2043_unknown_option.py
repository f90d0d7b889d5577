from numba import njit


@njit("float64(float64)", paralell=True)
def half(x):
    return x / 2
