"""Branches that lanes part at: cheap ones are chosen from, dear ones skipped, uniform ones stay branches."""
import math

from numba import njit


@njit("void(float64[::1], float64[::1], float64[::1], int64)")
def relax(x, y, out, n):
    for i in range(len(x)):
        a = x[i]
        b = 0.0
        for j in range(n):
            if y[j] > 0.5 and a > y[j]:
                b += a * y[j]
            if n > 100:
                b = b * 0.5
            if a < b:
                a = a + math.exp(-b)
                b = b / (1.0 + a * a) + math.sqrt(a + b)
            else:
                b = max(a, b)
        out[i] = a + b
