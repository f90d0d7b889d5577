"""Loops for vector registers: math of their own, and checks that run a strip ahead."""
import json
import math

import numpy as np
import pytest
from conftest import Batch, run_pyk2cu

batch = Batch("lanes", every_processor=True)
native = Batch("lanes_native", ["--march=native"])
strict = Batch("lanes_strict", ["--fp=strict"])

ONE = {"exp": "math.exp", "exp2": "np.exp2", "expm1": "math.expm1", "log": "np.log", "log2": "math.log2",
       "log10": "np.log10", "log1p": "math.log1p", "sin": "np.sin", "cos": "math.cos", "tan": "np.tan",
       "arcsin": "math.asin", "arccos": "np.arccos", "arctan": "math.atan", "sinh": "np.sinh", "cosh": "math.cosh",
       "tanh": "np.tanh", "erf": "math.erf", "erfc": "math.erfc", "gamma": "math.gamma", "cbrt": "np.cbrt"}
TWO = {"arctan2": "np.arctan2", "power": "math.pow", "hypot": "np.hypot"}
MATH = "".join(f'''
@njit(["void(float64[::1], float64[::1])", "void(float32[::1], float32[::1])"])
def {name}(x, out):
    for i in range(len(x)):
        out[i] = {function}(x[i])
''' for name, function in ONE.items()) + "".join(f'''
@njit(["void(float64[::1], float64[::1], float64[::1])", "void(float32[::1], float32[::1], float32[::1])"])
def {name}(x, y, out):
    for i in range(len(x)):
        out[i] = {function}(x[i], y[i])
''' for name, function in TWO.items())
for b in (batch, native, strict):
    b.add(MATH)

batch.add('''
@njit("void(float64[:], float64[:], float64[:])")
def divide(a, b, out):
    for i in range(len(a)):
        out[i] = a[i] / b[i]

@njit("void(float64[:], float64[:], float64[:])", parallel=True)
def divide_parallel(a, b, out):
    for i in prange(len(a)):
        out[i] = a[i] / b[i]

@njit("void(float64[:], float64[:])")
def in_place(a, b):
    for i in range(len(a)):
        a[i] = (a[i] + 1.0) / b[i] + 1.0 / a[i]

@njit("float64[:](int64[:], float64[:], int64)")
def explained(key, a, limit):
    out = np.zeros(len(key))
    for i in range(len(key)):
        if key[i] > limit:
            raise ValueError("over the limit", key[i])
        scaled = a[i] * 0.5
        if key[i] < 0:
            scaled = -scaled
        out[i] = 1.0 / scaled
    return out

@njit("void(float32[:,:], float32[:,:], int64)")
def columns(a, out, k):
    for i in range(k, a.shape[0]):
        for j in range(1, a.shape[1]):
            out[i, j] = a[i, j] / a[k, j]
''')

strict.add('''
@njit("float64(float64[:], float64)", parallel=True, fastmath=True)
def total(a, k):
    acc = 0.0
    for i in prange(len(a)):
        acc += a[i] * k + 1.0
    return acc
''')

INTEGERS = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]
for name in INTEGERS:
    for source in ("float32", "float64"):
        batch.add(f'''
        @njit("void({source}[::1], {name}[::1])")
        def {source}_to_{name}(x, out):
            for i in range(len(x)):
                out[i] = np.{name}(x[i])
        ''')

SIZES = [0, 1, 2, 13, 255, 256, 257, 1000]


def in_order(size, step):
    """Runs step(i) for every i as CPython would; the exception, or None."""
    try:
        for i in range(size):
            step(i)
    except (ZeroDivisionError, ValueError) as error:
        return error
    return None


def raised(function, *arguments):
    try:
        function(*arguments)
    except (ZeroDivisionError, ValueError) as error:
        return error
    return None


def same(ours, theirs):
    """CPython's texts of ZeroDivisionError differ from version to version."""
    return type(ours) is type(theirs) and (not isinstance(ours, ValueError) or ours.args == theirs.args)


