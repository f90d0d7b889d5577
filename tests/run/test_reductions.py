"""NumPy's functions of whole arrays: one number of them, ranges, running sums, sorting; fill and sort in place."""
import pathlib
import sys

import numpy as np
import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "fuzz"))
pytest.importorskip("numba", reason="Numba is the oracle of these tests")
import oracle  # noqa: E402
from conftest import run_pyk2cu  # noqa: E402

INTEGERS = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]
FLOATS = ["float32", "float64"]
COMPLEX = ["complex64", "complex128"]
NUMBERS = ["boolean"] + INTEGERS + FLOATS + COMPLEX
KINDS = ["boolean", "int8", "uint64", "float32", "complex128"]  # of methods, which are the functions once more


def numpy_name(dtype):
    return "bool" if dtype == "boolean" else dtype


def numbers(dtype, shape, seed):
    rng = np.random.default_rng(seed)
    kind = np.dtype(numpy_name(dtype)).kind
    if kind == "b":
        return rng.integers(0, 2, shape).astype(bool)
    if kind in "iu":
        info = np.iinfo(dtype)
        return rng.integers(info.min, info.max, shape, dtype=dtype, endpoint=True)
    values = rng.integers(-9, 9, shape) / 4
    return (values + 1j * rng.integers(-9, 9, shape) if kind == "c" else values).astype(dtype)


def vectors(dtype):
    """Empty, short, long, strided, reversed, read-only; floats with NaN and infinities."""
    a = numbers(dtype, 23, 1)
    frozen = a.copy()
    frozen.flags.writeable = False
    out = [a[:0], a[:1], a[:2], a, a[::3], a[::-1], a[::-4], frozen, np.zeros_like(a), np.ones_like(a)]
    if np.dtype(numpy_name(dtype)).kind == "f":
        for k, value in [(0, np.nan), (7, np.nan), (22, np.nan), (3, np.inf), (4, -np.inf), (5, -0.0)]:
            odd = a.copy()
            odd[k] = value
            out.append(odd)
        out.append(np.full(5, np.nan, dtype))
    return out


def matrices(dtype):
    a = numbers(dtype, (5, 7), 2)
    return [a, np.asfortranarray(a), a.T, a[::2, ::-1], a[::-1], a[:0], a[:, :0], a[:1, :1]]


def check(cases, **options):
    differences, stats = oracle.compare(cases, **options)
    assert stats["compared"] == len(cases), stats
    assert not differences, "\n".join(map(str, differences))


def calls(name, expression, dtypes, inputs, parameters="a", more=""):
    return [oracle.Case(f"{name}_{dtype}", f"({dtype}{rank}{more},)", f"""
        def {name}_{dtype}({parameters}):
            return {expression}
     """, values) for dtype in dtypes for rank, values in inputs(dtype)]


def of_vectors(dtype):
    return [("[:]", [(a,) for a in vectors(dtype)])]


def of_matrices(dtype):
    return [("[:,:]", [(a,) for a in matrices(dtype)])]


@pytest.mark.parametrize("inputs", [of_vectors, of_matrices], ids=["vectors", "matrices"])
@pytest.mark.parametrize("function", ["sum", "prod", "mean", "min", "max", "any", "all", "argmin", "argmax"])
def test_one_number(function, inputs):
    dtypes = [d for d in NUMBERS if not (function.startswith("arg") and d in COMPLEX)]
    check(calls("f", f"np.{function}(a)", dtypes, inputs) +
          calls("m", f"a.{function}()", [d for d in KINDS if d in dtypes], inputs))


def many_numbers(dtype):
    """Longer than what vectors take at once: the first extreme is in the middle, at an end, or a NaN."""
    many = numbers(dtype, 701, 3)
    out = [many, many[::-1], np.repeat(many, 300)[:601], np.zeros(300, dtype), np.sort(many), np.sort(many)[::-1].copy()]
    if np.dtype(dtype).kind == "f":
        out += [np.where(np.arange(701) == 500, np.nan, many).astype(dtype), -0.0 * np.sign(many)]
    return [("[:]", [(a,) for a in out])]


@pytest.mark.parametrize("function", ["min", "max", "argmin", "argmax"])
def test_extremes_of_many(function):
    check(calls("f", f"np.{function}(a)", INTEGERS + FLOATS, many_numbers))


