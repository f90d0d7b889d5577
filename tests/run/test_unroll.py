"""Loops over a window, written out; variables as small as the elements; conditions asked as a whole: as CPython runs them."""
import itertools

import numpy as np
import pytest
from conftest import Batch, assert_same_effects

KINDS = ["uint8", "int8", "uint16", "int16", "boolean", "int32", "uint32", "int64", "float32", "float64"]
SHAPES = [(0, 0), (1, 5), (2, 2), (3, 3), (3, 70), (7, 1), (9, 131)]
OPTIONS = {"default": [], "plain": ["--no-lanes"], "eight": ["--gang=8"], "checked": ["--boundscheck"]}
TEXT = '''
WEIGHTS = np.array([[1.0, -2.5, 3.0], [0.0, 7.25, -1.0], [2.0, 0.5, -4.0]])
STEPS = np.array([-1, 0, 1], dtype=np.int8)
DX = (-1, -1, -1, 0, 0, 1, 1, 1)
DY = (-1, 0, 1, -1, 1, -1, 0, 1)
NEAR = ((0, 1), (1, 0), (0, -1), (-1, 0))
TREE = (((0, 1), 0.5), ((1, 1), -1.25), ((-1, 0), 3.0))
R = 1
K8, K32 = np.uint8(200), np.uint32(4000000000)
PAIR = (np.uint32(5), np.uint32(2**32 - 1))
U32 = np.array([5, 2**32 - 1, 7], dtype=np.uint32)
U64 = np.array([0, 2**64 - 1, 2**63], dtype=np.uint64)
T8 = np.array([255, 1, 3], dtype=np.uint8)


@njit("void(float64[:, :], float64[:, ::1])")
def weighted(a, out):
    r = 1
    for i in range(r, a.shape[0] - r):
        for j in range(r, a.shape[1] - r):
            s = 0.0
            for u in range(2 * r + 1):
                for v in range(3):
                    s += a[i + u - r, j + v - 1] * WEIGHTS[u, v] + (u - v)
            out[i, j] = s


@njit("int64(int64[:, ::1], int64[:, ::1])")
def before_and_behind(a, out):
    """What a window leaves in variables is read behind it, and in the next turn."""
    last = -1
    seen = 5
    for i in range(1, a.shape[0] - 1):
        for j in range(1, a.shape[1] - 1):
            n = seen
            for di in range(-1, 2):
                for dj in range(1, -2, -1):
                    last = di * 10 + dj
                    if a[i + di, j + dj] > n:
                        n = a[i + di, j + dj]
                        seen = di
            out[i, j] = n + last
    return last * 100 + seen


@njit("int64(int64[:, ::1], int64)")
def leaves(a, x):
    """Early ends of turns, of the window and of all."""
    count = 0
    for i in range(1, a.shape[0] - 1):
        for j in range(1, a.shape[1] - 1):
            for di in range(-1, 2):
                for dj in range(-1, 2):
                    if di == dj:
                        continue
                    if a[i + di, j + dj] == x:
                        continue
                    if a[i + di, j + dj] == x + 1:
                        break
                    count += di - 3 * dj
                if count > 1000:
                    return -count
    return count


@njit("void(float64[:, ::1], float64[:, ::1])")
def raises(a, out):
    for i in range(1, a.shape[0] - 1):
        for j in range(1, a.shape[1] - 1):
            s = 0.0
            for k in range(-1, 2):
                s += a[i + k, j] - a[i, j + k]
            out[i, j] = 1.0 / s


@njit("void(int64[:], int64[:])")
def aliases(a, out):
    """The window reads what the turns before wrote, where both are one array."""
    for i in range(1, a.shape[0] - 1):
        s = 0
        for k in range(-1, 2):
            s = s * 3 + a[i + k]
        out[i] = s


@njit("void(float64[:, ::1])")
def in_place(a):
    for i in range(1, a.shape[0] - 1):
        for j in range(1, a.shape[1] - 1):
            for di in range(-1, 2):
                for dj in range(-1, 2):
                    a[i, j] += 0.25 * a[i + di, j + dj]


@njit("void(int64[:, ::1], int64[:, ::1])")
def triangle(a, out):
    for i in range(2, a.shape[0] - 2):
        for j in range(2, a.shape[1] - 2):
            s = 0
            for di in range(-2, 3):
                for dj in range(-abs(di), abs(di) + 1):
                    for t in range(dj, dj):
                        s += 1000
                    s += a[i + di, j + dj] * (di * 5 + dj)
            out[i, j] = s


@njit("void(int64[:, ::1], int64[:, ::1])")
def knights(a, out):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            for k in range(8):
                y, x = i + DX[k], j + DY[-k - 1]
                if 0 <= y < a.shape[0] and 0 <= x < a.shape[1]:
                    out[i, j] += a[y, x] * (k + 1)


@njit("void(float64[:, ::1], float64[:, ::1])")
def zipped(a, out):
    h, w = a.shape
    for i in range(1, h - 1):
        for j in range(1, w - 1):
            s = 0.0
            for d, f, k in zip((-1, 0, 1, 2), (0.25, 0.5, 0.125), range(1, 9)):
                s += a[i, j + d] * f - a[i + d, j] * k
            out[i, j] = s


@njit("int64(int64[:, ::1], int64[:, ::1])")
def neighbours(a, out):
    """Pairs of a tuple, of which some leave the array, end the turn, or end the loop."""
    h, w = a.shape
    last = 0
    for x in range(h):
        for y in range(w):
            n = 0
            for dx, dy in NEAR:
                if x + dx < 0 or y + dy < 0 or x + dx >= h or y + dy >= w:
                    continue
                n = n * 3 + a[x + dx, y + dy]
                last = dx * 10 + dy
            for d in ((1, 0), (0, 1)):
                if x + d[0] >= h or y + d[-1] >= w:
                    break
                n -= a[x + d[0], y + d[-1]]
            out[x, y] = n
    return last


@njit("void(float64[:, :], float64[:, ::1])")
def weighed_pairs(a, out):
    """Tuples of tuples and numbers; a pair of its own; an index that is computed."""
    for x in range(1, a.shape[0] - 1):
        for y in range(1, a.shape[1] - 1):
            s = 0.0
            for place, weight in TREE:
                for dx, dy, k in ((1, 0, 0), (0, 1, 1)):
                    s += a[x + dx * place[0], y + dy * place[1]] * weight * (NEAR[k + 1][0] + 2)
            pair = (x, s)
            for t in (pair, (y, 2.0)):
                s += t[0] * t[1]
            out[x, y] = s


@njit("void(uint8[:, ::1], uint8[:], uint8[:, ::1], int16[:, ::1], boolean[:, ::1])")
def looked_up(a, table, out, wide, truth):
    """Tables of small elements, of which vectors have no gather: one that changes not, one of the module, one under a condition."""
    for i in range(1, a.shape[0] - 1):
        for j in range(1, a.shape[1] - 1):
            n = 0
            for di in range(-1, 2):
                for dj in range(-1, 2):
                    n = n * 2 + (1 if a[i + di, j + dj] > a[i, j] else 0)
            out[i, j] = table[n % len(table)]
            wide[i, j] = T8[n % 3] * 3 - table[-1 - n % len(table)]
            truth[i, j] = n > 100 and table[(n - 100) % len(table)] % 2 == 1


@njit("int64(float64[::1], int8[::1])")
def of_numbers(x, table):
    """Where a number has none, an iteration raises nothing: it reads none."""
    s = 0
    for i in range(len(x)):
        v = x[i] * x[i] - 2.0 * x[i] + 1.0
        k = int(v * 3.0)
        if 0 <= k < len(table):
            s += table[k] * (k + 1)
    return s


@njit("void(int64[:, :, ::1], int64[:, :, ::1])", parallel=True)
def cubes(a, out):
    for i in prange(1, a.shape[0] - 1):
        for j in range(1, a.shape[1] - 1):
            for k in range(1, a.shape[2] - 1):
                s = 0
                for d in STEPS:
                    for e in range(-1, 2):
                        s += a[i + d, j + e, k - d] - a[i, j, k + e]
                out[i, j, k] = s


@njit("void(int64[::1, :], int64[::1, :])")
def columns(a, out):
    for j in range(1, a.shape[1] - 1):
        for i in range(1, a.shape[0] - 1):
            s = 0
            for d in (-1, 1):
                s += a[i + d, j] * 2 - a[i, j + d]
            out[i, j] = s


@njit("int64(int64[:], int64)")
def unset(a, n):
    """A variable of the window that only some turns give a value."""
    s = 0
    for i in range(2, n):
        for k in range(3):
            if k == 1:
                v = a[i - k] + 1
            if k > 0:
                s += v * k
    return s


@njit("Tuple((uint64, int64, int64, uint64, uint64))(uint32, int64, uint64)")
def constants(a, n, u):
    return K32 * a, -K8 + n, ~K8 + n, (PAIR[0] - PAIR[1]) + u, ~PAIR[0] + a


@njit("void(int64[::1], uint32[::1], uint64[::1], float64[::1])")
def tables(a, b, out, x):
    for i in range(len(a) - 2):
        s = np.uint64(0)
        t = 0.0
        for k in range(3):
            s += U32[k] * b[i + k] + (U32[k] - b[i + k]) + ((U32[k] >> np.uint64(3)) - b[i + k]) + (~U32[k] + b[i + k])
            t += float(U64[k]) + a[i + k] + U64[k] * 0.5 + np.float32(U64[k]) + float(U32[k] - U32[1]) + np.int64(-T8[k])
        out[i] = s
        x[i] = t


@njit("void(uint8[::1], uint8[::1], float64[::1])")
def large(a, out, x):
    """Numbers of uint64 beyond int64 are none of few bits."""
    for i in range(len(a)):
        m = np.uint64(0)
        if a[i] > 3:
            m = np.uint64(0xFFFFFFFFFFFFFFFF)
        out[i] = 1 if m > np.uint64(5) else 2
        x[i] = float(m)


@njit("void(float64[:, ::1], float64[:, ::1])")
def ball(a, out):
    """Four million turns of which nine are left."""
    for i in range(99, a.shape[0] - 99):
        for j in range(99, a.shape[1] - 99):
            s = 0.0
            for p in range(-30, 31):
                for q in range(-30, 31):
                    for r in range(-30, 31):
                        for t in range(-30, 31):
                            if p * p + q * q + r * r + t * t <= 1:
                                s += a[i + p, j + q] * (r + t)
            out[i, j] = s


@njit("void(float32[:, ::1], float32[:, ::1])")
def singles(a, out):
    for i in range(1, a.shape[0] - 1):
        for j in range(1, a.shape[1] - 1):
            s = np.float32(0)
            for di in range(-1, 2):
                s += a[i + di, j] * np.float32(di) + a[i, j + di] / 3
            out[i, j] = s
'''
for kind in KINDS:
    TEXT += f'''
@njit("void({kind}[:, :], int64[:, :])")
def sums_{kind}(a, out):
    n, m = a.shape
    for i in range(n):
        for j in range(m):
            c = 0
            w = 0
            for di in range(-1, 2):
                for dj in range(-1, 2):
                    if di == 0 and dj == 0:
                        continue
                    y = i + di
                    x = j + dj
                    if 0 <= y < n and 0 <= x < m:
                        c += int(a[y, x])
                    w -= int(a[(i + di) % n, (j - dj) % m])
            out[i, j] = 3 * c + w


@njit("void({kind}[:, ::1], {kind}[:, ::1])")
def extremes_{kind}(a, out):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            low = a[i, j]
            high = a[i, j]
            for di in range(-R, R + 1):
                for dj in range(-R, R + 1):
                    y = min(max(i + di, 0), a.shape[0] - 1)
                    x = max(min(j + dj, a.shape[1] - 1), 0)
                    if a[y, x] < low:
                        low = a[y, x]
                    high = max(high, a[y, x])
            out[i, j] = low if (i + j) % 2 else high


@njit("void({kind}[:, ::1], uint8[:, ::1], boolean[:, ::1])")
def codes_{kind}(a, out, peaks):
    for i in range(1, a.shape[0] - 1):
        for j in range(1, a.shape[1] - 1):
            c = a[i, j]
            code = 0
            n = 0
            peak = True
            for k in range(8):
                v = a[i + DX[k], j + DY[k]]
                if v >= c:
                    code |= 1 << k
                    peak = False
                if v != c:
                    n += 1
            out[i, j] = code
            peaks[i, j] = peak or n == 3 or (n == 2 and a[i - 1, j] == c)
'''
for small in ["uint8", "int8", "uint16", "int16"]:
    TEXT += f'''
@njit("void({small}[::1], {small}[::1], {small}[::1])")
def held_{small}(a, b, out):
    """At the ends of the types: what does not fit is computed in more bits."""
    for i in range(1, len(a) - 1):
        m = 0
        if a[i] > m:
            m = a[i]
        t = -m
        u = a[i] - b[i]
        if u < 0:
            u = -u
        w = a[i - 1] * 3 + b[i + 1]
        k = 7
        if w > 300:
            k = w // 3
        elif w < -40:
            k ^= b[i]
        s = max(a[i], b[i]) - min(a[i], b[i])
        d = (u + s) >> 1
        q = 200 if a[i] == b[i] else 100
        out[i] = t + d * 2 - (m if w > u else k) + (q == 200) + (s > 127) * q + (d % 5)


@njit("void({small}[::1], float64[::1], int64[::1])")
def wide_{small}(a, x, n):
    for i in range(len(a)):
        m = 0
        if a[i] > 3:
            m = a[i]
        x[i] = m / 7
        n[i] = m * 70000 + (m << 20) - m ** 3
'''
MODULES = {name: Batch("unroll_" + name, options) for name, options in OPTIONS.items()}
for module in MODULES.values():
    module.add(TEXT)
