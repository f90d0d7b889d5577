"""Functions of what stays the same, in front of the outermost loop that does not change it."""
import math

from numba import njit, prange


@njit("void(float64[:, ::1], float64, float64[::1], float64[:, ::1])")
def decay(a, t, v, out):
    """In front of the inner loop; equal ones once; elements may change."""
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            out[i, j] = a[i, j] * math.exp(-t * i) + 2.0 * math.exp(-t * i) * math.log(v[i])


@njit("float64(float64[::1], float64, int64)")
def conditional(x, p, n):
    """Whatever the way; not what a division by zero would end, nor what the loop changes."""
    s = 0.0
    w = p
    for i in range(len(x)):
        if x[i] > math.sqrt(p):
            s += x[i] * p ** 2.5 + (1 if n > 3 else math.cos(w))
        else:
            s += math.sin(s) + math.sqrt(n // len(x))
        w *= 0.5
    return s


@njit("int64(float64, float64)")
def halvings(x, p):
    n = 0
    while x > math.exp(p) and math.tan(x) < 5.0:
        x *= 0.5
        n += 1
    return n


@njit("void(float32[::1], float32, float32[::1])", parallel=True)
def turned(x, angle, out):
    for i in prange(len(x)):
        c = math.cos(angle)
        out[i] = x[i] * c - x[i] * math.sin(angle)


@njit
def arc(angle):
    return 10.0 * math.cos(angle) - 0.5 * math.cos(3 * angle)


@njit("void(float64[:, ::1], float64, float64[:, ::1])")
def named(a, t, out):
    """A name stands for its value, which every iteration gives it; it is dropped where nobody asks for it any more."""
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            if a[i, j] > 0.5:
                angle = t + i * 0.1
                out[i, j] = a[i, j] * (3.0 * math.sin(angle) - math.sin(3.0 * angle)) + arc(angle)
