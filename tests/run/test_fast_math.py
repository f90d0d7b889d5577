"""Functions under fastmath with exp, log and the like: vector math, sums in any order, and C++ that keeps the order of ours."""
import math

import numpy as np
import pytest
from conftest import Batch

MATH = Batch("fast_math")
MATH.add('''
from numba import prange, vectorize


@njit("void({T}[:], {T}[:])", fastmath=True)
def decays(x, out):
    for i in range(len(x)):
        out[i] = np.exp(-x[i] * x[i]) * 0.5


@njit("float64(float64[:])", fastmath=True)
def log_likelihood(x):
    total = 0.0
    norm = 0.0
    for i in range(len(x)):
        total += np.log(x[i] * x[i] + 1.0)
    for i in range(len(x)):
        norm += x[i] * x[i]
    return total / (1.0 + norm)


@njit("void(float64[:], float64[:])", fastmath=True, parallel=True)
def sides(x, out):
    for i in prange(len(x)):
        if x[i] > 0:
            out[i] = np.exp(-x[i]) + np.sin(x[i])
        else:
            out[i] = np.log1p(x[i] * x[i])


@njit(fastmath=True)
def distance(lat, lon, lat2, lon2):
    a = math.sin((lat2 - lat) / 2) ** 2 + math.cos(lat) * math.cos(lat2) * math.sin((lon2 - lon) / 2) ** 2
    return 12742.0 * math.asin(math.sqrt(a))


@njit("float64(float64[:, :], float64, float64)", fastmath=True)
def nearest(points, lat, lon):
    least = math.inf
    for i in range(points.shape[0]):
        d = distance(lat, lon, points[i, 0], points[i, 1])
        if d < least:
            least = d
    return least


@vectorize(["float64(float64, float64)"], fastmath=True)
def softplus(x, scale):
    return scale * np.log1p(np.exp(x / scale))
'''.replace("{T}", "float64"))
SUMS = Batch("fast_sums_alone")
SUMS.add('''
@njit("float64(float64[:], float64[:])", fastmath=True)
def dot(a, b):
    s = 0.0
    for i in range(len(a)):
        s += a[i] * b[i]
    return s
''')
MIXED = Batch("fast_mixed")
MIXED.add('''
@njit(fastmath=True)
def bent(x, y):
    t = x * y + 1.0
    if t > 0.5:
        t = t - y
    return t


@njit(fastmath=True)
def escapes(x, y, most):
    n = 0
    u = v = 0.0
    while u * u + v * v < 4.0 and n < most:
        u, v = u * u - v * v + x, 2.0 * u * v + y
        n += 1
    return n


@njit(fastmath=True)
def dot(a, b):
    s = 0.0
    for i in range(len(a)):
        s += a[i] * b[i]
    return s


@njit
def lost(a, b):
    s = a + b
    return b - (s - a)


@njit
def share(x, of):
    x /= of
    return x + 1.0 / of


@njit("float64(float64[:, :], float64[:])")
def plain_over_fast(a, b):
    s = 0.0
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            s += bent(a[i, j], b[j])
    return s


@njit("void(float64[:], float64[:], int64[:])")
def plain_escapes(x, y, out):
    for i in range(len(x)):
        out[i] = escapes(x[i], y[i], 40)


@njit("float64(float64[:, :], float64[:])", fastmath=True)
def fast_over_both(a, b):
    s = 0.0
    for i in range(a.shape[0]):
        s += dot(a[i], b) + lost(b[i], 1e-20)
    return s


@njit("void(float64[:], float64[:], float64, float64[:], float64[:])", fastmath=True)
def fast_over_plain(a, b, of, losses, shares):
    for i in range(len(a)):
        losses[i] = lost(a[i], b[i])
        shares[i] = share(a[i], of)


@njit("float64(float64[:], float64[:])", fastmath=True)
def fast_sum(a, b):
    s = 0.0
    for i in range(len(a)):
        s += share(a[i], 3.0) * b[i]
    return s


@njit(fastmath=True)
def product(a, b):
    s = 0.0
    for i in range(len(a)):
        s += a[i] * b[i]
    return s


@njit("float64(float64[:], float64[:])")
def plain_once(a, b):
    return product(a, b) * 2.0


@njit("float64[:,:](float64[:,:])", fastmath=True)
def raised(a):
    for i in range(a.shape[0]):
        a[i, 0] += 1.0
    return a


@njit("float64(float64[:,:])")
def plain_hands_on(a):
    """A contiguous array, which `raised` returns as one: its declared result is of any strides."""
    b = a.copy()
    b = raised(b)
    return b.sum() + raised(raised(a))[0, 0]
''')
SIZES = [0, 1, 15, 16, 33, 200]