PLAIN = MODULES["default"]


@pytest.fixture(params=list(OPTIONS))
def built(request):
    return MODULES[request.param]


def numbers(kind, shape, seed=0, small=False):
    rng = np.random.default_rng(seed)
    dtype = np.dtype("bool" if kind == "boolean" else kind)
    if dtype.kind == "b":
        return rng.random(shape) < 0.5
    if dtype.kind == "f":
        return (rng.integers(-9, 9, shape) / 4).astype(dtype)
    if small:
        return rng.integers(max(-4, np.iinfo(dtype).min), 5, shape).astype(dtype)
    a = rng.integers(np.iinfo(dtype).min, np.iinfo(dtype).max, shape, dtype=dtype, endpoint=True)
    a.flat[::7] = np.iinfo(dtype).max
    a.flat[::5] = np.iinfo(dtype).min
    return a if dtype.itemsize < 8 else a >> 20


def wide(a):
    """What Numba's numbers of the kind are in arithmetic."""
    return a.astype(np.int64) if a.dtype.kind in "iu" else a


def assert_same(built, function, *arguments, oracle=None):
    """The arrays behind a call, and its result, are those of CPython, which computes with int64; or of another module."""
    ours = [np.copy(a, order="K") if isinstance(a, np.ndarray) else a for a in arguments]
    theirs = [wide(np.copy(a, order="K")) if isinstance(a, np.ndarray) else a for a in arguments]
    results = []
    for module, given in ((built, ours), (oracle or PLAIN.plain, theirs)):
        with np.errstate(all="ignore"):
            try:
                results.append(getattr(module, function)(*given))
            except ZeroDivisionError as error:
                results.append(str(error))
    assert results[0] == results[1]
    for a, b in zip(ours, theirs):
        if isinstance(a, np.ndarray):
            np.testing.assert_array_equal(a, b.astype(a.dtype))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shape", SHAPES)
