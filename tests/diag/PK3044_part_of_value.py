import os

import numpy as np
from numba import njit

TABLE = np.array([1.0, 2.0, float(os.environ["LAST"])])
LIMITS = {"low": 1, "high": len(TABLE)}


@njit("float64(int64)")
def item(i):
    return TABLE[i] + LIMITS["low"] + LIMITS["high"]
