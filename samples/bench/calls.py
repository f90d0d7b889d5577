"""What a call costs from Python: pyk2cu beside Numba, Cython, Pythran, nanobind and a module written by hand, in one run.

    python samples/bench/calls.py [HAND.abi3.so]     writes the table of calls in samples/bench/README.md

The peers come from the package registry (pip install numba cython pythran nanobind setuptools); those that are missing
are left out. HAND is a compiled module with the functions of HAND_NAMES. Times are medians of interleaved rounds of
timeit's loop, in nanoseconds.
"""
import pathlib
import statistics
import subprocess
import sys
import sysconfig
import tempfile
import timeit

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
from run import build, load  # noqa: E402

OURS = '''from numba import njit


@njit("float64(float64, float64)")
def scalars(x, y):
    return x * y + 1.0


@njit("float64(float64[:])")
def first(a):
    return a[0] + 1.0


@njit("void(float64[:], float64[:], float64[:])")
def three(a, b, out):
    for i in range(out.shape[0]):
        out[i] = a[i] * b[i] + 1.0


@njit(["float64(float64[:])", "float64(float32[:])", "float64(int64[:])", "float64(int32[:])"])
def overloads(a):
    return a[0] + 1.0
'''
CYTHON = '''# cython: language_level=3, boundscheck=False, wraparound=False
ctypedef fused vector:
    double[:]
    float[:]
    long[:]
    int[:]
def scalars(double x, double y):
    return x * y + 1.0
def first(double[:] a):
    return a[0] + 1.0
def three(double[:] a, double[:] b, double[:] out):
    cdef Py_ssize_t i
    for i in range(out.shape[0]):
        out[i] = a[i] * b[i] + 1.0
def overloads(vector a):
    return a[0] + 1.0
'''
PYTHRAN = '''#pythran export scalars(float64, float64)
#pythran export first(float64[:])
#pythran export three(float64[:], float64[:], float64[:])
#pythran export overloads(float64[:])
#pythran export overloads(float32[:])
#pythran export overloads(int64[:])
#pythran export overloads(int32[:])
def scalars(x, y):
    return x * y + 1.0
def first(a):
    return a[0] + 1.0
def three(a, b, out):
    for i in range(out.shape[0]):
        out[i] = a[i] * b[i] + 1.0
def overloads(a):
    return a[0] + 1.0
'''
NANOBIND = '''#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
namespace nb = nanobind;
using namespace nb::literals;
template <class T> using V = nb::ndarray<const T, nb::ndim<1>, nb::device::cpu>;
using W = nb::ndarray<double, nb::ndim<1>, nb::device::cpu>;
template <class T> double first(V<T> a) { return a(0) + 1.0; }
NB_MODULE(by_nanobind, m) {
  m.def("scalars", [](double x, double y) { return x * y + 1.0; }, "x"_a, "y"_a);
  m.def("first", first<double>, "a"_a);
  m.def("three", [](V<double> a, V<double> b, W out) {
    for (size_t i = 0; i < out.shape(0); ++i) out(i) = a(i) * b(i) + 1.0; }, "a"_a, "b"_a, "out"_a);
  m.def("overloads", first<double>); m.def("overloads", first<float>);
  m.def("overloads", first<int64_t>); m.def("overloads", first<int32_t>);
}
'''
HAND_NAMES = {"scalars": "f_fast", "first": "a_np", "three": "a_np3", "keywords": "f_fastkw", "overloads": "over"}
ROWS = {  # name: function, call, arguments
    "scalars": ("scalars", "f(x, y)", {"x": 1.5, "y": 2.5}),
    "first": ("first", "f(a)", {"a": np.ones(8)}),
    "three": ("three", "f(a, b, c)", {"a": np.ones(8), "b": np.ones(8), "c": np.ones(8)}),
    "keywords": ("scalars", "f(x=x, y=y)", {"x": 1.5, "y": 2.5}),
    "overloads": ("overloads", "f(a)", {"a": np.ones(8, "i4")}),
}
HAND_CALLS = {"overloads": ("f(a, y)", {"a": np.ones((2, 4)), "y": 1.5})}
TITLES = {"scalars": "`f(float64, float64)`", "first": "`f(float64[:])`", "three": "three arrays, one written",
          "keywords": "two keywords", "overloads": "four overloads, the last"}


