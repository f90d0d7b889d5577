"""Sums of floats whose order fastmath leaves open, which lanes add up on their own: every length, conditions, several at a
time, against NumPy."""
import numpy as np
import pytest
from conftest import Batch

TEXT = "".join(f'''
@njit("{t}({t}[:])", fastmath=True)
def total_{t}(x):
    s = {zero}
    for i in range(x.size):
        s += x[i]
    return s

@njit("{t}({t}[::1], int64)", fastmath=True)
def from_there_{t}(x, first):
    s = {one}
    for i in range(first, len(x)):
        s += abs(x[i])
    return s

@njit("UniTuple({t}, 3)({t}[::1], {t}[::1])", fastmath=True)
def three_{t}(x, y):
    s, t, n = {zero}, {one}, {zero}
    for i in range(x.size):
        a = x[i] > 0
        b = y[i] > 0
        s += x[i] * y[i]
        t += a or b
        if a and b:
            n += x[i]
    return s, t, n
''' for t, zero, one in (("float64", "0.0", "1.0"), ("float32", "np.float32(0)", "np.float32(1)"))) + '''
@njit("float64(float32[::1])", fastmath=True)
def widened(x):
    s = 0.0
    for i in range(x.size):
        s += x[i]
    return s

@njit("float64(float64[:, :])", fastmath=True)
def of_matrix(x):
    s = 0.0
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            s += x[i, j]
    return s

@njit("float64(float64[::1], int64[::1])", fastmath=True)
def indexed(x, at):
    s = 0.0
    for i in range(at.size):
        s += x[at[i]]
    return s

@njit("UniTuple(float64, 2)(float64[::1])", fastmath=True)
def beside_extremes(x):
    s, most = 0.0, -np.inf
    for i in range(x.size):
        s += x[i]
        most = max(most, x[i])
    return s, most

@njit("float64(float64[::1], float64[::1])", fastmath=True)
def written_beside(x, out):
    s = 0.0
    for i in range(x.size):
        s += x[i]
        out[i] = 2 * x[i]
    return s

@njit("float64(float64[::1])", fastmath=True)
def taken_away(x):
    s = 0.0
    for i in range(x.size):
        if x[i] > 1.0:
            continue
        s -= x[i]
    return s

@njit("float64(float64[::1], float64)", fastmath=True)
def divided(x, by):
    s = 0.0
    for i in range(x.size):
        s += x[i] / by
    return s

@njit("float64(float64[::1], float64[::1])", fastmath=True)
def divided_by_each(x, y):
    s = 5.0
    for i in range(x.size):
        s += x[i] / y[i]
    return s

@njit("float64(float64[::1])", fastmath=True)
def turns_counted(x):
    """What all lanes add is added by each."""
    n = 0.0
    t = 0.0
    for i in range(x.size):
        n += 1.0
        z = x[i]
        for k in range(100):
            if z > 4.0:
                break
            z = z * z + x[i]
        t += z
    return n

@njit("UniTuple(float64, 4)(float64[::1], float64[::1], float64)", fastmath=True)
def the_same_added(x, y, c):
    s, t, u, v = 0.0, 100.0, 0.0, 0.0
    for i in range(x.size):
        s += c
        if c > 0:
            t -= c
        for j in range(y.size):
            u += y[j]
        v += x[i]
    return s, t, u, v

@njit("float64(float64[::1], float64[::1])", fastmath=True)
def raising_sum(x, y):
    s = 1000.0
    for i in range(x.size):
        k = 0
        z = x[i]
        while z * z < 4.0 and k < 50:
            z = z * z + x[i]
            k += 1
        s += float(k)
        if y[i] == 0.0:
            raise ValueError
    return s

@njit("UniTuple(float64, 2)(float64[::1], float64[::1])")
def raising_extremes(x, y):
    low, high = 1000.0, -1000.0
    for i in range(x.size):
        k = 0
        z = x[i]
        while z * z < 4.0 and k < 50:
            z = z * z + x[i]
            k += 1
        low = min(low, float(k))
        high = max(high, -float(k) - 1.0)
        if y[i] == 0.0:
            raise ValueError
    return low, high
'''
OPTIONS = {"default": [], "alone": ["--no-lanes"], "v2": ["--march=x86-64-v2"], "eight": ["--gang=8"]}
MODULES = {name: Batch("fast_sums_" + name, options) for name, options in OPTIONS.items()}
for module in MODULES.values():
    module.add(TEXT)


