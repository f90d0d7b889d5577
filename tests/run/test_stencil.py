"""`@stencil` against the same source in plain Python, where samples/support/plain.py calls the function of every point
that has its neighbours: every option, arrays of every layout and of sizes too small for a neighbour."""
import json

import numpy as np
import pytest
from conftest import Batch, run_pyk2cu

built = Batch("stencil")
built.add('''
from numba import stencil

R, W = 2, 0.25


@stencil
def cross(a):
    return W * (a[0, 1] + a[1, 0] + a[0, -1] + a[-1, 0])


@stencil(neighborhood=((-29, 0),))
def average(a):
    s = 0.0
    for i in range(-29, 1):
        s += a[i]
    return s / 30


@stencil(standard_indexing=("b",), cval=np.nan)
def weighted(a, b):
    return a[-1] * b[0] + a[0] * b[1] + a[1] * b[2]


@numba.stencil('constant', cval=-1)
def chosen(a, b, scale):
    x, y = a[0, 1], b[0, -2]
    if a[0, 0] > b[-1, 1]:
        return scale * x
    return y - scale


@stencil(neighborhood=((-1, 1), (-1, 1)))
def most(a):
    s = 0.0
    for i in range(-1, 2):
        for j in range(-1, 2):
            s = max(s, a[i, j])
    return s


@stencil
def life(g):
    n = g[-1, -1] + g[-1, 0] + g[-1, 1] + g[0, -1] + g[0, 1] + g[1, -1] + g[1, 0] + g[1, 1]
    centre = g[0, 0]
    return np.uint8(1) if n == 3 or (n == 2 and centre == 1) else np.uint8(0)


@stencil(neighborhood=((-2, 2),))
def summed(a):
    return np.sum(a[-2:3])


def apart(a):
    return a[-R] + a[R]


far = stencil(apart, cval=7)
near = numba.stencil(lambda a: a[1] - a[-1])


@stencil
def ahead(a):
    return a[1] + a[2]


@stencil
def behind(a):
    return a[-3] - a[-1]


@stencil
def heat(u):
    return np.float32(u[0, 0, 0] + np.float32(0.1) * (u[1, 0, 0] + u[-1, 0, 0] + u[0, 1, 0] + u[0, -2, 0] + u[0, 0, 3]))


@stencil
def turned(a):
    return a[0] * (1 + 2j)


@stencil
def failing(a, most):
    if a[0] > most:
        raise ValueError("too much")
    return a[0] + a[1]


@stencil
def doubled(a):
    i = a[0]
    j = i + a[1]
    return 2 * j


@njit("float64[:,:](float64[:,:])")
def run_cross(a):
    return cross(a)


@njit("float64[:,:](float32[:,:])")
def run_cross_32(a):
    return cross(a)


@njit("float64[:,:](float64[:,:], int64)", parallel=True)
def run_often(a, n):
    for _ in range(n):
        a = cross(a) + 1.0
    return a


@njit("float64[:,:](float64[:,:], int64)")
def run_swapped(a, n):
    b = a.copy()
    for _ in range(n):
        cross(a, out=b)
        a, b = b, a
    return a


@njit("float64[:,:](float64[:,:])")
def run_in_place(a):
    cross(a, out=a)
    return a


@njit("float64[:](float64[:])")
def run_average(a):
    return average(a)


@njit("float64[:](float64[:], float64[:])")
def run_weighted(a, b):
    return weighted(a, b)


@njit("float64[:](float64[:], float64[:], float32[:])")
def run_weighted_into(a, b, out):
    weighted(a, b, out=out)
    return out + 0.0


@njit("float64[:,:](float64[:,:], float64[:,:], float64)")
def run_chosen(a, b, scale):
    return chosen(a, b, scale)


@njit("float64[:,:](float64[:,:])")
def run_most(a):
    return most(a)


@njit("uint8[:,:](uint8[:,:])")
def run_life(g):
    return life(g)


@njit("float64[:](float64[:])")
def run_summed(a):
    return summed(a)


@njit("float64[:](float64[:])")
def run_far(a):
    return far(a) + near(a) * 2


@njit("int64[:](int64[:])")
def run_ahead(a):
    return ahead(a)


@njit("int32[:](int32[:], int32[:])")
def run_ahead_into(a, out):
    return ahead(a, out=out)


@njit("float64[:](float64[:])")
def run_behind(a):
    return behind(a)


@njit("float32[:,:,:](float32[:,:,:])")
def run_heat(u):
    return heat(u)


@njit("complex128[:](float64[:])")
def run_turned(a):
    return turned(a)


@njit("float64[:](float64[:], float64)")
def run_failing(a, most):
    return failing(a, most)


@njit("float64[:](float64[:])")
def run_doubled(a):
    return doubled(doubled(a))
''')

