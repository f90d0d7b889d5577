"""Quotients and remainders that several statements ask for: computed once."""
from numba import njit


@njit("void(int64[::1], int64, float64[:, ::1])")
def around(x, n, rho):
    for p in range(len(x)):
        i = x[p]
        rho[i % n, (i + 1) % n] += 1.0
        rho[i % n, i % n] += 2.0
        i = i + 3
        rho[i % n, 0] += 4.0
        if n > 3:
            rho[0, i % n] += i // n


@njit("int64(int64, int64, int64[::1])")
def not_again(a, b, x):
    s = 0
    if b != 0 and a // b > 3:
        s = a // b
    x[0] = x[1] % b
    x[1] = x[1] % b
    while a > 0:
        s += a % b
        a = a // b
    return s + a % b
