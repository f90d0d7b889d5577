from numba import njit


@njit("int64(int64, int32, uint8)")
def integers(n, i, u):
    a = n + 1
    b = i * i + u
    c = n // 3 + n % 7
    d = (n << 2) | (i >> 1) & 0xFF ^ u
    return a * b - c + d
