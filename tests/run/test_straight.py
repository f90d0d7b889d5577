"""Loops as strangers write them, which vectors take and C++ compilers alone did not: the same as NumPy or plain Python says, to the last bit."""
import ctypes
import math
import mmap
import sys

import numpy as np
import pytest
from conftest import Batch

TERRITORY = '''
@vectorize(["{t}({t}, {t})"])
def territory_{t}(p, q):
    if p > q > 0 or q > p == 0:
        return -1
    elif q > p > 0 or p > q == 0:
        return 1
    return 0
'''
DISTANCES = '''
@njit("void(int64[:], int64[:], {t}[:], {t}[:])")
def distances_{t}(x, y, before, now):
    for i in range(len(x)):
        now[0] = i + 1
        for j in range(1, len(y) + 1):
            v = before[j - 1] + (0 if x[i] == y[j - 1] else 1)
            if before[j] + 1 < v:
                v = before[j] + 1
            if now[j - 1] + 1 < v:
                v = now[j - 1] + 1
            now[j] = v
        before[:] = now[:]
'''
NAMES = [f"a{k}" for k in range(12)]
MET = Batch("straight")
MET.add("from numba import guvectorize, prange, vectorize")
for kind in "int8", "uint8", "int16", "int32", "int64", "float32", "float64":
    MET.add(TERRITORY.format(t=kind))
for kind in "int8", "int32", "float32":
    MET.add(DISTANCES.format(t=kind))
