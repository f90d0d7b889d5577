"""What a lane loads again in every turn of a loop it loads once."""
import math

from numba import njit


@njit("void(float64[:, ::1], float64[:, ::1], float64[::1])")
def repulsion(points, fixed, out):
    for i in range(points.shape[0]):
        total = 0.0
        for j in range(fixed.shape[0]):
            dx = points[i, 0] - fixed[j, 0]
            dy = points[i, 1] - fixed[j, 1]
            total += math.exp(-dx * dx - dy * dy)
        out[i] = total
