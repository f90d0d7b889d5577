"""Loops that lanes leave one after the other: break, return, continue, a condition, a length of their own."""
from numba import njit, prange


@njit
def root(x, guess):
    for step in range(50):
        better = 0.5 * (guess + x / guess)
        if abs(better - guess) < 1e-12:
            return better
        guess = better
    return guess


@njit("void(float64[::1], float64[::1])", error_model="numpy")
def roots(x, out):
    for i in range(len(x)):
        out[i] = root(x[i], 1.0)


@njit("void(float32[::1], int32[::1], float32, int64)", parallel=True)
def steps(x, out, limit, most):
    for i in prange(len(x)):
        value = x[i]
        count = 0
        while value < limit and count < most:
            value = value * value + x[i]
            count += 1
        out[i] = count


@njit("float64(float64[::1], int64)")
def sums(x, n):
    total = 0.0
    for i in range(len(x)):
        part = 0.0
        for j in range(n):
            if x[i] * j < 1.0:
                continue
            part += 1.0 / (j + x[i] * x[i] + 1.0)
        total += part
    return total
