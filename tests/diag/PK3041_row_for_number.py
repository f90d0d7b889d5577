from numba import njit


@njit("float64(float64[:, :])")
def total(x):
    s = 0.0
    for i in range(x.shape[0]):
        s += x[i]
    return s
