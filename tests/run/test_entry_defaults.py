"""Defaults and parameters of one value at entry points: None, strings, tuples, NumPy scalars, arrays.

Beside Numba, which compiles for what a call leaves out; strings are literals here, so that each has a function.
"""
import inspect
import re
import sys

import numpy as np
import pytest
from conftest import BUILD_PYTHON, load_module, run_pyk2cu

SOURCE = '''
from numba import njit, types
import numpy as np

PAIR = (1, 2.5)


@njit("float64(float64)")
def tuples(x, t=PAIR, u=((1, 2), 3.0), e=()):
    return x + t[0] + 10 * t[1] + u[0][1] + u[1] + len(e)


@njit("float32(float32)")
def scalars(x, a=np.float32(1.5), b=np.int16(3), c=np.uint8(4)):
    return x * a + b + c


@njit("uint64(uint64)")
def large(x, y=2**63 + 5, z=-1):
    return x + y


@njit("float64(float64[:])")
def flags(a, w=None, kind="sum", scale=2.0):
    s = 0.0
    for v in a:
        s += v
    if w is not None:
        s += w
    if kind == "sum":
        return s * scale
    return -s


@njit
def reduce(a, kind="sum"):
    if kind == "sum":
        return a.sum() if False else a[0] + a[1]
    elif kind == "it\\'s":
        return a[0] * a[1]
    return a[0] - a[1]


@njit("float64(none, float64[:], float64)")
def first(w, a, x):
    a[0] = x
    return x if w is None else -x


@njit("float64(float64[:])")
def caller(a):
    return flags(a) + flags(a, None, "sum", 3.0) + reduce(a) + reduce(a, "max") + first(None, a, 1.0)


@njit
def increase(x):
    return x + 1


@njit
def triple(x):
    return x * 3


@njit
def apply(f, x, kind, w):
    if kind == "twice":
        x = f(x)
    if w is None:
        return f(x)
    return f(x) + w


@njit("float64(float64)")
def chosen(x):
    return apply(increase, x, "twice", None) + 100 * apply(triple, x, "once", 2.0)
'''
SIDECAR = '''
reduce(float64[:], literal("sum"))
reduce(float64[:], literal("it's"))
reduce(int64[:], literal(""))
'''


@pytest.fixture(scope="module")
def both(tmp_path_factory):
    folder = tmp_path_factory.mktemp("defaults")
    (folder / "defaults_here.py").write_text(SOURCE)
    (folder / "defaults_here.sig").write_text(SIDECAR)
    done = run_pyk2cu("defaults_here.py", "-o", "out", "--build", "--quiet", "--python", BUILD_PYTHON, cwd=folder)
    assert done.returncode == 0 and not done.stderr, done.stderr
    compiled = load_module(next((folder / "out").glob("defaults_here.*.so")))
    names = {}
    exec(re.sub(r'@njit\(".*"\)', "@njit", SOURCE), names)  # a signature of Numba leaves nothing out
    return names, compiled


A = np.array([1.0, 2.5])
CALLS = [("tuples", 0.5), ("tuples", 0.5, (2, 3.5)), ("tuples", 0.5, (1, 2), ((5, 6), 7.0)), ("scalars", np.float32(1.5)),
         ("scalars", np.float32(1.5), np.float32(2)), ("large", np.uint64(1)), ("flags", A), ("flags", A, None, "sum", 4.0), ("reduce", A),
         ("reduce", A, "it's"), ("reduce", np.array([7, 3]), ""), ("first", None, A.copy(), 2.0), ("caller", A.copy()), ("chosen", 2.0)]


@pytest.mark.parametrize("name, args", [(name, args) for name, *args in CALLS])
def test_as_python(name, args, both):
    names, compiled = both
    copies = [arg.copy() if isinstance(arg, np.ndarray) else arg for arg in args]
    wanted, got = names[name](*copies), getattr(compiled, name)(*args)
    assert got == wanted, (got, wanted)
    for copy, arg in zip(copies, args):
        assert np.array_equal(copy, arg) if isinstance(arg, np.ndarray) else True


def test_as_numba(both):
    names, compiled = both
    for name, args in [("tuples", (0.5,)), ("scalars", (np.float32(1.5),)), ("large", (np.uint64(1),)), ("chosen", (2.0,)), ("caller", (A,))]:
        wanted, got = names[name](*args), getattr(compiled, name)(*args)
        assert got == wanted and type(got) is type(wanted)


