from numba import njit


@njit
def norm(x):
    return x * x


# pyk2cu: sig apply(norm, float64)
@njit
def apply(f, x):
    return f(x)
