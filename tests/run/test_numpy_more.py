"""Sets, statistics and small functions of NumPy that the compiler has in Python, beside NumPy."""
import numpy as np
import pytest
from conftest import Batch
from library_calls import Calls

CALL = Calls("numpy_more")
FLOATS = np.array([3.0, -1.5, 2.25, 0.0, 7.5, -1.5, 2.25])
HOLES = np.array([3.0, np.nan, 2.25, 0.0, np.nan, -1.5])
ENDLESS = np.array([1.0, np.inf, -np.inf, np.nan, 2.0])
WHOLE = np.array([5, 3, 9, 1, 3, 8, 2, 3])
SMALL = np.array([5, 3, 9, 1, 3, 8, 2], dtype=np.int32)
BYTES = np.array([200, 3, 255, 0, 3], dtype=np.uint8)
SINGLE = FLOATS.astype(np.float32)
TRUTHS = np.array([True, False, True, True])
GRID = np.arange(12.0).reshape(3, 4) % 5
WAVES = np.array([1 + 2j, -1j, 3 + 0j, 2 - 2j])
EMPTY = np.zeros(0)
NONE = np.zeros(0, dtype=np.int64)
CUBE = np.arange(27.0).reshape(3, 3, 3)
MANY = (np.arange(3000) * 7919) % 1009
FAR = MANY * 10**12

# sets
LISTS = [(FLOATS, FLOATS[::-2]), (WHOLE, SMALL), (WHOLE, FLOATS), (HOLES, HOLES[:3]), (EMPTY, FLOATS), (FLOATS, EMPTY), (BYTES, WHOLE),
         (MANY, MANY[::3]), (MANY, FAR[:200]), (FAR, FAR[10:90]), (MANY / 7.0, MANY[:300] / 7.0), (MANY, np.array([5, -7])), (TRUTHS, TRUTHS[:1]),
         (MANY.astype("i4"), BYTES), (MANY - 500, (MANY[:500] - 500).astype("i2")), (MANY.astype("u8"), MANY[:100].astype("u8"))]
for name in "isin", "setxor1d", "union1d", "intersect1d", "setdiff1d":
    CALL(f"np.{name}(a, b)", *LISTS, (GRID, FLOATS))
    if name not in ("union1d", "isin"):
        CALL(f"np.{name}(a, b, assume_unique=True)", (WHOLE[:4], WHOLE[2:4]), (FLOATS[:4], FLOATS[3:4]))
CALL("np.isin(a, b, invert=True)", *LISTS)
for name in "isin", "intersect1d", "setdiff1d":
    CALL(f"np.{name}(a, b)", (NONE, NONE), (BYTES[:0], BYTES[:0]), (NONE, WHOLE), (WHOLE, NONE))
CALL("np.isin(a, b)", (3, WHOLE), (2.5, FLOATS), (GRID[:, ::2], GRID))

# order statistics
POINTS = np.array([0.0, 0.3, 1.0, 0.5])
for name, scale in ("quantile", 1), ("percentile", 100), ("nanquantile", 1), ("nanpercentile", 100):
    CALL(f"np.{name}(a, b)", *[(a, POINTS * scale) for a in (FLOATS, HOLES, WHOLE, GRID, SINGLE, FLOATS[::-2])])
    CALL(f"np.{name}(a, b)", (FLOATS, 0.3 * scale), (HOLES, 0.7 * scale), (FLOATS, POINTS * scale + 0.1), (FLOATS, -0.1), (FLOATS, np.array([np.nan])))
    CALL(f"np.{name}(a, [{0.25 * scale}, {0.5 * scale}])", (FLOATS,), (HOLES,))
    CALL(f"np.{name}(a, ({0.25 * scale}, {0.5 * scale}))", (FLOATS,))
CALL("np.nanquantile(a, 0.5)", (HOLES[1:2],), (HOLES,), (GRID,))
CALL("np.nanquantile(a, b)", (np.array([np.nan]), POINTS))
CALL("np.quantile(a, b)", (EMPTY, POINTS))
for name in "nancumsum", "nancumprod":
    CALL(f"np.{name}(a)", (HOLES,), (FLOATS,), (WHOLE,), (GRID,), (SMALL,), (EMPTY,), (HOLES[::-1],), (SINGLE,))

