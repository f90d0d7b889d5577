"""Every operator on every pair of scalar types, every math and cmath function on every scalar type, against Numba.

One function per pair returns a tuple of all operators that Numba accepts, so that a module of 144 functions covers
all of them. Types come from the manifest, values from calls.
"""
import itertools
import operator

import numpy as np
from numba import types
from numba.core.registry import cpu_target

import oracle

SCALARS = ["boolean", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
           "float32", "float64", "complex64", "complex128"]
TOTAL = {"+": operator.add, "-": operator.sub, "*": operator.mul, "&": operator.and_, "|": operator.or_,
         "^": operator.xor, "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le,
         ">": operator.gt, ">=": operator.ge}
PARTIAL = {"/": operator.truediv, "//": operator.floordiv, "%": operator.mod, "**": operator.pow}
MATH = ("acos acosh asin asinh atan atanh ceil cos cosh degrees erf erfc exp expm1 fabs floor gamma isfinite isinf "
        "isnan lgamma log log10 log1p log2 radians sin sinh sqrt tan tanh trunc").split()
MATH2 = "atan2 copysign fmod hypot pow".split()
CMATH = ("acos acosh asin asinh atan atanh cos cosh exp isfinite isinf isnan log log10 phase polar sin sinh sqrt tan "
         "tanh").split()
VALUES = {"b": [True, False], "i": [-7, -1, 1, 2, 3, 100], "u": [1, 2, 3, 7, 200],
          "f": [-2.5, -1.0, 0.5, 1.0, 3.0, 1e3], "c": [1 + 2j, -0.5 + 0j, 2 - 1j]}


def values(scalar):
    kind = {"boolean": "b", "uint": "u", "int": "i", "float": "f", "complex": "c"}
    return next(VALUES[k] for prefix, k in kind.items() if scalar.startswith(prefix))


def accepted(function, *names):
    arguments = tuple(getattr(types, n) for n in names)
    try:
        return cpu_target.typing_context.resolve_function_type(function, arguments, {}) is not None
    except Exception:  # noqa: BLE001
        return False


