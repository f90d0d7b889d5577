from numba import njit, prange


@njit("void(float64[:])", parallel=True)
def smooth(a):
    x = 0.0
    for i in prange(len(a)):
        x = 0.5 * x + a[i]
        a[i] = x
