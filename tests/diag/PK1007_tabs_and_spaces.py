from numba import njit


@njit("float64(float64)")
def half(x):
        y = x
	return y / 2
