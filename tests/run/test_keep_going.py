"""`--keep-going`: what has errors is left out, and what calls it, with a word about each; the rest is built."""
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
    notes = [text for severity, code, text in said if code == "PK6006"]
    assert notes == ["`caller` is left out as well: it calls `bad`, which has errors",
                     "`callers_caller` is left out as well: it calls `caller`, which has errors"]


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
    assert done.returncode == 70 and done.stderr.count("error[PK9002]") == 1 and done.stderr.count("note[PK6006]") == 2, done.stderr
    check = subprocess.run([sys.executable, "-c", "import k; print(k.half(3.0), hasattr(k, 'bad'), hasattr(k, 'caller'))"],
                           cwd=tmp_path / "out", capture_output=True, text=True)
    assert check.stdout == "1.5 False False\n", check.stderr
