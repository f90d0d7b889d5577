"""Compiles one source text with pyk2cu and with Numba, calls both, and tells where they differ.

The unit of work is a Case: a function, its signature, and argument tuples. Types are compared through the
manifest (ours) and `nopython_signatures` (Numba's); values bit for bit, up to a stated number of ULP.
"""
import dataclasses
import importlib.util
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import textwrap

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
HEADER = ("import math\nimport cmath\nfrom collections import namedtuple\n\nimport numpy as np\n"
          "from numba import njit, prange, types\nfrom numba.extending import register_jitable\n")


@dataclasses.dataclass
class Case:
    name: str
    signature: str          # "(int32, float64[:])"
    source: str             # the def, undecorated
    inputs: list            # argument tuples
    options: str = ""       # further decorator arguments, ", parallel=True"
    prelude: str = ""       # helpers and constants of the module that the function uses

    def decorated(self):
        before = f"{self.prelude.strip()}\n\n\n" if self.prelude else ""
        return f"{before}@njit({self.signature!r}{self.options})\n{textwrap.dedent(self.source)}\n"


def pyk2cu():
    return os.environ.get("PYK2CU", str(ROOT / "build/pyk2cu"))


def build_python():
    """The Python that modules are built for: not this one where `pythons.py` runs one binary under several."""
    return os.environ.get("PYK2CU_BUILD_PYTHON", sys.executable)


def for_this_processor(extra):
    """The options of a module that is called here and nowhere else: one body of each function, where none is asked for."""
    return [*extra] if any(option.startswith("--march") for option in extra) else [*extra, "--march=native"]


def build(cases, directory, name="fuzzed", extra=()):
    """Compiles the cases into one module; returns (module or None, manifest, diagnostics by function name)."""
    directory = pathlib.Path(directory)
    source = directory / f"{name}.py"
    source.write_text(HEADER + "\n\n" + "\n\n".join(case.decorated() for case in cases))
    out = directory / "out"
    done = subprocess.run([pyk2cu(), str(source), "-o", str(out), "--build", "--keep-going", "--diagnostics=json",
                           "--python", build_python(), *for_this_processor(extra)], capture_output=True, text=True)
    if done.returncode not in (0, 1):
        raise AssertionError(f"pyk2cu ended with {done.returncode}\n{done.stdout}{done.stderr}\n{source}")
    lines = source.read_text().splitlines()
    refused = {}
    for line in (done.stdout + done.stderr).splitlines():
        if not line.startswith("{"):
            continue
        message = json.loads(line)
        if message.get("severity") == "error":
            refused.setdefault(function_at(lines, message.get("line", 0)), []).append(
                f"{message.get('code')}: {message.get('message')}")
    library = next(iter(out.glob(f"{name}*.so")), None)
    if library is None:
        return None, {}, refused
    spec = importlib.util.spec_from_file_location(name, library)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module, json.loads((out / f"{name}.json").read_text()), refused


def function_at(lines, number):
    for line in reversed(lines[:number + 1]):
        found = re.match(r"def (\w+)", line)
        if found:
            return found.group(1)
    return ""


def compile_numba(case):
    import numba
    import numba_mended
    numba_mended.mend()
    space = {}
    exec(compile(HEADER + case.decorated(), f"<{case.name}>", "exec"), space)
    function = space[case.name]
    assert isinstance(function, numba.core.dispatcher.Dispatcher)
    return function


def copies(arguments):
    return tuple(a.copy(order="K") if isinstance(a, np.ndarray) else a for a in arguments)


def outcome(function, arguments):
    """(kind, value, arguments afterwards): kind is the exception class name or "ok"."""
    arguments = copies(arguments)
    try:
        value = function(*arguments)
    except Exception as error:  # noqa: BLE001 — the class is what is compared
        return type(error).__name__, str(error), None
    return "ok", value, [a for a in arguments if isinstance(a, np.ndarray)]


def close(ours, theirs, ulp):
    if isinstance(theirs, (tuple, list)):
        return (isinstance(ours, (tuple, list)) and len(ours) == len(theirs)
                and all(close(a, b, ulp) for a, b in zip(ours, theirs)))
    if isinstance(theirs, np.ndarray):
        return (isinstance(ours, np.ndarray) and ours.dtype == theirs.dtype and ours.shape == theirs.shape
                and all(close(a, b, ulp) for a, b in zip(ours.ravel().tolist(), theirs.ravel().tolist())))
    if isinstance(theirs, complex):
        return isinstance(ours, complex) and close(ours.real, theirs.real, ulp) and close(ours.imag, theirs.imag, ulp)
    if type(ours) is not type(theirs):
        return False
    if isinstance(theirs, float):
        if math.isnan(theirs) or math.isnan(ours):
            return math.isnan(theirs) and math.isnan(ours)
        if ours == theirs:
            return math.copysign(1, ours) == math.copysign(1, theirs)
        single = ours == float(np.float32(ours)) and theirs == float(np.float32(theirs))
        scale = 1.2e-7 if single and ulp else 2.3e-16
        return ulp > 0 and math.isclose(ours, theirs, rel_tol=ulp * scale, abs_tol=ulp * scale * 1e-2)
    return ours == theirs


