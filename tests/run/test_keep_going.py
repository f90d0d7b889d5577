"""`--keep-going`: what has errors is left out, and what calls it, with a word about each; the rest is built."""
import json
import re
import subprocess
import sys

import pytest

from conftest import BUILD_PYTHON, PROLOGUE, run_pyk2cu

GOOD = '@njit("float64(float64)")\ndef half(x):\n    return x / 2\n'
CALLERS = '''
@njit("float64(float64[:])")
def caller(a):
    return bad(a) + 1.0


@njit("float64(float64[:])")
def callers_caller(a):
    return caller(a) * 2.0


@cuda.jit("void(float64[:])")
def kernel(a):
    a[cuda.grid(1)] = 1.0
'''
BAD = {
    "inference": '@njit("float64(float64[:])")\ndef bad(a):\n    return a[0] + missing\n',
    "emission": '@njit("float64(float64[:])", parallel=True)\ndef bad(a):\n    for i in prange(3):\n'
                "        a[0] = a[0] * 2.0 + i\n    return a[0]\n",
    "option": '@njit("float64(float64[:])", error_model=input())\ndef bad(a):\n    return a[0] / a[1]\n',
    "name of an option": '@njit("float64(float64[:])", eror_model="numpy")\ndef bad(a):\n    return a[0] / a[1]\n',
    "locals": '@njit("float64(float64[:])", locals=dict([("s", numba.int8)]))\ndef bad(a):\n    s = a[0]\n    return s\n',
    "type in locals": '@njit("float64(float64[:])", locals={"s": input()})\ndef bad(a):\n    s = a[0]\n    return s\n',
}


def compiled(tmp_path, source, *options):
    (tmp_path / "k.py").write_text(PROLOGUE + source)
    done = run_pyk2cu("k.py", "-o", "out", "--keep-going", "--build", "--python", BUILD_PYTHON, *options, cwd=tmp_path)
    names = "import k; print(sorted(n for n in dir(k) if n[0] != '_'))"
    found = subprocess.run([sys.executable, "-c", names], cwd=tmp_path / "out", capture_output=True, text=True)
    return done, re.findall(r"^\S+ (\w+)\[(PK\d+)\]: (.*)$", done.stderr, re.M), found.stdout.strip()


@pytest.mark.parametrize("kind", BAD)
def test_callers_are_left_out_with_a_word(kind, tmp_path):
    done, said, names = compiled(tmp_path, GOOD + BAD[kind] + CALLERS)
    assert done.returncode == 1, done.stderr
    assert names == "['half', 'kernel']", done.stderr
    errors = [code for severity, code, _ in said if severity == "error"]
    assert len(errors) == 1 and not errors[0].startswith("PK9")
    assert [text for _, code, text in said if code == "PK6006"] == ["2 functions compiled, 3 left out"]
    bad, *callers = re.findall(r"^k\.py:\d+:\d+: note: (.*)$", done.stderr, re.M)[-3:]
    assert re.fullmatch(rf"`bad`: .* \[{errors[0]}\]", bad)
    assert callers == ["`caller`: it calls `bad`, which has errors", "`callers_caller`: it calls `caller`, which has errors"]


def test_options_of_imported_functions_count_where_they_are_called(tmp_path):
    (tmp_path / "lib.py").write_text(
        "from numba import njit\n\n\n@njit(error_model=input())\ndef divide(a, b):\n    return a / b\n\n\n"
        "@njit(locals=input())\ndef unused(a):\n    return a\n")
    done, said, names = compiled(tmp_path, "from lib import divide\n" + GOOD + '@njit("float64(float64, float64)")\n'
                                 "def caller(a, b):\n    return divide(a, b)\n")
    assert done.returncode == 1 and names == "['half']", done.stderr
    assert [code for severity, code, _ in said if severity == "error"] == ["PK2044"]


def test_without_the_option_nothing_is_written_and_nothing_is_said_of_callers(tmp_path):
    (tmp_path / "k.py").write_text(PROLOGUE + GOOD + BAD["emission"] + CALLERS)
    done = run_pyk2cu("k.py", "-o", "out", cwd=tmp_path)
    assert done.returncode == 1 and "PK6006" not in done.stderr and not (tmp_path / "out").exists()


def test_two_signatures_of_which_one_has_errors(tmp_path):
    source = ('@njit(["float64(float64[:])", "float64(int64)"])\ndef f(a):\n    return a[0] + 1.0\n')
    done, said, names = compiled(tmp_path, GOOD + source)
    assert (done.returncode, names) == (1, "['f', 'half']"), done.stderr
    check = subprocess.run([sys.executable, "-c", "import k, numpy as np; print(k.f(np.ones(2)))"], cwd=tmp_path / "out",
                           capture_output=True, text=True)
    assert check.stdout == "2.0\n", check.stderr


