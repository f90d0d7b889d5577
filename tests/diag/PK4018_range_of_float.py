from numba import njit


@njit("int64(float64)")
def triangle(n):
    total = 0
    for i in range(n):
        total += i
    return total
