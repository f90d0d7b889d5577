from numba import njit, prange


@njit
def bump(a, k, x):
    a[k] += x
    return a[k]


@njit("void(float64[:], int64)", parallel=True)
def all_at_one_place(a, n):
    for i in prange(n):
        bump(a, 0, 1.0)