def zero_places(size):
    return [None] + [k for k in (0, 1, size // 2, 255, 256, size - 1) if 0 <= k < size]


# ---- vector math ------------------------------------------------------------------------------------
def ulps(got, exact, dtype):
    """Distance from the value in higher precision, in units of the last place of its rounding."""
    rounded = exact.astype(dtype)
    with np.errstate(invalid="ignore", over="ignore"):
        unit = np.spacing(np.minimum(np.abs(rounded), np.finfo(dtype).max).astype(dtype)).astype(np.longdouble)
        off = np.abs(got.astype(np.longdouble) - exact) / unit
    both = (np.isnan(got) & np.isnan(exact)) | (got == rounded)
    return np.where(both, 0, off)


PI = np.longdouble("3.14159265358979323846264338327950288")


def erf(x):
    """2 / sqrt(pi) * exp(-x*x) * sum of 2**n * x**(2*n + 1) / (1 * 3 * … * (2*n + 1)), no term of it negative."""
    y = np.minimum(np.abs(x), 7)
    term, total = y.copy(), y.copy()
    for n in range(1, 260):
        term = term * (2 * y * y / (2 * n + 1))
        total = total + term
    return np.copysign(np.where(x == 0, y, np.minimum(1, total * np.exp(-y * y) * 2 / np.sqrt(PI))), x)


def erfc(x):
    """1 - erf where that loses little, else exp(-x*x) / sqrt(pi) times a continued fraction."""
    y = np.minimum(np.abs(x), 200)
    fraction = y
    for n in range(300, 0, -1):
        fraction = y + np.longdouble(n) / 2 / fraction
    start = y.astype(np.float32).astype(np.longdouble)
    tail = np.exp(-start * start) * np.exp(-(y - start) * (y + start)) / (np.sqrt(PI) * fraction)
    return np.where(x > 1.5, tail, 1 - erf(x))


def gamma(x):
    """Stirling's series from 30 on; down to there by gamma(x + 1) / x, and by reflection."""
    size = np.abs(x)
    y = np.minimum(size, 300)
    below, w = np.ones_like(y), y
    for _ in range(30):
        below, w = np.where(w < 30, below * w, below), np.where(w < 30, w + 1, w)
    terms = [(1, 12), (-1, 360), (1, 1260), (-1, 1680), (1, 1188), (-691, 360360), (1, 156), (-3617, 122400)]
    series = sum(np.longdouble(a) / b / w**(2 * n + 1) for n, (a, b) in enumerate(terms))
    positive = np.sqrt(2 * PI / w) * np.exp(series) * np.power(w / np.exp(np.longdouble(1)), w) / below
    r = size - np.rint(size)
    sine = np.sin(PI * r) * np.where(np.rint(size) % 2 == 0, 1, -1)
    negative = np.where((r == 0) | (x == -np.inf), np.nan, np.where(y == 300, np.copysign(0, -sine), -PI / (y * sine * positive)))
    return np.where(x == 0, 1 / x, np.where(x > 0, np.where(x > 200, np.inf, positive), np.where(x < 0, negative, x)))


EXACT = {"erf": erf, "erfc": erfc, "gamma": gamma}


def special_values(dtype):
    info = np.finfo(dtype)
    x = [0.0, info.smallest_subnormal, info.tiny, info.max, math.inf, math.nan, 0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 22.0,
         math.pi / 4, math.pi / 2, math.pi, math.sqrt(0.5), 88.7, 709.7, 1e10, 1e22, 2.0**52, 2.0**53 - 1, 2.0**24 - 1]
    x = np.array(x, dtype)
    with np.errstate(over="ignore"):
        x = np.concatenate([x, np.nextafter(x, dtype(0)), np.nextafter(x, dtype(math.inf))])
    return np.concatenate([x, -x])


def arguments(dtype):
    """Special values, and values of every size, around 0, around 1, and where exp neither over- nor underflows."""
    info, rng = np.finfo(dtype), np.random.default_rng(1)
    top, size = math.log(float(info.max)), 12000
    sizes = np.exp2(rng.uniform(math.log2(info.tiny) - 20, math.log2(float(info.max)), size))
    parts = [sizes, rng.uniform(0, 1.06 * top, size), rng.uniform(0, 2, size), 1 + rng.uniform(-1e-3, 1e-3, 2000),
             rng.uniform(0, 30, size), np.arange(2000) * (math.pi / 4), info.tiny * rng.random(2000)]
    x = np.concatenate(parts).astype(dtype)
    return np.concatenate([special_values(dtype), x, -x])


def pairs(dtype):
    special, x = special_values(dtype), arguments(dtype)
    rng = np.random.default_rng(2)
    y = rng.permutation(x)
    # powers from the least to the largest, angles and sides of similar size
    base = np.abs(x[:20000])
    with np.errstate(all="ignore"):
        power = (rng.uniform(-1.1, 1.1, 20000) * np.finfo(dtype).maxexp / np.log2(base)).astype(dtype)
        near = (x * rng.uniform(0.2, 5, len(x))).astype(dtype)
    first = [np.repeat(special, len(special)), x, base, x]
    second = [np.tile(special, len(special)), y, power, near]
    return np.concatenate(first), np.concatenate(second)


def assert_near(function, exact, limit, *values):
    got = np.empty_like(values[0])
    function(*values, got)
    off = ulps(got, exact, got.dtype)
    worst = np.argmax(np.where(np.isnan(off), np.inf, off))
    assert off[worst] <= limit, ([v[worst] for v in values], got[worst], off[worst])
    zeros = np.flatnonzero((got == 0) & (np.signbit(got) != np.signbit(exact)))
    assert not len(zeros), [v[zeros[0]] for v in values]
    short = np.empty_like(got[:7])  # the same where no vector is filled
    function(*(v[:7].copy() for v in values), short)
    assert np.array_equal(short, got[:7], equal_nan=True)


@pytest.mark.skipif(np.finfo(np.longdouble).nmant < 60, reason="needs a wider type than double to compare with")
@pytest.mark.parametrize("module", [batch, native, strict], ids=["plain", "native", "strict"])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("name", [*ONE, *TWO])
def test_functions(module, dtype, name):
    limit = 4 if name in ("erfc", "gamma") else 2
    if module is strict:
        limit = 0.9 if name in ("exp", "log", "sin", "cos", "power") else 8  # those are libm's
    values = (arguments(dtype),) if name in ONE else pairs(dtype)
    with np.errstate(all="ignore"):
        exact = EXACT.get(name, getattr(np, name, None))(*(v.astype(np.longdouble) for v in values))
        assert_near(getattr(module, name), exact, limit, *values)


@pytest.mark.parametrize("module", [batch, native], ids=["plain", "native"])
def test_hardest_angles(module):
    """Where there is FMA; without it they are libm's. Near multiples of pi/2; of the latter two glibc 2.36 has 35 bits of the lesser value right."""
    x = np.array([float.fromhex(v) for v in ("0x1.6ac5b262ca1ffp+849", "0x1.4c96c11134d36p+578", "0x1.69eab0985179bp+246")])
    sin, cos = np.empty(3), np.empty(3)
    module.sin(x, sin)
    module.cos(x, cos)
    assert [v.hex() for v in sin] == ["0x1.0000000000000p+0", "-0x1.6ec67bcf77522p-58", "-0x1.0000000000000p+0"]
    assert [v.hex() for v in cos] == ["-0x1.14ae72e6ba22fp-61", "-0x1.0000000000000p+0", "-0x1.61ecec9c577fdp-58"]


@pytest.mark.parametrize("name", INTEGERS)
@pytest.mark.parametrize("source", ["float32", "float64"])
def test_conversions(source, name):
    """Toward zero, the ends of the type outside of it, 0 for NaN: in vectors and alone."""
    powers = np.ldexp(1.0, np.arange(70))
    ends = np.concatenate([powers, powers - 1, powers + 0.5, np.nextafter(powers, 0), np.nextafter(powers, math.inf)])
    values = np.concatenate([ends, -ends, [0.0, -0.0, 0.999, -0.999, math.inf, -math.inf, math.nan, 1e30, -1e30]])
    values = values.astype(source)
    info, expected = np.iinfo(name), []
    for x in values.tolist():
        expected.append(0 if math.isnan(x) else info.max if x == math.inf else info.min if x == -math.inf
                        else max(info.min, min(info.max, math.trunc(x))))
    for start in range(9):
        out = np.empty(len(values) - start, name)
        getattr(batch, f"{source}_to_{name}")(values[start:].copy(), out)
        assert out.tolist() == expected[start:]


def test_strict_keeps_the_order_of_sums(tmp_path):
    a, expected = np.random.default_rng(5).standard_normal(100_001), 0.0
    for x in a.tolist():
        expected += x * 1.1 + 1.0
    assert strict.total(a, 1.1) == expected
    kernel = tmp_path / "kernel.py"
    kernel.write_text("from numba import cuda\n\n\n@cuda.jit('void(float64[:])')\ndef k(a):\n    a[0] = a[0] * a[1] + a[2]\n")
    for options, contracts in [([], True), (["--fp", "strict"], False)]:
        assert run_pyk2cu(kernel, "-o", tmp_path / "out", *options).returncode == 0
        flags = json.loads((tmp_path / "out/kernel.json").read_text())["cuda_flags"]
        assert ("-fmad=false" not in flags) == contracts


# ---- strips -----------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", ["divide", "divide_parallel"])
@pytest.mark.parametrize("step", [1, 2, -1])
def test_division(name, step):
    rng = np.random.default_rng(2)
    for size in SIZES:
        for place in zero_places(size):
            a, b = (rng.random(size * 2)[::2][::step if step != 2 else 1] + 1 for _ in range(2))
            if step == 1:
                a, b = np.ascontiguousarray(a), np.ascontiguousarray(b)
            out, expected = np.full(size, 7.0), np.full(size, 7.0)
            if place is not None:
                b[place] = 0.0

            def step_of(i):
                expected[i] = float(a[i]) / float(b[i])

            error = in_order(size, step_of)
            assert same(raised(getattr(batch, name), a, b, out), error)
            done = size if place is None else place
            assert np.array_equal(out[:done], expected[:done])
            if name == "divide":  # prange may have gone further
                assert np.array_equal(out, expected)


@pytest.mark.parametrize("shift", [-1, 0, 1, 3])
@pytest.mark.parametrize("shared", ["a", "b", "both"])
def test_overlapping_arguments(shift, shared):
    """What is stored may be what the next iterations divide by, zeros among it."""
    for size in SIZES:
        def arrays():
            data = np.random.default_rng(3).random(size + 8) + 0.5
            if size:
                data[size // 3 + 3] = 0.0
            other = np.linspace(1, 2, size)
            out, view = data[4:size + 4], data[4 + shift:size + 4 + shift]
            return data, (other if shared == "b" else view), (other if shared == "a" else view), out

        ours, a, b, out = arrays()
        theirs, c, d, expected = arrays()

        def step(i):
            expected[i] = float(c[i]) / float(d[i])

        assert same(raised(batch.divide, a, b, out), in_order(size, step))
        assert np.array_equal(ours, theirs, equal_nan=True)


def test_in_place():
    for size in SIZES:
        for place in zero_places(size):
            a, b = np.arange(size) + 1.0, np.arange(size) - 1000.5
            if place is not None:
                (a if place % 2 else b)[place] = 0.0
            expected = a.copy()

            def step(i):
                expected[i] = (float(expected[i]) + 1.0) / float(b[i]) + 1.0 / float(expected[i])

            assert same(raised(batch.in_place, a, b), in_order(size, step))
            assert np.array_equal(a, expected)


def test_shorter_divisors():
    """A strip never looks past the end of an array that the loop itself would not reach."""
    a, b, out = np.ones(1000), np.ones(1000)[:300], np.zeros(1000)
    b[270] = 0.0
    with pytest.raises(ZeroDivisionError):
        batch.divide(a, b, out)
    assert out[:270].all() and not out[270:].any()


def test_errors_of_the_source():
    for size in SIZES:
        for place in zero_places(size):
            key, a = np.arange(size) % 7 - 3, np.linspace(1, 2, size)
            if place is not None:
                if place % 2:
                    key[place] = 5
                else:
                    a[place] = 0.0
            expected = np.zeros(size)

            def step(i):
                if key[i] > 4:
                    raise ValueError("over the limit", int(key[i]))
                expected[i] = 1.0 / (float(a[i]) * (-0.5 if key[i] < 0 else 0.5))

            error = in_order(size, step)
            assert same(raised(batch.explained, key, a, 4), error)
            if error is None:
                assert np.array_equal(batch.explained(key, a, 4), expected)


def test_columns_of_the_same_array():
    """The row that divides is the first that is stored to: every order but the source's is wrong."""
    for shape in [(3, 5), (2, 300), (1, 1), (0, 9), (4, 256)]:
        for same_array in (True, False):
            a = (np.arange(shape[0] * shape[1]).reshape(shape) % 11 + 1).astype(np.float32)
            out = a if same_array else np.zeros_like(a)
            expected = a.copy()
            into = expected if same_array else np.zeros_like(a)
            for i in range(shape[0]):
                for j in range(1, shape[1]):
                    into[i, j] = expected[i, j] / expected[0, j]
            batch.columns(a, out, 0)
            assert np.array_equal(out, into)
