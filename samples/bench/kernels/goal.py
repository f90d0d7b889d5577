"""The plain loops that the goal names and no other sample has."""
import math

from numba import njit

TWO_PI = 2.0 * math.pi
MATRICES = ["void(float32[:,:], float32[:,:], float32[:,:])", "void(float64[:,:], float64[:,:], float64[:,:])"]


@njit(["void(float32[:], float32[:])", "void(float64[:], float64[:])"])
def sin_cos(x, out):
    """The product of sine and cosine."""
    for i in range(len(x)):
        out[i] = math.sin(x[i]) * math.cos(x[i])


@njit(["void(float32[:], float32, float32, float32[:])", "void(float64[:], float64, float64, float64[:])"])
def gaussian(x, mean, sigma, out):
    """The density of the normal distribution."""
    for i in range(len(x)):
        z = (x[i] - mean) / sigma
        out[i] = math.exp(-0.5 * z * z) / (sigma * math.sqrt(TWO_PI))


@njit(MATRICES)
def matmul_ijk(a, b, c):
    """Rows, columns, products, which add up in a scalar."""
    n = c.shape[0]
    for i in range(n):
        for j in range(n):
            total = 0.0
            for k in range(n):
                total += a[i, k] * b[k, j]
            c[i, j] = total


@njit(MATRICES, fastmath=True)
def matmul_ijk_fastmath(a, b, c):
    """The same, with leave to add in another order."""
    n = c.shape[0]
    for i in range(n):
        for j in range(n):
            total = 0.0
            for k in range(n):
                total += a[i, k] * b[k, j]
            c[i, j] = total


@njit(MATRICES)
def matmul_ijk_element(a, b, c):
    """Rows, columns, products, which add up in the element of a result that begins as zeros."""
    n = c.shape[0]
    for i in range(n):
        for j in range(n):
            for k in range(n):
                c[i, j] += a[i, k] * b[k, j]


@njit(MATRICES)
def matmul_ikj(a, b, c):
    """Rows, products, columns."""
    n = c.shape[0]
    for i in range(n):
        for k in range(n):
            for j in range(n):
                c[i, j] += a[i, k] * b[k, j]


@njit(MATRICES)
def matmul_jik(a, b, c):
    """Columns, rows, products, which add up in a scalar of the elements' type."""
    n = c.shape[0]
    for j in range(n):
        for i in range(n):
            total = c[i, j]
            for k in range(n):
                total += a[i, k] * b[k, j]
            c[i, j] = total


@njit(MATRICES)
def matmul_jki(a, b, c):
    """Columns, products, rows."""
    n = c.shape[0]
    for j in range(n):
        for k in range(n):
            for i in range(n):
                c[i, j] += a[i, k] * b[k, j]


@njit(MATRICES)
def matmul_kij(a, b, c):
    """Products, rows, columns."""
    n = c.shape[0]
    for k in range(n):
        for i in range(n):
            for j in range(n):
                c[i, j] += a[i, k] * b[k, j]


@njit(MATRICES)
def matmul_kji(a, b, c):
    """Products, columns, rows."""
    n = c.shape[0]
    for k in range(n):
        for j in range(n):
            for i in range(n):
                c[i, j] += a[i, k] * b[k, j]
