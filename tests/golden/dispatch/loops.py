"""Functions whose loops fill vector registers have a body for each instruction set; others have one."""
from numba import njit, prange, vectorize


@njit("float64(float64)")
def cube(x):
    return x * x * x


@njit("void(float64[:], float64[:])")
def cubes(x, out):
    for i in range(len(x)):
        out[i] = cube(x[i])


@njit("int64(int64, int64)")
def gcd(a, b):
    while b:
        a, b = b, a % b
    return a


@njit("void(float64[::1], float64[::1])")
def calls_a_loop(x, out):
    if gcd(len(x), 6) > 1:
        cubes(x, out)


@njit("float64(float64[::1])", fastmath=True)
def total(x):
    s = 0.0
    for i in range(len(x)):
        s += x[i]
    return s


@njit("void(float64[:, :], float64)", parallel=True)
def scale(a, factor):
    for i in prange(a.shape[0]):
        for j in range(a.shape[1]):
            a[i, j] *= factor


@vectorize(["float64(float64, float64)"])
def larger(x, y):
    return x if x > y else y
