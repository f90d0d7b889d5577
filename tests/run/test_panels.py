"""Rows that many load are laid side by side: the values of the source's order, from no element that it does not touch."""
import shutil
import subprocess

import numpy as np
import pytest
from conftest import Batch, assert_same_effects, run_pyk2cu

DTYPES = ["float64", "float32", "int64", "int32", "uint8"]
TEXT = "".join(f'''
@njit("void({t}[:, ::1], {t}[:, ::1], {t}[:, ::1])")
def product_{t}(a, b, c):
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            for k in range(b.shape[0]):
                c[i, j] += a[i, k] * b[k, j]

@njit("void({t}[:, ::1], {t}[:, ::1], {t}[:, ::1], int64, int64, int64, int64)")
def inner_{t}(a, b, c, top, left, first, last):
    for i in range(top, c.shape[0]):
        for j in range(left, c.shape[1]):
            for k in range(first, last):
                c[i, j] += a[i, k] * b[k, j]
''' for t in DTYPES) + '''
@njit("void(float64[:, ::1], float64[:, ::1], float64[:, ::1])", parallel=True)
def in_parallel(a, b, c):
    for i in prange(c.shape[0]):
        for j in range(c.shape[1]):
            total = 0.0
            for k in range(b.shape[0]):
                total += a[i, k] * b[k, j]
            c[i, j] = total

@njit("void(float64[:, ::1], float64[:, ::1], float64[:, ::1])", parallel=True)
def columns_in_parallel(a, b, c):
    for j in prange(c.shape[1]):
        for i in range(c.shape[0]):
            total = 0.0
            for k in range(b.shape[0]):
                total += a[i, k] * b[k, j]
            c[i, j] = total

@njit("void(float64[:, :, ::1], float64[:, :, ::1], float64[:, :, ::1])", parallel=True)
def batches(a, b, c):
    for n in prange(c.shape[0]):
        for i in range(c.shape[1]):
            for j in range(c.shape[2]):
                total = 0.0
                for k in range(b.shape[1]):
                    total += a[n, i, k] * b[n, k, j]
                c[n, i, j] = total

@njit("void(float64[:, ::1], float64[:, :, ::1], float64[:, ::1], int64)")
def middle_axis(a, b, c, last):
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            for k in range(b.shape[0]):
                c[i, j] += a[i, k] * b[k, last, j]

@njit("void(float64[:, ::1], float64[:, ::1], float64[:, ::1], float64[:, ::1], float64[:, ::1])")
def two(a, b, d, c, e):
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            x = 0.0
            y = 0.0
            for k in range(b.shape[0]):
                x += a[i, k] * b[k, j] - a[i, k] * d[k, j]
                y += a[i, k] * d[k, j] + a[i, k] * b[k, j]
            c[i, j] = x
            e[i, j] = y

@njit("void(float64[:, ::1], float64[:, ::1], float64[:, ::1])")
def beside(a, b, c):
    for i in range(c.shape[0]):
        for j in range(1, c.shape[1] - 1):
            total = 0.0
            for k in range(b.shape[0]):
                total += a[i, k] * (b[k, j - 1] + 2 * b[k, j] + b[k, j + 1])
            c[i, j] = total

@njit("void(float64[:, ::1], float64[:, ::1], float64[:, ::1], int64, int64)")
def shifted(a, b, c, m, n):
    for i in range(c.shape[0]):
        for j in range(c.shape[1] - 1):
            total = 0.0
            for k in range(n):
                total += a[i, k] * b[k, j + m // n]
            c[i, j] = total

@njit("void(float64[:, ::1], float64[:, ::1], float64[:, ::1])")
def guarded(a, b, c):
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            total = 0.0
            for k in range(b.shape[0]):
                if k + j > 3:
                    total += a[i, k] * b[k, j]
                total += b[k, j - 1] if j > 0 else 0.5
            c[i, j] = total

@njit("void(float64[:, ::1], float64[:, ::1], float64[:, ::1])")
def least_path(a, b, c):
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            best = np.inf
            for k in range(b.shape[0]):
                best = min(best, a[i, k] + b[k, j])
            c[i, j] = best

@njit("void(float64[:, ::1], float64[:, ::1])")
def own_second(a, c):
    b = np.empty((a.shape[1], c.shape[1]))
    for k in range(b.shape[0]):
        for j in range(b.shape[1]):
            b[k, j] = k - 0.25 * j
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            total = 0.0
            for k in range(b.shape[0]):
                total += a[i, k] * b[k, j]
            c[i, j] = total

@njit("float64[:, ::1](float64[:, ::1], float64[:, ::1])")
def chain(a, b):
    for turn in range(3):
        c = np.zeros((a.shape[0], b.shape[1]))
        for i in range(c.shape[0]):
            for j in range(c.shape[1]):
                for k in range(b.shape[0]):
                    c[i, j] += a[i, k] * b[k, j]
        if b.shape[0] == c.shape[0]:
            b = c
    return c

@njit("void(float64[:, ::1], float64[:, ::1], float64[:, ::1])")
def small(x, y, out):
    for i in range(x.shape[0]):
        for j in range(out.shape[1]):
            d = 0.0
            for k in range(3):
                d += (x[i, k] - y[k, j]) * (x[i, k] - y[k, j])
            out[i, j] = d

@njit("void(float64[:, ::1], float64[:, :, ::1], float64[:, ::1], int64, uint32)")
def never(a, b, c, n, last):
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            t = 0.0
            for q in range(b.shape[0]):
                t += a[i, q]
            s = 0.0
            for q in range(n):
                s += a[i, q]
                for k in range(b.shape[0]):
                    s += a[i, k] * b[k, last, j]
            c[i, j] = s + t

@njit("void(float64[:, :, :, ::1], float64[:, :, ::1], float64[:, :, :, ::1], uint32)")
def empty_middle(a, b, c, last):
    for p in range(c.shape[0]):
        for q in range(c.shape[1]):
            for i in range(c.shape[2]):
                for j in range(c.shape[3]):
                    for k in range(b.shape[0]):
                        c[p, q, i, j] += a[p, q, i, k] * b[k, last, j]

@njit("void(float64[:, ::1], float64[:, :, ::1], float64[:, ::1], int64, int64)")
def divided(a, b, c, n, m):
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            for k in range(n):
                c[i, j] += a[i, k] * b[k, m // n, j]

@njit("void(float64[:, ::1], float64[:, ::1], float64[:, ::1], int64)")
def far_rows(a, b, c, n):
    for i in range(9223372036854775767, 9223372036854775806):
        for j in range(c.shape[1]):
            for k in range(n):
                c[i - 9223372036854775767, j] += a[i - 9223372036854775767, k] * b[k, j]

@njit("void(float64[:, ::1], float64[:, ::1], float64[:, ::1])")
def sizes_named(a, b, c):
    n, m = c.shape
    for i in range(n):
        for j in range(m):
            total = 0.0
            for k in range(len(b)):
                total += a[i, k] * b[k, j] + m
            c[i, j] = total

@njit("void(float64[:, :], float64[:, :], float64[:, :])")
def any_layout(a, b, c):
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            for k in range(b.shape[0]):
                c[i, j] += a[i, k] * b[k, j]
''' + "".join(f'''
@njit("void({t}[:, ::1], {t}[:, ::1], float64[:, ::1])")
def distances_{t}(x, y, out):
    for i in range(x.shape[0]):
        for j in range(y.shape[0]):
            s = 0
            for k in range(3):
                d = {"float" if t[0] == "f" else "int"}(x[i, k]) - {"float" if t[0] == "f" else "int"}(y[j, k])
                s += d * d
            out[i, j] = s
''' for t in ("uint8", "float32", "uint16"))
TEXT += "".join(f'''
@njit("void({t}[:, :], {t}[:, :], {t}[:, :])")
def across_{t}(a, b, c):
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            total = {"0.0" if t[0] == "f" else "0"}
            for k in range(b.shape[1]):
                total += a[i, k] * b[j, k]
            c[i, j] = total

@njit("void({t}[:, ::1], {t}[:, ::1], int64[::1])", parallel=True)
def nearest_{t}(x, y, labels):
    for i in prange(x.shape[0]):
        best, least = -1, np.inf
        for j in range(y.shape[0]):
            s = 0.0
            for k in range(1, x.shape[1]):
                d = float(x[i, k]) - float(y[j, k])
                s += d * d
            if s < least:
                best, least = j, s
        labels[i] = best
''' for t in DTYPES) + '''
@njit("void(float64[:, ::1], float64[:, ::1], float64[:, ::1])", parallel=True)
def distances_in_parallel(x, y, out):
    for i in prange(x.shape[0]):
        for j in range(y.shape[0]):
            s = 0.0
            for k in range(x.shape[1]):
                s += abs(x[i, k] - y[j, k])
            out[i, j] = np.sqrt(s)

@njit("void(float64[:, ::1], float64[:, ::1])", parallel=True)
def gram_in_place(x, out):
    """Where `out` is `x`, rows are read again when parts of them are written."""
    for i in prange(x.shape[0]):
        for j in range(out.shape[1]):
            s = 0.0
            for k in range(x.shape[1]):
                s = 0.5 * s + x[i, k] * (1 + j)
            out[i, j] = s

@njit("void(float64[:, ::1], float64[:, ::1], float64[::1])", parallel=True)
def written_first(x, y, out):
    for i in prange(x.shape[0]):
        y[i, 0] = i + 0.5
        t = 0.0
        for turn in range(9):
            for k in range(x.shape[1]):
                t = 0.75 * t + x[i, k]
        out[i] = t

@njit("void(float64[:, :, ::1], float64[:, ::1], float64[:, ::1], int64)")
def middle_lane(a, b, c, plane):
    for i in range(c.shape[0]):
        for j in range(c.shape[1] - 2):
            for k in range(b.shape[1]):
                c[i, j] += a[plane, i, k] * b[j + 2, k] - a[plane, j, k]

@njit("float64(float64[:, ::1], float64[:, ::1], float64[::1])")
def divided_by(x, y, out):
    worst = 0.0
    for i in range(x.shape[0]):
        s = 0.0
        for j in range(y.shape[0]):
            t = 0.0
            for k in range(x.shape[1]):
                t += x[i, k] * y[j, k]
            s += t / y[j, 0]
        out[i] = s
        worst = max(worst, abs(s))
    return worst

@njit("int64(float64[:, ::1], float64[:, ::1], int64[::1], float64)")
def found(x, y, out, radius):
    count = 0
    for i in range(x.shape[0]):
        out[i] = -1
        for j in range(y.shape[0]):
            s = 0.0
            for k in range(x.shape[1]):
                s += (x[i, k] - y[j, k]) ** 2
            if s < radius:
                out[i] = j
                count += 1
                break
    return count

@njit("void(float64[:, ::1], float64[:, ::1], float64[:, ::1], int64, int64)")
def part_of_rows(a, b, c, first, last):
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            t = 0.0
            for k in range(first, last):
                t += a[i, k] * b[j, k]
            for k in range(3, last):
                t -= a[i, k] * b[j, k]
            c[i, j] = t

@njit("void(float64[:, ::1], float64[:, ::1])")
def lower_triangle(x, out):
    for i in range(x.shape[0]):
        for j in range(i):
            t = 0.0
            for k in range(x.shape[1]):
                t += (x[i, k] - x[j, k]) * (x[i, k] - x[j, k])
            out[i, j] = t
            out[j, i] = t

@njit("void(float64[:, :], float64[:, :, :], float64[:, :], int64, int64)")
def never_across(a, b, out, turns, last):
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            s = 0.0
            for k in range(turns):
                d = a[i, k] - b[j, last, k]
                s += d * d
            out[i, j] = s

@njit("complex128(complex128[:, ::1], complex128[:, ::1], complex128[:, ::1])")
def of_complex(a, b, c):
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            t = 0j
            for k in range(b.shape[1]):
                t += a[i, k] * b[j, k]
            c[i, j] = t
    return c[0, 0] if c.size else 0j
'''
OPTIONS = {"plain": ["--no-lanes"], "default": [], "checked": ["--boundscheck"], "eight": ["--gang=8"]}
TEXT += """
@njit("void(float64[:, ::1], float64[:, ::1], int64[:], float64[:])", parallel=True)
def nearest_twice(p, q, places, out):
    for i in prange(p.shape[0]):
        best, at = 1e300, -1
        for j in range(q.shape[0]):
            s = 0.0
            for k in range(p.shape[1]):
                d = p[i, k] - q[j, k]
                s += d * d
            if s < best:
                best = s
                at = j
        second, changes = 1e300, 0.0
        for j in range(q.shape[0]):
            s = 0.0
            for k in range(p.shape[1]):
                d = p[i, k] - q[j, k]
                s += d * d
            if s < second and j != at:
                second = s
                changes += 1
        places[i] = at
        out[i] = second + changes
"""
MODULES = {name: Batch("panels_" + name, options) for name, options in OPTIONS.items()}
for module in MODULES.values():
    module.add(TEXT)
