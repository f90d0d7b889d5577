"""Rows that lanes have each their own of, which loops come back to under conditions, where turns end early and where loops
are left: the values of one iteration after the other, to the last bit."""
import numpy as np
import pytest
from conftest import Batch, assert_same_effects

TEXT = "".join(f'''
@njit("void({t}[:, :], int64[:], float64[:])", parallel=True)
def nearest_other_{t}(x, at, least):
    for i in prange(x.shape[0]):
        best, which = np.inf, -1
        for j in range(x.shape[0]):
            if j == i:
                continue
            s = 0.0
            for k in range(x.shape[1]):
                d = float(x[i, k]) - float(x[j, k])
                s += d * d
            if s < best:
                best, which = s, j
        at[i] = which
        least[i] = best

@njit("void({t}[:, ::1], {t}[:, ::1], int64[::1], float64[::1])")
def in_reach_{t}(x, y, count, total):
    for i in range(x.shape[0]):
        n, t = 0, 0.0
        for j in range(y.shape[0]):
            if x[i, 0] > y[j, 0]:
                continue
            s = 0.0
            for k in range(x.shape[1]):
                s += abs(float(x[i, k]) - float(y[j, k]))
            if s > 3:
                continue
            n += 1
            t += s
        count[i] = n
        total[i] = t

@njit("void({t}[:, ::1], {t}[:, ::1], int64[::1])")
def first_within_{t}(x, y, at):
    for i in range(x.shape[0]):
        found = -1
        for j in range(y.shape[0]):
            s = 0.0
            for k in range(x.shape[1]):
                s += (float(x[i, k]) - float(y[j, k])) ** 2
            if s < 2.0:
                found = j
                break
        at[i] = found

@njit("void({t}[:, ::1], {t}[:, ::1], int64, float64[::1])")
def some_columns_{t}(x, y, columns, out):
    """The rows may have fewer columns than are asked for where the condition is false."""
    for i in range(x.shape[0]):
        t = 0.0
        for j in range(y.shape[0]):
            if columns <= x.shape[1] and columns <= y.shape[1]:
                for k in range(columns):
                    t += float(x[i, k]) * float(y[j, k])
            else:
                t -= 1.0
        out[i] = t

@njit("void({t}[:, ::1], {t}[:, ::1], int64[::1], float64[::1])")
def both_sides_{t}(x, y, kind, out):
    for i in range(x.shape[0]):
        t = 0.0
        for j in range(y.shape[0]):
            if kind[j] == 0:
                for k in range(x.shape[1]):
                    t += abs(float(x[i, k]) - float(y[j, k]))
            elif kind[j] == 1 and i > 2:
                for k in range(1, x.shape[1]):
                    t = max(t, float(x[i, k]) * 2)
            else:
                t *= 0.5
        out[i] = t
''' for t in ("float64", "float32", "int64", "uint8")) + '''
@njit("void(float64[:, ::1], float64[:, ::1], int64[::1])")
def until_far(x, y, at):
    """Several ends, in the loop over rows and in the one along them."""
    for i in range(x.shape[0]):
        n = 0
        for j in range(y.shape[0]):
            if y[j, 0] != y[j, 0]:
                break
            if j == i or y[j, 0] == 0.0:
                continue
            s = 0.0
            for k in range(x.shape[1]):
                if y[j, k] < -2.0:
                    continue
                s += (x[i, k] - y[j, k]) ** 2
                if s > 4.0:
                    break
            if s > 4.0:
                n += 1
                continue
            n += 100
        at[i] = n

@njit("void(float64[:, ::1], float64[:, ::1])")
def turned_in_place(x, y):
    """What it stores to is what it loads."""
    for i in range(x.shape[0]):
        for j in range(y.shape[0]):
            if j == 3:
                continue
            for k in range(x.shape[1]):
                x[i, k] = x[i, k] * 0.5 + y[j, k]

@njit("void(float64[:, :, ::1], float64[:, ::1], float64[::1], int64)")
def far(a, y, out, many):
    """A place that nobody reads may be in nobody's memory."""
    for m in range(many):
        for i in range(out.shape[0]):
            n, t = 0, 0.0
            for j in range(y.shape[0]):
                if m < a.shape[0]:
                    s = 0.0
                    for k in range(y.shape[1]):
                        s += abs(a[m, i, k] - y[j, k])
                    if s > 3:
                        continue
                    n += 1
                    t += s
            out[i] += t + n

@njit("void(float64[:, ::1], float64[:, ::1], float64[::1], int64)")
def shifted(x, y, out, d):
    for i in range(out.shape[0]):
        t = 0.0
        for j in range(y.shape[0]):
            if i >= d and i - d < x.shape[0]:
                for k in range(y.shape[1]):
                    t += abs(x[i - d, k] - y[j, k])
            if i >= 5:
                for k in range(y.shape[1]):
                    t += x[i - 5, k] * y[j, k]
        out[i] = t

@njit("void(float64[:, ::1], float64[:, ::1], float64[::1], int64)")
def begun_below(x, y, out, first):
    for i in range(-6, out.shape[0]):
        t = 0.0
        for j in range(y.shape[0]):
            if i >= 0:
                for k in range(y.shape[1]):
                    t += abs(x[i, k] - y[j, k])
        out[max(i, 0)] = t
'''
OPTIONS = {"plain": ["--no-lanes"], "default": [], "checked": ["--boundscheck"], "eight": ["--gang=8"]}
MODULES = {name: Batch("panel_conditions_" + name, options) for name, options in OPTIONS.items()}
for module in MODULES.values():
    module.add(TEXT)
