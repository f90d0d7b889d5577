"""@vectorize gives numpy.ufunc objects: generated calls, beside a ufunc that NumPy makes of the same function."""
import copy
import gc
import os
import pathlib
import pickle
import random
import subprocess
import sys
import textwrap
import warnings

import numpy as np
import pytest
import reference_ufunc
from conftest import BUILD_PYTHON, build, load_module, plain_python, run_pyk2cu

numba = pytest.importorskip("numba", reason="Numba is the oracle of these tests")
SOURCE = pathlib.Path(__file__).parent / "kernels/ufuncs.py"
UNARY = ["inverse", "positive", "positive_in_parallel", "bell", "halvings"]
BINARY = ["plus", "times", "larger", "less", "quotient", "mixed", "hypotenuse", "either"]
DTYPES = ["?", "i1", "u1", "i2", "i4", "u4", "i8", "u8", "f2", "f4", "f8", "c8", "c16", ">f8", ">i4", "g", "O", "m8[s]"]
NARROW = ["?", "i1", "i4", "f4", "f8"]
TOLERANCE = {"bell": 2e-6}
IDENTITY = {"plus": 0, "times": 1, "larger": "reorderable", "either": 0}


@pytest.fixture(scope="module")
def ours():
    return load_module(next(build(SOURCE.read_text(), "ufuncs", every_processor=True).glob("ufuncs.*.so")))


@pytest.fixture(scope="module")
def python():
    return plain_python.load(SOURCE)


@pytest.fixture(scope="module")
def theirs():
    return load_module(SOURCE, "numba_ufuncs")


CHOSEN = '''
from numba import vectorize

@vectorize(["int32(int32, int32)", "int64(int64, int64)", "float32(float32, float32)", "float64(float64, float64)"])
def rest(x, y):
    return x % y if y != 0 else 7

@vectorize(["float32(float32, float32)", "float64(float64, float64)"])
def parts(x, y):
    if y == 0:
        return 7.0
    return x / y

@vectorize(["int32(int32, int32)", "int64(int64, int64)"])
def divisor(x, y):
    while y != 0:
        x, y = y, x % y
    return x

@vectorize(["int64(int64, int64)"], target="parallel")
def in_parallel(x, y):
    return x // y if y > 0 else x

@vectorize(["float64(float64, float64)"])
def straight(x, y):
    return x / y
'''