@pytest.fixture(params=list(OPTIONS))
def built(request):
    return MODULES[request.param]


def near(ours, terms, start=0.0, dtype="float64"):
    """A sum in any order is so near to the exact one."""
    terms = np.asarray(terms, np.float64)
    bound = np.finfo(dtype).eps * (len(terms) + 4) * (np.abs(terms).sum() + abs(start)) + np.finfo(dtype).tiny
    assert abs(ours - (start + terms.sum())) <= bound, (ours, start + terms.sum())


@pytest.mark.parametrize("n", [0, 1, 2, 7, 31, 32, 33, 63, 64, 65, 127, 128, 129, 200, 1000, 4097])
def test_lengths(built, n):
    rng = np.random.default_rng(n)
    x, y = rng.standard_normal((2, n))
    for dtype in ("float64", "float32"):
        a, b = x.astype(dtype), y.astype(dtype)
        for view in (a, a[::-1], np.repeat(a, 3)[::3]):
            near(getattr(built, "total_" + dtype)(view), view, dtype=dtype)
        for first in {0, 1, n // 2, n, n + 5}:
            near(getattr(built, "from_there_" + dtype)(a, first), np.abs(a[first:]), 1.0, dtype)
        s, t, both = getattr(built, "three_" + dtype)(a, b)
        near(s, (a * b).astype(np.float64), dtype=dtype)
        assert t == 1 + np.count_nonzero((a > 0) | (b > 0))
        near(both, a[(a > 0) & (b > 0)], dtype=dtype)
    near(built.widened(x.astype(np.float32)), x.astype(np.float32))
    near(built.of_matrix(np.broadcast_to(x, (3, n)).copy()), np.tile(x, 3))
    near(built.of_matrix(np.broadcast_to(x, (3, n)).copy().T), np.tile(x, 3))
    at = rng.integers(0, max(n, 1), n)
    near(built.indexed(x, at), x[at])
    s, most = built.beside_extremes(x)
    near(s, x)
    assert most == (x.max() if n else -np.inf)
    out = np.zeros(n)
    near(built.written_beside(x, out), x)
    np.testing.assert_array_equal(out, 2 * x)
    near(-built.taken_away(x), x[~(x > 1.0)])
    near(built.divided(x, 0.7), x / 0.7)
    near(built.divided_by_each(x, y + 9), x / (y + 9), 5.0)


@pytest.mark.parametrize("n", [1, 40, 500])
def test_errors(built, n):
    x = np.ones(n)
    with pytest.raises(ZeroDivisionError):
        built.divided(x, 0.0)
    for zero in {0, n // 2, n - 1}:
        y = np.ones(n)
        y[zero] = 0
        with pytest.raises(ZeroDivisionError):
            built.divided_by_each(x, y)
    assert built.divided(x[:0], 0.0) == 0.0


def test_what_is_written_where_it_is_read(built):
    memory = np.arange(300.0)
    near(built.written_beside(memory[:200], memory[:200]), np.arange(200.0))
    np.testing.assert_array_equal(memory[:200], 2 * np.arange(200.0))
    expected = np.arange(300.0)
    total = 0.0
    for i in range(200):
        total += expected[i]
        expected[i + 1] = 2 * expected[i]
    memory = np.arange(300.0)
    assert built.written_beside(memory[:200], memory[1:201]) == pytest.approx(total, rel=1e-12)
    np.testing.assert_array_equal(memory, expected)


@pytest.mark.parametrize("n", [0, 1, 16, 63, 64, 100, 1000])
def test_what_all_lanes_add(built, n):
    x, y = np.linspace(0.3, 0.9, n), np.linspace(1, 2, 5)
    assert built.turns_counted(x) == n
    for c in (1.5, -2.0):
        expected = built.plain.the_same_added(x, y, c)
        assert built.the_same_added(x, y, c) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("n", [0, 1, 16, 63, 64, 100, 1000])
def test_a_start_before_what_may_raise(built, n):
    x, y = np.linspace(0.3, 0.9, n), np.ones(n)
    assert built.raising_sum(x, y) == built.plain.raising_sum(x, y)
    assert built.raising_extremes(x, y) == built.plain.raising_extremes(x, y)
    for zero in {0, n // 2, n - 1} if n else ():
        y[zero] = 0.0
        for function in (built.raising_sum, built.raising_extremes):
            with pytest.raises(ValueError):
                function(x, y)
        y[zero] = 1.0
