from numba import njit


@njit("float64(float64)")
def scaled(x, **options):
    return x * 2.0
