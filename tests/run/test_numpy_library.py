"""Functions of NumPy that the compiler has in Python, beside NumPy."""
import numba
import numpy as np
import pytest
from conftest import Batch, run_pyk2cu
from library_calls import Calls

call = Calls("numpy_library")
MADE = call.made
FLOATS = np.array([3.0, -1.5, 2.25, 0.0, 7.5, -1.5, 2.25])
HOLES = np.array([3.0, np.nan, 2.25, 0.0, np.nan, -1.5])
WHOLE = np.array([5, 3, 9, 1, 3, 8, 2, 3])
SMALL = np.array([5, 3, 9, 1, 3, 8, 2], dtype=np.int32)
SINGLE = FLOATS.astype(np.float32)
TRUTHS = np.array([True, False, True, True])
GRID = np.arange(12.0).reshape(3, 4) % 5
EMPTY = np.zeros(0)
VECTORS = [(FLOATS,), (WHOLE,), (SMALL,), (SINGLE,), (EMPTY,)]
call("np.roll(a, b)", (FLOATS, 2), (WHOLE, -3), (SMALL, 100), (GRID, 1), (EMPTY, 3), (FLOATS[::2], 1), (GRID.T, 5))
call("np.flip(a)", *VECTORS, (GRID,))
call("np.flipud(a)", (FLOATS,), (GRID,))
call("np.fliplr(a)", (GRID,))
call("np.rot90(a)", (GRID,))
call("np.repeat(a, b)", (FLOATS, 2), (SMALL, 3), (GRID, 2), (WHOLE, 0))
call("a.repeat(b)", (FLOATS, 2))
call("np.tile(a, b)", (FLOATS, 2), (SMALL, 3), (WHOLE, 0))
call("np.ravel(a)", (GRID,), (GRID.T,))
call("np.ascontiguousarray(a)", (GRID.T,), (FLOATS[::-2],))
call("np.append(a, b)", (FLOATS, FLOATS), (WHOLE, 7), (GRID, FLOATS), (0.5, FLOATS), (7, 2.5), (3, GRID))
call("np.delete(a, b)", (FLOATS, 0), (WHOLE, -1), (WHOLE, 7))
call("np.hstack((a, b))", (FLOATS, FLOATS), (GRID, GRID[:, :2]))
call("np.vstack((a, b))", (FLOATS, FLOATS), (GRID, GRID[:2]))
call("np.vstack((a, b, c))", (WHOLE, WHOLE, WHOLE))
call("np.stack((a, b))", (FLOATS, FLOATS), (SMALL, SMALL))
call("np.column_stack((a, b))", (FLOATS, FLOATS), (GRID, GRID))
call("np.column_stack((a, b))", (np.ones(GRID.shape[0]), GRID), (GRID, np.ones(GRID.shape[0], np.float32)))
call("np.hstack((a, b))", (GRID.astype("i8"), GRID / 3), (SMALL.reshape(7, 1), FLOATS.reshape(7, 1)))
call("np.hstack((a > 1, a))", (GRID,))
call("np.column_stack((a, b))", (SMALL, FLOATS))
call("np.stack((a, b))", (GRID, GRID + 1), (SMALL, FLOATS), (GRID, GRID.astype("i8")))
call("np.vstack((a, a * 2, a + 1))", (FLOATS,), (GRID,))
call("np.extract(a, b)", (np.array([0, -2, 0, 0, 0, 0, 50]), FLOATS), (np.array([0, 1]), FLOATS), (GRID, GRID))
call("np.digitize(a, b)", (FLOATS, np.array([3.0, 2.0, 1.0])), (FLOATS, np.array([1.0, 3.0, 2.0])), (FLOATS, np.ones(3)))
call("np.digitize(a, b, right=True)", (FLOATS, np.array([3.0, 2.0, 1.0])))
call("np.trapezoid(a)", (GRID,))
call("np.trapezoid(a, dx=2.0)", (GRID,), (FLOATS,))
call("np.trapezoid(a, b)", (GRID, np.array([0.0, 1.0, 3.0, 4.0])), (GRID, GRID))
call("np.unique(a)", (HOLES,))
call("np.cross(a, b)", (np.array([3, 1, 4], "i4"), np.array([1, 5, 9], "i4")))
call("np.percentile(a, b)", *[(FLOATS, q) for q in (0.0, 30.0, 50.0, 77.0, 100.0, -1.0, np.nan)], (np.array([-np.inf, np.inf, 1]), 30.0))
call("np.quantile(a, b)", (WHOLE, 0.33), (EMPTY, 0.5))
call("np.histogram(a, b)", (FLOATS, 0), (HOLES[:1], 3))
call("np.histogram(a, 4, (5.0, 0.0))", (FLOATS,))
call("np.linalg.solve(a, b)", (np.array([[2, 1], [1, 3]], "f4"), np.array([1, 2], "f4")), (GRID, GRID))
call("np.linalg.inv(a)", (np.array([[2, 1], [1, 3]], "f4"),), (GRID,))
call("np.cov(a)", (np.ones((2, 3)),), (GRID,))
call("np.corrcoef(a)", (GRID,))
call("np.repeat(a, b)", (FLOATS, -1))
call("np.tile(a, b)", (FLOATS, -1))
call("np.average(a, axis=None, weights=a)", (WHOLE,))
call("np.polyval(a, b)", (EMPTY, 2.0), (FLOATS, 2.0))
call("np.convolve(a, b, 'foo')", (FLOATS, FLOATS))
call("np.flatnonzero(a)", *VECTORS, (TRUTHS,), (GRID,))
call("np.nonzero(a)", *VECTORS, (TRUTHS,), (GRID,))
CUBE = np.arange(24).reshape(2, 3, 4) % 3
call("np.nonzero(a)", (CUBE,))
call("np.flip(a)", (CUBE,))
call("np.argwhere(a)", (CUBE,))
call("np.roll(a, b)", (CUBE, 5))
call("a.nonzero()", (FLOATS,))
call("np.where(a)[0]", (TRUTHS,), (FLOATS,))
call("np.where(a > 1.0)", (GRID,))
call("np.argwhere(a)", (GRID,), (FLOATS,))
call("np.unique(a)", *VECTORS, (GRID,))
call("np.bincount(a)", (WHOLE,), (SMALL,), (WHOLE[:0],))
call("np.bincount(a, b)", (WHOLE, np.arange(8.0)))
call("np.bincount(a, weights=b)", (WHOLE, np.arange(8.0)))
call("np.bincount(a, minlength=b)", (WHOLE, 12), (WHOLE, 2), (WHOLE, -1))
call("np.bincount(a, b, 12)", (WHOLE, np.arange(8.0)))
call("np.digitize(a, b)", (FLOATS, np.array([0.0, 1.0, 2.5, 4.0])))
call("np.digitize(a, b, True)", (FLOATS, np.array([0.0, 1.0, 2.25, 4.0])))
call("np.diff(a)", *VECTORS, (GRID,))
call("np.diff(a, 2)", (FLOATS,), (GRID,))
call("np.ediff1d(a)", (FLOATS,), (GRID,))
call("np.outer(a, b)", (FLOATS, FLOATS), (WHOLE, WHOLE))
call("np.vdot(a, b)", (FLOATS, FLOATS))
call("np.cross(a, b)", (FLOATS[:3], FLOATS[3:6]))
call("np.kron(a, b)", (GRID, GRID[:2, :2]))
call("np.trapezoid(a)", (FLOATS,))
call("np.trapezoid(a, b)", (FLOATS, np.sort(FLOATS)))
call("np.trapezoid(a, dx=0.5)", (FLOATS,))
call("np.convolve(a, b)", (FLOATS, FLOATS[:3]), (FLOATS[:2], FLOATS), (WHOLE, WHOLE[:2]), (FLOATS, EMPTY))
call('np.convolve(a, b, mode="same")', (FLOATS, FLOATS[:3]), (FLOATS, FLOATS[:2]))
call('np.convolve(a, b, mode="valid")', (FLOATS, FLOATS[:3]), (FLOATS[:2], FLOATS))
call("np.polyval(a, b)", (FLOATS, 2.0))
call("np.trace(a)", (GRID,))
call("np.diag(a)", (FLOATS,), (GRID,))
call("np.triu(a)", (GRID,))
call("np.tril(a, b)", (GRID, -1))
call("np.median(a)", *VECTORS, (GRID,), (HOLES,), (FLOATS[:6],), (np.arange(1001.0)[::-1] % 17,))
call("np.nanmedian(a)", (HOLES,), (FLOATS,))
call("np.percentile(a, b)", *[(FLOATS, q) for q in (0, 25, 50.0, 77.7, 100)], (FLOATS, 101.0), (HOLES, 50.0))
call("np.percentile(a, b)", (FLOATS, np.array([0.0, 30.0, 100.0])), (FLOATS[::-1], np.linspace(0, 100, 30)), (FLOATS, np.linspace(0, 100, 24)))
call("np.quantile(a, b)", (FLOATS, 0.3), (WHOLE, 0.5))
call("np.nanpercentile(a, b)", (HOLES, 30.0))
call("np.ptp(a)", (FLOATS,), (WHOLE,), (GRID,))
call("np.average(a)", (FLOATS,), (WHOLE,))
call("np.average(a, weights=b)", (FLOATS, np.arange(7.0)), (FLOATS, np.zeros(7)))
for name in "nansum", "nanprod", "nanmean", "nanvar", "nanstd", "nanmax", "nanmin":
    call(f"np.{name}(a)", (HOLES,), (FLOATS,), (np.array([np.nan, np.nan]),))
