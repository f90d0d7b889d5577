import math

from numba import vectorize


@vectorize(["float32(float32, float32)", "float64(float64, float64)"])
def hypot(x, y):
    return math.sqrt(x * x + y * y)


@vectorize(["float64(float64)"])
def root(x):
    if x < 0:
        raise ValueError("negative", x)
    return math.sqrt(x)
