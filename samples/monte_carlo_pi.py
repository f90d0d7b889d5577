"""pi by throwing darts."""
import random

from numba import njit, prange


@njit("float64(int64)")
def monte_carlo_pi(n):
    inside = 0
    for _ in range(n):
        x = random.random()
        y = random.random()
        if x * x + y * y < 1.0:
            inside += 1
    return 4.0 * inside / n


@njit("float64(int64)", parallel=True)
def monte_carlo_pi_parallel(n):
    inside = 0
    for _ in prange(n):
        x = random.random()
        y = random.random()
        if x * x + y * y < 1.0:
            inside += 1
    return 4.0 * inside / n
