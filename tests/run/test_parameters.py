"""What a function may take, and what is said of signatures that do not fit it: every form of parameter, every source
of types. Numba is asked which counts are right.
"""
import json
import re

import numpy as np
import pytest

from conftest import Batch, run_pyk2cu

PROLOGUE = "import numpy as np\nfrom numba import cuda, float64, int64, njit\n" \
           "from numba.types import Tuple, UniTuple\n\n"
PAIR = "UniTuple(float64, 2)"
FORMS = {  # parameters: types of one right signature
    "x": ["float64"],
    "x, y": ["float64", "float64"],
    "x, /, y": ["float64", "float64"],
    "x, y, /": ["float64", "float64"],
    "x, *, y": ["float64", "float64"],
    "x, /, y, *, z": ["float64", "float64", "float64"],
    "*r": [PAIR],
    "x, *r": ["float64", PAIR],
    "x, *r, y": ["float64", PAIR, "float64"],
    "*, y": ["float64"],
}
VALUE = {"float64": "1.0", PAIR: "(1.0, 2.0)"}


def given(how, parameters, types):
    """The source of f with these types, and arguments for the compiler."""
    body = "    return 1.0\n"
    if how == "string":
        return f'@njit("float64({", ".join(types)})")\ndef f({parameters}):\n{body}', ()
    if how == "call":
        return f"@njit(float64({', '.join(types)}))\ndef f({parameters}):\n{body}", ()
    if how == "kernel":
        return f'@cuda.jit("void({", ".join(types)})")\ndef f({parameters}):\n    pass\n', ()
    if how == "comment":
        return f"# pyk2cu: sig f({', '.join(types)})\n@njit\ndef f({parameters}):\n{body}", ()
    return f"@njit\ndef f({parameters}):\n{body}", ("--sig", f"f({', '.join(types)})")


HOWS = ["string", "call", "kernel", "comment", "--sig"]


def compile_text(tmp_path, source, arguments=()):
    (tmp_path / "k.py").write_text(PROLOGUE + source)
    done = run_pyk2cu("k.py", "-o", "out", *arguments, cwd=tmp_path)
    return re.findall(r"(\w+)\[(PK\d+)\]: (.*)$", done.stderr, re.M), done


@pytest.mark.parametrize("how", HOWS)
@pytest.mark.parametrize("parameters", FORMS)
def test_a_signature_gives_one_type_for_each_parameter(parameters, how, tmp_path):
    types = FORMS[parameters]
    for count in range(len(types) + 2):
        some = (types + ["float64"] * 2)[:count]
        found, done = compile_text(tmp_path, *given(how, parameters, some))
        right = True
        try:  # Numba counts as we do
            exec(PROLOGUE + given("string", parameters, some)[0], {})
        except TypeError as error:
            assert "Signature mismatch" in str(error)
            right = False
        if right:
            assert (found, done.returncode) == ([], 0), done.stderr
            continue
        assert [code for _, code, _ in found] == ["PK2050"] and done.returncode == 1, done.stderr
        assert f"takes {len(types)} parameter" in found[0][2], done.stderr
        assert f"{count} type{' is' if count == 1 else 's are'} given" in found[0][2], done.stderr
        assert ("help: `*r`" in done.stderr) == ("*r" in parameters), done.stderr


@pytest.mark.parametrize("how", HOWS)
@pytest.mark.parametrize("parameters, types", [
    ("**kw", []), ("**kw", ["float64"]), ("x, **kw", ["float64"]), ("x, **kw", []), ("x, **kw", ["float64", "float64"]),
    ("x, y=1.0, **kw", ["float64"]), ("*r, **kw", [PAIR]), ("*r, **kw", ["float64", "float64"]),
    ("x, *, y, **kw", ["float64", "float64"]), ("x, /, **kw", ["float64", "int64", "int64"])])
