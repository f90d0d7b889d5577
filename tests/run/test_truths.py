"""Truths as factors of floats, and truths of whole arrays: NumPy's values, to the sign of a zero."""
import numpy as np
import pytest
from conftest import Batch

built = Batch("truths")
built.add('''
@njit(["void(float64[:], float64[:], float64[:])", "void(float32[:], float32[:], float32[:])"])
def products(a, b, out):
    for i in range(len(a)):
        out[i] = a[i] * (b[i] < 0) + (a[i] >= b[i]) * b[i]

@njit("float64(float64[:], float64[:])")
def carried(a, b):
    s = 0.5
    for i in range(len(a)):
        s = s * (a[i] < s) + b[i] * (s < 0.25)
    return s

@njit("float64(float64, boolean)")
def one(x, b):
    return x * b

@njit("complex128(complex128, float64)")
def of_complex(z, x):
    return z * (x > 0)

@njit("boolean[:](boolean[:], boolean[:])")
def either(a, b):
    return a | b

@njit("boolean[:](int8[:], boolean[:])")
def rule(n, alive):
    return (n == 3) | (alive & (n == 2)) ^ (n > 7)

@njit("boolean[:, :](boolean[:, :], boolean[:])")
def rows(a, b):
    return ~a & b

@njit("void(boolean[:], boolean[:])")
def update(a, b):
    a |= b
    a[1:] &= a[:-1]
''')
ODD = [0.0, -0.0, 1.5, -2.0, np.nan, np.inf, -np.inf, 5e-324]


@pytest.mark.parametrize("dtype", ["f8", "f4"])
def test_products(dtype):
    a, b = (x.ravel().astype(dtype) for x in np.meshgrid(ODD * 5, ODD * 5))
    out = np.empty_like(a)
    built.products(a, b, out)
    with np.errstate(invalid="ignore"):
        wanted = a * (b < 0).astype(dtype) + (a >= b).astype(dtype) * b
    np.testing.assert_array_equal(out, wanted)
    assert (np.signbit(out) == np.signbit(wanted))[~np.isnan(wanted)].all()


def test_of_numbers():
    rng = np.random.default_rng(0)
    for n in 0, 1, 7, 1000:
        a, b = rng.random(n), rng.random(n)
        s = 0.5
        for x, y in zip(a, b):
            s = s * (x < s) + y * (s < 0.25)
        assert built.carried(a, b) == s
    for x in ODD:
        for truth in False, True:
            assert repr(built.one(x, truth)) == repr(float(np.float64(x) * truth))
    assert built.of_complex(1 + 2j, 1.0) == 1 + 2j and built.of_complex(1 + 2j, -1.0) == 0


@pytest.mark.parametrize("n", [0, 1, 5, 31, 32, 100])
def test_of_arrays(n):
    rng = np.random.default_rng(n)
    a, b, m = rng.random(2 * n) < 0.5, rng.random(2 * n) < 0.5, rng.integers(0, 10, 2 * n).astype("i1")
    for step in 1, 2, -1:
        x, y, k = a[::step], b[::step], m[::step]
        np.testing.assert_array_equal(built.either(x, y), x | y)
        np.testing.assert_array_equal(built.rule(k, x), (k == 3) | (x & (k == 2)) ^ (k > 7))
        np.testing.assert_array_equal(built.rows(np.stack([x, y]), x), ~np.stack([x, y]) & x)
        found, wanted = x.copy(), x.copy()
        built.update(found, y)
        wanted |= y
        wanted[1:] &= wanted[:-1].copy()
        np.testing.assert_array_equal(found, wanted)


def test_any_byte_but_0_is_true():
    odd = np.array([0, 1, 2, 128, 255] * 20, "u1").view(bool)
    other = np.roll(odd, 1)
    np.testing.assert_array_equal(built.either(odd, other).view("u1"), ((odd.view("u1") != 0) | (other.view("u1") != 0)).astype("u1"))
    counts = np.full(100, 2, "i1")
    assert built.rule(counts, odd).view("u1").tolist() == (odd.view("u1") != 0).astype("u1").tolist()
