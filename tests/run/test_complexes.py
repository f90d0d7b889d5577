"""Complex numbers in loops whose iterations run side by side: what one by one gives, to the last bit."""
import cmath
import platform

import numpy as np
import pytest
from conftest import Batch

TEXT = '''
@njit("int64(complex128, int64)")
def escape(c, limit):
    z = 0j
    for n in range(limit):
        if abs(z) > 2.0:
            return n
        z = z * z + c
    return limit

@njit("void(complex128[:], int64, int64[:])")
def mandelbrot(c, limit, out):
    for i in range(len(c)):
        out[i] = escape(c[i], limit)

@njit("void(complex64[:], int64, int64[:])", parallel=True)
def julia_narrow(z0, limit, out):
    c = np.complex64(complex(-0.4, 0.6))
    for i in prange(len(z0)):
        z = z0[i]
        n = 0
        while abs(z) < 2.0 and n < limit:
            z = z * z + c
            n += 1
        out[i] = n

@njit("void(complex128[:], complex128[:], complex128[:], int64[:])", error_model="numpy")
def arithmetic(a, b, out, steps):
    for i in range(len(a)):
        z, w, n = a[i], b[i], 0
        while n < 7 and z != w:
            z, w = w, z
            z += w * 0.5
            z -= 1j
            w *= z.conjugate()
            w /= z + b[i]
            if z.real > w.imag or not z:
                z = -z / 3
                n += 1
                continue
            z = (z if n % 2 else w) * 1.5 + (z ** 2 - w ** 3) * 1e-3
            n += 1 + (z == w)
            if abs(z) > 1e6:
                break
        out[i] = z + 2 * w
        steps[i] = n

@njit("void(complex128[:], float64[:], float64[:], complex128)", error_model="numpy")
def parts(z, re, im, by):
    for i in range(len(z)):
        w, k = z[i] / by, 0
        while w.real * w.real < 100.0 and k < 5:
            w = complex(w.imag + k, 2 * w.real - 1)
            k += 1
        re[i] = w.real
        im[i] = w.imag

@njit("void(complex128[:], complex128[:])")
def raising(z, out):
    for i in range(len(z)):
        w, k = z[i], 0
        while abs(w) < 4.0 and k < 20:
            w = w * w + 1 / (w - 1)
            k += 1
        out[i] = w

@njit("void(complex128[:], int64)")
def turned(z, m):
    for i in range(len(z)):
        w, v, k = z[i], 1j * z[i], 0
        while k < m and w.real < 1e3:
            w = complex(w.imag, w.real)
            w, v = complex(v.imag, w.imag), complex(w.real, v.real)
            k += 1
        z[i] = w

@njit("void(complex128[:], complex128[:])")
def guarded(z, out):
    for i in range(len(out)):
        w, k = 0.5j, 0
        while abs(w) < 3.0 and k < 9:
            w = w * 2 + (z[i + 4] if i + 4 < len(z) else 0.25j)
            k += 1
        out[i] = w

@njit(["void(complex128[:], complex128[:])", "void(complex64[:], complex64[:])"])
def exponentials(z, out):
    for i in range(len(z)):
        out[i] = np.exp(z[i])

@njit("void(float64[:], float64, complex128[:])")
def phases(x, q, out):
    for i in range(len(x)):
        out[i] = cmath.exp(-2j * np.pi * q * x[i]) / (1 + x[i] * 1j)

@njit(["void(complex128[:], float64[:])", "void(complex64[:], float64[:])"])
def angles(z, out):
    for i in range(len(z)):
        out[i] = np.angle(z[i]) + 10 * cmath.phase(z[i] * 1j)

@njit("complex128(complex128[:], float64[:], complex128)")
def structure(z, x, s):
    for i in range(len(x)):
        w = z[i]
        if w.real > -1:
            s += w * np.exp(1j * x[i])
    return s

@njit("complex64(complex64[:], complex64)")
def less(z, s):
    for w in z:
        s -= w.conjugate() * 2
    return s

@njit("complex128(complex128[:, :])")
def rows(z):
    t = 1j
    for i in range(z.shape[0]):
        s = 0j
        for j in range(z.shape[1]):
            s += z[i, j] * z[i, j]
        t += s / (1 + i)
    return t

@njit("Tuple((complex128, complex128))(complex128[:])")
def both(z):  # two of them, of which one is read while it grows
    s, t = 0j, 0j
    for w in z:
        s += w
        t += s * w
    return s, t

@njit("complex128(complex128[:, :])", parallel=True)
def shared(z):
    s = np.sum(z * z)
    for i in prange(z.shape[0]):
        for j in range(z.shape[1]):
            if z[i, j] != 0:
                s += z[i, j]
    return s

@njit("complex128(complex128[:], float64[:], int64[:], int64)")
def if_there(z, x, k, n):
    s = 0j
    for i in range(len(z)):
        if k[i] < len(x) and abs(x[k[i]] * z[i]) > 1:
            s += z[i]
        s += x[k[i]] * z[i] if k[i] < len(x) else z[i]
        s += (k[i] // n) * z[i] if n != 0 else 2 * z[i]
    return s

@njit("complex128(complex128[:])")
def until(z):
    s = 0j
    for w in z:
        s += w
        if abs(s) > 20:
            break
    return s
'''
OPTIONS = {"plain": ["--no-lanes", "--fp=strict"], "v2": ["--march=x86-64-v2", "--fp=strict"],
           "native": ["--march=native", "--fp=strict"], "eight": ["--gang=8", "--fp=strict"], "default": []}
