"""Parts of arrays and tuples: .real, .imag and .flat; math.dist, fsum, prod, sumprod; index and count; np.where."""
import cmath
import fractions
import itertools
import math
import pathlib
import random
import sys
import textwrap

import numpy as np
import pytest
from conftest import BUILD_PYTHON, load_module, run_pyk2cu

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "fuzz"))
pytest.importorskip("numba", reason="Numba is the oracle of these tests")
import operators  # noqa: E402
import oracle  # noqa: E402


def exact_sumprod(p, q):
    """math.sumprod for CPythons before 3.12: the exact sum, rounded once."""
    if len(p) != len(q):
        raise ValueError("Inputs are not the same length")
    if not any(isinstance(x, float) for x in (*p, *q)):
        return sum(a * b for a, b in zip(p, q))
    try:
        return float(sum(fractions.Fraction(a) * fractions.Fraction(b) for a, b in zip(p, q))) or 0.0
    except (OverflowError, ValueError):  # too large, infinite, or no number
        return sum(float(a) * float(b) for a, b in zip(p, q))


HAS_SUMPROD = hasattr(math, "sumprod")
if not HAS_SUMPROD:
    math.sumprod = exact_sumprod

SIZES = [0, 1, 2, 13]


def layouts(rank, size, dtype):
    """C, F, strided, negative and read-only arrays of one shape."""
    rng = np.random.default_rng(size)
    shape = tuple(max(size - 2 * axis, min(size, 2)) for axis in range(rank))
    data = (rng.standard_normal(shape) + 1j * rng.standard_normal(shape)).astype(dtype, copy=False) \
        if np.dtype(dtype).kind == "c" else rng.integers(-50, 50, shape).astype(dtype)
    wide = np.zeros(tuple(2 * n for n in shape), dtype)
    strided = wide[(slice(None, None, 2),) * rank]
    strided[...] = data
    every = (slice(None, None, -1),) * rank
    frozen = data.copy()
    frozen.flags.writeable = False
    return [data, np.asfortranarray(data), strided, np.ascontiguousarray(data[every])[every], frozen]


def check(cases, **options):
    differences, stats = oracle.compare(cases, **options)
    assert stats["compared"] == len(cases), stats
    assert not differences, "\n".join(map(str, differences))


def build(cases, tmp_path):
    """Our module, and the same functions under plain Python."""
    module, _, refused = oracle.build(cases, tmp_path)
    assert not refused, refused
    space = {}
    for case in cases:
        exec(oracle.HEADER + textwrap.dedent(case.source), space)
    return module, space


def writable(arrays):
    return [a for a in arrays if a.flags.writeable]


# ---- .real and .imag ---------------------------------------------------------------------------

PARTS = {
    "sums": """
        def sums(z):
            total, last = 0.0, 0.0
            for i in range(len(z)):
                total += z.imag[i] * 2 - z.real[i]
                last = z[i].imag
            return total, last, z.imag.size, z.real.ndim
     """,
    "views": """
        def views(z):
            x = z.real[1:]
            y = z.imag[::-1]
            s = 0.0
            for v in x:
                s += v
            for v in y:
                s = s / 2 + v
            return s, x.shape[0], y.size
     """,
    "stores": """
        def stores(z):
            part = z.imag
            for i in range(len(z)):
                z.real[i] = i
                part[i] *= 3
                z.real[-1] += z[i].imag
            return 0
     """,
    "returned": """
        def returned(z):
            return z.imag
     """,
    "sliced": """
        def sliced(z):
            return z[::2].real[1:]
     """,
}


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_real_and_imag_of_vectors(dtype):
    arrays = [a for size in SIZES for a in layouts(1, size, dtype)]
    for written in [False, True]:
        check([oracle.Case(name, f"({dtype}[:],)", source, [(a,) for a in (writable(arrays) if written else arrays)])
               for name, source in PARTS.items() if (name == "stores") == written], ulp=2)


def test_real_and_imag_of_other_ranks(tmp_path):
    source = """
        def r{0}(z):
            w = z.imag
            for x in z.real{1}:
                for k in range(len(x)):
                    w{2} += x[k]
            return w, z.real, z.T.imag
     """
    cases = [oracle.Case("r2", "(complex128[:,:],)", source.format(2, "", "[0, k]"), []),
             oracle.Case("r3", "(complex128[:,:,:],)", source.format(3, "[0]", "[0, 0, k]"), [])]
    module, space = build(cases, tmp_path)
    for rank, size in itertools.product([2, 3], SIZES[1:]):
        for z in writable(layouts(rank, size, "c16")):
            ours, theirs = z.copy(order="K"), z.copy(order="K")
            for mine, his in zip(getattr(module, f"r{rank}")(ours), space[f"r{rank}"](theirs), strict=True):
                assert np.array_equal(mine, his) and mine.dtype == his.dtype
            assert np.array_equal(ours, theirs)


