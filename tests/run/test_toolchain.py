"""--build: which tools are found, what is said when one is missing, what is done again and what is not."""
import os
import pathlib
import shutil
import subprocess
import sys
import sysconfig

import numpy as np
import pytest
from conftest import PYK2CU, run_pyk2cu
from module_batch import batch

SOURCE = 'from numba import njit\n\n\n@njit("float64(float64)")\ndef half(x):\n    return x / 2.0\n'


@pytest.fixture
def source(tmp_path):
    (tmp_path / "kernels.py").write_text(SOURCE)
    return tmp_path


def build(cwd, *options, python=sys.executable, **env):
    return run_pyk2cu("kernels.py", "-o", "out", "--build", "--python", python, *options, cwd=cwd, env=env)


def python_that_says(path, *lines):
    path.write_text("#!/bin/sh\n" + "".join(f"echo '{line}'\n" for line in lines))
    path.chmod(0o755)
    return path


def test_a_module_and_the_time_it_took(source):
    done = build(source)
    assert done.returncode == 0 and done.stderr.startswith("built out/kernels.abi3.so in "), done.stderr
    assert build(source, "--quiet").stderr == ""
    check = subprocess.run([sys.executable, "-c", "import kernels; print(kernels.half(3.0))"], cwd=source / "out",
                           capture_output=True, text=True)
    assert check.stdout == "1.5\n"


def test_verbose_shows_the_commands_and_only_what_must_be_done(source):
    first = build(source, "-v").stderr
    assert "-ffp-contract=off" in first and " -shared " in first and "kernels.module.cpp" in first
    built = (source / "out/kernels.abi3.so").stat().st_mtime_ns
    assert " -c " not in build(source, "-v").stderr
    assert (source / "out/kernels.abi3.so").stat().st_mtime_ns == built
    (source / "kernels.py").write_text(SOURCE.replace("2.0", "4.0"))
    again = build(source, "-v").stderr
    assert "out/kernels.cpp " in again and "-shared" in again and "-c out/kernels.module.cpp" not in again
    assert "-march=x86-64-v3" in build(source, "-v", "--march", "x86-64-v3").stderr


def test_no_compiler(source):
    done = build(source, CXX="no-such-compiler")
    assert done.returncode == 3 and "PK6010" in done.stderr and "no-such-compiler" in done.stderr


def test_compilers_are_taken_from_cxx_with_their_arguments(source):
    done = build(source, "-v", CXX="g++ -DHELLO='a b'")
    assert done.returncode == 0 and "g++ '-DHELLO=a b' -O3" in done.stderr, done.stderr


def test_a_flag_that_the_compiler_refuses(source):
    done = build(source, "--march", "no-such-cpu")
    assert done.returncode == 3 and "PK6020" in done.stderr and "no-such-cpu" in done.stderr
    assert not (source / "out/kernels.abi3.so").exists()
    assert not list((source / "out").rglob("*.new"))


@pytest.mark.parametrize("answers, code", [
    (["3.13.0", "/nowhere", "", ".abi3.so", "x"], "PK6013"), (["3.9.1", "/nowhere", "/nowhere", ".abi3.so", "x"], "PK6012"),
    (["3.13.0", "/nowhere", "/nowhere", ".abi3.so", "x"], "PK6016"), (["hello"], "PK6011")])
def test_a_python_that_will_not_do(source, answers, code):
    python = python_that_says(source / "python", *answers)
    done = build(source, python=str(python))
    assert done.returncode == 3 and code in done.stderr, done.stderr


def test_no_python(source):
    assert "PK6011" in build(source, python="no-such-python").stderr


def test_the_python_of_the_virtual_environment_is_the_default(source):
    venv = source / "venv/bin"
    venv.mkdir(parents=True)
    (venv / "python3").write_text(f"#!/bin/sh\nexec {sys.executable} \"$@\"\n")
    (venv / "python3").chmod(0o755)
    done = run_pyk2cu("kernels.py", "-o", "out", "--build", "-v", cwd=source, env={"VIRTUAL_ENV": str(source / "venv")})
    assert done.returncode == 0, done.stderr


