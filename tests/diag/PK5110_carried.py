from numba import njit, prange


@njit("void(float64[:])", parallel=True)
def f(a):
    previous = 0.0
    for i in prange(len(a)):
        a[i] = a[i] - previous
        previous = a[i]
