"""Bodies that attract each other, clusters, and random walks of prices."""
import math

import numpy as np
from numba import njit, prange


@njit("void(float64[:,:], float64[:], float64[:,:], float64)", parallel=True)
def nbody(position, mass, acceleration, softening):
    """The acceleration of every body by all others."""
    n = position.shape[0]
    for i in prange(n):
        ax = 0.0
        ay = 0.0
        az = 0.0
        for j in range(n):
            if i != j:
                dx = position[j, 0] - position[i, 0]
                dy = position[j, 1] - position[i, 1]
                dz = position[j, 2] - position[i, 2]
                d2 = dx * dx + dy * dy + dz * dz + softening * softening
                w = mass[j] / (d2 * math.sqrt(d2))
                ax += w * dx
                ay += w * dy
                az += w * dz
        acceleration[i, 0] = ax
        acceleration[i, 1] = ay
        acceleration[i, 2] = az


@njit("float64(float64[:,::1], float64[:,::1], float64, float64)")
def lennard_jones(position, force, box, cutoff):
    """Forces between particles in a periodic box, none beyond the cut-off; returns the energy."""
    n = position.shape[0]
    energy = 0.0
    for i in range(n):
        for k in range(3):
            force[i, k] = 0.0
    for i in range(n):
        for j in range(i + 1, n):
            dx = position[i, 0] - position[j, 0]
            dy = position[i, 1] - position[j, 1]
            dz = position[i, 2] - position[j, 2]
            dx -= box * round(dx / box)
            dy -= box * round(dy / box)
            dz -= box * round(dz / box)
            r2 = dx * dx + dy * dy + dz * dz
            if r2 < cutoff * cutoff:
                inverse = 1.0 / r2
                s6 = inverse * inverse * inverse
                energy += 4.0 * s6 * (s6 - 1.0)
                f = 24.0 * s6 * (2.0 * s6 - 1.0) * inverse
                force[i, 0] += f * dx
                force[i, 1] += f * dy
                force[i, 2] += f * dz
                force[j, 0] -= f * dx
                force[j, 1] -= f * dy
                force[j, 2] -= f * dz
    return energy


@njit("void(float32[:,:], float32[:,:], int32[:])", parallel=True)
def kmeans_assign(points, centres, labels):
    """The nearest centre of every point."""
    for p in prange(points.shape[0]):
        best = 0
        smallest = np.float32(np.inf)
        for c in range(centres.shape[0]):
            distance = np.float32(0.0)
            for d in range(points.shape[1]):
                difference = points[p, d] - centres[c, d]
                distance += difference * difference
            if distance < smallest:
                smallest = distance
                best = c
        labels[p] = best


@njit("float64(float64[:,:], float64[:,:], float64, float64, float64)", parallel=True)
def heston_call(noise1, noise2, strike, rate, years):
    """The mean payoff of a call when volatility walks too, one path per row of noise."""
    paths, steps = noise1.shape
    dt = years / steps
    root = math.sqrt(dt)
    total = 0.0
    for p in prange(paths):
        price = 100.0
        variance = 0.04
        for s in range(steps):
            volatility = math.sqrt(max(variance, 0.0))
            z1 = noise1[p, s]
            z2 = -0.7 * z1 + math.sqrt(1.0 - 0.49) * noise2[p, s]
            price *= math.exp((rate - 0.5 * volatility * volatility) * dt + volatility * root * z1)
            variance += 1.5 * (0.04 - variance) * dt + 0.3 * volatility * root * z2
        total += max(price - strike, 0.0)
    return math.exp(-rate * years) * total / paths
