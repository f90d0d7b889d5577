"""Updates and assignments of every dtype by every operator, compared with Numba: types, values, stored elements.

    python tests/fuzz/updates.py --sample 20000 --seed 2

A row is one statement: a form (`x += y`, `a[i] = np.int8(a[i]) + y`, …), the type of its target, the type of its
other operand and an operator. Rows of equal types share a function, so that few functions hold thousands of rows.
Numba says which rows are typed. It runs without LLVM's optimizer, which would take signed overflow as undefined.
"""
import argparse
import collections
import dataclasses
import itertools
import operator
import random
import sys
import tempfile

import numba
import numpy as np
from numba import types
from numba.core.registry import cpu_target

import oracle
from operators import SCALARS

OPERATORS = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "//": operator.floordiv,
             "%": operator.mod, "**": operator.pow, "&": operator.and_, "|": operator.or_, "^": operator.xor,
             "<<": operator.lshift, ">>": operator.rshift}
OTHERS = [*SCALARS, "3", "(-1)", "2.5"]  # the other operand: a parameter of that type, or a literal
# {x} a local that starts as the argument, {e} and {f} elements of a and b, {y} the other operand, {cut} a narrow type.
LOCAL = ["{x} {op}= {y}", "{x} = {x} {op} {y}", "{x} = {y} {op} {x}", "{x} = {T}({x} {op} {y})",
         "{x} = {T}({x}) {op} {y}", "{x} = {cut}({x}) {op} {y}", "{x} = {cut}({x} {op} {y})"]
ELEMENT = ["{e} {op}= {y}", "{e} = {e} {op} {y}", "{e} = {y} {op} {e}", "{e} = {T}({e} {op} {y})",
           "{e} = {T}({e}) {op} {y}", "{e} = {cut}({e}) {op} {y}", "{f} {op}= {y}", "{f} = {f} {op} {y}",
           "{e} = {y}"]
TUPLE = ["{x} = (x {op} {y}, {y} {op} x)"]
FORMS = [(form, where) for form in LOCAL for where in ("loop", "line")] + \
        [(form, "loop") for form in ELEMENT] + [(form, "line") for form in TUPLE]


@dataclasses.dataclass(frozen=True)
class Row:
    form: str
    where: str      # "loop": runs twice, so that the types of a local meet; "line": once
    target: str
    other: str
    op: str


def numba_type(name):
    return types.int64 if name in ("3", "(-1)") else types.float64 if name == "2.5" else getattr(types, name)


def result(op, *operands):
    signature = cpu_target.typing_context.resolve_function_type(OPERATORS[op], operands, {})
    if signature is None:
        raise TypeError(op)
    return signature.return_type


def cut_of(target):
    kind = target.rstrip("0123456789")
    return {"float": types.float32, "complex": types.complex64}.get(kind, types.int8)


class Typing:
    """Follows one row through Numba's rules: `narrow` once a float became an integer, TypeError when it is not typed."""

    def __init__(self, row):
        self.row, self.narrow, self.rounds_complex, self.source = row, False, False, None
        self.target, self.other, self.cut = numba_type(row.target), numba_type(row.other), cut_of(row.target)
        value = self.value(self.target)
        if row.form.startswith(("{e}", "{f}")):
            self.to(value, self.target)
        elif row.where == "loop":
            local, seen = self.target, None
            while local != seen:
                seen, local = local, cpu_target.typing_context.unify_types(local, value)
                if local is None:
                    raise TypeError("join")
                value = self.value(local)

    def to(self, source, target):
        """The target of a conversion. What is converted keeps the types of earlier rounds: uint64, then int64, is float64."""
        self.source = source if self.source is None else cpu_target.typing_context.unify_types(self.source, source)
        self.narrow |= isinstance(self.source, types.Float) and isinstance(target, types.Integer)
        if isinstance(source, types.Complex) and not isinstance(target, types.Complex):
            raise TypeError("complex to real")
        self.rounds_complex |= source == types.complex128 and target == types.complex64
        return target

    def value(self, x):
        form, op, y = self.row.form, self.row.op, self.other
        right = form.split(" = ")[-1]
        if op in ("<<", ">>") and isinstance(y, types.Integer) and "{op} {y}" in form:
            y = result("&", y, types.int64)
        if right == "{y}":
            return y
        if right.startswith("({y}") or right.startswith("{y}"):
            return result(op, y, x)
        if right.startswith("(x"):
            result(op, self.other, self.target)
            return result(op, x, y)
        if right.startswith("{T}({x}) ") or right.startswith("{T}({e}) "):
            return result(op, self.to(x, self.target), y)
        if right.startswith("{cut}({x}) ") or right.startswith("{cut}({e}) "):
            return result(op, self.to(x, self.cut), y)
        value = result(op, x, y)
        return self.to(value, self.target if "{T}" in right else self.cut) if "(" in right else value


