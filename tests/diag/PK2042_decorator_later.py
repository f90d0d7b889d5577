from numba import vectorize


@vectorize(["float64(float64)"])
def half(x):
    return x / 2
