"""Loops whose checks all iterations have in common: asked once in front of them, and raised by the iteration that would,
behind all that came before it."""
import numpy as np
import pytest
from conftest import Batch, assert_same_effects

TEXT = '''
@njit("void(float64[:], float64, float64[:])")
def scaled(x, by, out):
    for i in range(x.size):
        out[i] = np.exp(x[i]) / by

@njit("void(float64[:], int64, float64, float64[:])")
def begun_at(x, first, by, out):
    for i in range(first, x.size):
        out[i] += 1.0
        t = x[i] / (2 * by)
        out[i] = t * t / (by - 1.0)

@njit("void(float64[:, ::1], float64[:, ::1], float64, int64)")
def gradient(h, out, step, turns):
    n, m = h.shape
    for turn in range(turns):
        for i in range(1, n - 1):
            for j in range(1, m - 1):
                out[i, j] += (h[i, j + 1] - h[i, j - 1]) / (2 * step) - h[i - 1, j] / step

@njit("void(float64[:, ::1], float64[::1], float64[:, ::1])")
def by_row(x, by, out):
    """Each row has a divisor of its own."""
    for i in range(x.shape[0]):
        d = by[i]
        for j in range(x.shape[1]):
            out[i, j] = x[i, j] / d - 1.0

@njit("void(float64[:], float64[:], float64, float64[:])")
def both_kinds(x, y, by, out):
    for i in range(x.size):
        out[i] = x[i] / by + 1.0 / y[i]

@njit("float64(float64[:], float64, float64[:])")
def read_behind(x, by, out):
    z = 0.0
    for i in range(x.size):
        z = x[i] / by
        out[i] = z
    return z

@njit("void(int64[:], int64, int64[:])")
def whole(x, by, out):
    for i in range(x.size):
        out[i] = x[i] // by + x[i] % by

@njit("void(float64[:], float64, float64[:])")
def moved(x, by, out):
    for i in range(x.size - 1):
        out[i + 1] = x[i] / by

@njit("void(float64[:], float64, float64[:])")
def refused(x, by, out):
    for i in range(x.size):
        if by < 0.0:
            raise ValueError("by is negative")
        out[i] = x[i] * np.sqrt(by)

@njit("void(float32[:], float32, float32, float32[:])")
def density(x, mean, sigma, out):
    for i in range(len(x)):
        z = (x[i] - mean) / sigma
        out[i] = np.exp(np.float32(-0.5) * z * z) / sigma

@njit("void(float64[:], float64, float64[:])", parallel=True)
def in_parallel(x, by, out):
    for i in prange(x.size):
        out[i] = np.sin(x[i]) / by

@njit("float64(float64[:], float64)", parallel=True)
def sum_in_parallel(x, by):
    s = 0.0
    for i in prange(x.size):
        s += x[i] / by
    return s

@njit("void(float64[::1], float64[::1], float64, float64)")
def carried(x, out, d, m):
    for i in range(x.size):
        if x[i] > 100.0:
            d = m + 1.0
        if d == 0.0:
            raise ValueError("carried")
        out[i] = np.exp(x[i]) * 2.0

@njit("void(float64[::1], float64[::1], float64, float64)")
def asked_before(x, out, d, m):
    for i in range(x.size):
        if d == 0.0:
            raise ValueError("before")
        z = x[i]
        while z < 3.0:
            z = z * z + 1.0
        out[i] = z
        d = m + 1.0

@vectorize(["float64(float64, float64)"])
def quotient(x, by):
    return x / (by * 2.0)
'''
OPTIONS = {"plain": ["--no-lanes"], "default": [], "checked": ["--boundscheck"]}
MODULES = {name: Batch("common_checks_" + name, options) for name, options in OPTIONS.items()}
for module in MODULES.values():
    module.add("from numba import vectorize\n" + TEXT)
PLAIN = MODULES["plain"]
SIZES = [0, 1, 2, 7, 8, 31, 64, 257, 1000]
DIVISORS = [2.0, 0.0, -0.0, 1.0, np.nan, np.inf, 5e-324, -3.5]


@pytest.fixture(params=["default", "checked"])
def built(request):
    return MODULES[request.param]


