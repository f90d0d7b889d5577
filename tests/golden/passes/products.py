"""Products that are rounded before they are added to, and those that nothing stands beside."""
from numba import njit


@njit("void(float64[:, ::1], float64, float64)")
def turned(p, c, s):
    for i in range(p.shape[0]):
        x = p[i, 0]
        y = p[i, 1]
        p[i, 0] = c * x - s * y
        p[i, 1] = s * x + c * y


@njit("float64(float64[::1], float64[::1])")
def dot(a, b):
    total = 0.0
    for i in range(len(a)):
        total += a[i] * b[i]
    return total


@njit("void(float64[:, ::1], float64, float64)", fastmath=True)
def turned_fast(p, c, s):
    for i in range(p.shape[0]):
        p[i, 0], p[i, 1] = c * p[i, 0] - s * p[i, 1], s * p[i, 0] + c * p[i, 1]


@njit
def difference(a, b, c):
    return a * b - c**2


@njit("void(float64[::1], float64[::1])")
def by_helper(a, out):
    for i in range(len(out) // 2):
        out[2 * i] = difference(a[i], a[i], 2.0)
        out[2 * i + 1] = a[i] * 3 + 1
