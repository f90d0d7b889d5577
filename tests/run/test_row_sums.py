"""Sums along rows, several rows at a time: the same to the last bit, errors and all, and no row too many is read."""
import ctypes
import mmap
import pathlib
import sys

import numpy as np
import pytest
from conftest import Batch, assert_same_effects

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "fuzz"))
import row_sums  # noqa: E402

TEXT = '''
from numba import prange


@njit("void({F}[:, :], {F}[:])")
def totals(a, out):
    for i in range(a.shape[0]):
        s = {F}(0)
        for j in range(a.shape[1]):
            s += a[i, j]
        out[i] = s


@njit("void({F}[:, :], {F}[:, :])")
def normed(a, out):
    """It raises at the first row of zeros; those before it are written."""
    for i in range(a.shape[0]):
        s = {F}(0)
        for j in range(a.shape[1]):
            s += a[i, j]
        for j in range(a.shape[1]):
            out[i, j] = a[i, j] / s


@njit("void({C}[:, :], {C}[:], {C}[:])")
def of_parts(a, sums, products):
    for i in range(a.shape[0]):
        s, p = {C}(0), {C}(1)
        for j in range(a.shape[1]):
            s += a[i, j]
        for j in range(a.shape[1]):
            p = p * a[i, j] + s
        sums[i] = s
        products[i] = p


@njit("int64({F}[:, :], {F}[:], {F})")
def found(a, q, far):
    """The rows behind the one that it returns at are not reached."""
    best = -1
    least = {F}(1e30)
    for i in range(a.shape[0]):
        d = {F}(0)
        for j in range(len(q)):
            d += (a[i, j] - q[j]) * (a[i, j] - q[j])
        if d < least:
            least = d
            best = i
        if d == far:
            return -i
    return best


@njit("{F}({F}[:, :], {F}[:], {F})")
def descent(a, w, rate):
    """What follows the sum changes what the next row is multiplied with."""
    loss = {F}(0)
    for i in range(a.shape[0]):
        z = {F}(0)
        for j in range(len(w)):
            z += a[i, j] * w[j]
        loss += z * z
        for j in range(len(w)):
            w[j] -= rate * z * a[i, j]
    return loss


@njit("void({F}[:, :], {F}[:, :], {F})")
def smoothed(x, y, share):
    for i in range(x.shape[0]):
        for j in range(1, x.shape[1]):
            y[i, j] = share * x[i, j] + ({F}(1) - share) * y[i, j - 1]


@njit("void({F}[:, :])")
def running(x):
    for i in range(x.shape[0]):
        for j in range(1, x.shape[1]):
            x[i, j] += x[i, j - 1]


@njit("void({F}[:, :])")
def triangle(x):
    """A row is made of the one before it."""
    for i in range(1, x.shape[0]):
        s = {F}(0)
        for j in range(x.shape[1]):
            s = s * {F}(0.5) + x[i - 1, j]
        x[i, 0] = s


@njit("{F}({F}[:, :], int64)")
def last(x, n):
    """The sum of the last row is read behind the loop."""
    s = {F}(-1)
    for i in range(n):
        s = {F}(0)
        for j in range(x.shape[1]):
            s += x[i, j]
    return s


@njit("{F}({F}[:, :], {F}[:])", parallel=True)
def parallel(x, out):
    total = {F}(0)
    for i in prange(x.shape[0]):
        s = {F}(0)
        for j in range(x.shape[1]):
            s = s * {F}(0.25) + x[i, j]
        out[i] = s / x.shape[1] if x.shape[1] > 0 else {F}(9)
        total += {F}(1)
    return total


@njit("int64(int64[:, :], int64[:], int64[:])")
def hashes(x, by, out):
    """An integer division that one row makes and another does not."""
    k = 0
    for i in range(x.shape[0]):
        h = 7
        for j in range(x.shape[1]):
            h = h * 31 + x[i, j]
        out[i] = h // by[i]
        k += 1
    return k


@njit("void({F}[:, :, :], {F}[:, :])")
def pooled(x, out):
    for i in range(x.shape[0]):
        s = {F}(0)
        for j in range(x.shape[1]):
            for k in range(x.shape[2]):
                s += x[i, j, k]
        out[i, 0] = s
'''
KINDS = {"float64": Batch("row_sums_64"), "float32": Batch("row_sums_32")}
PLAIN = {"float64": Batch("row_sums_64_plain", ["--no-lanes"]), "float32": Batch("row_sums_32_plain", ["--no-lanes"])}
for kind in KINDS:
    for batch in KINDS[kind], PLAIN[kind]:
        parts = "complex64" if kind == "float32" else "complex128"
        text = TEXT.replace("{C}(0), {C}(1)", f"np.{parts}(0), np.{parts}(1)").replace("{C}", parts)
        batch.add(text.replace("{F}(", "np." + kind + "(").replace("{F}", kind).replace('"np.' + kind + "(", '"' + kind + "("))

