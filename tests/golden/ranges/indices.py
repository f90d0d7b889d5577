from numba import njit


@njit("float64(float64[::1], int64)")
def indices(a, k):
    n = len(a)
    total = a[0] + a[-1] + a[n - 1] + a[k]
    for i in range(1, n - 1):
        total += a[i - 1] + a[i + 1]
    for i in range(n - 1, -1, -1):
        total += a[i]
    for i in range(0, n, 2):
        total -= a[(i + 1) % n]
    if k > 0:
        total += a[k - 1]
    return total
