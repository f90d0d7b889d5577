"""Floats to the power of integers, of all lanes at once; by an exponent of each lane; dead lanes have some power too."""
from numba import njit


@njit("void(float64[::1], float64[::1], float64[::1])")
def polynomial(x, c, out):
    for i in range(len(x)):
        s = 0.0
        for k in range(len(c)):
            s += c[k] * x[i] ** k
        out[i] = s


@njit("void(float64[::1], uint8[::1], float64[::1])")
def exponents(x, n, out):
    for i in range(len(x)):
        if x[i] > 0.5:
            out[i] = x[i] ** n[i] + x[i]
        else:
            out[i] = 0.0
