from numba import njit


def lowest():
    return 0


class Failed(ValueError):
    def __str__(self):
        return f"less than {lowest()}"


@njit("int64(int64)")
def positive(n):
    if n < 0:
        raise Failed("negative", n)
    return n
