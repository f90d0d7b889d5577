from numba import njit


@njit("float64(complex128)")
def real_part(z):
    return z
