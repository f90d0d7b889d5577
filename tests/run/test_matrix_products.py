"""Products of matrices and vectors by pyk/lanes/product.h against NumPy: every layout, type and instruction set, sizes about those of tiles, strips, panels and blocks.

Of whole numbers, whose sums are exact in any order, fused or not; in order and rounded twice with --fp=strict.
"""
import itertools
from fractions import Fraction

import numpy as np
import pytest
from conftest import Batch, outcome_of

TYPES = {"f8": "float64", "f4": "float32", "c16": "complex128", "c8": "complex64"}
LAYOUTS = {"c": ":,::1", "f": "::1,:", "a": ":,:"}
MATRICES = {kind: ["cc", "cf", "ca", "fc", "ff", "fa", "ac", "af", "aa"] if kind == "f8" else ["cc", "fa", "af"] for kind in TYPES}
VECTORS = {kind: "cfa" if kind == "f8" else "ca" for kind in TYPES}
CASES = [(kind, a, b) for kind in TYPES for a, b in MATRICES[kind]]
TEXT = "".join(f'''
@njit("{TYPES[kind]}[:,::1]({TYPES[kind]}[{LAYOUTS[a]}], {TYPES[kind]}[{LAYOUTS[b]}])")
def matrices_{kind}_{a}{b}(a, b):
    return a @ b
''' for kind, a, b in CASES) + "".join(f'''
@njit("{TYPES[kind]}[::1]({TYPES[kind]}[{LAYOUTS[a]}], {TYPES[kind]}[:])")
def rows_{kind}_{a}(a, x):
    return a @ x

@njit("{TYPES[kind]}[::1]({TYPES[kind]}[:], {TYPES[kind]}[{LAYOUTS[a]}])")
def columns_{kind}_{a}(x, a):
    return np.dot(x, a)

@njit("{TYPES[kind]}[::1]({TYPES[kind]}[{LAYOUTS[a]}], {TYPES[kind]}[::1])")
def rows_of_whole_{kind}_{a}(a, x):
    return a @ x
''' for kind in TYPES for a in VECTORS[kind])
OTHERS = '''
Pair = numba.from_dtype(np.dtype([("z", np.complex128), ("x", np.float64)], align=True))

@njit(numba.complex128[:,::1](Pair[:,::1], numba.complex128[:,::1]))
def of_fields(a, b):
    return a["z"] @ b

@njit(numba.float64[:,::1](Pair[:,::1], numba.float64[:,::1]))
def of_last_fields(a, b):
    return b @ a.x

@njit("float64(float64[:,::1], int64)")
def powers(a, n):
    """The result is an operand of the next one; a product inside of a loop, of views."""
    p = a.copy()
    for k in range(n):
        p = p @ a[k % 2 * 0:]
        p[0, 0] += 1.0
    return p.sum()

@njit("float64[:,::1](float64[:,::1], float64[:,::1], float64[:,::1])")
def into_an_array(a, b, c):
    c[1:, :] = a @ b + c[:1, :]
    return c @ c.T

@njit("float64[:,:,::1](float64[:,:,:], float64[:,:,:])", parallel=True)
def many(a, b):
    out = np.zeros((len(a), a.shape[1], b.shape[2]))
    for i in prange(len(a)):
        out[i] = a[i] @ b[i]
    return out

@njit("float64[:,:](float64[:,::1], float64[:,::1], float64[:,:])")
def into_out(a, b, c):
    np.dot(a, b, c)
    return np.dot(b.T, a.T, out=c.T)

@njit("float64[::1](float64[:,::1], float64[::1])")
def onto_itself(a, x):
    np.dot(a, x, out=x)
    return x

@njit("float64[:,::1](float64[:,::1], float64[:,::1])", fastmath=True)
def fast(a, b):
    return a @ b
'''
OPTIONS = {"v2": ["--march=x86-64-v2"], "v3": ["--march=x86-64-v3"], "v4": ["--march=x86-64-v4"], "strict": ["--march=x86-64-v3", "--fp=strict"]}
FLAGS = open("/proc/cpuinfo").read()
HERE = [name for name in OPTIONS if name != "v4" or "avx512bw" in FLAGS]
MODULES = {name: Batch("matrix_products_" + name, options) for name, options in OPTIONS.items()}
for module in MODULES.values():
    module.add(TEXT)
DEFAULT = Batch("matrix_products")
DEFAULT.add(OTHERS)