@pytest.mark.parametrize("name, args, text", [
    ("flags", (A, None, "max"), "flags(): argument 3 `kind`: 'max' given, compiled for 'sum' only"),
    ("flags", (A, 2.0), "flags(): argument 2 `w`: float given, compiled for None only"),
    ("flags", (A, A), "flags(): argument 2 `w`: ndarray given, compiled for None only"),
    ("flags", (A, None, None), "flags(): argument 3 `kind`: None given, compiled for 'sum' only"),
    ("flags", (A, None, "sum\0x"), "flags(): argument 3 `kind`: 'sum\\x00x' given, compiled for 'sum' only"),
    ("flags", (A, None, "\ud800"), "flags(): argument 3 `kind`: "),
    ("first", (1.0, A, 1.0), "first(): argument 1 `w`: float given, compiled for None only"),
    ("reduce", (A, "min"), "reduce() has no signature for these arguments\n  float64(float64[:], literal('sum')): "
     "argument 2 `kind`: 'min' given, compiled for 'sum' only\n  float64(float64[:], literal(\"it's\")): "
     "argument 2 `kind`: 'min' given, compiled for 'it's' only"),
    ("tuples", (0.5, (1, 2, 3)), "tuples(): argument 2 `t`: tuple of 3 given, Tuple((int64, float64)) expected")])
def test_other_values_are_told(name, args, text, both):
    with pytest.raises(TypeError) as error:
        getattr(both[1], name)(*args)
    assert str(error.value).startswith(text), str(error.value)


def test_signatures_and_stub(both):
    names, compiled = both
    for name in ("tuples", "scalars", "large", "flags", "reduce"):
        own, wanted = inspect.signature(getattr(compiled, name)), inspect.signature(names[name].py_func)
        assert str(own).replace("np.", "") == str(wanted).replace("np.", "") or name == "scalars", name
        for parameter, other in zip(own.parameters.values(), wanted.parameters.values()):
            assert parameter.default == other.default and type(parameter.default) is type(other.default)
    assert compiled.flags.signatures == ["float64(float64[:], none, literal('sum'), float64)"]
    for _ in range(1000):  # references of defaults
        compiled.tuples(0.5), compiled.flags(A)
    assert sys.getrefcount(compiled) > 0


def test_types_of_numbers(tmp_path):
    """dtype=np.float32 stands for its name: what the function makes of it is as under NumPy; other types are told."""
    (tmp_path / "made.py").write_text("""
import numpy as np
from numba import njit


@njit("complex128[:](int64)")
def made(n, dtype=np.complex128):
    return np.arange(n, dtype=dtype)


@njit("float64[:](int32[:])")
def like(a, dtype=float):
    b = np.empty_like(a, dtype=dtype)
    b[:] = a.astype(dtype) / 2
    return b


@njit
def zeros(n, dtype=np.float32):
    return np.zeros(n, dtype=dtype)


@njit("float32[:](int64)")
def short(n):
    return zeros(n)


@njit("int64[:](int64)")
def whole(n):
    return zeros(n, np.int64) + np.ones(n, dtype='int')


@njit("float64[:](int64)")
def named(n):
    return np.full(n, 3, dtype='float') + np.arange(n, dtype='f8')
""")
    done = run_pyk2cu("made.py", "-o", "out", "--build", "--python", BUILD_PYTHON, cwd=tmp_path)
    assert done.returncode == 0 and "warning" not in done.stderr, done.stderr
    made = load_module(next((tmp_path / "out").glob("made.*.so")))
    for found, wanted in ((made.made(3), np.arange(3, dtype="c16")), (made.like(np.arange(3, dtype="i4")), np.array([0, 0.5, 1])),
                          (made.short(2), np.zeros(2, "f4")), (made.whole(2), np.ones(2, "i8")), (made.named(2), np.array([3.0, 4.0]))):
        assert found.dtype == wanted.dtype
        np.testing.assert_array_equal(found, wanted)
    for dtype in (np.complex128, complex, np.dtype("c16"), "complex128"):
        np.testing.assert_array_equal(made.made(3, dtype), np.arange(3, dtype="c16"))
    for dtype in (np.complex64, np.dtype(">c16"), float, "c16", object, np.complexfloating, np.number, 3):
        with pytest.raises(TypeError, match="argument 2 `dtype`: .* given, compiled for 'complex128' only"):
            made.made(3, dtype)


