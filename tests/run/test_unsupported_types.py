"""Types that no C++ type stands for are refused where they are written, never printed as another type."""
import re

import pytest

from conftest import run_pyk2cu

PROLOGUE = """import numpy as np
from numba import cuda, njit, types
from numba.types import UniTuple, float16, float32, float64, int64, none, optional
"""


def diagnose(tmp_path, source, *arguments, sidecar=None):
    """The errors, as (code, line of the source that the caret stands on, text)."""
    (tmp_path / "k.py").write_text(PROLOGUE + source)
    if sidecar:
        (tmp_path / "k.sig").write_text(sidecar)
    done = run_pyk2cu("k.py", "-o", "out", *arguments, cwd=tmp_path)
    heads = re.findall(r"^(\S.*?):(\d+):(\d+): (\w+)\[(PK\d+)\]: (.*)$", done.stderr, re.M)
    assert done.returncode == (1 if heads else 0), done.stderr
    assert not heads or not (tmp_path / "out").exists(), "nothing is written beside an error"
    return heads, done.stderr


def in_string(text):
    return f'@njit("{text}")\ndef f(x):\n    return 1\n', ()


SIGNATURES = {  # how a type can be given, and what the caret stands under
    "parameter": in_string("int64(float16)"),
    "array": in_string("int64(float16[:])"),
    "contiguous array": in_string("int64(float16[:,::1])"),
    "short name": in_string("int64(f2[::1])"),
    "in a tuple": in_string("int64(Tuple((int64, float16)))"),
    "array in a tuple": in_string("int64(Tuple((int64, float16[:])))"),
    "uniform tuple": in_string("int64(UniTuple(float16, 2))"),
    "optional": in_string("int64(optional(float16))"),
    "optional array": in_string("int64(optional(float16[:]))"),
    "type call": ("@njit(int64(float16))\ndef f(x):\n    return 1\n", ()),
    "type call with an array": ("@njit(int64(float16[:]))\ndef f(x):\n    return 1\n", ()),
    "tuple of types": ("@njit((float16,))\ndef f(x):\n    return 1\n", ()),
    "numpy's type": ("@njit((types.Array(np.float16, 1, 'C'),))\ndef f(x):\n    return 1\n", ()),
    "kernel": ('@cuda.jit("void(float16[:])")\ndef f(x):\n    x[0] = 1\n', ()),
    "device function": ('@cuda.jit("int64(float16)", device=True)\ndef f(x):\n    return 1\n', ()),
    "result": in_string("float16(int64)"),
    "array result": in_string("float16[:](int64)"),
    "tuple with none": in_string("int64(Tuple((none, int64)))"),
    "uniform tuple of none": in_string("int64(UniTuple(none, 2))"),
    "nested tuple with none": in_string("int64(Tuple((int64, UniTuple(none, 1))))"),
    "--sig": ("@njit\ndef f(x):\n    return 1\n", ("--sig", "f(float16[:])")),
    "--sig's result": ("@njit\ndef f(x):\n    return 1\n", ("--sig", "f(int64) -> float16")),
    "comment": ("# pyk2cu: sig f(float16)\n@njit\ndef f(x):\n    return 1\n", ()),
    "annotation": ("@njit\ndef f(x: float16):\n    return 1\n", ()),
    "numpy annotation": ("@njit\ndef f(x: np.float16):\n    return 1\n", ()),
    "array annotation": ("@njit\ndef f(x: float16[:]):\n    return 1\n", ()),
}


@pytest.mark.parametrize("where", SIGNATURES)
def test_signatures_name_the_type(where, tmp_path):
    source, arguments = SIGNATURES[where]
    heads, text = diagnose(tmp_path, source, *arguments)
    assert [head[4] for head in heads] == ["PK2014"], text
    assert ("`float16`" in heads[0][5]) == ("none" not in where), text
    assert "help: " in text
    (tmp_path / "beside").mkdir()  # it is this type alone that is wrong
    other = [part.replace("float16", "float32").replace("f2", "f4").replace("none,", "int64,")
             for part in (source, *arguments)]
    heads, text = diagnose(tmp_path / "beside", *other)
    assert not [head for head in heads if head[4] == "PK2014"], text