# ---- generated calls ---------------------------------------------------------------------------
class Calls:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.numbers = np.random.default_rng(seed)

    def pick(self, *choices):
        return self.random.choice(choices)

    def values(self, shape, dtype):
        dtype = np.dtype(dtype)
        a = self.numbers.integers(0, 12, shape)
        if dtype.kind in "ifmcgO" and self.random.random() < 0.5:
            a = a - 4
        with np.errstate(all="ignore"):
            a = np.asarray(a, dtype)
        if dtype.kind == "f" and self.random.random() < 0.3 and a.size:
            a.flat[0] = self.pick(np.nan, np.inf, -0.0)
        return a

    def layout(self, a):
        """The same values, lying otherwise."""
        how = self.pick("C", "C", "F", "step", "reverse", "fixed", "unaligned", "readonly", "list", "subclass")
        if how == "F":
            return np.asfortranarray(a)
        if how == "step" and a.ndim:
            wide = np.zeros(tuple(2 * n for n in a.shape), a.dtype)
            wide[tuple(slice(None, None, 2) for _ in a.shape)] = a
            return wide[tuple(slice(None, None, 2) for _ in a.shape)]
        if how == "reverse" and a.ndim:
            return np.ascontiguousarray(a[::-1])[::-1]
        if how == "fixed" and a.ndim:
            return np.broadcast_to(a[:1], a.shape)
        if how == "unaligned" and a.dtype.kind != "O":
            raw = np.zeros(a.nbytes + 1, np.uint8)
            b = raw[1:].view(a.dtype).reshape(a.shape) if a.size else a
            b[...] = a
            return b
        if how == "readonly":
            a = a.copy()
            a.flags.writeable = False
        if how == "list" and a.dtype.kind in "?if" and a.dtype.isnative:
            return a.tolist()
        if how == "subclass":
            return a.view(np.memmap) if a.ndim else a
        return a

    def operand(self, shape):
        shape = self.pick(shape, shape, shape, shape[-1:], (1,) * len(shape), ())
        return self.layout(self.values(shape, self.pick(*self.pick(DTYPES, NARROW, NARROW))))

    def call(self, count):
        """(method, arguments, keywords), made anew from the seed at each call."""
        shape = self.pick((3,), (2, 3), (40,), (0,), (300,), (2, 3, 2), ())
        method = self.pick("__call__", "__call__", "__call__", "reduce", "accumulate", "outer", "reduceat", "at")
        keywords = {}
        if self.random.random() < 0.2:
            keywords["dtype"] = self.pick("f4", "f8", "i8", "c16", "?", "O")
        if method == "__call__":
            args = [self.operand(shape) for _ in range(count)]
            if self.random.random() < 0.35:
                out = self.values(shape, self.pick("f8", "f8", "i8", "f4", "?", "c16"))
                keywords["out"] = self.pick(out, (out,), out[::-1] if out.ndim else out)
                if self.random.random() < 0.3 and isinstance(args[0], np.ndarray):
                    keywords["out"] = args[0]
                elif self.random.random() < 0.2 and out.ndim == 1 and out.size > 2:
                    args[0], keywords["out"] = out[1:], out[:-1]
                    args[1:] = [1.0] * (count - 1)
            if self.random.random() < 0.2:
                keywords["where"] = self.numbers.integers(0, 2, shape).astype(bool)
                keywords.setdefault("out", np.zeros(shape))
            if self.random.random() < 0.2:
                keywords["casting"] = self.pick("no", "equiv", "safe", "same_kind", "unsafe")
            if self.random.random() < 0.1:
                keywords["order"] = self.pick("C", "F", "K")
            return method, args, keywords
        a = self.layout(self.values(shape, self.pick(*self.pick(DTYPES, NARROW, NARROW))))
        if method == "outer":
            keywords.pop("dtype", None)
            return method, [a, self.layout(self.values((4,), self.pick(*self.pick(DTYPES, NARROW, NARROW))))], keywords
        if method == "at":
            target = self.values(shape or (3,), self.pick("f8", "i8", "f4"))
            index = self.numbers.integers(0, max(1, target.shape[0]), 5)
            values = [self.values((5,) + target.shape[1:], self.pick("f8", "i8"))] if count > 1 else []
            return method, [target, index, *values], {}
        if method == "reduceat":
            return method, [a, [0, 2, 1]], keywords
        if self.random.random() < 0.5 and np.ndim(a) > 0:
            keywords["axis"] = self.pick(0, -1, None) if method == "reduce" else self.pick(0, -1)
        if method == "reduce" and self.random.random() < 0.3:
            keywords["initial"] = 3
        if method == "reduce" and self.random.random() < 0.3:
            keywords["keepdims"] = True
        return method, [a], keywords


def outcome(ufunc, seed, count):
    """Exception, result, arguments behind the call, and what the error state said."""
    method, args, keywords = Calls(seed).call(count)
    reference_ufunc.raised.clear()
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        try:
            result = getattr(ufunc, method)(*args, **keywords)
            if reference_ufunc.raised:
                raise reference_ufunc.raised[0]
        except Exception as e:
            if isinstance(e, SystemError) and "where" in keywords:
                e = e.__cause__  # NumPy does not ask loops under a mask whether they raised; CPython notices
            return (type(e).__name__, str(e)), None, [], []
    if method == "at":
        result = args[0]
    told = sorted({str(w.message) for w in said if issubclass(w.category, RuntimeWarning)})
    return None, result, args, told


def same(a, b, tolerance):
    if a is None or b is None:
        return a is b
    a, b = np.asarray(a), np.asarray(b)
    if a.dtype != b.dtype or a.shape != b.shape:
        return False
    if a.dtype.kind in "fc" and tolerance:
        return np.allclose(a, b, rtol=tolerance, atol=0, equal_nan=True)
    return np.array_equal(a, b, equal_nan=a.dtype.kind in "fc")


