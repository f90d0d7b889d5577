from numba import njit


@njit("float64(UniTuple(float64, 3))")
def flat(point):
    x, y = point
    return x + y
