from numba import njit, vectorize


@njit("float64(float64)")
def half(x):
    if x > 0:
        return x / 2


@vectorize(["float64(float64)"])
def root(x):
    while x > 0:
        return x


@njit("float64(float64)")
def always(x):
    while True:
        x = x / 2
        if x < 1:
            return x
