"""Bounds that a while loop keeps: indices of a binary search neither wrap nor overflow."""
from numba import njit


@njit("int64(float64[::1], float64)")
def lower_bound(a, x):
    lo = 0
    hi = len(a)
    while lo < hi:
        mid = (lo + hi) // 2
        if a[mid] < x:
            lo = mid + 1
        else:
            hi = mid
    return lo


@njit("float64(float64[::1], int64)")
def window_sum(a, w):
    best = 0.0
    for i in range(len(a) - w + 1):
        s = 0.0
        for j in range(w):
            s += a[i + j]
        best = max(best, s)
    return best


@njit("int64(float64[::1], int64)")
def not_kept(a, step):
    i = 0
    while a[i] > 0.0:
        i = i + step  # may become negative
    return i
