from numba import njit


@njit("int64(float64[:, :])")
def count(x):
    n = 0
    for i in range(x.shape[0]):
        if x[i] > 0.5:
            n += 1
    return n
