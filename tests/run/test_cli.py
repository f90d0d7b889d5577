"""The command as a person uses it: exit codes, files written, files left alone."""
import json
import os
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PYK2CU = os.environ.get("PYK2CU", str(ROOT / "build/pyk2cu"))
GOOD = 'from numba import njit\n\n\n@njit("float64(float64)")\ndef half(x):\n    return x / 2.0\n'
BAD = 'from numba import njit\n\n\n@njit("float64(float64)")\ndef half(x):\n    return y / 2.0\n'


def run(*arguments, cwd, **options):
    return subprocess.run([PYK2CU, *map(str, arguments)], cwd=cwd, capture_output=True, text=True, timeout=120,
                          env={**os.environ, "NO_COLOR": "1"}, **options)


@pytest.fixture
def good(tmp_path):
    (tmp_path / "kernels.py").write_text(GOOD)
    return tmp_path


def test_transpiling_writes_the_files_and_says_nothing_on_success(good):
    done = run("kernels.py", "-o", "out", cwd=good)
    assert (done.returncode, done.stderr) == (0, "")
    names = {p.name for p in (good / "out").iterdir()}
    assert {"kernels.cpp", "kernels.h", "kernels.module.cpp", "CMakeLists.txt", "setup.py", "kernels.pyi",
            "kernels.json"} <= names


def test_build_leaves_a_module_that_imports_anywhere(good):
    done = run("kernels.py", "-o", "out", "--build", "--python", sys.executable, cwd=good)
    assert done.returncode == 0, done.stderr
    check = subprocess.run([sys.executable, "-c", "import kernels; print(kernels.half(3.0))"], cwd=good / "out",
                           capture_output=True, text=True)
    assert check.stdout == "1.5\n", check.stderr


def test_an_error_in_the_input_is_exit_1_and_writes_nothing(tmp_path):
    (tmp_path / "kernels.py").write_text(BAD)
    done = run("kernels.py", "-o", "out", cwd=tmp_path)
    assert done.returncode == 1
    assert "kernels.py:6:12: error[PK3001]" in done.stderr
    assert not (tmp_path / "out").exists()


def test_keep_going_compiles_the_rest(tmp_path):
    (tmp_path / "kernels.py").write_text(GOOD + BAD.split("\n", 2)[2].replace("half", "broken"))
    done = run("kernels.py", "-o", "out", "--keep-going", cwd=tmp_path)
    assert done.returncode == 1 and "PK3001" in done.stderr
    assert "half" in (tmp_path / "out/kernels.cpp").read_text()


@pytest.mark.parametrize("source, code", [("x = 1\n", 0), (BAD, 1)], ids=["nothing", "left out"])
def test_a_module_without_functions_can_be_imported(tmp_path, source, code):
    (tmp_path / "kernels.py").write_text(source)
    done = run("kernels.py", "-o", "out", "--keep-going", "--build", "--python", sys.executable, cwd=tmp_path)
    assert done.returncode == code and "PK9" not in done.stderr, done.stderr
    check = subprocess.run([sys.executable, "-c", "import kernels; print(hasattr(kernels, 'half'))"], cwd=tmp_path / "out",
                           capture_output=True, text=True)
    assert check.stdout == "False\n", check.stderr


@pytest.mark.parametrize("arguments", [[], ["--no-such-flag"], ["kernels.py"], ["kernels.py", "-o"]])
def test_wrong_usage_is_exit_2(good, arguments):
    assert run(*arguments, cwd=good).returncode == 2


def test_a_missing_file_is_an_error_with_its_name(tmp_path):
    done = run("absent.py", "-o", "out", cwd=tmp_path)
    assert done.returncode == 1 and "absent.py" in done.stderr


def test_a_foreign_file_is_never_overwritten(good):
    (good / "out").mkdir()
    (good / "out/kernels.cpp").write_text("int mine;\n")
    done = run("kernels.py", "-o", "out", cwd=good)
    assert done.returncode != 0 and "PK6001" in done.stderr
    assert (good / "out/kernels.cpp").read_text() == "int mine;\n"
    assert [p.name for p in (good / "out").iterdir()] == ["kernels.cpp"]


def test_unchanged_files_keep_their_time_stamp(good):
    run("kernels.py", "-o", "out", cwd=good)
    before = {p: p.stat().st_mtime_ns for p in (good / "out").rglob("*") if p.is_file()}
    assert before
    run("kernels.py", "-o", "out", cwd=good)
    assert before == {p: p.stat().st_mtime_ns for p in (good / "out").rglob("*") if p.is_file()}