# covariances
OTHER = np.array([[1.0, 4.0, 2.0, 8.0], [3.0, 3.0, 1.0, 0.5]])
for name in "cov", "corrcoef":
    CALL(f"np.{name}(a)", (FLOATS,), (GRID,), (WHOLE,), (OTHER,), (WAVES.reshape(2, 2),), (OTHER[:, ::-1],), (GRID.astype("i4"),), (FLOATS[:1],))
    CALL(f"np.{name}(a, b)", (FLOATS, FLOATS[::-1]), (GRID, OTHER), (GRID, OTHER[0]), (GRID, FLOATS))
    CALL(f"np.{name}(a, rowvar=False)", (GRID,), (OTHER,))
    CALL(f"np.{name}(a, None, False)", (GRID,))
    CALL(f"np.{name}(a, b, rowvar=False)", (GRID.T, OTHER.T))
CALL("np.cov(a, bias=True)", (GRID,), (FLOATS,))
CALL("np.cov(a, ddof=b)", (GRID, 0), (GRID, 1), (GRID, 4), (GRID, 7))
CALL("np.cov(a, b, bias=True)", (FLOATS, FLOATS**2))
CALL("np.cov(a, None, True, False, 0)", (GRID,))

# histograms
EDGES = np.array([-2.0, 0.0, 0.5, 2.25, 7.5])
CALL("np.histogram(a, b)", (FLOATS, EDGES), (HOLES, EDGES), (WHOLE, np.array([1, 3, 5, 9])), (FLOATS, EDGES[::-1]), (FLOATS, EDGES[:1]), (EMPTY, EDGES),
     (GRID, EDGES), (FLOATS, EDGES[::2]), (FLOATS, np.array([0.0, 0.0, 2.0])))
CALL("np.histogram(a, bins=b)", (FLOATS, EDGES))
CALL("np.histogram(a, b)", *[(np.linspace(-1.0, 1.0, 1001) * 0.1, n) for n in (1, 3, 7, 10, 50, 97)], (MANY, 13), (SINGLE, 6), (EMPTY, 3), (SMALL, 5))
CALL("np.histogram(a, b, (0.1, 0.7))", *[(np.arange(101) * 0.01, n) for n in (3, 6, 7, 60)], (HOLES, 3))
CALL("np.histogram(a, 4, (0, 8))", (WHOLE,))

# chosen, repeated, left out
CALL("np.take(a, b)", (FLOATS, 2), (FLOATS, -1), (FLOATS, 9), (GRID, 5), (GRID, np.array([[0, 5], [-1, 2]])), (FLOATS[::2], np.array([1, 2])))
CALL("np.take(a, b, axis=0)", (GRID, np.array([2, 0])), (GRID, np.array([3])), (CUBE, np.array([1])))
CALL("np.take(a, b, 1)", (GRID, np.array([2, 0, -1])), (GRID, 1), (CUBE, 2))
CALL("np.take(a, [1, 2])", (FLOATS,))
CALL("np.repeat(a, b)", (FLOATS, np.arange(7)), (FLOATS, np.array([2])), (FLOATS, np.array([1, 2])), (WHOLE, np.array([-1])), (GRID, np.arange(12)),
     (2.5, 3), (7, np.array([2])))
CALL("a.repeat(b)", (FLOATS, np.arange(7)))
CALL("np.repeat((1, 2), 3)", ())
CALL("np.repeat([1.5, 2.0], 3)", ())
CALL("np.delete(a, b)", (FLOATS, np.array([0, -1])), (WHOLE, np.array([3, 3])), (WHOLE, NONE), (GRID, np.array([5])), (FLOATS, np.array([7])))
CALL("np.delete(a, [1, 2])", (FLOATS,))
CALL("np.insert(a, b, 9.0)", (FLOATS, 0), (FLOATS, 7), (FLOATS, -1), (FLOATS, 8), (FLOATS, np.array([1, 1, 4])), (GRID, 3))
CALL("np.insert(a, b, c)", (FLOATS, 2, np.array([8.0, 9.0])), (FLOATS, np.array([5, 0]), np.array([8.0, 9.0])), (FLOATS, np.array([1, 2]), np.arange(3.0)))
CALL("np.resize(a, b)", (FLOATS, 10), (FLOATS, 3), (EMPTY, 2))
CALL("np.resize(a, (2, 5))", (FLOATS,))
ZEROS = np.array([0.0, 0.0, 1.0, 0.0, 2.0, 0.0])
CALL("np.trim_zeros(a)", (ZEROS,), (ZEROS[:2],), (ZEROS.astype("i4"),), (EMPTY,), (ZEROS[::-1],))
CALL("np.trim_zeros(a, 'f')", (ZEROS,))
CALL("np.trim_zeros(a, trim='b')", (ZEROS,))
CALL("np.ediff1d(a, b, c)", (FLOATS, 9.0, 8.0), (FLOATS, FLOATS[:2], FLOATS[:1]), (FLOATS[:1], 1.0, 2.0), (WHOLE, 1, 2))
CALL("np.ediff1d(a, to_begin=0.0)", (FLOATS,))
CALL("np.ediff1d(a)", (FLOATS,), (GRID,), (SMALL,), (FLOATS[:1],), (EMPTY,))

