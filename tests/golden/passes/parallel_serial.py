"""prange loops that stay serial, and loops that leave early."""
from numba import njit, prange


@njit("int64(float64[::1])", parallel=True)
def broken_off(a):
    k = 0
    for i in prange(len(a)):
        if a[i] < 0.0:
            break
        k += 1
    return k


@njit("int64(float64[::1], int64)", parallel=True)
def unknown_step(a, step):
    k = 0
    for i in prange(0, len(a), step):
        k += 1
    return k


@njit("float64(float64[::1])", parallel=True)
def returns(a):
    for i in prange(len(a)):
        if a[i] < 0.0:
            return a[i]
    return 0.0


@njit("void(float64[::1])", parallel=True)
def skips(a):
    for i in prange(len(a)):
        if a[i] < 0.0:
            continue
        for j in range(3):
            if a[i] > j:
                break
            a[i] += 1.0


@njit("float64(float64[::1])")
def not_asked(a):
    s = 0.0
    for i in prange(len(a)):
        s += a[i]
    return s


@njit("void(float64[::1], float64)", parallel=True)
def raises(a, limit):
    for i in prange(len(a)):
        if a[i] > limit:
            raise ValueError("too large", i)
        a[i] = 1.0 / a[i]
