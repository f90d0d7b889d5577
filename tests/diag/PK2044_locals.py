import os

from numba import float32, njit

KINDS = {"y": float32} if os.environ.get("NARROW") else {}
NAME = 3


@njit("float64(float64)", locals=KINDS)
def unknown(x):
    y = x / 2
    return y


@njit("float64(float64)", locals={NAME: float32})
def number(x):
    y = x / 2
    return y


@njit("float64(float64)", locals={"y": float33})
def misspelt(x):
    y = x / 2
    return y


@njit("int64(complex128)", locals={"y": float32})
def no_conversion(x):
    y = x / 2
    return 1
