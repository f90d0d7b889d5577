"""Who may raise, writes its arrays or has hidden state, once needless checks are gone."""
import numpy as np
from numba import njit


@njit
def inverse(x):
    return 1.0 / x


@njit("float64(float64)")
def never_zero(x):
    return 1.0 / (1.0 + x * x)


@njit("float64(float64)")
def calls_what_raises(x):
    return inverse(x) + inverse(2.0)


@njit
def clear(a):
    a[0] = 0.0


@njit("void(float64[::1], float64[::1])")
def writes_by_helper(a, b):
    clear(a[1:])
    c = b
    if len(a) > 3:
        c = a
    c[0] = 1.0


@njit("float64[::1](float64[::1])")
def returns_its_argument(a):
    return a[1:]


@njit("void(float64[::1])")
def writes_what_is_returned(a):
    returns_its_argument(a)[0] = 1.0


@njit("void(int64)")
def shows(n):
    print("n =", n)


@njit("int64(int64)")
def even(n):
    if n == 0:
        return 1
    shows(n)
    return odd(n - 1)


@njit("int64(int64)")
def odd(n):
    if n < 0:
        raise ValueError("negative")
    return 1 - even(n)


@njit("float64(int64)")
def allocates(n):
    a = np.zeros(n)
    return a[0]
