"""Arrays that all iterations of a prange add to: the sums of NumPy, whatever the number of threads."""
import numpy as np
import pytest
from conftest import Batch, run_pyk2cu

MADE = Batch("partials")
RNG = np.random.default_rng(7)
CASES = {}  # name: result of NumPy, arguments for so many rows


def case(signature, expected):
    def add(text):
        name = text.split("def ", 1)[1].split("(", 1)[0]
        MADE.add(f'@njit("{signature}", parallel=True)\n{text}')
        CASES[name] = expected
    return add


case("float64[:](float64[:,:])", lambda a: a.sum(axis=0))("""def columns(a):
    s = np.zeros(a.shape[1])
    for i in prange(a.shape[0]):
        s += a[i]
    return s
""")
case("float64[:](float64[:,:])", lambda a: a[3:-1].sum(axis=0) - 2 * a[3:-1, 0].sum())("""def some(a):
    s = np.zeros(a.shape[1])
    for i in prange(3, a.shape[0] - 1):
        s += a[i]
        s -= a[i, 0] * 2.0
    return s
""")
case("float64[:,:](float64[:,:])", lambda a: np.ones((a.shape[1], a.shape[1])) - a.T @ a)("""def products(a):
    s = np.ones((a.shape[1], a.shape[1]))
    m = np.zeros(1)
    for i in prange(a.shape[0]):
        for j in range(a.shape[1]):
            for k in range(a.shape[1]):
                s[j, k] -= a[i, j] * a[i, k]
        m += a[i, 0]
    return s
""")
case("float64[:](float64[:,:])", lambda a: 2.0 * np.prod(np.where(a[:, :1] > 0.5, 1.0, 0.5 + a), axis=0))("""def product(a):
    s = np.full(a.shape[1], 2.0)
    for i in prange(a.shape[0]):
        if a[i, 0] > 0.5:
            continue
        s *= a[i] + 0.5
    return s
""")
case("int32[:](float64[:,:])", lambda a: (a * 100).astype(np.int32).sum(axis=0, dtype=np.int32))("""def integers(a):
    s = np.zeros(a.shape[1], np.int32)
    t = 0
    for i in prange(a.shape[0]):
        s += (a[i] * 100).astype(np.int32)
        t += 1
    assert t == a.shape[0]
    return s
""")
case("complex128[:](float64[:,:])", lambda a: 1j * a.sum(axis=0))("""def complexes(a):
    s = np.zeros(a.shape[1], np.complex128)
    for i in prange(a.shape[0]):
        s += a[i] * 1j
    return s
""")
MADE.add("""
@njit("float64[:](float64[:,:], float64[::1])", parallel=True)
def into(a, s):
    for i in prange(a.shape[0]):
        if a[i, 0] < 0:
            raise ValueError("negative")
        s += a[i]
    return s

@njit("void(float64[:,:], int64[:], float64[:,:], int64[:])", parallel=True)
def gather(x, labels, sums, counts):
    for i in prange(x.shape[0]):
        k = labels[i]
        sums[k] += x[i]
        counts[k] += 1

@njit("float64[:](float64[:,:], float64[:])", parallel=True)
def stores_too(x, out):
    s = np.zeros(x.shape[1])
    for i in prange(x.shape[0]):
        s += x[i]
        out[i] = x[i, 0]
    return s

@njit("float64[:](float64[:,:])", parallel=True)
def other_shape(a):
    s = np.zeros(a.shape[1] + 1)
    for i in prange(a.shape[0]):
        s += a[i]
    return s
""")


@pytest.mark.parametrize("rows", [0, 1, 2, 15, 16, 17, 1000])
@pytest.mark.parametrize("function", CASES)
def test_sums(function, rows):
    a = RNG.random((rows, 5))
    np.testing.assert_allclose(getattr(MADE, function)(a), CASES[function](a), rtol=1e-12)


def test_the_argument_is_added_to():
    a, s = RNG.random((100, 4)), np.arange(4.0)
    assert MADE.into(a, s) is s
    np.testing.assert_allclose(s, np.arange(4) + a.sum(axis=0))


def test_exceptions_leave_the_sum_alone():
    a, s = RNG.random((100, 4)), np.zeros(4)
    a[50, 0] = -1
    with pytest.raises(ValueError, match="negative"):
        MADE.into(a, s)
    assert not s.any()
    with pytest.raises(ValueError, match="broadcast"):
        MADE.other_shape(a)


def test_rows_that_iterations_share():
    x, labels = RNG.random((5000, 3)), RNG.integers(0, 4, 5000)
    sums, counts = np.zeros((4, 3)), np.zeros(4, np.int64)
    MADE.gather(x, labels, sums, counts)
    np.testing.assert_array_equal(counts, np.bincount(labels, minlength=4))
    np.testing.assert_allclose(sums, [x[labels == k].sum(axis=0) for k in range(4)])


def test_loops_that_store_too():
    x, out = RNG.random((5000, 3)), np.zeros(5000)
    np.testing.assert_allclose(MADE.stores_too(x, out), x.sum(axis=0))
    np.testing.assert_array_equal(out, x[:, 0])


@pytest.mark.parametrize("line", ["s[0] = int(s[0] + a[i])", "s[0] = np.int64(np.uint8(s[0] + int(a[i])))",
                                  "s[0] = np.int64(np.uint8(s[0])) + int(a[i])",
                                  "s[0] = np.int64(np.float32(s[0])) + int(a[i])"])
def test_sums_that_are_cut_each_time_are_none(tmp_path, line):
    (tmp_path / "k.py").write_text("""import numpy as np
from numba import njit, prange

@njit("int64[:](float64[:])", parallel=True)
def f(a):
    s = np.zeros(1, np.int64)
    for i in prange(a.size):
        {line}
    return s
""".replace("{line}", line))
    done = run_pyk2cu("k.py", "-o", "out", cwd=tmp_path)
    assert done.returncode == 1 and "error[PK5111]" in done.stderr


def test_sums_do_not_hang_on_threads(monkeypatch):
    a = RNG.random((999, 5)) * 1e9
    results = {MADE.columns(a).tobytes() for _ in range(20)}
    assert len(results) == 1
    assert "zeros<double, pyk::C>(16," in MADE.emitted
