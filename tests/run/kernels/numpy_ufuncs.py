"""Generalized universal functions that Numba refuses and NumPy's C API takes."""
from numba import guvectorize


@guvectorize(["(float64[:], float64[:], float64[:])"], "(3),(3)->(3)")
def cross(a, b, out):
    out[0] = a[1] * b[2] - a[2] * b[1]
    out[1] = a[2] * b[0] - a[0] * b[2]
    out[2] = a[0] * b[1] - a[1] * b[0]


@guvectorize(["(float64[:,:], float64[:,:], float64[:,:])"], "(m?,n),(n,p?)->(m?,p?)")
def matmul(a, b, out):
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            out[i, j] = 0.0
            for k in range(a.shape[1]):
                out[i, j] += a[i, k] * b[k, j]


@guvectorize(["(float64[:], float64[:])"], "(n)->(k)")
def histogram(x, out):
    out[:] = 0
    for i in range(x.shape[0]):
        out[min(int(x[i] * out.shape[0]), out.shape[0] - 1)] += 1


@guvectorize(["(float64[::1], float64[::1])"], "(n)->(n)")  # any strides all the same
def running(x, out):
    total = 0.0
    for i in range(x.shape[0]):
        total += x[i]
        out[i] = total


@guvectorize(["(float64[:], float64[:], float64[:])"], "(n),()->(n)", writable_args=(1,))
def counting(x, calls, out):
    calls[0] += 1
    for i in range(x.shape[0]):
        out[i] = x[i]