def test_json_diagnostics_are_one_object_per_line(tmp_path):
    (tmp_path / "kernels.py").write_text(BAD)
    done = run("kernels.py", "-o", "out", "--diagnostics=json", cwd=tmp_path)
    message = json.loads(done.stderr.splitlines()[0])
    assert (message["code"], message["line"], message["column"]) == ("PK3001", 6, 12)


def test_several_files_make_several_modules_or_one(good):
    (good / "more.py").write_text(GOOD.replace("half", "third").replace("2.0", "3.0"))
    assert run("kernels.py", "more.py", "-o", "two", cwd=good).returncode == 0
    assert (good / "two/kernels.module.cpp").exists() and (good / "two/more.module.cpp").exists()
    assert run("kernels.py", "more.py", "-o", "one", "--module", "both", cwd=good).returncode == 0
    text = (good / "one/both.cpp").read_text()
    assert "half" in text and "third" in text


def test_no_compiler_is_exit_3_and_says_what_to_install(good):
    done = subprocess.run([PYK2CU, "kernels.py", "-o", "out", "--build", "--python", sys.executable], cwd=good,
                          capture_output=True, text=True, env={"PATH": "/nowhere", "NO_COLOR": "1"})
    assert done.returncode == 3 and "PK6" in done.stderr and "install" in done.stderr


@pytest.mark.parametrize("signature,call,result", [
    ("half=float64(float64)", "3.0", "1.5"), ("half=(int64,)", "3", "1.5"), ("half(float32)", "3.0", "1.5")])
def test_a_lazy_function_takes_its_types_from_the_command_line(tmp_path, signature, call, result):
    (tmp_path / "kernels.py").write_text(GOOD.replace('("float64(float64)")', ""))
    done = run("kernels.py", "-o", "out", "--sig", signature, "--build", "--python", sys.executable, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    check = subprocess.run([sys.executable, "-c", f"import kernels; print(kernels.half({call}))"],
                           cwd=tmp_path / "out", capture_output=True, text=True)
    assert check.stdout.strip() == result, check.stderr


def test_a_sidecar_gives_types(tmp_path):
    (tmp_path / "kernels.py").write_text(GOOD.replace('("float64(float64)")', ""))
    (tmp_path / "kernels.sig").write_text("# types\nhalf(float64)\n")
    assert run("kernels.py", "-o", "out", cwd=tmp_path).returncode == 0


def test_a_lazy_function_without_types_says_what_to_write(tmp_path):
    (tmp_path / "kernels.py").write_text(GOOD.replace('("float64(float64)")', ""))
    done = run("kernels.py", "-o", "out", cwd=tmp_path)
    assert done.returncode == 1 and "PK2001" in done.stderr and "--sig" in done.stderr


COMMENTS = """import numba
import numpy as np
from numba import njit

Pair = numba.from_dtype(np.dtype([("a", np.uint32), ("b", np.uint32)]))
Line = numba.float64[:]
f8 = 3


# pyk2cu: sig {}
@njit
def f(x):
    return x[0]{}
"""


@pytest.mark.parametrize("types, rest", [("uint32(Pair[:])", '["a"]'), ("(Pair[:])", '["b"]'), ("Line(numba.float64[:,:])", ""), ("f8(Line)", "")])
def test_types_in_comments_may_be_those_that_the_file_names(tmp_path, types, rest):
    (tmp_path / "k.py").write_text(COMMENTS.format(types.replace("numba.", ""), rest))
    done = run("k.py", "-o", "out", cwd=tmp_path)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("types", ["unicode_type(float64[:])", "(unicode_type,)", "pyobject(int64)", "int64(Pear[:])"])
def test_types_in_comments_that_are_of_no_use_say_so(tmp_path, types):
    (tmp_path / "k.py").write_text(COMMENTS.format(types, ""))
    done = run("k.py", "-o", "out", cwd=tmp_path)
    assert done.returncode == 1 and "PK2048" not in done.stderr and ("PK2014" in done.stderr or "PK2011" in done.stderr), done.stderr


def test_a_signature_that_no_module_knows_is_an_error(good):
    (good / "more.py").write_text(GOOD.replace("half", "third"))
    done = run("kernels.py", "more.py", "-o", "out", "--sig", "nobody(float64)", cwd=good)
    assert done.returncode == 1 and "PK2048" in done.stderr and "nobody" in done.stderr
