"""Array expressions and sums of functions with parallel=True: shared among threads, the values of NumPy."""
import numpy as np
import pytest
from conftest import Batch

MADE = Batch("shared_arrays")
TEXTS = {
    "np.sum(a * b)": "float64", "a.sum()": "float64", "np.mean(a)": "float64", "np.mean(a ** 2)": "float64", "np.std(a - b)": "float64",
    "np.var(a)": "float64", "np.max(a) - np.min(b)": "float64", "np.prod(a / 2 + 0.75)": "float64", "(a > b).sum()": "int64",
    "np.sum(np.where(a > b, a, -b))": "float64", "np.mean(a * 1j)": "complex128", "np.sum(a.astype(np.int64) // 3)": "int64",
    "np.mean(a > b)": "float64", "a * b + 1.0": "float64[:]", "(a - np.mean(a)) / (np.std(b) + 1)": "float64[:]",
}
for k, (text, result) in enumerate(TEXTS.items()):
    MADE.add(f'@njit("{result}(float64[:], float64[:])", parallel=True)\ndef f{k}(a, b):\n    return {text}\n')
MADE.add("""
@njit("float64[:](float64[:,:], float64[:])", parallel=True)
def nested(a, b):
    out = np.empty(a.shape[0])
    for i in prange(a.shape[0]):
        out[i] = np.sum(a[i] * b) + a[i].mean()
    return out

@njit("void(float64[:,:], float64[:])", parallel=True)
def in_place(a, b):
    a += b
    a[1:] = a[:-1] * 2.0
    a[:, 0] *= 3.0

@njit("int64[:](int64[:], int64[:])", parallel=True)
def divides(a, b):
    return a // b
""")


@pytest.mark.parametrize("n", [1, 2, 100, 50_000])
@pytest.mark.parametrize("k, text", enumerate(TEXTS), ids=TEXTS)
def test_values(k, text, n):
    rng = np.random.default_rng(n)
    a, b = rng.random(n), rng.random(n)
    for x, y in ((a, b), (np.repeat(a, 2)[::2], b[::-1])):
        np.testing.assert_allclose(getattr(MADE, f"f{k}")(x, y), eval(text, {"a": x, "b": y, "np": np}), rtol=1e-9, atol=1e-12)


def test_nothing_to_add_up():
    empty = np.zeros(0)
    assert MADE.f1(empty, empty) == 0.0
    assert np.isnan(MADE.f2(empty, empty)) and np.isnan(MADE.f5(empty, empty))


def test_inside_of_a_prange():
    a, b = np.random.default_rng(1).random((300, 70)), np.random.default_rng(2).random(70)
    np.testing.assert_allclose(MADE.nested(a, b), a @ b + a.mean(axis=1))


def test_in_place():
    a, b = np.random.default_rng(1).random((300, 70)), np.random.default_rng(2).random(70)
    expected = a + b
    expected[1:] = expected[:-1] * 2.0
    expected[:, 0] *= 3.0
    MADE.in_place(a, b)
    np.testing.assert_array_equal(a, expected)


def test_divisions_by_zero():
    a = np.arange(50_000)
    b = np.where(a == 40_000, 0, 7)
    np.testing.assert_array_equal(MADE.divides(a, b), np.where(b == 0, 0, a // 7))


def test_threads_are_asked_for():
    assert MADE.emitted.count("#pragma omp parallel for") >= len(TEXTS)


EXTREMES = Batch("extremes_of_arrays")
for dtype in ("float64", "float32", "int8", "uint16", "int32", "int64", "uint64", "boolean"):
    EXTREMES.add(f'@njit("{dtype}({dtype}[::1])")\ndef least_{dtype}(a):\n    return np.min(a)\n')
    EXTREMES.add(f'@njit("{dtype}({dtype}[::1])")\ndef most_{dtype}(a):\n    return np.max(a)\n')


@pytest.mark.parametrize("dtype", ["float64", "float32", "int8", "uint16", "int32", "int64", "uint64", "boolean"])
def test_extremes(dtype):
    rng = np.random.default_rng(3)
    for n in (1, 2, 7, 31, 32, 33, 63, 64, 65, 127, 255, 256, 257, 1000):
        a = (rng.integers(0, 2**63, n, np.uint64) if dtype == "uint64" else rng.integers(-100, 100, n)).astype(np.dtype(dtype.replace("ean", "")))
        assert getattr(EXTREMES, f"least_{dtype}")(a) == a.min() and getattr(EXTREMES, f"most_{dtype}")(a) == a.max()


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_extremes_of_odd_numbers(dtype):
    """NaN anywhere is the result; of zeros it is the first; infinities."""
    rng = np.random.default_rng(4)
    for n in (33, 100, 257):
        for at in (0, 1, n // 2, n - 1):
            a = rng.standard_normal(n).astype(dtype)
            a[at] = np.inf
            assert getattr(EXTREMES, f"most_{dtype}")(a) == np.inf
            a[at] = np.nan
            assert np.isnan(getattr(EXTREMES, f"most_{dtype}")(a)) and np.isnan(getattr(EXTREMES, f"least_{dtype}")(a))
            zeros = np.zeros(n, dtype)
            zeros[at:] = -0.0
            first = np.copysign(1, zeros[0])
            assert np.copysign(1, getattr(EXTREMES, f"most_{dtype}")(zeros)) == first
            assert np.copysign(1, getattr(EXTREMES, f"least_{dtype}")(zeros)) == first