MODULES = {name: Batch("complexes_" + name, options) for name, options in OPTIONS.items()}
for module in MODULES.values():
    module.add(TEXT)


@pytest.fixture(params=["v2", "native", "eight", "default"])
def built(request):
    if platform.machine() != "x86_64" and request.param == "v2":
        pytest.skip("not an x86-64 processor")
    return MODULES[request.param]


PLAIN = MODULES["plain"]


def numbers(count, seed=0, scale=1.0):
    rng = np.random.default_rng(seed)
    z = scale * (rng.normal(size=count) + 1j * rng.normal(size=count))
    odd = [0, -0.0, 1, 1j, complex(np.inf, 1), complex(np.nan, 0), complex(-0.0, -0.0), 1e-300, 1e300 + 1e300j]
    z[rng.integers(0, max(count, 1), len(odd))[:count]] = odd[:count] if count < len(odd) else odd
    return z


def same(a, b):
    nan = np.isnan(a.real) & np.isnan(b.real) | np.isnan(a.imag) & np.isnan(b.imag)
    bits = (a.view(np.int64).reshape(-1, 2) == b.view(np.int64).reshape(-1, 2)).all(1)
    return (bits | nan).all()


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("count", [0, 1, 9, 16, 250])
def test_values(built, count):
    a, b = numbers(count, 1), numbers(count, 2)
    results = []
    for module in (built, PLAIN):
        out, steps = np.zeros(count, complex), np.zeros(count, np.int64)
        module.arithmetic(a, b, out, steps)
        re, im = np.zeros(count), np.zeros(count)
        module.parts(a, re, im, 0.5 - 2j)
        zero_re, zero_im = np.zeros(count), np.zeros(count)
        module.parts(a, zero_re, zero_im, 0j)
        escaped, narrow = np.zeros(count, np.int64), np.zeros(count, np.int64)
        module.mandelbrot(a, 100, escaped)
        module.julia_narrow(a.astype(np.complex64), 50, narrow)
        far = np.zeros(count, complex)
        module.guarded(a, far)
        results.append((out, re + 1j * im, zero_re + 1j * zero_im, far, steps, escaped, narrow))
    if built is MODULES["default"]:  # abs() may differ in the last bit
        assert (results[0][5] != results[1][5]).sum() <= 1
        return
    for got, expected in zip(results[0][:4], results[1][:4]):
        assert same(got, expected)
    for got, expected in zip(results[0][4:], results[1][4:]):
        assert got.tolist() == expected.tolist()


def test_as_python_computes(built):
    a = numbers(200, 3)[np.isfinite(numbers(200, 3))]
    out, expected = np.zeros(len(a), np.int64), []
    built.mandelbrot(a, 60, out)
    for c in a.tolist():
        z = 0j
        for n in range(60):
            if abs(z) > 2.0:
                expected.append(n)
                break
            z = z * z + c
        else:
            expected.append(60)
    assert out.tolist() == expected


def test_strides_and_one_array_for_all(built):
    a = numbers(150, 4)
    for view in (lambda x: x[::2], lambda x: x[::-1]):
        x, y = a.copy(), a.copy()
        steps = np.zeros(150, np.int64)
        built.arithmetic(view(x), view(x), view(x), steps)
        PLAIN.arithmetic(view(y), view(y), view(y), steps)
        assert built is MODULES["default"] or same(x, y)


def test_division_by_zero_raises(built):
    a = numbers(60, 5)
    a = np.where(np.isfinite(a), a, 0.5)
    a[37] = 1.0
    a[:37][a[:37] == 1] = 0.3
    out, expected = np.zeros(60, complex), np.zeros(60, complex)
    for module, result in ((built, out), (PLAIN, expected)):
        with pytest.raises(ZeroDivisionError):
            module.raising(a, result)
    assert (out[37:] == 0).all()
    assert built is MODULES["default"] or same(out, expected)


