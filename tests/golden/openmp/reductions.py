from numba import njit, prange


@njit("Tuple((int64, float64, float64))(float64[::1])", parallel=True)
def reductions(a):
    count = 0
    least = 1e300
    greatest = -1e300
    for i in prange(len(a)):
        if a[i] > 0.5:
            count += 1
        least = min(least, a[i])
        if a[i] > greatest:
            greatest = a[i]
    return count, least, greatest
