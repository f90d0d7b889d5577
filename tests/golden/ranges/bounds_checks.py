"""--boundscheck: no check where the loop or a condition says that the index is inside."""
from numba import njit


@njit("float64(float64[::1])", boundscheck=True)
def total(a):
    s = 0.0
    for i in range(len(a)):
        s += a[i]
    return s


@njit("void(float64[:,::1], float64[:,::1])", boundscheck=True)
def stencil(a, out):
    m, n = a.shape
    for i in range(1, m - 1):
        for j in range(1, n - 1):
            out[i, j] = a[i - 1, j] + a[i + 1, j] + a[i, j - 1] + a[i, j + 1]  # only `out` may be too small


@njit("float64(float64[::1], int64)", boundscheck=True)
def backwards(a, k):
    s = 0.0
    for i in range(len(a) - 1, -1, -1):
        s += a[i]
    j = 0
    while j < len(a):
        s += a[j]
        j += 2
    if k >= 0 and k < len(a):
        s += a[k]
    return s + a[k]


@njit("float64(float64[::1], float64[::1])", boundscheck=True)
def reassigned(a, b):
    n = len(a)
    a = b
    s = 0.0
    for i in range(n):
        s += a[i]
    return s