def test_the_sidecar_names_the_type(tmp_path):
    heads, text = diagnose(tmp_path, "@njit\ndef f(x):\n    return 1\n", sidecar="f(float64)\nf(float16[:])\n")
    assert [(head[0], head[1], head[4]) for head in heads] == [("k.sig", "2", "PK2014")], text


def test_every_wrong_type_of_a_signature_is_named_once(tmp_path):
    heads, text = diagnose(tmp_path, '@njit(["f4(f2)", "f2(f4[:], f2[:])", "f4(f4)"])\ndef f(x, y=1):\n    return 1\n')
    assert [head[4] for head in heads] == ["PK2014"] * 3, text


def test_a_caller_says_nothing_more(tmp_path):
    heads, text = diagnose(tmp_path, '@njit("f4(f2)")\ndef f(x):\n    return x\n\n\n@njit("f4(f4)")\ndef g(x):\n'
                                     '    return f(x)\n')
    assert [head[4] for head in heads] == ["PK2014"], text


BODIES = {  # expressions of a function whose argument is an int64
    "cast": "float(np.float16(n))",
    "cast of a literal": "np.float16(2.5) + n",
    "cast without a value": "np.float16() + n",
    "zeros": "np.zeros(n, np.float16).size",
    "empty by keyword": "np.empty(n, dtype=np.float16).size",
    "dtype string": "np.ones(n, 'float16').size",
    "full": "np.full(n, 1, np.float16).size",
    "astype": "np.zeros(n).astype(np.float16).size",
    "like": "np.zeros_like(np.zeros(n), dtype=np.float16).size",
    "module constant": "H + n",
    "module array": "A[n]",
    "size of a module array": "A.size",
    "default of a helper": "helper(n)",
}


@pytest.mark.parametrize("what", BODIES)
def test_bodies_name_the_type(what, tmp_path):
    source = f"H = np.float16(1.5)\nA = np.array([1.0, 2.0], np.float16)\n\n\ndef helper(n, h=H):\n    return n + h\n\n\n" \
             f'@njit("float64(int64)")\ndef f(n):\n    return {BODIES[what]}\n'
    heads, text = diagnose(tmp_path, source)
    assert [head[4] for head in heads] == ["PK2014"] and "`float16`" in heads[0][5], text


def test_float16_may_be_asked_about(tmp_path):
    heads, text = diagnose(tmp_path, '@njit("int64(float32[:])")\ndef f(a):\n    if a.dtype == np.float16:\n'
                                     '        return 1\n    return 2\n')
    assert not heads, text


UNRETURNABLE = {
    "a string": ('"text"', "PK3021"), "a string that varies": ('"a" if x > 1 else "b"', None),
    "a range": ("range(3)", "PK3021"), "flat": ("np.zeros(3).flat", "PK3021"), "a slice": ("slice(1, 2)", "PK3021"),
    "an ellipsis": ("...", "PK3021"), "enumerate": ("enumerate((1, 2))", "PK3021"),
    "a builtin": ("len", "PK3021"), "None in a tuple": ("(None, x)", "PK2014"),
    "None in a nested tuple": ("(x, (x, None))", "PK2014"),
}


@pytest.mark.parametrize("what", UNRETURNABLE)
@pytest.mark.parametrize("signature", ["(int64,)", "int64(int64)"])
def test_what_has_no_type_is_not_returned_as_none(what, signature, tmp_path):
    value, code = UNRETURNABLE[what]
    heads, text = diagnose(tmp_path, f'@njit("{signature}")\ndef f(x):\n    return {value}\n')
    assert len(heads) == 1 and heads[0][3] == "error", text
    if signature == "(int64,)" and code:
        assert heads[0][4] == code, text


def test_a_local_cannot_hold_a_string_that_varies(tmp_path):
    heads, text = diagnose(tmp_path, '@njit("int64(int64)")\ndef f(n):\n    s = "a" if n > 1 else "b"\n'
                                     '    if s == "a":\n        return 1\n    return 2\n')
    assert len(heads) == 1 and heads[0][3] == "error", text
