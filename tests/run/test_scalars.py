"""Elements that stay while a loop turns are kept in variables, wherever nobody can tell: as CPython runs it."""
import itertools
import threading
import time

import numpy as np
import pytest
from conftest import Batch, assert_same_effects

KINDS = ["uint8", "int8", "uint16", "int32", "int64", "uint64", "float32", "float64", "complex128"]
ORDERED = [kind for kind in KINDS if kind != "complex128"]
SHAPES = [(0, 0), (3, 0), (0, 4), (1, 1), (2, 3), (5, 67), (4, 300)]
OPTIONS = {"default": [], "strict": ["--fp=strict", "--gang=8"], "checked": ["--boundscheck"], "plain": ["--no-lanes"]}
EVERY = '''
@njit("void({K}[:, :], {K}[:])")
def rows_{K}(a, out):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            out[i] += a[i, j]


@njit("void({K}[:, ::1], {K}[::1])")
def moments_{K}(a, out):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            out[0] += a[i, j]
            out[1] = out[1] - a[i, j] * a[i, j]
            out[2] += 1


@njit("void({K}[::1], {K}[::1], {K}[::1])")
def window_{K}(a, w, out):
    for i in range(len(a) - 2):
        out[i] = 0
        for k in range(3):
            out[i] += a[i + k] * w[k]


@njit("void({K}[:], {K}[:])")
def window_below_{K}(a, out):
    for i in range(2, len(a)):
        for k in range(3):
            out[i] -= a[i - k]


@njit("void({K}[:], {K}[:], int64)")
def steps_{K}(a, out, n):
    for j in range(len(a) - 1, -1, -1):
        out[n] = out[n] * 3 + a[j]
    for j in range(0, len(a), 3):
        out[n + 1] += a[j]
    for j in range(len(a) - 1, 2, -2):
        out[-1] -= a[j]


@njit("void({K}[:, ::1], {K}[::1])", parallel=True)
def shared_{K}(a, out):
    for i in prange(a.shape[0]):
        for j in range(a.shape[1]):
            out[i] += a[i, j]
            out[i] += 1


@njit("{K}({K}[:])")
def own_{K}(a):
    sums = np.zeros(2, np.{K})
    for j in range(len(a)):
        sums[0] += a[j]
        sums[1] += a[j] * a[j]
    return sums[0] - sums[1]
'''
SOME = '''
@njit("void({K}[:, ::1], {K}[::1])")
def largest_{K}(a, out):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            if a[i, j] > out[i]:
                out[i] = a[i, j]


@njit("void({K}[:], {K}[:])")
def extremes_{K}(a, out):
    for j in range(len(a)):
        out[0] = min(out[0], a[j])
        out[1] = max(out[1], a[j])


@njit("void({K}[:, ::1], {K}[::1], {K}, {K})")
def early_{K}(a, out, skipped, most):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            if a[i, j] == skipped:
                continue
            out[i] += a[i, j]
            if out[i] > most:
                break


@njit("void({K}[:, ::1], {K}[::1])", parallel=True)
def sometimes_{K}(a, out):
    for i in prange(a.shape[0]):
        for j in range(a.shape[1]):
            if a[i, j] > 3:
                out[i] = a[i, j] if a[i, j] > out[i] else out[i]
'''
ONCE = '''
@njit
def clamp(x, lo, hi):
    return lo if x < lo else hi if x > hi else x


@njit("void(int64[:], int64[:], int64, int64)")
def out_of_reach(a, out, n, k):
    """No element that the loops do not touch is touched: k may be anywhere."""
    for j in range(n):
        out[k] += a[j]
    for j in range(len(a)):
        if j < n:
            out[k] += a[j]
            out[k] += 1
    for j in range(len(a)):
        if n <= 0:
            continue
        out[k] ^= a[j]


@njit("void(int64[:])")
def neighbours(a):
    """Elements of one array that are surely others, and some that are not."""
    n = len(a)
    for i in range(1, n - 1):
        for j in range(2):
            a[i] += a[i + 1] * j
            a[i + 1] -= 3
    for i in range(n - 1):
        for j in range(n):
            a[i] = a[i] * 3 + a[j]
    for j in range(2, n):
        a[0] += a[j - 1]
        a[1] += a[j - 2]


@njit("void(int64[:], int64[:], int64, int64)")
def two_places(a, out, i, k):
    for j in range(len(a)):
        out[i] += a[j]
        out[k] = out[k] * 5 + out[i]


@njit("int64(int64[:, :], int64[:], int64[:])")
def indirect(a, at, out):
    """Where an element lies is known, or changes."""
    k = 0
    last = -1
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            out[at[i]] += a[i, j]
        k = at[i]
        for j in range(a.shape[1]):
            out[k] += a[i, j]
            last = j
        for j in range(a.shape[1]):
            at[i] = (at[i] + 1) % len(out)
            out[at[i]] ^= 5
        for j in range(a.shape[1]):
            out[k] -= clamp(a[i, j], 0, out[k])
            k = (k + j) % len(out)
    return last * 100 + k


@njit("void(int64[:, :, ::1], int64[:, ::1])")
def of_planes(a, out):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            for k in range(a.shape[2]):
                out[i, 1] += a[i, j, k]
                out[i, 0] |= a[i, j, k]
                out[i, 2] += a[i, j, k] > 0


@njit("void(float64[:, ::1], float64[::1], float64)")
def raises(a, out, x):
    """What was stored before an exception is there."""
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            out[i] += 1.0 / (a[i, j] - x)


@njit("void(int64[:], int64[:])", error_model="numpy")
def divided(a, out):
    for j in range(len(a)):
        out[0] += 100 // a[j]
        out[1] = out[1] % 1000 + a[j]


@njit("void(boolean[:], boolean[:])")
def truths(a, out):
    for j in range(len(a)):
        out[0] = out[0] or a[j]
        out[1] = out[1] and a[j]
        out[2] ^= a[j]


@njit("void(uint8[:, ::1], int64[::1], int64[::1])")
def of_bytes(a, sums, counts):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            sums[i] += a[i, j]
            if a[i, j] > 100:
                counts[i] += 1


@njit("void(float32[:], float64[:], float32[:], int32[:])")
def rounded(a, b, out, n):
    """Computed wider than what is stored."""
    for j in range(len(a)):
        out[0] += a[j] * b[j]
        n[0] += j * 3
        n[1] = n[1] * 31 + j


@njit("int64(int64[:], int64[:])")
def behind(a, out):
    """What the loop leaves in variables is read behind it."""
    x = y = 7
    for j in range(len(a)):
        x = a[j]
        out[0] += x
        if x > 3:
            y = out[0]
    return x * 1000 + y


@njit("float64(float64[:], float64[:, ::1], float64[::1])", fastmath=True)
def fast(a, m, out):
    for i in range(m.shape[0]):
        for j in range(m.shape[1]):
            out[i] += m[i, j] * a[j]
    return out[0]


@njit("void(int8[::1], float64[::1], int64[::1])")
def seldom(a, sums, counts):
    for j in range(len(a)):
        if a[j] > 3:
            sums[0] += 1.0
    for j in range(len(a)):
        if a[j] > 3:
            counts[0] += 1


@njit("void(int64[:, ::1], int64[::1])")
def rows_of(a, out):
    for i in range(a.shape[0]):
        row = a[i]
        for j in range(len(row)):
            out[i] += row[j]
            row[0] += 1
'''
MODULES = {name: Batch("scalars_" + name, options) for name, options in OPTIONS.items()}
for module in MODULES.values():
    module.add("\n\n".join([*(EVERY.format(K=kind) for kind in KINDS), *(SOME.format(K=kind) for kind in ORDERED), ONCE]))
