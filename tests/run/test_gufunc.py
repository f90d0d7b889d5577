"""@guvectorize gives generalized ufuncs: NumPy's whole grammar of layouts, beside Numba where it knows it."""
import pathlib
import random

import numpy as np
import pytest
from conftest import Batch, build, load_module

numba = pytest.importorskip("numba", reason="Numba is the oracle of these tests")
FOLDER = pathlib.Path(__file__).parent / "kernels"
CASES = {"inner": ["n", "n"], "matmul": ["mn", "np"], "shifted": ["n", ""], "extremes": ["n"], "running": ["n"],
         "clipped": ["n", ""], "guarded": ["n"]}


@pytest.fixture(scope="module")
def ours():
    return load_module(next(build((FOLDER / "ufuncs.py").read_text(), "ufuncs").glob("ufuncs.*.so")))


@pytest.fixture(scope="module")
def theirs():
    return load_module(FOLDER / "ufuncs.py", "numba_gufuncs")


@pytest.fixture(scope="module")
def more():
    source = (FOLDER / "numpy_ufuncs.py").read_text()
    return load_module(next(build(source, "numpy_ufuncs").glob("numpy_ufuncs.*.so")))


kept = Batch("kept")
kept.add('''
from numba import guvectorize

@guvectorize(["(float64[:], float64[:])"], "(n)->()")
def add_up(x, out):
    for i in range(len(x)):
        out[0] += x[i]

@guvectorize(["(float64[:], float64[:])"], "(n)->(n)")
def evens(x, out):
    for i in range(0, len(x), 2):
        out[i] = -x[i]
''')


def arguments(seed, cores):
    choose, numbers = random.Random(seed), np.random.default_rng(seed)
    sizes = {c: choose.choice([1, 2, 3, 4, 7]) for c in "mnp"}
    outer = choose.choice([(), (3,), (2, 3), (0,), (1,), (2, 40)])
    args = []
    for core in cores:
        shape = choose.choice([outer, outer, outer[-1:], (1,) * len(outer), ()]) + tuple(sizes[c] for c in core)
        if choose.random() < 0.05 and shape:
            shape = shape[:-1] + (shape[-1] + 1,)  # does not match
        a = numbers.integers(-5, 14, shape).astype(choose.choice(["f8", "f8", "i8", "i4", "f4", "c16", ">f8"]))
        how = choose.choice(["C", "C", "T", "step", "reverse", "fixed"])
        if how == "T":
            a = np.ascontiguousarray(a.T).T
        if how == "step" and a.ndim:
            a = np.repeat(a, 2, axis=-1)[..., ::2]
        if how == "reverse" and a.ndim:
            a = np.ascontiguousarray(a[..., ::-1])[..., ::-1]
        if how == "fixed" and a.ndim > len(core):
            a = np.broadcast_to(a[:1], a.shape)
        args.append(a)
    keywords = {}
    if choose.random() < 0.2:
        keywords["axes"] = choose.choice(["bad", [(-1,)] * (len(cores) + 1)])
    return args, keywords


def outcome(ufunc, args, keywords):
    try:
        return None, ufunc(*args, **keywords)
    except Exception as e:
        return type(e).__name__, str(e)


@pytest.mark.parametrize("name", CASES)
def test_generated_calls(ours, theirs, name):
    mine = getattr(ours, name)
    oracle = getattr(theirs, name)
    oracle = getattr(oracle, "ufunc", oracle)
    fine = 0
    for seed in range(200):
        args, keywords = arguments(seed, CASES[name])
        got, expected = outcome(mine, args, keywords), outcome(oracle, args, keywords)
        assert got[0] == expected[0], (seed, args, got, expected)
        if expected[0]:
            assert got[1] == expected[1]
            continue
        fine += 1
        for a, b in zip(*[r if isinstance(r, tuple) else (r,) for r in (got[1], expected[1])]):
            assert a.dtype == b.dtype and np.array_equal(a, b), (seed, args, a, b)
    assert fine > 20


def test_it_is_numpys_object(ours):
    assert isinstance(ours.inner, np.ufunc) and ours.inner.signature == "(n),(n)->()"
    assert ours.inner.types == ["dd->d", "DD->D"] and "Sum of products." in ours.inner.__doc__
    assert ours.shifted.signature == "(n),()->(n)" and ours.extremes.nout == 2


def test_out_and_axes(ours):
    a = np.random.default_rng(0).random((4, 3, 5))
    out = np.zeros((4, 3))
    assert ours.inner(a, a, out=out) is out and np.allclose(out, (a * a).sum(-1))
    assert np.allclose(ours.inner(a, a, axes=[1, 1, ()]), (a * a).sum(1))
    assert np.allclose(ours.running(a, axis=0), np.cumsum(a, 0))
    assert ours.inner(a, a, keepdims=True).shape == (4, 3, 1)
    low, high = np.zeros((4, 3)), np.zeros((4, 3))
    ours.extremes(a, out=(low, high))
    assert np.array_equal(low, a.min(-1)) and np.array_equal(high, a.max(-1))


def test_operands_that_overlap_are_copied(ours):
    a = np.arange(12.0).reshape(3, 4)
    expected = np.cumsum(a[:, ::-1], 1)
    assert np.array_equal(ours.running(a[:, ::-1], out=a), expected)