def unordered(scalars):
    """Each two types once, in one of their orders, and each with itself: half of the product, for CI."""
    return [(a, scalars[(k + step) % len(scalars)]) for k, a in enumerate(scalars) for step in range(len(scalars) // 2 + 1)
            if 2 * step < len(scalars) or k < step]


def inputs(left, right):
    return [(a, b) for a, b in itertools.product(values(left), values(right))]


def pair_cases(pairs_of=lambda scalars: itertools.product(scalars, repeat=2)):
    cpu_target.typing_context.refresh()
    for left, right in pairs_of(SCALARS):
        parts = [f"a {text} b" for text, op in TOTAL.items() if accepted(op, left, right)]
        shifts = "int" in left and "int" in right or {left, right} <= {"boolean", "int64"}
        pairs = inputs(left, right)
        if shifts and accepted(operator.lshift, left, right):
            parts += ["a << (b & 7)", "a >> (b & 7)"]
        name = f"op_{left}_{right}"
        if parts:
            yield oracle.Case(name, f"({left}, {right})", f"def {name}(a, b):\n    return ({', '.join(parts)},)", pairs)
        for text, op in PARTIAL.items():
            if accepted(op, left, right):
                name = f"op{'div floordiv mod pow'.split()[list(PARTIAL).index(text)]}_{left}_{right}"
                zero = [(values(left)[0], 0 if "complex" not in right else 0j)] if right != "boolean" else []
                yield oracle.Case(name, f"({left}, {right})", f"def {name}(a, b):\n    return a {text} b", pairs + zero)


LITERALS = ["1", "2", "3", "(-1)", "(-2)", "7", "255", "100000", "1.5", "(-1.0)", "2.0"]


def literal_cases(every=1):
    """Every operator with a literal on either side, which C++ would compute in int. Each type takes every `every`-th literal, not all the same ones."""
    for (place, scalar), (number, literal) in itertools.product(enumerate(SCALARS), enumerate(LITERALS)):
        if (place + number) % every:
            continue
        of_literal = "float64" if "." in literal else "int64"
        parts = []
        for text, op in {**TOTAL, **PARTIAL}.items():
            if text == "**" and (len(literal) > 4 or "complex" in scalar):
                continue
            if accepted(op, of_literal, scalar):
                parts.append(f"{literal} {text} a")
            if accepted(op, scalar, of_literal):
                parts.append(f"a {text} {literal}")
        if "int" in scalar and of_literal == "int64":
            parts += [f"{literal} << (a & 7)", f"{literal} >> (a & 7)", f"min({literal}, a)", f"max(a, {literal})"]
        for start in range(0, len(parts), 12):
            name = f"lit_{scalar}_{number}_{start}"
            yield oracle.Case(name, f"({scalar},)", f"def {name}(a):\n    return ({', '.join(parts[start:start + 12])},)",
                              [(v,) for v in values(scalar) if v != 0])


def function_cases(pairs_of=lambda scalars: itertools.product(scalars, repeat=2)):
    """Results as tuples of calls that cannot raise; domain errors give nan in both."""
    for scalar in SCALARS:
        parts = [f"math.{f}(a)" for f in MATH if "complex" not in scalar and accepted(getattr(__import__("math"), f), scalar)]
        parts += ["-a", "+a", "abs(a)"] + (["~a"] if "int" in scalar else [])
        if "complex" in scalar:  # Numba calls log10 of complex64 complex128, with the digits of complex64
            parts += [f"cmath.{f}(a)" for f in CMATH if accepted(getattr(__import__("cmath"), f), scalar)
                      and (f, scalar) != ("log10", "complex64")]
        for number in range(0, len(parts), 8):
            name = f"fn_{scalar}_{number}"
            some = parts[number:number + 8]
            yield oracle.Case(name, f"({scalar},)", f"def {name}(a):\n    return ({', '.join(some)},)",
                              [(v,) for v in values(scalar)])
    reals = [s for s in SCALARS if "complex" not in s]
    for left, right in pairs_of(reals):
        parts = [f"math.{f}(a, b)" for f in MATH2 if accepted(getattr(__import__("math"), f), left, right)]
        parts += ["min(a, b)", "max(a, b)"] if "boolean" not in (left, right) else []
        if parts:
            name = f"fn2_{left}_{right}"
            yield oracle.Case(name, f"({left}, {right})", f"def {name}(a, b):\n    return ({', '.join(parts)},)",
                              inputs(left, right))


def flat(value):
    return [x for item in value for x in flat(item)] if isinstance(value, tuple) else [value]


def deliberate(case, arguments, ours, theirs):
    """Where Numba leaves CPython's values for no typing reason: complex `**` (integer exponents multiply out, 0 ** z is
    0), NaN where we raise as the language does, and math.pow, which has C's values here and never raises."""
    mine, his = ours[1], theirs[1]
    if "math.pow(" in case.source and theirs[0] == "ZeroDivisionError":
        return True
    if isinstance(mine, complex) and " ** " in case.source:
        try:
            expected = complex(arguments[0]) ** arguments[1]
        except ArithmeticError:
            return True
        single = "64" in case.signature and "128" not in case.signature and "float64" not in case.signature
        if not np.isfinite(expected) or not np.isfinite(mine) or abs(expected.real) > 1e30 or abs(expected) < 1e-30:
            return True
        return abs(mine - expected) <= (2e-6 if single else 2e-13) * abs(expected)
    if case.name.startswith("fn_complex64") and ours[0] == theirs[0] == "ok":  # Numba mixes both precisions there
        return np.allclose(flat(mine), flat(his), rtol=2e-6, atol=1e-9, equal_nan=True)
    return isinstance(his, (float, complex)) and np.isnan(his) and ours[0] == "ZeroDivisionError"


if __name__ == "__main__":  # all of them, in modules of a hundred functions
    found = []
    for every, ulp in (list(pair_cases()), 4), (list(literal_cases()), 4), (list(function_cases()), 16):
        for start in range(0, len(every), 100):
            some, _ = oracle.compare(every[start:start + 100], tolerate=deliberate, ulp=ulp)
            found += some
            print(f"{min(start + 100, len(every))} of {len(every)}", flush=True)
    raise SystemExit("\n".join(map(str, found)) or None)
