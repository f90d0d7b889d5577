"""Names of the user's that C, C++, CUDA, CPython or generated code use too; modules with odd names.

The headers themselves say which names are dangerous: their macros, what they declare at global scope, and every
identifier of the runtime headers.
"""
import functools
import keyword
import os
import pathlib
import re
import shutil
import subprocess
import sys

import numpy as np
import pytest
from conftest import BUILD_PYTHON, load_module, run_pyk2cu

ROOT = pathlib.Path(__file__).resolve().parents[2]
RUNTIME = ROOT / "runtime_headers"
HOST = [f"pyk/{p.name}" for p in sorted((RUNTIME / "pyk").glob("*.h"))]
SAY = "import sysconfig, numpy; print('-isystem', sysconfig.get_path('include'), '-isystem', numpy.get_include(), sep='\\n')"
INCLUDES = [f"-I{RUNTIME}", *subprocess.check_output([BUILD_PYTHON, "-c", SAY], text=True).splitlines()]


def preprocess(headers, *options, compiler=("g++", "-fopenmp")):
    text = "".join(f'#include "{header}"\n' for header in headers)
    done = subprocess.run([*compiler, "-std=c++17", *INCLUDES, *options, "-x", "c++", "-E", "-"], input=text,
                          capture_output=True, text=True, check=True)
    return done.stdout


def macros_of(headers, *options, **how):
    return set(re.findall(r"^#define (\w+)", preprocess(headers, "-dM", *options, **how), re.M))


@functools.cache
def macros():
    """Name: used where? Those of Python's headers meet the functions of a module only."""
    host = macros_of(HOST)
    if shutil.which("nvcc"):
        toolkit = pathlib.Path(shutil.which("nvcc")).resolve().parents[1] / "include"
        if (toolkit / "cuda_runtime.h").exists():
            host |= macros_of(["cuda_runtime.h", *HOST], f"-I{toolkit}")
    return host, macros_of(["pyk/python/module.h", *HOST])


def is_python_name(word):
    return word.isidentifier() and not keyword.iskeyword(word)


def global_names(text):
    """What stands outside of braces and parentheses: roughly, what is declared at global scope."""
    text = re.sub(r"^#.*$|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", " ", text, flags=re.M)
    text = re.sub(r"extern\s+(?=\{)", "extern_c ", text)
    names, depth, parens, linkage = set(), 0, 0, []
    last = ""
    for token in re.findall(r"\w+|[{}()]", text):
        if token == "{":
            linkage.append(last == "extern_c")
            depth += not linkage[-1]
        elif token == "}":
            depth -= not linkage.pop() if linkage else 0
        elif token in "()":
            parens += 1 if token == "(" else -1
        elif depth == 0 and parens == 0 and is_python_name(token) and not token.startswith("_"):
            names.add(token)
        last = token
    return names


@functools.cache
def runtime_words():
    words = set()
    for path in RUNTIME.glob("pyk/*.h"):
        words |= set(re.findall(r"[A-Za-z_]\w*", re.sub(r"//.*", "", path.read_text())))
    return {word for word in words if is_python_name(word)}


CPP = """alignas alignof and_eq asm auto bitand bitor bool case catch char char8_t char16_t char32_t co_await compl concept
const const_cast consteval constexpr constinit decltype default delete do double dynamic_cast enum explicit export extern false
float for friend goto inline int long mutable namespace new noexcept not_eq nullptr operator or_eq private protected public
register reinterpret_cast requires short signed sizeof static static_assert static_cast struct switch template this
thread_local throw true typedef typeid typename union unsigned using virtual void volatile wchar_t xor xor_eq restrict typeof
main std pyk int64_t uint8_t size_t INFINITY NAN NULL M_PI M_E errno linux unix i386 I complex major minor signgam
sites lane launch error status result Index block grid thread threadIdx blockIdx blockDim gridDim warpSize dim3 half printf
sin cos exp log pow abs max min floor sqrt malloc free memcpy y0 y1 j0 jn gamma index time read write
assert_ new_ new__2 f__c f__f8 u00f6 items_ _ __ ___ _A _Z __init__ __x A B N NX MAX_ITER""".split()


