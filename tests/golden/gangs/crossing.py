"""Loops that in one iteration write what all of them read, and stores of what is chosen."""
from numba import njit


@njit("void(float32[:, ::1])")
def shortest_ways(distance):
    n = distance.shape[0]
    for k in range(n):
        for i in range(n):
            for j in range(n):
                through = distance[i, k] + distance[k, j]
                if through < distance[i, j]:
                    distance[i, j] = through


@njit("void(float64[:, ::1], float64[::1])")
def eliminate(a, x):
    n = a.shape[0]
    for k in range(n):
        for i in range(k + 1, n):
            a[i, k] /= a[k, k] + 1e-9
            for j in range(k + 1, n):
                a[i, j] -= a[i, k] * a[k, j]
            x[i] -= a[i, k] * x[k]


@njit("void(float64[::1], float64[::1])")
def at_least(a, b):
    for i in range(len(a)):
        if a[i] < b[i]:
            a[i] = b[i]
