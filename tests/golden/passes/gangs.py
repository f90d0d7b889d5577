"""A loop whose iterations take different numbers of turns."""
from numba import njit


@njit("void(float64[::1], int64[::1], int64)")
def halvings(x, out, most):
    for i in range(len(x)):
        value = x[i]
        count = 0
        while value > 1.0 and count < most:
            value = value * 0.5
            count += 1
        out[i] = count
