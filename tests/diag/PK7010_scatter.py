from numba import njit, prange


@njit("void(float64[:], float64[:], int64[:])", parallel=True)
def scatter(out, a, index):
    for i in prange(len(a)):
        out[index[i]] = a[i]


@njit("void(float64[:], float64[:], int64[:])", parallel=True)
def permute(out, a, index):
    for i in prange(len(a)):
        out[index[i]] = a[i]  # pyk2cu: ignore[PK7010]


@njit("void(float64[:], boolean[:])", parallel=True)
def any_negative(a, found):
    for i in prange(len(a)):
        if a[i] < 0.0:
            found[0] = True
