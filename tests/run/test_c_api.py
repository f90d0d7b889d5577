"""The C interface: the same calls through a C program without Python, through C++, and through ctypes in Python."""
import ctypes
import shutil
import subprocess
import sys

import numpy as np
import pytest
from conftest import build, load_module, run_pyk2cu

SOURCE = '''
import math
from collections import namedtuple

import numpy as np
from numba import cuda, guvectorize, njit, optional, prange, vectorize

Point = namedtuple("Point", "x y")


@njit("float64(float64[:])")
def total(a):
    s = 0.0
    for x in a:
        s += x
    return s


@njit("float64(float64[:,::1], int64)")
def row(a, i):
    return total(a[i])


@njit("void(float32[:,:], float32)", parallel=True)
def scale(a, by):
    for i in prange(a.shape[0]):
        for j in range(a.shape[1]):
            a[i, j] *= by


@njit(["int64(int64, int64)", "float64(float64, float64)"])
def divide(a, b):
    return a // b


@njit("float64[:](int64, float64)")
def ramp(n, step):
    if n < 0:
        raise ValueError("too few", n, step)
    out = np.empty(n)
    for i in range(n):
        out[i] = i * step
    return out


@njit("float64[:](float64[:])")
def tail(a):
    return a[1:]


@njit("Tuple((int64, float64))(float64[:])")
def argmax(a):
    best = 0
    for i in range(len(a)):
        if a[i] > a[best]:
            best = i
    return best, a[best]


@njit("complex128(UniTuple(complex128, 2), boolean)")
def product(pair, conjugate):
    z = pair[0] * pair[1]
    return z.conjugate() if conjugate else z


@njit("complex128[:](complex128[:])")
def turn(z):
    for i in range(len(z)):
        z[i] *= 1j
    return z[1:]


@njit("optional(int64)(optional(int64), uint8)")
def plus(a, b):
    if a is None:
        return None
    return a + b


class Failed(ValueError):
    pass


@njit("void(int64, float64)")
def texts(n, x):
    raise Failed(f"{n:>{n}} {{of}} {x!r:{n}.{n}} {True}", n, "%d" % n)


@njit("void()")
def explain():
    pass


@cuda.jit("void(int32[:])")
def count(out):
    i = cuda.grid(1)
    if i < out.shape[0]:
        out[i] = i


@vectorize(["float32(float32)", "float64(float64)"])
def root(x):
    if x < 0:
        raise ValueError("negative", x)
    return math.sqrt(x)


@vectorize(["complex128(complex128, int64)"], target="parallel")
def turned(z, out):
    return z * 1j + out


@guvectorize(["void(float64[:], float64, float64[:])"], "(n),()->(n)")
def shifted(x, by, result):
    for i in range(x.shape[0]):
        result[i] = x[i] + by
'''

