"""`pyk2cu check`: what each function of a package needs; every file makes rows, none ends the check."""
import json

import pytest

from conftest import run_pyk2cu

KERNELS = '''from numba import njit


@njit("float64(float64)")
def half(x):
    return x / 2


@njit
def square(x):
    return x * x


@njit("float64(float64)")
def quartic(x):
    return square(x) * square(x)


@njit
def helper(a):
    return a[0] + missing


@njit("float64(float64[:])")
def caller(a):
    return helper(a)


@njit
def fill(a, n):
    for i in range(n):
        a[i] = 0.5


@njit
def apply(f, x):
    return f(x)
'''


def report(tmp_path, *options):
    done = run_pyk2cu("check", *options, "--format", "json", cwd=tmp_path)
    assert done.returncode == 0 and done.stderr == "", done.stderr
    return json.loads(done.stdout)


def rows(found):
    return {row["function"]: row for row in found["functions"]}


def test_each_function_has_a_row(tmp_path):
    (tmp_path / "k.py").write_text(KERNELS)
    found = report(tmp_path, "k.py")
    by_name = rows(found)
    assert {name: row["status"] for name, row in by_name.items()} == {
        "half": "compiles", "square": "compiles", "quartic": "compiles", "helper": "stops", "caller": "stops",
        "fill": "needs_signature", "apply": "needs_signature"}
    assert by_name["fill"]["proposal"] == "fill(float64[:], int64)" and by_name["fill"]["compiles"]
    assert by_name["apply"]["proposal"] is None and by_name["apply"]["no_proposal"] == "`f` is a function"
    [blocker] = by_name["caller"]["blockers"]
    assert (blocker["code"], blocker["line"], blocker["function"]) == ("PK3001", 21, "helper")
    assert found["totals"] == {"files": 1, "functions": 7, "compile": 3, "need_signature": 3, "proposals": 2,
                               "proposals_compile": 1, "stop": 2}
    [unlock] = found["unlocks"]
    assert (unlock["code"], unlock["alone"], unlock["all"]) == ("PK3001", 2, 2)


def test_the_table_says_the_same(tmp_path):
    (tmp_path / "k.py").write_text(KERNELS)
    done = run_pyk2cu("check", "k.py", cwd=tmp_path)
    assert done.returncode == 0 and "\x1b" not in done.stdout
    assert [line.strip() for line in done.stdout.splitlines()] == [
        "k.py",
        "5  half     compiles as it is",
        "10  square   compiles as it is, with the types of its calls",
        "15  quartic  compiles as it is",
        "20  helper   stops at line 21: name `missing` is not defined [PK3001]",
        "needs a signature; tried `helper(float64[:])`",
        "25  caller   stops at `helper`, line 21: name `missing` is not defined [PK3001]",
        "30  fill     needs a signature; compiles with `fill(float64[:], int64)`",
        "36  apply    needs a signature; none can be proposed: `f` is a function",
        "",
        "7 functions in 1 file: as is 3, with a signature 2, stopped 2",
        "1 of 2 proposed signatures compile",
        "",
        "what would unlock most (functions that it alone stops, of all that it stops):",
        "2 of 2    name `missing` is not defined [PK3001], as in k.py:21"]
    assert "\x1b[" in run_pyk2cu("check", "--color", "always", "k.py", cwd=tmp_path).stdout


BROKEN = {
    "python2.py": b"print 'hello'\n",
    "half_a_function.py": b"from numba import njit\n@njit\ndef f(\n",
    "latin.py": b"x = '\xe9'\n",
    "unknown_encoding.py": b"# -*- coding: klingon -*-\nx = 1\n",
    "nul.py": b"x = 1\0\n",
    "binary.py": bytes(range(256)) * 20,
    "brackets.py": b"(" * 20_000,
    "deep.py": b"x = " + b"-" * 20_000 + b"1\n",
}


