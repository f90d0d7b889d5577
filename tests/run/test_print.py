"""print(...) inside compiled functions: the text that Python prints; in kernels, that of Numba on a GPU."""
import os
import shutil
import subprocess
import sys

import numpy as np
import pytest

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


COMMA = """comment_char %
escape_char /
LC_CTYPE
upper (A)
END LC_CTYPE
LC_NUMERIC
decimal_point ","
thousands_sep ""
grouping -1
END LC_NUMERIC
"""


@pytest.mark.skipif(not shutil.which("localedef"), reason="makes a locale with glibc's localedef")
def test_the_programs_locale_changes_no_number(tmp_path):
    (tmp_path / "source").write_text(COMMA)
    subprocess.run(["localedef", "-c", "-i", "source", "./comma"], cwd=tmp_path, capture_output=True)  # warns: 1
    program = (f"import locale, sys; sys.path.insert(0, {str(batch.directory)!r})\n"
               "import printing, numpy as np\n"
               "locale.setlocale(locale.LC_ALL, 'comma')\n"
               "printing.show(1, 0.1, 1.5j, True)\n"
               "printing.tell_there[1, 1](np.array([3]), np.array([1.5], 'f4'), 2, False)\n"
               "print(locale.str(2.5))")
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                          env={**os.environ, "LOCPATH": str(tmp_path)})
    assert not done.stderr and done.stdout.splitlines() == [
        "values 1 0.1 1.5j True (1, 0.1) ((1, True), (0.1,), (\"te'xt\", 1.5j)) None",
        "100% 0 3 1.500000 2 False None (0, 1.500000) (3,) ((2, False), 1.500000)", "", "at 0 1.500000", "2,5"]
