from numba import cuda, vectorize


@vectorize(["float64(float64)"], target="cuda")
def half(x):
    return x / 2


@cuda.vectorize(["float64(float64)"])
def twice(x):
    return x * 2
