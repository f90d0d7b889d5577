"""Elements that stay while a loop turns, in variables; elements that one turn stores again and again, likewise."""
from numba import njit, prange


@njit("void(uint8[:, ::1], int64[::1])")
def rows(a, out):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            out[i] += a[i, j]


@njit("void(float64[::1], float64[::1], float64[::1])")
def window(a, w, out):
    for i in range(len(out)):
        out[i] = 0.0
        for k in range(3):
            out[i] += a[i + k] * w[k]


@njit("void(int64[:], int64[:])")
def until(a, out):
    """Two elements; it is left early; what it leaves is read behind."""
    last = -1
    for j in range(len(a) - 1, -1, -1):
        last = a[j]
        out[0] = out[0] * 3 + last
        out[1] ^= out[0]
        if out[0] > 1000:
            break
    out[0] = last


@njit("void(uint8[:, ::1], int64[::1])")
def sometimes(a, counts):
    """Some turns do not touch it: is it there?"""
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            if a[i, j] > 100:
                counts[i] += 1


@njit("void(float64[:, ::1], float64[:])", parallel=True)
def by_cores(a, out):
    for i in prange(a.shape[0]):
        out[i] = 1.0
        for j in range(a.shape[1]):
            out[i] *= a[i, j]
        for j in range(a.shape[1]):
            if a[i, j] > out[i]:
                out[i] = a[i, j]


@njit("void(int64[:], int64[:])")
def left_alone(a, out):
    """It changes; two names may mean one element; another element may be it."""
    for j in range(len(a)):
        if a[j] > 3:
            out[a[j]] = out[a[j]] * 3 + a[j]
    for j in range(len(a)):
        out[0] = out[0] * 5 + a[j]
        out[len(a)] += 1
    for j in range(len(a)):
        a[1] = a[1] * 7 + a[j]
