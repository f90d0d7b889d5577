"""The same source in another folder gives the same bytes, compiled ones too; and tracebacks and debuggers find it."""
import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest
from conftest import run_pyk2cu
from test_directory import build_with_setuptools, files_of

ROOT = pathlib.Path(__file__).resolve().parents[2]
KERNELS = '''import math

import numpy as np
from numba import cuda, njit, prange

from .util import scale
from helpers import offset

w = np.array([1.0, 2.0])


@njit("float64(float64[:], int64)", parallel=True)
def total(a, n):
    """Adds /what/it/is/given."""
    t = 0.0
    for i in prange(n):
        if a[i] < 0:
            raise ValueError("negative", i)
        t += math.sqrt(a[i]) / scale(n) + offset(w[0])
    return t


@njit("float64(float64[:])", fastmath=True)
def fast(a):
    t = 0.0
    for i in range(a.shape[0]):
        t += a[i]
    return t


@cuda.jit("void(float64[:])")
def fill(out):
    i = cuda.grid(1)
    if i < out.shape[0]:
        out[i] = i
'''
UTIL = "from numba import njit\n\n\n@njit\ndef scale(n):\n    assert n != 7, \"seven\"\n    return 1 / (n - 5)\n"
HELPERS = "from numba import njit\n\n\n@njit\ndef offset(x):\n    return x / 3\n"


def make_sources(folder):
    (folder / "src/pkg").mkdir(parents=True)
    (folder / "lib").mkdir()
    (folder / "src/pkg/__init__.py").write_text("")
    (folder / "src/pkg/kernels.py").write_text(KERNELS)
    (folder / "src/pkg/util.py").write_text(UTIL)
    (folder / "lib/helpers.py").write_text(HELPERS)
    return folder


@pytest.fixture(scope="module")
def twice(tmp_path_factory):
    """The same project in two folders, compiled from different places with paths spelled in different ways."""
    first = make_sources(tmp_path_factory.mktemp("first"))
    second = make_sources(tmp_path_factory.mktemp("another") / "and a deeper/one")
    common = ["--build", "--quiet", "--python", sys.executable]
    done = run_pyk2cu("src/pkg/kernels.py", "-I", "lib", "-o", "out", *common, cwd=first)
    assert done.returncode == 0, done.stderr
    done = run_pyk2cu(second / "src/pkg/../pkg/kernels.py", "-I", "../../lib", "-o", second / "build/here", *common,
                      cwd=second / "src/pkg")
    assert done.returncode == 0, done.stderr
    return first / "out", second / "build/here", [first, second]


def test_the_same_source_elsewhere_gives_the_same_bytes(twice):
    first, second, _ = twice
    one, two = files_of(first), files_of(second)
    assert one.keys() == two.keys() and {"kernels.abi3.so", "kernels.json", "kernels.twin.cpp", "setup.py"} <= one.keys()
    assert [name for name in one if one[name] != two[name]] == []


def test_no_file_says_where_it_was_made(twice):
    first, second, folders = twice
    here = [str(folder).encode() for folder in folders] + [str(ROOT).encode()]
    for out in (first, second):
        assert [name for name, text in files_of(out).items() for path in here if path in text] == []
    names = re.findall(r'"([^"]+\.py)"', (first / "kernels.cpp").read_text())
    assert set(names) == {"pkg/kernels.py", "pkg/util.py"}
    assert '"file": "pkg/kernels.py"' in (first / "kernels.json").read_text()