ROWS = [0, 1, 3, 4, 7, 8, 9, 15, 16, 17, 33]
COLUMNS = [0, 1, 2, 9, 16, 31]


def table(rows, columns, kind, layout="C"):
    rng = np.random.default_rng(rows * 100 + columns)
    a = rng.standard_normal((rows, columns)).astype(kind)
    if layout == "strided":
        return np.repeat(np.repeat(a, 2, 0), 3, 1)[::2, ::3]
    return a[::-1, ::-1] if layout == "reversed" else np.asarray(a, order=layout)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("layout", ["C", "F", "strided", "reversed"])
@pytest.mark.parametrize("columns", COLUMNS)
def test_every_size(kind, layout, columns):
    ours, plain = KINDS[kind].module, PLAIN[kind].module
    number = np.dtype(kind).type
    for rows in ROWS:
        a = table(rows, columns, kind, layout)
        vector = table(1, max(rows, columns), kind)[0]
        assert_same_effects(ours, plain, "totals", a, vector)
        parts = np.stack([a, a[::-1]], axis=-1).view("c8" if kind == "float32" else "c16")[..., 0]
        assert_same_effects(ours, plain, "of_parts", parts, np.zeros(rows, parts.dtype), np.zeros(rows, parts.dtype))
        assert_same_effects(ours, plain, "found", a, vector[:columns].copy(), number(0.5))
        assert_same_effects(ours, plain, "descent", a, vector[:columns].copy(), number(0.125))
        assert_same_effects(ours, plain, "smoothed", a, np.ones_like(a), number(0.25))
        assert_same_effects(ours, plain, "running", a)
        assert_same_effects(ours, plain, "last", a, rows)
        assert_same_effects(ours, plain, "parallel", a, vector)
        if columns:
            assert_same_effects(ours, plain, "triangle", a)
            assert_same_effects(ours, plain, "pooled", np.stack([a, a * 2], 1), np.ones((rows, 1), kind))


@pytest.mark.parametrize("kind", KINDS)
def test_numpy_agrees(kind):
    a = table(19, 12, kind)
    out = np.zeros(19, kind)
    KINDS[kind].module.totals(a, out)
    assert np.array_equal(out, np.add.accumulate(a, axis=1)[:, -1])
    running = a.copy()
    KINDS[kind].module.running(running)
    assert np.array_equal(running, np.add.accumulate(a, axis=1))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("zero", range(11))
def test_it_raises_at_the_row_of_zeros(kind, zero):
    a = np.ones((11, 5), kind)
    a[zero] = 0
    results = []
    for batch in KINDS[kind], PLAIN[kind]:
        out = np.full_like(a, -1)
        with pytest.raises(ZeroDivisionError):
            batch.module.normed(a, out)
        results.append(out)
    assert np.array_equal(*results)
    assert (results[0][:zero] == np.float64(0.2).astype(kind)).all() and (results[0][zero:] == -1).all()


