from numba import njit


@njit("float64(UniTuple(float64))")
def f(pair):
    return pair[0]