def test_broken_files_are_rows(tmp_path):
    package = tmp_path / "pkg"
    package.mkdir()
    for name, text in BROKEN.items():
        (package / name).write_bytes(text)
    (package / "empty.py").write_bytes(b"")
    (package / "long.py").write_bytes(b"x = [" + b"1, " * 200_000 + b"]\n")
    (package / "good.py").write_text(KERNELS)
    (package / "gone.py").symlink_to("nowhere")
    (package / "ring").symlink_to(package, target_is_directory=True)
    found = report(tmp_path, "pkg")
    assert {file["file"].removeprefix("pkg/") for file in found["broken_files"]} == {*BROKEN}
    assert all(file["blocker"]["code"].startswith("PK1") for file in found["broken_files"])
    assert found["totals"]["functions"] == 7
    assert {p.name for p in package.iterdir()} == {*BROKEN, "empty.py", "long.py", "good.py", "gone.py", "ring"}


def test_a_broken_import_does_not_hide_a_file(tmp_path):
    package = tmp_path / "pkg"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "old.py").write_text("print 'hello'\nSCALE = 2.0\n")
    (package / "k.py").write_text("from .old import SCALE\n" + KERNELS)
    found = report(tmp_path, "pkg")
    assert [file["file"] for file in found["broken_files"]] == ["pkg/old.py"]
    assert rows(found)["half"]["status"] == "compiles"


def test_what_is_no_part_of_the_package(tmp_path):
    package = tmp_path / "pkg"
    for folder in ("tests", ".hidden", "sub", "env"):
        (package / folder).mkdir(parents=True)
        (package / folder / "k.py").write_text(KERNELS)
    (package / "env" / "pyvenv.cfg").write_text("")
    (package / "test_k.py").write_text(KERNELS)
    found = report(tmp_path, "pkg")
    assert {row["file"] for row in found["functions"]} == {"pkg/sub/k.py"}
    assert report(tmp_path, "pkg/tests")["totals"]["functions"] == 7  # asked for


def test_refused_decorators_are_rows(tmp_path):
    (tmp_path / "k.py").write_text("from numba import generated_jit\n\n\n@generated_jit\ndef mean(a):\n    return a[-1] + a[1]\n")
    [row] = report(tmp_path, "k.py")["functions"]
    assert (row["function"], row["status"]) == ("mean", "stops")


# ---- proposals: what uses say -------------------------------------------------------------------