LIMITS = [("float64[:]", "np.finfo(a).eps", np.ones(3)), ("float32", "np.finfo(a).max", 2.0), ("complex64", "np.finfo(a).eps", 2.0),
          ("float64", "a + np.finfo(0.).tiny", 0.0), ("int8", "np.iinfo(a).min", 3), ("uint16[:]", "np.iinfo(a).max",
          np.ones(2, np.uint16)), ("int64", "np.iinfo(a + 1).max", 3)]


def test_limits_of_values():
    check([oracle.Case(f"limit{k}", f"({kind},)", f"""
        def limit{k}(a):
            return {expression}
     """, [(value,)]) for k, (kind, expression, value) in enumerate(LIMITS)])


SORTED = [([], [0, 1.5]), ([2], [1, 2, 3]), ([1, 1, 2, 2, 2, 5], [0, 1, 2, 3, 5, 6]), ([1, 2, np.inf, np.nan, np.nan],
          [0, 2, np.inf, np.nan, -np.inf]), ([3, 2, 1], [0, 1, 2, 3, 4])]


@pytest.mark.parametrize("side", ["", ", 'left'", ", side='right'"])
def test_searchsorted(side):
    def pairs(dtype, of):
        whole = np.dtype(dtype).kind != "f"
        for a, values in SORTED:
            a, values = ([x for x in of if np.isfinite(x)] if kind else of for of, kind in
                         [(a, whole), (values, np.dtype(of).kind != "f")])
            a = np.array(a, dtype)
            yield a, np.array(values, of)
            yield np.repeat(a, 2)[::2], np.array(values, of)[::-1]

    cases = []
    for number, (dtype, of) in enumerate([("float64", "float64"), ("float32", "float64"), ("int64", "int64"),
                                          ("int32", "int64"), ("uint8", "int16"), ("int64", "float64"),
                                          ("float64", "int64"), ("float32", "float32")]):
        both = list(pairs(dtype, of))
        cases += [oracle.Case(f"one{number}", f"({dtype}[:], {of})", f"""
            def one{number}(a, v):
                return np.searchsorted(a, v{side})
         """, [(a, v.item()) for a, values in both for v in values]),
                  oracle.Case(f"many{number}", f"({dtype}[:], {of}[:])", f"""
            def many{number}(a, v):
                return np.searchsorted(a, v{side})
         """, [(a, values) for a, values in both if values.size and (np.diff(a) >= 0).all()])]
    check(cases)


RANGES = {
    "stop": ("int64", [(n,) for n in (-3, 0, 1, 7)], "n", "np.arange(n)"),
    "both": ("int64, int32", [(-3, 4), (4, 4), (5, 2), (0, 9)], "m, n", "np.arange(m, n)"),
    "stepped": ("int64, int64, int64", [(0, 9, 2), (9, 0, -3), (0, 9, -1), (3, 3, 1), (0, 1, 5)], "m, n, k",
                "np.arange(m, n, k)"),
    "floats": ("float64, float64, float64", [(0, 1, 0.1), (1, 0, -0.25), (-1.5, 2.0, 0.75), (0, 0, 1), (2, 1, 1)],
               "m, n, k", "np.arange(m, n, k)"),
    "narrow": ("float32", [(3.5,), (-1.0,)], "n", "np.arange(n)"),
    "typed": ("int64", [(5,)], "n", "np.arange(1, n, dtype=np.float32)"),
    "small": ("int64", [(5,)], "n", "np.arange(0, n, 1, np.uint8)"),
}


def test_ranges():
    cases = [oracle.Case(name, f"({signature},)", f"""
        def {name}({parameters}):
            return {expression}
     """, inputs) for name, (signature, inputs, parameters, expression) in RANGES.items()]
    check(cases)


def test_a_range_without_step(tmp_path):
    module, _, refused = oracle.build([oracle.Case("r", "(float64, float64)", """
        def r(n, k):
            return np.arange(0.0, n, k)
     """, [])], tmp_path)
    assert not refused
    with pytest.raises(ValueError, match="Maximum allowed size exceeded"):
        module.r(3.0, 0.0)


def test_linspace():
    inputs = [(0.0, 1.0, n) for n in (0, 1, 2, 7, 50)] + [(3.5, -2.0, 12), (np.inf, 1.0, 3), (0.1, 0.1, 4), (0.0, 1.0, -1)]
    check([oracle.Case("spaced", "(float64, float64, int64)", """
        def spaced(a, b, n):
            return np.linspace(a, b, n)
     """, inputs), oracle.Case("fifty", "(int64, float32)", """
        def fifty(a, b):
            return np.linspace(a, b)
     """, [(1, 2.5), (3, 3.0)]), oracle.Case("plane", "(complex128, float64)", """
        def plane(a, b):
            return np.linspace(a, b, 5)
     """, [(1 + 2j, 2.5)])])


