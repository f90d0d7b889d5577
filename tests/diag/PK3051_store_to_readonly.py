import numpy as np
from numba import njit

TABLE = np.array([1.0, 2.0, 3.0])


@njit("float64(int64)")
def put(i):
    TABLE[i] = 0.0
    return TABLE[i]