SHAPES = [(m, k, n) for m in (0, 1, 2, 3, 9) for k in (0, 1, 2, 5) for n in (0, 1, 2, 3, 9)] + [
    (4, 4, 4), (7, 3, 6), (8, 8, 8), (16, 16, 16), (17, 33, 31), (24, 20, 20), (5, 100, 13), (3, 40, 17), (6, 6, 7), (13, 70, 12), (20, 200, 20),
    (2, 1000, 3), (12, 500, 40), (1, 300, 300), (300, 300, 1), (300, 2, 2), (70, 100, 300), (200, 7, 150), (190, 410, 290), (350, 260, 270), (33, 900, 5)]


def numbers(rng, shape, kind):
    a = rng.integers(-9, 10, shape).astype(kind)
    if kind.startswith("c"):
        a = (a + 1j * rng.integers(-9, 10, shape)).astype(kind)
    return a


def laid(a, layout):
    """The same elements as memory has them: an `a` has other strides, some negative or in another order."""
    if layout == "c":
        return np.ascontiguousarray(a)
    if layout == "f":
        return np.asfortranarray(a)
    if a.ndim == 1:
        return np.repeat(a, 3)[::3][::-1][::-1] if a.size % 2 else np.ascontiguousarray(a[::-1])[::-1]
    wide = np.zeros((a.shape[0] * 2 + 1, a.shape[1] + 3), a.dtype)
    if (a.shape[0] + a.shape[1]) % 2:
        wide = wide.T.copy().T
    view = wide[:a.shape[0] * 2:2, 2:2 + a.shape[1]]
    if a.shape[1] % 3 == 0:
        view = view[:, ::-1]
    view[...] = a
    return view


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("isa", HERE)
def test_products(kind, isa):
    rng = np.random.default_rng(5)
    for (m, k, n), (one, other) in itertools.product(SHAPES, MATRICES[kind]):
        if m * k * n > 10 ** 6 and one + other not in ("cc", "fa"):
            continue
        a, b = numbers(rng, (m, k), kind), numbers(rng, (k, n), kind)
        made = getattr(MODULES[isa], f"matrices_{kind}_{one}{other}")(laid(a, one), laid(b, other))
        assert made.dtype == a.dtype and made.flags.c_contiguous
        np.testing.assert_array_equal(made, a @ b, err_msg=str((m, k, n, one, other)))


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("isa", HERE)
def test_vectors(kind, isa):
    rng = np.random.default_rng(6)
    sizes = (0, 1, 2, 3, 4, 5, 7, 8, 15, 16, 31, 33, 64, 65, 200)
    for m, k, one, other in itertools.product(sizes, sizes, VECTORS[kind], "ca"):
        a, x, y = numbers(rng, (m, k), kind), numbers(rng, k, kind), numbers(rng, m, kind)
        where = str((m, k, one, other))
        np.testing.assert_array_equal(getattr(MODULES[isa], f"rows_{kind}_{one}")(laid(a, one), laid(x, other)), a @ x, err_msg=where)
        np.testing.assert_array_equal(getattr(MODULES[isa], f"columns_{kind}_{one}")(laid(y, other), laid(a, one)), y @ a, err_msg=where)
        if other == "c":
            np.testing.assert_array_equal(getattr(MODULES[isa], f"rows_of_whole_{kind}_{one}")(laid(a, one), x), a @ x, err_msg=where)


@pytest.mark.parametrize("kind", ["f8", "f4"])
def test_sums_are_in_order(kind):
    rng = np.random.default_rng(7)
    for m, k, n in [(3, 70, 5), (9, 300, 19), (40, 600, 33), (5, 40, 1), (1, 900, 3)]:
        a, b = rng.standard_normal((m, k)).astype(kind), rng.standard_normal((k, n)).astype(kind)
        wanted = np.zeros((m, n), kind)
        for i in range(k):
            wanted += a[:, i:i + 1] * b[i]
        strict = MODULES["strict"]
        np.testing.assert_array_equal(getattr(strict, f"matrices_{kind}_cc")(a, b), wanted)
        np.testing.assert_array_equal(getattr(strict, f"matrices_{kind}_fa")(np.asfortranarray(a), b), wanted)
        np.testing.assert_array_equal(getattr(strict, f"rows_{kind}_c")(a, b[:, 0].copy()), wanted[:, 0])
        if n > 1:
            np.testing.assert_array_equal(getattr(MODULES["v2"], f"matrices_{kind}_cc")(a, b), wanted)


