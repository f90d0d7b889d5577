"""Every lane finds its own least and largest value."""
from numba import njit


@njit("float64(float64[::1])")
def spread(x):
    low = high = x[0]
    for i in range(1, len(x)):
        low = min(low, x[i])
        if x[i] > high:
            high = x[i]
    return high - low


@njit("float64(float64[::1], float64[::1])")
def step(x, out):
    most = 0.0
    for i in range(len(x)):
        old = out[i]
        out[i] = 0.5 * (old + x[i])
        most = max(most, abs(out[i] - old))
    return most
