from numba import njit


@njit("float64(float64, float32)")
def never_zero(x, y):
    return 1.0 / (1.0 + abs(x)) + 2.0 / (x * x + 0.5 + 0.5) + 1.0 / (1.0 + y * y)


@njit("float64(float64, float64)")
def maybe_zero(x, y):
    return 1.0 / (1.0 - abs(x)) + 1.0 / (x * y + 1.0) + 1.0 / abs(x) + 1.0 / (abs(x) * abs(y))


@njit("float64(float64, int64)")
def in_a_loop(x, n):
    total = 1.0
    for i in range(n):
        total = total + x
    return 1.0 / total
