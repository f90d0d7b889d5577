from numba import njit, prange


@njit("int64(float64[:])", parallel=True)
def find(a):
    for i in prange(len(a)):
        if a[i] < 0.0:
            return i
    return -1