PROPOSALS = {
    "a subscript per dimension": ("def f(a, i, j):\n    return a[i, j] + 1.0", "f(float64[:,:], int64, int64)"),
    "rows of rows": ("def f(a):\n    s = 0.0\n    for row in a:\n        for x in row:\n            s += x\n    return s",
                     "f(float64[:,:])"),
    "shapes": ("def f(a, b):\n    m, n, k = a.shape\n    return m + b.shape[1]", "f(float64[:,:,:], float64[:,:])"),
    "len": ("def f(a):\n    return len(a)", "f(float64[:])"),
    "slices keep dimensions": ("def f(a, n):\n    b = a[:n]\n    return b[0, 1]", "f(float64[:,:], int64)"),
    "an index from an array": ("def f(data, where):\n    s = 0.0\n    for i in range(len(where)):\n        s += data[where[i]]\n"
                               "    return s", "f(float64[:], int64[:])"),
    "a range": ("def f(x, p):\n    s = 0.0\n    for i in range(p):\n        s += x\n    return s", "f(float64, int64)"),
    "through arithmetic": ("def f(a, p):\n    last = p - 1\n    return a[last]", "f(float64[:], int64)"),
    "defaults": ("def f(x, p=2, q=0.5, on=True):\n    return x * p * q if on else x", "f(float64, int64, float64, bool)"),
    "a text keeps its default": ("def f(x, kind='a'):\n    return x", "f(float64)"),
    "conditions": ("def f(x, flag):\n    if flag:\n        return x\n    return -x", "f(float64, bool)"),
    "comparisons": ("def f(a, low):\n    for i in range(len(a)):\n        if i > low:\n            a[i] = 0.0", "f(float64[:], int64)"),
    "names": ("def f(x, n_terms):\n    return x * n_terms", "f(float64, int64)"),
    "callees": ("def g(a):\n    return a[0, 1] + 1.0\n\n\n@njit\ndef f(p):\n    return g(p)", "f(float64[:,:])"),
    "unpacked tuples": ("def f(p):\n    x, y = p\n    return x + y", "f(UniTuple(float64, 2))"),
    "a parameter bound anew": ("def f(a):\n    a = a[0]\n    return a[1] + 1.0", "f(float64[:,:])"),
    "reductions": ("def f(a):\n    return a.sum()", "f(float64[:])"),
    "bounds of slices through min and max": ("def f(a, i, zone):\n    low = max(0, i - zone)\n    a[low : min(len(a), i + zone) + 1] = 0.0",
                                             "f(float64[:], int64, int64)"),
    "an operand of what an integer callee takes": ("def g(x):\n    return (x >> 3) ^ x\n\n\n@njit\ndef f(a, p):\n"
                                                   "    return g(a[0] * p)", "f(int64[:], int64)"),
    "items of several types": ("def f(heap, p):\n    return g(heap[1][p], heap[0][p])\n\n\n@njit('float32(float32[:], int32[:])')\n"
                               "def g(a, b):\n    return a[b[0]]", "f(Tuple((int32[:,:], float32[:,:])), int64)"),
    "numbers for a callee": ("def f(p):\n    return g(p[0], p[1])\n\n\n@njit('float64(int64, float64)')\n"
                             "def g(a, b):\n    return a + b", "f(int64[:])"),
    "items of one type": ("def f(heap, p):\n    return g(heap[1][p], heap[0][p])\n\n\n@njit('float32(float32[:], float32[:])')\n"
                          "def g(a, b):\n    return a[0] + b[0]", "f(float32[:,:,:], int64)"),
    "a text before the last parameter": ("def f(x, kind='a', n=2):\n    return x / n if kind == 'a' else x",
                                         "f(float64, literal('a'), int64)"),
    "arrays that are stored": ("def f(a, b):\n    for i in range(3):\n        a[i] = b[1:3]", "f(float64[:,:], float64[:])"),
    "dtypes": ("def f(n):\n    out = np.zeros(n, dtype=np.float32)\n    return out", "f(int64)"),
}


@pytest.mark.parametrize("case", PROPOSALS)
def test_proposals(case, tmp_path):
    source, wanted = PROPOSALS[case]
    (tmp_path / "k.py").write_text("import numpy as np\nfrom numba import njit\n\n\n@njit\n" + source + "\n")
    assert rows(report(tmp_path, "k.py"))["f"]["proposal"] == wanted