PLAIN = MODULES["plain"]
SHAPES = [(0, 5, 40), (1, 0, 40), (3, 7, 33), (31, 4, 64), (32, 1, 4), (35, 40, 31), (36, 33, 65), (70, 100, 130), (130, 3, 7),
          (200, 50, 3), (64, 512, 96)]


@pytest.fixture(params=["default", "checked", "eight"])
def built(request):
    return MODULES[request.param]


def equal(made, function, *arrays):
    assert_same_effects(made, PLAIN, function, *arrays)


def matrices(dtype, rows, inner, columns, seed=0):
    rng = np.random.default_rng(seed + rows * inner)
    make = (lambda *shape: rng.standard_normal(shape).astype(dtype)) if dtype.startswith("float") else (
        lambda *shape: rng.integers(0, 100, shape).astype(dtype))
    return make(rows, inner), make(inner, columns), make(rows, columns)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", SHAPES)
def test_products(built, dtype, shape):
    a, b, c = matrices(dtype, *shape)
    equal(built, "product_" + dtype, a, b, c)
    rows, inner, columns = shape
    for top, left, first, last in ((0, 0, 0, inner), (1, 2, 1, inner), (rows, 0, 0, inner), (0, columns - 4, inner - 1, inner),
                                   (2, 1, inner, inner), (0, 0, 0, 0), (0, columns, 0, inner)):
        if min(top, left, first, last) >= 0:
            equal(built, "inner_" + dtype, a, b, c, top, left, first, last)