# ---- by the text: no name of ours is a macro --------------------------------------------------------------------------
def emit(folder, source, name="names", *options):
    (folder / f"{name}.py").write_text(source)
    done = run_pyk2cu(f"{name}.py", "-o", "out", *options, cwd=folder)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr[:3000]
    return folder / "out"


def printed_words(*paths):
    text = "\n".join(re.sub(r'//.*|"(?:\\.|[^"\\])*"|^#.*', "", path.read_text(), flags=re.M) for path in paths)
    return set(re.findall(r"[A-Za-z_]\w*", text))


OWN = {"INT64_MIN", "INT64_MAX", "INT32_MIN", "assert"}  # macros that generated code means


def test_no_macro_names_a_parameter_or_a_local(tmp_path):
    host, _ = macros()
    names = sorted(name for name in host | set(CPP) if is_python_name(name))
    source = "from numba import cuda, njit\n"
    for k, name in enumerate(names):
        source += (f'\n\n@njit("int64(int64)")\ndef p{k}({name}):\n    return {name} + 1\n'
                   f'\n\n@njit("int64(int64)")\ndef l{k}(n):\n    {name} = n * 2\n    {name} = {name} + n\n    return {name}\n')
    out = emit(tmp_path, source)
    before = printed_words(emit(tmp_path, source[:source.index("\n\n@njit")] + '\n\n@njit("int64(int64)")\n'
                                'def p0(a):\n    return a + 1\n', "plain") / "plain.cpp")
    assert printed_words(out / "names.cpp", out / "names.h") & host - before - OWN == set()


def test_no_macro_names_a_function(tmp_path):
    host, python = macros()
    names = sorted(name for name in host | python | set(CPP) if is_python_name(name) and name != "_")
    source = "from numba import njit\n"
    source += "".join(f'\n\n@njit("int64(int64)")\ndef {name}(n):\n    return n + 1\n' for name in names)
    out = emit(tmp_path, source)
    symbols = set(re.findall(r"^int64_t (\w+)\(", (out / "names.h").read_text(), re.M))
    assert len(symbols) == len(names)
    assert symbols & (host | python) == set()
    tables = set(re.findall(r"\b(\w+)\[\]", (out / "names.module.cpp").read_text()))
    assert len(tables) == 2 * len(names) + 1 and tables & (host | python) == set()


# ---- by the compiler ---------------------------------------------------------------------------------------------------
def compiles(folder, *sources, timeout=280):
    for source in sources:
        done = subprocess.run(["g++", "-std=c++17", "-fopenmp", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", *INCLUDES[1:],
                               source], cwd=folder, capture_output=True, text=True, timeout=timeout)
        assert done.returncode == 0, done.stderr[:3000]


FUNCTION = '''
@njit("float64(float64[:], float64)")
def {name}(a, x):
    if x < 0.0:
        raise ValueError(x)
    return a[0] + x


@njit("float64(float64[:], float64)", parallel=True)
def call_{k}(a, x):
    t = 0.0
    for i in prange(a.shape[0]):
        t += {name}(a, a[i]) / x
    return t
'''
PARAMETER = '''
@njit("float64(float64[:], int64)", parallel=True)
def of_{k}({name}, n):
    t = 0.0
    for i in prange(n):
        if {name}[i] > 9.0:
            raise ValueError("large", i)
        t += math.sqrt({name}[i]) // n
    return t


@njit("Tuple((float64, int64))(float64[:])")
def in_{k}(a):
    {name} = 0
    for i in range(a.shape[0]):
        {name} += int(a[i]) % 3
    total = math.exp(a[0]) * {name}
    return total, {name}
'''


