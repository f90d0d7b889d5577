"""Loops that in one iteration write what all of them read: what one by one gives."""
import numpy as np
import pytest
from conftest import Batch, assert_same_effects, run_pyk2cu

DTYPES = ["float32", "float64", "int64", "int32", "uint8"]
TEXT = "".join(f'''
@njit("void({dtype}[:, :])")
def ways_{dtype}(d):
    n = d.shape[0]
    for k in range(n):
        for i in range(n):
            for j in range(n):
                through = d[i, k] + d[k, j]
                if through < d[i, j]:
                    d[i, j] = through

@njit("void({dtype}[:, ::1], int64, int64, int64)")
def rows_{dtype}(a, k, lo, hi):
    for i in range(a.shape[0]):
        for j in range(lo, hi):
            a[i, j] = a[i, j] * a[i, k] + a[k, j]

@njit("void({dtype}[:, ::1], int64)")
def columns_{dtype}(a, k):
    for j in range(a.shape[1]):
        for i in range(a.shape[0]):
            a[i, j] += a[k, j] - a[i, 0]

@njit("void({dtype}[:], {dtype}[:])")
def least_{dtype}(a, b):
    for i in range(len(a)):
        if b[i] < a[i]:
            a[i] = b[i]
''' for dtype in DTYPES) + '''
@njit("void(float64[:, ::1])")
def factors(a):
    n = a.shape[0]
    for k in range(n):
        for i in range(k + 1, n):
            a[i, k] /= a[k, k]
            for j in range(k + 1, n):
                a[i, j] -= a[i, k] * a[k, j]

@njit("void(float64[:, ::1], float64[::1])")
def jordan(a, x):
    n = a.shape[0]
    for p in range(n):
        for r in range(n):
            if r != p:
                for c in range(n):
                    a[r, c] -= a[r, p] / a[p, p] * a[p, c]
                x[r] -= a[r, p] * x[p]

@njit("void(float64[::1], int64, float64[::1])")
def normed(x, k, y):
    for i in range(len(x)):
        x[i] = x[i] / x[k] + y[i] * x[k]

@njit("void(float64[::1], int64, int64)")
def two(x, k, m):
    for i in range(len(x)):
        x[i] = x[i] + x[k] * 0.5 - x[m]

@njit("void(float64[::1], int64, boolean[::1])")
def asked(x, k, marks):
    for i in range(len(x)):
        if marks[i]:
            x[i] = x[k] + 1.0

@njit("void(float64[::1], int64)")
def after(x, k):
    for i in range(len(x)):
        x[i] = x[i] * 2.0
        x[i] += x[k]

@njit("float64(float64[::1], int64)")
def behind(x, k):
    last = 0.0
    for i in range(len(x)):
        last = x[i] + x[k]
        x[i] = last * 0.5
    return last + i

@njit("float64(float64[::1], int64)")
def handed(x, k):
    carry = 1.0
    for i in range(len(x)):
        x[i] += x[k] * carry
        carry = carry * 0.5 + x[i]
    return carry

@njit("void(float64[::1], float64[::1], int64)")
def others(x, y, k):
    for i in range(len(x)):
        x[i] = y[i] + x[k]

@njit("void(float64[::1], int64[::1], float64[::1])")
def one_over(x, at, y):
    for i in range(len(x)):
        x[i] = x[i] / (x[at[0]] + y[i] * 0.25) if y[i] > 0 else x[i] + x[at[0]]

@njit("void(float64[::1], int64, int64)")
def shorter(a, k, n):
    for j in range(n):
        a[j] = a[j] + a[k] * 0.5
        n = 3

@njit("void(int64[::1], int64)")
def own_end(a, k):
    for j in range(a[0]):
        a[j] += a[k]

@njit("void(float64[::1], float64[::1], int64)")
def elsewhere(a, b, n):
    for i in range(n):
        j = 2 * i
        old = a[j]
        j = j + 1
        if b[i] < old:
            a[j] = b[i]

@njit("void(float64[::1], float64[:, ::1], int64)")
def far(x, b, q):
    for i in range(len(x)):
        s = 0.0
        while s * s < x[i]:
            s += 0.25
        j = q
        t = b[j, i]
        j = j * 1000000000
        if t > 3.0:
            b[j, i] = s
        x[i] = s

@njit("void(int64[:], int64[:])", parallel=True)
def marked(x, m):
    for i in prange(len(x)):
        w = 0
        t = x[i]
        while t > 3:
            t = t // 2
            w += 1
        if m[i % 5] < w:
            m[i % 5] = 100

@njit("void(float64[:, :], int64, int64)")
def mirrored(x, k, s):
    for i in range(x.shape[0]):
        t = x[k, 0]
        if t > 0.0:
            x[i, s - i] = np.exp(t * 0.5) * np.sin(t)

@njit("void(int64[::1], int64[::1], int64)", parallel=True)
def wrapped(a, x, s):
    for i in prange(len(x)):
        w = 0
        t = x[i]
        while t > 3:
            t = t // 2
            w += 1
        if w > a[i - s]:
            a[i - s] = 100

@njit("void(int64[::1], int64[:, ::1])", parallel=True)
def nested(best, x):
    for i in prange(x.shape[0]):
        for j in range(x.shape[1]):
            if x[i, j] > best[j]:
                best[j] = x[i, j]

@njit("void(int64[::1], int64[::1], int64[::1])", parallel=True)
def scattered(best, at, x):
    for i in prange(len(x)):
        if x[i] > best[at[i]]:
            best[at[i]] = x[i]

@njit("void(float64[::1], float64[::1], boolean[::1])")
def maybe_there(a, b, there):
    old = 5.0
    for i in range(len(b)):
        if there[i]:
            old = a[i]
        if b[i] < old:
            a[i] = b[i]
'''
OPTIONS = {"plain": ["--no-lanes", "--fp=strict"], "default": ["--fp=strict"],
           "v2": ["--march=x86-64-v2", "--gang=8", "--fp=strict"], "checked": ["--boundscheck", "--fp=strict"]}
