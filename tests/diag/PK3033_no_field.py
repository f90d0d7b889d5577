import numba
import numpy as np
from numba import njit

particle = np.dtype([("x", np.float64), ("mass", np.float32), ("name", "S8")])


@njit(numba.float64(numba.from_dtype(particle)[:]))
def kernel(particles):
    s = 0.0
    for p in particles:
        s += p.x * p.maas
        p["y"] = s
    return s + particles["z"][0]
