from numba import njit, prange


@njit("void(float64[::1], float64)", parallel=True)
def raises(a, limit):
    for i in prange(len(a)):
        if a[i] > limit:
            raise ValueError("too large", i)
        a[i] = 2 * a[i]
