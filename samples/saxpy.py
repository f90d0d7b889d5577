"""y = a * x + y, the first kernel that everybody writes."""
from numba import njit


@njit("void(float32, float32[:], float32[:])")
def saxpy(a, x, y):
    for i in range(len(x)):
        y[i] = a * x[i] + y[i]
