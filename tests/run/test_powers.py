"""x ** y of floats, in every spelling, alone and in lanes: CPython's values to a few units in the last place, exactly where
a constant makes it a root, a square or a reciprocal."""
import math

import numpy as np
import pytest
from conftest import Batch

EXPONENTS = ["0.5", "1.0", "2.0", "-1.0", "1.5", "-0.5", "0.0", "3.0", "-2.5", "y[i]"]
BASES = ["2.0", "10.0", "0.5", "1.0", "-2.0", "0.0"]
FORMS = ["{} ** {}", "math.pow({}, {})", "np.power({}, {})", "pow({}, {})"]
CELLS = [("x[i]", e) for e in EXPONENTS] + [(b, "y[i]") for b in BASES]
TEXT = ""
for f, form in enumerate(FORMS):
    for dtype in ("float64", "float32"):
        for k, (base, exponent) in enumerate(CELLS):
            power = form.format(*(f"np.{dtype}({p})" if "[" not in p else p for p in (base, exponent)))
            TEXT += f'''
@njit("void({dtype}[::1], {dtype}[::1], {dtype}[::1])", error_model="numpy")
def p{f}_{k}_{dtype}(x, y, out):
    for i in range(x.size):
        out[i] = {power}
'''
            if f == 0:
                TEXT += f'''
@njit("{dtype}({dtype}[::1], {dtype}[::1])", error_model="numpy")
def s{f}_{k}_{dtype}(x, y):
    i = len(x) - 1
    return {power}
'''
OPTIONS = {"default": [], "alone": ["--no-lanes"], "strict": ["--fp=strict"]}
MODULES = {name: Batch("powers_" + name, options) for name, options in OPTIONS.items()}
for module in MODULES.values():
    module.add(TEXT)
SPECIAL = [0.0, -0.0, 1.0, -1.0, 2.0, -2.0, 0.5, 3.0, -3.0, 1e-310, 1e300, -1e300, 1023.0, -1074.0, 2.5, math.inf, -math.inf, math.nan]


def numbers(dtype):
    rng = np.random.default_rng(7)
    some = np.concatenate([rng.uniform(-5, 50, 150), 10 ** rng.uniform(-30, 30, 100)])
    with np.errstate(over="ignore"):
        x, y = (np.concatenate([a.ravel(), some, b]).astype(dtype)
                for a, b in zip(np.meshgrid(SPECIAL, SPECIAL), (rng.uniform(0, 3, 250), rng.uniform(-3, 3, 250)), strict=True))
    return x, np.concatenate([y[:len(SPECIAL) ** 2], rng.uniform(-3, 3, 250), y[-250:]]).astype(dtype)


@pytest.mark.parametrize("built", list(OPTIONS))
@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("form", range(len(FORMS)))
def test_powers(built, dtype, form):
    x, y = numbers(dtype)
    for k, (base, exponent) in enumerate(CELLS):
        out = np.zeros_like(x)
        with np.errstate(all="ignore"):
            getattr(MODULES[built], f"p{form}_{k}_{dtype}")(x, y, out)
            b, e = (np.full_like(x, float(p)) if "[" not in p else {"x": x, "y": y}[p[0]] for p in (base, exponent))
            expected = np.power(b.astype(np.float64), e.astype(np.float64)).astype(dtype)
        np.testing.assert_array_equal(np.isnan(out), np.isnan(expected), err_msg=f"{base} ** {exponent}")
        np.testing.assert_array_equal(np.isinf(out), np.isinf(expected), err_msg=f"{base} ** {exponent}")
        finite = np.isfinite(expected)
        error = np.abs(out[finite] - expected[finite])
        assert np.all(error <= 2 * np.spacing(np.abs(expected[finite]))), (base, exponent)
        np.testing.assert_array_equal(np.signbit(out[finite]), np.signbit(expected[finite]), err_msg=f"{base} ** {exponent}")
        for n in (1, len(SPECIAL), len(x)) if form == 0 else ():
            with np.errstate(all="ignore"):
                one = getattr(MODULES[built], f"s{form}_{k}_{dtype}")(x[:n], y[:n])
            assert np.allclose(one, expected[n - 1], rtol=4 * np.finfo(dtype).eps, atol=0, equal_nan=True), (base, exponent)


def test_constants_are_exact():
    x = np.random.default_rng(3).uniform(0, 1e6, 1000)
    out = np.zeros_like(x)
    for built in ("default", "alone"):
        for exponent, expected in (("0.5", np.sqrt(x)), ("2.0", x * x), ("-1.0", 1 / x), ("1.0", x)):
            getattr(MODULES[built], f"p0_{EXPONENTS.index(exponent)}_float64")(x, x, out)
            np.testing.assert_array_equal(out, expected)


WHOLE = Batch("powers_of_arrays")
EXPONENT_OF = {"p0": 0, "p1": 1, "p2": 2, "p3": 3, "p5": 5, "p16": 16, "p17": 17, "m1": -1, "m3": -3}
for name, n in EXPONENT_OF.items():
    WHOLE.add(f'''
@njit(["float64[:](float64[:])", "float32[:](float32[:])"])
def {name}(x):
    return x ** {n}

@njit(["float64[:](float64[:])", "float32[:](float32[:])"])
def {name}_f(x):
    return np.power(x, {n})

@njit(["float64[:](float64[:])", "float32[:](float32[:])"])
def {name}_u(x):
    y = x.copy()
    y **= {n}
    return y
''')
WHOLE.add('''
@njit(["int64[:](int64[:])", "int32[:](int32[:])"])
def cubes(x):
    y = x.copy()
    y **= 3
    return y
''')


@pytest.mark.parametrize("dtype", ["f8", "f4"])
@pytest.mark.parametrize("name", EXPONENT_OF)
def test_of_whole_arrays(name, dtype):
    """Constant powers of arrays are products, as those of numbers; np.power is as near to it as libm's."""
    rng, n = np.random.default_rng(1), EXPONENT_OF[name]
    x = np.concatenate([rng.normal(size=1000), [0.0, -0.0, np.inf, -np.inf, np.nan, 1e30, 1e-30]]).astype(dtype)
    with np.errstate(all="ignore"):
        wanted = x.astype(np.longdouble) ** n
        for form, ulp in ("", abs(n) + 1), ("_u", abs(n) + 1), ("_f", 4):
            found = getattr(WHOLE, name + form)(x)
            assert found.dtype == dtype
            exact = wanted.astype(dtype)
            same = (found == exact) | (np.isnan(found) & np.isnan(exact))
            near = np.abs(found.astype(np.longdouble) - wanted) <= ulp * np.abs(np.spacing(exact)).astype(np.longdouble)
            # what is nearly too large or too small may be either on its way
            edge = (np.abs(exact) > np.finfo(dtype).max / 2) & ~np.isinf(exact) | (np.abs(exact) < np.finfo(dtype).tiny * 2)
            assert (same | near | edge).all()
            assert (np.isnan(found) == np.isnan(exact)).all() and (np.signbit(found) == np.signbit(exact))[~np.isnan(found)].all()


def test_powers_of_whole_numbers():
    for dtype in "i8", "i4":
        x = np.arange(-50, 50, dtype=dtype)
        np.testing.assert_array_equal(WHOLE.cubes(x), x ** 3)