def test_functions_that_the_compiler_rejects(tmp_path):
    """A compiler that refuses every file with `def bad`'s text in it stands for a bug of ours."""
    wrapper = tmp_path / "c++"
    wrapper.write_text(f"""#!{sys.executable}
import re, subprocess, sys
for path in [a for a in sys.argv[1:] if a.endswith(("k.cpp",))]:
    for number, line in enumerate(open(path), 1):
        if "12345.5" in line:
            sys.exit(f"{{path}}:{{number}}:1: error: a bug")
sys.exit(subprocess.run(["g++", *sys.argv[1:]]).returncode)
""")
    wrapper.chmod(0o755)
    bad = '@njit("float64(float64[:])")\ndef bad(a):\n    b = a[0]\n    return b + 12345.5\n'
    (tmp_path / "k.py").write_text(PROLOGUE + GOOD + bad + CALLERS)
    done = run_pyk2cu("k.py", "-o", "out", "--keep-going", "--build", "--python", BUILD_PYTHON, cwd=tmp_path,
                      env={"CXX": str(wrapper)})
    assert done.returncode == 70 and done.stderr.count("error[PK9002]") == 1, done.stderr
    assert "note[PK6006]: 2 functions compiled, 3 left out" in done.stderr
    check = subprocess.run([sys.executable, "-c", "import k; print(k.half(3.0), hasattr(k, 'bad'), hasattr(k, 'caller'))"],
                           cwd=tmp_path / "out", capture_output=True, text=True)
    assert check.stdout == "1.5 False False\n", check.stderr


UNTYPED = """
@njit
def fill(a, n):
    for i in range(n):
        a[i] = 0.5


@njit
def twice(x):
    return 2 * x
"""


def test_json_names_functions_and_what_was_being_compiled(tmp_path):
    helper = "@njit\ndef helper(a):\n    return a[0] + missing\n\n\n"
    (tmp_path / "k.py").write_text(PROLOGUE + GOOD + helper + '@njit("float64(float64[:])")\ndef user(a):\n    return helper(a)\n')
    done = run_pyk2cu("k.py", "-o", "out", "--keep-going", "--diagnostics", "json", cwd=tmp_path)
    error, summary = map(json.loads, done.stderr.splitlines())
    assert (error["code"], error["function"], error["while_compiling"]) == ("PK3001", "helper", "user")
    assert (summary["code"], summary["message"]) == ("PK6006", "1 function compiled, 2 left out")
    assert [note["message"] for note in summary["notes"]][1] == "`user`: it calls `helper`, which has errors"
    done = run_pyk2cu("k.py", "-o", "out", "--keep-going", cwd=tmp_path)
    assert "k.py: in `helper`, while compiling `user`:\n" in done.stderr


def test_functions_without_types_are_one_message_with_a_sidecar_that_works(tmp_path):
    (tmp_path / "k.py").write_text(PROLOGUE + GOOD + UNTYPED)
    done, said, names = compiled(tmp_path, GOOD + UNTYPED)
    assert names == "['half']" and [code for _, code, _ in said] == ["PK2001", "PK6006"], done.stderr
    assert said[1][2] == "1 function compiled, 2 left out"
    sidecar = [line.strip() for line in done.stderr.splitlines() if "# line" in line]
    assert [line.split("  #")[0] for line in sidecar] == ["fill(float64[:], int64)", "twice(float64)"]
    (tmp_path / "k.sig").write_text("\n".join(sidecar) + "\n")
    done = run_pyk2cu("k.py", "-o", "out", cwd=tmp_path)
    assert done.returncode == 0, done.stderr


def test_nothing_left_out_nothing_said(tmp_path):
    (tmp_path / "k.py").write_text(PROLOGUE + GOOD)
    done = run_pyk2cu("k.py", "-o", "out", "--keep-going", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")


PRODUCTS = """
def factory(n):
    @njit
    def inner(x):
        return x * n
    return inner


twice, thrice, four = factory(2), factory(3), factory(4)


def broken(n):
    @njit("float64(float64)")
    def inner(x):
        return x * n + missing
    return inner


five, six = broken(5), broken(6)
"""


def test_each_product_of_a_factory_is_named(tmp_path):
    done, said, names = compiled(tmp_path, GOOD + PRODUCTS, "--sig", "twice(float64)")
    assert (done.returncode, names) == (1, "['half', 'twice']"), done.stderr
    assert [text for _, code, text in said if code == "PK6006"] == ["2 functions compiled, 4 left out"]
    left = re.findall(r"^k\.py:\d+:\d+: note: `(\w+)`: (.*)$", done.stderr, re.M)[-4:]
    missing = "name `missing` is not defined [PK3001]"
    assert sorted(left) == [("five", missing), ("four", "it has no signature"), ("six", missing),
                            ("thrice", "it has no signature")]