def test_a_number_stored_in_a_slice():
    arrays = [a for size in SIZES for a in writable(layouts(2, size, "c16"))]
    check([oracle.Case("filled", "(complex128[:,:],)", """
        def filled(z):
            z.imag[1:, ::-2] = 2
            z[:, 0:1] = 1j
            z.real[...] = 3
            return 0
     """, [(a,) for a in arrays])])


def test_real_and_imag_of_read_only_arrays(tmp_path):
    case = oracle.Case("frozen", "(complex64[:,:],)", """
        def frozen(z):
            return z.imag[0, 1] + z.real[1, 0]
     """, [])
    module, _ = build([case], tmp_path)
    for z in layouts(2, 2, "c8"):
        assert module.frozen(z) == z.imag[0, 1] + z.real[1, 0]


def test_views_of_arrays_made_inside(tmp_path):
    cases = [oracle.Case("made", "(int64,)", """
        def made(n):
            z = np.zeros((n, 2), np.complex128)
            w = z[1:].imag
            for i in range(n - 1):
                z.real[i, 1] = 3
                w[i, 0] = i
            return w, n, z.real
     """, [])]
    module, _ = build(cases, tmp_path)
    for n in range(200):
        w, _, x = module.made(50)
        assert (x[:-1, 1] == 3).all() and (w[:, 0] == np.arange(49)).all()


def test_a_returned_part_keeps_its_argument_alive(tmp_path):
    module, _ = build([oracle.Case("returned", "(complex128[:],)", PARTS["returned"], [])], tmp_path)
    z = np.arange(4) * 1j
    part = module.returned(z)
    assert part.base is z and np.shares_memory(part, z)
    references = sys.getrefcount(z)
    del part
    assert sys.getrefcount(z) == references - 1


# ---- .flat -------------------------------------------------------------------------------------

FLAT = {
    "loop": """
        def loop(a):
            s = 0
            for v in a.flat:
                if v == 7:
                    continue
                s = s * 3 % 1000003 + v
            return s
     """,
    "counted": """
        def counted(a):
            s, f = len(a.flat), a.flat
            for i, v in enumerate(f):
                s = s * 3 % 1000003 + v * i
            for v, w, k in zip(a.flat, a.T.flat, range(11)):
                s += v * w + k
            return s
     """,
    "stops": """
        def stops(a):
            for k, v in enumerate(a.flat):
                if v > 20:
                    break
            else:
                k = -1
            return k
     """,
    "read": """
        def read(a):
            f = a.flat
            s = 0
            for i in range(len(f)):
                s = s * 3 % 1000003 + f[i] + a.flat[np.uint8(i)]
            return s
     """,
    "store": """
        def store(a):
            for i in range(len(a.flat)):
                a.flat[i] = i * 5 % 7
                a.flat[i] += 1
            return 0
     """,
}


@pytest.mark.parametrize("rank,kind", [(1, ":"), (1, "::1"), (2, ":,:"), (2, ":,::1"), (2, "::1,:"), (3, ":,:,:")])
def test_flat(rank, kind):
    arrays = [a for size in SIZES for a in layouts(rank, size, "i8")]
    if kind.endswith("1"):
        arrays = [a for a in arrays if a.flags.c_contiguous]
    if kind.startswith("::1,"):
        arrays = [layouts(rank, size, "i8")[1] for size in [2, 13]]
    for written in [False, True]:
        check([oracle.Case(name, f"(int64[{kind}],)", source,
                           [(a,) for a in (writable(arrays) if written else arrays)])
               for name, source in FLAT.items() if (name == "store") == written])


def test_flat_counts_from_the_end_and_is_reversed(tmp_path):
    """Numba reads beyond the array for a negative index; NumPy counts from the end."""
    source = """
        def {0}(a, i):
            s = 0
            for v in reversed(a.flat):
                s = s * 3 % 1000003 + v
            a.flat[-1] = 9
            return s, a.flat[i], a.flat[-2]
     """
    cases = [oracle.Case(f"f{k}", f"(int64[{k}], int64)".replace("k", ""), source.format(f"f{n}"), [])
             for n, k in enumerate([":", ":,:", ":,:,:"])]
    for n, case in enumerate(cases):
        case.name = f"f{n}"
    module, space = build(cases, tmp_path)
    for rank in [1, 2, 3]:
        for a, i in itertools.product(writable(layouts(rank, 13, "i8")), [-5, -1, 0, 3]):
            ours, theirs = a.copy(order="K"), a.copy(order="K")
            function = f"f{rank - 1}"
            expected = 0
            for v in theirs.ravel()[::-1].tolist():
                expected = expected * 3 % 1000003 + v
            theirs.flat[theirs.size - 1] = 9
            assert getattr(module, function)(ours, i) == (expected, theirs.flat[i], theirs.flat[-2])
            assert (ours == theirs).all()