def by_cython(out):
    (out / "by_cython.pyx").write_text(CYTHON)
    subprocess.run([sys.executable, "-m", "cython", "by_cython.pyx", "-3"], cwd=out, check=True)
    subprocess.run(["gcc", "-O3", "-march=native", "-shared", "-fPIC", "-w", f"-I{sysconfig.get_path('include')}",
                    "by_cython.c", "-o", "by_cython.so"], cwd=out, check=True)
    return load(out / "by_cython.so", "by_cython")


def by_pythran(out):
    import pythran  # noqa: F401
    (out / "by_pythran.py").write_text(PYTHRAN)
    subprocess.run([sys.executable, "-m", "pythran.run", "-O3", "-march=native", "by_pythran.py", "-o", "by_pythran.so"],
                   cwd=out, check=True)
    return load(out / "by_pythran.so", "by_pythran")


def by_nanobind(out):
    import nanobind
    root = pathlib.Path(nanobind.source_dir()).parent
    (out / "by_nanobind.cpp").write_text(NANOBIND)
    subprocess.run(["g++", "-O3", "-march=native", "-std=c++17", "-shared", "-fPIC", "-fvisibility=hidden", "-w",
                    "-fno-strict-aliasing", f"-I{sysconfig.get_path('include')}", f"-I{nanobind.include_dir()}",
                    f"-I{root / 'ext/robin_map/include'}", str(root / "src/nb_combined.cpp"), "by_nanobind.cpp", "-o",
                    "by_nanobind.so"], cwd=out, check=True)
    return load(out / "by_nanobind.so", "by_nanobind")


def modules(out, hand):
    """Name and module of each that can be built here, below `out`."""
    (out / "called.py").write_text(OURS)
    build([out / "called.py"], out / "out")
    made = {"pyk2cu": load(next((out / "out").glob("called.*.so")), "called")}
    if hand:
        made["by hand"] = load(pathlib.Path(hand), pathlib.Path(hand).name.split(".")[0])
    makers = {"Numba": lambda _: load(out / "called.py", "by_numba"), "Cython": by_cython, "Pythran": by_pythran,
              "nanobind": by_nanobind}
    for name, make in makers.items():
        try:
            made[name] = make(out)
        except (ImportError, subprocess.CalledProcessError) as error:
            print(f"{name} is left out: {error}", file=sys.stderr)
    return made


def timer(peer, module, row):
    name, call, arguments = ROWS[row]
    if peer == "by hand":
        name = HAND_NAMES[row]
        call, arguments = HAND_CALLS.get(row, (call, arguments))
    return timeit.Timer(call, globals={"f": getattr(module, name), **arguments})


def medians(made, row, rounds=60, number=20_000):
    timers = {peer: timer(peer, module, row) for peer, module in made.items()}
    times = {peer: [] for peer in timers}
    for _ in range(rounds):
        for peer, one in timers.items():
            times[peer].append(one.timeit(number) / number * 1e9)
    return {peer: statistics.median(some) for peer, some in times.items()}


def print_table(hand=""):
    directory = tempfile.TemporaryDirectory()
    made = modules(pathlib.Path(directory.name), hand)
    print("\n| call, ns | " + " | ".join(made) + " |")
    print("|---" * (len(made) + 1) + "|")
    for row, title in TITLES.items():
        print(f"| {title} | " + " | ".join(f"{t:.1f}" for t in medians(made, row).values()) + " |")


if __name__ == "__main__":
    print_table(*sys.argv[1:])
