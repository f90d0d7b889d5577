"""What is loaded once serves four rows: one order of loops for all orders of the source."""
from numba import njit, prange


@njit("void(float64[:, ::1], float64[:, ::1], float64[:, ::1])")
def products(a, b, c):
    for i in range(c.shape[0]):
        for k in range(b.shape[0]):
            scale = a[i, k]
            for j in range(c.shape[1]):
                c[i, j] += scale * b[k, j]


@njit("void(float64[:, ::1], float64[:, ::1], float64[:, ::1])", parallel=True)
def distances(x, y, out):
    for i in prange(x.shape[0]):
        for j in range(y.shape[1]):
            total = 0.0
            for k in range(x.shape[1]):
                total += (x[i, k] - y[k, j]) ** 2
            out[i, j] = total
