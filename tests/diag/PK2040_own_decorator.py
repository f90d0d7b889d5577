import os

from numba import njit

THREADS = int(os.environ.get("THREADS", "1"))


def compiled(signature):
    if THREADS > 1:
        return njit(signature, parallel=True)
    return njit(signature)


@compiled("float64(float64)")
def half(x):
    return x / 2


@njit("float64(float64)")
def third(x):
    return x / 3
