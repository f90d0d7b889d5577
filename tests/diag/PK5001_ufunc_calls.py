from numba import guvectorize, njit, vectorize


@vectorize(["float64(float64)"])
def half(x):
    return x / 2


@guvectorize(["(float64[:], float64[:])"], "(n)->()")
def total(x, out):
    out[0] = x[0]


@njit("float64[:](float64[:])")
def halves(a):
    return half(a)


@njit("void(float64[:], float64[:])")
def totals(a, out):
    total(a, out)