@pytest.mark.parametrize("kind", ["f8", "f4", ">f8", "unaligned", "strided"])
def test_outputs_keep_what_was_there(kind):
    """Where NumPy has to copy `out`, too: the loop may read it, and need not write it all over."""
    def out(shape):
        if kind == "unaligned":
            made = np.zeros(8 * int(np.prod(shape)) + 1, "u1")[1:].view("f8").reshape(shape)
        elif kind == "strided":
            made = np.zeros((*shape, 3))[..., 1]
        else:
            made = np.zeros(shape, kind)
        made[...] = 100
        return made

    x = np.arange(1.0, 13).reshape(3, 4)
    np.testing.assert_array_equal(kept.add_up(x, out((3,))), 100 + x.sum(1))
    np.testing.assert_array_equal(kept.evens(x, out((3, 4))), np.where([True, False] * 2, -x, 100))
    a = x.copy()
    np.testing.assert_array_equal(kept.evens(a, a[::-1]), np.where([True, False] * 2, -x, x[::-1]))


bare = Batch("bare")
bare.add('''
from numba import guvectorize

@guvectorize(["(float64[:], int64[:], float64[:])"], "(a),(a),(z)", writable_args=(2,))
def group_sums(values, labels, out):
    for i in range(len(values)):
        out[labels[i]] += values[i]

@guvectorize(["(float64[:], float64[:])"], "(n),(n)")
def adds_to(x, out):
    for i in range(len(x)):
        out[i] += x[i]

@guvectorize(["(float64[:], float64[:])"], "(n),()")
def recurs(x, out):
    for i in range(len(x)):
        out[0] = out[0] * 0.5 + x[i]

@guvectorize(["(float64[:],)"], "(n)", writable_args=("x",))
def negates(x):
    for i in range(len(x)):
        x[i] = -x[i]
''')


@pytest.fixture(scope="module")
def bare_numba():
    return load_module(bare.directory / "source" / "bare.py", "numba_bare")


BARE = {"group_sums": lambda rows: (np.arange(rows * 4.0).reshape(rows, 4), np.array([0, 2, 2, 1]), np.ones((rows, 3))),
        "adds_to": lambda rows: (np.arange(rows * 3.0).reshape(rows, 3), np.ones((rows, 3))),
        "recurs": lambda rows: (np.arange(rows * 3.0).reshape(rows, 3), np.ones(rows)),
        "negates": lambda rows: (np.arange(rows * 3.0).reshape(rows, 3)[:, ::-1],)}


@pytest.mark.parametrize("rows", [0, 1, 2, 40])
@pytest.mark.parametrize("name", BARE)
def test_layouts_without_outputs(bare_numba, name, rows):
    """Inputs are written to, and () is the result: NumPy calls a function of no outputs."""
    mine, theirs = BARE[name](rows), BARE[name](rows)
    assert getattr(bare, name)(*mine) == getattr(bare_numba, name)(*theirs) == ()
    for a, b in zip(mine, theirs):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("name", ["adds_to", "recurs"])
@pytest.mark.parametrize("rows", [2, 7, 64, 100])
def test_all_elements_may_write_to_one_input(bare_numba, name, rows):
    """It is no output, so NumPy hands on one and the same row: each element sees what those before have written."""
    x, out = BARE[name](rows)
    mine, theirs = np.array(out[0]), np.array(out[0])
    getattr(bare, name)(x, mine)
    getattr(bare_numba, name)(x, theirs)
    np.testing.assert_array_equal(mine, theirs)
    assert mine.sum() > rows


def test_what_is_declared_written_to_has_no_one_row_for_all():
    with pytest.raises(ValueError, match="reduction"):
        bare.group_sums(np.ones((2, 3)), np.array([0, 1, 1]), np.zeros(2))


def test_frozen_dimensions(more):
    a, b = np.random.default_rng(1).random((2, 6, 3))
    assert np.allclose(more.cross(a, b), np.cross(a, b))
    with pytest.raises(ValueError, match="size 2 is different from 3"):
        more.cross(a[:, :2], b[:, :2])


@pytest.mark.parametrize("left, right", [((2, 3), (3, 4)), ((3,), (3, 4)), ((2, 3), (3,)), ((3,), (3,)),
                                         ((5, 2, 3), (3,)), ((5, 2, 3), (5, 3, 4))])
def test_dimensions_that_may_be_missing(more, left, right):
    a, b = np.random.default_rng(2).random(left), np.random.default_rng(3).random(right)
    result = more.matmul(a, b)
    assert result.shape == np.matmul(a, b).shape and np.allclose(result, np.matmul(a, b))


def test_dimensions_of_the_output_alone_come_from_out(more):
    x = np.random.default_rng(4).random((3, 100))
    out = np.zeros((3, 5))
    more.histogram(x, out=out)
    assert np.array_equal(out, [np.histogram(row, 5, (0, 1))[0] for row in x])
    with pytest.raises(ValueError, match="unspecified"):
        more.histogram(x)


def test_writable_inputs(more):
    x = np.ones((2, 3))
    calls = np.zeros(2)
    assert np.array_equal(more.counting(x, calls), x) and calls.tolist() == [1, 1]
    calls.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        more.counting(x, calls)


def test_contiguous_types_take_any_strides(more):
    x = np.random.default_rng(5).random((6, 8))
    for a in (x, x.T, x[:, ::2], x[::-1, ::-1], np.broadcast_to(x[0], (4, 8))):
        assert np.allclose(more.running(a), np.cumsum(a, -1))
