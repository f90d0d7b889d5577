"""The runtime headers against CPython and NumPy: every row of tests/builtins/*.cases.

A line is `module.name [ulps]  case | case | …`, a case `arg, arg` or `arg, arg => expected` (where
CPython raises, or where our value is another on purpose). All cases become one C++ program over
runtime_headers/; what it prints is compared with Python's own results. Untyped floats run in double
and float, untyped integers of numpy, operator and builtins in every type that holds them. Typed
arguments (`int8(-128)`) run as they are.
"""
import cmath
import itertools
import math
import operator
import os
import re
import shutil
import subprocess
import warnings
from fractions import Fraction

import numpy as np
import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CASES = os.path.join(ROOT, "tests", "builtins")
INTS = [np.int64, np.int32, np.int16, np.int8, np.uint64, np.uint32, np.uint16, np.uint8]
CPP = {np.float64: "double", np.float32: "float", np.complex128: "pyk::complex<double>",
       np.complex64: "pyk::complex<float>", np.bool_: "bool",
       **{t: t.__name__ + "_t" for t in INTS}}
NAMES = {t.__name__: t for t in [*INTS, np.float32, np.float64, np.complex64, np.complex128]}
NAMES |= {"bool_": np.bool_, "inf": math.inf, "nan": math.nan, "pi": math.pi, "e": math.e}
NARROW = {np.float64: np.float32, np.complex128: np.complex64}
WEAK = {bool: np.bool_, int: np.int64, float: np.float64, complex: np.complex128}


class Call:
    """One call: the arguments as NumPy scalars and what Python says about it."""

    def __init__(self, name, ulps, args, expected, text):
        self.name, self.ulps, self.args, self.expected, self.text = name, ulps, args, expected, text

    def types(self):
        return tuple(type(a) for a in self.args)


def fits(value, kind):
    info = np.iinfo(kind)
    return info.min <= value <= info.max


def type_choices(module, args):
    """The argument types that one case runs with."""
    weak = [a for a in args if type(a) in WEAK]
    if len(weak) < len(args) or not args:
        return [tuple(WEAK.get(type(a), type(a)) for a in args)]
    kinds = {type(a) for a in args}
    if kinds == {int} and module in ("numpy", "operator", "builtins", "cuda"):
        return [(t,) * len(args) for t in INTS if all(fits(a, t) for a in args)]
    wide = tuple(WEAK[type(a)] for a in args)
    narrow = tuple(NARROW.get(t, t) for t in wide)
    if wide == narrow or not all(survives(a, t) for a, t in zip(args, narrow)):
        return [wide]
    return [wide, narrow]


def survives(value, kind):
    """Neither overflow to inf nor underflow to 0."""
    with np.errstate(all="ignore"):
        narrow = kind(value)
    return bool(np.isfinite(value) == np.isfinite(narrow)) and bool(value) == bool(narrow)


def wrap(value, kind):
    bits = np.iinfo(kind).bits
    value %= 1 << bits
    return value - (1 << bits) if np.iinfo(kind).min < 0 and value >> (bits - 1) else value


def fused(a, b, c):
    """math.fma, which Python has from 3.13 on: exact in rationals, rounded once."""
    if hasattr(math, "fma"):
        return math.fma(a, b, c)
    if not all(map(math.isfinite, (a, b, c))):
        return a * b + c
    exact = Fraction(float(a)) * Fraction(float(b)) + Fraction(float(c))
    return float(exact) if exact else a * b + c


def reversed_bits(x, bits):
    return int(f"{x % (1 << bits):0{bits}b}"[::-1], 2)


REFERENCE = {"math": math, "cmath": cmath, "operator": operator}
OURS = {  # what Python spells otherwise
    "builtins.abs": abs, "builtins.min": min, "builtins.max": max, "builtins.round": round,
    "builtins.pow": pow, "builtins.divmod": divmod,
    "cuda.popc": lambda x: bin(int(x) % (1 << 8 * x.itemsize)).count("1"),
    "cuda.clz": lambda x: 8 * x.itemsize - (int(x) % (1 << 8 * x.itemsize)).bit_length(),
    "cuda.ffs": lambda x: (int(x) & -int(x)).bit_length(),
    "cuda.brev": lambda x: reversed_bits(int(x), 32 if x.dtype == np.int64 else 8 * x.itemsize),  # an int64 is a uint32 to it
    "cuda.fma": fused, "math.fma": fused, "cuda.cbrt": math.cbrt,
    "cuda.selp": lambda c, a, b: a if c else b,
}


