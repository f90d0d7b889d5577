"""What a condition has read is read once: no second mask, no question whether any lane wants it."""
from numba import njit


@njit("void(float64[:, ::1], float64[:, ::1], int64)")
def smallest(a, out, n):
    for y in range(a.shape[0]):
        for x in range(1, a.shape[1] - 1):
            m = a[y, x]
            for k in range(n):
                if a[y, x - 1] * k < m:
                    m = a[y, x - 1] + k
                elif a[y, x + 1] > 2.0:
                    m -= a[y, x + 1]
            out[y, x] = m


@njit("void(int64[::1], int64[::1], int64[::1])")
def changed(a, n, out):
    """Behind what makes it another element it is read anew."""
    for i in range(n.shape[0]):
        k = n[i]
        s = 0
        while k > 0:
            if a[k] > 5:
                s += a[k]
                k -= a[k] % 3
                s += a[k]
            k -= 1
        out[i] = s
