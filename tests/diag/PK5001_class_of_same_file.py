from numba import njit


class Failed(ValueError):
    pass


@njit("int64(int64)")
def positive(n):
    if n < 0:
        raise Failed("negative", n)
    return n
