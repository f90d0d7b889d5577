"""Loops most of whose turns do nothing: as without lanes, and as CPython runs them."""
import ctypes
import itertools
import mmap
import pathlib
import sys

import numpy as np
import pytest
from conftest import Batch, assert_same_effects

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "fuzz"))
import skips  # noqa: E402

KINDS = ["uint8", "int8", "uint16", "int16", "int32", "uint32", "int64", "uint64", "float32", "float64"]
SIZES = [0, 1, 31, 32, 33, 64, 65, 1000]
OPTIONS = {"default": [], "v2": ["--march=x86-64-v2", "--fp=strict"], "checked": ["--boundscheck"], "plain": ["--no-lanes"]}
EVERY = '''
@njit("int64({K}[:])")
def largest_{K}(a):
    best = 0
    for i in range(1, len(a)):
        if a[i] > a[best]:
            best = i
    return best


@njit("int64({K}[:], boolean[:])")
def open_{K}(a, done):
    """The first one that is open, then a[u] says more."""
    u = -1
    for i in range(len(a)):
        if not done[i] and (u == -1 or a[i] < a[u]):
            u = i
    return u


@njit("Tuple(({K}, {K}))({K}[:])")
def ends_{K}(a):
    lo = hi = a[0]
    for i in range(1, len(a)):
        if a[i] > hi:
            hi = a[i]
        elif a[i] < lo:
            lo = a[i]
    return lo, hi


@njit("int64({K}[:], {K}[:])")
def distinct_{K}(a, out):
    k = 0
    for i in range(len(a)):
        if i == 0 or a[i] != a[i - 1]:
            out[k] = a[i]
            k += 1
    return k


@njit("int64({K}[:], {K})")
def first_{K}(a, x):
    for i in range(len(a)):
        if a[i] == x:
            return i
    return -1


@njit("int64({K}[:], int64[:])")
def peaks_{K}(a, out):
    k = 0
    for i in range(1, len(a) - 1):
        if a[i] > a[i - 1] and a[i] >= a[i + 1]:
            out[k] = i
            k += 1
    return k


@njit("Tuple((int64, {K}))({K}[:], {K})")
def until_{K}(a, x):
    """What turns that do nothing leave behind."""
    i = 5
    y = x
    for i in range(len(a)):
        y = a[i]
        if y == x:
            break
    return i, y


@njit("void({K}[:], {K})")
def spread(a, x):
    """It stores what it asks."""
    for i in range(1, len(a)):
        if a[i] == x:
            a[i] = a[i - 1]


@njit("boolean({K}[:], {K}[:], int64)")
def same_{K}(a, b, n):
    for i in range(n):
        if a[i] != b[i]:
            return False
    return True
'''.replace("def spread(", "def spread_{K}(")
ONCE = '''
@njit
def is_far(x, y, far):
    return abs(x - y) > far


@njit
def note(out, x):
    out[0] += 1
    return x + out[0]


@njit("float64(float64[:], float64)")
def rare_sum(a, t):
    s = 0.0
    for i in range(len(a)):
        if a[i] > t:
            s += a[i]
        elif a[i] < -t:
            s -= a[i] * 0.5
    return s


@njit("int64(float64[:], float64[:], int64[:])")
def jumps(a, far, out):
    """By a helper; the element that it is compared with changes; helpers with effects."""
    k = 0
    for i in range(len(a)):
        if is_far(a[i], a[k], far[0]):
            k = i
            out[1] = note(out, i)
            far[0] += 0.25
    return k


@njit("int64(int64[:], int64[:], int64)")
def nested(a, b, n):
    """Loops, continues and breaks in what a turn does."""
    total = 0
    for i in range(n):
        if a[i] > 90:
            for j in range(i % 5):
                if b[j] == 3:
                    break
                if j == 2:
                    continue
                total += b[j] * j
            if total % 7 == 3:
                continue
            total += 1
            if total > 500:
                break
    return total


@njit("int64(int64[:, :], int64[:])")
def of_rows(a, out):
    """Places in rows; ends that are data; rows that are found by data."""
    total = 0
    for r in range(a.shape[0]):
        best = -1
        for j in range(a.shape[1]):
            if a[r, j] > a[r, best]:
                best = j
        out[r] = best
        for j in range(out[0], a.shape[1]):
            if a[out[r] % a.shape[0], j] == a[-1, j - 1]:
                total += j * out[r]
        for j in range(-3, a.shape[1]):
            if a[r, j] > 95:
                total ^= j * 5
        for j in range(a.shape[1]):
            if a[r, j] == 7:
                a = a[::-1]
                total += a[0, 0]
    return total


@njit("int64(int64[:], int64[:], int64)")
def guarded(a, b, n):
    """Elements that are there only where the first part says so."""
    k = 0
    for i in range(n):
        if i < len(a) and a[i] > 80 and i >= 2 and a[i - 2] > 20:
            k = (k * 3 + i) % 1009
    for i in range(n):
        if i < len(b) and (b[i] == 7 or i + 1 < len(b) and b[i + 1] == 9):
            k = (k * 5 - i) % 1009
    for i in range(n):
        if i >= len(a):
            break
        if a[i] == 11:
            k ^= i
    return k


@njit("int64(int64[:], int64)")
def not_yet(a, n):
    """a[k] is there only once another turn has said where."""
    k = n
    s = 0
    for i in range(len(a)):
        if i == 0:
            k = 3
        if i > 0 and a[k] == a[i]:
            s = (s * 3 + i) % 1009
            k = i
    return s


@njit("int64(int64[:], int64)")
def passed_over(a, n):
    """Turns that end before they load an element that is not there."""
    k = 0
    for i in range(n):
        if i >= len(a):
            continue
        if a[i] == 3:
            k = (k * 3 + i) % 1009
    return k


@njit("int64(int64[:, ::1], int64, int64)")
def row_of(a, k, x):
    """Where k is negative, so is the machine's rest."""
    t = 0
    for i in range(a.shape[1]):
        if k >= 0 and a[k % 3, i] > x:
            t = (t * 3 + i) % 1009
    return t


@njit("void(float64[::1], float64[::1])", parallel=True)
def in_gangs(a, out):
    for r in prange(len(out)):
        s = 0.0
        for j in range(len(a)):
            if j > 0:
                if a[j - 1] > 3.0:
                    s = s * 0.5 + a[j] * out[r]
        out[r] = s


@njit
def counted(out, x):
    out[0] += 1
    return out[0] > x


@njit("int64(int64[:], int64[:], int64)")
def asks_with_effects(a, out, x):
    k = 0
    for i in range(len(a)):
        if (a[i] > 3) & counted(out, x):
            k = (k * 3 + i) % 1009
    for i in range(len(a)):
        if a[i] > 3 and counted(out, x) and a[i] > 50:
            k = (k * 5 + i) % 1009
    return k


@njit("int64(int64[:], int64, int64)")
def far_out(a, lo, x):
    for i in range(lo, 9223372036854775807):
        if i >= len(a):
            break
        if a[i] == x:
            return i
    return -1


@njit("float64(float64[:], float64)")
def raises(a, x):
    s = 0.0
    for i in range(len(a)):
        if a[i] > 1.5:
            s += 1.0 / (a[i] - x)
    return s


@njit("int64(int64[:], int64[:])")
def divides(a, b):
    k = 0
    for i in range(len(a)):
        if b[i] != 0 and a[i] % b[i] == 3:
            k = (k * 3 + i) % 1009
    for i in range(len(a)):
        if a[i] // 7 == 12:
            k = (k * 5 + i) % 1009
    return k


@njit("Tuple((float64, float64, int64))(float64[:])")
def drawdown(a):
    peak = a[0]
    worst = 0.0
    at = -1
    for i in range(len(a)):
        if a[i] > peak:
            peak = a[i]
        d = peak - a[i]
        if d > worst:
            worst = d
            at = i
    return peak, worst, at


@njit("int64(boolean[:], int64[:], int64[:])")
def marked(m, b, h):
    n = 0
    for i in range(len(m)):
        if m[i]:
            h[b[i]] += 1
            n += h[b[i]]
    return n


@njit("int64(float32[:], float64, int64[:])")
def mixed(a, t, out):
    """float32 beside float64, and an integer."""
    k = 0
    for i in range(len(a)):
        d = a[i] * 2 - t
        if d > 1.75 and out[i] < 90:
            out[k] = i
            k += 1
    return k


@njit("float64(float64[:], float64[:])", fastmath=True)
def fast(a, out):
    s = 0.0
    k = 0
    for i in range(len(a)):
        if a[i] > 1.5:
            out[k] = a[i]
            k += 1
            s += 1.0
    return s


@njit("int64(float64[:], int64[:])")
def odd_numbers(a, out):
    k = 0
    for i in range(len(a)):
        if np.isnan(a[i]):
            out[k] = i
            k += 1
    for i in range(len(a)):
        if not np.isfinite(a[i]) and not math.isinf(a[i]):
            out[k] = -i
            k += 1
    for i in range(len(a)):
        if not (a[i] >= -9.0):
            out[k] = i * 3
            k += 1
    return k


@njit("void(int64[:, :], int64[:])", parallel=True)
def by_cores(a, out):
    for r in prange(a.shape[0]):
        best = 0
        for j in range(1, a.shape[1]):
            if a[r, j] > a[r, best]:
                best = j
        out[r] = best


@njit("int64(int64[:], int64)")
def backwards(a, n):
    k = 0
    for i in range(len(a) - 1, -1, -1):
        if a[i] > n:
            k = (k * 3 + i) % 1009
    for i in range(0, len(a), 2):
        if a[i] > n:
            k = (k * 5 + i) % 1009
    for x in a:
        if x > n:
            k = (k * 7 + x) % 1009
    return k
'''
MODULES = {name: Batch("skips_" + name, options) for name, options in OPTIONS.items()}
for module in MODULES.values():
    module.add("\n\n".join([*(EVERY.format(K=kind) for kind in KINDS), ONCE]))