rng = np.random.default_rng(7)


def matrices(*more):
    return [(rng.random(shape), *more) for shape in ((7, 9), (1, 1), (0, 3), (3, 0), (2, 2), (3, 3), (2, 40), (50, 3))] + [
        (np.asfortranarray(rng.random((5, 6))), *more), (rng.random((11, 20))[::-2, ::3], *more)]


def rows(*more):
    return [(rng.random(n), *more) for n in (0, 1, 2, 3, 4, 5, 29, 30, 31, 64, 100)] + [(rng.random(80)[::-2], *more)]


CALLS = {
    "run_cross": matrices(), "run_often": matrices(3), "run_swapped": matrices(3), "run_in_place": matrices(),
    "run_most": matrices(), "run_average": rows(), "run_summed": rows(), "run_far": rows(), "run_behind": rows(),
    "run_weighted": rows(rng.random(3)), "run_turned": rows(), "run_doubled": rows(),
    "run_cross_32": [(a.astype(np.float32),) for a, in matrices()],
    "run_life": [((a > 0.6).astype(np.uint8),) for a, in matrices()],
    "run_chosen": [(a, rng.random((a.shape[0] + k, a.shape[1])), 0.5) for a, in matrices() for k in (0, 2)],
    "run_ahead": [((a * 100).astype(np.int64),) for a, in rows()],
    "run_ahead_into": [((a * 100).astype(np.int32), np.full(len(a) + k, 5, np.int32)) for a, in rows() for k in (0, 3)],
    "run_weighted_into": [(a, rng.random(3), np.ones(len(a), np.float32)) for a, in rows()],
    "run_heat": [(rng.random(shape).astype(np.float32),) for shape in ((4, 5, 6), (1, 2, 3), (3, 3, 3), (5, 4, 30))],
}


@pytest.mark.parametrize("name", CALLS)
def test_like_python(name):
    for args in CALLS[name]:
        one, other = ([a.copy("K") if isinstance(a, np.ndarray) else a for a in args] for _ in range(2))
        expected, got = getattr(built.plain, name)(*one), getattr(built.module, name)(*other)
        np.testing.assert_array_equal(got, expected, err_msg=str([getattr(a, "shape", a) for a in args]))
        for a, b in zip(one, other):
            np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("name", ["cross", "most"])
def test_called_from_python(name):
    """The stencil itself is a function of the module, with `out=`."""
    a = rng.random((6, 8))
    expected = getattr(built.plain, name)(a)
    np.testing.assert_array_equal(getattr(built.module, name)(a), expected)
    ones, others = np.ones((6, 8)), np.ones((6, 8))
    assert getattr(built.module, name)(a, out=ones) is ones
    np.testing.assert_array_equal(ones, getattr(built.plain, name)(a, out=others))
    assert (ones[0] == 1).all()


def test_what_is_raised():
    with pytest.raises(ValueError, match="too much"):
        built.module.run_failing(np.array([1.0, 2.0, 9.0, 1.0]), 3.0)
    assert built.module.run_failing(np.array([1.0, 2.0, 9.0]), 3.0).tolist() == [3.0, 11.0, 0.0]
    with pytest.raises(ValueError, match="Secondary stencil array"):
        built.module.run_chosen(np.ones((4, 4)), np.ones((4, 3)), 1.0)
    with pytest.raises(ValueError, match="`out`"):
        built.module.run_ahead_into(np.ones(4, np.int32), np.ones(3, np.int32))


def test_types_of_its_own():
    """A stencil that nothing else calls has types like any function."""
    alone = Batch("alone_stencil")
    alone.add('''
        # pyk2cu: sig float64[:](float64[:])
        @numba.stencil
        def slope(a):
            return a[1] - a[-1]
    ''')
    module = alone.module
    a = rng.random(9)
    expected = np.concatenate([[0.0], a[2:] - a[:-2], [0.0]])
    np.testing.assert_array_equal(module.slope(a), expected)
    out = np.full(9, 3.0)
    module.slope(a, out=out)
    assert out[0] == 3 and (out[1:-1] == expected[1:-1]).all()


def test_proposed_types(tmp_path):
    (tmp_path / "alone.py").write_text("from numba import stencil\n\n\n@stencil\ndef slope(a):\n    return a[0, 1] - a[1, 0]\n")
    done = run_pyk2cu("check", "alone.py", "--format=json", cwd=tmp_path)
    [row] = json.loads(done.stdout)["functions"]
    assert row["proposal"] == "slope(float64[:,:])" and row["compiles"]