MET.add(f'''
@njit("void(float32[:], {", ".join(["float32[:]"] * 12)})")
def many(o, {", ".join(NAMES)}):
    for i in range(len(o)):
        o[i] = {" + ".join(f"{a} [i] * {b}[i]".replace(" [", "[") for a, b in zip(NAMES[::2], NAMES[1::2]))}


@njit("void(float32[:], {", ".join(["float32[:]"] * 12)})", parallel=True)
def many_parallel(o, {", ".join(NAMES)}):
    for i in prange(len(o)):
        o[i] = {" + ".join(f"{a}[i] * {b}[i]" for a, b in zip(NAMES[::2], NAMES[1::2]))}
''')
MET.add('''
@njit("void({T}[:], {T}[:], int64)")
def running_{T}(a, b, start):
    for i in range(1, len(a)):
        a[i] += a[i - 1]
        b[i] = b[i - 1] * 3 + a[i]
    for i in range(max(start, 1), len(b)):
        b[i] = b[i - 1] - a[i]
'''.replace("{T}", "float64") + '''
@njit("void(int64[:], int64[:], int64)")
def running_int64(a, b, start):
    for i in range(1, len(a)):
        a[i] += a[i - 1]
        b[i] = b[i - 1] * 3 + a[i]
    for i in range(max(start, 1), len(b)):
        b[i] = b[i - 1] - a[i]


@njit("int64(float64[:], float64[:], float64)")
def running_until(a, b, far):
    for i in range(1, len(a)):
        if a[i] > far:
            b[i] = b[i - 1]
        a[i] = 0.5 * a[i - 1] + b[i]
        b[i] = a[i] + b[i - 1]
        if b[i] > far:
            return i
        if a[i] < 0:
            raise ValueError(i)
    return -1


@njit("UniTuple(int64, 3)(int64[:], int64[:])")
def sides(y, w):
    a = b = c = 0
    for j in range(len(y)):
        if y[j] == 1:
            a += w[j]
        elif y[j] == 0:
            b += w[j]
        else:
            c += w[j]
    return a, b, c


@njit("UniTuple(float64, 4)(int64[:], int64[:], float64[:])", fastmath=True)
def confusion(t, p, w):
    tp = fp = tn = fn = 0.0
    for j in range(len(t)):
        if t[j] == 1 and p[j] == 1:
            tp += w[j]
        elif t[j] == 0 and p[j] == 1:
            fp += w[j]
        elif t[j] == 0 and p[j] == 0:
            tn += w[j]
        elif t[j] == 1 and p[j] == 0:
            fn += w[j]
    return tp, fp, tn, fn


@guvectorize(["void(float64[:, :], float64[:])"], "(n,m)->()")
def length(points, result):
    total = 0
    for i in range(points.shape[0] - 1):
        part = 0
        for j in range(points.shape[1]):
            part += (points[i + 1, j] - points[i, j]) ** 2
        total += np.sqrt(part)
    result[0] = total


@njit("void(uint8[:], uint8[:], int64)")
def unpacked(data, out, by):
    for i in range(len(data)):
        d = data[i]
        for j in range(8):
            out[i * 8 + j] = d & 1
            d >>= 1
    for i in range(len(data)):
        for j in range(7, -1, -1):
            out[8 * i + 7 - j] += data[i] * by


@njit("void(float64[:], float64[:])")
def overlapping(a, out):
    """The last of four is the first of the next."""
    for i in range(len(a)):
        for j in range(5):
            out[i * 4 + j] = out[i * 4 + j] * 0.5 + a[i]


@njit("void(float64[:], float64[:])")
def pairs(a, out):
    for i in range(len(a)):
        out[2 * i] = np.sin(a[i])
        out[2 * i + 1] = out[2 * i] * 2.0


@njit("void(boolean[:, :], int64[:])")
def last_true(m, out):
    for i in range(m.shape[1]):
        for j in range(m.shape[0] - 1, -1, -1):
            if m[j, i]:
                out[i] = j
                break


@njit("void(boolean[:, :])", parallel=True)
def filled(m):
    for i in prange(m.shape[1]):
        for j in range(m.shape[0] - 1, -1, -1):
            if m[j, i]:
                m[:j, i] = True
                break


@vectorize(["float64(float64, float64, float64)"], fastmath=True)
def multiplier(c, high, low):
    if np.isnan(c):
        return np.nan
    if c > 2.0:
        return high
    return high - abs(c) * (high - low)


@njit("void(float64[:], int64[:], float64[:])")
def to_the_end(a, places, out):
    """What lies behind the end is nobody's."""
    for i in range(len(places)):
        x = a[places[i]]
        if x < 0.0:
            raise ValueError(i)
        k = 0
        while x < 10.0 and k < 50:
            x = x * 1.5 + 0.1
            k += 1
        out[i] = k


@njit("void(float64[:], float64[:], int64)")
def far_apart(a, out, n):
    for i in range(n):
        x = a[i * 100000]
        if out[i] > 0.5:
            x = a[i * 100000 + 1]
        k = 0
        while x < 10.0 and k < 50:
            x = x * 1.5 + 0.1
            k += 1
        if k == 0:
            raise ValueError(i)
        out[i] = k


@njit("void(float64[:], int64[:], float64[:])")
def as_often_as_told(a, counts, out):
    for i in range(len(counts)):
        if a[i] < 0.0:
            raise ValueError(i)
        t = 0.0
        for j in range(counts[i]):
            t += np.sin(a[j % 4] * t)
        out[i] = np.exp(t)


@njit("void(float64[:], float64[:], float64[:], int64)")
def behind_a_condition(a, flag, out, n):
    for i in range(n):
        if i == 3:
            raise ValueError(i)
        t = 0.0
        if flag[i] > -4.0:
            t = a[i + 7]
        if t > 4.5:
            raise ValueError(i)
        out[i] = np.sin(t) + np.exp(t)


@njit("void(float64[:], float64[:], float64[:], int64)")
def from_below(a, b, out, n):
    for i in range(-3, n):
        x = b[i + 3]
        t = 0.0
        if i >= 0:
            t = a[i]
        out[i + 3] = np.sin(t) * np.exp(x) + np.cos(t)


@njit("void(float64[:], float64[:], int64, int64)")
def from_the_first(a, b, start, n):
    if start >= 0:
        for j in range(start, n):
            a[j] = b[j] + (a[j - 1] if j > 0 else 0.0)


@njit("(float64[:],)")
def only_raises(a):
    raise NotImplementedError("rasters only")


@njit
def never(x):
    raise ValueError("no")


@njit("float64(float64)")
def checked(x):
    if x < 0:
        never(x)
    return x
''')


@pytest.mark.parametrize("kind", ["int8", "uint8", "int16", "int32", "int64", "float32", "float64"])
def test_conditions_joined_by_and_and_or(kind):
    p, q = (a.ravel().astype(kind) for a in np.meshgrid([0, 1, 2, 3, 9] + ([np.nan, -1.0] if "float" in kind else []), [0, 1, 2, 3, 9] * 9))
    p, q = np.tile(p, 3)[:-1], np.tile(q, 3)[:-1]
    with np.errstate(invalid="ignore"):
        black = ((p > q) & (q > 0)) | ((q > p) & (p == 0))
        white = ((q > p) & (p > 0)) | ((p > q) & (q == 0))
    expected = np.where(black, -1, np.where(white, 1, 0)).astype(kind)
    given = getattr(MET, f"territory_{kind}")(p, q)
    assert given.dtype == kind and np.array_equal(given, expected)


