"""Stubs: mypy --strict has nothing to say against them, and finds what is wrong in programs that use the module."""
import re
import subprocess
import sys

import pytest
from conftest import run_pyk2cu

pytest.importorskip("mypy")
SOURCE = '''
from collections import namedtuple
import numpy as np
from numba import cuda, njit, optional

Point = namedtuple("Point", "x y")


@njit(["float64(float64, float64)", "int64(int64, int64)"])
def divide(a, b=2):
    """Divides; "quoted" \\\\ text."""
    return a // b


@njit(["optional(int64)(optional(int64))", "complex128(complex128)", "float64(float64)", "int64(int64)", "boolean(boolean)"])
def same(a):
    return a


@njit(["float64[:](float64[:])", "float32[:](float32[:])", "int8[:](int8[:])"])
def tail(a):
    return a[1:]


@njit("UniTuple(float64, 2)(boolean[:,:], Tuple((int64, complex64[:])))")
def pair(a, t):
    return 1.0, 2.0


@njit("(float64, float64)")
def point(x, y):
    return Point(x, y)
{more}

@cuda.jit("void(float32[:], float32)")
def fill(out, x):
    i = cuda.grid(1)
    if i < out.shape[0]:
        out[i] = x
'''
HIDING = '''

@njit("float64(float64[:], float64)")
def int(float, x):
    return x


@njit("Tuple((int64, float64))(int64)")
def tuple(n):
    return n, 1.0
'''
USE = '''
import k
import numpy as np

f8, f4 = np.ones(3), np.ones(3, np.float32)
reveal_type(k.divide(1))
reveal_type(k.divide(1, 2.0))
reveal_type(k.same(True))
reveal_type(k.same(1j))
reveal_type(k.tail(f4))
reveal_type(k.point(1, 2.0).x)
k.fill[1, 32](f4, 1.0)
k.divide("1")
k.tail([1.0])
k.point(1)
k.no_such
'''


def mypy(folder, *files):
    done = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--no-color-output", "--no-error-summary", *files], cwd=folder,
                          capture_output=True, text=True)
    assert not done.stderr, done.stderr
    return done.stdout.splitlines()


def write(folder, more=""):
    (folder / "k.py").write_text(SOURCE.replace("{more}", more))
    done = run_pyk2cu("k.py", "-o", "out", cwd=folder)
    assert done.returncode == 0, done.stderr
    return folder / "out"


def test_a_stub_is_strict_and_tells_types(tmp_path):
    out = write(tmp_path)
    (out / "use.py").write_text(USE)
    said = mypy(out, "k.pyi", "use.py")
    types = [re.sub(r"numpy\.|builtins\.|typing\.|tuple\[Any, \.\.\.\], |ndarray\[.*dtype\[(.*)\]\]", r"\1", line.split('"')[1])
             for line in said if "Revealed" in line]
    assert types[:4] == ["int", "float", "bool", "complex"] and "float" in types[4] and types[5] == "float"
    errors = [re.search(r"use.py:(\d+): error: .*\[([\w-]+)\]$", line) for line in said if ": error:" in line]
    assert all(errors), said
    lines = USE.splitlines()
    assert {(lines[int(e[1]) - 1], e[2]) for e in errors} == {
        ('k.divide("1")', "call-overload"), ("k.tail([1.0])", "call-overload"), ("k.point(1)", "call-arg"), ("k.no_such", "attr-defined")}


def test_names_of_the_module_hide_no_types(tmp_path):
    assert mypy(write(tmp_path, HIDING), "k.pyi") == []