def test_a_keyword_rest_is_the_cause_whatever_the_count(parameters, types, how, tmp_path):
    source, arguments = given(how, parameters, types)
    found, done = compile_text(tmp_path, source, arguments)
    assert [code for _, code, _ in found] == ["PK2053"] and "`**kw`" in found[0][2], done.stderr
    line = 1 + (PROLOGUE + source).split("\n").index(next(x for x in source.split("\n") if x.startswith("def f")))
    assert f"k.py:{line}:{len('def f(') + parameters.index('kw') + 1}: " in done.stderr
    assert "help: " in done.stderr


@pytest.mark.parametrize("source", [
    "@njit\ndef f(x, **kw):\n    return x\n",                                    # nobody gives types
    "@njit\ndef f(x: float64, **kw):\n    return x\n",                           # annotations
    "@njit\ndef f(x: float64, **kw: float64):\n    return x\n",
    'def f(x, **kw):\n    return x\n\n\n@njit("float64(float64)")\ndef g(x):\n    return f(x)\n',
    '@njit\ndef f(x, **kw):\n    return x\n\n\n@njit("float64(float64, int64)")\ndef g(x, n):\n    return f(x) + f(n)\n',
    '@njit("float64(float64)")\ndef f(x, **kw):\n    return x\n\n\n@njit("float64(float64)")\ndef g(x):\n    return f(x)\n',
    '@njit("float64(float64)")\ndef g(x):\n    def f(x, **kw):\n        return x\n    return f(x)\n',
    '@njit("float64(float64)")\ndef g(x):\n    return (lambda y, **kw: y)(x)\n',
    '@cuda.jit(device=True)\ndef f(x, **kw):\n    return x\n\n\n@cuda.jit("void(float64[:])")\ndef g(a):\n    a[0] = f(a[0])\n',
    'f = njit("float64(float64)")(lambda x, **kw: x)\n',
])
def test_a_keyword_rest_is_told_once_wherever_the_function_is_used(source, tmp_path):
    found, done = compile_text(tmp_path, source)
    assert [code for _, code, _ in found] == ["PK2053"], done.stderr


def test_a_keyword_rest_that_nobody_compiles_is_no_mistake(tmp_path):
    found, done = compile_text(tmp_path, 'def report(**kw):\n    print(kw)\n\n\n@njit("float64(float64)")\n'
                                         "def f(x):\n    return x\n")
    assert (found, done.returncode) == ([], 0), done.stderr


@pytest.mark.parametrize("how", HOWS)
@pytest.mark.parametrize("parameters, types, at", [
    ("*r", ["float64"], "float64"), ("x, *r", ["float64", "int64"], "int64"),
    ("x, *r", ["float64", "float64[:]"], "float64[:]"), ("*r, y", ["int64", "float64"], "int64")])
def test_the_type_of_a_rest_is_a_tuple(parameters, types, at, how, tmp_path):
    found, done = compile_text(tmp_path, *given(how, parameters, types))
    assert [code for _, code, _ in found] == ["PK2054"] and f"`{at}`" in found[0][2], done.stderr
    assert "UniTuple(float64, 2)" in done.stderr


@pytest.mark.parametrize("default, told", [("np.load('y.npy')", True), ("np.zeros(3)", False), ("np.cos", True), ("object()", True), ('("text", 1)', True),
                                           ('"text"', False), ("(1, 2.5)", False),
                                           ("1", False), ("2.5", False), ("1j", False), ("None", False), ("True", False),
                                           ("N + 1", False)])
@pytest.mark.parametrize("parameters", ["x, y=DEFAULT", "x, /, y=DEFAULT", "x, *, y=DEFAULT", "x, y=DEFAULT, /"])
def test_a_default_that_tells_no_type_is_the_cause(parameters, default, told, tmp_path):
    source = "N = 4\n\n\n" + given("string", parameters.replace("DEFAULT", default), ["float64"])[0]
    found, done = compile_text(tmp_path, source)
    assert [code for _, code, _ in found] == (["PK4017"] if told else []), done.stderr
    assert not told or "`y`" in found[0][2]


def test_the_help_for_a_rest_can_be_pasted(tmp_path):
    source = "@njit\ndef f(x, *r, y):\n    return x + r[0] + y\n"
    found, done = compile_text(tmp_path, source)
    assert [code for _, code, _ in found] == ["PK2001"]
    signature = re.search(r"--sig '([^']*)'", done.stderr).group(1)
    assert signature == f"f(float64, {PAIR}, float64)"
    assert compile_text(tmp_path, source, ("--sig", signature))[0] == []