def numbers(size):
    return np.linspace(-3, 3, size)


@pytest.mark.parametrize("size", SIZES)
def test_values(size):
    x, out = numbers(size), np.zeros(size)
    MATH.decays(x, out)
    np.testing.assert_allclose(out, np.exp(-x * x) * 0.5, rtol=1e-15)
    MATH.sides(x, out)
    expected = np.where(x > 0, np.exp(-x) + np.sin(x), np.log1p(x * x))
    np.testing.assert_allclose(out, expected, rtol=1e-14, atol=1e-16)
    assert MATH.log_likelihood(x) == pytest.approx(np.log(x * x + 1).sum() / (1 + (x * x).sum()), rel=1e-13, abs=1e-300)
    np.testing.assert_allclose(MATH.softplus(x, 0.5), 0.5 * np.log1p(np.exp(x / 0.5)), rtol=1e-14)
    points = np.stack([x / 3, x[::-1] / 2], 1)
    lat, lon = points.T
    a = np.sin((lat - 0.3) / 2) ** 2 + math.cos(0.3) * np.cos(lat) * np.sin((lon + 0.2) / 2) ** 2
    assert MATH.nearest(points, 0.3, -0.2) == pytest.approx(min(12742 * np.arcsin(np.sqrt(a)), default=math.inf), rel=1e-12)


@pytest.mark.parametrize("value", [0.0, -0.0, np.inf, -np.inf, np.nan, 1e300, 1e-320])
def test_values_at_the_ends(value):
    x, out = np.full(40, value), np.zeros(40)
    MATH.decays(x, out)
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(out, np.exp(-x * x) * 0.5)


def test_vector_math_is_not_reassociated():
    """Whose sums of two parts C++ compilers take for 0 where any order will do."""
    assert not list(MATH.directory.glob("*.fast*"))
    for name in "exp", "log", "log1p", "sin":
        assert f"pyk::lanes::{name}" in MATH.emitted or f"pyk::lanes::{name}(" in MATH.emitted, name


def test_sums_alone_are_left_to_the_flags():
    assert "-fassociative-math" in (SUMS.directory / "setup.py").read_text()
    a = np.arange(1000.0)
    assert SUMS.dot(a, a) == (a * a).sum()


@pytest.mark.parametrize("size", SIZES)
def test_functions_with_and_without_that_call_one_another(size):
    x, y = numbers(size), numbers(size)[::-1] / 3 + 0.1
    square = np.add.outer(x, y)
    assert MIXED.plain_over_fast(square, y) == pytest.approx(MIXED.plain.plain_over_fast(square, y), rel=1e-12)
    counts = [np.zeros(size, np.int64) for _ in range(2)]
    MIXED.plain_escapes(x, y, counts[0])
    MIXED.plain.plain_escapes(x, y, counts[1])
    assert np.array_equal(*counts)
    assert MIXED.fast_over_both(square, y) == pytest.approx(MIXED.plain.fast_over_both(square, y), rel=1e-12)
    assert MIXED.fast_sum(x, y) == pytest.approx(MIXED.plain.fast_sum(x, y), rel=1e-12, abs=1e-12)
    assert MIXED.plain_once(x, y) == pytest.approx(2 * (x * y).sum(), rel=1e-12)
    made = np.ones((size + 1, 3))
    assert MIXED.plain_hands_on(made) == 4 * (size + 1) + 3 and (made[:, 0] == 3).all()


@pytest.mark.parametrize("size", SIZES)
def test_what_a_function_without_computes_stays_exact(size):
    """What two numbers lose in their sum is 0 where C++ compilers may take it apart; a division is no product."""
    a, b = numbers(size) * 1e9 + 0.1, numbers(size)[::-1] / 7
    losses, shares = np.zeros(size), np.zeros(size)
    MIXED.fast_over_plain(a, b, 3.0, losses, shares)
    s = a + b
    assert np.array_equal(losses, b - (s - a)) and (size < 15 or losses.any())
    assert np.array_equal(shares, a / 3.0 + 1.0 / 3.0)


def test_such_calls_are_part_of_the_loops():
    """In both directions; a sum of a function of its own is left to the flags where it is called once."""
    plain, fast = ((MIXED.directory / name).read_text() for name in ("fast_mixed.cpp", "fast_mixed.fast.cpp"))
    for name in "plain_over_fast", "plain_escapes", "fast_over_plain", "fast_sum":
        assert f" {name}(" in plain and f" {name}(" not in fast, name
    assert "#pragma omp simd" in plain.split("void plain_escapes(")[1].split("\n}\n")[0]
    assert " product(" in fast
