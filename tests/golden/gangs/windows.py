"""Windows that move with the loop begin at 0; what may count from the end does not where the loop says so."""
from numba import njit


@njit("void(float64[::1], int64, float64[::1])")
def rolling(x, n, out):
    for i in range(n - 1, len(x)):
        total = 0.0
        for j in range(i - n + 1, i + 1):
            total += x[j]
        out[i] = total / n


@njit("void(float64[::1], int64, float64[::1])")
def behind(x, n, out):
    for i in range(n, len(x)):
        total = 0.0
        for j in range(n):
            total += x[i - j]
        out[i] = total


@njit("void(float64[::1], int64[::1])")
def flips(x, out):
    """Truths are chosen by bits."""
    for i in range(len(x)):
        inside = False
        seen = False
        z = x[i]
        for k in range(50):
            z = z * z - 1.25
            if z > 0.5:
                inside = not inside
            if z > 1.5:
                seen = z > 2.0
                if z > 9.0:
                    break
        out[i] = inside + 2 * seen
