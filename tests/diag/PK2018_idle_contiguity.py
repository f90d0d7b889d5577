from numba import njit


@njit("float64(float64[:, ::1, :])")
def f(a):
    return a[0, 0, 0]
