from numba import njit, prange


@njit("float64(float64[::1])", parallel=True)
def last_value(a):
    x = 0.0
    for i in prange(len(a)):
        x = a[i] * a[i]
        a[i] = x + 1.0
    return x
