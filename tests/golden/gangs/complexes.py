"""Complex numbers as two variables of lanes."""
from numba import njit


@njit("void(complex128[::1], int64, int64[::1])")
def mandelbrot(c, limit, out):
    for i in range(len(c)):
        z = 0j
        n = 0
        while abs(z) <= 2.0 and n < limit:
            z = z * z + c[i]
            n += 1
        out[i] = n
