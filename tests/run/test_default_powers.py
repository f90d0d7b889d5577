"""x ** p of a parameter with a default: squares and products where the argument has that value, powers elsewhere; what comes out is
what CPython computes."""
import numpy as np
import pytest
from conftest import Batch

MADE = Batch("default_powers")
MADE.add('''
@njit("float64(float64[:], float64)")
def floats(a, p=2.0):
    s = 0.0
    for i in range(a.size):
        s += abs(a[i]) ** p
    return s

@njit("float64(float64[:], int64)")
def whole(a, p=3):
    s = 1.0
    for i in range(a.size):
        s = s + a[i] ** p
    return s

@njit("int64(int64[:], int64)")
def integers(a, p=2):
    s = 0
    for x in a:
        s += x ** p
    return s

@njit("float64(float64[:], int64)")
def negative(a, p=-1):
    s = 0.0
    for x in a:
        s += x ** p
    return s

@njit("float32[:](float32[:], float32)")
def each(a, p=2.0):
    out = np.empty_like(a)
    for i in range(a.size):
        out[i] = a[i] ** p
    return out

@njit("float64(float64, float64)")
def changed(x, p=2.0):
    p += 1.0
    return x ** p

@njit("float64(float64, uint8)")
def cut(x, p=258):
    return x ** p

@njit("float64(float64, uint8)")
def below(x, p=-1):
    return x ** p

def helper(x, p=2):
    return x ** p

@njit("float64(float64[:])")
def by_helper(a):
    s = 0.0
    for x in a:
        s += helper(x) + helper(x, 3) + helper(x, p=2.0)
    return s
''')
A = np.array([0.5, -1.25, 3.0, 0.0, 1e-200, -7.5] * 20)


@pytest.mark.parametrize("name, exponents", [("floats", [2.0, 0.5, 3.0, -1.0, 0.0, np.inf, np.nan]), ("whole", [3, 2, 1, 0, 9, 70000]), ("negative", [2, 1])])
def test_powers_of_floats(name, exponents):
    for a in (A, A[::2], A[:0]):
        with np.errstate(all="ignore"):
            if name != "negative":
                np.testing.assert_allclose(getattr(MADE, name)(a), getattr(MADE.plain, name)(a), rtol=1e-12)
            for p in exponents:
                np.testing.assert_allclose(getattr(MADE, name)(a, p), getattr(MADE.plain, name)(a, p), rtol=1e-12)


def test_powers_that_raise():
    with pytest.raises(ZeroDivisionError):
        MADE.negative(A)
    with pytest.raises(ZeroDivisionError):
        MADE.negative(A, -2)
    assert MADE.negative(A[:3]) == MADE.plain.negative(A[:3])


def test_other_powers():
    whole = np.arange(-5, 6)
    assert MADE.integers(whole) == MADE.plain.integers(whole) and MADE.integers(whole, 5) == MADE.plain.integers(whole, 5)
    a = A.astype(np.float32)
    np.testing.assert_allclose(MADE.each(a), a ** np.float32(2), rtol=1e-6)
    np.testing.assert_allclose(MADE.each(a[:1], 0.5), a[:1] ** np.float32(0.5), rtol=1e-6)
    assert MADE.cut(3.0, 2) == 9.0 and MADE.below(1.5, 3) == 1.5**3, "what does not fit is no default"
    assert MADE.changed(3.0) == 27.0 and MADE.changed(2.0, 1.0) == 4.0
    np.testing.assert_allclose(MADE.by_helper(A), MADE.plain.by_helper(A), rtol=1e-12)
