"""Sums of floats in the order of the source, whatever vectors there are: to the last bit."""
import numpy as np
import pytest
from conftest import Batch

built = Batch("sums")
built.add('''
@njit(["float64(float64[::1], float64[::1])", "float64(float64[:], float64[:])"])
def dot(x, y):
    s = 0.0
    for i in range(len(x)):
        s += x[i] * y[i]
    return s

@njit("float32(float32[::1], float32[::1])")
def dot32(x, y):
    s = np.float32(1)
    for i in range(len(x)):
        s -= x[i] * y[i]
    return s

@njit("float64(float32[::1], int16[::1])")
def mixed(x, y):
    s = 0.0
    for i in range(len(x)):
        s += x[i] * y[i]
    return s

@njit("UniTuple(float64, 3)(float64[::1], float64[::1])")
def moments(x, y):
    sx = 0.0
    sxx = 0.0
    sxy = -0.0
    for i in range(len(x)):
        sx += x[i]
        sxx += (x[i] - 1.0) * (x[i] - 1.0)
        sxy -= x[i] * y[len(x) - 1 - i]
    return sx, sxx, sxy

@njit("float64(float64[:, ::1], float64[::1])")
def rows(a, out):
    total = 0.0
    for i in range(a.shape[0]):
        s = 0.0
        for j in range(min(i, a.shape[1])):
            s += abs(a[i, j] - out[j])
        out[i % len(out)] = s
        total += s * 0.5
    return total

@njit("float64(float64[::1], float64[::1])")
def huber(x, y):
    s = 0.0
    for i in range(len(x)):
        d = abs(x[i] - y[i])
        if d < 0.3:
            s += 0.5 * d * d
        else:
            s += 0.3 * (d - 0.15)
    return s

@njit("float64(float64[::1], float64[::1])")
def until(x, y):
    s = 0.0
    i = 0
    while i < len(x) and s < 40.0:
        s += x[i] * y[i]
        i += 1
    return s

@njit
def even(n):
    return True if n == 0 else odd(n - 1)

@njit
def odd(n):
    return False if n == 0 else even(n - 1)

@njit
def nested(n, x):
    return x if n <= 0 else np.sin(nested(n - 1, x)) + np.sqrt(abs(x))

@njit("int64(int64[::1])")
def evens(x):
    n = 0
    for i in range(len(x)):
        n += even(x[i])
    return n

@njit("float64(float64[::1], float64[::1])")
def nests(x, y):
    s = 0.0
    for i in range(len(x)):
        y[i] = nested(i % 4, x[i])
        s += nested(2, x[i])
    return s
''')

SIZES = [0, 1, 3, 8, 9, 33, 1000]


def vectors(size, dtype=np.float64):
    r = np.random.default_rng(size)
    scale = 10.0 ** r.integers(-8, 8, size)
    return (r.normal(size=size) * scale).astype(dtype), r.normal(size=size).astype(dtype)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", ["dot", "moments", "huber", "until"])
def test_to_the_last_bit(name, size):
    x, y = vectors(size)
    expected = getattr(built.plain, name)(x, y)
    assert np.array(getattr(built, name)(x, y)).tobytes() == np.array(expected).tobytes()


@pytest.mark.parametrize("size", SIZES)
def test_strides(size):
    x, y = vectors(2 * size)
    assert built.dot(x[::-2], y[1::2]) == built.plain.dot(x[::-2], y[1::2])


@pytest.mark.parametrize("size", SIZES)
def test_other_types(size):
    x, y = vectors(size, np.float32)
    x = np.clip(x, -1e6, 1e6)
    s = np.float32(1)
    for a, b in zip(x, y):
        s = np.float32(s - np.float32(a * b))
    assert np.float32(built.dot32(x, y)).tobytes() == s.tobytes()
    whole = np.arange(size).astype(np.int16)
    s = 0.0
    for a, b in zip(x, whole):
        s += float(a * np.float32(b))
    assert built.mixed(x, whole) == s


@pytest.mark.parametrize("shape", [(0, 3), (5, 1), (20, 40), (40, 20)])
def test_rows(shape):
    a, out = np.random.default_rng(3).normal(size=shape), np.zeros(50)
    expected = np.copy(out)
    assert built.rows(a, out) == built.plain.rows(a, expected)
    assert out.tobytes() == expected.tobytes()


@pytest.mark.parametrize("size", SIZES)
def test_functions_that_call_themselves(size):
    x = np.random.default_rng(size).normal(size=size)
    y, expected = np.zeros(size), np.zeros(size)
    np.testing.assert_allclose(built.nests(x, y), built.plain.nests(x, expected), 1e-13)
    np.testing.assert_allclose(y, expected, 1e-13)
    whole = np.arange(size) % 50
    assert built.evens(whole) == built.plain.evens(whole) == (whole % 2 == 0).sum()
