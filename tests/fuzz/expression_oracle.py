"""Asks Numba for the types of expressions and writes tests/unit/typeinfer/numba_expressions.txt.

In: the list below, one expression with the types of its variables per line. Out: the same lines
with the type that Numba infers, or `error`. Run it again after changing the list:
    python tests/fuzz/expression_oracle.py
"""
import cmath  # noqa: F401
import math  # noqa: F401
import operator  # noqa: F401
import os
import sys
import warnings

import numba as nb
import numpy as np  # noqa: F401
from numba import types

N = 3
F = np.float32(2)
T = (1, 2.5)
TABLE = np.array([1.0, 2.0, 3.0])

SHORT = dict(b1="boolean", i1="int8", i2="int16", i4="int32", i8="int64", u1="uint8", u2="uint16",
             u4="uint32", u8="uint64", f4="float32", f8="float64", c8="complex64", c16="complex128")
SCALARS = list(SHORT)
UNARY = ["-a", "+a", "~a", "not a", "abs(a)", "int(a)", "float(a)", "bool(a)", "complex(a)",
         "round(a)", "round(a, 1)", "a ** 2", "a ** 3", "a ** 0.5", "a ** -2", "a * 2", "a + 1",
         "a * 2.0", "a // 2", "a % 3", "a / 2", "a << 1", "a >> 1", "a & 1", "a | a", "a ^ a",
         "2 ** a", "a < 1", "a == 1.5", "0 < a < 3", "np.float32(a)", "np.int8(a)", "nb.int32(a)",
         "np.uint8(a)", "np.complex64(a)", "np.bool_(a)", "min(a, 0)", "max(a, 1.5)", "a.real",
         "a.imag", "a.conjugate()", "math.sqrt(a)", "math.floor(a)", "math.atan2(a, 2)",
         "math.pow(a, 2)", "np.sin(a)", "np.floor(a)", "np.sign(a)", "np.abs(a)", "divmod(a, 3)",
         "divmod(3, a)", "pow(a, 2)", "a and 1", "a or 1.5", "a if a else 1", "1 if a else 2.5",
         "(a, 1)", "(a, a) + (1,)", "(a, 2) == (1, 2)", "(a, 2) < (1, 2)", "(a, a)[1]",
         "(a, 2.5)[-1]", "(a, 1, 2.5)[1:]", "sum((a, a))", "a in (1, 2)", "a is None",
         "a is not None", "operator.add(a, 1)", "operator.mul(a, a)", "operator.neg(a)",
         "isinstance(a, int)", "isinstance(a, float)", "cmath.sqrt(a)", "a - True", "-(-a)",
         "min(a, a)", "max((a, a))", "F * a", "N * a", "T[1] * a", "TABLE[0] * a", "a ** F",
         "(a, a)[i]", "np.arctan2(a, 1.5)", "np.hypot(a, a)", "math.isnan(a)"]
BINARY = ["a + b", "a - b", "a * b", "a / b", "a // b", "a % b", "a ** b", "a << b", "a & b",
          "a < b", "a == b", "min(a, b)", "a and b", "a if b else a", "a if i else b",
          "divmod(a, b)", "math.hypot(a, b)", "np.add(a, b)"]
ARRAY = ["a", "a[i]", "a[i4]", "a[-1]", "a[u]", "a[i] + 1", "a.shape", "a.shape[0]", "len(a)",
         "a.size", "a.ndim", "a.strides", "a.itemsize", "a.nbytes", "a.T", "a[1:]", "a[::2]",
         "a[:]", "a[::-1]", "a[None]", "a[None, :]", "a[:, None]", "a[0, ...]", "a[..., None]",
         "a[(0,)]", "a[i, j]", "a[i][j]", "a[i, :]", "a[:, j]", "a[i, 1:]", "a[1:, j]", "a[1:, :]",
         "a[:, 1:]", "a[:, :]", "a[..., 0]", "a[1:, 1:]", "a[::2, 0]", "a[0, ::2]", "a[0, None]",
         "a[1:, ...]", "a[..., 1:]", "a[t]", "a[0, 1, 2]", "a[0, 0, 1:]", "a[0, :, 1:]",
         "a[:, :, 0]",
         "a[..., 0, 0]", "a[:, 1:, 0]", "a[0, ..., 1:]", "a[()]", "a.copy()", "a.astype(np.int32)",
         "np.zeros_like(a)", "np.empty_like(a, dtype=np.int8)", "np.full_like(a, 2)",
         "np.zeros(a.shape, a.dtype)", "np.zeros(a.shape)", "a.dtype.type(3)", "a is None",
         "isinstance(a, int)", "a[i4:u]", "a[1.5]", "a.real"]
