"""Arrays as subscripts among integers and slices, a[:, indices] and a[i, mask]: beside NumPy, which runs the same text."""
import numpy as np
import pytest
from conftest import Batch, outcome_of, run_pyk2cu

built = Batch("picked")
checked = Batch("picked_checked", options=["--boundscheck"])
SOURCE = '''
@njit("float64[:,:](float64[:,:], int64[:])")
def rows2(x, idx):
    return x[idx, :]

@njit("float64[:,:](float64[:,:], int32[:])")
def cols(x, idx):
    return x[:, idx]

@njit("float64[:](float64[:,:], int64[:])")
def one(x, idx):
    return x[1, idx]

@njit("float64[:](float64[:,:], int64[:])")
def one2(x, idx):
    return x[idx, 1]

@njit("float64[:](float64[:,:], int64[:])")
def one3(x, idx):
    return x[idx, -1]

@njit("float64[:,:](float64[:,:], int64[:])")
def sl(x, idx):
    return x[1:3, idx]

@njit("float64[:,:](float64[:,:], int64[:])")
def sl2(x, idx):
    return x[idx, ::-2]

@njit("float64[:,:](float64[:,:,:], int64[:])")
def three(x, idx):
    return x[:, 1, idx]

@njit("float64[:,:,:](float64[:,:,:], int64[:])")
def three2(x, idx):
    return x[:, idx]

@njit("float64[:,:,:](float64[:,:,:], int64[:])")
def three3(x, idx):
    return x[:, ::2, idx]

@njit("float64[:,:](float64[:,:,:], int64[:])")
def three4(x, idx):
    return x[2, idx, 1:]

@njit("float64[:,:](float64[:,:,:], int64[:])")
def three5(x, idx):
    return x[:, idx, 1]

@njit("float64[:,:](float64[:,:], boolean[:])")
def mcols(x, m):
    return x[:, m]

@njit("float64[:,:](float64[:,:], boolean[:])")
def mrows2(x, m):
    return x[m, :]

@njit("float64[:](float64[:,:], boolean[:])")
def mone2(x, m):
    return x[m, 2]

@njit("float64[:](float64[:,:], boolean[:])")
def mone3(x, m):
    return x[2, m]

@njit("float64[:,:](float64[:,:], int64[:], float64)")
def setrows2(x, idx, v):
    x[idx, :] = v
    return x

@njit("float64[:,:](float64[:,:], int64[:], float64[:])")
def setcols(x, idx, v):
    x[:, idx] = v
    return x

@njit("float64[:,:](float64[:,:], int64[:], float64[:,:])")
def setcols2(x, idx, v):
    x[:, idx] = v
    return x

@njit("float64[:,:](float64[:,:], int64[:], float64[:])")
def setone(x, idx, v):
    x[0, idx] = v
    return x

@njit("float64[:,:](float64[:,:], int64[:], float64[:])")
def setone2(x, idx, v):
    x[idx, 0] = v
    return x

@njit("float64[:,:](float64[:,:], int64[:], float64)")
def addcols(x, idx, v):
    x[:, idx] += v
    return x

@njit("float64[:,:](float64[:,:], boolean[:], float64)")
def mset(x, m, v):
    x[:, m] *= v
    return x

@njit("float64[:](float64[:], int64[:])")
def wh(x, p):
    return x[np.where(p == 1)]

@njit("float64[:](float64[:], int64[:])")
def whs(x, p):
    x[np.where(p == 1)] *= 2.0
    return x

@njit("float64[:](float64[:], int64[:])")
def nz(x, p):
    return x[np.nonzero(p)]

@njit("float64[:,:](float64[:,:], int64[:])")
def selfset(x, idx):
    x[:, idx] = x[:, ::-1][:, idx]
    return x

@njit("float64[:,:](float64[:,:], int64[:])")
def expr(x, idx):
    return x[:, idx + 0] * 2

@njit("float64(float64[:,:], int64[:])")
def tot(x, idx):
    return np.sum(x[0, idx])

@njit("float64[:,:](float64[:,:], int64[:])")
def of_itself(x, idx):
    x[:, idx] = x[:, :idx.size]
    return x

@njit("float64[:,:](float64[:,:], int64[:])")
def rows_of_itself(x, idx):
    x[idx] = x[:idx.size]
    x[idx, 0] = x[:idx.size, 0]
    x[idx, :] = x[0]
    return x

@njit("float64[:](float64[:], int64[:])")
def whole(x, idx):
    x[idx] = x
    return x

@njit("float64[:](float64[:], boolean[:])")
def masked(x, m):
    x[m] = x[::-1][m]
    return x
'''
built.add(SOURCE)
checked.add(SOURCE)