def reference(module, name, args):
    if module == "numpy":
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            return getattr(np, name)(*args)
    if module == "cuda":
        return OURS["cuda." + name](*args)
    function = OURS.get(f"{module}.{name}") or getattr(REFERENCE[module], name)
    return function(*(a.item() for a in args))


def read_cases():
    for file in sorted(os.listdir(CASES)):
        if not file.endswith(".cases"):
            continue
        with open(os.path.join(CASES, file), encoding="utf-8") as lines:
            text = re.sub(r"\n[ \t]+", " ", lines.read())  # an indented line continues the last
        for line in text.splitlines():
            if line.strip() and not line.startswith("#"):
                yield from read_line(line)


def read_line(line):
    full, ulps, cases = re.match(r"(\S+)\s+(?:\[(\d+)\]\s+)?(.*)", line).groups()
    module, name = full.rsplit(".", 1)
    for case in cases.split("|"):
        text, _, wanted = case.partition("=>")
        args = eval(f"({text.strip()},)" if text.strip() else "()", dict(NAMES))
        for types in type_choices(module, args):
            with np.errstate(over="ignore"):
                values = [t(a) for t, a in zip(types, args)]
            label = f"{full}({text.strip()}) as {', '.join(t.__name__ for t in types)}"
            try:
                expected = eval(wanted, dict(NAMES)) if wanted else reference(module, name, values)
            except (ValueError, OverflowError, ZeroDivisionError) as error:
                raise AssertionError(f"{label}: write `=> value`, Python raises {error}") from None
            yield Call(full, int(ulps or 2), values, expected, label)


def literal(value):
    if isinstance(value, (np.complexfloating, complex)):
        return f"{{{literal(value.real)}, {literal(value.imag)}}}"
    if isinstance(value, (np.bool_, bool)):
        return "true" if value else "false"
    if isinstance(value, np.integer):
        return f"{CPP[type(value)]}(0x{int(value) % (1 << 64):x}u)"
    kind = CPP[type(value)] if type(value) in CPP else "double"
    if math.isnan(value):
        return f"pyk::not_a_number<{kind}>"
    if math.isinf(value):
        return f"{'-' if value < 0 else ''}pyk::infinity<{kind}>"
    return f"{kind}({float(value).hex()})"


def cpp_name(full):
    module, name = full.rsplit(".", 1)
    name += "_" if name == "xor" else ""
    space = {"numpy": "np::", "math": "math::", "cmath": "cmath::", "cuda": "cuda::"}
    return "pyk::" + space.get(module, "") + name


PRELUDE = r"""
#include <cstdio>
#include "pyk/intrinsics.h"
#include "pyk/np.h"
#include "pyk/operator.h"
static void put(bool x) { std::printf(" ? %d", int(x)); }
static void put(float x) { std::printf(" f %a", double(x)); }
static void put(double x) { std::printf(" d %a", x); }
template <class T, pyk::when<pyk::is_integer<T>> = 0>
static void put(T x) {
  if (pyk::is_signed<T>) std::printf(" i%d %lld", int(sizeof(T)), (long long)x);
  else std::printf(" u%d %llu", int(sizeof(T)), (unsigned long long)x);
}
template <class T> static void put(pyk::complex<T> z) { put(z.re); put(z.im); }
template <class A, class B> static void put(pyk::tuple<A, B> t) { put(t.head); put(t.tail.head); }
"""