SIZES = [(0, 4, 3), (1, 1, 1), (5, 0, 2), (7, 9, 0), (31, 7, 3), (32, 8, 5), (33, 40, 8), (100, 65, 33), (130, 12, 1)]


def numbers(rng, dtype, *shape):
    if dtype.startswith("float"):
        return rng.standard_normal(shape).astype(dtype)
    return rng.integers(0, 4, shape).astype(dtype)


@pytest.mark.parametrize("built", ["default", "checked", "eight"])
@pytest.mark.parametrize("dtype", ["float64", "float32", "int64", "uint8"])
@pytest.mark.parametrize("rows,others,columns", SIZES)
def test_conditions(built, dtype, rows, others, columns):
    rng = np.random.default_rng(rows * 100 + others)

    def equal(function, *arrays):
        return assert_same_effects(MODULES[built], MODULES["plain"], f"{function}_{dtype}", *arrays)

    x, y = numbers(rng, dtype, rows, columns), numbers(rng, dtype, others, columns)
    places, out = np.full(rows, 7), np.full(rows, 0.25)
    for view in (x, x[::-1], numbers(rng, dtype, rows, 2 * columns)[:, ::2], np.asfortranarray(x)):
        equal("nearest_other", view, places, out)
    if columns:
        equal("in_reach", x, y, places, out)
    equal("first_within", x, y, places)
    for named in {0, 1, columns, columns + 1, columns + 50}:
        equal("some_columns", x, y, named, out)
    equal("both_sides", x, y, rng.integers(0, 3, others), out)


@pytest.mark.parametrize("built", ["default", "checked", "eight"])
@pytest.mark.parametrize("rows,others,columns", [s for s in SIZES if s[2]])
def test_ends(built, rows, others, columns):
    rng = np.random.default_rng(rows + others)
    x, y = rng.standard_normal((rows, columns)), rng.standard_normal((others, columns))
    y[rng.random(y.shape) < 0.1] = 0.0
    places = np.full(rows, 7)
    for _ in range(2):
        assert_same_effects(MODULES[built], MODULES["plain"], "until_far", x, y, places)
        assert_same_effects(MODULES[built], MODULES["plain"], "turned_in_place", x, y)
        if others:
            y[others // 2, 0] = np.nan


@pytest.mark.parametrize("built", ["default", "checked", "eight"])
def test_places_that_are_not_read(built):
    rng = np.random.default_rng(5)

    def equal(function, *arrays):
        assert_same_effects(MODULES[built], MODULES["plain"], function, *arrays)

    equal("far", rng.standard_normal((2, 100, 64)), rng.standard_normal((16, 64)), np.zeros(100), 40_000)
    x, y = rng.standard_normal((90, 6)), rng.standard_normal((12, 6))
    for d in (-3, 0, 7, 33, 200):
        equal("shifted", x, y, np.zeros(90), d)
    equal("begun_below", x, y, np.zeros(90), 0)


def test_what_others_leave_out():
    """Against Python itself: the loops above, as they are written."""
    rng = np.random.default_rng(1)
    x, y = rng.standard_normal((40, 3)), rng.standard_normal((12, 3))
    for name, arrays in (("nearest_other_float64", (x, np.zeros(40, int), np.zeros(40))),
                         ("in_reach_float64", (x, y, np.zeros(40, int), np.zeros(40))),
                         ("until_far", (x, y, np.zeros(40, int)))):
        assert_same_effects(MODULES["default"], MODULES["default"].plain, name, *arrays)
