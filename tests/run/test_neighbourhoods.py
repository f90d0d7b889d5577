"""Functions that loops call for places of their own are taken into them (emit/lower/neighbourhoods.cpp): the same values,
exceptions and stores as CPython's, wherever their subscripts count from the end."""
import re

import numpy as np
import pytest
from conftest import Batch

SOURCE = '''
@njit
def near(u, i, j):
    return u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1]


@njit
def inside(u, i, j):
    if i < 0 or j < 0 or i >= u.shape[0] or j >= u.shape[1]:
        return 0.0
    return u[i, j]


@njit
def put(v, i, j, x):
    v[i, j] = x
    return i + j


@njit
def window(u, i, j, k):
    s = 0.0
    for a in range(-k, k + 1):
        for b in range(-k, k + 1):
            s += u[i + a, j + b] * (1.0 + a * b)
    return s / k


@njit
def both(u, i, j):
    return near(u, i, j), inside(u, i + 1, j + 1)


@njit
def moved(u, i, j):
    while u[i, j] > 0.5 and j < u.shape[1] - 1:
        j += 1
    return j


@njit
def first(u, i, j):
    for k in range(j, u.shape[1]):
        if u[i, k] > 0.9:
            return k
    return -1


@njit
def swapped(u, i, j):
    x = u[i]
    u[i] = u[j]
    u[j] = x
    return x - u[i]


@njit("float64[:, :](float64[:, :])")
def smooth(u):
    v = np.zeros(u.shape)
    for i in range(1, u.shape[0] - 1):
        for j in range(1, u.shape[1] - 1):
            v[i, j] = near(u, i, j)
    return v


@njit("float64[:, :](float64[:, :])")
def around(u):  # -1 is the last row, and the last column
    v = np.zeros(u.shape)
    for i in range(u.shape[0] - 1):
        for j in range(u.shape[1] - 1):
            v[i, j] = near(u, i, j)
    return v


@njit("float64[:, :](float64[:, :])")
def padded(u):
    v = np.zeros(u.shape)
    for i in range(u.shape[0]):
        for j in range(u.shape[1]):
            v[i, j] = inside(u, i - 1, j) + inside(u, i + 1, j) if i != j else inside(u, i, j + 1)
    return v


@njit("int64(float64[:, :], float64[:, :])")
def stored(u, v):
    n = 0
    for i in range(1, u.shape[0] - 1):
        for j in range(1, u.shape[1] - 1):
            put(v, i, j, near(u, i, j))
            n += put(v, i - 1, j - 1, 1.0 + n)
    return n


@njit("float64[:, :](float64[:, :], int64)")
def windows(u, k):
    v = np.zeros(u.shape)
    for i in range(k, u.shape[0] - k):
        for j in range(k, u.shape[1] - k):
            v[i, j] = window(u, i, j, k)
    return v


@njit("float64[:, :](float64[:, :], int64)", parallel=True)
def windows_parallel(u, k):
    v = np.zeros(u.shape)
    for i in prange(k, u.shape[0] - k):
        for j in range(k, u.shape[1] - k):
            v[i, j] = window(u, i, j, k)
    return v


@njit("float64[:, :](float64[:, :])")
def pairs(u):
    v = np.zeros(u.shape)
    for i in range(1, u.shape[0] - 1):
        for j in range(1, u.shape[1] - 1):
            a, b = both(u, i, j)
            v[i, j] = a - 2.0 * b
    return v


@njit("int64[:, :](float64[:, :])")
def walks(u):
    v = np.zeros(u.shape, np.int64)
    for i in range(u.shape[0]):
        for j in range(u.shape[1]):
            v[i, j] = 100 * moved(u, i, j) + first(u, i, j)
    return v


@njit
def until(u, o, i):
    """Leaves a loop of its own."""
    if u[i] < 0:
        return 0.0
    for k in range(o.size):
        if u[k] > 1:
            return 1.0
        o[k] = math.exp(u[k]) * math.sin(u[k]) + u[i]
    return 2.0


@njit("float64(float64[:], float64[:])")
def all_until(u, o):
    s = 0.0
    for i in range(u.size):
        s += until(u, o, i)
    return s


@njit
def divided(u, o, i):
    for k in range(o.size):
        if u[k] > 1:
            return
        o[k] = u[i] / u[k]


@njit("void(float64[:], float64[:])")
def all_divided(u, o):
    for i in range(u.size):
        divided(u, o, i)


@njit
def distance(a, b):
    return np.sin(a) * np.arcsin(np.sqrt(b))


@njit("float64(float64[:, :])", parallel=True)
def distances(c):
    total = 0.0
    for i in prange(c.shape[0]):
        for j in range(i + 1, c.shape[0]):
            total += distance(c[i, 0], c[j, 1])
    return total


@njit("float64(float64[:])")
def swaps(u):
    s = 0.0
    for i in range(u.shape[0]):
        s = 0.5 * s + swapped(u, i, u.shape[0] - 1 - i) + swapped(u, i, 0)
    return s
'''
OPTIONS = {"default": [], "strict": ["--fp=strict"], "plain": ["--no-lanes"], "eight": ["--gang=8"], "checked": ["--boundscheck"]}
BATCHES = {name: Batch(f"neighbourhoods_{name}", options) for name, options in OPTIONS.items()}
for batch in BATCHES.values():
    batch.add(SOURCE)