MODULES = {name: Batch("crossing_" + name, options) for name, options in OPTIONS.items()}
for module in MODULES.values():
    module.add(TEXT)
PLAIN = MODULES["plain"]


@pytest.fixture(params=["default", "v2", "checked"])
def built(request):
    return MODULES[request.param]


def equal(made, function, *arrays):
    assert_same_effects(made, PLAIN, function, *arrays)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("n", [0, 1, 2, 17, 70])
def test_matrices(built, dtype, n):
    rng = np.random.default_rng(n)
    a = rng.integers(0 if dtype == "uint8" else -30, 100, (n, n)).astype(dtype)
    equal(built, "ways_" + dtype, a)
    for k in {0, n // 2, n - 1}:
        if n == 0:
            continue
        for lo, hi in ((0, n), (k, n), (k + 1, n), (0, k), (0, k + 1), (n, 0), (n // 3, 2 * n // 3)):
            equal(built, "rows_" + dtype, a, k, lo, hi)
        equal(built, "columns_" + dtype, a, k)
    equal(built, "least_" + dtype, a[:, 0] if n else a.ravel(), a[:, -1] if n else a.ravel())
    if n:
        equal(built, "ways_" + dtype, a[::-1, ::-1])
        equal(built, "ways_" + dtype, a.T)
        equal(built, "rows_" + dtype, a, -1, 0, n)


@pytest.mark.parametrize("n", [1, 5, 40, 65])
def test_factors_and_vectors(built, n):
    rng = np.random.default_rng(n)
    a, x, y = rng.normal(size=(n, n)) + 3 * np.eye(n), rng.normal(size=n), rng.normal(size=n)
    equal(built, "factors", a)
    equal(built, "jordan", a, x)
    marks = y > 0
    for k in {0, n // 2, n - 1, -1}:
        equal(built, "normed", x, k, y)
        equal(built, "two", x, k, 0)
        equal(built, "asked", x, k, marks)
        equal(built, "after", x, k)
        equal(built, "behind", x, k)
        equal(built, "handed", x, k)
        equal(built, "others", x, y, k)
        equal(built, "one_over", x, np.array([k]), y)
    x[n // 3] = np.nan
    equal(built, "normed", x, n // 3, y)
    equal(built, "least_float64", x, y)
    equal(built, "maybe_there", x, y, marks)


def test_ends_that_the_loop_changes(built):
    for k in (0, 1, 5, 40):
        equal(built, "shorter", np.arange(1.0, 50.0), k, 41)
    for k in (0, 3, 9):
        a = np.arange(60)
        a[0], a[9] = 20, 7
        equal(built, "own_end", a, k)


def test_what_no_iteration_stores_is_left_alone(built):
    """The element of another subscript, or of a condition that is false."""
    b = np.full(40, 9.0)
    if built is not MODULES["checked"]:
        equal(built, "elsewhere", np.arange(79.0) - 100, b, 40)
        equal(built, "far", np.ones(100), np.zeros((2, 100)), 1)
    for n in (10, 100):
        x = np.full(n, 2)
        x[::5] = 1000
        m = np.zeros(5, np.int64)
        built.marked(x, m)
        assert m.tolist() == [100, 0, 0, 0, 0]


def test_subscripts_that_count_from_the_end(built):
    x = np.zeros((44, 40)).T[:, 2:42]
    x[39, 0] = 1.0
    equal(built, "mirrored", x, 39, 0)
    equal(built, "mirrored", np.where(np.arange(1800).reshape(30, 60) == 1200, 1.0, 0.0), 20, 5)
    marks = np.array([10**6] + [0] * 9)
    a = np.zeros(5, np.int64)
    built.wrapped(a, marks, 5)
    assert a.tolist() == [100, 0, 0, 0, 0]


def test_loops_inside_of_those_that_cores_share(built):
    x = np.zeros((6000, 8), np.int64)
    x[1500] = 7
    for _ in range(20):
        best = np.full(8, 3)
        built.nested(best, x)
        assert best.tolist() == [7] * 8


def test_arrays_of_one_memory(built):
    """Both names for one array, and one shifted by an element."""
    for function, k in (("others", 3), ("normed", 40)):
        results = []
        for made in (built, PLAIN):
            x = np.arange(1.0, 101.0)
            for a, b in ((x, x), (x[1:], x[:-1]), (x[:-1], x[1:]), (x[:50], x[50:])):
                getattr(made, function)(*((a, b, k) if function == "others" else (a, k, b)))
            results.append(x)
        np.testing.assert_array_equal(*results)


def test_what_is_not_there_is_not_read(built):
    """No iteration, no element; where no mark is set, none either."""
    x = np.arange(4.0)
    built.normed(x[:0], 7, x)
    built.asked(x, 10**6, np.zeros(4, bool)) if built is not MODULES["checked"] else None
    results = []
    for made in (built, PLAIN):
        a = np.arange(4.0)
        there = np.zeros(4, bool)
        there[1] = True
        made.maybe_there(a, np.array([9.0, -1.0, 8.0, 7.0]), there)
        results.append(a)
    np.testing.assert_array_equal(*results)


def test_cores_that_store_nothing_leave_what_others_store(tmp_path):
    """A store of the old value is one only where nobody else stores."""
    (tmp_path / "own.py").write_text("from numba import njit, prange\nimport numpy as np\n" + TEXT[TEXT.index('@njit("void(int64[::1], int64[::1], int64[::1])"'):])
    assert run_pyk2cu("own.py", "-o", "out", "--gang=8", cwd=tmp_path).returncode == 0
    text = "".join(p.read_text() for p in (tmp_path / "out").glob("own*.*") if p.suffix in (".h", ".cpp"))
    body = text[text.index("void scattered("):]
    assert "best(at(i)) = x(i) > " not in body and "best(at(i + k)) = x(i + k) > " not in body
    for made in MODULES.values():
        best = np.zeros(4, np.int64)
        made.scattered(best, np.arange(1000) % 4, np.arange(1000) // 4 * (np.arange(1000) % 4 == 2))
        assert best.tolist() == [0, 0, 249, 0]


def test_they_are_in_lanes(tmp_path):
    (tmp_path / "crossing.py").write_text("from numba import njit, prange\nimport numpy as np\n" + TEXT)
    said = run_pyk2cu("explain", tmp_path / "crossing.py").stdout
    lanes = {part.split("(")[0].split()[-1] for part in said.split("\n\n") if "the iteration that writes what all read" in part}
    assert lanes >= {"ways_float32", "ways_int64", "others", "after"}, lanes
    assert not lanes & {"two", "asked", "behind", "handed", "factors"}
