"""Sums of whole arrays: np.sum, np.mean, np.var, norms and products of vectors, which have no order of their own.

From 64 float64 (128 float32, 32 complex128, 64 complex64) on they are made side by side, as many on every processor; below, and under --fp=strict, in the order of the
elements. Compared with NumPy in long double: no further from it than sums in order may be; and with themselves, to the last bit, on all
processors."""
import os
import pathlib
import subprocess
import sys

import numpy as np
import pytest
from conftest import PROLOGUE, Batch, build

SOURCE = '''
@njit(["float64(float64[::1])", "float64(float64[:])", "float32(float32[:])"])
def total(a):
    return np.sum(a)

@njit(["float64(float64[:, ::1])", "float64(float64[::1, :])", "float64(float64[:, :])"])
def total_of_rows(a):
    return a.sum()

@njit(["float64(float64[:])", "float32(float32[:])"])
def squares(a):
    return np.sum(a ** 2)

@njit(["float64(float64[:], float64[:])", "float32(float32[:], float32[:])"])
def product(a, b):
    return a @ b

@njit("float64[:](float64[:, :], float64[:])")
def products(m, v):
    return m @ v

@njit("float64(float64[:], float64[:])")
def distance(a, b):
    return np.sqrt(np.sum(np.exp(-np.abs(a - b)) * (a > b)))

@njit("float64(float64[:])")
def mean(a):
    return np.mean(a)

@njit(["float64(float64[:])", "float64(complex128[:])"])
def variance(a):
    return np.var(a)

@njit(["float64(float64[:])", "float64(complex128[:])"])
def length(a):
    return np.linalg.norm(a)

@njit("float64(float64[:], int64)")
def of_parts(a, n):
    s = 0.0
    for i in range(0, len(a) - n + 1, n):
        s += np.sum(a[i:i + n] * a[i:i + n]) * np.sum(a[i:i + n])
    return s

@njit("int64(int32[:])")
def integers(a):
    return np.sum(a * np.int64(3))

@njit(["complex128(complex128[:], complex128[:])", "complex64(complex64[:], complex64[:])"])
def complex_product(a, b):
    return np.dot(a, b)

@njit(["complex128(complex128[::1])", "complex128(complex128[:])", "complex64(complex64[:])"])
def complex_total(a):
    return np.sum(a)

@njit(["complex128(complex128[:], complex128[:])", "complex64(complex64[:], complex64[:])"])
def products_of_both(a, b):
    return np.sum(a * b)

@njit("complex128(complex128[:], complex128[:])")
def projected(a, b):
    return np.vdot(a, b) / a.mean()

@njit("complex128(complex128[:, :], int64)")
def of_a_window(a, n):
    return np.sum(a[:n, 1:]) + a[:, :n].sum() + np.mean(a[0])

@njit(["complex128[:](complex128[:, :])", "float64[:](float64[:, :])"])
def of_rows(a):
    return np.sum(a, axis=1)

@njit(["complex128[:](complex128[:, :])", "float64[:](float64[:, :])"])
def row_by_row(a):
    out = np.empty(a.shape[0], a.dtype)
    for i in range(a.shape[0]):
        out[i] = np.sum(a[i] * a[i])
    return out

@njit("float64(complex128[:])")
def powers(a):
    return np.sum(a.real ** 2 + a.imag ** 2) + np.sum(np.abs(a))

@njit("complex128(complex128[:], float64[:])")
def mixed(a, x):  # with a real factor, an exponential, a choice and a constant
    return np.sum(a * x) + np.sum(np.exp(1j * x)) + np.sum(np.where(x > 0, a, 2j)) + np.sum(a ** 2 / (x + 3j)) + np.sum(a - 1)
'''
built, strict = Batch("totals"), Batch("totals_strict", options=["--fp=strict"])
built.add(SOURCE)
strict.add(SOURCE)
SIZES = [0, 1, 2, 15, 16, 17, 31, 32, 33, 47, 48, 63, 64, 65, 100, 127, 128, 129, 1000, 4096, 10007]


def numbers(n, dtype="f8", seed=0):
    rng = np.random.default_rng(seed + n)
    x = rng.normal(size=n) * 10.0 ** rng.integers(-4, 5, n)
    return (x + 1j * rng.normal(size=n)).astype(dtype) if np.dtype(dtype).kind == "c" else x.astype(dtype)


def layouts(n, dtype):
    x = numbers(n, dtype)
    return [x, np.repeat(x, 2)[::2], x[::-1]]