SIZES = [(0, 0), (1, 1), (2, 9), (9, 3), (6, 40), (40, 41)]
ORDERS = {"rows": lambda a: a, "columns": np.asfortranarray, "backwards": lambda a: a[::-1, ::-1],
          "every other": lambda a: np.repeat(a, 2, axis=1)[:, ::2]}
modules = pytest.mark.parametrize("built", BATCHES.values(), ids=BATCHES)


def image(size, order="rows"):
    return ORDERS[order](np.random.default_rng(sum(size)).random(size))


@modules
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("name", ["smooth", "padded", "pairs", "walks"])
def test_values(built, name, order):
    for size in SIZES:
        u = image(size, order)
        got, expected = getattr(built, name)(u), getattr(built.plain, name)(u)
        assert got.dtype == expected.dtype
        np.testing.assert_array_equal(got, expected)


@modules
def test_places_that_count_from_the_end(built):
    for size in SIZES:
        np.testing.assert_array_equal(built.around(image(size)), built.plain.around(image(size)))


@modules
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("name", ["windows", "windows_parallel"])
def test_windows(built, name, order):
    for size in SIZES:
        for k in (1, 2, 3):
            u = image(size, order)
            np.testing.assert_allclose(getattr(built, name)(u, k), getattr(built.plain, name)(u, k), rtol=1e-13)


@modules
@pytest.mark.parametrize("name", ["windows", "windows_parallel"])
def test_a_window_that_raises(built, name):
    with pytest.raises(ZeroDivisionError):
        getattr(built, name)(image((3, 3)), 0)
    assert getattr(built, name)(image((0, 3)), 0).shape == (0, 3)


@modules
def test_stores(built):
    for size in SIZES:
        for shares in (False, True):
            mine, theirs = image(size), image(size)
            v, w = (mine, theirs) if shares else (np.zeros(size), np.zeros(size))
            assert built.stored(mine, v) == built.plain.stored(theirs, w)
            np.testing.assert_array_equal(mine, theirs)
            np.testing.assert_array_equal(v, w)


@modules
def test_exchanges(built):
    for n in (0, 1, 2, 7, 100):
        mine, theirs = image((n,)), image((n,))
        assert built.swaps(mine) == built.plain.swaps(theirs)
        np.testing.assert_array_equal(mine, theirs)


@modules
def test_ways_out_of_loops(built):
    for at in (0, 5, 20, 63):
        u = np.full(64, 0.5)
        u[at] = 2.0
        for name in ("all_until", "all_divided"):
            mine, theirs = np.zeros(64), np.zeros(64)
            assert getattr(built, name)(u, mine) == getattr(built.plain, name)(u, theirs)
            np.testing.assert_allclose(mine, theirs, rtol=1e-14)
    u[10] = 0.0
    with pytest.raises(ZeroDivisionError):
        built.all_divided(u, np.zeros(64))


@modules
@pytest.mark.parametrize("order", ORDERS)
def test_sums_in_a_loop_of_threads(built, order):
    for n in (0, 1, 3, 70):
        c = image((n, 2), order)
        np.testing.assert_allclose(built.distances(c), built.plain.distances(c), rtol=1e-12)


def test_the_loop_knows_what_counts_from_the_end():
    text = (BATCHES["default"].directory / "neighbourhoods_default.cpp").read_text()
    smooth = re.search(r"pyk::status smooth\(.*?^}", text, re.DOTALL | re.MULTILINE)[0]
    assert "u(i - 1, j)" in smooth and "wrap" not in smooth
