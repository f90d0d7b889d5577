from numba import njit


@njit("int64(int64)")
def f(x):
    t = "0123456789abcdef"
    a = t + t + t + t + t + t + t + t
    b = a + a + a + a + a + a + a + a
    c = b + b + b + b + b + b + b + b
    d = c + c + c + c + c + c + c + c
    e = d + d + d + d + d + d + d + d
    g = e + e + e + e + e + e + e + e
    return len(g) + x
