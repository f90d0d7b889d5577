"""Functions in loops that vectorise, and in helpers that such loops call; elsewhere libm."""
import math

from numba import njit


@njit
def logistic(x):
    return 1.0 / (1.0 + math.exp(-x))


@njit("void(float64[:], float64[:])")
def apply(x, out):
    for i in range(len(x)):
        out[i] = logistic(x[i]) * math.log(x[i])


@njit("float64(float64[:])")
def total(x):
    acc = 0.0
    for value in x:
        acc += math.exp(value)  # in order: one after the other
    return acc


@njit("float64(float64)")
def alone(x):
    return logistic(x)


@njit("void(float64[:], float64[:], float32[:], float64[:])")
def polar(x, y, angle, out):
    for i in range(len(x)):
        out[i] = math.atan2(y[i], x[i]) ** 2 + math.hypot(x[i], y[i]) * math.sin(angle[i])