batch = Batch("parameters")
batch.add('''
    @njit("float64(float64, float64)")
    def keyword(x, *, y):
        return x - y

    @njit("float64(float64, float64)")
    def keyword_default(x, *, y=2.0):
        return x - y

    @njit("float64(float64, float64)")
    def positional(x, /, y):
        return x - y

    @njit("float64(float64, UniTuple(float64, 2), float64)")
    def rest(x, *r, y):
        return x + r[0] * r[1] - y

    @njit
    def helper(x, *r):
        return x + len(r)

    @njit(["int64(none)", "int64(int64)", "int64(float64[:])"])
    def flag(x=None):
        if x is None:
            return 0
        return 7

    @njit("int64(none, none, int64)")
    def third(x, y, z):
        return z

    @njit(["float64[:](none, float64[:], none)", "float64[:](int64, float64[:], none)"])
    def own(x, a, y):
        return a

    @njit("float64[:](none, float64[:], none, float64[:])")
    def first_of(x, a, y, b):
        b[0] = a[1]
        return b

    @njit("int64(optional(int64))")
    def perhaps(x):
        if x is None:
            return -1
        return x

    @njit("float64(float64[:])")
    def passes_none(a):
        x = None
        return first_of(x, a, None, a)[0] + 10 * perhaps(None) + 100 * perhaps(4) + 1000 * flag(x) + 10000 * flag(4)

    @njit("float64(float64)")
    def calls(x):
        return helper(x) + helper(x, 2.0) + helper(x, 2.0, 3.0)
''')


@pytest.mark.parametrize("call", ["keyword(1.0, y=2.0)", "keyword(x=1.0, y=2.0)", "keyword_default(1.0, y=3.0)",
                                  "positional(1.0, 2.0)", "positional(1.0, y=2.0)",
                                  "calls(1.5)", "flag(None)", "flag(3)", "flag(x=3)", "flag(np.ones(2))",
                                  "passes_none(np.arange(4.0))", "passes_none(np.arange(9.0)[::2])",
                                  "first_of(None, np.arange(9.0)[::2], None, np.arange(3.0)).tolist()",
                                  "third(None, None, 4)", "third(z=5, y=None, x=None)",
                                  "own(None, np.arange(3.0), None).tolist()", "own(1, np.arange(3.0), None).tolist()"])
def test_every_form_is_called_as_under_numba(call):
    space = {}
    exec(batch.source, space)
    assert eval("batch." + call) == eval(call, space)


def test_a_keyword_behind_a_rest_is_called_as_under_python():
    """Numba gives `*r` one argument where a keyword stands behind it."""
    assert batch.rest(1.0, 2.0, 3.0, y=4.0) == batch.plain.rest(1.0, 2.0, 3.0, y=4.0) == 3.0


@pytest.mark.parametrize("call, message", [
    ("third(None, 1, 4)", "argument 2 `y`: int given, compiled for None only"),
    ("third(None, None, 'a')", "argument 3 `z`: str given, int64 expected"),
    ("flag('a')", "int64\\(none\\): argument 1 `x`: 'a' given, compiled for None only"),
])
def test_a_parameter_that_is_none_takes_nothing_else(call, message):
    with pytest.raises(TypeError, match=message):
        eval("batch." + call)
    assert batch.flag() == 0 and batch.third(None, None, np.int8(3)) == 3
    a = np.arange(3.0)
    assert np.shares_memory(batch.own(None, a, None), a)


def test_the_manifest_says_what_is_written_behind_none(tmp_path):
    (tmp_path / "k.py").write_text(PROLOGUE + '@njit("void(none, float64[:], none, float64[:])")\ndef f(x, a, y, b):\n    b[0] = a[1]\n')
    done = run_pyk2cu("k.py", "-o", "out", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    params = json.loads((tmp_path / "out/k.json").read_text())["entries"][0]["overloads"][0]["params"]
    assert [p.get("written") for p in params] == [None, False, None, True]
