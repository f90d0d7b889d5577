"""0.0 and -0.0 are two constants: what is computed of one is not taken for what is computed of the other."""
import math

import numpy as np
import pytest
from conftest import Batch

built = Batch("signs_of_zero")
built.add('''
from numba import prange


@njit("float64(float64)")
def known(x):
    if math.atan2(x, -0.0) != 0:
        return 1.0 / math.atan2(x, 0.0)
    return 5.0


@njit("float64(float64, float64, int64)")
def hoisted(x, y, n):
    s = 0.0
    for i in range(n):
        p = math.copysign(math.sqrt(x), 0.0)
        q = math.copysign(math.sqrt(x), -0.0)
        s += p * y - q
    return s


@njit("void(float64[:], float64[:], float64)", parallel=True)
def shared(a, out, x):
    for i in prange(len(a)):
        out[i] = a[i] * math.atan2(x, -0.0) + math.atan2(x, 0.0)


@njit("complex128(complex128)")
def parts(z):
    return (z + complex(0.0, 0.0)) * 2.0 - (z + complex(-0.0, -0.0)) * 2.0


@njit("float64(float64[::1], float64[::1], float64, float64)")
def summed(x, out, s, w):
    t = w
    q = r = s
    k = 0
    for i in range(len(x)):
        if x[i] > 0.0:
            q = 0.5
        elif x[i] > 0.0:
            t = -t
            r = w + x[i]
        else:
            s += r
    out[0] = t
    return s + t
''')
gang = Batch("signs_of_zero_gang", ["--gang=8"])
gang.add('''
@njit("float64(float64[:])")
def largest(a):
    m = -100.0
    for i in range(len(a)):
        if math.copysign(a[i], 0.0) > m:
            m = math.copysign(a[i], -0.0)
    return m
''')


@pytest.mark.parametrize("x", [0.0, -0.0])
def test_a_condition_on_one_says_nothing_of_the_other(x):
    if math.atan2(x, 0.0) == 0:
        with pytest.raises(ZeroDivisionError):
            built.known(x)


def test_both_are_computed_in_front_of_the_loop():
    assert built.hoisted(4.0, 1.0, 1) == 4.0
    assert built.hoisted(9.0, 0.5, 3) == 13.5


@pytest.mark.parametrize("x", [0.0, -0.0])
def test_loops_on_all_cores(x):
    a, out = np.arange(1.0, 6.0), np.zeros(5)
    built.shared(a, out, x)
    assert np.array_equal(out, a * math.atan2(x, -0.0) + math.atan2(x, 0.0))


def test_the_larger_of_two_signs_is_no_extreme():
    a = np.arange(1.0, 17.0)
    m = -100.0
    for v in a:
        if math.copysign(v, 0.0) > m:
            m = math.copysign(v, -0.0)
    assert gang.largest(a) == m == -16.0


def test_complex_zeros():
    assert built.parts(complex(-0.0, 1.0)) == 0


@pytest.mark.parametrize("count", [1, 4, 8, 33])
def test_a_branch_that_is_not_taken_adds_nothing(count):
    x, out = np.where(np.arange(count) % 3 == 2, 1.0, -1.0), np.zeros(1)
    assert math.copysign(1.0, built.summed(x, out, -0.0, -0.0)) == -1.0
    assert math.copysign(1.0, built.summed(x, out, 0.0, -0.0)) == 1.0