def test_every_type(built, kind, shape):
    for a in (numbers(kind, shape), numbers(kind, shape, 1, small=True)):
        out = np.full(shape, 7)
        for view in (a, np.asfortranarray(a), a[::-1, ::-1]):
            assert_same(built, f"sums_{kind}", view, out)
        assert_same(built, f"extremes_{kind}", a, np.zeros_like(a))
        assert_same(built, f"codes_{kind}", a, np.zeros(shape, np.uint8), np.zeros(shape, bool))


@pytest.mark.parametrize("kind", ["uint8", "int8", "uint16", "int16"])
@pytest.mark.parametrize("size", [0, 2, 3, 40, 67])
def test_ends_of_small_types(built, kind, size):
    a, b = numbers(kind, size), numbers(kind, size, 1)
    info = np.iinfo(kind)
    if size > 20:
        a[:9] = [info.min, info.max, 0, 1, info.max, info.min, info.max - 1, 127, 100]
        b[:9] = [info.max, info.min, 0, 1, info.max, info.min, info.min, 100, 127]
    if kind[0] == "u":  # their differences are uint64, which CPython does not know
        assert_same_effects(built, MODULES["plain"], f"held_{kind}", a, b, np.zeros_like(a))
    else:
        assert_same(built, f"held_{kind}", a, b, np.zeros_like(a))
    assert_same(built, f"wide_{kind}", a, np.zeros(size), np.zeros(size, np.int64))