@pytest.mark.parametrize("name", UNARY + BINARY + ["fused"])
def test_generated_calls(ours, python, name):
    mine, tolerance = getattr(ours, name), TOLERANCE.get(name, 0)
    scalar = numba.njit(error_model="numpy")(getattr(python, name).pyfunc)
    oracle = reference_ufunc.make(scalar, name, mine.types, IDENTITY.get(name))
    raised = 0
    for seed in range(250):
        got, expected = outcome(mine, seed, mine.nin), outcome(oracle, seed, mine.nin)
        call = (seed, Calls(seed).call(mine.nin))
        raised += expected[0] is not None
        assert got[0] == expected[0], call
        assert type(got[1]) is type(expected[1]), call
        assert same(got[1], expected[1], tolerance), (call, got[1], expected[1])
        for a, b in zip(got[2], expected[2]):  # arguments that are written to
            assert same(a, b, tolerance), call
    assert raised < 240


@pytest.mark.parametrize("name", ["inverse", "plus", "times", "fused", "hypotenuse", "mixed"])
def test_error_state_of_generated_calls(ours, theirs, name):
    mine, oracle = getattr(ours, name), getattr(theirs, name)
    count = 0
    for seed in range(250):
        method, _, keywords = Calls(seed).call(mine.nin)
        if method != "__call__" or {"where", "out"} & set(keywords) or keywords.get("dtype") == "O":
            continue  # Numba's ufuncs refuse `where` and read what lies in `out`
        got, expected = outcome(mine, seed, mine.nin), outcome(oracle, seed, mine.nin)
        count += expected[0] is None
        assert got[3] == expected[3], (seed, Calls(seed).call(mine.nin))
    assert count > 10


# ---- one by one --------------------------------------------------------------------------------
def test_it_is_numpys_object(ours):
    assert isinstance(ours.plus, np.ufunc)
    assert ours.plus.types == ["ll->l", "ff->f", "dd->d", "DD->D"]
    assert (ours.plus.nin, ours.plus.nout, ours.plus.identity, ours.times.identity) == (2, 1, 0, 1)
    assert ours.larger.identity is None and ours.less.identity is None
    assert ours.plus.__name__ == "plus" and "The sum." in ours.plus.__doc__
    assert repr(ours.plus) == "<ufunc 'plus'>"
    if np.lib.NumpyVersion(np.__version__) >= "2.2.0":
        assert ours.plus.__module__ == "ufuncs"


def test_reduction_over_several_axes_needs_a_reorderable_function(ours):
    a = np.arange(24).reshape(2, 3, 4)
    assert ours.larger.reduce(a, axis=(0, 2)).tolist() == a.max(axis=(0, 2)).tolist()
    with pytest.raises(ValueError, match="not reorderable"):
        ours.quotient.reduce(a, axis=(0, 2))


def test_pickled_and_copied_by_name(ours):
    sys.modules["ufuncs"] = ours
    try:
        assert pickle.loads(pickle.dumps(ours.plus)) is ours.plus
        assert copy.deepcopy(ours.plus) is ours.plus
    finally:
        del sys.modules["ufuncs"]


