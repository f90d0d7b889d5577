from numba import njit


@njit("float64(float64)")
def area(r):
    result = factor * r * r
    factor = 3.14159
    return result