def in_order(terms):
    s = terms.dtype.type(0)
    for t in terms:
        s = s + t
    return s


def near(found, terms, eps):
    """No further from the sum than n roundings of the sum of magnitudes."""
    wide = terms.astype(np.longdouble)
    return abs(np.longdouble(found) - wide.sum()) <= eps * max(len(terms), 1) * np.abs(wide).sum()


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("dtype", ["f8", "f4"])
def test_sums(n, dtype):
    eps = np.finfo(dtype).eps
    for x in layouts(n, dtype):
        y = numbers(n, dtype, 7)
        for found, terms in (built.total(x), x), (built.squares(x), x * x), (built.product(x, y), x * y):
            assert near(found, terms, eps)
            if n < (64 if dtype == "f8" else 128):
                assert found == in_order(terms)
        for found, terms in (strict.total(x), x), (strict.squares(x), x * x), (strict.product(x, y), x * y):
            assert found == in_order(terms)


def in_two_parts(z):
    return complex(in_order(z.real), in_order(z.imag))


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("dtype", ["c16", "c8"])
def test_sums_of_complex_numbers(n, dtype):
    """Their real and imaginary parts are two sums."""
    eps = np.finfo(dtype).eps
    for x in layouts(n, dtype):
        y = numbers(n, dtype, 7)
        re = x.real * y.real - x.imag * y.imag
        product = (re + 1j * (x.real * y.imag + x.imag * y.real)).astype(dtype)
        for module in built, strict:
            for found, terms in (module.complex_total(x), x), (module.complex_product(x, y), product), (module.products_of_both(x, y), product):
                assert near(found.real, terms.real, eps) and near(found.imag, terms.imag, eps)
                if module is strict or n < (32 if dtype == "c16" else 64):
                    assert found == in_two_parts(terms)


@pytest.mark.parametrize("n", [n for n in SIZES if n])
def test_of_complex_expressions(n):
    a, b, x = numbers(n, "c16") / 1e3, numbers(n, "c16", 5) / 1e3, numbers(n, seed=3) / 1e3
    for module in built, strict:
        assert module.projected(a, b) == pytest.approx(np.vdot(a, b) / a.mean(), rel=1e-9)
        assert module.powers(a) == pytest.approx(np.sum(np.abs(a) ** 2) + np.sum(np.abs(a)), rel=1e-12)
        assert module.mixed(a, x) == pytest.approx(np.sum(a * x) + np.sum(np.exp(1j * x)) + np.sum(np.where(x > 0, a, 2j))
                                                   + np.sum(a ** 2 / (x + 3j)) + np.sum(a - 1), rel=1e-9)
        m = np.outer(a[:70], b[:40])
        for one in m, m.T, m[::-1, ::2]:
            for k in 0, 1, 39:
                assert module.of_a_window(one, k) == pytest.approx(np.sum(one[:k, 1:]) + one[:, :k].sum() + np.mean(one[0]), rel=1e-9)


@pytest.mark.parametrize("shape", [(0, 0), (0, 5), (3, 0), (3, 3), (1, 100), (100, 1), (7, 33), (33, 7), (64, 64)])
def test_of_two_dimensions(shape):
    a = numbers(shape[0] * shape[1]).reshape(shape)
    for one in a, np.asfortranarray(a), np.repeat(a, 2, axis=1)[:, ::2], a[::-1, ::-1], a.T:
        assert near(built.total_of_rows(one), a.ravel(), 2.0 ** -52)
        v = numbers(one.shape[1], seed=3)
        for row, found in zip(one, built.products(one, v)):
            assert near(found, row * v, 2.0 ** -52)


