from numba import njit, prange


@njit("void(float64[:], float64[:])", parallel=True)
def decay(factor, a):
    for i in prange(len(factor)):
        a[0] = a[0] / 2.0 + factor[i]
