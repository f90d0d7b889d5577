"""Structured arrays beside Numba: fields by name, nested, packed and placed; records that show memory; what fits."""
import importlib.util
import pathlib
import pickle

import numpy as np
import pytest
from conftest import build, load_module, run_pyk2cu

SOURCE = pathlib.Path(__file__).parent / "kernels/records.py"
SIZES = (0, 1, 2, 3, 7, 65, 1000)


@pytest.fixture(scope="module")
def ours():
    return load_module(next(build(SOURCE.read_text(), "records").glob("records.*.so")))


@pytest.fixture(scope="module")
def theirs():
    spec = importlib.util.spec_from_file_location("records_of_numba", SOURCE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def filled(dtype, shape, rng):
    """Records of numbers below 100, in all fields."""
    a = np.zeros(shape, dtype)

    def fill(part):
        for name in part.dtype.names:
            field = part[name]
            if field.dtype.names:
                fill(field)
            elif field.dtype.kind == "S":
                part[name] = b"ab"
            elif field.dtype.kind == "b":
                part[name] = rng.random(field.shape) < 0.5
            else:
                part[name] = rng.random(field.shape) * 100
    fill(a)
    return a


CASES = {  # name of the function: n, dtypes, random numbers -> arguments
    "total": lambda n, d, r: (filled(d.particle, n, r),),
    "move": lambda n, d, r: (filled(d.particle, n, r), 0.5),
    "packed_sum": lambda n, d, r: (filled(d.packed, n, r),),
    "packed_set": lambda n, d, r: (filled(d.packed, n, r), 0.25),
    "energy": lambda n, d, r: (filled(d.particle, n, r),),
    "make": lambda n, d, r: (n,),
    "copies": lambda n, d, r: (filled(d.particle, n, r), filled(d.particle, n + 1, r)),
    "nested": lambda n, d, r: (filled(d.body, n, r),),
    "nested_set": lambda n, d, r: (filled(d.body, n, r), 1.5),
    "sizes": lambda n, d, r: (filled(d.body, n, r),),
    "plane": lambda n, d, r: (filled(d.body, (n, 3), r),),
    "swap": lambda n, d, r: (filled(d.body, n, r),),
    "pushes": lambda n, d, r: (filled(d.body, n, r), 0.5),
    "whole": lambda n, d, r: (filled(d.body, n, r), 0.5),
    "slices": lambda n, d, r: (filled(d.body, n, r),),
    "part": lambda n, d, r: (filled(d.body, n, r),),
    "local": lambda n, d, r: (n,),
    "par": lambda n, d, r: (filled(d.body, n, r),),
    "nbody": lambda n, d, r: (filled(d.vec, n, r), np.zeros(n)),
    "early": lambda n, d, r: (filled(d.body, n, r), 30),
    "offsets": lambda n, d, r: (filled(d.placed, n, r),),
    "any_larger": lambda n, d, r: (filled(d.body, n, r), filled(d.body, 3, r)),
    "swaps_do_not": lambda n, d, r: (filled(d.body, n, r), filled(d.body, n, r)),
    "nearest": lambda n, d, r: (filled(d.vec, n, r), filled(d.vec, 7, r), np.zeros(n)),
    "walks": lambda n, d, r: (filled(d.particle, n, r), 40),
}
NOT_EMPTY = {
    "pick": lambda n, d, r: (filled(d.body, n, r), n // 2),
    "best": lambda n, d, r: (filled(d.body, n, r),),
    "views": lambda n, d, r: (filled(d.body, n, r),),
    "carried": lambda n, d, r: (filled(d.body, n, r), n),
    "indirect": lambda n, d, r: (filled(d.body, n, r), r.integers(0, n, 2 * n)),
    "shifts": lambda n, d, r: (filled(d.body, n, r), n),
}
STRIDED = {
    "rows of Fortran": ("plane", lambda n, d, r: (np.asfortranarray(filled(d.body, (n, 3), r)),)),
    "reversed": ("packed_set", lambda n, d, r: (filled(d.packed, 2 * n, r)[::-2], 0.25)),
    "reversed nested": ("nested_set", lambda n, d, r: (filled(d.body, 2 * n, r)[::-2], 0.25)),
    "backwards": ("nbody", lambda n, d, r: (filled(d.vec, n, r)[::-1], np.zeros(3 * n)[::3])),
}


def assert_equal(ours, theirs):
    if isinstance(theirs, tuple):
        assert len(ours) == len(theirs)
        for mine, other in zip(ours, theirs):
            assert_equal(mine, other)
    elif isinstance(theirs, (np.ndarray, np.void)):
        assert type(ours) is type(theirs) and ours.dtype == theirs.dtype and ours.shape == theirs.shape
        assert ours.tobytes() == theirs.tobytes()
    elif isinstance(theirs, float):
        assert ours == pytest.approx(theirs, rel=1e-12)
    else:
        assert ours == theirs


def check(ours, theirs, function, make):
    for n in SIZES if function not in NOT_EMPTY else SIZES[1:]:
        mine, other = (make(n, theirs, np.random.default_rng(n)) for _ in range(2))
        result, expected = getattr(ours, function)(*mine), getattr(theirs, function)(*other)
        if function == "pick":  # a NumPy scalar, where Numba has a record array of its own
            assert isinstance(result, np.void)
            result, expected = np.array(result), np.array(expected)
        assert_equal((result,) + mine, (expected,) + other)


@pytest.mark.parametrize("function", [*CASES, *NOT_EMPTY])
def test_is_what_numba_computes(ours, theirs, function):
    check(ours, theirs, function, (CASES | NOT_EMPTY)[function])


@pytest.mark.parametrize("name", STRIDED)
def test_other_strides(ours, theirs, name):
    check(ours, theirs, *STRIDED[name])


def test_both_arguments_may_be_one(ours, theirs):
    a, b = (filled(theirs.particle, 9, np.random.default_rng(1)) for _ in range(2))
    ours.copies(a, a), theirs.copies(b, b)
    assert a.tobytes() == b.tobytes()


def test_one_record_is_its_array_s_memory(ours, theirs):
    a = filled(theirs.particle, 3, np.random.default_rng(1))
    assert ours.one(a[1]) == a["x"][1] + a["mass"][1]
    assert a["y"][1] == 5.0 and a["y"][0] != 5.0
    picked = ours.pick(b := filled(theirs.body, 3, np.random.default_rng(1)), 2)
    picked["m"] = -1.0
    assert b["m"][2] == -1.0


def test_a_record_by_itself_is_written_to(ours, theirs):
    record = filled(theirs.particle, 3, np.random.default_rng(1))[0].copy()
    assert ours.one(record) == record["x"] + record["mass"]
    assert record["y"] == 5.0
    made = pickle.loads(pickle.dumps(record))  # which has memory of its own
    with pytest.raises(TypeError, match="is no element of an array"):
        ours.one(made)


def test_record_arrays_fit(ours, theirs):
    a = filled(theirs.particle, 5, np.random.default_rng(1))
    assert ours.total(a.view(np.recarray)) == ours.total(a)


@pytest.mark.parametrize("given", ["another size", "another name", "another place", "no fields"])
def test_other_dtypes_do_not_fit(ours, given):
    dtype = {"another size": [("x", "f8"), ("y", "f8"), ("mass", "f4"), ("id", "i8")],
             "another name": [("x", "f8"), ("z", "f8"), ("mass", "f4"), ("id", "i4")],
             "another place": [("x", "f8"), ("y", "f8"), ("id", "i4"), ("mass", "f4")],
             "no fields": "f8"}[given]
    with pytest.raises(TypeError, match=r"array of rank 1 given, Record\(\[\('x', float64, 0\)"):
        ours.total(np.zeros(3, dtype))


def test_read_only_and_misaligned(ours, theirs):
    a = filled(theirs.particle, 4, np.random.default_rng(1))
    a.flags.writeable = False
    assert ours.total(a) > 0
    with pytest.raises(TypeError, match="is read-only"):
        ours.move(a, 1.0)
    odd = np.frombuffer(bytearray(1 + a.nbytes), theirs.particle, 4, 1)
    odd[:] = a
    assert ours.total(odd) == ours.total(a)
    with pytest.raises(TypeError, match="is not aligned"):
        ours.move(odd, 1.0)


def test_fields_are_apart_without_a_question(ours):
    """Stores to one field and loads of another do not meet: no question, where no other array is there."""
    text = "".join(p.read_text() for p in sorted(build(SOURCE.read_text(), "records").glob("records.[cl]*")))
    move = text[text.rindex("void move("):]
    body = move[:move.index("\n}\n")]
    assert "a_y(i) = a_x(i) * 2.0" in body and "disjoint" not in body


@pytest.mark.parametrize("line, code", [("a[0].z", "PK3033"), ('a["z"]', "PK3033"), ("a[0].name", "PK5005"),
                                        ("a.name", "PK5005"), ("a[0] + 1", "PK")])
def test_what_is_refused_says_so(tmp_path, line, code):
    (tmp_path / "k.py").write_text(f"""import numba, numpy as np
from numba import njit
t = numba.from_dtype(np.dtype([("x", "f8"), ("name", "S5")]))

@njit(numba.float64(t[:]))
def f(a):
    return {line}
""")
    done = run_pyk2cu("k.py", "-o", "out", cwd=tmp_path)
    assert done.returncode == 1 and f"error[{code}" in done.stderr


DTYPES = ['np.dtype("i4, f8")', 'np.dtype([("x", "f8"), ("m", "f8", (4, 8))])', 'np.dtype([("x", "u1"), ("s", "S254")])', 'np.dtype([("s", "<U5"), ("n", "|S3")])',
          'np.dtype([("big", "f4", 25000), ("x", "f8")])', 'np.dtype([("a", "i4"), ("b", "<f8", (1,))])', 'np.dtype("(2,)f4, u1, 3i2", align=True)',
          'np.dtype([("a", "u1"), ("b", [("c", "i2"), ("d", "f8")])], align=True)',
          'np.dtype([("t", "M8[s]"), ("u", "U3"), ("a", "f4")])', 'np.dtype({"names": ["a"], "formats": ["f4"]})',
          'np.dtype({"names": ["a", "b"], "formats": ["u1", "f8"]}, align=True)', 'np.dtype([("f", "f2"), ("a", "i8")])']


@pytest.mark.parametrize("dtype", DTYPES)
def test_dtypes_are_numpy_s(compile_text, dtype):
    """The module takes arrays of the very dtype, and of no other."""
    module = compile_text(f"""import numba, numpy as np
from numba import njit
d = {dtype}

@njit((numba.from_dtype(d)[:],))
def f(a):
    return a.nbytes
""")
    made = eval(dtype)
    assert module.f(np.zeros(3, made)) == 3 * made.itemsize


NO_DTYPES = ['[("x", "f8", 1), ("y", "i4")]', '"1f8, i4"', '[("x", "f8"), ("x", "i4")]', '[("x", "M8[hello]")]', '[("x", "f8", (1 << 16, 1 << 16))]',
             '{"names": ["x"], "formats": ["f8"], "titles": ["t"]}', '{"names": ["x"], "formats": ["f8"], "offsets": [1 << 31]}',
             '{"names": ["x", "y"], "formats": ["i1", "f8"], "offsets": [0, 1], "itemsize": 9}, align=True']


@pytest.mark.parametrize("dtype", NO_DTYPES)
def test_dtypes_that_are_none_or_not_known_everywhere(tmp_path, dtype):
    (tmp_path / "k.py").write_text(f"""import numba, numpy as np
from numba import njit
d = np.dtype({dtype})

@njit((numba.from_dtype(d)[:],))
def f(a):
    return a.nbytes
""")
    done = run_pyk2cu("k.py", "-o", "out", cwd=tmp_path)
    assert done.returncode == 1 and "error[PK" in done.stderr and "PK9" not in done.stderr


@pytest.mark.parametrize("text", ["Record([('x', int8, 0), ('y', float64, 1)], 9, True)", "Record([('x', float64, 0), ('x', float64, 8)], 16)",
                                  "Record([('x', 'M8[hello]', 0)], 8)", "Record([('x', NestedArray(float64, (4294967296, 4294967296)), 0)], 8)",
                                  "Record([('x', float64[:], 0)], 8)", "Record([('x', float64, 8)], 8)"])
def test_records_in_signatures_that_are_none(tmp_path, text):
    (tmp_path / "k.py").write_text("from numba import njit\n\n\n@njit\ndef f(a):\n    return a.nbytes\n")
    done = run_pyk2cu("k.py", "-o", "out", "--sig", f"f=({text}[:],)", cwd=tmp_path)
    assert done.returncode == 1 and "error[PK20" in done.stderr


def test_a_record_is_known_before_the_one_around_it(compile_text):
    """Whichever a function takes first; also where only a helper takes the inner one."""
    module = compile_text("""import numba, numpy as np
from numba import float64, from_dtype, njit
vec = np.dtype([("x", "f8")])
body = np.dtype([("p", vec), ("n", "i4")])
pair = np.dtype([("a", body), ("b", vec)])

@njit(float64(from_dtype(vec)[:]))
def f(v):
    return v[0].x

@njit(float64(from_dtype(pair)[:]))
def h(b):
    return b[0].a.p.x + b[0].b.x

@njit(float64(from_dtype(body)[:]))
def g(b):
    return b[0].p.x
""")
    vec = np.dtype([("x", "f8")])
    body = np.dtype([("p", vec), ("n", "i4")])
    pair = np.zeros(1, [("a", body), ("b", vec)])
    pair["a"]["p"]["x"], pair["b"]["x"] = 2.0, 3.0
    assert (module.f(pair["b"]), module.g(pair["a"]), module.h(pair)) == (3.0, 2.0, 5.0)


def test_many_records(compile_text):
    count = 140
    source = "import numba, numpy as np\nfrom numba import njit\n"
    for k in range(count):
        source += f"\n\n@njit((numba.from_dtype(np.dtype([('x{k}', 'i8')]))[:],))\ndef f{k}(a):\n    return a[0].x{k}\n"
    module = compile_text(source)
    for k in (0, 127, 128, count - 1):
        assert getattr(module, f"f{k}")(np.full(1, k, [(f"x{k}", "i8")])) == k
        with pytest.raises(TypeError):
            getattr(module, f"f{k}")(np.full(1, k, [("other", "i8")]))


def test_records_that_overlap(ours, theirs):
    """Views of as_strided: read, and refused where they are written to."""
    b = np.arange(42.0)
    a = np.lib.stride_tricks.as_strided(b.view(theirs.particle), (12,), (8,))
    assert ours.total(a) == pytest.approx(sum(float(r["x"]) * float(r["mass"]) for r in a))
    with pytest.raises(TypeError, match="has records that overlap"):
        ours.walks(a, 3)


def test_records_in_tuples_and_options(compile_text):
    module = compile_text("""import numba, numpy as np
from numba import float64, int64, njit, types
d = np.dtype([("x", np.float64), ("id", np.int32)])
t = numba.from_dtype(d)

@njit(float64(types.Tuple((t, int64))))
def first(pair):
    return pair[0].x * pair[1]

@njit(float64(types.optional(t)))
def maybe(r):
    if r is None:
        return -1.0
    return r.x

@njit(types.Tuple((t[:], t))(t[:]))
def both(a):
    return a, a[1]
""")
    a = filled(np.dtype([("x", np.float64), ("id", np.int32)]), 3, np.random.default_rng(1))
    assert module.first((a[1], 2)) == 2 * a["x"][1]
    assert module.maybe(None) == -1.0 and module.maybe(a[2]) == a["x"][2]
    whole, one = module.both(a)
    assert whole is a and one == a[1]


@pytest.mark.parametrize("line", ["np.ones(3, t)", "np.ones_like(a)", "np.full(3, 1.0, t)"])
def test_makers_that_records_are_not_for(tmp_path, line):
    (tmp_path / "k.py").write_text(f"""import numba, numpy as np
from numba import njit
t = numba.from_dtype(np.dtype([("id", "i4"), ("x", "f8")]))

@njit(numba.float64(t[:]))
def f(a):
    return {line}[0].x
""")
    done = run_pyk2cu("k.py", "-o", "out", cwd=tmp_path)
    assert done.returncode == 1 and "error[PK" in done.stderr


def test_types_are_printed_as_they_are_read():
    source = 'from numba import njit\n\n\n@njit\ndef f(a):\n    return a[0].x + a[0].p[1]\n'
    text = "Record([('x', float64, 0), ('p', NestedArray(float32, (3,)), 8), ('s', 'S4', 20)], 24)"
    out = build(source, "kernels", ("--sig", f"f=({text}[:],)"))
    module = load_module(next(out.glob("kernels.*.so")))
    a = np.array([(1.5, (1, 2, 3), b"a")], [("x", "f8"), ("p", "f4", 3), ("s", "S4")])
    assert module.f(a) == 3.5
    assert text in (out / "kernels.cpp").read_text()


def test_kernels_take_records(compile_text):
    """Launched on the CPU, as all kernels are."""
    module = compile_text("""import numba, numpy as np
from numba import cuda
d = np.dtype([("id", "i4"), ("x", "f8"), ("v", "f4", 2)])
t = numba.from_dtype(d)

@cuda.jit((t[:], numba.float64))
def push(a, dt):
    i = cuda.grid(1)
    if i < a.shape[0]:
        r = a[i]
        r.x += r.v[0] * dt + a[i].v[1]
        r.id += 1
""")
    a = filled(np.dtype([("id", "i4"), ("x", "f8"), ("v", "f4", 2)]), 70, np.random.default_rng(1))
    expected = a.copy()
    expected["x"] += a["v"][:, 0].astype(float) * 0.5 + a["v"][:, 1]
    expected["id"] += 1
    module.push[3, 32](a, 0.5)
    assert a.tobytes() == expected.tobytes()


WHOLE_FIELDS = ["a.x.sum()", "np.sum(a['x'])", "a.x.max()", "np.mean(a.x)", "np.dot(a.x, a.x)", "np.sort(a.x)[0]", "np.sqrt(a.x)[0]",
                "a.x.copy()[0]", "a.x.astype(np.float32)[0]", "np.abs(a.x - a.id).max()", "np.median(a.x)", "a.x[a.x > 1.0].sum()",
                "np.searchsorted(a.x, 3.0)", "a[0].pos.sum()", "np.where(a.id > 2, a.x, 0.0)[0]", "np.unique(a.id)[0]",
                "np.concatenate((a.x, a.x))[0]", "a.x[1:][0]", "max(a[0].x, a[1].id) + np.exp(a[1].x)"]


def test_packed_fields_as_arrays(compile_text):
    """Whose elements are at no address for an array: functions get copies of them."""
    functions = "".join(f"\n\n@njit(float64(q[:]))\ndef f{k}(a):\n    return {text}\n" for k, text in enumerate(WHOLE_FIELDS))
    module = compile_text("""import numba, numpy as np
from numba import float64, njit
d = np.dtype([("id", np.int32), ("x", np.float64), ("k", "u1"), ("pos", np.float32, 3)])
q = numba.from_dtype(d)
U = numba.types.Array(float64, 1, "A", aligned=False)

@njit(float64(U))
def total(a):
    return a[0] + a.sum()

@njit(numba.void(q[:], float64))
def fills(a, v):
    a.x[:] = v
    a.x.sort()
    a["pos"][1:] = 2.5
""" + functions)
    a = filled(np.dtype([("id", np.int32), ("x", np.float64), ("k", "u1"), ("pos", np.float32, 3)]), 9, np.random.default_rng(1))
    for k, text in enumerate(WHOLE_FIELDS):
        expected = eval(text, {"a": a.view(np.recarray), "np": np})
        assert getattr(module, f"f{k}")(a) == pytest.approx(float(expected), rel=1e-6), text
    odd = np.frombuffer(bytearray(81), "f8", 10, 1)
    odd[:] = range(10)
    assert module.total(odd) == module.total(np.arange(10.0)) == 45.0
    module.fills(a, 0.25)
    assert (a["x"] == 0.25).all() and (a["pos"][1:] == 2.5).all()


@pytest.mark.parametrize("line", ["a.x[1:] = a.x[:-1]", "b = np.argsort(a.x)"])
def test_functions_that_packed_fields_are_not_for(tmp_path, line):
    (tmp_path / "k.py").write_text(f"""import numba, numpy as np
from numba import njit
t = numba.from_dtype(np.dtype([("id", "i4"), ("x", "f8")]))

@njit(numba.void(t[:]))
def f(a):
    {line}
""")
    done = run_pyk2cu("k.py", "-o", "out", cwd=tmp_path)
    assert done.returncode == 1 and "error[PK5005]" in done.stderr and "align=True" in done.stderr


def test_a_field_of_several_numbers_has_more_elements_than_there_are_records(compile_text):
    module = compile_text("""import numba, numpy as np
from numba import float64, njit
t = numba.from_dtype(np.dtype([("x", "f8"), ("pos", "f8", 3)]))

@njit(float64(t[:]))
def total(a):
    s = 0.0
    for k in range(a.pos.size):
        s += a[k].x
    return s

@njit(float64(t[:]))
def rows(a):
    s = 0.0
    for k in range(len(a.pos)):
        s += a[k].x + a.pos[k, 2]
    return s
""", "--boundscheck")
    a = filled(np.dtype([("x", "f8"), ("pos", "f8", 3)]), 5, np.random.default_rng(1))
    assert module.rows(a) == pytest.approx(a["x"].sum() + a["pos"][:, 2].sum())
    assert module.total(a[:0]) == 0.0
    with pytest.raises(IndexError):
        module.total(a)