PROGRAM = r'''
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "kernels.c.h"

#define CHECK(x) do { if (!(x)) { printf("%d: %s\n", __LINE__, #x); return 1; } } while (0)

/* The pages in memory now; the peak of getrusage would be that of the process that started this one. */
static long resident(void) {
  long pages = -1;
  FILE *file = fopen("/proc/self/statm", "r");
  if (file) {
    if (fscanf(file, "%*d %ld", &pages) != 1) pages = -1;
    fclose(file);
  }
  return pages;
}

int main(void) {
  double data[6] = {1, 2, 3, 4, 5, 6}, sum;
  char text[200];
  pyk_f8_1d a = {data, {6}, {8}}, evens = {data + 5, {3}, {-16}}, made;
  CHECK(kernels_total(&a, &sum) == 0 && sum == 21);
  CHECK(kernels_total(&evens, &sum) == 0 && sum == 12);

  pyk_f8_2d m = {data, {2, 3}, {24, 8}}, turned = {data, {3, 2}, {8, 24}};
  CHECK(kernels_row(&m, 1, &sum) == 0 && sum == 15);
  int32_t status = kernels_row(&turned, 1, &sum);
  kernels_explain(status, text, sizeof text);
  CHECK(status < 0 && strcmp(text, "TypeError: argument 1 is not contiguous as its type says") == 0);
  pyk_f8_2d single = {data, {1, 3}, {-99, 8}}, empty = {data, {3, 0}, {5, 7}};  /* strides of nothing */
  CHECK(kernels_row(&single, 0, &sum) == 0 && sum == 6 && kernels_row(&empty, 2, &sum) == 0 && sum == 0);

  float f[4] = {1, 2, 3, 4};
  pyk_f4_2d g = {f, {2, 1}, {8, 4}};
  CHECK(kernels_scale(&g, 10) == 0 && f[0] == 10 && f[1] == 2 && f[2] == 30 && f[3] == 4);

  int64_t q;
  CHECK(kernels_divide_i8_i8(-7, 2, &q) == 0 && q == -4);
  status = kernels_divide_i8_i8(1, 0, &q);
  CHECK(status > 0);
  size_t whole = kernels_explain(status, text, sizeof text);
  CHECK(strstr(text, "ZeroDivisionError: ") == text && strstr(text, "(kernels.py:32, in divide)"));
  CHECK(whole == strlen(text) && kernels_explain(status, text, 5) == whole && strcmp(text, "Zero") == 0);
  CHECK(kernels_explain(status, NULL, 0) == whole);
  CHECK(kernels_divide_f8_f8(7.5, 2, &sum) == 0 && sum == 3);

  void *owner;
  CHECK(kernels_ramp(4, 0.5, &made, &owner) == 0 && owner && made.shape[0] == 4 && made.strides[0] == 8);
  CHECK(made.data[3] == 1.5);
  kernels_free(owner);
  long before = resident();
  for (int i = 0; i < 500; i++) {
    CHECK(kernels_ramp(1000000, 0.5, &made, &owner) == 0);
    kernels_free(owner);
  }
  CHECK(before > 0 && resident() - before < 20000);  /* of 976,000 pages of 4 KiB: the memory came back */
  status = kernels_ramp(-1, 0.5, &made, &owner);
  kernels_explain(status, text, sizeof text);
  CHECK(strcmp(text, "ValueError: ('too few', -1, 0.5) (kernels.py:38, in ramp)") == 0);
  status = kernels_ramp(INT64_MAX, 0.5, &made, &owner);
  kernels_explain(status, text, sizeof text);
  CHECK(strcmp(text, "MemoryError") == 0);
  CHECK(kernels_tail(&evens, &made, &owner) == 0 && !owner && made.data == data + 3 && made.strides[0] == -16);
  kernels_free(owner);

  pyk_t2_i8_f8 at;
  CHECK(kernels_argmax(&a, &at) == 0 && at.f0 == 5 && at.f1 == 6);
  pyk_t2_c16_c16 pair = {{1, 2}, {3, 4}};
  pyk_c16 z;
  CHECK(kernels_product(&pair, true, &z) == 0 && z.re == -5 && z.im == -10);
  pyk_c16 numbers_[2] = {{1, 2}, {3, 4}};
  pyk_c16_1d zs = {numbers_, {2}, {16}}, rest;
  CHECK(kernels_turn(&zs, &rest, &owner) == 0 && !owner && rest.data == numbers_ + 1 && rest.data->re == -4);
  pyk_o_i8 none = {false, 0}, some = {true, 40}, result;
  CHECK(kernels_plus(&none, 2, &result) == 0 && !result.has);
  CHECK(kernels_plus(&some, 2, &result) == 0 && result.has && result.value == 42);
  CHECK(kernels_explain_2() == 0);
  status = kernels_texts(-3, 0.5);
  kernels_explain(status, text, sizeof text);
  CHECK(strstr(text, "Failed: ('-3 {of} 0.5 True', -3, '-3') (kernels.py:") == text);

  int32_t numbers[5] = {0}, grid[3] = {2, 1, 1}, block[3] = {3, 1, 1};
  pyk_i4_1d out = {numbers, {5}, {4}};
  CHECK(kernels_count(grid, block, &out) == 0 && numbers[4] == 4);

  float roots[2];
  pyk_f4_1d fs = {f, {2}, {8}}, to = {roots, {2}, {4}};
  f[0] = 4, f[2] = 9;
  CHECK(kernels_root_f4(&fs, &to) == 0 && roots[0] == 2 && roots[1] == 3);
  double minus[3] = {4, -1, 9};
  pyk_f8_1d ms = {minus, {3}, {8}};
  status = kernels_root_f8(&ms, &ms);
  kernels_explain(status, text, sizeof text);
  CHECK(strstr(text, "ValueError: ('negative', -1)") == text && minus[0] == 2 && minus[2] == 9);
  int64_t one[1] = {1};
  pyk_i8_1d ones = {one, {2}, {0}};
  CHECK(kernels_turned(&zs, &ones, &zs) == 0 && numbers_[0].re == 0 && numbers_[0].im == -2);
  double rows[2] = {10, 20}, shifted[6];
  pyk_f8_2d x2 = {data, {2, 3}, {24, 8}}, y2 = {shifted, {2, 3}, {8, 16}};
  pyk_f8_1d by = {rows, {2}, {8}};
  CHECK(kernels_shifted(&x2, &by, &y2) == 0 && shifted[4] == 13 && shifted[1] == 24);
  puts("done");
  return 0;
}
'''