def test_files_outside_of_the_source_root(tmp_path):
    """An -I folder is a root of its own; what neither holds is named from the root."""
    (tmp_path / "a/b").mkdir(parents=True)
    (tmp_path / "lib/deep").mkdir(parents=True)
    text = "from numba import njit\n\n\n@njit\ndef {}(x):\n    return 1 / x\n"
    (tmp_path / "lib/deep/inside.py").write_text(text.format("one"))
    (tmp_path / "a/above.py").write_text(text.format("two"))
    (tmp_path / "a/b/k.py").write_text("from numba import njit\nfrom deep.inside import one\nfrom ..above import two\n\n\n"
                                       '@njit("float64(float64)")\ndef f(x):\n    return one(x) + two(x)\n')
    assert run_pyk2cu("a/b/k.py", "-I", "lib", "-o", "out", cwd=tmp_path).returncode == 0
    names = re.findall(r'"([^"]+\.py)"', (tmp_path / "out/k.cpp").read_text())
    assert set(names) == {"deep/inside.py", "../above.py"}
    # Several files in one module: from the folder that holds all of them.
    (tmp_path / "a/other.py").write_text(text.format("three").replace("@njit", '@njit("float64(float64)")'))
    done = run_pyk2cu("a/b/k.py", "a/other.py", "--module", "both", "-I", "lib", "-o", "out", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    names = re.findall(r'"([^"]+\.py)"', (tmp_path / "out/both.cpp").read_text())
    assert set(names) == {"deep/inside.py", "above.py", "other.py"}


def test_setuptools_gives_the_same_bytes(tmp_path):
    """Also where Python's own flags ask for debug information."""
    libraries = []
    for name in ("first", "second/deeper"):
        folder = tmp_path / name
        folder.mkdir(parents=True)
        (folder / "k.py").write_text(HELPERS.replace("@njit", '@njit("float64(float64)")'))
        assert run_pyk2cu("k.py", "-o", "out", cwd=folder).returncode == 0
        os.environ["CFLAGS"] = "-g"
        try:
            build_with_setuptools(folder / "out")
        finally:
            del os.environ["CFLAGS"]
        libraries.append(next((folder / "out").glob("k.*.so")).read_bytes())
    assert libraries[0] == libraries[1] and str(tmp_path).encode() not in libraries[0]


# ---- tracebacks ---------------------------------------------------------------------------------------------------------
def trace(out, cwd, *path):
    code = (f"import sys; sys.path[:] = [{str(out)!r}, *{[str(p) for p in path]!r}, *sys.path[1:]]\n"
            "import kernels, numpy as np\nkernels.total(np.ones(5), 5)")
    done = subprocess.run([sys.executable, "-c", code], cwd=cwd, capture_output=True, text=True)
    assert done.returncode == 1 and done.stderr.splitlines()[-1] == "ZeroDivisionError: division by zero", done.stderr
    return done.stderr


SHOWN = "in scale\n    return 1 / (n - 5)\n           ~~^~~~~~~~~"


def test_a_traceback_shows_the_line_where_the_source_is_on_the_path(twice, tmp_path):
    first, second, folders = twice
    for out in (first, second):
        for cwd, path, shown in ((folders[0] / "src", [""], ""), (tmp_path, [folders[1] / "src"], f"{folders[1]}/src/")):
            assert f'File "{shown}pkg/util.py", line 7, {SHOWN}' in trace(out, cwd, *path)
    text = trace(first, tmp_path)  # nowhere to be found: the name and the line, no text
    assert 'File "pkg/util.py", line 7, in scale\n' in text and "return 1" not in text


def test_a_traceback_finds_the_source_beside_the_module(twice, tmp_path):
    first, _, folders = twice
    for out in ("installed", "installed/build"):
        (tmp_path / out).mkdir()
        shutil.copy(first / "kernels.abi3.so", tmp_path / out)
    shutil.copytree(folders[0] / "src/pkg", tmp_path / "installed/pkg")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    for out in ("installed", "installed/build"):
        assert f'File "{tmp_path}/installed/pkg/util.py", line 7, ' + SHOWN in trace(tmp_path / out, elsewhere)


# ---- -g -----------------------------------------------------------------------------------------------------------------
@pytest.mark.skipif(not shutil.which("gdb"), reason="needs gdb")
@pytest.mark.parametrize("builder", ["--build", "cmake"])
def test_a_debugger_finds_the_source(tmp_path, builder):
    """With -g, and only then, paths are whole: whoever compiles, wherever the debugger runs."""
    (tmp_path / "src").mkdir()
    (tmp_path / "src/k.py").write_text(HELPERS.replace("@njit", '@njit("float64(float64)")'))
    options = ["-g", "-o", "out", *(["--build", "-q", "--python", sys.executable] if builder == "--build" else [])]
    assert run_pyk2cu("src/k.py", *options, cwd=tmp_path).returncode == 0
    out = tmp_path / "out"
    assert f'#line 6 "{tmp_path}/src/k.py"' in (out / "k.cpp").read_text()
    assert str(tmp_path) not in (out / "k.json").read_text()
    if builder == "cmake":
        for command in (["cmake", "-S", ".", "-B", "b", "-G", "Ninja", "-DCMAKE_BUILD_TYPE=RelWithDebInfo",
                         f"-DPython_EXECUTABLE={sys.executable}"], ["cmake", "--build", "b"]):
            done = subprocess.run(command, cwd=out, capture_output=True, text=True, env={**os.environ, "VIRTUAL_ENV": ""})
            assert done.returncode == 0, done.stdout + done.stderr
        out /= "b"
    done = subprocess.run(["gdb", "-batch", "-nx", "-ex", "info line k::offset", "-ex", "list k.py:5", str(out / "k.abi3.so")],
                          cwd="/", capture_output=True, text=True)
    assert f'"{tmp_path}/src/k.py"' in done.stdout and "return x / 3" in done.stdout, done.stdout + done.stderr
