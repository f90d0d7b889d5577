from numba import njit


@njit
def grow(a, b):
    return grow((a, b), (b, a))


@njit("int64(int64)")
def recursion(x):
    return grow(x, x)


@njit("int64(int64)")
def repeated(x):
    return len((x, x) * 40000)