def program(groups):
    """One block per function and argument types; the rows lie in tables that no compiler folds."""
    text = PRELUDE
    for number, ((name, types), calls) in enumerate(groups.items()):
        fields = " ".join(f"{CPP[t]} a{i};" for i, t in enumerate(types))
        args = ", ".join(f"r.a{i}" for i in range(len(types)))
        rows = ", ".join("{" + ", ".join(map(literal, call.args)) + "}" for call in calls)
        text += (f"static struct {{ {fields} }} rows{number}[] = {{{rows}}};\n"
                 f"static void block{number}() {{ for (auto& r : rows{number}) "
                 f"{{ put({cpp_name(name)}({args})); std::puts(\"\"); }} }}\n")
    return text + "int main() {\n" + "".join(f"  block{i}();\n" for i in range(len(groups))) + "}\n"


def flat(value):
    if isinstance(value, tuple):
        return [x for item in value for x in flat(item)]
    if isinstance(value, (complex, np.complexfloating)):
        return [value.real, value.imag]
    return [value]


def agrees(tag, text, expected, ulps):
    if tag == "?":
        return bool(int(text)) == bool(expected)
    if tag[0] in "iu":
        kind = np.dtype(tag).type
        return int(text) == wrap(int(expected), kind)
    kind = np.float32 if tag == "f" else np.float64
    with np.errstate(over="ignore"):
        got, wanted = kind(float.fromhex(text)), kind(expected)
    if np.isnan(got) or np.isnan(wanted):
        return bool(np.isnan(got) and np.isnan(wanted))
    if got == wanted:
        return np.signbit(got) == np.signbit(wanted) or ulps > 50
    if np.isinf(got) or np.isinf(wanted):
        return False
    spacing = np.spacing(max(abs(got), abs(wanted)))
    return bool(abs(np.float64(got) - np.float64(wanted)) <= ulps * np.float64(spacing))


def run(groups, directory, compiler, flags):
    source = os.path.join(directory, "cases.cpp")
    with open(source, "w", encoding="utf-8") as out:
        out.write(program(groups))
    binary = os.path.join(directory, "cases")
    subprocess.run([compiler, "-std=c++17", "-Wall", "-Wextra", "-Werror", *flags,
                    "-I", os.path.join(ROOT, "runtime_headers"), source, "-o", binary], check=True)
    return subprocess.run([binary], check=True, capture_output=True, text=True).stdout.splitlines()


@pytest.fixture(scope="module")
def groups():
    result = {}
    for call in read_cases():
        result.setdefault((call.name, call.types()), []).append(call)
    return result


@pytest.mark.parametrize("flags", [["-O0"], ["-O2", "-march=native", "-fno-math-errno",
                                             "-ffp-contract=off"]], ids=["O0", "native"])
def test_values(groups, flags, tmp_path):
    lines = run(groups, str(tmp_path), os.environ.get("CXX", "g++"), flags)
    calls = list(itertools.chain.from_iterable(groups.values()))
    assert len(lines) == len(calls)
    wrong = []
    for call, line in zip(calls, lines):
        parts = line.split()
        pairs = list(zip(parts[::2], parts[1::2]))
        wanted = flat(call.expected)
        if len(pairs) != len(wanted) or not all(
                agrees(tag, text, value, call.ulps) for (tag, text), value in zip(pairs, wanted)):
            wrong.append(f"{call.text}: {line.strip()}, expected {call.expected!r}")
    assert not wrong, f"{len(wrong)} of {len(calls)}:\n" + "\n".join(wrong[:60])


@pytest.mark.skipif(not shutil.which("clang++"), reason="needs clang++")
def test_clang_accepts_the_headers(groups, tmp_path):
    run(groups, str(tmp_path), "clang++", ["-O0"])


def test_every_row_of_the_registry_has_cases(groups):
    tables = os.path.join(ROOT, "typeinfer", "builtins")
    covered = {name for name, _ in groups}
    missing = []
    for table in ("math", "cmath", "numpy", "operator", "builtins", "cuda"):
        with open(os.path.join(tables, table + ".def"), encoding="utf-8") as lines:
            for row in re.finditer(r"^(?:FN|UFUNC|RULE)\s*\(\s*([\w.]+),\s*(\w+),(.*)", lines.read(),
                                   re.M):
                name = f"{row[1]}.{row[2]}"
                if name not in covered and "Pure" in row[3]:
                    missing.append(name)
    assert not missing
