"""Conditions that ask about expressions: what they said is used, and forgotten where it may be another."""
import numpy as np
import pytest
from conftest import Batch

built = Batch("asked")
built.add('''
@njit("void(float64[:], float64[:], float64[:])")
def ratio(a, b, out):
    for i in range(len(a)):
        if b[i] != 0:
            out[i] = a[i] / b[i]
        else:
            out[i] = -1.0

@njit("void(int32[:], int64[:], float64[:])")
def scattered(n, at, out):
    for i in range(len(n)):
        if n[i] <= 0 or at[i] < -2:
            continue
        out[at[i]] += 1.0 / n[i]

@njit("float64(float64, float64, float64)")
def expressions(x, y, eps):
    if abs(x - y) > 1e-12 and x >= 0.5:
        return 1.0 / (x - y)
    if x * y:
        return 1.0 / (x * y)
    if abs(x) > eps:
        return 1.0 / x
    return -7.0

@njit("int64(int64[:], int64)")
def divided(x, by):
    s = 0
    for i in range(len(x)):
        if x[i] - by > 0:
            s += 1000 // (x[i] - by)
        elif abs(x[i]) >= 1:
            s += 1000 % x[i]
    return s

@njit("void(float64[:], float64[:])")
def overwrites(b, out):
    for i in range(len(b)):
        if b[i] > 0.0:
            out[i] = 0.0
            out[i] = 1.0 / b[i]

@njit("void(float64[:], float64[:,:])")
def rows(b, a):
    for i in range(len(b)):
        if b[i] > 0.0:
            for j in range(a.shape[1]):
                a[i, j] -= b[i] / b[i]

@njit("float64(float64[:], int64)")
def moves(b, i):
    s = 0.0
    if b[i] != 0:
        s += 1.0 / b[i]
        i += 1
        s += 1.0 / b[i]
    return s

@njit("float64(float64[:])")
def clears(b):
    b[0] = 0.0
    return 1.0

@njit("float64(float64[:])")
def calls(b):
    if b[0] > 0.0 and clears(b) > 0.0:
        return 1.0 / b[0]
    return 0.0

@njit("float64(float64[:])")
def inside(b):
    return 1.0 / b[0] if b[0] > 0.0 and clears(b) > 0.0 else 0.5

@njit("float64(float64[:], float64[:], int64)")
def turns(b, c, n):
    s = 0.0
    if b[0] > 0.0:
        for i in range(n):
            s += 1.0 / b[0]
            c[0] -= 1.0
    return s

@njit("float64(float64[:], int64)")
def behind(b, n):
    s = 0.0
    for i in range(n):
        if b[i] == 0:
            break
        s += 1.0 / b[i]
    return s + 1.0 / b[0]

@njit("float64(int64[:], float64[:])")
def bounds(at, x):
    s = 0.0
    for i in range(len(at)):
        if at[i] >= 0:
            s += x[at[i]]
        else:
            s -= x[at[i]]
        if at[i] < 0:
            at[i] = len(x) + at[i]
            s += 2.0 * x[at[i]]
            at[i] = -1
            s += 4.0 * x[at[i]]
    return s

@njit("float64(float64)")
def magnitudes(x):
    if x > 0.25:
        s = 1.0 / x
    elif x < -0.25:
        s = 2.0 / x
    elif x >= 0.0:
        s = -1.0 if x == 0.0 else 3.0 / x
    elif x <= -0.125:
        s = 4.0 / x
    else:
        s = 5.0
    return s

@njit("float64(float64, float64)")
def roots(x, scale):
    """A root, and what is larger than it, are 0 where the number is; what is smaller may round to 0."""
    s = 0.0
    if x > 0.0:
        r = math.sqrt(x)
        s += 1.0 / r + scale / (2.0 * r) - 1.0 / (r * -3.5) + scale / math.sqrt(2.0 * x)
        if scale < 0.0:
            s += 1.0 / (0.5 * x)
    return s

@njit("int64(int64[:], int64)")
def contradictions(x, k):
    """Nobody comes to these divisions."""
    s = 0
    for i in range(len(x)):
        if x[i] % 5 == 0 and x[i] % 5 != 0:
            s += 100 // (x[i] % 5)
        if x[i] - k == 0 and x[i] - k > 0:
            s += 7 // (x[i] - k) + 7 % (x[i] - k)
        if x[i] // 3 > 4:
            s += 1
            if x[i] // 3 < 1:
                s += 5 // (x[i] // 3) << (x[i] // 3)
        if not x[i]:
            s += 2
        elif x[i] == 0:
            s += k // x[i]
    return s

@njit("float32(float32)")
def small_roots(x):
    return np.float32(1.0) / (np.float32(2.0) * np.sqrt(x)) if x > np.float32(0.0) else np.float32(0.0)
''')