PLAIN = MODULES["plain"]


@pytest.fixture(params=[name for name in OPTIONS if name != "plain"])
def built(request):
    return MODULES[request.param]


def numbers(kind, size, rare, seed=0):
    """Mostly the same; `rare` of a thousand are anything."""
    rng = np.random.default_rng(seed)
    dtype = np.dtype(kind)
    if dtype.kind == "f":
        some = rng.integers(-99, 99, size).astype(dtype) / 8
        some[3::50] = np.nan
        some[7::50] = -0.0
    else:
        info = np.iinfo(dtype)
        some = rng.integers(info.min, info.max, size, dtype=dtype, endpoint=True)
    return np.where(rng.integers(0, 1000, size) < rare, some, dtype.type(1)).astype(dtype)


def assert_same(built, function, *arguments):
    """As without lanes, and as CPython has it."""
    ours = assert_same_effects(built, PLAIN, function, *arguments)
    theirs = [np.copy(a) if isinstance(a, np.ndarray) else a for a in arguments]
    with np.errstate(all="ignore"):
        returned = getattr(PLAIN.plain, function)(*theirs)
    for a, b in zip(ours, [returned, *(a for a in theirs if isinstance(a, np.ndarray))]):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("rare", [0, 10, 300, 1000])
def test_every_type(built, kind, rare):
    for size in SIZES:
        a = numbers(kind, size, rare)
        for view in (a, np.repeat(a, 2)[::2], a[::-1]):
            assert_same(built, f"largest_{kind}", view)
            if size:
                assert_same(built, f"ends_{kind}", view)
            assert_same(built, f"distinct_{kind}", view, np.zeros(size, kind))
            assert_same(built, f"peaks_{kind}", view, np.zeros(size, np.int64))
            for x in (a.dtype.type(7), *a[-1:], *a[size // 2:][:1]):
                assert_same(built, f"first_{kind}", view, x)
                assert_same(built, f"until_{kind}", view, x)
                assert_same(built, f"spread_{kind}", view, x)


@pytest.mark.parametrize("kind", KINDS)
def test_the_place_where_arrays_differ(built, kind):
    a = numbers(kind, 300, 1000, 5)
    a[np.isnan(a)] = 3
    assert_same(built, f"same_{kind}", a, a, 300)
    for at, n in itertools.product((0, 31, 32, 63, 100, 299), (0, 50, 64, 300)):
        b = a.copy()
        b[at] = 4 if b[at] == 3 else 3
        assert_same(built, f"same_{kind}", a, b, n)


def test_effects_of_conditions(built):
    for rare, x in itertools.product((0, 50, 900), (0, 5, 10**6)):
        assert_same(built, "asks_with_effects", numbers("int64", 300, rare) % 100, np.zeros(2, np.int64), x)


def test_the_end_is_not_looked_behind(built):
    """Of arrays shorter than n, where a turn leaves the loop before their ends."""
    for size, lo in itertools.product((0, 1, 40, 100), (0, 3, 2**63 - 300, 2**63 - 33, 2**63 - 21)):
        assert_same(built, "far_out", np.arange(size), lo, 77)
        assert_same(built, "passed_over", np.arange(size) % 5, size + lo % 200)
    for k in (-4, -1, 0, 5):
        assert_same(built, "row_of", np.arange(300).reshape(3, 100) % 7, k, 5)
    a = np.arange(40)
    for size in (33, 34, 40):
        b = a[:size].copy()
        b[-1] = -1
        assert_same(built, "same_int64", a, b, 10**12)
    for size in (0, 1, 40, 100):
        for n in (0, size, size + 70, 10**5):
            assert_same(built, "guarded", numbers("int64", size, 500) % 100, numbers("int64", size // 2, 500, 1) % 12, n)
    for size in (0, 1, 5, 100):
        assert_same(built, "not_yet", np.arange(size) % 7, 10**12) if size != 1 else None


@pytest.mark.parametrize("rare", [0, 3, 30, 500])
def test_what_turns_do(built, rare):
    for size in (0, 1, 40, 100, 700):
        a = numbers("int64", size, rare) % 100
        x = numbers("float64", size, rare)
        x[np.isnan(x)] = 2.5
        assert_same(built, "rare_sum", x, 1.5)
        assert_same(built, "nested", a, np.arange(5), size)
        assert_same(built, "divides", a, numbers("int64", size, 900, 2) % 5)
        assert_same(built, "marked", a == 1, np.abs(a) % 9, np.zeros(9, np.int64))
        assert_same(built, "marked", a != 1, np.abs(a) % 9, np.zeros(9, np.int64))
        assert_same(built, "mixed", x.astype(np.float32), 0.5, a)
        assert_same(built, "fast", x, np.zeros(size))
        assert_same(built, "odd_numbers", numbers("float64", size, rare), np.zeros(3 * size, np.int64))
        assert_same(built, "backwards", a, 50)
        if size:
            assert_same(built, "drawdown", np.cumsum(x - 1))
            assert_same(built, "jumps", x, np.array([0.5]), np.zeros(2, np.int64))


@pytest.mark.parametrize("shape", [(0, 5), (1, 4), (3, 31), (4, 100), (2, 333)])
@pytest.mark.parametrize("rare", [5, 400])
def test_rows(built, shape, rare):
    a = numbers("int64", shape, rare) % 100
    for view in (a, np.asfortranarray(a), a[:, ::-1]):
        assert_same(built, "of_rows", view, np.zeros(shape[0], np.int64))
        assert_same(built, "by_cores", view, np.zeros(shape[0], np.int64))


@pytest.mark.parametrize("at", [None, 0, 31, 32, 64, 90])
def test_exceptions(built, at):
    a = np.ones(91)
    if at is not None:
        a[at] = 3.0
        with pytest.raises(ZeroDivisionError):
            built.raises(a, 3.0)
    assert_same(built, "raises", a, 2.0)


LIBC = ctypes.CDLL(None)
LIBC.mprotect.argtypes = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int


def guarded(a, at_end):
    """A copy in pages of its own, whose end, or beginning, lies beside one that nobody may read."""
    page = mmap.PAGESIZE
    inner = max(page, -(-a.nbytes // page) * page)
    memory = mmap.mmap(-1, inner + 2 * page)
    begin = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    for side in (begin, begin + page + inner):
        assert LIBC.mprotect(side, page, 0) == 0
    copy = np.frombuffer(memory, a.dtype, a.size, page + (inner - a.nbytes if at_end else 0)).reshape(a.shape)
    copy[...] = a
    return copy


@pytest.mark.parametrize("size", [1, 31, 32, 33, 64, 65, 97])
@pytest.mark.parametrize("at_end", [True, False])
def test_no_element_is_read_that_is_not_there(built, size, at_end):
    """The program would end there."""
    for rare, kind in itertools.product((0, 300), KINDS):
        a = guarded(numbers(kind, size, rare), at_end)
        shorter = guarded(np.append(a[:size // 2], a.dtype.type(3)), at_end)
        a[-1] = 5
        calls = [("largest", a), ("ends", a), ("first", a, a.dtype.type(7)), ("until", a, a.dtype.type(7)), ("distinct", a, a.copy()),
                 ("peaks", a, np.zeros(size, np.int64))]
        for share in (0, 2, 9, 10):
            calls.append(("open", a, guarded(np.arange(size) % 10 < share, at_end)))
        if MODULES["checked"] is not built:
            calls += [("same", a, shorter, size), ("same", shorter, a, size)]
        for function, *args in calls:
            assert getattr(built, f"{function}_{kind}")(*args) == getattr(PLAIN, f"{function}_{kind}")(*args)
    a, b = guarded(np.arange(size) % 100, at_end), guarded(np.arange(5), at_end)
    for n in (size, size + 40, 1000):
        built.guarded(a, b, n)
        assert built.passed_over(a, n) == PLAIN.passed_over(a, n)
    rows, x = guarded(np.arange(3 * size).reshape(3, size) % 7, at_end), guarded(np.arange(size) % 9 * 1.0, at_end)
    for k in (-4, -1, 0, 5):
        assert built.row_of(rows, k, 5) == PLAIN.row_of(rows, k, 5)
    results = [np.ones(3), np.ones(3)]
    for module, out in zip((built, PLAIN), results):
        module.in_gangs(x, out)
    assert results[0].tolist() == results[1].tolist()
    assert built.far_out(a, 0, 77) == PLAIN.far_out(a, 0, 77)
    assert built.first_int64(a, size - 1) == size - 1


@pytest.mark.parametrize("seed, options", [(1, []), (2, ["--march=x86-64-v2"])])
def test_random_loops(seed, options):
    bad, compared, asking = skips.run(60, seed, options)
    assert not bad and compared == 1200 and asking > 15