@pytest.mark.parametrize("isa", [isa for isa in HERE if isa in ("v3", "v4")])
def test_steps_are_fused(isa):
    """Each step is rounded once."""
    rng = np.random.default_rng(11)
    for m, k, n in [(3, 250, 5), (9, 30, 19)]:
        a, b = rng.standard_normal((m, k)), rng.standard_normal((k, n))
        made = MODULES[isa].matrices_f8_cc(a, b)
        for i, j in itertools.product(range(m), range(n)):
            total = 0.0
            for x, y in zip(a[i], b[:, j]):
                total = float(Fraction(total) + Fraction(x) * Fraction(y))
            assert made[i, j] == total


def test_complex_sums_are_in_order():
    rng = np.random.default_rng(10)
    a, b = rng.standard_normal((2, 9, 300)), rng.standard_normal((2, 300, 19))
    wanted = np.zeros((2, 9, 19))
    for i in range(300):
        (re, im), (x, y) = a[:, :, i:i + 1], b[:, i]
        wanted += re * x - im * y, re * y + im * x
    np.testing.assert_array_equal(MODULES["strict"].matrices_c16_cc(a[0] + 1j * a[1], b[0] + 1j * b[1]), wanted[0] + 1j * wanted[1])


@pytest.mark.parametrize("isa", HERE)
def test_one_element_is_no_number(isa):
    """What is no number stays in its row and its column."""
    for m, k, n in [(5, 5, 5), (9, 30, 19), (3, 400, 3), (20, 40, 35)]:
        a, b = np.ones((m, k)), np.ones((k, n))
        a[m // 2, k - 1], b[0, n - 1] = np.nan, np.inf
        with np.errstate(invalid="ignore"):
            np.testing.assert_array_equal(MODULES[isa].matrices_f8_cc(a, b), a @ b)


def test_fields_of_records():
    rng = np.random.default_rng(8)
    records = np.zeros((9, 21), np.dtype([("z", np.complex128), ("x", np.float64)], align=True))
    records["z"], records["x"] = numbers(rng, (9, 21), "c16"), numbers(rng, (9, 21), "f8")
    b, c = numbers(rng, (21, 6), "c16"), numbers(rng, (4, 9), "f8")
    np.testing.assert_array_equal(DEFAULT.of_fields(records, b), records["z"] @ b)
    np.testing.assert_array_equal(DEFAULT.of_last_fields(records, c), c @ records["x"])


def test_among_other_things():
    rng = np.random.default_rng(9)
    a = numbers(rng, (6, 6), "f8")
    assert DEFAULT.powers(a, 3) == DEFAULT.plain.powers(a, 3)
    b, c = numbers(rng, (6, 11), "f8"), numbers(rng, (7, 11), "f8")
    wanted = c.copy()
    np.testing.assert_array_equal(DEFAULT.into_an_array(a, b, c), DEFAULT.plain.into_an_array(a, b, wanted))
    np.testing.assert_array_equal(c, wanted)
    x, y = numbers(rng, (50, 5, 7), "f8"), numbers(rng, (50, 7, 9), "f8")
    np.testing.assert_array_equal(DEFAULT.many(x, y), x @ y)
    np.testing.assert_array_equal(DEFAULT.fast(x[0], y[0]), x[0] @ y[0])


def test_results_into_arrays():
    rng = np.random.default_rng(12)
    a, b, c = numbers(rng, (4, 5), "f8"), numbers(rng, (5, 3), "f8"), np.zeros((8, 6))
    made = DEFAULT.into_out(a, b, c[::2, ::2])
    np.testing.assert_array_equal(made, (a @ b).T)
    np.testing.assert_array_equal(c[::2, ::2], a @ b)
    assert not c[1::2].any() and not c[:, 1::2].any()
    with pytest.raises(ValueError, match="incompatible output array size"):
        DEFAULT.into_out(a, b, np.zeros((3, 4)))
    x = numbers(rng, 6, "f8")
    square = numbers(rng, (6, 6), "f8")
    wanted = square @ x
    assert DEFAULT.onto_itself(square, x).tolist() == wanted.tolist() == x.tolist()


def test_what_does_not_fit_raises():
    for a, b in [((3, 4), (3, 4)), ((0, 1), (0, 1))]:
        error = outcome_of(DEFAULT.fast, [np.ones(a), np.ones(b)])
        assert isinstance(error, ValueError) and "incompatible array sizes" in str(error)
