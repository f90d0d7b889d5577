"""Writes numba_builtins.txt: the result type that Numba gives every scalar builtin.

One line per function and arity: name, arity, one letter per combination of argument types in the
order of LETTERS (the last argument runs fastest). `.`: Numba refuses; `*`: not compared, for the
reason given in SKIP. Needs the package numba; run it by hand when the oracle's version changes.
"""
import cmath
import itertools
import math
import operator
import os
import warnings

import numpy as np
from numba import types as T
from numba.core.registry import cpu_target

LETTERS = "?bhilBHILfdFD"
TYPES = [T.boolean, T.int8, T.int16, T.int32, T.int64, T.uint8, T.uint16, T.uint32, T.uint64,
         T.float32, T.float64, T.complex64, T.complex128]
LETTER = {str(t): c for t, c in zip(TYPES, LETTERS)}
# Numba cuts fractions off silently here; we refuse.
NO_FLOATS = {"math.gcd": (0, 1), "math.ldexp": (1,)}
# gcd(int8, uint64) is int8 in Numba, which loses the value; int64 here.
SKIP = {("math.gcd", "L"), ("numpy.round", "F"), ("numpy.round", "D"), ("numpy.sinc", "F"),
        ("numpy.sinc", "D")}


def result(function, args):
    try:
        signature = context.resolve_value_type(function).get_call_type(context, args, {})
    except Exception:
        return "."
    if signature is None:
        return "."
    kind = signature.return_type
    if isinstance(kind, T.BaseTuple):
        kind = kind.types[0]
    return LETTER.get(str(kind), ".")


def skipped(name, args):
    letters = [LETTER[str(a)] for a in args]
    if any(letters[i] in "fdFD" for i in NO_FLOATS.get(name, ()) if i < len(letters)):
        return True
    mixed = len(set(letters)) > 1 or len(letters) == 1
    return mixed and any((name, c) in SKIP for c in letters)


def rows(name, function, arities):
    for arity in arities:
        combinations = itertools.product(TYPES, repeat=arity)
        text = "".join("*" if skipped(name, a) else result(function, a) for a in combinations)
        if text.strip(".*"):
            yield f"{name} {arity} {text}"


def all_rows():
    for module in (math, cmath):
        for name in dir(module):
            if name[0] != "_" and callable(getattr(module, name)):
                yield from rows(f"{module.__name__}.{name}", getattr(module, name), (1, 2))
    for name in sorted({f.__name__ for f in vars(np).values() if isinstance(f, np.ufunc)}):
        function = getattr(np, name)
        yield from rows("numpy." + name, function, (function.nin,))
    for name in "angle imag iscomplex isneginf isposinf isreal nan_to_num real round sinc".split():
        yield from rows("numpy." + name, getattr(np, name), (1,))
    for name, arity in {"abs": 1, "round": 1, "min": 2, "max": 2, "divmod": 2}.items():
        yield from rows("builtins." + name, getattr(__builtins__, name), (arity,))
    for name in ("add sub mul truediv floordiv mod pow lshift rshift and_ or_ xor eq ne lt le gt "
                 "ge").split():
        yield from rows("operator." + name, getattr(operator, name), (2,))
    for name in "pos neg invert not_ truth".split():
        yield from rows("operator." + name, getattr(operator, name), (1,))


warnings.simplefilter("ignore")
context = cpu_target.typing_context
cpu_target.target_context.refresh()
context.refresh()
with open(os.path.join(os.path.dirname(__file__), "numba_builtins.txt"), "w") as out:
    out.writelines(row + "\n" for row in all_rows())