@pytest.mark.parametrize("function", ["in_parallel", "columns_in_parallel", "guarded", "least_path", "beside", "any_layout"])
@pytest.mark.parametrize("shape", SHAPES)
def test_kinds_of_nests(built, function, shape):
    a, b, c = matrices("float64", *shape)
    if a.size:
        a[-1, 0], b[0, -1], b[0, 0] = np.nan, np.inf, -0.0
    equal(built, function, a, b, c)


@pytest.mark.parametrize("shape", SHAPES)
def test_more_arrays(built, shape):
    a, b, c = matrices("float64", *shape)
    _, d, e = matrices("float64", *shape, seed=1)
    equal(built, "two", a, b, d, c, e)
    equal(built, "own_second", a, c)
    equal(built, "chain", a, b)
    three = [np.stack([x, -x, x + 1]) for x in (a, b, c)]
    equal(built, "batches", *three)
    if shape[1] >= 3:
        equal(built, "middle_axis", a, np.stack([b, d], axis=1).copy(), c, 1)
        equal(built, "small", a, b, c)


def test_what_is_written_is_read_again(built):
    """A result that is one of the factors, or shares rows with one, is what the source says."""
    for rows in (8, 40, 96):
        for first, second in ((0, 0), (0, rows // 2), (1, 0)):
            results = []
            for made in (built, PLAIN):
                memory = np.random.default_rng(rows).standard_normal((2 * rows, rows))
                b, c = memory[first:first + rows], memory[second:second + rows]
                made.product_float64(np.eye(rows) * 1.5, b, c)
                results.append(memory)
            np.testing.assert_array_equal(*results)


def test_strided_arrays_are_read_where_they_are(built):
    a, b, c = matrices("float64", 70, 60, 66)
    equal(built, "any_layout", a[::-1], b[:, ::-1], c)
    equal(built, "any_layout", a, b.T[:, :60].T, c)
    wide = np.random.default_rng(3).standard_normal((60, 200))
    for columns in (wide[:, 1:133:2], wide[:, 3:69], wide[::-1, :66]):
        results = []
        for made in (built, PLAIN):
            out = c.copy()
            made.any_layout(a, columns, out)
            results.append(out)
        np.testing.assert_array_equal(*results)


def test_nothing_is_read_where_a_loop_does_not_turn(built):
    a, b, c = matrices("float64", 64, 50, 64)
    planes = np.stack([b, b], axis=1).copy()
    equal(built, "never", a, planes, c, 0, 4_000_000_000)
    equal(built, "never", a, planes, c, 2, 1)
    equal(built, "empty_middle", np.zeros((9, 0, 40, 50)), planes, np.zeros((9, 0, 40, 64)), 4_000_000_000)
    equal(built, "empty_middle", np.ones((2, 3, 40, 50)), planes, np.zeros((2, 3, 40, 64)), 1)
    for turns in (0, -1, -7):
        equal(built, "never", a, planes, c, turns, 4_000_000_000)
        equal(built, "never_across", a, np.stack([a, a], axis=1), np.ones((64, 64)), turns, 1_000_000_000)
    equal(built, "never_across", a, np.stack([a, a], axis=1), np.ones((64, 64)), 50, 1)
    equal(built, "divided", a, planes, c, 0, 5)
    equal(built, "divided", a, planes, c, 50, 60)
    equal(built, "shifted", a, b, c, 5, 0)
    equal(built, "shifted", a, b, c, 50, 50)
    equal(built, "sizes_named", a, b, c)
    for turns in (5, 40):
        equal(built, "far_rows", a, b, c, turns)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", SHAPES)
def test_rows_of_lanes(built, dtype, shape):
    """Lanes have a row each."""
    a, b, c = matrices(dtype, *shape)
    b = np.ascontiguousarray(b.T)
    equal(built, "across_" + dtype, a, b, c)
    equal(built, "across_" + dtype, a[:, ::-1], b[::-1], c)
    equal(built, "across_" + dtype, np.asfortranarray(a), np.asfortranarray(b), c.T.copy().T)
    for few in (b, b[:9].copy(), b[:5].copy()):
        equal(built, "nearest_" + dtype, a, few, np.zeros(len(a), np.int64))


@pytest.mark.parametrize("shape", SHAPES)
def test_kinds_of_rows_of_lanes(built, shape):
    a, b, c = matrices("float64", *shape)
    b = np.ascontiguousarray(b.T)
    if a.size and b.size:
        a[-1, 0], b[0, -1], b[0, 0] = np.nan, np.inf, -0.0
    equal(built, "distances_in_parallel", a, b, c)
    equal(built, "part_of_rows", a, b, c, 0, shape[1])
    equal(built, "part_of_rows", a, b, c, shape[1] // 2, shape[1])
    equal(built, "part_of_rows", a, b, c, shape[1], 0)
    equal(built, "lower_triangle", a, np.zeros((len(a), len(a))))
    equal(built, "found", a, b, np.zeros(len(a), np.int64), 2.0 * shape[1])
    equal(built, "of_complex", a + 1j, b - 2j, c * 1j)
    if min(shape) > 2:
        side = max(len(a), len(b))
        planes = np.random.default_rng(2).standard_normal((3, side, shape[1]))
        equal(built, "middle_lane", planes, b, c, 1)


@pytest.mark.parametrize("shape", [(64, 64, 64), (100, 7, 50), (150, 40, 33), (33, 2, 9)])
def test_what_stands_between_loops_with_panels_is_a_threads_own(built, shape):
    rng = np.random.default_rng(2)
    n, m, dims = shape
    for _ in range(5):
        p, q = rng.random((n, dims)), rng.random((m, dims))
        equal(built, "nearest_twice", p, q, np.zeros(n, np.int64), np.zeros(n))


@pytest.mark.parametrize("zero", [None, 0, 20, 39])
def test_a_division_that_raises(built, zero):
    a, b, _ = matrices("float64", 50, 11, 40)
    b = np.ascontiguousarray(b.T)
    if zero is None:
        return equal(built, "divided_by", a, b, np.zeros(50))
    b[zero, 0] = 0
    outs = []
    for made in (built, PLAIN):
        outs.append(np.ones(50))
        with pytest.raises(ZeroDivisionError):
            made.divided_by(a, b, outs[-1])
    np.testing.assert_array_equal(*outs)


def test_rows_that_are_written(built):
    """Arrays that are the same, where iterations keep to rows of their own."""
    for name in ("gram_in_place", "written_first"):
        results = []
        for made in (built, PLAIN):
            x = np.random.default_rng(1).standard_normal((70, 40))
            getattr(made, name)(*((x, x) if name == "gram_in_place" else (x, x, x[:, 3].copy())))
            results.append(x)
        np.testing.assert_array_equal(*results)
    out = [np.zeros(70), np.zeros(70)]
    for made, o in zip((built, PLAIN), out):
        x = np.random.default_rng(1).standard_normal((70, 40))
        made.written_first(x, x, o)
    np.testing.assert_array_equal(*out)


@pytest.mark.parametrize("dtype", ["uint8", "float32", "uint16"])
@pytest.mark.parametrize("columns", [3, 4, 5])
def test_points_of_other_lengths(built, dtype, columns):
    rng = np.random.default_rng(columns)
    x, y = rng.integers(0, 200, (2, 70, columns)).astype(dtype)
    equal(built, "distances_" + dtype, x, y, np.zeros((70, 70)))


@pytest.mark.skipif(not shutil.which("clang++"), reason="needs clang++")
def test_clang_takes_it(tmp_path):
    (tmp_path / "panels.py").write_text("from numba import njit, prange\nimport numpy as np\n" + TEXT)
    assert run_pyk2cu(tmp_path / "panels.py", "-o", tmp_path).returncode == 0
    done = subprocess.run(["clang++", "-std=c++17", "-fopenmp", "-march=x86-64-v3", "-fsyntax-only", tmp_path / "panels.v3.cpp"],
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_it_is_said(tmp_path):
    (tmp_path / "panels.py").write_text("from numba import njit, prange\nimport numpy as np\n" + TEXT)
    said = run_pyk2cu("explain", f"{tmp_path / 'panels.py'}:product_float64").stdout
    assert "rows of `b` side by side where 32 iterations or more load them" in said
    emitted = run_pyk2cu(tmp_path / "panels.py", "-o", tmp_path / "out")
    assert emitted.returncode == 0, emitted.stderr
    text = "".join(p.read_text() for p in (tmp_path / "out").glob("panels*.h"))
    assert text.count("pyk::lanes::panel(") >= 15
    said = run_pyk2cu("explain", f"{tmp_path / 'panels.py'}:distances_in_parallel").stdout
    assert "rows of `y` side by side where 8 iterations or more load them" in said
    said = run_pyk2cu("explain", f"{tmp_path / 'panels.py'}:nearest_float32").stdout
    assert "rows of `x` side by side where 8 iterations or more load them" in said
    for name in ("gram_in_place", "written_first", "found"):
        assert "iterations or more load them" not in run_pyk2cu("explain", f"{tmp_path / 'panels.py'}:{name}").stdout
