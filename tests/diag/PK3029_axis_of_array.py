from numba import njit


@njit("void(float64[::1], float64[:, :])")
def copy(x, out):
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            out[i, j] = x[i, j] * x.shape[-3] + x.shape[99]
