from numba import guvectorize, vectorize


@guvectorize(["(float64[:], float64[:])"], "(n),(n)->()")
def two(x, out):
    out[0] = x[0]


@vectorize(["float64()"])
def nothing():
    return 1.0
