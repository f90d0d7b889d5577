"""Elements of arrays without dimensions get a subscript."""
import numpy as np
from numba import njit


@njit("float64(float64, float64[::1])")
def number(v, x):
    a = np.array(v)
    a[()] = a[()] + 1.0
    s = 0.0
    for i in range(len(x)):
        s += x[i] * a[()]
    return s
