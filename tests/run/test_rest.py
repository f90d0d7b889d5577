"""`*args` of an entry point: the arguments that no other parameter takes, as a tuple."""
import inspect
import sys

import numpy as np
import pytest

from conftest import Batch

batch = Batch("rest_parameters")
batch.add('''
from numba import types


@njit(["int64(UniTuple(int64, 3))", "int64(UniTuple(int64, 1))"])
def total(*args):
    s = 0
    for a in args:
        s += a
    return s


@njit(["int64(UniTuple(int64, 3))", "int64(Tuple(()))", "float64(Tuple((int64, float64)))"])
def count(*args):
    return len(args)


@njit("float64(float64, UniTuple(float64[:], 2))")
def ends(x, *arrays):
    return x + 10 * arrays[0][0] + 100 * arrays[1][-1]


@njit("Tuple((float64, UniTuple(int64, 2)))(float64, UniTuple(int64, 2))")
def given_back(x=2.0, *rest):
    return x, rest


@njit("void(UniTuple(float64[:], 2))")
def written(*arrays):
    for a in arrays:
        a[0] = 7.0


@njit("float64(int64, UniTuple(int64, 2), float64)")
def with_keyword(x, *args, scale=2.0):
    return x + len(args) * scale
''')
A = np.arange(4.0)
CALLS = [("total", (1, 2, 3), {}), ("total", (5,), {}), ("total", (), {}), ("count", (), {}), ("count", (1, 2.5), {}),
         ("count", (1, 2, 3), {}), ("total", ((1, 2, 3),), {}),
         ("total", (1, 2, 3, 4), {}), ("ends", (1.0, A, A[::-2]), {}), ("ends", (1, A, A), {}), ("ends", (1.0, A), {}),
         ("ends", (), {}), ("ends", (A, A), {"x": 1}), ("ends", (1.0, A, A), {"arrays": 3}), ("ends", (1.0, A, 3), {}),
         ("given_back", (1, 2, 3), {}), ("given_back", (1.5, np.int8(2), True), {}), ("given_back", (), {}),
         ("given_back", (), {"x": 1.0}), ("given_back", (1, 2, 3, 4), {}), ("given_back", (1.0, (2, 3)), {})]


def outcome(f, args, kwargs):
    try:
        return f(*args, **kwargs)
    except (TypeError, OverflowError) as error:
        return type(error)


@pytest.fixture(scope="module")
def by_numba():
    pytest.importorskip("numba", reason="Numba is the oracle of this test")
    space = {}
    exec(batch.source.split("@njit(\"float64(int64, UniTuple")[0], space)  # Numba knows no parameters behind `*args`
    return space


@pytest.mark.parametrize("name, args, kwargs", CALLS)
def test_like_numba(name, args, kwargs, by_numba):
    assert outcome(getattr(batch, name), args, kwargs) == outcome(by_numba[name], args, kwargs)


def test_arrays_are_written():
    a, b = np.zeros(2), np.zeros(4)
    batch.written(a, b[::-2])
    assert a.tolist() == [7, 0] and b.tolist() == [0, 0, 0, 7]
    a.flags.writeable = False
    with pytest.raises(TypeError, match=r"argument 1 `\*arrays`: item 0"):
        batch.written(a, b)


def test_parameters_behind_it_are_keywords():
    assert batch.with_keyword(1, 2, 3) == 5 and batch.with_keyword(1, 2, 3, scale=5.0) == 11
    with pytest.raises(TypeError, match=r"\*args`: tuple of 3 given"):
        batch.with_keyword(1, 2, 3, 5.0)


def test_what_is_said():
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'x'"):
        batch.ends()
    with pytest.raises(TypeError, match="unexpected keyword argument 'arrays'"):
        batch.ends(1.0, A, A, arrays=3)
    with pytest.raises(TypeError, match="multiple values for argument 'x'"):
        batch.ends(1.0, A, A, x=2.0)
    assert str(inspect.signature(batch.with_keyword)) == "(x, *args, scale=2.0)"
    assert str(inspect.signature(batch.given_back)) == "(x=2.0, *rest)"
    stub = next(batch.directory.glob("*.pyi")).read_text()
    assert "def count(*args: int) -> int: ..." in stub and "def count(*args: Any) -> int | float: ..." in stub
    assert "def given_back(x: float = ..., *rest: int) -> tuple[float, tuple[int, int]]: ..." in stub


def test_nothing_is_kept():
    before = sys.getrefcount(A)
    for _ in range(100):
        batch.ends(1.0, A, A)
        outcome(batch.ends, (1.0, A), {})
        outcome(batch.ends, (A,), {"y": 1})
    assert sys.getrefcount(A) == before
