"""Loops that begin behind, or end in front of, what they read or write besides: triangles, factorisations."""
import itertools

import numpy as np
import pytest
from conftest import Batch, assert_same_effects

# Where the loop begins and ends, and which other element of the row it reads, or writes too.
BOUNDS = [("i + 1", "n"), ("i", "n"), ("0", "i"), ("0", "i + 1"), ("1", "n"), ("i + 2", "n - 1"), ("m + 1", "n")]
OTHERS = ["i", "i + 1", "0", "m"]
CASES = [(lo, hi, other) for (lo, hi), other in itertools.product(BOUNDS, OTHERS)]
TEXT = "".join(f'''
@njit("void(float64[:, ::1], float64[::1], int64, int64)")
def written_{k}(a, x, i, m):
    n = a.shape[1]
    for j in range({lo} if {lo} > 0 else 0, {hi}):
        t = x[j]
        while t > 1.0:
            t = t / 2 - 0.25
        a[j, {other}] = t
        a[{other}, j] = t - 1

@njit("void(float64[::1], int64, int64)")
def both_{k}(x, i, m):
    n = len(x)
    for j in range({lo}, {hi}):
        t = x[j]
        while t > 1.0:
            t = t / 2 - 0.25 - abs(x[{other}])
        x[j] = t + 2
''' for k, (lo, hi, other) in enumerate(CASES)) + '''
@njit("void(float64[:, ::1])")
def lu(a):
    n = a.shape[0]
    for k in range(n):
        for i in range(k + 1, n):
            a[i, k] /= a[k, k]
            for j in range(k + 1, n):
                a[i, j] -= a[i, k] * a[k, j]

@njit("void(float64[:, ::1])")
def cholesky(a):
    n = a.shape[0]
    for j in range(n):
        s = a[j, j]
        for k in range(j):
            s -= a[j, k] * a[j, k]
        a[j, j] = np.sqrt(s)
        for i in range(j + 1, n):
            t = a[i, j]
            for k in range(j):
                t -= a[i, k] * a[j, k]
            a[i, j] = t / a[j, j]

@njit("void(float64[:, :], float64[:])")
def substituted(a, b):
    n = len(b)
    for i in range(n - 1, -1, -1):
        b[i] /= a[i, i]
        for j in range(i):
            b[j] -= a[j, i] * b[i]

@njit("void(float32[:, :], float32[:, :])")
def symmetric(x, out):
    for i in range(x.shape[0]):
        for j in range(i + 1, x.shape[0]):
            t = np.float32(0)
            for k in range(x.shape[1]):
                t += (x[i, k] - x[j, k]) ** 2
            out[i, j] = t
            out[j, i] = -t

@njit("void(int64[:, ::1])")
def every_second(a):
    n = a.shape[0]
    for i in range(n):
        for j in range(i + 2, n, 2):
            a[j, i] = a[i, j] + 3 * a[i, i]
        for j in range(n - 1, i, -1):
            a[j, i] -= a[i, j] + a[i, i]

@njit("void(float64[:], float64[::1])")
def cut_to_nothing(a, b):
    for i in range(b.shape[0]):
        k = np.uint32(i * 1073741824 * 4)
        a[k] = np.exp(np.cos(a[k]) * 0.5 - b[i]) + np.sin(b[i]) * np.log(b[i] + 1.0)

@njit("void(float64[::1], float64[::1])")
def cut_while(a, b):
    for i in range(b.shape[0]):
        k = np.uint32(i * 1073741824 * 4)
        x, n = a[k], 0
        while x < 5.0 + b[i] and n < 100:
            x = np.exp(x * 0.1) + x * x * 0.1
            n += 1
        a[k] = x * 0.01 + n

@njit("void(uint8[::1])")
def wraps_around(x):
    """Of a byte, the subscripts come back."""
    for i in range(3):
        for j in range(i + 1, 300):
            x[np.uint8(j)] = x[np.uint8(i)] + 1
'''
OURS, PLAIN, EIGHT = Batch("triangles"), Batch("triangles_plain", ["--no-lanes"]), Batch("triangles_eight", ["--gang=8"])
for module in (OURS, PLAIN, EIGHT):
    module.add(TEXT)


@pytest.fixture(params=["default", "eight"])
def built(request):
    return OURS if request.param == "default" else EIGHT


@pytest.mark.parametrize("case", range(len(CASES)), ids=[" ".join(case).replace(" ", "") for case in CASES])
def test_bounds_and_others(built, case):
    rng = np.random.default_rng(case)
    for n, i, m in ((6, 2, 1), (70, 3, 1), (70, 40, 5), (41, 38, 2), (40, 1, 38)):
        square = rng.standard_normal((n, n))
        assert_same_effects(built, PLAIN, f"both_{case}", 3 * rng.standard_normal(n), i, m)
        assert_same_effects(built, PLAIN, f"written_{case}", square, 3 * rng.standard_normal(n), i, m)


@pytest.mark.parametrize("n", [0, 1, 2, 3, 9, 33, 70])
def test_factorisations(built, n):
    x = np.random.default_rng(n).standard_normal((n, n))
    spd = x @ x.T + n * np.eye(n)
    assert_same_effects(built, PLAIN, "lu", spd)
    assert_same_effects(built, PLAIN, "cholesky", spd)
    for a, b in ((spd, x[:1].ravel()), (spd.T, x[::-1, :1].ravel()[::-1]), (spd[::-1, ::-1], x[:1].ravel())):
        assert_same_effects(built, PLAIN, "substituted", a, b.copy())
    single = x.astype(np.float32)
    assert_same_effects(built, PLAIN, "symmetric", single, single * 0)
    assert_same_effects(built, PLAIN, "every_second", (x * 1000).astype(np.int64))
    lower = spd.copy()
    built.cholesky(lower)
    np.testing.assert_allclose(np.tril(lower) @ np.tril(lower).T, spd, rtol=1e-10, atol=1e-10)


def test_one_array_for_both(built):
    results = []
    for made in (built, PLAIN):
        x = np.random.default_rng(7).standard_normal((50, 50)).astype(np.float32)
        made.symmetric(x, x)
        results.append(x)
    np.testing.assert_array_equal(*results)


def test_cut_subscripts_meet(built):
    """uint32(i * 2**32) is 0 for every i."""
    x, steps = np.linspace(0.1, 4, 50), np.linspace(0, 3, 100)
    for name in ("cut_to_nothing", "cut_while"):
        assert_same_effects(built, PLAIN, name, x, steps)


def test_bytes_come_back(built):
    assert_same_effects(built, PLAIN, "wraps_around", np.arange(256).astype(np.uint8))