@pytest.mark.parametrize("name", ["many", "many_parallel"])
@pytest.mark.parametrize("size", [0, 1, 100, 5000])
def test_more_arrays_than_a_compiler_asks_about(name, size):
    rng = np.random.default_rng(size)
    arrays = rng.random((12, size + 1)).astype("f4")
    for offset in 0, 1:  # 1: the result is one of the arrays, an element further on
        parts = [a[:size] for a in arrays.copy()]
        whole = np.zeros(size + 1, "f4")
        out = whole[offset:size + offset]
        if offset:
            if name == "many_parallel":
                continue
            parts[3] = whole[:size]
        expected, seen = np.zeros(size + 1, "f4"), [p.copy() for p in parts]
        for i in range(size):
            row = [expected[i] if offset and k == 3 else p[i] for k, p in enumerate(seen)]
            total = np.float32(row[0] * row[1])
            for a, b in zip(row[2::2], row[3::2]):
                total = np.float32(total + np.float32(a * b))
            expected[i + offset] = total
        getattr(MET, name)(out, *parts)
        assert np.array_equal(out, expected[offset:size + offset])


@pytest.mark.parametrize("kind", ["float64", "int64"])
@pytest.mark.parametrize("size, start", [(0, 0), (1, 1), (2, 5), (9, -3), (50, 7)])
@pytest.mark.parametrize("shared", [None, 0, 1, -1])
def test_what_the_turn_before_stored(kind, size, start, shared):
    """Of two arrays, or of two views of one, an element apart or the same."""
    results = []
    for function in getattr(MET, f"running_{kind}"), getattr(MET.plain, f"running_{kind}"):
        memory = (np.arange(2 * size + 4) % 7 - 3).astype(kind)
        a = memory[1:size + 1]
        b = memory[size + 2:2 * size + 2] if shared is None else memory[1 + shared:size + 1 + shared]
        with np.errstate(over="ignore"):
            function(a, b, start)
        results.append(memory)
    assert np.array_equal(*results)


@pytest.mark.parametrize("kind", ["int32", "int8", "float32"])
@pytest.mark.parametrize("size", [0, 1, 2, 9, 50])
@pytest.mark.parametrize("shared", [None, 0, 1, -1])
def test_what_the_turn_before_stored_in_a_loop_inside(kind, size, shared):
    """Rows of edit distances, of two arrays or of views of one; what is stored is cut to its type."""
    results = []
    for function in getattr(MET, f"distances_{kind}"), getattr(MET.plain, f"distances_{kind}"):
        memory = (np.arange(2 * size + 6) * 13 % 11).astype(kind)
        before = memory[1:size + 2]
        now = memory[size + 3:2 * size + 4] if shared is None else memory[1 + shared:size + 2 + shared]
        text = np.arange(7) % 3
        with np.errstate(over="ignore"):
            function(text, np.arange(size) % 4, before, now)
        results.append(memory)
    assert np.array_equal(*results)


@pytest.mark.parametrize("far", [-5.0, 3.0, 40.0, 1e9])
@pytest.mark.parametrize("low", [-30, 50])
def test_a_loop_that_is_left_has_stored_what_it_should(far, low):
    results = []
    for function in MET.running_until, MET.plain.running_until:
        a, b = np.arange(30.0) % 11 - 2, np.arange(30.0) % 5
        b[20] = low
        try:
            left = function(a, b, far)
        except ValueError as error:
            left = error.args
        results.append((left, a.tolist(), b.tolist()))
    assert results[0] == results[1]
    assert MET.running_until(np.zeros(0), np.zeros(0), 1.0) == -1


@pytest.mark.parametrize("size", [0, 1, 7, 16, 33, 1000])
def test_sums_of_sides(size):
    rng = np.random.default_rng(size)
    y, p, w = rng.integers(0, 3, size), rng.integers(0, 2, size), rng.random(size)
    counts = rng.integers(-9, 9, size)
    assert MET.sides(y, counts) == tuple(counts[s].sum() for s in (y == 1, y == 0, y > 1))
    expected = [w[(y == a) & (p == b)].sum() for a, b in ((1, 1), (0, 1), (0, 0), (1, 0))]
    assert np.allclose(MET.confusion(y, p, w), expected, rtol=1e-12)
    if size > 20:
        y[-1] = y[-2] = 7  # of a shorter array of weights nobody reads what is not there
        assert np.allclose(MET.confusion(y, p, w[:-2]), [w[:-2][(y[:-2] == a) & (p[:-2] == b)].sum() for a, b in ((1, 1), (0, 1), (0, 0), (1, 0))], rtol=1e-12)


@pytest.mark.parametrize("outer", [(), (1,), (3,), (19,), (20,), (33,), (0,), (5, 8)])
@pytest.mark.parametrize("core", [(1, 2), (40, 2), (9, 3)])
def test_cores_of_one_call_and_of_many(outer, core):
    points = np.random.default_rng(1).random((*outer, *core))
    expected = np.sqrt((np.diff(points, axis=-2) ** 2).sum(-1)).sum(-1)
    assert np.allclose(MET.length(points), expected, rtol=1e-13)