@pytest.fixture(scope="module")
def folder():
    return build(SOURCE.lstrip("\n"), "kernels", ("--c-api",))


def run(*command, cwd):
    done = subprocess.run([str(word) for word in command], cwd=cwd, capture_output=True, text=True)
    assert done.returncode == 0 and not done.stderr, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def library(folder, tmp_path_factory):
    """The functions in a library that knows nothing of Python."""
    made = tmp_path_factory.mktemp("library") / "libkernels.so"
    sources = [path for path in sorted(folder.glob("*.cpp")) if not path.name.endswith(".module.cpp")]
    run("g++", "-std=c++17", "-Wall", "-Wextra", "-O1", "-fopenmp", "-shared", "-fPIC", "-fvisibility=hidden", *sources, "-o", made,
        cwd=folder)
    return made


@pytest.mark.parametrize("compiler", [("gcc", "-std=c99", "-x", "c"), ("g++", "-std=c++11", "-x", "c++")])
def test_a_program_without_python(folder, library, tmp_path, compiler):
    (tmp_path / "main.c").write_text(PROGRAM)
    run(*compiler, "-Wall", "-Wextra", "-Werror", "-pedantic", "-I", folder, tmp_path / "main.c", "-x", "none", library,
        f"-Wl,-rpath,{library.parent}", "-lm", "-o", "program", cwd=tmp_path)
    assert run(tmp_path / "program", cwd=tmp_path) == "done\n"
    needed = run("readelf", "-d", library, cwd=tmp_path)
    assert "python" not in needed
    names = {line.split()[-1] for line in run("nm", "-D", "--defined-only", library, cwd=tmp_path).splitlines()}
    assert {name for name in names if "kernels" in name} == {
        f"kernels_{name}" for name in ("total", "row", "scale", "divide_i8_i8", "divide_f8_f8", "ramp", "tail", "argmax", "product",
                                       "turn", "plus", "explain", "explain_2", "free", "texts", "count", "root_f4", "root_f8", "turned",
                                       "shifted")}


class Array2(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("shape", ctypes.c_int64 * 2), ("strides", ctypes.c_int64 * 2)]

    @classmethod
    def of(cls, a):
        return cls(a.ctypes.data, a.ctypes.shape_as(ctypes.c_int64), a.ctypes.strides_as(ctypes.c_int64))