@pytest.mark.parametrize("path", ["nowhere", "nowhere.py", "pkg/nowhere.py"])
def test_a_path_that_is_not_there_is_a_mistake(path, tmp_path):
    (tmp_path / "k.py").write_text(KERNELS)
    done = run_pyk2cu("check", "k.py", path, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.count("error[PK1002]") == 1 and f"`{path}`" in done.stderr


def test_mistakes_in_types_that_are_given_are_said_once(tmp_path):
    for name in ("k.py", "l.py"):
        (tmp_path / name).write_text(KERNELS)
    done = run_pyk2cu("check", "k.py", "l.py", "--sig", "fill(int65)", "--format", "json", cwd=tmp_path)
    assert done.returncode == 1 and done.stderr.count("error[PK2011]: `int65` is not a type") == 1, done.stderr
    assert {row["file"] for row in json.loads(done.stdout)["functions"]} == {"k.py", "l.py"}


def test_mistakes_in_a_sidecar_are_a_row(tmp_path):
    for name in ("k.py", "l.py"):
        (tmp_path / name).write_text(KERNELS)
    (tmp_path / "kernels.sig").write_text("k.py: fill(float64[:], int65)\nl.py: fill(float64[:], int64)\n")
    found = report(tmp_path, ".")
    [broken] = found["broken_files"]
    assert broken["file"].endswith("kernels.sig") and (broken["blocker"]["code"], broken["blocker"]["line"]) == ("PK2011", 1)


PRODUCTS = """from numba import njit


def factory(n):
    @njit
    def inner(x):
        return x * n
    return inner


twice, thrice = factory(2), factory(3)
four = factory(4)


def bad(n):
    @njit
    def inner(x):
        return x * n + missing
    return inner


five, six = bad(5), bad(6)


def plain(a):
    return a[0]


one = njit(plain)
two = njit(parallel=True)(plain)


class Shape:
    @staticmethod
    @njit
    def area(x):
        return x * 2.0

    @staticmethod
    @njit
    def area(x, y):
        return x * y


{given}
def given(n):
    @njit("float64(float64)")
    def typed(x):
        return x * n
    return typed


seven, eight = given(7), given(8)
"""


def test_what_a_factory_makes_has_one_row(tmp_path):
    (tmp_path / "k.py").write_text(PRODUCTS.format(given=""))
    found = report(tmp_path, "k.py")
    assert [(row["function"], row["status"], row["proposal"]) for row in found["functions"]] == [
        ("factory.inner", "needs_signature", "factory.inner(float64)"), ("bad.inner", "stops", "bad.inner(float64)"),
        ("plain", "needs_signature", "plain(float64[:])"), ("Shape.area", "needs_signature", ":36(float64)"),
        ("Shape.area", "needs_signature", ":41(float64, float64)"), ("given.typed", "compiles", None)]
    proposals = [row["proposal"] for row in found["functions"] if row["proposal"]]
    options = [part for text in proposals for part in ("--sig", text)]
    done = run_pyk2cu("k.py", *options, "-o", "out", "--keep-going", cwd=tmp_path)
    assert "PK2001" not in done.stderr and "PK2048" not in done.stderr, done.stderr
    (tmp_path / "k.sig").write_text("\n".join(proposals) + "\n")
    (tmp_path / "m.py").write_text("import k\n")
    done = run_pyk2cu("check", "k.py", "--format", "json", cwd=tmp_path)
    assert {row["status"] for row in json.loads(done.stdout)["functions"]} == {"compiles", "stops"}, done.stdout


def test_operands_of_universal_functions_have_the_dimensions_of_the_layout(tmp_path):
    (tmp_path / "k.py").write_text("""import numpy as np
from numba import guvectorize, njit, vectorize


@vectorize
def fix(x):
    return np.floor(x) if x >= 0 else np.ceil(x)


def probabilities(r, out):
    for i in range(r.shape[0]):
        out[i] = r[i] / 2
    total = out.sum()


loop = guvectorize(["(f8[:], f8[:])"], "(n)->(n)")(probabilities)


@njit
def user(a, b):
    b[:] = loop(a)
    return fix(a[0:1])
""")
    by_name = rows(report(tmp_path, "k.py"))
    assert by_name["fix"]["proposal"] == "fix(float64)" and by_name["fix"]["compiles"]
    assert by_name["probabilities"]["status"] == "compiles"
    (tmp_path / "l.py").write_text((tmp_path / "k.py").read_text().replace('["(f8[:], f8[:])"], ', ""))
    [row] = [row for row in report(tmp_path, "l.py")["functions"] if row["function"] == "probabilities"]
    assert row["proposal"] == "probabilities(float64[:], float64[:])" and row["compiles"]


def test_defaults_that_a_proposal_leaves_out_are_compiled(tmp_path):
    (tmp_path / "k.py").write_text("""from numba import njit


@njit
def first(a, order='C'):
    return a[0] if order == 'C' else a[-1]


@njit
def second(a, order='C'):
    return first(a, order)


@njit
def third(a, order=None):
    return first(a, order=order)
""")
    by_name = rows(report(tmp_path, "k.py"))
    assert [(row["proposal"], row["compiles"]) for row in by_name.values()][:2] == [
        ("first(float64[:])", True), ("second(float64[:])", True)]
    given = rows(report(tmp_path, "k.py", "--sig", "first(float32[:,:])"))
    assert given["second"]["proposal"] == "second(float32[:,:])"
