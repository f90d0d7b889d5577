"""Updates that convert: `x = np.int8(x) + y`, `a[0] = y | np.uint16(a[0])`, `x += np.float32(x)`, …, against Numba.

    python tests/fuzz/conversions.py --count 2000 --seed 1

A case has one type for the variable and the array, one for the cast and one for the other operand; all operators, on
the variable, on an element and in a loop, with values that do not fit the narrow types. Without --count every
combination is a case.
"""
import itertools
import math
import random
import re
import sys

import numpy as np

import harness
import oracle

INTS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
SCALARS = ["boolean", *INTS, "float32", "float64", "complex64", "complex128"]
OPERATORS = {"i": ["+", "-", "*", "//", "%", "&", "|", "^", "<<", ">>", "**", "/"], "b": ["&", "|", "^", "+", "-", "*", "/"],
             "f": ["+", "-", "*", "/", "//", "%", "**"], "c": ["+", "-", "*", "/"]}
RAISING = ["/", "//", "%"]


def kind(scalar):
    return "i" if "int" in scalar else scalar[0]


def combinations():
    """(type of the variable, of the cast, of the other operand, whether the operators may raise)."""
    for own, cast, other, raising in itertools.product(SCALARS, SCALARS, [*SCALARS, "2", "3.0"], [False, True]):
        if kind(cast) == "c" or "c" not in (kind(own), kind(other)):  # a complex number is cast to complex only
            yield own, cast, other, raising


def put(text, place):
    return re.sub(r"\bx\b", place, text)


def expression(rng, cast, op, other):
    """One update's right side for the place `x`; the exponent and the count of a shift are small."""
    other = {"**": "2", "<<": f"({other} & 3)", ">>": f"({other} & 3)"}.get(op, other)
    return rng.choice([f"{cast}(x) {op} {other}"] * 3 + [f"{cast}(x {op} {other})", f"x {op} {cast}({other})"]
                      + ([f"{other} {op} {cast}(x)"] * 2 if op not in ("**", "<<", ">>") else []))


def case(number, own, cast, other, raising, rng):
    """Each statement works on values of its own."""
    types, order = [own, cast, *([other] if other in SCALARS else [])], "bifc"
    kinds = [kind(t) for t in types] + ([] if other in SCALARS else ["i" if other == "2" else "f"])
    top = max(kinds, key=order.index)
    operators = [op for op in OPERATORS[top] if (op in RAISING) == raising]
    operand, convert = "y" if other in SCALARS else other, "bool" if cast == "boolean" else f"np.{cast}"
    lines, results = [], []
    for n, op in enumerate(operators):
        lines += [f"v{n} = x", f"v{n} = {put(expression(rng, convert, op, operand), f'v{n}')}"]
        results.append(f"v{n}")
        if top == kind(own) or own != "boolean" and top != "c":
            at = f"a[{n}]"
            lines.append(rng.choice([f"{at} = {put(expression(rng, convert, op, operand), at)}"] * 2
                                    + [f"{at} {op}= {convert}({operand})" if op not in ("**", "<<", ">>") else f"{at} {op}= 2"]))
        if op in ("+", "-", "&", "|", "^") and rng.random() < 0.4 and top in "if":
            lines += [f"w{n} = x", f"for i in range({rng.randint(1, 3)}):",
                      f"    w{n} = {put(expression(rng, convert, op, operand), f'w{n}')}"]
            results.append(f"w{n}")
    source = f"def c{number}(x, a{', y' if other in SCALARS else ''}):\n" + "\n".join("    " + line for line in lines)
    source += f"\n    return {', '.join(results)},"
    signature = f"({own}, {own}[:]{', ' + other if other in SCALARS else ''})"
    return oracle.Case(f"c{number}", signature, source, list(inputs(rng, own, other)))


def inputs(rng, own, other):
    for _ in range(6):
        array = np.array([number(rng, own) for _ in range(16)], dtype="bool" if own == "boolean" else own)
        yield (number(rng, own), array, *([number(rng, other)] if other in SCALARS else []))


def number(rng, scalar):
    """Values that fit the type, but not always a narrower one or an integer."""
    if kind(scalar) == "i":
        bits = int(scalar.strip("uint"))
        most = 2 ** min(bits - (scalar[0] == "i"), 20) - 1
        return rng.choice([0, 1, 2, 3, 5, 9, 11, 100, most, most - 1, most // 2 + 1, *([-1, -2, -most, -7] if scalar[0] == "i" else [7])])
    if kind(scalar) == "b":
        return rng.random() < 0.5
    if kind(scalar) == "f":
        return rng.choice([0.0, 1.0, -2.5, 0.1, 7.75, 3.0, 300.0, -129.5, 1e9, 16777217.0, 1e25, -1e25, math.inf, math.nan])
    return complex(rng.choice([0.0, 1.5, -2.0]), rng.choice([1.0, -0.5, 0.1]))


def cases(count, seed, first=0):
    every = list(combinations())
    rng = random.Random(f"conversions-{seed}")
    rng.shuffle(every)
    return [case(n, *every[n], random.Random(f"conversions-{seed}-{n}")) for n in range(first, min(first + count, len(every)))]


if __name__ == "__main__":
    sys.exit(harness.main(cases, __doc__, count=10 ** 6, ulp=4))
