from numba import njit


@njit("float64(float64[:, 3])")
def f(points):
    return points[0, 0]