def kind_of(row):
    """Rows of one kind share a function and its values; None for a row that Numba does not type."""
    if row.op in ("<<", ">>") and ("float" in row.target + row.other or "{y} {op}" in row.form):
        return None
    if "{op}" not in row.form and row.op != "+":
        return None  # one of twelve equal rows
    if row.op in ("//", "%") and row.other == "(-1)":
        return None  # INT64_MIN // -1 is 0 in Numba; so is uint64's largest as int64
    try:
        typing = Typing(row)
    except (TypeError, numba.core.errors.NumbaError):
        return None
    if typing.rounds_complex and (row.target == "complex128" or "{x}" in row.form):
        return None  # g++ 12 drops float64 -> float32 -> float64 of two neighbours
    if typing.narrow:
        out_of_range = row.op in ("**", "<<") or (row.target[0] == "u" and (row.op == "-" or row.other == "(-1)"))
        return None if out_of_range else "narrow"
    if row.op == "**" and "complex" in row.target + row.other:
        local_loop = row.where == "loop" and "{x}" in row.form  # the branch cut turns the last bit into another value
        return None if local_loop else "complex power"
    if row.op == "**" and row.where == "loop" and "{y} {op}" in row.form:
        return None  # exponents above 65,536, for which Numba takes math.pow
    if row.op in ("/", "//", "%"):
        return "complex division" if "complex" in row.target + row.other else "division"
    return "power" if row.op == "**" else "plain"


def rows():
    for target, other, op, (form, where) in itertools.product(SCALARS, OTHERS, OPERATORS, FORMS):
        yield Row(form, where, target, other, op)


def np_name(t):
    return "np.bool_" if t == types.boolean else f"np.{t}"


def statement(row, number):
    other = f"y_{row.other}" if row.other in SCALARS else row.other
    if row.op in ("<<", ">>"):
        other = f"({other} & 7)"
    return row.form.format(x=f"x{number}", e=f"a[i + {2 * number}]", f=f"b[i, {number}]", y=other, op=row.op,
                           T=np_name(numba_type(row.target)), cut=np_name(cut_of(row.target)))


def write_case(name, kind, target, some):
    """One function with all statements; locals are returned, elements stay in the arrays."""
    start, straight, loop, results = [], [], [], []
    for number, row in enumerate(some):
        if "{x}" in row.form:
            if not row.form.startswith("{x} = (x"):
                start.append(f"x{number} = x")
            results += [f"x{number}[0]", f"x{number}[1]"] if row.form in TUPLE else [f"x{number}"]
        (loop if row.where == "loop" else straight).append(statement(row, number))
    body = [*start, *straight, *(["for i in range(2):"] if loop else []), *(f"    {line}" for line in loop)]
    others = sorted({row.other for row in some} & set(SCALARS))
    returned = f"({', '.join(results)},)" if results else "0"
    source = f"def {name}(a, b, x{''.join(f', y_{t}' for t in others)}):\n" + "\n".join(f"    {line}" for line in body)
    return oracle.Case(name, f"({', '.join([f'{target}[::1]', f'{target}[:,:]', target, *others])})",
                       f"{source}\n    return {returned}", list(arguments(kind, target, others, len(some))),
                       ", error_model='numpy'" if kind == "division" else "")


def table(name, kind):
    """Values of a type: extremes, negative ones, nan and infinities; for `narrow` only what every integer holds."""
    if name == "boolean":
        return [False, True] if kind in ("plain", "division") else [True]
    dtype = np.dtype(name)
    whole = dtype.kind in "iu"
    if kind == "narrow":
        return [1, 2, 3] if whole else [0.5, 1.0]
    if "power" in kind:
        numbers = [1, 2, 3, 11] if dtype.kind == "u" else [-2, -1, 1, 2, 3, 7] if whole else [0.5, -2.0, 1.5, 3.0]
    elif whole:
        limits = np.iinfo(dtype)
        numbers = [limits.min, limits.max - (kind == "division"), 1, 100] + ([0, 7] if dtype.kind == "u" else [-7, 0, 2])
        if kind == "plain":
            numbers.append(dtype.type(-1).item() if dtype.kind == "i" else 3)
        if kind == "complex division":
            numbers.remove(0)
    else:
        numbers = [0.0, -0.0, 1.5, -2.5, 1e30, np.nan, np.inf, -np.inf]
    if dtype.kind == "c" or (kind == "complex division" and not whole):
        numbers = [0.5, -2.0, 1.5, 3.0]
    if dtype.kind == "c":
        numbers = [complex(p, q) for p, q in zip(numbers, numbers[1:] + numbers[:1])] + [2.0]
    return [dtype.type(n) for n in numbers]