PLAIN = MODULES["plain"]


@pytest.fixture(params=[name for name in OPTIONS if name != "plain"])
def built(request):
    return MODULES[request.param]


def numbers(kind, shape, seed=0):
    rng = np.random.default_rng(seed)
    dtype = np.dtype(kind)
    if dtype.kind in "fc":
        a = (rng.integers(-9, 9, shape) / 4 * (1 + 2j if dtype.kind == "c" else 1)).astype(dtype)
        a.flat[3::50] = -0.0
        a.flat[70::90] = np.nan
        return a
    info = np.iinfo(dtype)
    return rng.integers(info.min, info.max, shape, dtype=dtype, endpoint=True)


def assert_same(built, function, *arguments, python=True):
    """As without lanes, bit by bit; and as CPython has it, where its numbers are those."""
    ours = assert_same_effects(built, PLAIN, function, *arguments)
    if python:
        theirs = [np.copy(a) if isinstance(a, np.ndarray) else a for a in arguments]
        with np.errstate(all="ignore"):
            returned = getattr(PLAIN.plain, function)(*theirs)
        for a, b in zip(ours, [returned, *(a for a in theirs if isinstance(a, np.ndarray))]):
            np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shape", SHAPES)
def test_every_type(built, kind, shape):
    a, start = numbers(kind, shape), numbers(kind, max(shape) + 4, 1)
    python = kind in ("int64", "float64")
    flat = a.ravel()
    for view in (a, np.asfortranarray(a), a[::-1, ::-1]):
        assert_same(built, f"rows_{kind}", view, start, python=python)
    assert_same(built, f"moments_{kind}", a, start, python=python)
    assert_same(built, f"shared_{kind}", a, start, python=python)
    assert_same(built, f"own_{kind}", flat, python=False)
    for n in (0, 2):
        assert_same(built, f"steps_{kind}", flat, start, n, python=python)
    assert_same(built, f"window_{kind}", flat, numbers(kind, 3, 2), np.zeros_like(flat), python=python)
    for view in (flat, flat[::-1]):
        assert_same(built, f"window_below_{kind}", view, np.zeros_like(flat), python=python)


