from numba import njit, prange


@njit("void(int64[:], float64[:], float64[:])", parallel=True)
def decay(which, factor, a):
    for i in prange(len(which)):
        a[which[i]] = a[which[i]] / 2.0 + factor[i]