@pytest.mark.parametrize("function", ["cumsum", "cumprod"])
def test_running_totals(function):
    for inputs in (of_vectors, of_matrices):
        check(calls("f", f"np.{function}(a)", NUMBERS, inputs) + calls("m", f"a.{function}()", KINDS, inputs))


def test_sorting():
    dtypes = ["boolean"] + INTEGERS + FLOATS

    def inputs(dtype):
        return [("[:]", [(a,) for a in vectors(dtype) if not np.signbit(a[a == 0]).any()])]  # 0.0 and -0.0 are equal

    frozen = calls("f", "np.sort(a)", dtypes, inputs)
    place = [oracle.Case(f"p_{d}", f"({d}[:],)", f"""
        def p_{d}(a):
            a.sort()
            a[1:].sort()
            return a.size
     """, [(a,) for a, in inputs(d)[0][1] if a.flags.writeable]) for d in dtypes]
    check(frozen + place)


def test_order():
    distinct = [(np.random.default_rng(n).permutation(n).astype("f8")[::step],) for n in (0, 1, 9, 200) for step in (1, -2)]
    check([oracle.Case("order", "(float64[:],)", """
        def order(a):
            return np.argsort(a)
     """, distinct), oracle.Case("method", "(float64[:],)", """
        def method(a):
            return a.argsort()
     """, distinct), oracle.Case("stable", "(int64[:],)", """
        def stable(a):
            return np.argsort(a, kind='mergesort')
     """, [(np.array([3, 1, 3, 1, 2, 2, 3]),), (np.arange(40) % 7,)])])


def test_fill():
    cases = [oracle.Case(f"fill_{d}", f"({d}[:,:], {v})", f"""
        def fill_{d}(a, v):
            a.fill(v)
            a[::2, 1:].fill(v + v)
            return a.size
     """, [(a, value) for a in matrices(d)]) for d, v, value in
             [("int8", "int64", 3), ("float32", "float64", 1.5), ("complex64", "complex128", 1 - 2j),
              ("uint16", "uint16", 7), ("float64", "int64", -4)]]
    check(cases)


def test_what_is_computed_is_the_value_of_that_moment():
    check([oracle.Case("order", "(float64[:],)", """
        def order(a):
            s = np.sum(a) + a.max()
            b = np.sort(a)
            a.fill(2.0)
            t = a.sum() - s
            b[0] -= 1.0
            c = np.cumsum(b)
            return s, t, b.min(), a.min(), np.arange(3).sum() + np.argmax(np.linspace(0.0, 1.0, 4)), c[-1], b.any()
     """, [(np.arange(5.0),), (np.ones(1),)])])


def test_beside_functions_of_numbers():
    check([oracle.Case("both", "(float64[:],)", """
        def both(a):
            return np.maximum(np.max(a), np.sin(np.min(a))) + np.floor(a[np.argmax(a)]), np.isnan(a.max())
     """, [(np.arange(5.0),), (np.array([1.0, np.nan]),)])])


REFUSED = {
    "axis": "np.sum(a, axis=len(a))[0]",
    "initial": "np.sum(a, initial=2.0)",
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_makes_other_arrays_is_refused(name, tmp_path):
    (tmp_path / "k.py").write_text(f"import numpy as np\nfrom numba import njit\n\n\n@njit('float64(float64[:,:])')\n"
                                   f"def f(a):\n    return {REFUSED[name]}\n")
    done = run_pyk2cu("k.py", "-o", "out", cwd=tmp_path)
    assert done.returncode == 1 and "PK5002" in done.stderr


def test_kernels_have_none(tmp_path):
    (tmp_path / "k.py").write_text("import numpy as np\nfrom numba import cuda\n\n\n@cuda.jit('void(float64[:])')\n"
                                   "def f(a):\n    a[0] = np.sum(a)\n    a.sort()\n    a[1] = np.arange(3)[1]\n")
    done = run_pyk2cu("k.py", "-o", "out", cwd=tmp_path)
    assert done.returncode == 1 and done.stderr.count("error[") == 3, done.stderr
