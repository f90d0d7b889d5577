"""A helper that returns a tuple, and a function that unpacks it."""
from numba import njit


@njit
def min_max(values):
    low = values[0]
    high = values[0]
    for value in values:
        if value < low:
            low = value
        elif value > high:
            high = value
    return low, high


@njit("void(float64[:], float64[:])")
def rescale(values, out):
    """Maps the values onto [0, 1]; a constant array becomes zeros."""
    if len(values) == 0:
        raise ValueError("rescale of an empty array")
    low, high = min_max(values)
    for i, value in enumerate(values):
        out[i] = (value - low) / (high - low) if high > low else 0.0
