from numba import njit


# pyk2cu: sig first(flaot64[:])
@njit
def first(a):
    return a[0]
