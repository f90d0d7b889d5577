from numba import njit


@njit("int64()")
def total():
    s = 0
    for name in ("a", "bc"):
        s += len(name)
    return s
