"""Structured arrays: fields at their places, packed ones by their value, whole records copied."""
import numba
import numpy as np
from numba import njit

particle = np.dtype([("x", np.float64), ("v", np.float64), ("mass", np.float32), ("id", np.int32)])
packed = np.dtype([("id", np.int32), ("x", np.float64), ("pos", np.float32, 3), ("name", "S5")])
P = numba.from_dtype(particle)
Q = numba.from_dtype(packed)


@njit(numba.void(P[::1], numba.float64))
def move(particles, dt):
    for p in particles:
        p.x += p.v * dt
        p.id += 1


@njit(numba.float64(Q[:]))
def sum_packed(a):
    total = 0.0
    for i in range(len(a)):
        total += a[i].x * a.pos[i, 1] + a["id"][i]
        a[i].id += 2
    return total


@njit(P[:](P[:], numba.int64))
def first(particles, n):
    out = np.zeros(n, dtype=particle)
    for i in range(n):
        out[i] = particles[i]
    return out


@njit
def energy(p):
    return 0.5 * p.mass * p.v ** 2


@njit(numba.float64(P[::1], P))
def energies(particles, one):
    total = energy(one)
    for p in particles:
        total += energy(p)
    return total
