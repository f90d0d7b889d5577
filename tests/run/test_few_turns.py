"""Loops that lanes are for, where they turn a few times or often: the same as plain Python, whichever way is taken."""
import math

import numpy as np
import pytest
from conftest import Batch, assert_same_effects

FEW = Batch("few_turns")
FEW.add('''
@njit("void(float64[:, :], float64[:, :], int64[:, :])")
def roots(a, out, steps):
    for i in range(a.shape[0]):
        for c in range(a.shape[1]):
            x = a[i, c]
            n = -1
            for k in range(20):
                d = x * x - a[i, c]
                if abs(d) < 1e-9:
                    break
                x -= d / (2.0 * x)
                n = k
            out[i, c] = x
            steps[i, c] = n


@njit("void(float64[:, ::1], float64[:, ::1], int64)")
def powers(a, out, first):
    for i in range(a.shape[0]):
        for c in range(first, a.shape[1]):
            t = a[i, c] + 1.0
            out[i, c] = t ** 0.41 + math.log(t)


@njit("void(float64[:, ::1], float64[:, ::1], float64)")
def divided(a, out, d):
    """A check that all iterations have in common."""
    for i in range(a.shape[0]):
        for c in range(a.shape[1]):
            out[i, c] = math.exp(a[i, c]) / d


@njit("void(float64[:, ::1], float64[:, ::1], float64[:, ::1], float64[:, ::1], float64[:, ::1])")
def many_arrays(a, b, p, q, r):
    """More arrays than a C++ compiler compares."""
    for i in range(a.shape[0]):
        for c in range(a.shape[1]):
            p[i, c] = math.sin(a[i, c]) + b[i, c]
            q[i, c] = math.log(b[i, c]) - a[i, c]
            r[i, c] = a[i, c] ** 0.3 * b[i, c]


@njit("float64(float64[::1])")
def called(row):
    best = -1.0
    for k in range(row.shape[0]):
        v = row[k]
        while v > 0.25:
            v *= 0.5
        best = max(best, v)
        row[k] = math.exp(-v)
    return best


@njit("float64(float64[:, ::1])")
def calls(a):
    s = 0.0
    for i in range(a.shape[0]):
        s += called(a[i])
    return s


@njit("void(float64[:, ::1], float64[::1])", parallel=True)
def by_threads(a, out):
    for t in prange(a.shape[0]):
        s = 0.0
        for k in range(a.shape[1]):
            v = a[t, k]
            n = 0
            while v > 0.01 and n < 50:
                v *= v
                n += 1
            s += n
        out[t] = s


@njit("void(int64[:, ::1], int64[:, ::1])")
def raising(a, out):
    for i in range(a.shape[0]):
        for c in range(a.shape[1]):
            v = int(a[i, c])
            n = 0
            while v % 7 != 0 and n < 40:
                v += 100 // (v - 5)
                n += 1
            out[i, c] = n
''')
PLAIN = FEW.plain
SIZES = [0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 70]


@pytest.mark.parametrize("size", SIZES)
def test_early_ends(size):
    a = np.random.default_rng(size).random((5, size)) + 0.1
    for view in (a, np.asfortranarray(a), np.repeat(a, 2, axis=1)[:, ::2], a[::-1, ::-1]):
        assert_same_effects(FEW, PLAIN, "roots", view, np.zeros(a.shape), np.full(a.shape, -1))


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("first", [0, 2, -1])
def test_functions(size, first):
    a = np.random.default_rng(size).random((3, size)) * 9
    ours, theirs = np.zeros(a.shape), np.zeros(a.shape)
    if first < 0 and size == 0:
        first = 0
    FEW.powers(a, ours, first)
    PLAIN.powers(a, theirs, first)
    np.testing.assert_allclose(ours, theirs, rtol=1e-14)


@pytest.mark.parametrize("size", SIZES)
def test_checks_and_many_arrays(size):
    a, b = np.random.default_rng(size).random((2, 3, size)) + 0.5
    results = []
    for module in (FEW, PLAIN):
        outs = np.zeros((4, 3, size))
        module.divided(a, outs[3], 2.0)
        module.many_arrays(a, b, *outs[:3])
        results.append(outs)
    np.testing.assert_allclose(*results, rtol=1e-14)
    with pytest.raises(ZeroDivisionError):
        FEW.divided(a + 0.0 if size else np.ones((1, 1)), np.zeros((3, max(size, 1))), 0.0)


@pytest.mark.parametrize("size", SIZES)
def test_helpers(size):
    a = np.random.default_rng(size).random((4, size)) * 3
    ours, theirs = a.copy(), a.copy()
    assert math.isclose(FEW.calls(ours), PLAIN.calls(theirs), rel_tol=1e-14)
    np.testing.assert_allclose(ours, theirs, rtol=1e-14)


@pytest.mark.parametrize("size", SIZES)
def test_an_iteration_for_each_thread(size):
    assert_same_effects(FEW, PLAIN, "by_threads", np.random.default_rng(size).random((size, 40)) * 0.9, np.zeros(size))


@pytest.mark.parametrize("size", SIZES)
def test_what_raises(size):
    rng = np.random.default_rng(size)
    for low in (6, 0):  # nothing raises; 5 does
        a = rng.integers(low, 50, (6, size))
        results = []
        for module in (FEW, PLAIN):
            out = np.full(a.shape, -1)
            try:
                results.append((module.raising(a, out), out.tolist()))
            except ZeroDivisionError:
                results.append(("raised", out.tolist()))
        assert results[0] == results[1]


AGAIN = Batch("read_again", ["--gang=8"])
AGAIN.add('''
@njit("void(int64[::1], int64[::1], int64[:, ::1])")
def changed(a, n, out):
    """What a condition has read is another element behind what changes its place, or the element."""
    for i in range(n.shape[0]):
        k = n[i]
        s = 0
        t = 7
        while k > 0:
            if a[k] > 5:
                s += a[k]
                k -= a[k] % 3
                s += a[k]
            elif a[k] == t or a[k - 1] > 3:
                t = a[k - 1] - a[k]
            if out[i, 0] < s and k < 9:
                out[i, 0] += 1
                t += out[i, 0]
                out[i, 1] = out[i, 0] * t
            k -= 1
        out[i, 2] = s * 100 + t
''')


@pytest.mark.parametrize("size", SIZES)
def test_what_is_read_again(size):
    rng = np.random.default_rng(size)
    assert_same_effects(AGAIN, AGAIN.plain, "changed", rng.integers(0, 9, 40), rng.integers(0, 40, size), rng.integers(-9, 9, (size, 3)))


def test_both_ways_are_there():
    """Else the tests above compare plain loops."""
    for function in ("roots", "powers", "called", "by_threads"):
        text = FEW.emitted.split(f"def {function}(")[1].split("\n}\n")[0]
        assert (">= " in text and " else " in text) and ("omp simd" in text or "lanes::" in text), function
