"""Floats to the power of integers that are no constants, in loops over lanes and in array expressions: as Numba
multiplies, the same bits with and without lanes.
"""
import itertools

import numpy as np
import pytest
from conftest import Batch

SOURCE = '''
@njit("void({F}[:], int64, {F}[:])")
def each_{F}(a, k, out):
    for i in range(len(a)):
        out[i] = a[i] ** k


@njit("{F}[:]({F}[:], int64)")
def array_{F}(a, k):
    return a ** k


@njit("void({F}[:], {F}[:], {F}[:])")
def polynomial_{F}(x, c, out):
    for i in range(len(x)):
        s = x[i] * 0
        for k in range(len(c)):
            s += c[k] * x[i] ** k
        out[i] = s


@njit("void({F}, int32[:], {F}[:])")
def exponents_{F}(base, n, out):
    for i in range(len(n)):
        if n[i] % 3 != 0:
            out[i] = base ** n[i] + (base + 1) ** (n[i] + 1)


@njit("void({F}[:], uint8[:], {F}[:])", error_model="numpy")
def pairs_{F}(a, n, out):
    for i in range(len(a)):
        out[i] = 1 / a[i] ** n[i]
'''
OPTIONS = {"default": [], "v2": ["--march=x86-64-v2"], "plain": ["--no-lanes"], "strict": ["--fp=strict"]}
MODULES = {name: Batch(f"lane_powers_{name}", options) for name, options in OPTIONS.items()}
for batch in MODULES.values():
    for kind in "float64", "float32":
        batch.add(SOURCE.format(F=kind))
NUMBERS = np.concatenate([np.linspace(-2.5, 2.5, 91), [1e200, -1e-200, np.inf, -np.inf, np.nan]])
EXPONENTS = [0, 1, 2, 3, 7, 17, 100, 65535, 65536, 10**6, 1 << 40, -1, -2, -5, -(1 << 20)]


def squared(x, n):
    """By squaring, in the order of Numba's multiplications."""
    result, left = x.dtype.type(1), abs(n)
    while left:
        if left & 1:
            result = result * x
        left >>= 1
        if left:
            x = x * x
    return 1 / result if n < 0 else result


@pytest.mark.parametrize("name", MODULES)
@pytest.mark.parametrize("kind", ["float64", "float32"])
@pytest.mark.parametrize("size", [0, 1, 31, 96])
def test_one_exponent(name, kind, size):
    m = MODULES[name].module
    with np.errstate(all="ignore"):
        a = NUMBERS[len(NUMBERS) - size:].astype(kind)
        for k in EXPONENTS:
            out = np.zeros_like(a)
            getattr(m, f"each_{kind}")(np.where(a == 0, a + 1, a), k, out)
            found = getattr(m, f"array_{kind}")(a, k)
            assert found.dtype == a.dtype
            if kind == "float64" and abs(k) < 65536:
                np.testing.assert_array_equal(found, np.array([squared(x, k) for x in a]))
                np.testing.assert_array_equal(out, np.array([squared(x if x != 0 else x + 1, k) for x in a]))
            expected = (a.astype(float) ** k).astype(kind)
            np.testing.assert_allclose(found, expected, rtol=1e-9 if kind == "float64" else 2e-5, atol=1e-37)


@pytest.mark.parametrize("kind", ["float64", "float32"])
def test_the_same_with_and_without_lanes(kind):
    rng = np.random.default_rng(3)
    plain = MODULES["plain"].module
    for name, n in itertools.product(MODULES, (0, 5, 33, 200)):
        m = MODULES[name].module
        x, c = rng.random(n).astype(kind) * 3 - 1, rng.random(9).astype(kind)
        powers = rng.integers(-1 if n == 5 else 0, 30, n).astype(np.int32)
        for call, *args in (("polynomial", x, c), ("exponents", x.dtype.type(1.25), powers), ("pairs", x, powers.astype(np.uint8))):
            outs = [np.zeros(n, kind), np.zeros(n, kind)]
            for module, out in zip((m, plain), outs):
                getattr(module, f"{call}_{kind}")(*args, out)
            np.testing.assert_array_equal(*outs)


def test_zero_to_a_negative_power():
    m = MODULES["default"].module
    for n in (3, 50):
        a = np.ones(n)
        a[n // 2] = 0.0
        with pytest.raises(ZeroDivisionError):
            m.each_float64(a, -2, np.zeros(n))
        m.each_float64(a, 2, np.zeros(n))
