"""Variables as small as the elements that they are of."""
from numba import njit


@njit("void(uint8[::1], uint8[::1])")
def larger(a, out):
    for i in range(1, len(a)):
        m = 0
        if a[i - 1] > m:
            m = a[i - 1]
        m = max(m, a[i])
        out[i] = m


@njit("void(int16[::1], uint8[::1])")
def codes(a, out):
    for i in range(2, len(a)):
        code = 0
        if a[i - 2] > a[i]:
            code |= 1
        if a[i - 1] > a[i]:
            code |= 128
        n = 0
        if a[i] == 0:
            n += 1
        if a[i] == a[i - 1]:
            n += 1
        if n == 2 or n > code:
            code ^= n
        out[i] = code


@njit("int64(uint8[::1], float64[::1], uint8[::1])")
def others(a, x, out):
    """More than 16 bits, handed on from turn to turn, beside wide elements: they stay."""
    run = 0
    for i in range(len(a)):
        m = a[i] * a[i] * 3
        run = max(run, a[i])
        out[i] = m >> 12
    for i in range(len(a)):
        k = 0
        if a[i] > 9:
            k = a[i]
        x[i] = k
    return run
