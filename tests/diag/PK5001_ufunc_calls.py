from numba import guvectorize, njit


@guvectorize(["(float64[:], float64[:])"], "(n)->()")
def total(x, out):
    out[0] = x[0]


@njit("void(float64[:], float64[:])")
def totals(a, out):
    total(a, out)
