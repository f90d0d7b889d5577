from numba import guvectorize, vectorize


@vectorize(["int64(int64, int64)", "float64(float64, float64)"], identity=0, target="parallel")
def plus(x, y):
    """The sum."""
    return x + y


@guvectorize(["(float64[:], float64[:], float64[:])"], "(n),(n)->()", writable_args=(0,))
def inner(a, b, out):
    out[0] = 0.0
    for i in range(a.shape[0]):
        out[0] += a[i] * b[i]