def test_one_flat_runs_once():
    _, stats = oracle.compare([oracle.Case("twice", "(int64[:,:],)", """
        def twice(a):
            f, s = a.flat, 0
            for v in f:
                s += v
            for v in f:
                s += v
            return s
     """, [])], refusals_allowed=["PK"])
    assert stats["refused"] == 1


# ---- math on tuples and vectors, as CPython ----------------------------------------------------

def points(n, seed):
    rng = random.Random(seed)
    special = [0.0, -0.0, 1e300, 5e-324, -1e-310, 1e16, -1e16, 1.0, 0.1, 2.5e-308, -1e300]
    return [rng.choice(special) if rng.random() < 0.3 else rng.uniform(-1, 1) * 10 ** rng.randint(-20, 20)
            for _ in range(n)]


def same(a, b):
    return type(a) is type(b) and (a == b and math.copysign(1, a) == math.copysign(1, b) or a != a and b != b)


def test_sums_of_vectors(tmp_path):
    cases = [oracle.Case("dist", "(float64[:], float64[:])", "def dist(p, q):\n    return math.dist(p, q)", []),
             oracle.Case("fsum", "(float64[:],)", "def fsum(p):\n    return math.fsum(p)", []),
             oracle.Case("prod", "(float64[:],)", "def prod(p):\n    return math.prod(p, start=1.0)", []),
             oracle.Case("sumprod", "(float64[:], float64[:])",
                         "def sumprod(p, q):\n    return math.sumprod(p, q)", [])]
    module, space = build(cases, tmp_path)
    for n, seed in itertools.product([0, 1, 2, 3, 13, 200], range(40)):
        p, q = points(n, seed), points(n, seed + 1000)
        p2, q2 = np.repeat(p, 2)[::2], np.array(q[::-1])[::-1]
        assert same(module.dist(p2, q2), math.dist(p, q)), (p, q)
        assert same(module.prod(p2), math.prod(p, start=1.0)), p
        assert same(module.sumprod(p2, q2), float(math.sumprod(p, q))), (p, q)
        try:
            assert same(module.fsum(p2), math.fsum(p)), p
        except OverflowError:
            assert math.isinf(module.fsum(p2))
    for bad in [module.dist, module.sumprod]:
        with pytest.raises(ValueError, match="same"):
            bad(np.zeros(2), np.zeros(3))
    inf, nan = math.inf, math.nan
    for p, q in itertools.product([[inf, 1.0], [nan, 2.0], [nan, inf], [-inf, 3.0]], repeat=2):
        assert same(module.dist(np.array(p), np.array(q)), math.dist(p, q))
        assert same(module.sumprod(np.array(p), np.array(q)), math.sumprod(p, q))
    assert module.fsum(np.array([inf, 1.0])) == inf and math.isnan(module.fsum(np.array([inf, -inf])))


def test_sums_of_whole_numbers(tmp_path):
    source = "def {0}(p, q):\n    return math.prod(p), math.prod(p, start=q[0]), math.sumprod(p, q), math.fsum(q)"
    cases = [oracle.Case(f"w{k}", f"({t}[:], {t}[:])", source.format(f"w{k}"), [])
             for k, t in enumerate(["int8", "int64", "uint32", "uint64"])]
    module, _ = build(cases, tmp_path)
    for k, t in enumerate(["i1", "i8", "u4", "u8"]):
        for n in [1, 2, 5]:
            p, q = np.arange(1, n + 1, dtype=t), np.arange(2, n + 2, dtype=t)
            assert getattr(module, f"w{k}")(p, q) == (
                math.prod(p.tolist()), math.prod(p.tolist(), start=2), math.sumprod(p.tolist(), q.tolist()),
                math.fsum(q.tolist()))