@pytest.mark.parametrize("kind", ORDERED)
@pytest.mark.parametrize("shape", SHAPES)
def test_every_ordered_type(built, kind, shape):
    a, start = numbers(kind, shape), numbers(kind, max(shape) + 4, 1)
    assert_same(built, f"largest_{kind}", a, start, python=False)
    assert_same(built, f"extremes_{kind}", a.ravel(), start, python=False)
    assert_same(built, f"sometimes_{kind}", a, start, python=False)
    for most in (5, 100):
        assert_same(built, f"early_{kind}", a, start, a.dtype.type(2), a.dtype.type(most), python=False)


OVERLAPS = [slice(0, 90), slice(1, 91), slice(9, 99), slice(89, None, -1), slice(None, None, 3)]


@pytest.mark.parametrize("kind", ["int64", "float64", "uint8"])
@pytest.mark.parametrize("function", ["window_below", "steps", "extremes", "window"])
def test_what_is_read_is_what_was_stored(built, kind, function):
    """Arrays that overlap, in every way."""
    a = numbers(kind, 100)
    more = {"steps": (4,)}.get(function, ())
    for first, second in itertools.product(OVERLAPS, repeat=2):
        if function == "window" and (first.step or second.step):
            continue
        ours, theirs = a.copy(), a.copy()
        for module, x in ((built, ours), (PLAIN, theirs)):
            middle = (x[4:7],) if function == "window" else ()
            getattr(module, f"{function}_{kind}")(x[first][:34], *middle, x[second][:34], *more)
        np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("kind", ["int64", "float32", "uint8"])
def test_rows_of_what_they_are_added_to(built, kind):
    a = numbers(kind, (6, 40))
    for function in ("rows", "moments", "largest", "shared"):
        for first in (0, 1, 35, 200):
            ours, theirs = a.copy(), a.copy()
            for module, x in ((built, ours), (PLAIN, theirs)):
                getattr(module, f"{function}_{kind}")(x[:6], x.ravel()[first:first + 40])
            if function != "shared":  # what its threads read meanwhile
                np.testing.assert_array_equal(ours, theirs)


