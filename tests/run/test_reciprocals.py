"""Divisions by what a loop does not change, under fastmath: the quotients to the last bits, and the same errors."""
import numpy as np
import pytest
from conftest import Batch

TEXT = '''
@njit("float64(float64[:], int64)", fastmath=True)
def smoothed(x, length):
    value = 0.0
    for i in range(len(x)):
        value = (value * (length - 1.0) + x[i]) / length
    return value

@njit("void(float64[:, :], float64, float64[:], float64[:, :])", fastmath=True)
def scaled(a, step, by, out):
    for i in range(a.shape[0]):
        row = by[i]
        for j in range(a.shape[1]):
            out[i, j] = a[i, j] / (2 * step) / row
            out[i, j] /= row

@njit("void(float32[::1], float32, float32[::1])", fastmath=True)
def narrow(a, by, out):
    for i in range(a.size):
        out[i] = a[i] / by

@njit("float64(float64, float64, int64)", fastmath=True)
def changing(x, by, n):
    """The divisor is another in every turn, or in some."""
    k = 0
    while k < n:
        x = x / by + x / (k + 1)
        if k % 3 == 2:
            by = by * 2
        k += 1
    return x

@njit("void(float64[::1], float64, float64[::1])", fastmath=True, parallel=True)
def in_parallel(a, by, out):
    for i in prange(a.size):
        out[i] = a[i] / by - 1 / (by + i)

@njit("float64(float64, float64, int64)", fastmath=True, error_model="numpy")
def without_errors(x, by, n):
    for _ in range(n):
        x = x / by
    return x

@njit("float64(float64[::1], int64)", fastmath=True)
def found(x, n):
    """An exit in front of the division, whose divisor is zero then."""
    s = 0.0
    for i in range(x.size):
        if n == 0:
            return -1.0
        s = s * 0.5 + x[i] / n
    return s

@njit("void(float64[::1], float64, float64, int64)", fastmath=True)
def first_of_another(x, d, m, n):
    for i in range(x.size):
        x[i] = x[i] / d
        d = m + 1.0

@njit("void(float64[::1], float64, int64)", fastmath=True)
def before_it_changed(x, m, n):
    for i in range(n):
        e = m * 2.0
        m = m + 1.0
        for j in range(x.size):
            d = e + 1.0
            x[j] = x[j] / d

@njit("float64(float64, float64, float64)", fastmath=True)
def asked_by_a_loop(x, d, m):
    n = 0.0
    while x / d > 1.0:
        d = m * 2.0
        n += 1.0
        x = x - 1.0
    return n
'''
built = Batch("reciprocals")
built.add(TEXT)


@pytest.mark.parametrize("n", [0, 1, 3, 32, 100])
def test_quotients(n):
    rng = np.random.default_rng(n)
    x = rng.standard_normal(n)
    for length in (1, 7, -3):
        assert built.smoothed(x, length) == pytest.approx(built.plain.smoothed(x, length), rel=1e-9, abs=1e-12)
        assert built.found(x, length) == pytest.approx(built.plain.found(x, length), rel=1e-12)
    assert built.found(x, 0) == (0.0 if n == 0 else -1.0)
    a, by, out = rng.standard_normal((n, 5)), rng.standard_normal(n), np.zeros((n, 5))
    for view in (a, a[::-1], a[:, ::-1]):
        built.scaled(view, 0.3, by, out)
        np.testing.assert_allclose(out, view / 0.6 / by[:, None] / by[:, None], rtol=1e-14)
    narrow = np.zeros(n, np.float32)
    built.narrow(x.astype(np.float32), np.float32(0.7), narrow)
    np.testing.assert_allclose(narrow, x.astype(np.float32) / np.float32(0.7), rtol=3e-7)
    assert built.changing(1.0, 1.5, n) == pytest.approx(built.plain.changing(1.0, 1.5, n), rel=1e-12)
    flat = np.zeros(n)
    built.in_parallel(x, 3.0, flat)
    np.testing.assert_allclose(flat, x / 3 - 1 / (3.0 + np.arange(n)), rtol=1e-13, atol=1e-15)


def test_zero():
    x = np.ones(4)
    for call in (lambda: built.smoothed(x, 0), lambda: built.scaled(x.reshape(2, 2), 0.0, x, np.ones((2, 2))),
                 lambda: built.narrow(x.astype(np.float32), np.float32(0), x.astype(np.float32)),
                 lambda: built.changing(1.0, 0.0, 2), lambda: built.in_parallel(x, 0.0, np.ones(4))):
        with pytest.raises(ZeroDivisionError):
            call()
    assert built.smoothed(x[:0], 0) == 0.0
    assert built.changing(1.0, 0.0, 0) == 1.0
    assert built.without_errors(1.0, 0.0, 0) == 1.0


@pytest.mark.parametrize("n", [0, 1, 2, 40])
def test_divisors_that_were_others(n):
    for name, arguments in (("first_of_another", (3.0, 6.0, n)), ("before_it_changed", (0.5, 4))):
        ours, expected = np.ones(n), np.ones(n)
        getattr(built, name)(ours, *arguments)
        getattr(built.plain, name)(expected, *arguments)
        np.testing.assert_allclose(ours, expected, rtol=1e-12)
    assert built.asked_by_a_loop(20.0, 0.5, 3.0) == built.plain.asked_by_a_loop(20.0, 0.5, 3.0)