@dataclasses.dataclass
class Difference:
    case: Case
    what: str

    def __str__(self):
        return f"--- {self.case.name}: {self.what}\n{self.case.decorated()}"


def compare(cases, *, ulp=0, refusals_allowed=(), progress=None, tolerate=None):
    """All differences between our module and Numba over the cases; ([], statistics) is success."""
    differences, stats = [], {"compared": 0, "calls": 0, "numba_refuses": 0, "refused": 0}
    with tempfile.TemporaryDirectory() as directory:
        module, manifest, refused = build(cases, directory)
        results = {e["name"]: [o.get("result") for o in e["overloads"]] for e in manifest.get("entries", [])}
        for number, case in enumerate(cases):
            if progress:
                progress(number, len(cases))
            try:
                theirs = compile_numba(case)
            except Exception:  # noqa: BLE001 — Numba has many classes for "does not compile"
                stats["numba_refuses"] += 1
                continue
            if case.name in refused or module is None or not hasattr(module, case.name):
                reason = "; ".join(refused.get(case.name, ["no reason given"]))
                stats["refused"] += 1
                if not any(code in reason for code in refusals_allowed):
                    differences.append(Difference(case, f"refused: {reason}"))
                continue
            stats["compared"] += 1
            differences += compare_case(case, getattr(module, case.name), theirs, results, ulp, stats, tolerate)
    return differences, stats


def compare_case(case, ours, theirs, results, ulp, stats, tolerate):
    expected = str(theirs.nopython_signatures[0].return_type)
    got = (results.get(case.name) or [None])[0]
    if got is not None and normal_type(got) != normal_type(expected):
        if copied_returns(case, theirs):
            stats["copied_returns"] = stats.get("copied_returns", 0) + 1
            return []
        return [Difference(case, f"result type {got}, Numba has {expected}")]
    for arguments in case.inputs:
        stats["calls"] += 1
        mine, his = outcome(ours, arguments), outcome(theirs, arguments)
        same = mine[0] == his[0] and (mine[0] != "ok" or (close(mine[1], his[1], ulp) and close(mine[2], his[2], ulp)))
        if not same and not (tolerate and tolerate(case, arguments, mine, his)):
            return [Difference(case, f"{arguments!r}\n  ours  {mine[:2]}\n  Numba {his[:2]}")]
    return []


def copied_returns(case, theirs):
    """CPython compiles `return f(a if c else b)` to two returns, whose types Numba infers apart."""
    from numba.core import ir
    blocks = next(iter(theirs.overloads.values())).type_annotation.blocks
    return sum(isinstance(s, ir.Return) for b in blocks.values() for s in b.body) > case.source.count("return ")


def never_returns(theirs):
    """Numba has dropped all returns: an inlined helper raises whatever happens, as far as its constants tell."""
    from numba.core import ir
    blocks = next(iter(theirs.overloads.values())).type_annotation.blocks
    return not any(isinstance(s, ir.Return) for b in blocks.values() for s in b.body)


def normal_type(text):
    """One spelling for Numba's str(type) and ours."""
    text = re.sub(r"Literal\[(\w+)\]\(-?\w+\)", lambda m: {"int": "int64"}.get(m[1], m[1]), text)
    text = text.replace(" ", "").replace("'", "").replace("OptionalType(", "optional(")
    text = re.sub(r"Array\((\w+),(\d+),(C|F|A),\w+,\w+\)", r"array(\1,\2d,\3)", text)
    text = re.sub(r"UniTuple\(([\w()]+)x(\d+)\)",
                  lambda m: "Tuple(" + ",".join([m[1]] * int(m[2])) + ")", text)
    text = re.sub(r"UniTuple\(([\w()]+),(\d+)\)",
                  lambda m: "Tuple(" + ",".join([m[1]] * int(m[2])) + ")", text)
    text = re.sub(r"(\w+)\[([:1,]+)\]", array_spelling, text)
    return text.replace("Tuple((", "Tuple(").replace("))", ")").replace("boolean", "bool").replace("void", "none")


def array_spelling(match):
    dims = match[2].split(",")
    layout = "C" if dims[-1] == "::1" else "F" if dims[0] == "::1" else "A"
    return f"array({match[1]},{len(dims)}d,{layout})"
