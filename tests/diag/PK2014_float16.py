from numba import njit


@njit(["float64(float64)", "float64(float16[:])"])
def f(x):
    return 0.5
