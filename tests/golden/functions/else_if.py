from numba import njit


@njit("int64(float64)")
def else_if(x):
    if x < 0:
        sign = -1
    elif x > 0:
        sign = 1
    else:
        sign = 0
    return sign