def test_nothing_is_touched_but_what_the_loop_touches(built):
    a, out = np.arange(40), np.arange(9)
    for n, k in ((0, 10**13), (-3, -(10**13)), (4, 8), (40, 0)):
        if MODULES["checked"] is not built or k < 9:
            assert_same(built, "out_of_reach", a, out, n, k)
    assert_same(built, "out_of_reach", a[:0], out, 0, 10**13)


def test_places(built):
    a = np.arange(50) % 13 - 4
    for size in (0, 1, 2, 3, 50):
        assert_same(built, "neighbours", a[:size])
    for i, k in itertools.product((0, 3, -1), repeat=2):
        assert_same(built, "two_places", a, np.arange(8), i, k)
    for shape in SHAPES:
        assert_same(built, "indirect", numbers("int64", shape) % 100, np.arange(shape[0]) * 3 % 7, np.arange(7))
        assert_same(built, "rows_of", numbers("int64", shape) % 100, np.arange(shape[0]))
    for shape in ((0, 2, 3), (3, 4, 0), (3, 4, 70)):
        assert_same(built, "of_planes", numbers("int64", shape) % 100, np.ones((3, 3), np.int64))


@pytest.mark.parametrize("at", [None, 0, 33, 66, 100, 200])
def test_what_was_stored_before_an_exception(built, at):
    a = np.arange(201.0).reshape(3, 67) + 1
    if at is not None:
        a.flat[at] = 0.5
    results = []
    for module in (built, PLAIN):
        out = np.zeros(3)
        try:
            module.raises(a, out, 0.5)
            results.append((None, out.tolist()))
        except ZeroDivisionError as error:
            results.append((str(error), out.tolist()))
    assert results[0] == results[1]
    assert (results[0][0] is None) == (at is None)


@pytest.mark.parametrize("size", [0, 1, 5, 64, 1000])
def test_more_than_sums(built, size):
    a = np.arange(size) % 11 - 4
    assert_same(built, "divided", a, np.array([3, 4]), python=False)
    for start in itertools.product((False, True), repeat=3):
        assert_same(built, "truths", a > 5, np.array(start))
        assert_same(built, "truths", a > -9, np.array(start))
    x = np.linspace(-3, 3, size)
    assert_same(built, "rounded", x.astype(np.float32), x / 7, np.ones(1, np.float32), np.ones(2, np.int32), python=False)
    assert_same(built, "behind", a, np.arange(2))
    b = numbers("uint8", (3, size))
    assert_same(built, "of_bytes", b, np.arange(3), np.zeros(3, np.int64), python=False)
    m, out, other = np.outer([1.0, 2.0], x), np.ones(2), np.ones(2)
    assert built.fast(x, m, out) == pytest.approx(PLAIN.fast(x, m, other), rel=1e-12)
    np.testing.assert_allclose(out, other, rtol=1e-12)


def test_what_another_thread_stores_meanwhile_stays(built):
    """A thread whose condition never holds stores nothing."""
    zeros, fours = np.zeros(20_000_000, np.int8), np.full(1, 4, np.int8)
    sums, counts = np.zeros(1), np.zeros(1, np.int64)
    thread, times = threading.Thread(target=built.seldom, args=(zeros, sums, counts)), 0
    thread.start()
    while thread.is_alive():
        built.seldom(fours, sums, counts)
        times += 1
        time.sleep(0.001)
    thread.join()
    assert (sums[0], counts[0]) == (times, times)


KEPT = ["seldom", "rows_int64", "moments_uint8", "window_float64", "steps_float64", "own_int64", "shared_int64", "extremes_uint8",
        "largest_float64", "divided", "truths", "of_bytes", "rounded", "indirect", "neighbours", "fast", "behind"]
LEFT = ["two_places", "raises"]


def test_which_are_kept():
    def kept(function):
        return "kept" in MODULES["default"].emitted.rsplit(f" {function}(", 1)[1].split("\n}\n")[0]
    assert [f for f in KEPT if not kept(f)] == []
    assert [f for f in LEFT if kept(f)] == []
    assert "kept" not in PLAIN.emitted
