"""Functions of NumPy along an axis, on axes, and arrays put together and taken apart, beside NumPy."""
import numpy as np
import pytest
from library_calls import Calls

CALL = Calls("numpy_axes")
LINE = np.array([3.0, -1.5, 2.25, 0.0, 7.5, -1.5, 2.25])
GRID = np.arange(12.0).reshape(3, 4) % 5
WHOLE = (np.arange(12).reshape(3, 4) * 7 % 5).astype(np.int32)
HOLES = np.array([[1.0, np.nan, 3.0], [4.0, 2.0, np.nan]])
CUBE = (np.arange(24.0).reshape(2, 3, 4) * 7) % 11
TRUTHS = GRID > 2
WAVES = GRID + 1j * GRID[::-1]
VIEWS = [(GRID,), (GRID.T,), (GRID[::-1, ::2],), (WHOLE,), (HOLES,), (CUBE,), (CUBE[:, ::-1],), (GRID.astype(np.float32),)]

for name in "argmax", "argmin", "count_nonzero", "cumsum", "cumprod":
    for axis in 0, 1, -1:
        CALL(f"np.{name}(a, axis={axis})", *VIEWS)
    CALL(f"np.{name}(a, b)", (GRID, 0), (CUBE, 2), (CUBE, -3), (LINE, 0))
    CALL(f"np.{name}(a, axis=None)", (GRID,))
for name in "argmax", "argmin", "cumsum":
    CALL(f"a.{name}(axis=1)", (GRID,), (CUBE,))
    CALL(f"a.{name}(0)", (GRID,), (LINE,))
CALL("np.argmax(a, axis=1)", (GRID[:, :0],), (TRUTHS,))
CALL("np.cumsum(a, axis=1)", (TRUTHS,), (WAVES,), (GRID[:0],))
CALL("np.count_nonzero(a, axis=1)", (TRUTHS,), (WAVES,))
CALL("np.sort(a)", (GRID,), (GRID.T,), (CUBE,), (HOLES,), (WHOLE,), (LINE[::2],), (LINE[:0],))
CALL("np.shape(a), np.size(a), np.ndim(a)", (GRID,), (LINE,))

for axis in 0, 1, -1, -2:
    CALL(f"np.concatenate((a, b), axis={axis})", (GRID, GRID), (CUBE, CUBE), (WHOLE, GRID), (GRID.T, GRID[:, :3].T.copy().T))
    CALL(f"np.stack((a, b), axis={axis})", (GRID, WHOLE), (LINE, LINE + 1), (GRID.T, GRID.T))
    CALL(f"np.append(a, b, axis={axis})", (GRID, GRID + 1))
CALL("np.concatenate((a, b), 1)", (GRID, GRID[:, :1]), (GRID, GRID[:2]), (GRID[:, :0], GRID))
CALL("np.concatenate((a, b, c), 2)", (CUBE, CUBE[..., :1], CUBE[..., :2]))
CALL("np.concatenate((a, b), -1)", (LINE, LINE))
CALL("np.stack((a, b), 2)", (GRID, GRID))
CALL("np.stack((a, b), 1)", (LINE, LINE[:3]))
CALL("np.append(a, b, 0)", (GRID, GRID[:1]))
CALL("np.dstack((a, b))", (LINE, LINE), (GRID, GRID), (CUBE, CUBE), (GRID, WHOLE))

CALL("np.transpose(a)", (LINE,), (GRID,), (CUBE,))
CALL("np.transpose(a, (1, 0))", (GRID,), (WHOLE,))
CALL("np.transpose(a, axes=(0, 1))", (GRID,))
for axes in (0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0), (0, -1, 1):
    CALL(f"np.transpose(a, {axes})", (CUBE,), (CUBE[::-1, :, ::2],))
    CALL(f"a.transpose({axes})", (CUBE,))
CALL("a.transpose(2, 0, 1)", (CUBE,))
CALL("a.transpose(1, 0)", (GRID,))
CALL("np.transpose(a, (0, 0))", (GRID,))
CALL("np.swapaxes(a, b, c)", (CUBE, 0, 2), (CUBE, -1, 1), (CUBE, 1, 1), (GRID, 0, 1), (LINE, 0, 0))
CALL("a.swapaxes(0, 1)", (GRID,), (CUBE,))
CALL("np.moveaxis(a, b, c)", (CUBE, 0, 2), (CUBE, 2, 0), (CUBE, -1, 1), (GRID, 0, 0))
CALL("np.rot90(a)", (GRID,), (CUBE,))
CALL("np.rot90(a, b)", *[(GRID, k) for k in range(-2, 5)])
CALL("np.rot90(a, k=3)", (GRID[:, ::2],))
for axis in 0, 1, -1:
    CALL(f"np.expand_dims(a, {axis})", (LINE,), (GRID,), (CUBE,))
CALL("np.expand_dims(a, axis=b)", (LINE, 1), (GRID, 2))
CALL("np.atleast_1d(a)", (LINE,), (GRID,), (2.5,))
CALL("np.atleast_2d(a)", (LINE,), (GRID,), (3,))
CALL("np.atleast_3d(a)", (LINE,), (GRID,), (CUBE,))
CALL("np.asfortranarray(a)", (GRID,), (LINE,))
CALL("np.broadcast_to(a, (3, 7))", (LINE,), (LINE[:1],), (2.5,), (LINE[:3],))
CALL("np.broadcast_to(a, (b, 3, 4))", (GRID, 2))
CALL("np.broadcast_to(a, 5)", (2.5,), (LINE[:1],))
CALL("np.broadcast_to(a, b.shape)", (LINE[:4], GRID))

CALL("np.array_split(a, 3)", (LINE,), (GRID,), (LINE[:2],))
CALL("np.array_split(a, b)", (LINE, 4), (LINE, 0))
CALL("np.array_split(a, np.array([1, 4]))", (LINE,))
CALL("np.array_split(a, 2, axis=1)", (GRID,), (CUBE,))
CALL("np.split(a, 7)[2]", (LINE,))
CALL("np.split(a, 3)", (GRID,), (LINE,))
CALL("np.vsplit(a, 3)", (GRID,))
CALL("np.hsplit(a, 2)", (GRID,), (LINE[:6],))
CALL("np.dsplit(a, 2)", (CUBE,))

CALL.made.add("""
@njit("(float64[:, :, ::1],)")
def writes(a):
    np.swapaxes(a, 0, 2)[1, 0, 0] = 100.0
    np.transpose(a, (1, 2, 0))[2, 3, 1] = 200.0
    np.moveaxis(a, 0, 2)[0, 0, 1] = 300.0
    np.expand_dims(a[0, 0], 1)[0, 0] = 400.0

@njit("(float64[:, ::1], int64)")
def out_of_bounds(a, axis):
    return np.swapaxes(a, 0, axis)
""")


@pytest.mark.parametrize("name", CALL.cases)
def test_as_numpy(name):
    CALL.check(name)


def test_axes_are_views():
    ours, theirs = CUBE.copy(), CUBE.copy()
    CALL.made.writes(ours)
    CALL.made.plain.writes(theirs)
    np.testing.assert_array_equal(ours, theirs)
    assert (ours >= 100).sum() == 4


@pytest.mark.parametrize("axis", [2, -3])
def test_axes_are_checked(axis):
    with pytest.raises(ValueError, match="np.swapaxes: Argument axis2 out of bounds"):
        CALL.made.out_of_bounds(GRID, axis)
