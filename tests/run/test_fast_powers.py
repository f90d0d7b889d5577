"""Powers under fastmath are products and roots: as near to the exact value as pow is, wherever they stand."""
import numpy as np
import pytest
from conftest import Batch

EXPONENTS = ["3.0", "1.5", "2.5", "-1.5", "-0.5", "0.25", "0.75", "-2.0", "8.0", "-7.75", "0.0", "1.0", "0.5", "2.0", "-1.0", "1.2", "8.25"]
POWERS = Batch("fast_powers")
for kind in "float64", "float32":
    for k, exponent in enumerate(EXPONENTS):
        by = exponent if kind == "float64" else f"np.float32({exponent})"
        POWERS.add(f'''
@njit("void({kind}[:], {kind}[:])", fastmath=True)
def power_{kind}_{k}(x, out):
    for i in range(len(x)):
        out[i] = x[i] ** {by}
''')
POWERS.add('''
@njit("void(float64[:], int64[:], float64[:])", fastmath=True)
def decibels(x, k, out):
    for i in range(len(x)):
        out[k[i]] += 10.0 ** (x[i] / 10.0)

@njit("float64(float64[:], float64)", fastmath=True)
def where_it_may_be(x, far):
    s = 0.0
    n = 0
    while n < len(x) and (x[n] + 1.0) ** 1.5 < far:
        s += (x[n] * 2.0) ** 2.5 if n > 2 and (x[n - 1] + 0.5) ** -0.5 > 0.1 else x[n] ** 3.0
        n += 1
    for i in range(n):
        if x[i] > 1.0 or (x[i] + 3.0) ** 0.75 > 4.0:
            s += np.power(x[i] + x[-1], 1.5)
    return s

@njit("float64(float64)", fastmath=True)
def counted(x):
    x **= 1.5
    return x
''')
STRICT = Batch("strict_powers", ["--fp=strict"])
STRICT.add('''
@njit("void(float64[:], float64[:])", fastmath=True)
def power(x, out):
    for i in range(len(x)):
        out[i] = x[i] ** 1.5
''')


@pytest.mark.parametrize("kind", ["float64", "float32"])
@pytest.mark.parametrize("k", range(len(EXPONENTS)), ids=EXPONENTS)
def test_every_exponent(kind, k):
    x = np.concatenate([np.geomspace(1e-3, 1e4, 77), [1.0, 0.5, 2.0]]).astype(kind)
    out = np.zeros_like(x)
    getattr(POWERS, f"power_{kind}_{k}")(x, out)
    exact = np.power(x.astype(np.longdouble), np.longdouble(float(EXPONENTS[k])))
    np.testing.assert_allclose(out.astype(np.longdouble), exact, rtol=8 * np.finfo(kind).eps)


def test_wherever_they_stand():
    x = np.random.default_rng(1).random(50) * 3
    out, expected, at = np.zeros(7), np.zeros(7), np.arange(50) % 7
    POWERS.decibels(x * 20 - 30, at, out)
    np.add.at(expected, at, 10.0 ** ((x * 20 - 30) / 10.0))
    np.testing.assert_allclose(out, expected, rtol=1e-14)
    for far in 0.5, 3.0, 1e9:
        assert POWERS.where_it_may_be(x, far) == pytest.approx(POWERS.plain.where_it_may_be(x, far), rel=1e-13)
    assert POWERS.where_it_may_be(x[:0], 1.0) == 0.0
    assert POWERS.counted(2.25) == pytest.approx(3.375, rel=1e-15)


def test_what_is_strict_is_the_library_s():
    x = np.random.default_rng(2).random(1000) * 9
    out = np.zeros_like(x)
    STRICT.power(x, out)
    assert np.array_equal(out, [v ** 1.5 for v in x.tolist()])


def test_no_pow_is_left():
    """But of exponents that are no quarters, or large."""
    for kind in "float64", "float32":
        for k, exponent in enumerate(EXPONENTS):
            body = POWERS.emitted.split(f"void power_{kind}_{k}(")[-1].split("\n}\n")[0]
            assert ("pow(" in body) == (exponent in ("1.2", "8.25")), body