@pytest.mark.parametrize("shape", SHAPES)
def test_windows(built, shape):
    a = numbers("float64", shape)
    for view in (a, a[::-1], np.asfortranarray(a)):
        assert_same(built, "weighted", view, np.zeros(shape))
    for b in (a, np.arange(float(a.size)).reshape(shape) ** 3):  # NumPy's numbers do not raise
        assert_same(built, "raises", b, np.zeros(shape), oracle=MODULES["plain"])
    assert_same(built, "in_place", a / 9)
    single = a.astype(np.float32)  # divided by 3 they are float64, which NumPy does not think
    assert_same_effects(built, MODULES["plain"], "singles", single, np.zeros_like(single))
    b = numbers("int64", shape, 2, small=True)
    assert_same(built, "weighed_pairs", a, np.zeros(shape))
    assert_same(built, "zipped", a, np.zeros(shape))
    for function in ("before_and_behind", "triangle", "knights", "neighbours"):
        assert_same(built, function, b, np.zeros_like(b))
    assert_same(built, "columns", np.asfortranarray(b), np.zeros_like(b, order="F"))
    for x in (-1, 2, 9):
        assert_same(built, "leaves", b, x)
    assert_same(built, "unset", b.ravel(), b.size)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("size", [1, 7, 512])
def test_what_is_looked_up(built, shape, size):
    a, table = numbers("uint8", shape, 3), numbers("uint8", 2 * size, 4)[::2]
    outs = np.zeros(shape, np.uint8), np.zeros(shape, np.int16), np.zeros(shape, bool)
    assert_same_effects(built, MODULES["plain"], "looked_up", a, table, *outs)
    assert_same(built, "of_numbers", numbers("float64", shape).ravel(), numbers("int8", size))