@pytest.mark.parametrize("zero", range(11))
def test_integers_are_divided_where_the_source_does(zero):
    x = np.arange(55).reshape(11, 5)
    by = np.arange(1, 12)
    by[zero] = 0
    out = np.zeros(11, np.int64)
    with pytest.raises(ZeroDivisionError):
        KINDS["float64"].module.hashes(x, by, out)
    wanted = np.full(11, 7)
    for j in range(5):
        wanted = wanted * 31 + x[:, j]
    assert np.array_equal(out[:zero], wanted[:zero] // by[:zero]) and not out[zero:].any()


@pytest.mark.parametrize("name", ["smoothed", "normed"])
def test_arrays_that_share_memory(name):
    """Rows of the one are rows of the other, one further on: every row reads what the one before it wrote."""
    for rows in 2, 5, 8, 21:
        results = []
        for batch in KINDS["float64"], PLAIN["float64"]:
            memory = np.arange(1.0, rows * 9 + 10)
            x, y = memory[:rows * 9].reshape(rows, 9), memory[9:rows * 9 + 9].reshape(rows, 9)
            getattr(batch.module, name)(x, y, *([0.25] if name == "smoothed" else []))
            results.append(memory)
        assert np.array_equal(*results)


def test_several_rows_are_taken_at_a_time():
    emitted = KINDS["float64"].emitted
    for name in "totals", "normed", "found", "smoothed", "running", "parallel", "pooled":
        text = emitted[emitted.index(f" {name}(pyk::array"):]
        assert "i_rest" in text[:text.index("\n}\n")], name
    for name in "descent", "triangle", "last":  # a row waits for the one before it
        text = emitted[emitted.index(f" {name}(pyk::array"):]
        assert "i_rest" not in text[:text.index("\n}\n")], name


@pytest.mark.parametrize("options", [[], ["--march=x86-64-v2"]], ids=" ".join)
def test_random_rows(options):
    bad, compared, taken = row_sums.run(40, 9, options)
    assert bad == 0
    assert compared > 1500 and taken > 7


MET = Batch("row_sums_met")
MET.add('''
from numba import prange


@njit("void(float64[:, :], float64[:])")
def whole(x, w):
    """The sum of an array that the row before it stored to."""
    for i in range(x.shape[0]):
        c = w.sum()
        s = 0.0
        for j in range(x.shape[1]):
            s += x[i, j]
        w[0] = s + c


@njit("void(float64[:, :], float64[:, :])", parallel=True)
def shifted(x, y):
    for i in prange(x.shape[0]):
        for j in range(1, x.shape[1]):
            x[i, j] += 1.0
            y[i, j] = x[i, j] + y[i, j - 1]


@njit("float64(float64[:, :], float64[:], int64[:], float64)")
def seldom(x, w, flag, far):
    for i in range(x.shape[0]):
        t = 0.0
        if flag[i] > 0:
            t = w[0]
        s = t
        for j in range(x.shape[1]):
            s += x[i, j]
        if s == far:
            return s
    return -1.0


@njit("void(float64[:, ::1], float64[:, ::1], float64[:])")
def by_twos(x, y, out):
    for i in range(x.shape[0]):
        s = 0.0
        for j in range(x.shape[1]):
            s += x[i, j]
        out[i] = s
        for j in range(1, x.shape[1], 2):
            y[i, j] = 0.5 * y[i, j - 1] + 1.0


@njit("void(float64[:, ::1], float64[:, ::1], float64[:])")
def downwards(x, y, out):
    for i in range(x.shape[0]):
        s = 0.0
        for j in range(x.shape[1]):
            s += x[i, j]
        out[i] = s
        for j in range(x.shape[1] - 1, 0, -1):
            y[i, j] = 0.5 * y[i, j - 1] + 1.0


@njit("int64(float64[:, ::1], int64, float64)")
def reached(x, n, far):
    for i in range(n):
        s = 0.0
        for j in range(x.shape[1]):
            s += x[i, j]
        if s == far:
            return i
    return -1


TABLE = np.arange(40.0).reshape(2, 20)


@njit("float64(int64, float64)")
def frozen(n, far):
    for i in range(n):
        s = 0.0
        for j in range(20):
            s += TABLE[i, j]
        if s > far:
            return s
    return -1.0


@njit("int64(float64[:, ::1], float64[:], int64)")
def ends_change(x, out, step):
    n = x.shape[0]
    for i in range(n):
        s = 0.0
        for j in range(x.shape[1]):
            s += x[i, j]
        out[i] = s
        n += step
    return n


@njit("void(float64[:, ::1], float64[:], float64[:])", parallel=True)
def chosen(x, out, two):
    for i in prange(x.shape[0]):
        s = 0.0
        for j in range(x.shape[1]):
            s += x[i, j]
        u = 0.0
        w = 1.0
        if s > 0.5:
            t = s
            u = t
            w = t
        out[i] = u
        two[i] = w


@njit("float64(float64[::1], float64[:], int64)", parallel=True)
def own_values(x, out, n):
    """`d` is one in front of the loop, one of each iteration, an integer behind it and a float again."""
    t = 0.0
    d = 0.0
    for i in prange(x.shape[0]):
        d = x[i] * 3.0
        if x[i] > d:
            d = 2.0
        out[i] += d
    d = n
    if n > 3:
        d = n + 1
    k = d * d
    for i in range(x.shape[0]):
        d = x[i] * 4.0
        t += out[i] + d
    return t + k
''')


@pytest.mark.parametrize("name", ["by_twos", "downwards"])
def test_elements_before_that_another_turn_stored(name):
    """What `y[i, j - 1]` is hangs on the steps: the turn before did not store it."""
    x, y = np.arange(72.0).reshape(9, 8), np.arange(72.0).reshape(9, 8) ** 2
    expected = y.copy()
    columns = range(1, 8, 2) if name == "by_twos" else range(7, 0, -1)
    for j in columns:
        expected[:, j] = 0.5 * expected[:, j - 1] + 1.0
    out = np.zeros(9)
    getattr(MET, name)(x, y, out)
    assert y.tolist() == expected.tolist() and out.tolist() == x.sum(1).tolist()


def test_an_array_as_a_whole_is_read_too():
    w = np.ones(2)
    MET.whole(np.zeros((8, 1)), w)
    assert w.tolist() == [9.0, 1.0]


def test_rows_of_two_arrays_that_are_one():
    for rows in 1, 4, 9:
        b = np.zeros((rows, 4))
        MET.shifted(b[:, :-1], b[:, 1:])
        assert b.tolist() == [[0.0, 1.0, 3.0, 6.0]] * rows


def test_what_a_row_loads_under_a_condition_of_its_own():
    """`w` is memory of no use to anybody, which only rows behind the return would read."""
    libc = ctypes.CDLL(None, use_errno=True)
    area = mmap.mmap(-1, mmap.PAGESIZE)
    start = ctypes.addressof(ctypes.c_char.from_buffer(area))
    assert libc.mprotect(ctypes.c_void_p(start), mmap.PAGESIZE, 0) == 0
    try:
        x = np.ones((8, 3))
        x[0] = 0.0
        w = np.frombuffer(area, np.float64, 1)
        assert MET.seldom(x, w, np.array([0] + [1] * 7), 0.0) == 0.0
    finally:
        libc.mprotect(ctypes.c_void_p(start), mmap.PAGESIZE, 3)


@pytest.fixture
def at_the_end():
    """Memory for two rows of 32 numbers, behind which there is none."""
    libc = ctypes.CDLL(None, use_errno=True)
    area = mmap.mmap(-1, 2 * mmap.PAGESIZE)
    behind = ctypes.c_void_p(ctypes.addressof(ctypes.c_char.from_buffer(area)) + mmap.PAGESIZE)
    assert libc.mprotect(behind, mmap.PAGESIZE, 0) == 0
    rows = np.frombuffer(area, np.float64, 64, mmap.PAGESIZE - 512).reshape(2, 32)
    rows[:] = 1.0
    yield rows
    libc.mprotect(behind, mmap.PAGESIZE, 3)


def test_rows_behind_a_return_are_not_read(at_the_end):
    """There are two; the loop would ask for sixteen, four at a time."""
    at_the_end[1, 0] = 3.0
    assert MET.reached(at_the_end, 16, 34.0) == 1


def test_nor_those_of_arrays_of_the_module():
    assert "n <= 2" in MET.emitted
    for n in 1, 2, 50_000_000:
        assert MET.frozen(n, 200.0) == (590.0 if n > 1 else -1.0)


@pytest.mark.parametrize("step", [-1, 0, 1])
def test_ends_that_the_body_changes(step):
    x, out = np.ones((9, 4)), np.zeros(9)
    assert MET.ends_change(x, out, step) == 9 + 9 * step
    assert out.tolist() == [4.0] * 9


def test_what_a_branch_alone_assigns_is_of_one_iteration():
    x = np.random.default_rng(1).random((40_000, 2))
    sums = x[:, 0] + x[:, 1]
    for _ in range(20):
        out, two = np.zeros(40_000), np.zeros(40_000)
        MET.chosen(x, out, two)
        assert np.array_equal(out, np.where(sums > 0.5, sums, 0.0)) and np.array_equal(two, np.where(sums > 0.5, sums, 1.0))
    assert "taken ? s : t" not in MET.emitted


def test_iterations_have_values_of_their_own():
    x, out = np.arange(1.0, 5.0) / 8, np.zeros(4)
    assert MET.own_values(x, out, 5) == x.sum() * 3 + x.sum() * 4 + 36
    assert out.tolist() == (x * 3).tolist()
