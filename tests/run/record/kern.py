"""More than 20 functions without signatures, of every kind: what test_record.py records and compiles."""
import math
from collections import namedtuple

import numpy as np
from numba import guvectorize, jit, njit, prange, vectorize

Point = namedtuple("Point", "x y")


@njit
def square(x):
    return x * x


@jit
def total(a):
    s = 0.0
    for i in range(a.shape[0]):
        s += square(a[i])
    return s


@njit(parallel=True)
def scale(a, factor):
    for i in prange(a.shape[0]):
        for j in range(a.shape[1]):
            a[i, j] *= factor


@njit(cache=True)
def clip(x, lo=0.0, hi=1.0):
    return min(max(x, lo), hi)


@njit(fastmath=True)
def norm(p):
    return math.sqrt(p.x * p.x + p.y * p.y)


@njit
def first(pair):
    return pair[0] + pair[1]


@njit
def or_zero(x):
    if x is None:
        return 0.0
    return x + 1.0


@njit
def spread(*values):
    return values[0] - values[1]


@njit
def spread_of(x):
    return spread(x, 3)


class Shape:
    @staticmethod
    @njit
    def area(w, h):
        return w * h


class Circle:
    @staticmethod
    @njit
    def girth(r):
        return 2.0 * math.pi * r


def factory():
    @njit
    def power(x, n):
        r = 1.0
        for _ in range(n):
            r *= x
        return r
    return power


def make_other():
    @njit
    def cube(x):
        return x * x * x
    return cube


power = factory()
cube = make_other()


def _halve(x):
    return x / 2


halve = njit(_halve)
triple = njit(lambda q: q * 3)


@njit
def apply(f, x):
    return f(x)


@njit
def twice(x):
    return apply(square, x) * 2


@njit
def flag(x, kind="sum"):
    if kind == "sum":
        return x + x
    return x * x


@njit
def readonly_sum(a):
    s = 0
    for v in a:
        s += v
    return s


@njit
def column(a):
    return a[0, 0] + a[-1, -1]


@vectorize
def vec(a, b):
    return a + b


@guvectorize("(n)->()")
def gsum(a, out):
    s = 0.0
    for i in range(a.shape[0]):
        s += a[i]
    out[0] = s


@njit("float64(float64)")
def eager(x):
    return x + 0.5


@njit
def same(x):
    return x


@njit
def same(x):  # noqa: F811  of the same name
    return x + 1


@njit
def never(x):
    return x


@njit
def inner_closure(x):
    def f(y):
        return y + 1
    return f(x)


@njit
def counted(a, dtype):
    c = np.zeros(4, dtype=dtype)
    for x in a:
        c[int(x) % 4] += 1
    return c