call("np.allclose(a, b)", (FLOATS, FLOATS + 1e-12), (FLOATS, FLOATS + 1e-3))
call("np.allclose(a, b, rtol=0.1)", (FLOATS, FLOATS * 1.05))
call("np.array_equal(a, b)", (FLOATS, FLOATS), (FLOATS, FLOATS + 1), (FLOATS, FLOATS[:3]))
call("np.histogram(a)", (FLOATS,), (WHOLE,))
call("np.histogram(a, b)", (FLOATS, 4))
call("np.histogram(a, b, (-2.0, 8.0))", (FLOATS, 5))
INF = np.array([1.0, np.inf, -np.inf, np.nan, 2.0])
MATRIX = np.array([[2.0, 1.0, 0.5], [1.0, 0.0, 3.0], [4.0, -1.0, 1.0]])
call("np.isclose(a, b)", (FLOATS, FLOATS + 1e-9), (INF, INF[::-1]), (INF, INF))
call("np.isclose(a, b, equal_nan=True)", (INF, INF))
call("np.allclose(a, b)", (np.array([1.0]), np.array([np.inf])))
call("np.take(a, b)", (FLOATS, np.array([0, -1, 3])), (FLOATS, np.array([7])))
call("np.extract(a > 1, a)", (FLOATS,), (GRID,))
call("np.isin(a, b)", (WHOLE, np.array([3, 8])), (GRID, FLOATS))
call("np.intersect1d(a, b)", (WHOLE, np.array([3, 8, 100])), (FLOATS, FLOATS[:3]))
call("np.setdiff1d(a, b)", (WHOLE, np.array([3, 8, 100])))
call("np.union1d(a, b)", (WHOLE, np.array([3, 8, 100])), (WHOLE[:0], WHOLE))
call("np.linalg.det(a)", (MATRIX,), (MATRIX[:2, :2],), (np.ones((2, 2)),))
call("np.linalg.inv(a)", (MATRIX,), (MATRIX.T,))
call("np.linalg.solve(a, b)", (MATRIX, np.array([1.0, 2.0, 3.0])), (MATRIX, MATRIX[:, :2]))
call("np.linalg.inv(a)", (np.ones((2, 2)),))
call("np.cov(a)", (GRID,))
call("np.cov(a, b)", (FLOATS, FLOATS[::-1]))
call("np.corrcoef(a)", (MATRIX,))
call("np.corrcoef(a, b)", (FLOATS, np.arange(7.0)))
SEEDED = {"rand": "np.random.rand(5)", "rand2": "np.random.rand(2, 3)", "normal": "np.random.normal(1.0, 2.0, size=4)",
          "uniform": "np.random.uniform(-1.0, 1.0, 6)", "randn": "np.random.randn(3)", "normal2": "np.random.normal(0.0, 1.0, size=(2, 2))"}
