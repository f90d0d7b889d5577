"""How many values fall into each of equally wide bins?"""
import numpy as np
from numba import njit


@njit("int64[::1](float64[:], float64, float64, int64)")
def histogram(values, low, high, bins):
    counts = np.zeros(bins, dtype=np.int64)
    width = (high - low) / bins
    for value in values:
        if low <= value < high:
            bin = min(int((value - low) / width), bins - 1)
            counts[bin] += 1
    return counts