def test_parts_that_change_places(built):
    for m in (0, 1, 2, 5):
        z = np.arange(1, 22) + 1j * np.arange(50, 71)
        expected = []
        for w in z.tolist():
            v = 1j * w
            for _ in range(m):
                w = complex(w.imag, w.real)
                w, v = complex(v.imag, w.imag), complex(w.real, v.real)
            expected.append(w)
        built.turned(z, m)
        assert z.tolist() == expected


def near(a, b, eps):
    """Each part, in roundings of the whole number; what is no number is none in both."""
    finite = np.isfinite(b)
    scale = eps * np.abs(b[finite])
    return (np.isfinite(a) == finite).all() and (np.abs(a[finite] - b[finite]) <= scale).all()


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("count", [0, 1, 9, 33, 400])
def test_exponentials(built, count):
    """Of special values as CPython has them, where it raises nothing; of large ones that only a small cosine makes finite."""
    ends = [0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, 709.5, 710.2, -745.5, -800.0, np.pi / 2, 1e5]
    odd = np.array([complex(re, im) for re in ends for im in ends])
    z = np.concatenate([numbers(count, 7, 3.0), odd])
    for dtype in np.complex128, np.complex64:
        x = z.astype(dtype)
        out, expected = np.zeros_like(x), np.zeros_like(x)
        turns, expected_turns = np.zeros(len(x)), np.zeros(len(x))
        built.exponentials(x, out)
        PLAIN.exponentials(x, expected)
        built.angles(x, turns)
        PLAIN.angles(x, expected_turns)
        assert np.allclose(turns, expected_turns, 1e-14 if dtype is np.complex128 else 1e-6, equal_nan=True)
        if built is not MODULES["default"]:
            assert same(out.astype(complex), expected.astype(complex)) and same(turns + 0j, expected_turns + 0j)
        else:
            assert near(out, expected, 4 * np.finfo(dtype).eps)
            assert np.array_equal(np.isnan(out.real), np.isnan(expected.real)) and np.array_equal(np.isnan(out.imag), np.isnan(expected.imag))
            assert np.array_equal(np.signbit(out.imag[out.imag == 0]), np.signbit(expected.imag[expected.imag == 0]))
        for w, got in zip(odd.tolist(), out[count:].tolist()):
            try:
                known = cmath.exp(w)
            except (OverflowError, ValueError):
                continue
            if dtype is np.complex128:
                assert near(np.array([got]), np.array([known]), 1e-15)
                assert not np.isinf(known) or (got.real, got.imag) == (known.real, known.imag) or np.isnan(known.imag)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("count", [0, 1, 31, 32, 33, 300])
def test_sums_and_phases(built, count):
    rng = np.random.default_rng(count)
    z, x = rng.normal(size=count) + 1j * rng.normal(size=count), rng.normal(size=count) * 5
    results = []
    for module in (built, PLAIN):
        out = np.zeros(count, complex)
        module.phases(x, 0.7, out)
        small = z.astype(np.complex64)
        results.append([out, module.structure(z, x, 1 - 2j), module.structure(z[::-1], x[::-1], 0j), module.less(small, 3j),
                        module.rows(z[:count // 3 * 3].reshape(-1, 3)), module.rows(z[:count // 40 * 40].reshape(-1, 40).T), *module.both(z),
                        module.until(z)])
    for got, expected in zip(*results):
        got, expected = np.atleast_1d(got).astype(complex), np.atleast_1d(expected).astype(complex)
        assert near(got, expected, 1e-12) if built is MODULES["default"] else same(got, expected)
    s = 1 - 2j
    for w, angle in zip(z.tolist(), x.tolist()):
        if w.real > -1:
            s += w * cmath.exp(1j * angle)
    assert results[0][1] == pytest.approx(s, rel=1e-12)


def test_what_is_not_there_is_not_read(built):
    z, x = numbers(70, 8)[numbers(70, 8) == numbers(70, 8)][:40] + 0.5, np.arange(3.0)
    z = np.where(np.abs(z) < 1e9, z, 1)
    k = np.where(np.arange(len(z)) % 3 == 0, 1 << 40, np.arange(len(z)) % 3)
    for n in 0, 2:
        got, expected = built.if_there(z, x, k, n), 0j
        assert got == PLAIN.if_there(z, x, k, n) or built is MODULES["default"]
        for w, i in zip(z.tolist(), k.tolist()):
            expected += w if i < 3 and abs(x[i] * w) > 1 else 0
            expected += x[i] * w if i < 3 else w
            expected += (i // n) * w if n else 2 * w
        assert got == pytest.approx(expected, rel=1e-12)


def test_threads_add_too(built):
    z = np.where(np.isfinite(numbers(600, 9)), numbers(600, 9), 0)
    z = np.where(np.abs(z) < 1e9, z, 1)[:600].reshape(20, 30)
    assert built.shared(z) == pytest.approx(np.sum(z * z) + np.sum(z), rel=1e-12)
