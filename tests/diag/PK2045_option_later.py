from numba import float32, njit


@njit("float64(float64)", locals={"y": float32})
def half(x):
    y = x / 2
    return y
