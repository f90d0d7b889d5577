"""Records: fields are arrays beside their records, and a record that is assigned once is a place in its array."""
import numba
import numpy as np
from numba import njit

vec = np.dtype([("x", np.float32), ("y", np.float32)])
body = numba.from_dtype(np.dtype([("at", vec), ("mass", np.float64), ("tag", np.uint8, 3)], align=True))


@njit(numba.float64(body[:], numba.int64[:]))
def placed(bodies, order):
    total = 0.0
    for i in range(len(order)):
        b = bodies[order[i]]
        b.at.x += 1.5
        total += b.mass * b.at.y * b.tag[1]
    return total


@njit(numba.float64(body[::1]))
def heaviest(bodies):
    best = bodies[0]
    for b in bodies:
        if b.mass > best.mass:
            best = b
    return best.mass
