"""Functions as C calls them: @cfunc's address and ctypes, equal to Numba's, from C and from threads without the GIL."""
import ctypes
import subprocess
import sys
import threading

import numba
import numpy as np
import pytest
from conftest import Batch

batch = Batch("callbacks")
batch.add('''
from numba import cfunc, complex128, types


@cfunc("float64(float64)")
def bump(x):
    """exp(-x*x)"""
    return math.exp(-x * x)


@cfunc(types.int64(types.int8, types.uint8, types.int32, types.uint64, types.boolean))
def mixed(a, b, c, d, e):
    return a + b * 2 + c * 3 + (5 if e else 7) if d > 9 else -1


@cfunc("boolean(float32, float32)", nopython=True, cache=True)
def less(a, b):
    return a < b


@cfunc("int32(int32, int32)")
def quotient(a, b):
    return a // b


@cfunc("void(int64)")
def check(n):
    if n < 0:
        raise ValueError("negative", n)


@cfunc("complex128(complex128)")
def square(z):
    return z * z


@njit("float64(float64, float64)")
def hypot(x, y):
    return math.sqrt(x * x + y * y)


@njit(["float64(float64)", "int64(int64)"])
def two(x):
    return x


@njit("float64(float64[:])")
def total(a):
    s = 0.0
    for x in a:
        s += x
    return s


@njit("int64(int64)", parallel=True)
def parallel(n):
    s = 0
    for i in prange(n):
        s += i
    return s


@njit("float64(float64)")
def uses(x):
    return bump(x) + 1.0
''')
LIBRARY = r'''
#include <complex.h>
double integrate(double (*f)(double), double a, double b, int n) {
  double sum = 0, h = (b - a) / n;
  for (int i = 0; i < n; ++i) sum += f(a + (i + 0.5) * h);
  return sum * h;
}
void squared(double _Complex (*f)(double _Complex), double *z) {
  double _Complex w = f(z[0] + z[1] * I);
  z[0] = creal(w), z[1] = cimag(w);
}
int sum(int (*f)(int, int), int n) {
  int total = 0;
  for (int i = 0; i < n; ++i) total += f(100, i - 1);
  return total;
}
'''


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    folder = tmp_path_factory.mktemp("library")
    (folder / "lib.c").write_text(LIBRARY)
    subprocess.run(["gcc", "-shared", "-fPIC", "-O1", "lib.c", "-o", "lib.so"], cwd=folder, check=True)
    made = ctypes.CDLL(str(folder / "lib.so"))
    made.integrate.restype = ctypes.c_double
    return made


def python_of(function):
    return getattr(batch.plain, function.__name__)


@pytest.fixture
def unraised(monkeypatch):
    seen = []
    monkeypatch.setattr(sys, "unraisablehook", lambda u: seen.append((type(u.exc_value), u.exc_value.args, u.object)))
    return seen


def test_c_calls_it_as_it_calls_numbas(library):
    theirs = numba.cfunc("float64(float64)")(python_of(batch.bump))
    ends = (ctypes.c_double(-3.0), ctypes.c_double(2.0), 1000)
    ours = library.integrate(ctypes.c_void_p(batch.bump.address), *ends)
    assert ours == library.integrate(ctypes.c_void_p(theirs.address), *ends) == library.integrate(batch.bump.ctypes, *ends)
    assert isinstance(batch.bump.address, int) and batch.bump.__doc__ == "exp(-x*x)"


@pytest.mark.parametrize("name, signature, calls", [
    ("bump", "float64(float64)", [(0.5,), (-2.0,)]),
    ("mixed", "int64(int8, uint8, int32, uint64, boolean)", [(-100, 200, -2**31, 2**63, True), (1, 2, 3, 9, False), (1, 2, 3, 10, False)]),
    ("less", "boolean(float32, float32)", [(0.1, 0.2), (2.0, 1.0)]), ("quotient", "int32(int32, int32)", [(-7, 2), (9, 4)]),
    ("check", "void(int64)", [(3,)])])
def test_ctypes_has_the_types_of_numbas(name, signature, calls):
    ours = getattr(batch, name)
    theirs = numba.cfunc(signature)(python_of(ours))
    assert ours.ctypes.argtypes == theirs.ctypes.argtypes and ours.ctypes.restype == theirs.ctypes.restype
    for call in calls:
        assert ours.ctypes(*call) == theirs.ctypes(*call)
        assert ours(*call) == ours.ctypes(*call)


def test_functions_under_njit_have_it_too():
    assert batch.hypot.ctypes(3.0, 4.0) == 5.0 and batch.uses(0.0) == 2.0


def test_complex_numbers_go_by_value(library):
    z = np.array([1.0, 2.0])
    library.squared(ctypes.c_void_p(batch.square.address), ctypes.c_void_p(z.ctypes.data))
    assert complex(*z) == (1 + 2j) ** 2
    with pytest.raises(TypeError, match="ctypes has no complex numbers"):
        batch.square.ctypes


def test_an_exception_is_reported_and_the_result_is_zero(library, unraised):
    expected = sum(100 // (i - 1) for i in range(10) if i != 1)
    assert library.sum(batch.quotient.ctypes, 10) == expected
    assert [(kind, place.split(" (")[0]) for kind, _, place in unraised] == [(ZeroDivisionError, "quotient")]
    batch.check.ctypes(-5)
    assert unraised[1][:2] == (ValueError, ("negative", -5)) and "callbacks.py:" in unraised[1][2]


def test_threads_without_the_gil(library, unraised):
    """ctypes releases the GIL around the C function, so the callback takes it to report."""
    threads = [threading.Thread(target=library.sum, args=(batch.quotient.ctypes, 200)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert [kind for kind, _, _ in unraised] == [ZeroDivisionError] * 8


@pytest.mark.parametrize("name, why", [("two", "has several signatures"), ("total", "takes or returns more than numbers"),
                                       ("parallel", "runs on several threads")])
def test_what_c_cannot_call_has_no_address(name, why):
    function = getattr(batch, name)
    assert not hasattr(function, "address") and not hasattr(function, "ctypes")
    with pytest.raises(AttributeError, match=why):
        function.address