@pytest.mark.parametrize("size", [0, 1, 5, 64, 129])
def test_groups_of_a_flat_array(size):
    data = (np.arange(size) * 37 % 256).astype("u1")
    bits = np.unpackbits(data.reshape(-1, 1), axis=1)[:, ::-1].ravel()
    out = np.zeros(8 * size, "u1")
    MET.unpacked(data, out, 0)
    assert np.array_equal(out, bits)
    MET.unpacked(data, out, 3)
    assert np.array_equal(out, bits + np.repeat(data * np.uint8(3), 8))
    for name, count in ("overlapping", 4 * size + 1), ("pairs", 2 * size):
        a = np.arange(size) * 0.25
        given, expected = np.ones(count), np.ones(count)
        getattr(MET, name)(a, given)
        getattr(MET.plain, name)(a, expected)
        assert np.allclose(given, expected, rtol=1e-14) if name == "pairs" else np.array_equal(given, expected)


@pytest.mark.parametrize("shape", [(0, 5), (1, 1), (9, 16), (30, 37), (200, 100)])
@pytest.mark.parametrize("order", ["C", "F"])
def test_searches_that_go_down(shape, order):
    m = np.asarray(np.random.default_rng(2).random(shape) < 0.05, order=order)
    out = np.full(shape[1], -1)
    MET.last_true(m, out)
    assert out.tolist() == [max(np.flatnonzero(column), default=-1) for column in m.T]
    expected = np.logical_or.accumulate(m[::-1], 0)[::-1]
    MET.filled(m)
    assert np.array_equal(m, expected)


@pytest.mark.parametrize("size", [1, 16, 37])
def test_helpers_that_end_early(size):
    c = np.linspace(-4, 4, size)
    c[size // 2] = np.nan
    high, low = np.ones(size), np.full(size, 0.5)
    with np.errstate(invalid="ignore"):
        expected = np.where(np.isnan(c), np.nan, np.where(c > 2, high, high - abs(c) * (high - low)))
    assert np.allclose(MET.multiplier(c, high, low), expected, rtol=1e-15, equal_nan=True)


def test_iterations_behind_the_one_that_raises_read_nothing_of_theirs():
    places = np.full(40, 2**40)
    places[:3] = 0, 1, 2
    out = np.zeros(40)
    with pytest.raises(ValueError) as error:
        MET.to_the_end(np.array([1.0, 2.0, -1.0]), places, out)
    assert error.value.args == (2,) and out[:2].tolist() == [6.0, 4.0] and not out[2:].any()
    for first in 0.0, 1.0:
        out = np.full(16, first)
        with pytest.raises(ValueError) as error:
            MET.far_apart(np.array([50.0, 1e6]), out, 16)
        assert error.value.args == (0,) and (out == first).all()


def test_iterations_behind_the_one_that_raises_turn_no_loop():
    counts = np.full(40, 4 * 10**15)
    counts[:6] = 3
    a, out = np.ones(40), np.zeros(40)
    a[5] = -1.0
    with pytest.raises(ValueError) as error:
        MET.as_often_as_told(a, counts, out)
    assert error.value.args == (5,) and not out[5:].any() and out[:5].tolist() == [1.0] * 5


@pytest.fixture
def page():
    """One page of memory with none in front of it and none behind."""
    libc = ctypes.CDLL(None, use_errno=True)
    size = mmap.PAGESIZE
    area = mmap.mmap(-1, 3 * size)
    start = ctypes.addressof(ctypes.c_char.from_buffer(area))
    for at in 0, 2 * size:
        assert libc.mprotect(ctypes.c_void_p(start + at), size, 0) == 0
    yield np.frombuffer(area, np.float64, size // 8, size)
    for at in 0, 2 * size:
        libc.mprotect(ctypes.c_void_p(start + at), size, 3)


@pytest.mark.skipif(sys.platform != "linux", reason="asks for pages")
def test_nothing_outside_of_an_array_is_read(page):
    page[:] = 1.0
    out = np.zeros(64)
    with pytest.raises(ValueError) as error:
        MET.behind_a_condition(page[-10:], np.ones(64), out, 64)  # which has what three iterations read
    assert error.value.args == (3,) and not out[3:].any()
    for count in 0, 1, 20:
        out = np.zeros(count + 3)
        MET.from_below(page[:count], np.ones(count + 3), out, count)
        expected = [1.0] * 3 + [math.sin(1.0) * math.e + math.cos(1.0)] * count
        assert np.allclose(out, expected, rtol=1e-15)
        page[:] = 1.0
        for start in 0, min(1, count):
            MET.from_the_first(page[:count], np.ones(count), start, count)
        page[:] = 1.0


def test_functions_that_only_raise():
    with pytest.raises(NotImplementedError, match="rasters only"):
        MET.only_raises(np.zeros(3))
    with pytest.raises(ValueError, match="no"):
        MET.checked(-1.0)
    assert MET.checked(2.0) == 2.0
