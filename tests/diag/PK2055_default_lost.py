import os

import numpy as np
from numba import njit


@njit("float64(float64, float64)")
def scaled(x, factor=float(os.environ.get("FACTOR", "1"))):
    return x * factor


@njit("float64(float64, float64[:])")
def weighted(x, weights=[1.0, 2.0]):
    return x * weights[0]
