"""Every function of kernels/arrays.py at sizes 0, 1, 2, a prime and 1,000, on C, F, strided, negative-stride, overlapping
and read-only arrays, against plain CPython on the same arguments."""
import importlib.util
import inspect
import os
import pathlib
import subprocess
import sys

import numpy as np
import pytest
from conftest import BUILD_PYTHON, Batch

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / "samples"))
from support import plain  # noqa: E402

SOURCE = HERE / "kernels/arrays.py"
PLAIN = plain.load(SOURCE)
SIZES = [0, 1, 2, 13, 1000]
NAMES = [n for n, f in vars(PLAIN).items() if inspect.isfunction(f) and f.__module__ == PLAIN.__name__]
TYPES = {"gather": ["i8", "i8"], "invert": ["u1", "u1"], "phasor_sum": ["c16"]}
RANKS = {"trace": [2], "row_sums": [2, 1], "column_maxima": [2, 1], "transpose": [2, 2], "window": [2], "invert": [2, 2],
         "volume": [3], "find": [1, 0], "scale_in_place": [1, 0, 1]}
WRITTEN = {"copy": 1, "shift": 1, "smooth": 1, "scale_in_place": 0, "row_sums": 1, "column_maxima": 1, "transpose": 1,
           "parallel_square": 1, "invert": 1}
LAYOUTS = ["C", "F", "strided", "negative"]
PARALLEL = {"parallel_statistics"}


@pytest.fixture(scope="module")
def compiled(tmp_path_factory):
    out = tmp_path_factory.mktemp("arrays")
    compiler = os.environ.get("PYK2CU", str(ROOT / "build/pyk2cu"))
    done = subprocess.run([compiler, str(SOURCE), "-o", str(out), "--build", "--python", BUILD_PYTHON],
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    spec = importlib.util.spec_from_file_location("arrays", next(out.glob("arrays*.so")))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def array(rank, size, layout, dtype, seed):
    rng = np.random.default_rng(seed)
    if size == 1000 and rank > 1:
        size = 61 if rank == 2 else 17
    shape = tuple(max(size - (2 * axis if size > 2 else 0), 0) for axis in range(rank))
    if np.dtype(dtype).kind in "iu":
        data = rng.integers(0, 100, shape).astype(dtype)
    else:
        data = rng.standard_normal(shape).astype(dtype)
    if layout == "F":
        return np.asfortranarray(data)
    if layout == "strided":
        wide = np.zeros(tuple(2 * n for n in shape), dtype)
        view = wide[(slice(None, None, 2),) * rank]
        view[...] = data
        return view
    if layout == "negative":
        return np.ascontiguousarray(data[(slice(None, None, -1),) * rank])[(slice(None, None, -1),) * rank]
    return data


def arguments(name, size, layout):
    dtypes = TYPES.get(name, ["f8"] * 4)
    ranks = RANKS.get(name) or [1] * len(inspect.signature(getattr(PLAIN, name)).parameters)
    return [0.5 if rank == 0 else array(rank, size, layout, dtypes[min(i, len(dtypes) - 1)], i)
            for i, rank in enumerate(ranks)]


def same(name, ours, expected):
    if isinstance(expected, tuple):
        return len(ours) == len(expected) and all(same(name, a, b) for a, b in zip(ours, expected))
    if expected is None:
        return ours is None
    return np.array_equal(np.asarray(ours), np.asarray(expected), equal_nan=True)


def check(compiled, name, args):
    copies = [a.copy() if isinstance(a, np.ndarray) else a for a in args]
    expected = getattr(PLAIN, name)(*copies)
    result = getattr(compiled, name)(*args)
    assert same(name, result, expected), (name, result, expected)
    for ours, theirs in zip(args, copies):
        if isinstance(ours, np.ndarray):
            assert np.array_equal(ours, theirs), name


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", NAMES)
def test_sizes_and_layouts(compiled, name, layout):
    for size in SIZES:
        check(compiled, name, arguments(name, size, layout))


@pytest.mark.parametrize("name", sorted(n for n, w in WRITTEN.items() if w == 1 and n not in RANKS))
@pytest.mark.parametrize("offset", [0, 1, 2])
def test_overlapping_arguments_keep_the_order_of_loads_and_stores(compiled, name, offset):
    if name == "parallel_square" and offset:
        pytest.skip("iterations of prange have no order")
    for size in SIZES:
        buffers = [np.random.default_rng(5).standard_normal(size + offset) for _ in range(2)]
        for first, second in [(slice(offset, None), slice(0, size)), (slice(0, size), slice(offset, None))]:
            ours, theirs = buffers[0].copy(), buffers[0].copy()
            getattr(PLAIN, name)(theirs[first], theirs[second])
            getattr(compiled, name)(ours[first], ours[second])
            assert np.array_equal(ours, theirs), (size, first, second)


@pytest.mark.parametrize("name", NAMES)
def test_read_only_arrays_are_read_and_never_written(compiled, name):
    args = arguments(name, 13, "C")
    for position, value in enumerate(args):
        if not isinstance(value, np.ndarray):
            continue
        value.flags.writeable = False
        if WRITTEN.get(name) == position:
            with pytest.raises((TypeError, ValueError), match="read-only|writ"):
                getattr(compiled, name)(*args)
        elif name not in WRITTEN:
            check(compiled, name, args)
        value.flags.writeable = True


def test_a_returned_view_keeps_its_argument_alive(compiled):
    a = np.arange(5.0)
    view = compiled.reversed_view(a)
    assert view.base is a and np.shares_memory(view, a)
    references = sys.getrefcount(a)
    del view
    assert sys.getrefcount(a) == references - 1


def test_a_returned_array_owns_its_memory(compiled):
    out = compiled.doubled(np.arange(4.0))
    assert out.flags.writeable and out.flags.c_contiguous
    for _ in range(1000):
        out = compiled.doubled(out * 0.5)
    assert np.array_equal(out, 2 * np.arange(4.0))


returning = Batch("returned_arguments")
returning.add('''
@njit("(float64[:, :], int64, float64)")
def reduced(a, row, f):
    for i in range(a.shape[0]):
        if i != row:
            for j in range(a.shape[1]):
                a[i, j] -= a[row, j] * f
    return a

@njit("(float64[:, :],)")
def first_row(a):
    return a[0]
''')


@pytest.mark.parametrize("make", [np.array, np.asfortranarray, lambda a: a[::-1], lambda a: np.repeat(a, 2, 1)[:, ::2], lambda a: a[:, :0]],
                         ids=["C", "F", "reversed", "strided", "empty"])
def test_an_argument_that_is_returned_is_the_argument(make):
    a = make(np.arange(12.0).reshape(3, 4))
    expected = a.copy()
    expected[[0, 2]] -= 2 * expected[1]
    result = returning.reduced(a, 1, 2.0)
    np.testing.assert_array_equal(a, expected)
    np.testing.assert_array_equal(result, expected)
    assert result.shape == a.shape and (result.strides == a.strides or not a.size)
    assert np.shares_memory(result, a) or not a.size
    np.testing.assert_array_equal(returning.first_row(a), a[0])


def test_what_returns_its_argument_is_compiled_for_contiguous_ones_too():
    text = (returning.directory / "returned_arguments.h").read_text()
    assert "reduced_c(pyk::array<double, 2, pyk::C>" in text
