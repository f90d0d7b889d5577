"""Forms of NumPy's functions that few programs call, beside NumPy."""
import numpy as np
import pytest
from conftest import Batch
from library_calls import Calls

CALL = Calls("numpy_rest")
FLOATS = np.array([3.0, -1.5, 2.25, 0.0, 7.5, -1.5, 2.25])
HOLES = np.array([np.nan, 3.0, 2.25, np.nan, 7.5, 7.5, -1.5, -1.5])
SMALL = np.array([5, 3, 9, 1, 9, 1, 2], dtype=np.int32)
GRID = np.arange(12.0).reshape(3, 4) % 5
WAVES = np.array([1 + 2j, -1j, 3 + 0j, 2 - 2j])

for name in "nanargmax", "nanargmin":
    CALL(f"np.{name}(a)", (HOLES,), (FLOATS,), (SMALL,), (GRID,), (HOLES[:1],), (HOLES[::-1],))
CALL("np.select((a > 1.0, a < 0.0), (a, a * 2.0), 9.0)", (FLOATS,), (GRID,))
CALL("np.select((a > 1.0, a > 2.0), (a, a * 2.0))", (FLOATS,))
CALL("np.select([a > 1.0, a < 0.0], [a, a * 2.0], 9.0)", (FLOATS,), (GRID,), (FLOATS[::-2],), (GRID[:0],))
CALL("np.select([a > 1.0, a > 2.0, a == 0], [a, a * 2.0, a - 1.0])", (FLOATS,), (GRID.T,))
CALL("np.sort(np.roots(a))", (np.array([1.0, -6.0, 11.0, -6.0]),), (np.array([0.0, 2.0, -4.0, 0.0]),), (np.zeros(3),), (np.array([5.0]),))
for k in -2, 0, 1, 4:
    CALL(f"np.trace(a, {k})", (GRID,), (GRID.T,), (GRID.astype("i4"),))
CALL("a.trace()", (GRID,))
for k in -4, -1, 0, 2, 5:
    CALL(f"np.eye(3, k={k}), np.eye(3, M=4, k={k}), np.eye(4, 3, k={k})", ())
CALL("np.delete(a, slice(1, 3))", (FLOATS,), (SMALL,), (GRID,))
CALL("np.delete(a, slice(None, None, 2))", (FLOATS,), (FLOATS[:0],))
CALL("np.delete(a, (1, -1))", (FLOATS,))
CALL("np.take(a, (1, -1))", (FLOATS,), (GRID,))
CALL("np.broadcast_arrays(a, b)", (FLOATS[:4], GRID), (GRID[:, :1], FLOATS), (FLOATS, FLOATS[:1]), (FLOATS, GRID))
CALL("np.broadcast_arrays(a, b, c)", (FLOATS[:4], GRID, GRID[:1]))
CALL("np.broadcast_shapes((1, 3), (4, 1)), np.broadcast_shapes((5,), (2, 1, 5), (4, 1))", ())
CALL("np.isscalar(a)", (1.5,), (3,), (FLOATS,))
CALL("a.item()", (FLOATS[:1],), (FLOATS,))
CALL("a.conj(), a.conjugate()", (WAVES,), (FLOATS,), (WAVES[::-2],))
CALL("a.round(1)", (FLOATS,))
CALL("np.vstack((a, b))", (FLOATS, FLOATS), (GRID, GRID[:1]))
CALL("np.column_stack((a, b))", (FLOATS, SMALL), (FLOATS[::-1], FLOATS), (FLOATS, FLOATS[:2]))
CALL("np.histogram(a, 7)", (np.linspace(0.0, 7.0, 701),), (SMALL,), (FLOATS.astype("f4"),), (GRID.T,), (HOLES,), (HOLES[1:],), (HOLES[4:],), (np.array([1.0, np.inf]),))
CALL("np.histogram(a, 10, (1000000.0, 1000001.0))", (1e6 + np.arange(1001) * 0.001,))


@pytest.mark.parametrize("name", CALL.cases)
def test_as_numpy(name):
    CALL.check(name)


CHOSEN = Batch("numpy_chosen")
CHOSEN.add('''
@njit("float64[:](float64[:], int64)")
def listed(x, n):
    conditions, choices = [x < 0.3], [x]
    for k in range(1, n):
        conditions.append(x < 0.3 + 0.1 * k)
        choices.append(x * k)
    return np.select(conditions, choices, 7.0)


@njit("float64[:](float64[:], int64)")
def mixed(x, n):
    conditions = [x < 0.3]
    for k in range(1, n):
        conditions.append(x < 0.6)
    return np.select(conditions, (x, x * 2), 7.0)
''')


def test_lists_of_conditions():
    x = np.linspace(0, 1, 50)
    for n in (1, 2, 5):
        np.testing.assert_array_equal(CHOSEN.listed(x, n), CHOSEN.plain.listed(x, n))
    np.testing.assert_array_equal(CHOSEN.mixed(x[::-1], 2), CHOSEN.plain.mixed(x[::-1], 2))
    for n in (1, 3):
        with pytest.raises(ValueError, match="list of cases must be same length"):
            CHOSEN.mixed(x, n)