TUPLES = {
    "floats": ("(float64, float64, float64)",
               "math.dist((a, b, c), (c, a, 2)), math.fsum((a, b, c, 1e16, 1, -1e16)), math.prod((a, b, c)), "
               "math.sumprod((a, b, c), (c, b, a))"),
    "mixed": ("(int64, float64, int64)",
              "math.sumprod((a, c, b, 2), (c, a, 3, b)), math.sumprod((a, b, c), (c, b, a)), math.prod((a, b, c)), "
              "math.fsum((a, b, c)), math.dist((a,), (c,)), math.prod((b,), start=a)"),
    "whole": ("(int64, int64, int64)",
              "math.sumprod((a, b), (b, c)), math.prod((a, b, c)), math.prod((a, b), start=c), math.fsum((a, b, c)), "
              "math.sumprod((), ()), math.prod(()), math.fsum(()), math.dist((), ()), math.prod((True, a > 0))"),
    "parts": ("(int64, int64, int64)", "(a, b, c, a).count(a), (a, b, a).index(a), (b, c, a).index(a), ().count(a)"),
    "nested": ("(int64, int64, float64)", "((a, b), (b, a)).index((b, a)), (a, c, 2).count(2), (a, c).index(c)"),
    "jays": ("(int64, int64, int64)", "cmath.infj, cmath.nanj.imag, cmath.nanj.real, cmath.infj.real"),
}


@pytest.mark.skipif(not HAS_SUMPROD, reason="how CPython rounds sums of ints and floats mixed: 3.12 and later")
def test_sums_of_tuples(tmp_path):
    cases = [oracle.Case(name, signature, f"def {name}(a, b, c):\n    return {expression}", [])
             for name, (signature, expression) in TUPLES.items()]
    module, space = build(cases, tmp_path)
    for name, seed in itertools.product(TUPLES, range(60)):
        rng = random.Random(seed)
        arguments = [rng.randint(-9, 9) if t == "int64" else rng.choice(points(3, seed) + [2.0, 1e16])
                     for t in TUPLES[name][0][1:-1].split(", ")]
        ours, theirs = getattr(module, name)(*arguments), space[name](*arguments)
        assert all(same(x, y) if isinstance(y, float) else x == y for x, y in zip(ours, theirs, strict=True)), (
            name, arguments, ours, theirs)


def test_index_of_a_tuple_as_numba():
    check([oracle.Case(f"i{k}", f"({t}, {t}, {u})", f"""
        def i{k}(a, b, x):
            t = (a, b, a)
            return t.index(x)
     """, [(1, 2, 1), (1, 2, 2), (1, 2, 3)])
        for k, (t, u) in enumerate(itertools.product(["int64", "float32", "uint8"], repeat=2))])


def test_infj_and_nanj_as_numba():
    check([oracle.Case("jays", "(float64,)", "def jays(x):\n    return cmath.infj + x, cmath.nanj", [(1.0,)])])
    assert cmath.isinf(cmath.infj)


# ---- np.where of numbers -----------------------------------------------------------------------

def test_where_of_three_numbers():
    kinds = ["boolean", "int8", "uint8", "int32", "int64", "uint64", "float32", "float64", "complex64", "complex128"]
    values = {"boolean": (True, False)}
    cases = []
    for k, (a, b) in enumerate(operators.unordered(kinds)):
        x, y = values.get(a, (3, 4))[0], values.get(b, (3, 4))[1]
        cases.append(oracle.Case(f"w{k}", f"({['boolean', 'int64', 'float64'][k % 3]}, {a}, {b})", f"""
        def w{k}(c, x, y):
            w = np.where(c, x, y)
            return w[()], w.ndim
     """, [(True, x, y), (False, x, y)]))
    check(cases)


def test_reductions_of_a_number(tmp_path):
    (tmp_path / "of_number.py").write_text('''
import numpy as np
from numba import njit


@njit(["UniTuple(float64, 6)(float64)", "UniTuple(float64, 6)(int32)", "UniTuple(float64, 6)(boolean)"])
def reduced(x):
    return np.sum(x), np.mean(x), np.prod(x), np.std(x), np.var(x), np.sum(np.sum(np.ones(3), 0))


@njit(["int64(int32)", "float64(float64)"])
def total(x):
    return np.sum(x)
''')
    done = run_pyk2cu("of_number.py", "-o", "out", "--build", "--python", BUILD_PYTHON, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    module = load_module(next((tmp_path / "out").glob("of_number.*.so")))
    for x in (2.5, np.int32(-3), True, np.nan):
        want = [np.sum(x), np.mean(x), np.prod(x), np.std(x), np.var(x), 3.0]
        np.testing.assert_array_equal(module.reduced(x), want)
    assert type(module.total(np.int32(5))) is int and module.total(np.int32(5)) == 5 and module.total(0.5) == 0.5
