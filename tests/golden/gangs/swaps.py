"""Branches of straight code that only give variables values: choices, of which C++ compilers make vectors."""
from numba import njit


@njit("void(float64[::1], float64[::1])")
def median_of_3(a, out):
    for i in range(1, a.size - 1):
        x = a[i - 1]
        y = a[i]
        z = a[i + 1]
        if x > y:
            x, y = y, x
        if y > z:
            y, z = z, y
        if x > y:
            x, y = y, x
        out[i] = y


@njit("void(float64[::1], float64[::1])")
def both_sides(a, out):
    for i in range(a.size):
        if a[i] > 0.5:
            t = a[i] + 1.0
            u = t * t
        else:
            t = a[i] - 1.0
            u = t
        if u < t:
            u = t
        out[i] = u


@njit("void(float64[::1], float64[::1], float64[::1])")
def stay(a, b, out):
    for i in range(a.size):
        x = a[i]
        if x > 1.0:
            x = 1.0 / x  # a division
        if x > 0.5:
            x = b[i]  # an element that only one side reads
        out[i] = x


@njit("void(float64[::1], float64[::1])")
def one(a, out):
    for i in range(a.size):
        x = a[i]
        if x < 0.0:
            x = -x
        out[i] = x


@njit("void(boolean[::1], boolean[::1], boolean[::1], boolean)")
def guarded(a, b, out, use):
    for i in range(len(out)):
        f = False
        g = False
        if use and a[i] != b[i]:  # may not be there otherwise
            f = a[i]
            g = not f
        if f:
            g = not g
        out[i] = f ^ g