def test_the_exception_is_that_of_the_first_element(ours):
    for f in (ours.positive, ours.positive_in_parallel):
        for n in (10, 100_000):
            a = np.ones(n)
            a[[n // 3, n // 2, n - 1]] = [-1, -2, -3]
            with pytest.raises(ValueError) as e:
                f(a)
            assert e.value.args == ("negative", -1.0)
            assert str(e.traceback[-1].path).endswith("ufuncs.py") and e.traceback[-1].name == f.__name__
        out = np.zeros(5)
        with pytest.raises(ValueError):
            f(np.array([4.0, 9, -1, 16, 25]), out=out)
        assert out[:2].tolist() == [2, 3]


def test_error_state_is_honoured(ours):
    for f in (ours.inverse,):
        for a in (np.zeros(3), np.zeros(2, "f4"), 0.0):
            with np.errstate(divide="raise"), pytest.raises(FloatingPointError, match="divide by zero"):
                f(a)
            with np.errstate(divide="ignore"):
                assert np.isinf(f(a)).all()


@pytest.mark.parametrize("body", ["v2", "v3", "v4"])
def test_what_is_not_chosen_leaves_no_flags(body):
    """Vectors compute both sides, and divide integers as floats."""
    if body == "v4" and "avx512bw" not in pathlib.Path("/proc/cpuinfo").read_text():
        pytest.skip("no such processor")
    code = textwrap.dedent("""
        import numpy as np, chosen
        y = np.arange(100_000) % 5
        for dtype in "i4", "i8", "f4", "f8":
            a, b = np.arange(100_000).astype(dtype), y.astype(dtype)
            with np.errstate(all="raise"):
                for x, d in ((a, b), (a[:7], b[:7]), (a[::3], b[::3]), (a, b + 1), (a, 0)):
                    for f in (chosen.rest, chosen.parts, chosen.divisor, chosen.in_parallel)[:4 if dtype[0] == "i" else 2]:
                        f(x, d)
                assert chosen.rest(a, b)[:6].tolist() == [7, 0, 0, 0, 0, 7]
        with np.errstate(divide="raise"):
            try:
                chosen.straight(1.0, np.zeros(3))
            except FloatingPointError:
                print("raised")
        with np.errstate(all="raise"):  # what NumPy itself does is no concern of ours
            assert chosen.parts(np.ones(3), np.zeros(3)).tolist() == [7, 7, 7]
    """)
    done = subprocess.run([sys.executable, "-c", code], cwd=build(CHOSEN, "chosen", every_processor=True), env={**os.environ, "PYK2CU_CPU": body},
                          capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "raised\n"), done.stderr


@pytest.mark.parametrize("n", [100, 100_000])
@pytest.mark.parametrize("place", [0, 16, 50, -1])
def test_error_state_of_other_threads(ours, n, place):
    a = np.ones(n)
    a[place] = 1e200
    with np.errstate(over="raise"), pytest.raises(FloatingPointError, match="overflow"):
        ours.hypotenuse(a, a)


@pytest.mark.parametrize("name", ["inverse_of_positive", "inverse_of_positive_in_parallel"])
@pytest.mark.parametrize("dtype", ["f8", "i4"])  # of which NumPy converts some thousands at a time
def test_an_exception_wins_over_the_error_state(ours, name, dtype):
    f = getattr(ours, name)
    for n in (20, 100_000):
        a = np.ones(n, dtype)
        a[[0, n - 1]] = 0
        a[n // 50 + 1] = -1
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            for keywords in ({}, {"where": np.ones(n, bool), "out": np.zeros(n)}):
                with pytest.raises(ValueError, match="negative"):
                    f(a, **keywords)
            assert (f(np.ones(n, dtype)) == 1).all()  # and leaves nothing behind, in other threads either
            with np.errstate(divide="ignore"):
                assert np.isinf(f(np.zeros(n, dtype))).all()
            assert (f(np.ones(n, dtype)) == 1).all()


@pytest.mark.parametrize("n", [0, 1, 2, 63, 64, 65, 1000, 4097, 100_003])
def test_parallel_pieces(ours, n):
    x = np.linspace(0, 3, n)
    assert np.array_equal(ours.hypotenuse(x, 4.0), np.sqrt(x * x + 16))
    assert np.array_equal(ours.hypotenuse(x[::-1], x), np.sqrt(x[::-1] * x[::-1] + x * x))
    y = x.copy()
    assert np.array_equal(ours.hypotenuse(y, y, out=y), np.sqrt(x * x + x * x))
    if n > 1:
        shifted = ours.hypotenuse(x[1:].copy(), 0.0)
        assert np.array_equal(ours.hypotenuse(x[1:], 0.0, out=x[:-1]), shifted)


def test_nothing_is_left_of_calls(ours):
    a, negative = np.ones(100), np.full(100, -1.0)
    def once():
        ours.positive(a)
        ours.plus.reduce(a)
        with pytest.raises(ValueError):
            ours.positive(negative)
        with pytest.raises(TypeError):
            ours.either(a, a)
    once()
    gc.collect()
    before = len(gc.get_objects()), sys.getrefcount(a), sys.getrefcount(negative), sys.getrefcount(ours)
    for _ in range(200):
        once()
    gc.collect()
    after = len(gc.get_objects()), sys.getrefcount(a), sys.getrefcount(negative), sys.getrefcount(ours)
    assert after[1:] == before[1:] and after[0] - before[0] < 20


def test_array_protocols(ours):
    class Mine:
        def __array_ufunc__(self, ufunc, method, *inputs, **keywords):
            return ufunc.__name__, method
    assert ours.plus(Mine(), 1) == ("plus", "__call__")
    assert ours.plus.reduce(Mine()) == ("plus", "reduce")


def test_called_from_compiled_code():
    source = """
import math
from numba import njit, vectorize

@vectorize(["int64(int64, int64)", "float64(float64, float64)"])
def half_sum(x, y):
    return (x + y) // 2

@vectorize
def twice(x):
    return x + x

@njit(["float64(float64, int32)", "int64(int64, int64)"])
def use(a, b):
    return half_sum(a, b) + twice(b)
"""
    module = load_module(next(build(source, "callers").glob("callers.*.so")))
    names = {}
    exec(source, names)
    for args in ((7.5, np.int32(2)), (7, 3), (-7, 2)):
        assert module.use(*args) == names["use"](*args)
    assert module.twice.types == ["i->l", "l->l"]  # of the calls
    assert module.twice(np.arange(3)).tolist() == [0, 2, 4]


def test_types_from_beside_the_source(tmp_path):
    (tmp_path / "lazy.py").write_text("from numba import vectorize, guvectorize\n\n@vectorize\ndef f(x, y):\n"
                                      "    return x - y\n\n@guvectorize('(n)->()')\ndef g(x, out):\n"
                                      "    out[0] = x.shape[0]\n")
    (tmp_path / "lazy.sig").write_text("f(int64, int64)\n")
    done = run_pyk2cu("lazy.py", "-o", "out", "--build", "--python", BUILD_PYTHON, "--sig", "f(float64, float64)",
                      "--sig", "g(float64[:], int64[:])", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    module = load_module(next((tmp_path / "out").glob("lazy.*.so")))
    assert module.f.types == ["dd->d"] and module.f(3.0, 1) == 2.0
    assert module.g(np.zeros((2, 5))).tolist() == [5, 5]


def test_types_that_were_seen_are_tried_from_narrow_to_wide(tmp_path):
    (tmp_path / "seen.py").write_text("from numba import njit, vectorize\n\n@vectorize\ndef f(x, y):\n    return x + y\n\n"
                                      "@vectorize\ndef g(x):\n    return x + x\n\n@njit('float64(float64, int64)')\n"
                                      "def use(x, n):\n    return g(x) + g(n)\n\n@vectorize(['float64(float64)', 'int64(int64)'])\n"
                                      "def h(x):\n    return x\n")
    (tmp_path / "kernels.sig").write_text("seen.py:\n  f(complex128, float64)\n  f(float32, float32)\n  f(float64, float64)\n"
                                          "  f(int64, int64)\n  f(int8, int8)\n")  # as `pyk2cu record` sorts them
    done = run_pyk2cu("seen.py", "-o", "out", "--build", "--python", BUILD_PYTHON, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    module = load_module(next((tmp_path / "out").glob("seen.*.so")))
    assert module.f.types.index("bb->l") < module.f.types.index("ll->l") < module.f.types.index("Dd->D")
    assert type(module.f(1, 2)) is np.int64 and type(module.f(1j, 2.5)) is np.complex128
    assert type(module.f(np.float32(1), 2)) is type(np.add(np.float32(1), 2))  # NumPy 1.26 means float64
    assert type(module.f(1.5, 2)) is np.float64
    assert module.g.types == ["l->l", "d->d"] and type(module.g(2)) is np.int64
    assert module.h.types == ["d->d", "l->l"]  # in the user's order: the first that fits, as Numba has it
    assert type(module.h(2)) is np.float64 and module.h(np.arange(3)).dtype == np.float64
