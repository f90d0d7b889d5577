"""Items of lists that a loop makes no longer are elements of arrays; of others they are not."""
from numba import njit


@njit("float64(int64, int64)")
def swaps(n, k):
    a = [0.5] * n
    b = [0.0] * n
    grows = [1.0]
    for _ in range(k):
        for i in range(1, n):
            b[i] = a[i - 1] + grows[-1]
        grows.append(b[-1])
        a, b = b, a
    return sum(a)