def arguments(kind, target, others, count):
    """Every value of the target beside every value of the others, which go round together."""
    dtype = np.dtype("bool" if target == "boolean" else target)
    tables = [table(other, kind) for other in others]
    for x, turn in itertools.product(table(target, kind), range(max(map(len, tables), default=1))):
        yield (np.full(2 * count, x, dtype), np.full((2, count), x, dtype), x,
               *(values[(turn + number) % len(values)] for number, values in enumerate(tables)))


def cases(sample=None, seed=1, most=60):
    """Functions for a sample of all rows (None: every row)."""
    cpu_target.typing_context.refresh()
    groups = collections.defaultdict(list)
    chosen = list(rows())
    if sample is not None:
        chosen = random.Random(seed).sample(chosen, min(sample, len(chosen)))
    for row in chosen:
        if kind := kind_of(row):
            groups[kind, row.target, row.form in TUPLE].append(row)
    made = []
    for (kind, target, _), some in groups.items():
        for start in range(0, len(some), most):
            made.append(write_case(f"u{len(made)}", kind, target, some[start:start + most]))
    return made


def flat(value):
    if isinstance(value, (tuple, list)):
        return [x for item in value for x in flat(item)]
    return value.ravel().tolist() if isinstance(value, np.ndarray) else [value]


def close(ours, theirs, ulp):
    """Complex numbers by component; an infinite part excuses the other one."""
    if isinstance(theirs, complex) and isinstance(ours, complex):
        return all(oracle.close(a, b, ulp) for a, b in ((ours.real, theirs.real), (ours.imag, theirs.imag)))
    return oracle.close(ours, theirs, ulp)


def close_power(ours, theirs):
    """Complex powers: Numba multiplies out whole exponents, and its infinities have other signs."""
    return not np.isfinite(theirs) or abs(ours - theirs) <= 1e-4 * abs(theirs)


def run(function, given):
    given = oracle.copies(given)
    try:
        value = function(*given)
    except Exception as error:  # noqa: BLE001 — the class is what is compared
        value = type(error).__name__
    return flat(value), flat(given[0]), flat(given[1])


def differences(case, ours, theirs):
    """One line per statement that differs: the statement, the call, both values."""
    ulp = 8 if "**" in case.source else 4 if "complex" in case.signature else 0
    power = "**" in case.source and "complex" in case.signature
    shown = set()
    for given in case.inputs:
        mine, his = run(ours, given), run(theirs, given)
        for what, left, right in zip(("result", "a", "b"), mine, his):
            for place, (one, other) in enumerate(itertools.zip_longest(left, right)):
                same = close_power(one, other) if power else close(one, other, ulp)
                if not same and (what, place) not in shown:
                    shown.add((what, place))
                    yield f"{statement_of(case, what, place)}\n    {one!r}, Numba has {other!r}, of {given[2:]}"


def statement_of(case, what, place):
    """The line that made item `place` of the result or of an array."""
    names = case.source.rpartition("return ")[2].strip("(),").split(", ")
    columns = len(case.inputs[0][1][0])
    head = {"a": f"a[i + {place // 2 * 2}]", "b": f"b[i, {place % columns}]"}.get(what, "")
    head = head or names[place].partition("[")[0]
    return "; ".join(line.strip() for line in case.source.splitlines() if line.strip().startswith(head + " "))


def compare(made):
    """Texts of the differences, and how many functions and calls were compared."""
    found, stats = [], collections.Counter()
    level = numba.config.OPT
    numba.config.OPT = type(level)(0)
    try:
        with tempfile.TemporaryDirectory() as directory:
            module, manifest, refused = oracle.build(made, directory)
            results = {e["name"]: [o.get("result") for o in e["overloads"]] for e in manifest.get("entries", [])}
            for case in made:
                theirs = oracle.compile_numba(case)
                if case.name in refused:
                    found.append(f"refused: {refused[case.name]}\n{case.decorated()}")
                    continue
                expected = oracle.normal_type(str(theirs.nopython_signatures[0].return_type))
                got = oracle.normal_type(results[case.name][0])
                if got != expected:
                    found.append(f"result type {got}\nNumba has   {expected}\n{case.decorated()}")
                    continue
                stats["functions"] += 1
                stats["calls"] += len(case.inputs)
                found += differences(case, getattr(module, case.name), theirs)
    finally:
        numba.config.OPT = level
    return found, stats


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sample", type=int)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    failed = False
    all_cases = cases(options.sample, options.seed)
    for start in range(0, len(all_cases), 60):
        texts, counts = compare(all_cases[start:start + 60])
        print(f"{start + 60}/{len(all_cases)}", dict(counts), f"{len(texts)} differences", flush=True)
        print("\n".join(texts))
        if texts:
            failed = True
    sys.exit(failed)
