"""Several modules in one directory: one set of build files for all, every other file with a name of its own."""
import json
import os
import pathlib
import subprocess
import sys

import pytest
from conftest import run_pyk2cu

HALF = 'from numba import njit\n\n\n@njit("float64(float64)")\ndef {name}(x):\n    return x / {by}\n'
FAST = ('from numba import njit\n\n\n@njit("float64(float64[:])"{options})\ndef total(a):\n    t = 0.0\n'
        "    for i in range(a.shape[0]):\n        t += a[i]\n    return t\n")
KERNEL = ('from numba import cuda\n\n\n@cuda.jit("void(float32[:])")\ndef fill(out):\n    i = cuda.grid(1)\n'
          "    if i < out.shape[0]:\n        out[i] = i\n")


def write(folder, **files):
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text)


def check(folder, code):
    done = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def files_of(folder):
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def build_with_cmake(folder):
    for command in (["cmake", "-S", ".", "-B", "b", f"-DPython_EXECUTABLE={sys.executable}"], ["cmake", "--build", "b"]):
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True,
                              env={**os.environ, "VIRTUAL_ENV": "", "CMAKE_GENERATOR": "Ninja"})
        assert done.returncode == 0, done.stdout + done.stderr
    return folder / "b"


def build_with_setuptools(folder):
    pytest.importorskip("setuptools")
    done = subprocess.run([sys.executable, "setup.py", "build_ext", "--inplace"], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def build_with_pip(folder):
    done = subprocess.run([sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", "installed", "."],
                          cwd=folder, capture_output=True, text=True)
    if "No matching distribution found for setuptools" in done.stderr:
        pytest.skip("pip cannot reach an index for its build environment")
    assert done.returncode == 0, done.stdout + done.stderr
    return folder / "installed"


USE = ("import a, größe, fast, kernels, numpy as np; print(a.half(3.0), größe.third(9.0), fast.total(np.ones(5)));"
       "out = np.zeros(3, 'f4'); kernels.fill[1, 3](out); print(out[2])")


@pytest.mark.parametrize("build", [build_with_cmake, build_with_setuptools, build_with_pip])
def test_the_build_files_build_every_module(tmp_path, build):
    write(tmp_path, a=HALF.format(name="half", by=2), größe=HALF.format(name="third", by=3),
          fast=FAST.format(options=", fastmath=True"), kernels=KERNEL)
    done = run_pyk2cu("a.py", "größe.py", "fast.py", "kernels.py", "-o", "out", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert check(build(tmp_path / "out"), USE) == ["1.5", "3.0", "5.0", "2.0"]


def test_a_later_run_adds_to_the_build_files(tmp_path):
    write(tmp_path, a=HALF.format(name="half", by=2), b=HALF.format(name="third", by=3), c=HALF.format(name="fourth", by=4))
    assert run_pyk2cu("a.py", "b.py", "-o", "out", cwd=tmp_path).returncode == 0
    assert run_pyk2cu("c.py", "-o", "out", "--march", "x86-64-v3", cwd=tmp_path).returncode == 0
    in_turn = files_of(tmp_path / "out")
    text = in_turn["CMakeLists.txt"].decode()
    assert text.count("-march=x86-64-v3") == 1  # of c only
    built = build_with_cmake(tmp_path / "out")
    assert check(built, "import a, b, c; print(a.half(3.0), b.third(9.0), c.fourth(2.0))") == ["1.5", "3.0", "0.5"]
    # A module is replaced by a run that makes it again, and gone when its files are.
    assert run_pyk2cu("c.py", "-o", "out", cwd=tmp_path).returncode == 0
    text = (tmp_path / "out/CMakeLists.txt").read_text()
    assert "-march" not in text and text.count("c.module.cpp") == 1
    (tmp_path / "out/a.cpp").unlink()
    assert run_pyk2cu("b.py", "-o", "out", cwd=tmp_path).returncode == 0
    for name in ("CMakeLists.txt", "setup.py"):
        text = (tmp_path / "out" / name).read_text()
        assert "b.module.cpp" in text and "c.module.cpp" in text and "a.module.cpp" not in text


def test_the_order_of_runs_and_files_changes_nothing(tmp_path):
    write(tmp_path, a=HALF.format(name="half", by=2), b=FAST.format(options=""), c=KERNEL)
    assert run_pyk2cu("a.py", "b.py", "c.py", "-o", "one", cwd=tmp_path).returncode == 0
    assert run_pyk2cu("c.py", "b.py", "a.py", "-o", "two", cwd=tmp_path).returncode == 0
    for name in ("c.py", "a.py", "b.py"):
        assert run_pyk2cu(name, "-o", "three", cwd=tmp_path).returncode == 0
    assert files_of(tmp_path / "one") == files_of(tmp_path / "two") == files_of(tmp_path / "three")


def test_runs_side_by_side_lose_no_module(tmp_path):
    names = [f"m{k}" for k in range(12)]
    write(tmp_path, **{name: HALF.format(name="half", by=2) for name in names})
    compiler = os.environ.get("PYK2CU", str(pathlib.Path(__file__).resolve().parents[2] / "build/pyk2cu"))
    running = [subprocess.Popen([compiler, f"{name}.py", "-o", "out"], cwd=tmp_path) for name in names]
    assert [process.wait(60) for process in running] == [0] * len(names)
    text = (tmp_path / "out/CMakeLists.txt").read_text()
    assert [name for name in names if f"{name}.module.cpp" not in text] == []


def test_foreign_json_is_no_module(tmp_path):
    write(tmp_path, a=HALF.format(name="half", by=2))
    (tmp_path / "out").mkdir()
    foreign = {"package.json": "{}", "broken.json": "{", "list.json": "[1, 2]",
               "other.json": json.dumps({"module": "other", "sources": [{"path": "other.cpp", "flags": []}]})}
    for name, text in foreign.items():
        (tmp_path / "out" / name).write_text(text)
    assert run_pyk2cu("a.py", "-o", "out", cwd=tmp_path).returncode == 0
    assert (tmp_path / "out/CMakeLists.txt").read_text().count("add_python_module(") == 2  # its definition, and a
    assert {name: (tmp_path / "out" / name).read_text() for name in foreign} == foreign


# ---- names of files ---------------------------------------------------------------------------------------------------
def test_suffixes_are_no_names_of_modules(tmp_path):
    """x.py beside files called like what x might become."""
    suffixes = ["", "_module", "_fast", "_twin"]
    half = HALF.format(name="half", by=2) + "\n\n" + FAST.format(options=", fastmath=True")
    for suffix in suffixes:
        write(tmp_path, **{f"x{suffix}": half if suffix else half + "\n\n" + KERNEL})
    done = run_pyk2cu(*[f"x{suffix}.py" for suffix in suffixes], "-o", "out", "--build", "--quiet", "--march=native",
                      "--python", sys.executable, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    code = "import numpy as np\n"
    for suffix in suffixes:
        code += f"import x{suffix} as m; print(m.half(1.0), m.total(np.ones(3)), m.__name__)\n"
    assert check(tmp_path / "out", code) == [v for s in suffixes for v in ("0.5", "3.0", f"x{s}")]
    assert check(build_with_cmake(tmp_path / "out"), code) == [v for s in suffixes for v in ("0.5", "3.0", f"x{s}")]


@pytest.mark.parametrize("first, second", [
    ("A.py", "a.py"), ("one/k.py", "two/k.py"), ("a-b.py", "a_b.py"), ("Straße.py", "straße.py"), ("ÄÖ.py", "äö.py"),
    ("Ж.py", "ж.py"), ("Σ.py", "σ.py"), ("Kernels.py", "kernels.ipynb")])
@pytest.mark.parametrize("in_turn", [False, True])
def test_modules_that_would_overwrite_one_another(tmp_path, first, second, in_turn):
    for path in (first, second):
        (tmp_path / path).parent.mkdir(exist_ok=True)
        text = HALF.format(name="half", by=2)
        if path.endswith(".ipynb"):
            text = json.dumps({"cells": [{"cell_type": "code", "source": text}], "nbformat": 4})
        (tmp_path / path).write_text(text)
    same_name = (first, second) in [("one/k.py", "two/k.py"), ("a-b.py", "a_b.py")]
    if in_turn:
        assert run_pyk2cu(first, "-o", "out", cwd=tmp_path).returncode == 0
        before = files_of(tmp_path / "out")
        done = run_pyk2cu(second, "-o", "out", cwd=tmp_path)
        if same_name:  # the module of this name is made anew
            assert done.returncode == 0, done.stderr
            return
        assert files_of(tmp_path / "out") == before
    else:
        done = run_pyk2cu(first, second, "-o", "out", cwd=tmp_path)
        assert not (tmp_path / "out").exists()
    assert done.returncode == 3 and done.stderr.count("error[PK6003]") == 1, done.stderr
    assert second in done.stderr and (in_turn or first in done.stderr)


def test_a_file_given_twice_counts_once(tmp_path):
    write(tmp_path, k=HALF.format(name="half", by=2))
    (tmp_path / "link.py").symlink_to("k.py")
    done = run_pyk2cu("k.py", "./k.py", str(tmp_path / "k.py"), "-o", "out", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")


def test_build_files_that_are_not_ours_stay(tmp_path):
    write(tmp_path, a=HALF.format(name="half", by=2))
    for name in ("CMakeLists.txt", "setup.py", "pyproject.toml"):
        folder = tmp_path / f"out_{name}"
        folder.mkdir()
        (folder / name).write_text("mine\n")
        done = run_pyk2cu("a.py", "-o", folder.name, cwd=tmp_path)
        assert done.returncode == 3 and "PK6001" in done.stderr
        assert files_of(folder) == {name: b"mine\n"}


# ---- what a file is called decides nothing ------------------------------------------------------------------------------
@pytest.mark.parametrize("name", ["sums_fast", "sums_twin", "fast", "sums_module", "module"])
def test_only_fastmath_is_compiled_with_its_flags(tmp_path, name):
    write(tmp_path, **{name: FAST.format(options="")}, plain=FAST.format(options=", fastmath=True"))
    done = run_pyk2cu(f"{name}.py", "plain.py", "-o", "out", "--build", "-v", "--python", sys.executable, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    fast = [line.split(" -c ")[1].split()[0] for line in done.stderr.splitlines() if "-fassociative-math" in line]
    parts = ("", ".baseline", ".v3", ".v4")
    assert sorted(fast) == sorted(f"out/plain.fast{part}.cpp" for part in parts)
    manifest = json.loads((tmp_path / f"out/{name}.json").read_text())
    assert [source["flags"] for source in manifest["sources"]] == [[]] * 5
    for build_file in ("CMakeLists.txt", "setup.py"):
        lines = (tmp_path / "out" / build_file).read_text().splitlines()
        assert sum("-fassociative-math" in line for line in lines) == len(parts)
    # 1 + (-1e30 + 1e30): the order of a serial sum is that of the source
    assert check(tmp_path / "out", f"import {name}, numpy as np; print({name}.total(np.array([1e30, 1.0, -1e30] * 400)))") \
        == ["0.0"]


# ---- one module of several files --------------------------------------------------------------------------------------
def test_files_without_functions_stay_python_files(tmp_path):
    package = tmp_path / "pkg"
    package.mkdir()
    write(package, __init__="", errors="class ShapeError(ValueError):\n    pass\n\n\nLIMIT = 5\n\n\ndef helper(x):\n    return x + 1.0\n",
          k="from numba import njit\n\nfrom .errors import LIMIT, ShapeError, helper\n\nhelper = njit(helper)\n\n\n"
            "@njit('float64(float64)')\ndef half(x):\n    if x > LIMIT:\n        raise ShapeError('large')\n    return helper(x) / 2\n",
          l="from numba import njit\n\nfrom .k import half\n\n\n@njit('float64(float64)')\ndef quarter(x):\n    return half(x) / 2\n")
    for given in (["pkg"], ["pkg/errors.py", "pkg/k.py", "pkg/l.py"]):
        done = run_pyk2cu("--module", "m", *given, "-o", "out", "--build", "--quiet", "--python", sys.executable, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        code = ("import sys; sys.path.insert(0, 'out')\nimport m\nprint(m.half(3.0), m.quarter(3.0))\n"
                "try:\n    m.half(6.0)\nexcept ValueError as e:\n    print(type(e).__module__, type(e).__name__)\n")
        assert check(tmp_path, code) == ["2.0", "1.0", "pkg.errors", "ShapeError"]


def test_a_file_with_refused_functions_only_is_not_passed_over(tmp_path):
    write(tmp_path, a=HALF.format(name="half", by=2), b="from numba import generated_jit\n\n\n@generated_jit\ndef f(a):\n    return a[0]\n")
    done = run_pyk2cu("--module", "m", "a.py", "b.py", "-o", "out", cwd=tmp_path)
    assert "PK2042" in done.stderr and (tmp_path / "out/m.cpp").exists()