def agree(name, *args):
    """The same result, arrays and exceptions as the interpreter, with arrays that are views of each other kept so."""
    def run(module):
        copies = {id(a): a.copy() for a in args if isinstance(a, np.ndarray)}
        call = [copies[id(a)] if isinstance(a, np.ndarray) else a for a in args]
        try:
            with np.errstate(divide="raise", invalid="raise"):  # numbers of NumPy do not raise else
                result = getattr(module, name)(*call)
        except (ZeroDivisionError, FloatingPointError):
            result = "ZeroDivisionError"
        return result if result is None or isinstance(result, str) else float(result), [a.tobytes() for a in copies.values()]
    assert repr(run(built)) == repr(run(built.plain)), args


@pytest.mark.parametrize("n", [0, 1, 7, 33, 300])
def test_elements(n):
    rng = np.random.default_rng(n)
    a, b = rng.standard_normal(n), np.round(rng.standard_normal(n))
    agree("ratio", a, b, np.zeros(n))
    agree("ratio", a[::-1], b[::-1], np.zeros(n))
    agree("ratio", a, np.zeros(n), np.zeros(n))
    agree("scattered", rng.integers(-1, 3, n).astype(np.int32), rng.integers(-4, 5, n), np.zeros(9))
    agree("divided", rng.integers(-3, 4, n), 1)
    agree("contradictions", rng.integers(-9, 30, n), 3)
    agree("bounds", rng.integers(-4, 5, n), rng.standard_normal(5))


def test_expressions():
    for x in (0.0, -0.0, 0.5, 0.25, -0.25, 0.125, -0.125, 1e-13, 2.0, -3.0, np.inf, -np.inf, np.nan):
        agree("magnitudes", x)
        agree("small_roots", np.float32(x))
        agree("roots", x, 0.5)
        for y in (0.0, 0.5, x, x + 1e-13, np.nan):
            for eps in (-1.0, 0.0, 1e-3, np.nan):
                agree("expressions", x, y, eps)


def test_roots():
    for x in (5e-324, 1e-323, 1e-310, 2.2250738585072014e-308, 1.0, 1.7976931348623157e308):
        for scale in (1.0, -1.0):
            agree("roots", x, scale)
    for x in (1e-45, 1.1754944e-38, 3.4028235e38):
        agree("small_roots", np.float32(x))


def test_what_is_written_is_asked_again():
    b = np.array([2.0, 0.0, 4.0])
    for other in (np.zeros(3), b):
        agree("overwrites", b, other)
    agree("overwrites", np.array([2.0, -1.0]), np.ones(2))
    with pytest.raises(ZeroDivisionError):
        x = np.ones(3)
        built.overwrites(x, x)
    x = np.ones((3, 3))
    with pytest.raises(ZeroDivisionError):
        built.rows(x[:, 0], x)
    agree("rows", np.array([1.0, 0.0, -2.0]), np.ones((3, 4)))
    agree("moves", np.array([2.0, 0.0]), 0)
    agree("moves", np.array([2.0, 4.0]), -2)
    for name in ("calls", "inside"):
        agree(name, np.array([2.0]))
        agree(name, np.array([-2.0]))
    x = np.array([3.0])
    agree("turns", x, np.array([3.0]), 5)
    agree("turns", x, x, 3)
    agree("turns", x, x, 4)
    agree("behind", np.array([1.0, 2.0, 0.0]), 3)
    agree("behind", np.array([0.0, 2.0]), 2)
