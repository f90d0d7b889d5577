from numba import njit


def scaled(x, factor=open("factor.txt").read()):
    return x * factor


@njit("float64(float64)")
def kernel(x):
    return scaled(x)
