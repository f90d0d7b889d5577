from numba import njit


@njit
def pick(a, both):
    if both:
        return a[0], a[1]
    return a[0]


@njit("float64(float64[:])")
def first(a):
    pick(a, len(a) > 1)
    return a[0]