for name, expression in SEEDED.items():
    MADE.add(f'@njit("()")\ndef seeded_{name}():\n    np.random.seed(7)\n    return {expression}')
MADE.add('''
@njit("(float64[:, :],)")
def shuffled(a):
    np.random.seed(3)
    np.random.shuffle(a)
    b = np.arange(10)
    np.random.shuffle(b)
    return b


def roll(a):  # a function of the file by the same name
    return a * 2


@njit("(float64[:],)")
def own(a):
    return np.roll(roll(a), 1)
''')


@pytest.mark.parametrize("name", call.cases)
def test_as_numpy(name):
    call.check(name)


@pytest.mark.parametrize("name", SEEDED)
def test_random_arrays(name):
    np.testing.assert_array_equal(getattr(MADE, f"seeded_{name}")(), getattr(MADE.plain, f"seeded_{name}")())


def test_shuffle():
    a = np.arange(12.0).reshape(6, 2)
    b = MADE.shuffled(a)
    assert sorted(b.tolist()) == list(range(10)) and b.tolist() != list(range(10))
    assert sorted(a[:, 0].tolist()) == list(range(0, 12, 2)) and (a[:, 1] == a[:, 0] + 1).all()


SHUFFLED = Batch("shuffled")
SHUFFLED.add("""
import random

@njit("void(int64[:], float64[:, :], int64)")
def mixed(a, b, seed):
    random.seed(seed)
    random.shuffle(a)
    b[0, 0] += random.random()
    random.shuffle(b)
    np.random.seed(seed)
    np.random.shuffle(a)
""")


