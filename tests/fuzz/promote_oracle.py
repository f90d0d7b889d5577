"""Asks Numba and NumPy for their promotion tables and writes them as text.

In:   the installed numba and numpy (0.68.1 and 2.5 made the committed table).
Out:  tests/unit/typeinfer/numba_promotion.txt, read by tests/unit/typeinfer/promote_test.cpp.
Use:  promote_oracle.py           rewrite the table
      promote_oracle.py --check   exit 1 when the table differs from what Numba says today

A line is `table op left: cell …`, one cell per right operand in the order of `types`. A cell is
left,right,result: what both operands are converted to and what comes out; `-` means no such
operation. Element tables hold results of arrays only. Float16 is last because it is rare.
"""

import operator
import pathlib
import random
import sys
import warnings

import numpy as np
from numba.core import types
from numba.core.registry import cpu_target
from numba.cuda.descriptor import cuda_target

TABLE = pathlib.Path(__file__).parents[1] / "unit/typeinfer/numba_promotion.txt"
NAMES = dict(b1="boolean", i1="int8", i2="int16", i4="int32", i8="int64", u1="uint8", u2="uint16",
             u4="uint32", u8="uint64", f4="float32", f8="float64", c8="complex64",
             c16="complex128", f2="float16")
TYPES = {code: getattr(types, name) for code, name in NAMES.items()}
CODES = {type_: code for code, type_ in TYPES.items()}
BINARY = "add sub mul truediv floordiv mod pow lshift rshift and_ or_ xor matmul".split()
COMPARE = "eq ne lt le gt ge".split()
UNARY = "pos neg invert not_".split()


def ask(context, name, *args):
    try:
        signature = context.resolve_function_type(getattr(operator, name), args, {})
    except Exception:
        return None
    return signature


def cell(signature):
    if signature is None:
        return "-"
    return ",".join(CODES[t] for t in (*signature.args, signature.return_type))


def element(signature):
    return "-" if signature is None else CODES[signature.return_type.dtype]


def numpy_result(name, *codes):
    args = [np.ones(1, NAMES[c].replace("boolean", "bool")) for c in codes]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            dtype = getattr(operator, name)(*args).dtype
    except TypeError:
        return "-"
    return "b1" if dtype == bool else f"{dtype.kind}{dtype.itemsize}"


def lines():
    array = lambda t: types.Array(t, 1, "C")
    yield "# Written by tests/fuzz/promote_oracle.py; types " + " ".join(TYPES)
    for target, registry in (("cpu", cpu_target), ("cuda", cuda_target)):
        context = registry.typing_context
        context.refresh()
        for op in BINARY + COMPARE:
            for left, a in TYPES.items():
                yield f"{target} {op} {left}: " + " ".join(
                    cell(ask(context, op, a, b)) for b in TYPES.values())
        for op in UNARY:
            yield f"{target}_unary {op}: " + " ".join(
                cell(ask(context, op, a)) for a in TYPES.values())
    context = cpu_target.typing_context
    for left, a in TYPES.items():
        yield f"unify - {left}: " + " ".join(
            CODES[context.unify_types(a, b)] for b in TYPES.values())
        yield f"conversion - {left}: " + " ".join(
            str(int(context.can_convert(a, b) or 0)) for b in TYPES.values())
        yield f"safe - {left}: " + " ".join(
            str(int(np.can_cast(str(a), str(b), "safe"))) for b in TYPES.values())
    pairs = random.Random(1)
    for _ in range(40):
        left = pairs.choices(list(TYPES), k=2)
        yield f"unify_all {' '.join(left)}: " + " ".join(
            CODES[context.unify_types(TYPES[left[0]], TYPES[left[1]], b)] for b in TYPES.values())
    for op in BINARY:
        for left, a in TYPES.items():
            yield f"element {op} {left}: " + " ".join(
                "-" if op == "matmul" else element(ask(context, op, array(a), array(b)))
                for b in TYPES.values())
            yield f"numpy {op} {left}: " + " ".join(
                "-" if op == "matmul" else numpy_result(op, left, b) for b in TYPES)
    for op in UNARY[:3]:
        yield f"element_unary {op}: " + " ".join(
            element(ask(context, op, array(a))) for a in TYPES.values())
        yield f"numpy_unary {op}: " + " ".join(numpy_result(op, a) for a in TYPES)


if __name__ == "__main__":
    text = "\n".join(lines()) + "\n"
    if "--check" not in sys.argv:
        TABLE.write_text(text)
    elif text != TABLE.read_text():
        sys.exit(f"{TABLE} differs from what Numba and NumPy say")
