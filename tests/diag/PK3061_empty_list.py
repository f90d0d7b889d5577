from numba import njit


@njit("int64(int64)")
def count(n):
    found = []
    for _ in range(n):
        pass
    return len(found)
