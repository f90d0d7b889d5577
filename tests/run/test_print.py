"""print(...) inside compiled functions: the text that Python prints; in kernels, that of Numba on a GPU."""
import numpy as np

from conftest import Batch

batch = Batch("printing")
batch.add('''
@njit("void(int64, float64, complex128, boolean)")
def show(n, x, z, flag):
    print("values", n, x, z, flag, (n, x), ((n, flag), (x,), ("te'xt", z)), None)


@njit
def tell(i, x):
    print("at", i, x)
    return x + 1


@njit("float64(float64)")
def tell_here(x):
    return tell(3, x)


@cuda.jit("void(int64[:], float32[:], uint8, boolean)")
def tell_there(a, x, u, flag):
    i = cuda.grid(1)
    if i < a.size:
        print("100%", i, a[i], x[i], u, flag, None, (i, x[i]), (a[0],), ((u, flag), 1.5))
        print()
        x[i] = tell(i, x[i])
''')


def test_print_spells_values_as_python_does(capfd):
    for n, x, z, flag in ((1, 0.1, 1 - 2j, True), (-5, 1e16, 2j, False), (0, 1e-5, 0.5 + 0.25j, True),
                          (2**62, float("nan"), 0j, True), (7, -0.0, 1e300 + 1j, True), (8, 123456.75, 3j, False)):
        batch.show(n, x, z, flag)
        values = ("values", n, x, z, flag, (n, x))
        nested = f"(({n}, {flag}), ({x},), (\"te'xt\", {z}))"
        assert capfd.readouterr().out == " ".join(map(str, values)) + f" {nested} None\n"


def test_kernels_print_as_c_formats(capfd):
    a, x = np.array([-3, 2**40]), np.array([1.5, -0.25], "f4")
    batch.tell_there[1, 4](a, x.copy(), 200, True)
    expected = ""
    for i in range(2):
        expected += f"100% {i} {a[i]} {x[i]:f} 200 True None ({i}, {x[i]:f}) (-3,) ((200, True), 1.500000)\n\n"
        expected += f"at {i} {x[i]:f}\n"
    assert capfd.readouterr().out == expected
    assert batch.tell_here(2.0) == 3.0
    assert capfd.readouterr().out == "at 3 2.0\n"