def cases():
    rng = np.random.default_rng(0)
    x, z = rng.random((4, 5)), rng.random((3, 4, 5))
    for indices in np.array([0, 2, 1]), np.array([-1, 0, 3, 3]), np.zeros(0, "i8"):
        n = len(indices)
        for name in "rows2", "one", "one2", "one3", "sl", "sl2", "expr", "tot":
            yield name, (x, indices)
            yield name, (x[::-1, ::-1], indices[::-1])
        for a in x, x.T, np.asfortranarray(x):
            yield "cols", (a, indices.astype("i4"))
        for name in "three", "three2", "three3", "three4", "three5":
            yield name, (z, indices)
        for name in "setrows2", "addcols":
            yield name, (x, indices, 2.5)
        yield "setcols", (x, indices, rng.random(n))
        yield "setcols2", (x, indices, rng.random((4, n)))
        yield "setone", (x, indices, rng.random(n))
        yield "setone2", (x, indices, rng.random(n))
        yield "selfset", (x, indices)
    yield "setcols", (x, np.array([0, 1]), rng.random(3))
    yield "setcols2", (x, np.array([0, 1]), rng.random((3, 2)))
    turned = np.array([3, 2, 1, 0])
    for name in "of_itself", "rows_of_itself":
        yield name, (x, turned)
        yield name, (x, turned[:2])
    yield "whole", (x[0], np.array([4, 3, 2, 1, 0]))
    yield "masked", (x[0], np.array([True, False, True, True, True]))
    for v in np.ones((1, 1)), np.ones((4, 1)), np.array([[1.0, 2.0]]):
        yield "setcols2", (x, np.array([0, 3]), v)
    for name in "setcols", "setone", "setone2":
        yield name, (x, np.array([0, 3]), np.ones(1))
    for mask in x[0] > 0.5, x[0] > 2, x[0] > -1:
        yield "mcols", (x, mask)
        yield "mset", (x, mask, 3.0)
        yield "mone3", (x, mask)
    for mask in x[:, 0] > 0.5, x[:, 0] > 2:
        yield "mrows2", (x, mask)
        yield "mone2", (x, mask)
    yield "mcols", (x, np.ones(3, bool))
    for p in np.array([1, 0, 1, 1, 0]), np.zeros(5, "i8"):
        for name in "wh", "whs", "nz":
            yield name, (x[0], p)


CASES = list(cases())


@pytest.mark.parametrize("k", range(len(CASES)))
def test_as_numpy(k):
    name, args = CASES[k]
    wanted = outcome_of(getattr(built.plain, name), args)
    for module in built, checked:
        found = outcome_of(getattr(module, name), args)
        if isinstance(wanted, Exception):
            assert type(found) is type(wanted)
        else:
            assert np.shape(found) == np.shape(wanted)
            np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize("subscript", ["i, :, idx", "idx, :, i", "idx, idx", "idx, None", "..., idx", "rows, 0"])
def test_what_is_not_understood_is_refused(tmp_path, subscript):
    """Where a slice parts an integer from the array, NumPy moves the axis to the front, and Numba does not."""
    (tmp_path / "k.py").write_text("from numba import njit\n\n@njit('void(float64[:, :, :], int64[:], int64[:, :], int64)')\n"
                                   f"def f(x, idx, rows, i):\n    x[{subscript}] = 1.0\n")
    done = run_pyk2cu("k.py", "-o", "out", cwd=tmp_path)
    assert done.returncode == 1 and "PK5002" in done.stderr


def test_floats_are_no_indices(tmp_path):
    (tmp_path / "k.py").write_text("from numba import njit\n\n@njit('float64[:, :](float64[:, :], float32[:])')\ndef f(x, idx):\n    return x[:, idx]\n")
    done = run_pyk2cu("k.py", "-o", "out", cwd=tmp_path)
    assert done.returncode == 1 and "k.py:5:17: error[PK3028]: `float32[:]` is not an index" in done.stderr
    assert "indices are integers, masks are bools" in done.stderr


def test_all_of_the_other_axes_is_the_array_itself(tmp_path):
    """x[:, idx] and x[idx, :] of a contiguous array make no view of it, which would have lost that."""
    (tmp_path / "k.py").write_text("from numba import njit\n\n@njit('float64[:, ::1](float64[:, ::1], int64[::1])')\n"
                                   "def f(x, idx):\n    return x[:, idx] + x[idx, :].T\n")
    assert run_pyk2cu("k.py", "-o", "out", cwd=tmp_path).returncode == 0
    emitted = "".join(path.read_text() for path in (tmp_path / "out").glob("k*.h")) + (tmp_path / "out/k.cpp").read_text()
    assert "pyk::wrap(idx(" in emitted and "view<pyk::A>(x" not in emitted
