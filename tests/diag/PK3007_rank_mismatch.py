from numba import njit


@njit("void(float32[:], float32)")
def kernel(out, a):
    for i in range(out.shape[0]):
        out[i, i] = a