def test_a_module_compiles_with_the_full_api_of_free_threaded_pythons():
    includes = [sysconfig.get_path("include"), np.get_include()]
    done = subprocess.run(["g++", "-std=c++17", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-DPy_GIL_DISABLED=1",
                           *(f"-isystem{path}" for path in includes), "module_kernels.module.cpp"],
                          cwd=batch.directory, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def without_numpy(prefix, marker):
    """An environment whose python3 has no NumPy."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", prefix], check=True)
    if marker == "conda-meta":
        (prefix / marker).mkdir()
    return prefix / "bin/python3"


@pytest.mark.parametrize("variable, marker, command", [
    ("VIRTUAL_ENV", "", "uv pip install --python {python} numpy"),
    ("CONDA_PREFIX", "conda-meta", "conda install -p {prefix} numpy"),
    ("PATH", "", "uv pip install --python {python} numpy")])
def test_a_python_without_numpy_is_named_with_the_command_that_mends_it(source, variable, marker, command):
    prefix = source / "env"
    python = without_numpy(prefix, marker)
    unset = {"VIRTUAL_ENV": "", "CONDA_PREFIX": ""}
    value = f"{prefix}/bin:/nowhere" if variable == "PATH" else str(prefix)
    done = run_pyk2cu("kernels.py", "-o", "out", "--build", cwd=source, env={**unset, "CXX": "/usr/bin/g++", variable: value})
    assert done.returncode == 3 and f"PK6013]: `{python}` has no NumPy" in done.stderr, done.stderr
    assert f"`{command.format(python=python, prefix=prefix)}`" in done.stderr


def test_the_python_beside_the_program_is_that_of_its_environment(source):
    prefix = source / "env"
    python = without_numpy(prefix, "")
    program = prefix / "bin/pyk2cu"
    program.hardlink_to(PYK2CU) if os.stat(PYK2CU).st_dev == os.stat(prefix).st_dev else shutil.copy(PYK2CU, program)
    done = subprocess.run([program, "kernels.py", "-o", "out", "--build"], cwd=source, capture_output=True, text=True,
                          env={**os.environ, "VIRTUAL_ENV": "", "CONDA_PREFIX": ""})
    assert done.returncode == 3 and f"`{python}` has no NumPy" in done.stderr, done.stderr


def test_without_nvcc_the_kernels_run_on_the_cpu(source):
    (source / "kernels.py").write_text('from numba import cuda\n\n\n@cuda.jit("void(float32[:])")\ndef fill(out):\n'
                                       "    i = cuda.grid(1)\n    if i < out.shape[0]:\n        out[i] = i\n")
    packages = pathlib.Path(sysconfig.get_path("purelib"))  # requirements-nvcc.txt puts one there
    if any((pathlib.Path(p) / "nvcc").exists() for p in ("/usr/bin", "/usr/local/cuda/bin")) or \
            list(packages.glob("nvidia/*/bin/nvcc")):
        pytest.skip("nvcc is found without PATH")
    done = build(source, PATH="/usr/bin:/bin")
    assert done.returncode == 0 and "PK6015" in done.stderr


def test_cmake_builds_the_same_module(source):
    assert run_pyk2cu("kernels.py", "-o", "out", cwd=source).returncode == 0
    out = source / "out"
    for command in (["cmake", "-S", ".", "-B", "b", f"-DPython_EXECUTABLE={sys.executable}"], ["cmake", "--build", "b"]):
        done = subprocess.run(command, cwd=out, capture_output=True, text=True,
                              env={**os.environ, "VIRTUAL_ENV": "", "CMAKE_GENERATOR": "Ninja"})
        assert done.returncode == 0, done.stdout + done.stderr
    check = subprocess.run([sys.executable, "-c", "import kernels; print(kernels.half(3.0))"], cwd=out / "b",
                           capture_output=True, text=True)
    assert check.stdout == "1.5\n", check.stderr


def test_setuptools_builds_the_same_module(source):
    pytest.importorskip("setuptools")
    assert run_pyk2cu("kernels.py", "-o", "out", cwd=source).returncode == 0
    done = subprocess.run([sys.executable, "setup.py", "build_ext", "--inplace"], cwd=source / "out", capture_output=True,
                          text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    check = subprocess.run([sys.executable, "-c", "import kernels; print(kernels.half(3.0))"], cwd=source / "out",
                           capture_output=True, text=True)
    assert check.stdout == "1.5\n", check.stderr


@pytest.mark.parametrize("compiler", [
    "case \"$*\" in *' -c '*) echo \"out/kernels.cpp:3:10: fatal error: 'omp.h' file not found\" >&2; exit 1;; esac",
    "case \"$*\" in *-shared*) echo '/usr/bin/ld: cannot find -lomp: No such file or directory' >&2\n"
    "echo 'clang: error: linker command failed with exit code 1 (use -v to see invocation)' >&2; exit 1;; esac",
], ids=["header", "library"])
def test_a_compiler_without_openmp(source, compiler):
    fake = source / "fake-c++"
    fake.write_text(f"#!/bin/sh\n{compiler}\nexec g++ \"$@\"\n")
    fake.chmod(0o755)
    done = build(source, CXX=str(fake))
    assert done.returncode == 3 and "PK6020" in done.stderr and "PK9002" not in done.stderr, done.stderr
    assert "install OpenMP's headers: apt install libomp-dev" in done.stderr
    fake.write_text("#!/bin/sh\necho \"foo.h:1:1: error: 'bar' was not declared\" >&2\nexit 1\n")
    assert "libomp" not in build(source, CXX=str(fake)).stderr


PARALLEL = '''from numba import njit, prange


@njit("float64(float64[:])", parallel=True)
def total(a):
    t = 0.0
    for i in prange(a.shape[0]):
        t += a[i]
    return t
'''
COUNT = '''import ctypes, sys, threading
import numpy as np
def threads():
    return next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("Threads"))
openmp = ctypes.CDLL("libgomp.so.1")
before = threads()
import kernels
if len(sys.argv) > 1:
    openmp.omp_set_num_threads(int(sys.argv[1]))
most = openmp.omp_get_max_threads()
assert kernels.total(np.ones(100_000)) == 100_000
print(threads() - before + 1, openmp.omp_get_max_threads() == most)
worker = threading.Thread(target=lambda: kernels.total(np.ones(100_000)))
worker.start()
worker.join()
'''


@pytest.fixture(scope="module")
def parallel_module(tmp_path_factory):
    path = tmp_path_factory.mktemp("parallel")
    (path / "kernels.py").write_text(PARALLEL)
    assert build(path).returncode == 0
    return path / "out"


@pytest.mark.parametrize("numba, openmp, call, expected", [
    ("3", None, [], 3), ("7", None, [], 7), ("1", None, [], 1), ("3", "", [], 3), ("3", "2", [], 2), (None, "5", [], 5),
    ("3", None, [6], 6), ("0", None, [], None), ("-3", None, [], None), ("many", None, [], None), ("3x", None, [], None),
    ("", None, [], None), ("99999999999999999999", None, [], None)])
def test_how_many_threads(parallel_module, numba, openmp, call, expected):
    env = {k: v for k, v in os.environ.items() if not k.startswith(("OMP_", "NUMBA_", "GOMP_"))}
    env |= {"NUMBA_NUM_THREADS": numba} if numba is not None else {}
    env |= {"OMP_NUM_THREADS": openmp} if openmp is not None else {}
    done = subprocess.run([sys.executable, "-c", COUNT, *map(str, call)], cwd=parallel_module, capture_output=True, text=True,
                          env={**env, "OPENBLAS_NUM_THREADS": "1"})
    if expected is None:
        expected = len(os.sched_getaffinity(0))
    assert done.returncode == 0 and done.stdout == f"{expected} True\n", (done.stdout, done.stderr)