@pytest.mark.parametrize("n", [n for n in SIZES if n])
def test_of_functions(n):
    a, b, z = numbers(n) / 1e3, numbers(n, seed=9) / 1e3, numbers(n, "c16")
    assert built.distance(a, b) == pytest.approx(np.sqrt(np.sum(np.exp(-np.abs(a - b)) * (a > b))), rel=1e-13)
    assert near(built.mean(a) * n, a, 2.0 ** -50)
    for x in a, z:
        assert built.variance(x) == pytest.approx(np.var(x), rel=1e-11)
        assert built.length(x) == pytest.approx(np.linalg.norm(x), rel=1e-13)
    assert built.complex_product(z, z[::-1]) == pytest.approx(np.dot(z, z[::-1]), rel=1e-9)
    assert built.integers(np.arange(n, dtype="i4")) == 3 * n * (n - 1) // 2
    for part in 3, 40:
        pieces = a[:n // part * part].reshape(-1, part)
        assert built.of_parts(a, part) == pytest.approx(np.sum(np.sum(pieces ** 2, axis=1) * np.sum(pieces, axis=1)), rel=1e-9, abs=1e-9)


def test_what_is_no_number():
    for n in 5, 50, 500:
        a = np.ones(n)
        for value in np.nan, np.inf, -np.inf, -0.0, 5e-324, 1e308:
            for k in 0, n // 2, n - 1:
                b = a.copy()
                b[k] = value
                assert repr(built.total(b)) == repr(float(in_order(b))) or n > 63 and built.total(b) == pytest.approx(np.sum(b), nan_ok=True)
        assert repr(built.total(np.full(n, -0.0))) == repr(strict.total(np.full(n, -0.0)))
        assert np.isnan(built.total(np.array([np.inf, -np.inf] * n)))
    assert built.total(np.empty(0)) == 0.0 and not np.signbit(built.total(np.empty(0)))
    assert built.length(np.full(100, 1e200)) == pytest.approx(1e201) and built.length(np.full(100, 1e-200)) == pytest.approx(1e-199)


SHOWN = """
import numpy as np, totals_everywhere as m
for n in 40, 333, 5000:
    x, y = np.sin(np.arange(n) * 1.7), np.cos(np.arange(n) * 0.3)
    for a, b in (x, y), (x.astype("f4"), y.astype("f4")):
        print(m.total(a).hex(), m.squares(a).hex(), m.product(a, b).hex())
    print(m.variance(x).hex(), m.length(y).hex(), m.mean(x).hex())
    z, w = x + 1j * y, y - 1j * x
    print(*(f"{v.real.hex()},{v.imag.hex()}" for v in (m.complex_total(z), m.complex_product(z, w), m.products_of_both(z, w))))
"""


def test_rows_add_as_arrays_do():
    for n in 5, 31, 32, 63, 64, 100, 333:
        for z in (numbers(n * 40) + 1j * numbers(n * 40, seed=2)).reshape(40, n), numbers(n * 40).reshape(40, n):
            whole = built.complex_total if z.dtype == complex else built.total
            product = built.products_of_both if z.dtype == complex else built.product
            assert np.array_equal(built.of_rows(z), [whole(row) for row in z])
            assert np.array_equal(built.row_by_row(z), [product(row, row) for row in z])


def in_pairs(x, count):
    """One number, the sum of `count` sums."""
    rows = x.reshape(-1, count)
    lanes = rows[0].copy()
    for row in rows[1:]:
        lanes += row
    while len(lanes) > 1:
        lanes = lanes[:len(lanes) // 2] + lanes[len(lanes) // 2:]
    return lanes


def test_they_are_made_side_by_side():
    """As partial sums, in pairs: np.sum of an array as it lies and of an expression alike; not so under --fp=strict."""
    for n in 64, 65, 79, 333:
        x = np.sin(np.arange(n) * 1.7) * 10.0 ** (np.arange(n) % 7)
        whole = n - n % 16
        wanted = in_order(np.concatenate([in_pairs(x[:whole], 16), x[whole:]]))
        ones = np.ones(n)
        assert built.total(x) == wanted and built.product(x, ones) == wanted != in_order(x)
        assert strict.total(x) == strict.product(x, ones) == in_order(x)
        z = x + 1j * x[::-1]
        halves = [in_order(np.concatenate([in_pairs(part[:n - n % 8], 8), part[n - n % 8:]])) for part in (z.real, z.imag)]
        assert built.complex_total(z) == built.products_of_both(z, ones + 0j) == complex(*halves)


def test_every_processor_adds_alike():
    folder = build(PROLOGUE + SOURCE, "totals_everywhere", every_processor=True)
    found, bodies = set(), 0
    flags = pathlib.Path("/proc/cpuinfo").read_text()
    for body, needs in ("v2", "sse4_2"), ("v3", "avx2"), ("v4", "avx512bw"):
        if needs not in flags:
            continue
        done = subprocess.run([sys.executable, "-c", SHOWN], cwd=folder, env={**os.environ, "PYK2CU_CPU": body}, capture_output=True,
                              text=True)
        assert done.returncode == 0, done.stderr
        found.add(done.stdout)
        bodies += 1
    if bodies < 2:
        pytest.skip("a processor with one body")
    assert len(found) == 1 and len(found.pop().split()) == 36