def test_a_window_over_what_is_written(built):
    a = np.arange(100) % 17
    for first, second in itertools.product((slice(0, 90), slice(1, 91), slice(9, 99)), repeat=2):
        ours, theirs = a.copy(), a.copy()
        built.aliases(ours[first], ours[second])
        PLAIN.plain.aliases(theirs[first], theirs[second])
        np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("shape", [(0, 3, 3), (3, 3, 3), (4, 5, 70)])
def test_three_dimensions(built, shape):
    a = numbers("int64", shape, small=True)
    assert_same(built, "cubes", a, np.zeros_like(a))


def test_constants_keep_their_types(built):
    """As Numba has them."""
    assert built.constants(2, 2, 2) == (8000000000, 58, 57, 18446744069414584328, 4294967292)
    a, b = np.arange(30), np.full(30, 2, np.uint32)
    out, x = np.zeros(30, np.uint64), np.zeros(30)
    built.tables(a, b, out, x)
    s, t = np.uint64(0), 3.0 + 2.5 * (2.0**64 + 2.0**63) + (5 - 2.0**32 + 1 + 2.0**64) + (8 - 2.0**32 + 2.0**64) + 1 + 255 + 253
    for k in (5, 2**32 - 1, 7):
        s += np.uint64((2 * k + (k - 2) + ((k >> 3) - 2) + (2**32 - 1 - k + 2)) % 2**64)
    assert out[0] == s and x[0] == pytest.approx(t, rel=1e-12)
    small, x = np.zeros(9, np.uint8), np.zeros(9)
    built.large(np.arange(9, dtype=np.uint8), small, x)
    assert small.tolist() == [2] * 4 + [1] * 5 and x.tolist() == [0.0] * 4 + [2.0**64] * 5


WRITTEN_OUT = {"weighted": "uv", "triangle": ["di", "dj", "t"], "knights": "k", "zipped": "k", "codes_uint8": "k",
               "extremes_int16": ["di", "dj"], "sums_uint8": ["di", "dj"], "cubes": ["d_at", "e"]}


@pytest.mark.parametrize("function", WRITTEN_OUT)
def test_the_windows_of_these_tests_are_written_out(function):
    """Their loops are there without lanes, and not there with them."""
    loops = [f"int64_t {name} = " for name in WRITTEN_OUT[function]]
    for module, expected in ((PLAIN, 0), (MODULES["plain"], 1)):
        body = module.emitted.rsplit(f" {function}(", 1)[1].split("\n}\n")[0]
        assert [body.count(loop) for loop in loops] == [expected] * len(loops), body
        assert ("uint8_t code = 0;" in body) == (module is PLAIN and function == "codes_uint8")
