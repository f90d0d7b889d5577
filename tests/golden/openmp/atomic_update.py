from numba import njit, prange


@njit("void(int64[::1], int64[::1])", parallel=True)
def atomic_update(bins, counts):
    for i in prange(len(bins)):
        counts[bins[i]] += 1
