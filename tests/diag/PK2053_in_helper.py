from numba import njit


def scaled(x, **options):
    return x * 2.0


@njit("float64(float64, int64)")
def f(x, n):
    return scaled(x) + scaled(n)