def dangerous():
    return sorted((runtime_words() | {w for w in CPP if is_python_name(w)}) - {"a", "x", "n", "t", "i", "njit", "prange",
                                                                               "math", "range", "int", "total"})


@pytest.mark.parametrize("template", [FUNCTION, PARAMETER], ids=["functions", "variables"])
def test_every_word_of_the_headers_may_be_a_name(tmp_path, template):
    words = dangerous()
    source = "import math\nfrom numba import njit, prange\n"
    source += "".join(template.format(name=word, k=k) for k, word in enumerate(words))
    out = emit(tmp_path, source)
    compiles(out, "names.cpp")


def kernels(words):
    source = "import math\nfrom numba import cuda\n"
    for k, word in enumerate(word for word in words if word not in ("cuda", "grid", "out")):
        source += f"\n\n@cuda.jit(device=True)\ndef {word}(a, x):\n    return a[cuda.threadIdx.x] + x\n"
        source += (f'\n\n@cuda.jit("void(float64[:], float64)")\ndef k_{k}(out, x):\n    i = cuda.grid(1)\n'
                   f"    if i < out.shape[0]:\n        out[i] = {word}(out, x)\n")
        source += (f'\n\n@cuda.jit("void(float64[:], float64)")\ndef v_{k}({word}, x):\n    i = cuda.grid(1)\n'
                   f"    if i < {word}.shape[0]:\n        {word}[i] = math.sqrt(x) // (cuda.blockIdx.x + 2)\n")
    return source


def test_kernels_with_every_name(tmp_path):
    compiles(emit(tmp_path, kernels(dangerous())), "names.twin.cpp")