# matrices
for k in -5, -1, 0, 1, 2, 5:
    CALL(f"np.diag(a, {k})", (FLOATS[:3],), (GRID,), (GRID.T,), (GRID[:, 1:],))
    CALL(f"np.tri(4, 5, {k}), np.tri(3, k={k}), np.tri(3, M=2)", ())
    CALL(f"np.tril_indices(a, {k})", (3,))
    CALL(f"np.triu_indices(a, k={k}, m=5)", (4,))
    CALL(f"np.tril_indices_from(a, k={k})", (GRID,))
    CALL(f"np.triu_indices_from(a, {k})", (GRID,))
CALL("np.tril(a)", (FLOATS,), (WHOLE,))
CALL("np.triu(a, 1)", (FLOATS,), (GRID,))
CALL("np.diagflat(a)", (FLOATS,), (GRID,))
CALL("np.vander(a)", (FLOATS,), (WHOLE,), (SMALL,), (WAVES,), (EMPTY,))
CALL("np.vander(a, 3)", (FLOATS,))
CALL("np.vander(a, N=5, increasing=True)", (FLOATS,))
CALL("np.indices((a, 4))", (3,))
CALL("np.cross(a, b)", (CUBE[0], CUBE[1] * 2), (CUBE[0], CUBE[1, 1] * 3), (CUBE[0, 0], CUBE[1]), (CUBE[0], CUBE[1, :2]), (GRID, GRID))

# products of lines
for mode in "full", "same", "valid":
    CALL(f"np.correlate(a, b, '{mode}')", (FLOATS, FLOATS[:3]), (FLOATS, FLOATS[:2]), (FLOATS[:3], FLOATS), (FLOATS[:2], FLOATS), (WHOLE, WHOLE[:2]),
         (WAVES, WAVES[:2]), (WAVES[:2], WAVES), (FLOATS, FLOATS), (WHOLE, FLOATS[:4]), (EMPTY, FLOATS), (FLOATS[::2], FLOATS[::-3]))
CALL("np.correlate(a, b)", (FLOATS, FLOATS[:3]))

# partly sorted: the places are exact, what is beside them is in any order
CALL("np.partition(a, b)[b]", (FLOATS, 3), (FLOATS, -1), (HOLES, 2), (HOLES, 5), (WHOLE, 4), (FLOATS, 7))
CALL("np.partition(a, 0)[:1]", (SMALL,), (BYTES,), (SINGLE,))
CALL("a[np.argpartition(a, b)][b]", (FLOATS, 3), (HOLES, 4), (WHOLE, 7))
CALL("np.sort(np.partition(a, b)[:4]), np.sort(np.partition(a, b)[4:])", (FLOATS, 4), (WHOLE, 4), (MANY[::-1], 4))
CALL("np.partition(a, b)[b]", (FLOATS, np.array([1, 5])), (MANY / 3.0, np.array([2900, 17, 1500])))
CALL("np.partition(a, (1, 5))[5]", (FLOATS,))
CALL("np.partition(a, 1)[:, 1]", (GRID,))
CALL("np.partition(a, kth=1)[1]", (FLOATS,))
CALL("np.sort(np.argpartition(a, 2))", (FLOATS,), (EMPTY,))

