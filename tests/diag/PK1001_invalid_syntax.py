from numba import njit


@njit("float64(float64, float64)")
def hypotenuse(a b):
    return (a * a + b * b) ** 0.5