def test_ctypes_calls_the_extension_module(folder):
    module = load_module(next(folder.glob("kernels.*.so")))
    c = ctypes.CDLL(module.__file__)
    one, other = np.arange(12, dtype="f4").reshape(3, 4), np.arange(12, dtype="f4").reshape(3, 4)
    assert c.kernels_scale(ctypes.byref(Array2.of(one[::2, ::-1])), ctypes.c_float(3)) == 0
    module.scale(other[::2, ::-1], 3)
    assert (one == other).all() and one[0, 3] == 9
    assert c.kernels_divide_i8_i8(ctypes.c_int64(1), ctypes.c_int64(0), ctypes.byref(ctypes.c_int64())) > 0


def test_what_c_cannot_say_is_named(tmp_path):
    (tmp_path / "k.py").write_text('from numba import njit\n\n\n@njit("float64(float64)")\ndef half(x):\n    return x / 2\n\n\n'
                                   '@njit("int64(optional(float64[:]))")\ndef size(a):\n    return 0 if a is None else len(a)\n')
    assert run_pyk2cu("k.py", "-o", "out", "--c-api", cwd=tmp_path).returncode == 0
    text = (tmp_path / "out/k.c.h").read_text()
    assert "// not for C: size  int64(optional(float64[:]))\n" in text and "int32_t k_half(double x, double *result);" in text
    assert run_pyk2cu("k.py", "-o", "plain", cwd=tmp_path).returncode == 0
    assert not list((tmp_path / "plain").glob("k.c.*"))


NAMES = """_Bool __x I N EDOM SIGINT errno stdin major NULL bool class_ register template restrict complex int64_t pyk_c16 PYK_C_API
result owner value status launch text unix assert_ min max ü""".split()
HEADERS = "assert complex ctype errno fenv inttypes limits locale math setjmp signal stdio stdlib string time wchar unistd fcntl pthread"


@pytest.mark.parametrize("compiler", ["gcc -std=c11 -x c", "gcc -std=gnu17 -x c", "g++ -std=c++17 -x c++"])
def test_every_name_meets_the_headers_of_c(tmp_path, compiler):
    source = "from numba import njit\n"
    for name in NAMES:
        source += f'\n\n@njit("int64({", ".join(["int64"] * len(NAMES))}, complex128)")\ndef of_{name}({", ".join(NAMES)}, z):\n' \
                  f"    return {name}\n"
        if not name.startswith("__"):
            source += f'\n\n@njit("int64(int64)")\ndef {name}(x):\n    return x\n'
    (tmp_path / "M.py").write_text(source + '\n\n@njit("int64(int64)")\ndef PI(x):\n    return x\n')
    done = run_pyk2cu("M.py", "-o", "out", "--c-api", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    includes = "".join(f"#include <{name}.h>\n" for name in HEADERS.split() if (name, compiler[1]) != ("complex", "+"))
    (tmp_path / "main.c").write_text(includes + '#define N 10\n#define DX 0.5\n#include "M.c.h"\n')
    run(*compiler.split(), "-Wall", "-Wextra", "-Werror", "-pedantic", "-fsyntax-only", "-I", "out", "main.c", cwd=tmp_path)
    for made in ("M.cpp", "M.c.cpp"):
        run("g++", "-std=c++17", "-fopenmp", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", made, cwd=tmp_path / "out")


@pytest.mark.skipif(not shutil.which("cmake"), reason="no CMake")
def test_cmake_builds_a_library(tmp_path):
    (tmp_path / "k.py").write_text('from numba import njit\n\n\n@njit("int64(int64)")\ndef f(x):\n    return x\n')
    assert run_pyk2cu("k.py", "-o", "out", "--c-api", cwd=tmp_path).returncode == 0
    for command in (["cmake", "-G", "Ninja", "-S", ".", "-B", "b", f"-DPython_EXECUTABLE={sys.executable}"],
                    ["cmake", "--build", "b", "--target", "k_c"]):
        done = subprocess.run(command, cwd=tmp_path / "out", capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
    result = ctypes.c_int64()
    assert ctypes.CDLL(str(tmp_path / "out/b/libk_c.so")).k_f(ctypes.c_int64(7), ctypes.byref(result)) == 0
    assert result.value == 7