# numbers
CALL("np.nan_to_num(a, nan=1.5)", (ENDLESS,), (ENDLESS.astype("f4"),), (np.stack((ENDLESS, ENDLESS)),))
CALL("np.nan_to_num(a, copy=True)", (ENDLESS,))
CALL("np.nan_to_num(a, True, 3.0)", (ENDLESS,))
CALL("np.nan_to_num(a, nan=1.0, posinf=2.0, neginf=3.0)", (ENDLESS,))
CALL("np.iscomplexobj(a), np.isrealobj(a)", (FLOATS,), (WAVES,), (1.5,))
CALL("np.angle(a, True)", (WAVES,), (FLOATS,))
CALL("np.angle(a, deg=False)", (WAVES,))
PHASES = np.cumsum(np.array([0.0, 3.0, 4.0, -9.0, 6.5, np.pi, -np.pi, 0.1]))
CALL("np.unwrap(a)", (PHASES,), (PHASES % (2 * np.pi),), (EMPTY,), (WHOLE,), (np.array([1.0, np.nan, 3.0, 12.0]),))
CALL("np.unwrap(a, 4.0)", (PHASES % (2 * np.pi),))
CALL("np.allclose(a, b)", (1.0, 1.0 + 1e-9), (1.0, 2.0), (FLOATS, 3.0))
CALL("np.array_equal(a, b)", (1.0, 1.0), (1, 2.0), (GRID, FLOATS), (FLOATS, 1.0))

# series and windows
CALL("np.logspace(a, b)", (0.0, 2.0))
CALL("np.logspace(a, b, 5)", (0.0, 2.0), (1.0, -1.0))
CALL("np.geomspace(a, b, 5)", (1.0, 16.0), (-1.0, -16.0), (0.0, 1.0))
CALL("np.geomspace(a, b)", (1.0, 1000.0))
for name in "bartlett", "hamming", "hanning", "blackman":
    CALL(f"np.{name}(a)", (7,), (4,), (1,), (0,))
CALL("np.kaiser(a, b)", (7, 5.0), (12, 14), (5, 0), (4, 40.5), (1, 2.0), (0, 2.0))

# along an axis
PLACES = np.array([[0, -1, 1, 2], [2, 0, -3, 0]])
CALL("np.take_along_axis(a, b, 0)", (GRID, PLACES), (GRID, PLACES[:, :1]), (GRID, PLACES[:0]), (FLOATS, WHOLE[:3] - 3), (CUBE, CUBE.astype(int) % 3),
     (GRID.T, PLACES), (GRID, PLACES + 1), (GRID, PLACES[:, :3]))
CALL("np.take_along_axis(a, b, axis=1)", (GRID, np.array([[0, 3], [-1, -4], [2, 2]])), (GRID[:1], PLACES[:, :3]), (CUBE, CUBE.astype(int)[:, :2] % 3 - 3))
CALL("np.take_along_axis(a, b, -1)", (GRID, PLACES[:1]), (CUBE, CUBE.astype(int) % 3))
CALL("np.take_along_axis(a, b, None)", (GRID, WHOLE), (FLOATS, WHOLE[:2]))


@pytest.mark.parametrize("name", CALL.cases)
def test_as_numpy(name):
    CALL.check(name)


FILLED = Batch("numpy_filled")
FILLS = {"scalar": ("float64[:, :]", "np.fill_diagonal(a, 1.5)"), "wrapped": ("float64[:, :]", "np.fill_diagonal(a, 1.5, True)"),
         "cube": ("float64[:, :, :]", "np.fill_diagonal(a, 2.0, wrap=False)"), "line": ("float64[:, :]", "np.fill_diagonal(a, a[0].copy())"),
         "pair": ("float64[:, :]", "np.fill_diagonal(a, (1.0, 2.0))")}
for name, (kind, text) in FILLS.items():
    FILLED.add(f'@njit("({kind},)")\ndef {name}(a):\n    {text}')


@pytest.mark.parametrize("name", FILLS)
def test_fill_diagonal(name):
    for shape in [(3, 3, 3)] if name == "cube" else [(3, 4), (4, 4), (7, 3), (1, 2)]:
        ours, theirs = np.arange(np.prod(shape) * 1.0).reshape(shape), np.arange(np.prod(shape) * 1.0).reshape(shape)
        getattr(FILLED, name)(ours)
        getattr(FILLED.plain, name)(theirs)
        np.testing.assert_array_equal(ours, theirs)
