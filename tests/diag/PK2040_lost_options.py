from numba import njit


def options():
    with open("options.txt") as file:
        return dict(fastmath=file.read() == "fast")


@njit("float64(float64, float64)", **options())
def product(x, y):
    return x * y
