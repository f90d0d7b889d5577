from numba import njit


@njit("float64(float64, float64)")
def total(*values):
    s = 0.0
    for x in values:
        s += x
    return s
