from numba import guvectorize, vectorize


@vectorize(["float64(float64)"], identity=2)
def identity(x):
    return x


@vectorize(["float64(float64)"], target="fpga")
def target(x):
    return x


@guvectorize(["(float64[:], float64[:])"], "(n)->(n)", writable_args=("y",))
def writable(x, out):
    out[0] = x[0]