def outcome(made, function, *arguments):
    """What is raised and what was written till then."""
    copies = [np.copy(a) if isinstance(a, np.ndarray) else a for a in arguments]
    with np.errstate(all="ignore"):
        try:
            value = getattr(made, function)(*copies)
        except Exception as error:  # noqa: BLE001
            value = type(error).__name__, str(error)
    return value, [c for c in copies if isinstance(c, np.ndarray)]


def assert_same_outcome(made, function, *arguments, rtol=0):
    (ours, written), (theirs, expected) = outcome(made, function, *arguments), outcome(PLAIN, function, *arguments)
    if isinstance(theirs, float):
        np.testing.assert_allclose(ours, theirs, rtol=1e-12)
    else:
        assert ours == theirs
    for a, b in zip(written, expected):
        np.testing.assert_allclose(a, b, rtol=rtol)


@pytest.mark.parametrize("by", DIVISORS)
@pytest.mark.parametrize("n", SIZES)
def test_divisors(built, n, by):
    rng = np.random.default_rng(n)
    x, out = rng.standard_normal(n), np.full(n, 9.0)
    for view in (x, x[::-1], np.repeat(x, 2)[::2]):
        assert_same_outcome(built, "scaled", view, by, out, rtol=1e-15)
        assert_same_outcome(built, "moved", view, by, out)
        assert_same_outcome(built, "read_behind", view, by, out)
        for first in {0, 1, n // 2, n, n + 3}:
            assert_same_outcome(built, "begun_at", view, first, by, out)
    for zero in {0, n // 2, n - 1, -1} if n else {-1}:
        y = rng.standard_normal(n) + 5
        if zero >= 0:
            y[zero] = 0.0
        assert_same_outcome(built, "both_kinds", x, y, by, out)
    assert_same_outcome(built, "refused", x, by, out)
    assert_same_outcome(built, "in_parallel", x, by, out, rtol=1e-15)
    assert_same_outcome(built, "sum_in_parallel", x, by)
    assert_same_outcome(built, "density", x.astype(np.float32), np.float32(0.5), np.float32(by), out.astype(np.float32), rtol=1e-6)
    for whole in (3, 0, -1, 2**62):
        assert_same_outcome(built, "whole", (x * 100).astype(np.int64), whole, out.astype(np.int64))


@pytest.mark.parametrize("shape", [(0, 0), (3, 3), (2, 40), (9, 1), (20, 33), (7, 300)])
@pytest.mark.parametrize("by", [0.5, 0.0, np.nan])
def test_nests(built, shape, by):
    rng = np.random.default_rng(shape[0])
    h, out = rng.standard_normal(shape), np.zeros(shape)
    for turns in (0, 1, 3):
        assert_same_outcome(built, "gradient", h, out, by, turns)
    for zero in range(0, shape[0] + 1, 3):
        divisors = rng.standard_normal(shape[0])
        divisors[zero:zero + 1] = by
        assert_same_outcome(built, "by_row", h, divisors, out)


def test_arrays_that_share_memory(built):
    for name in ("scaled", "moved", "read_behind"):
        for shift in (0, 1, 3):
            results = []
            for made in (built, PLAIN):
                memory = np.linspace(0.1, 2.0, 200)
                getattr(made, name)(memory[:150], 1.5, memory[shift:150 + shift])
                results.append(memory)
            np.testing.assert_allclose(*results, rtol=1e-13)


def test_ufuncs(built):
    x = np.linspace(-1, 1, 77)
    with np.errstate(all="ignore"):
        for by in DIVISORS:
            np.testing.assert_array_equal(built.quotient(x, by), PLAIN.quotient(x, by))


def test_python_computes_the_same():
    x = np.linspace(-1, 1, 77)
    assert_same_effects(MODULES["default"], MODULES["default"].plain, "begun_at", x, 3, 2.5, np.zeros(77))
    assert_same_effects(MODULES["default"], MODULES["default"].plain, "by_row", x.reshape(7, 11), x[:7] + 3, np.zeros((7, 11)))


@pytest.mark.parametrize("n", [0, 1, 33, 200])
def test_what_an_earlier_turn_has_left(built, n):
    x, out = np.linspace(0.1, 1.0, n), np.zeros(n)
    for d in (0.0, 2.0):
        for m in (5.0, -1.0):
            for function in ("carried", "asked_before"):
                assert_same_outcome(built, function, x, out, d, m, rtol=1e-14)
