from numba import njit


@njit("float64(float64[:, :])")
def total(x):
    s = 0.0
    for i in range(x.shape[0]):
        if x[i] > 0.5:
            s += x[i]
        s -= -x[i]
        s += x[1:] + 1
    return s
