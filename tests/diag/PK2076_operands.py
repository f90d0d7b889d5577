from numba import guvectorize, vectorize


@vectorize(["float64(float64[:])"])
def of_arrays(x):
    return x[0]


@vectorize(["float64(float64)"])
def pair(x):
    return x, x


@guvectorize(["(float64[:,:], float64[:])", "(float64, float64[:])", "(float64[:], float64)"], "(n)->()")
def ranks(x, out):
    out[0] = 0


@guvectorize(["float64(float64[:], float64[:])"], "(n)->()")
def returns(x, out):
    out[0] = 0