def test_shuffles_are_numbas():
    numbas = numba.njit(SHUFFLED.plain.mixed)
    for n in (0, 1, 2, 7, 300):
        for seed in (0, 5, 2**31):
            results = []
            for function in (SHUFFLED.mixed, numbas):
                a, b = np.arange(2 * n)[::2], np.arange(3.0 * (n + 1)).reshape(-1, 3)
                function(a, b, seed)
                results.append((a.tolist(), b.tolist()))
            assert results[0] == results[1]


@pytest.mark.parametrize("call, types", [("np.median((a, 1.0))", "float64"), ("np.average(a, a)", "float64[:]"), ("np.average(a, 0)", "float64[:, :]"),
                                         ("np.triu(a)", "float64[:, :, :]"), ("np.nonzero(a)", "float64[:, :, :, :]")])
def test_refused(tmp_path, call, types):
    source = tmp_path / "refused.py"
    source.write_text(f'import numpy as np\nfrom numba import njit\n\n\n@njit("({types},)")\ndef f(a):\n    return {call}\n')
    result = run_pyk2cu(source, "-o", tmp_path / "out")
    assert result.returncode == 1 and "refused.py:7:12: error[PK4012]" in result.stderr, result.stderr
    assert result.stderr.count("error[") == 1


def test_names_of_the_file():
    np.testing.assert_array_equal(MADE.own(FLOATS), MADE.plain.own(FLOATS))


WRITES = Batch("numpy_writes")
WRITES.add("""
@njit("(float64[::1], float64[:, ::1])")
def views(a, b):
    np.ravel(a)[0] = 100.0
    np.ravel(b)[1] = 200.0
    np.ascontiguousarray(b)[1, 1] = 300.0

@njit("(float64[:, :],)")
def copies(b):
    np.ravel(b.T)[1] = 200.0
    np.ascontiguousarray(b.T)[1, 1] = 300.0
""")


def test_what_is_contiguous_is_not_copied():
    a, b = np.zeros(3), np.zeros((2, 3))
    WRITES.views(a, b)
    assert a.tolist() == [100.0, 0.0, 0.0] and b.tolist() == [[0.0, 200.0, 0.0], [0.0, 300.0, 0.0]]
    b = np.zeros((2, 3))
    WRITES.copies(b)
    assert not b.any()
