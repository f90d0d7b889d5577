from numba import jit


@jit("float64(float64)", forceobj=True)
def half(x):
    return x / 2