@pytest.mark.skipif(not shutil.which("nvcc"), reason="needs nvcc")
def test_kernels_for_the_gpu_with_names_of_cpp_and_cuda(tmp_path):
    out = emit(tmp_path, kernels(sorted({word for word in CPP if is_python_name(word)} - {"a", "x", "i"})))
    done = subprocess.run(["nvcc", "-std=c++17", "-arch=sm_80", "-ptx", "names.cu", "-o", "out.ptx"], cwd=out,
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[:3000]


ODD = """
@njit("float64(float64)")
def int64_t(x):
    return x + 1


@njit("float64(float64)")
def INFINITY(M_PI):
    return M_PI + 2


@njit("float64(float64[:])")
def f(a):
    return a[0]


@njit("float64(float64)")
def f__c(std):
    return std + 3


@njit(["float64(float64)", "int64(int64)"])
def main(double):
    return double + 4


@njit("float64(float64)")
def main__f8(x):
    return x + 5


@njit("float64(float64)")
def größe(ö):
    u00f6 = ö + 1
    return ö * u00f6


@njit("float64(float64)")
def gru00f6u00dfe(x):
    return x + 6


@njit("float64(float64[:])")
def sites(entries):
    return 1 / entries[0]


@njit("float64(float64)")
def sites_(tables):
    return int64_t(tables) + INFINITY(tables) + main(tables) + größe(tables)


@njit("float64(float64)")
def new(x):
    return new_(x) + new__2(x)


@njit
def new_(x):
    return x


@njit
def new__2(x):
    return 2 * x


w = np.array([1.0, 2.0])


@njit("float64(float64)")
def w_items(x):
    return w[1] + x


@njit("float64(int64)")
def NULL(MAX_ITER):
    t = 0.0
    for INT_MAX in range(MAX_ITER):
        t += INT_MAX
    return t
"""


def test_names_that_meet_after_they_are_spelled_in_cpp(compile_text):
    m = compile_text("import numpy as np\nfrom numba import njit\n" + ODD)
    a = np.array([4.0])
    assert (m.int64_t(1.0), m.INFINITY(1.0), m.f(a), m.f__c(1.0), m.main(1.0), m.main(1), m.main__f8(1.0)) == (
        2, 3, 4, 4, 5, 5, 6)
    assert (m.größe(2.0), m.gru00f6u00dfe(1.0), m.sites(a), m.sites_(1.0), m.new(1.0), m.w_items(1.0), m.NULL(4)) == (
        6, 7, 0.25, 2 + 3 + 5 + 2, 3, 3, 6)
    assert m.größe.__name__ == "größe" and m.größe(ö=2.0) == 6 and m.INFINITY(M_PI=1.0) == 3


def test_names_in_several_files(tmp_path):
    """Helpers and arrays of equal name from different files."""
    (tmp_path / "one.py").write_text("import numpy as np\nfrom numba import njit\nw = np.array([1.0, 2.0])\n\n\n@njit\n"
                                     "def helper(x):\n    return w[0] + x\n\n\ndef shared(x):\n    return helper(x)\n")
    (tmp_path / "two.py").write_text("import numpy as np\nfrom numba import njit\nw = np.array([10.0, 20.0])\n\n\n@njit\n"
                                     "def helper(x):\n    return w[1] + x\n")
    (tmp_path / "k.py").write_text("import numpy as np\nimport one\nimport two\nfrom numba import njit\nw = np.array([100.0])\n"
                                   '\n\n@njit("float64(float64)")\ndef helper(x):\n'
                                   "    return one.helper(x) + two.helper(x) + w[0]\n")
    done = run_pyk2cu("k.py", "-o", "out", "--build", "--quiet", "--python", BUILD_PYTHON, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert load_module(tmp_path / "out/k.abi3.so").helper(0.5) == 1.5 + 20.5 + 100
    assert "\ndouble helper(double x)" in (tmp_path / "out/k.cpp").read_text()  # the entry keeps its name


# ---- functions that pyk has as well ------------------------------------------------------------------------------------
def runtime_functions():
    """What stands in namespace pyk itself and is called: C++ finds it too where an argument is an array of pyk's."""
    names = set()
    for path in sorted(RUNTIME.glob("pyk/**/*.h")):
        if "python" in path.relative_to(RUNTIME).parts:
            continue
        text = re.sub(r'//.*|"(?:\\.|[^"\\\n])*"', " ", path.read_text())
        text = re.sub(r"^[ \t]*#(?:.*\\\n)*.*$", " ", text, flags=re.M)
        spaces, last = [], ""
        for token in re.findall(r"namespace\s+[\w:]*\s*\{|[A-Za-z_]\w*|\S", text):
            if token.endswith("{"):
                spaces.append(re.sub(r"namespace|\W", "", token))
            elif token == "}" and spaces:
                spaces.pop()
            elif token == "(" and spaces == ["pyk"] and re.fullmatch(r"[a-z]\w*", last):
                names.add(last)
            last = token
    return {name for name in names if is_python_name(name)} - {"alignas"}


OF_ARRAYS = '''
@njit
def {name}(a, n):
    if n == 0:
        return a[0]
    return {name}(a, n - 1) + n


@njit("int64(int64[::1])")
def call_{name}(a):
    return {name}(a, 1) + {name}(a, 2)
'''


def test_functions_that_pyk_has_too_are_the_programs_own(tmp_path):
    names = sorted(runtime_functions())
    assert len(names) > 100 and {"fill", "view", "transpose", "list_sort"} <= set(names)
    out = emit(tmp_path, "from numba import njit\n" + "".join(OF_ARRAYS.format(name=name) for name in names))
    text = "".join(path.read_text() for path in out.glob("names*") if path.suffix in (".h", ".cpp"))
    left = [name for name in names if f"({name})(a" not in text and f"{name}_(a" not in text]
    assert left == []


SHADOWS = """
@njit
def fill(img, y, x, old, new):
    if y < 0 or x < 0 or y >= img.shape[0] or x >= img.shape[1] or img[y, x] != old:
        return 0
    img[y, x] = new
    return (1 + fill(img, y + 1, x, old, new) + fill(img, y - 1, x, old, new) + fill(img, y, x + 1, old, new)
            + fill(img, y, x - 1, old, new))


@njit("int64(int64[:,::1])")
def flood(img):
    n = 0
    for y in range(img.shape[0]):
        for x in range(img.shape[1]):
            if img[y, x] == 1:
                fill(img, y, x, 1, 2 + n)
                n += 1
    return n


@njit
def transpose(a, k):
    return a[k, 0] if k == 0 else transpose(a, k - 1) * 10


@njit
def total(t):
    return t[0] if t[1] < 0 else total((t[0] + 1, t[1] - 1))


@njit("Tuple((float64, int64))(float64[:,:])")
def others(a):
    return transpose(a, 2), total((0, 3))
"""


def test_a_function_of_arrays_is_not_pyks(compile_text):
    m = compile_text("from numba import njit\n" + SHADOWS)
    image = np.array([[1, 1, 0, 1], [0, 1, 0, 1], [1, 0, 0, 1]])
    assert m.flood(image) == 3
    assert image.tolist() == [[2, 2, 0, 3], [0, 2, 0, 3], [4, 0, 0, 3]]
    assert m.others(np.array([[1.5, 2.0], [3.0, 4.0]])[:, ::-1]) == (200.0, 4)


# ---- modules -----------------------------------------------------------------------------------------------------------
SOURCE = 'from numba import njit\n\n\n@njit("float64(float64)")\ndef f(x):\n    if x < 0:\n        raise ValueError("no")\n' \
         "    return x * 2\n"
# Python's and our own names, keywords of C++, what C declares, letters of other scripts
MODULES = ["größe", "日本語", "ü", "naïve_ﬁlter", "new", "std", "pyk", "sin", "tm", "PyObject", "tables", "f_params", "f",
           "Entry", "function", "main", "NULL", "I", "np", "_"]


def test_modules_with_odd_names(tmp_path):
    for name in MODULES:
        (tmp_path / f"{name}.py").write_text(SOURCE)
    done = run_pyk2cu(*[f"{name}.py" for name in MODULES], "-o", "out", "--build", "--quiet", "--march=native",
                      "--python", BUILD_PYTHON, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    for name in MODULES:
        name = name.replace("ﬁ", "fi")  # as Python spells it: NFKC
        module = load_module(tmp_path / f"out/{name}.abi3.so")
        assert module.f(2.0) == 4.0 and module.__name__ == name and module.f.__module__ == name
    check = subprocess.run([sys.executable, "-c", "import größe, naïve_ﬁlter as n, 日本語; print(größe.f(n.f(日本語.f(1.0))))"],
                           cwd=tmp_path / "out", capture_output=True, text=True)
    assert check.stdout == "8.0\n", check.stderr


def test_a_module_may_be_called_like_a_header_of_c(tmp_path):
    """out/math.h and its like must not be found where <math.h> is meant, whoever compiles."""
    names = ["math", "string", "time", "errno", "omp", "numpy", "array", "module"]
    for name in names:
        (tmp_path / f"{name}.py").write_text(SOURCE)
    done = run_pyk2cu(*[f"{name}.py" for name in names], "-o", "out", "--build", "--quiet", "--march=native",
                      "--python", BUILD_PYTHON, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    for name in names:
        assert load_module(tmp_path / f"out/{name}.abi3.so").f(2.0) == 4.0


def test_every_global_name_may_be_a_module(tmp_path):
    words = global_names(preprocess(["pyk/python/module.h", *HOST])) | {w for w in CPP if is_python_name(w)}
    words.remove("__init__")  # a package's file
    words = sorted({word.lower(): word for word in sorted(words)}.values())  # none differ in capitals only
    assert len(words) > 1000
    for word in words:
        (tmp_path / f"{word}.py").write_text('from numba import njit\n\n\n@njit("int64(int64)")\ndef f(x):\n    return x\n')
    done = run_pyk2cu(*[f"{word}.py" for word in words], "-o", "out", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr[:2000]
    text = '#include "pyk/python/module.h"\n' + "".join(f'#include "{header}"\n' for header in HOST)
    for word in words:
        space = re.search(r"^namespace (\w+) \{", (tmp_path / f"out/{word}.h").read_text(), re.M).group(1)
        text += f'namespace {space} {{ int64_t f(int64_t x); }}\ninline int64_t (*p{len(text)})(int64_t) = ::{space}::f;\n'
    (tmp_path / "all.cpp").write_text(text)
    done = subprocess.run(["g++", "-std=c++17", "-fopenmp", "-fsyntax-only", *INCLUDES, "all.cpp"], cwd=tmp_path,
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[:3000]


@pytest.mark.parametrize("file, name", [
    ("my-kernels.py", "my_kernels"), ("01-saxpy.py", "_01_saxpy"), ("2d.py", "_2d"), ("class.py", "class_"),
    ("None.py", "None_"), ("a.b.py", "a_b"), ("My notebook.py", "My_notebook"), ("x².py", "x_"), ("größe-1.py", "größe_1"),
    ("a\udcffb.py", "a_")])
def test_a_file_whose_name_cannot_be_imported(tmp_path, file, name):
    path = os.fsencode(tmp_path) + b"/" + os.fsencode(file)
    pathlib.Path(os.fsdecode(path)).write_text(SOURCE)
    done = subprocess.run([os.environ.get("PYK2CU", ROOT / "build/pyk2cu"), os.fsencode(file), "-o", "out", "--build", "-q",
                           "--python", BUILD_PYTHON], cwd=tmp_path, capture_output=True, env={**os.environ, "NO_COLOR": "1"})
    message = done.stderr.decode(errors="replace")
    assert done.returncode == 0 and message.count("warning[PK6004]") == 1, message
    assert f"the module is called `{name}`" in message and "--module NAME" in message
    check = subprocess.run([sys.executable, "-c", f"import {name}; print({name}.f(1.0))"], cwd=tmp_path / "out",
                           capture_output=True, text=True)
    assert check.stdout == "2.0\n", check.stderr
    if file.isascii():
        done = run_pyk2cu(file, "-o", "named", "--module", "chosen", cwd=tmp_path)
        assert (done.returncode, done.stderr) == (0, "") and (tmp_path / "named/chosen.cpp").exists()


@pytest.mark.parametrize("name, instead", [("my-kernels", "my_kernels"), ("pkg.kernels", "pkg_kernels"), ("2d", "_2d"),
                                           ("lambda", "lambda_"), (" ", "_")])
def test_module_wants_a_name_that_can_be_imported(tmp_path, name, instead):
    (tmp_path / "k.py").write_text(SOURCE)
    done = run_pyk2cu("k.py", "-o", "out", "--module", name, cwd=tmp_path)
    assert done.returncode == 1 and "error[PK6005]" in done.stderr and f"`{instead}`" in done.stderr
    assert not (tmp_path / "out").exists()


# ---- the dump, where there are no symbols yet ----------------------------------------------------------------------------
def test_the_typed_program_tells_instances_apart(tmp_path):
    (tmp_path / "k.py").write_text("from numba import njit\n\n\n@njit\ndef twice(x):\n    return x + x\n\n\n@njit\n"
                                   "def once(x):\n    return x\n\n\n"
                                   '@njit("float64(float64, int64)")\ndef new(x, n):\n    return twice(x) + twice(n) + once(x)\n')
    done = run_pyk2cu("k.py", "--dump-ir", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "twice<float64>(x)" in done.stdout and "twice<int64>(n)" in done.stdout and "once(x)" in done.stdout
    assert "host new(x: float64, n: int64) -> float64" in done.stdout