def test_types_of_numbers_as_arguments(tmp_path):
    """One function for each, as Numba compiles for each."""
    source = """
import numpy as np
from numba import njit


@njit
def count(x, dtype):
    c = np.zeros(4, dtype=dtype)
    for v in x:
        c[int(v * 4)] += 1
    return c
"""
    (tmp_path / "count.py").write_text(source)
    (tmp_path / "count.sig").write_text("".join(f"count(float64[:], literal('{name}'))\n" for name in ("int64", "float32", "bool")))
    done = run_pyk2cu("count.py", "-o", "out", "--build", "--python", BUILD_PYTHON, cwd=tmp_path)
    assert done.returncode == 0 and "warning" not in done.stderr, done.stderr
    ours = load_module(next((tmp_path / "out").glob("count.*.so"))).count
    theirs = {}
    exec(source, theirs)
    x = np.random.default_rng(2).random(30)
    for dtype in (np.int64, np.float32, np.bool_, np.dtype("f4"), np.dtype(np.int64)):
        got, want = ours(x, dtype), theirs["count"](x, dtype)
        np.testing.assert_array_equal(got, want)
        assert got.dtype == want.dtype
    with pytest.raises(TypeError, match="type given, compiled for 'int64' only"):
        ours(x, np.int32)


ARRAYS = '''
from collections import namedtuple

import numpy as np
from numba import njit

Limits = namedtuple("Limits", "low high", defaults=(1e-3, 4))
CROSS = np.ones((3, 3), dtype=np.bool_)
CROSS[::2, ::2] = False


@njit
def ones(x, w=np.ones(3)):
    return x * w.sum()


@njit
def sevens(x, w=np.full(4, 7.0)):
    return x * w.sum()


@njit
def pairs(x, w=(np.zeros(2), np.ones(2))):
    return x * w[0].sum() + w[1].sum()


@njit("float64(float64)")
def caller(x):
    return ones(x) + 100 * sevens(x) + 10000 * pairs(x)


@njit("float64(float64[:,:])")
def masked(a, mask=CROSS, limits=Limits()):
    t = 0.0
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            if mask[i % 3, j % 3]:
                t += a[i, j]
    return t * limits.high


# pyk2cu: sig given(float64[:])
# pyk2cu: sig given(float64[:], float64[:])
@njit
def given(a, w=np.empty((0,), dtype=np.float64)):
    if w.size == 0:
        return a.sum()
    return (a * w).sum()


# pyk2cu: sig returned(float64[:])
@njit
def returned(a, s=np.array([[1 + 2j, 3.5]], dtype=np.complex64), k=np.arange(5, dtype=np.uint8)):
    return a.sum() * s, k


# pyk2cu: sig bumped(float64, float64[:])
@njit
def bumped(x, w=np.ones(3)):
    w[0] += x
    return w.sum()
'''


@pytest.fixture(scope="module")
def arrays(tmp_path_factory):
    folder = tmp_path_factory.mktemp("arrays")
    (folder / "arrays_here.py").write_text(ARRAYS)
    done = run_pyk2cu("arrays_here.py", "-o", "out", "--build", "--quiet", "--python", BUILD_PYTHON, cwd=folder)
    assert done.returncode == 0 and not done.stderr, done.stderr
    names = {}
    exec(re.sub(r'@njit\(".*"\)', "@njit", ARRAYS), names)
    return names, load_module(next((folder / "out").glob("arrays_here.*.so")))


GRID = np.arange(20.0).reshape(4, 5)


@pytest.mark.parametrize("name, args", [("caller", (2.0,)), ("masked", (GRID,)), ("masked", (GRID, np.eye(3, dtype=bool))), ("given", (A,)),
                                        ("given", (A, 2 * A)), ("returned", (A,))])
def test_arrays_as_defaults(name, args, arrays):
    names, compiled = arrays
    wanted, got = names[name](*args), getattr(compiled, name)(*args)
    for one, other in zip(*((x if isinstance(x, tuple) else (x,)) for x in (got, wanted))):
        np.testing.assert_array_equal(one, other)
        assert np.asarray(one).dtype == np.asarray(other).dtype


def test_nobody_writes_an_array_that_is_a_default(arrays):
    compiled = arrays[1]
    with pytest.raises((TypeError, ValueError), match="read-only|readonly"):
        compiled.bumped(1.0)
    assert compiled.bumped(1.0, np.ones(3)) == 4.0
    default = inspect.signature(compiled.bumped).parameters["w"].default
    assert default.tolist() == [1.0, 1.0, 1.0] and not default.flags.writeable