ARRAYS = ["float32[:]", "float64[::1]", "complex64[::1]", "int32[:, ::1]", "float64[::1, :]",
          "float64[:, :]", "float64[:, :, ::1]", "uint8[::1, :, :]", "boolean[::1]"]
OTHER = [
    ("np.zeros(i)", ""), ("np.zeros((i, i), np.float32)", ""), ("np.empty((i, 2), dtype='f4')", ""),
    ("np.ones(i, np.bool_)", ""), ("np.full(i, 2)", ""), ("np.full((i, 3), np.float32(2))", ""),
    ("np.full(i, 2, dtype=nb.float32)", ""), ("np.ones((i,), np.dtype('i4'))", ""),
    ("2 ** -1", ""), ("1 << 40", ""), ("7 / 2", ""), ("True + 1", ""), ("(-8.0) ** (1 / 3)", ""),
    ("-2 ** 63", ""), ("2 ** 63", ""), ("N ** -1", ""), ("F * 2", ""), ("T", ""), ("TABLE[i]", ""),
    ("TABLE", ""), ("math.pi", ""), ("np.inf * F", ""), ("float('inf')", ""), ("np.pi", ""),
    ("(1, 2.5)", ""), ("((1, 2), i)", ""), ("(i, 1)[0]", ""), ("(1, 2)[::-1]", ""), ("()", ""),
    ("complex(i, 2)", ""), ("complex(F, F)", ""), ("i if i > 2 else None", ""),
    ("(i, 2.5) if i else (1.5, 2)", ""), ("not (i and j)", ""), ("i < j < 3 < 4", ""),
    ("(1, 2) + (2.5,)", ""), ("1 in (i, j)", ""), ("i not in (1, 2)", ""), ("len((1, 2))", ""),
    ("abs(1j)", ""), ("1j * F", ""), ("tuple((i, j))", ""), ("i if True else 2.5", ""),
    ("min(1, 2.5, i4)", ""), ("max(i4, i4)", ""), ("np.int8(300)", ""), ("nb.uint64(i) + i", ""),
    ("nb.uint64(i) + nb.uint32(1)", ""), ("nb.uint64(i) < i", ""), ("i4 * i4", ""), ("i4 / i4", ""),
]


def spell(t):  # as types::print does
    t = types.unliteral(t)
    if isinstance(t, types.Array):
        if t.ndim == 0 or not t.mutable:
            readonly = "" if t.mutable else ", readonly=True"
            return f"Array({spell(t.dtype)}, {t.ndim}, '{t.layout}'{readonly})"
        dims = [":"] * t.ndim
        if t.layout == "C":
            dims[-1] = "::1"
        elif t.layout == "F":
            dims[0] = "::1"
        return spell(t.dtype) + "[" + ",".join(dims) + "]"
    if isinstance(t, types.BaseTuple):
        items = [spell(x) for x in t]
        if items and items == items[:1] * len(items):
            return f"UniTuple({items[0]}, {len(items)})"
        return f"Tuple(({', '.join(items)}))"
    if isinstance(t, types.Optional):
        return f"optional({spell(t.type)})"
    if isinstance(t, types.NoneType):
        return "none"
    return str(t).replace("boolean", "bool")


def ask(expression, names):
    args = list(names)
    function = eval(f"lambda {', '.join(args)}: {expression}", globals())
    signature = tuple(eval(names[a], vars(nb) | dict(Tuple=types.Tuple)) for a in args)
    try:
        compiled = nb.njit(function)
        compiled.compile(signature)
        return spell(compiled.overloads[signature].signature.return_type)
    except Exception:
        return "error"


def cases():
    fixed = dict(i="int64", i4="int32", j="int64", u="uint32", t="Tuple((int64, int32))")
    for s in SCALARS:
        for e in UNARY:
            yield e, dict(a=SHORT[s], i="int64")
    for s in SCALARS:
        for r in SCALARS:
            for k, e in enumerate(BINARY):
                if k < 8 or (k + len(s) + len(r)) % 3 == 0:
                    yield e, dict(a=SHORT[s], b=SHORT[r], i="int64")
    for a in ARRAYS:
        for e in ARRAY:
            yield e, dict(a=a, **fixed)
    for e, _ in OTHER:
        yield e, fixed


def main():
    warnings.simplefilter("ignore")
    path = os.path.join(os.path.dirname(__file__), "../unit/typeinfer/numba_expressions.txt")
    lines = ["# Written by tests/fuzz/expression_oracle.py: variables ; expression ; type."]
    for expression, names in cases():
        variables = " ".join(f"{k}:{v.replace(' ', '')}" for k, v in names.items())
        lines.append(f"{variables} ; {expression} ; {ask(expression, names)}")
        if len(lines) % 500 == 0:
            print(len(lines), file=sys.stderr)
    with open(path, "w") as out:
        out.write("\n".join(lines) + "\n")


main()
