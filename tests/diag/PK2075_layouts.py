from numba import guvectorize


@guvectorize(["(float64[:], float64[:])"], "(n)->(n")
def unclosed(x, out):
    out[0] = x[0]


@guvectorize(["(float64[:], float64[:])"], "(n),(2n)->(n)")
def neither(x, y, out):
    out[0] = x[0]


@guvectorize(["(float64[:], float64[:])"], "(n),(n?)->(n)")
def sometimes(x, y, out):
    out[0] = x[0]


@guvectorize(["(float64[:], float64[:])"], "(n),(n)->")
def without_output(x, y):
    x[0] = y[0]


@guvectorize(["(float64[:], float64[:])"])
def missing(x, out):
    out[0] = x[0]


@guvectorize(["(float64[:], float64[:])"], "(n)=>(n)")
def arrow(x, out):
    out[0] = x[0]
