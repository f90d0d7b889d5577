from numba import njit

APPENDED = ["float64(float64)"]
APPENDED.append("float32(float32)")
REPLACED = ["float64(float64)"]
REPLACED[0] = "float32(float32)"
EXTENDED = ["float64(float64)"]
EXTENDED += ["float32(float32)"]
JOINED = ["float64(float64)"] + ["float32(float32)"]


@njit(APPENDED)
def f(x):
    return x


@njit(REPLACED)
def g(x):
    return x


@njit(EXTENDED)
def h(x):
    return x


@njit(JOINED)
def k(x):
    return x
