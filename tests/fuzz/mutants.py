"""Mutants of the samples: a token dropped, doubled or swapped, a name misspelt, an operator or a type changed, a line
lost.

    python tests/fuzz/mutants.py --count 1000 --values 200

Each mutant either compiles and equals Numba, or is refused with a PK code; what CPython's parser rejects is refused at
the same line; none crashes, hangs, gives PK9 or a compiler error. Values are compared in a process of its own with a
time limit, after plain CPython has shown that no index leaves its array.
"""
import argparse
import ast
import io
import json
import os
import pathlib
import pickle
import random
import re
import subprocess
import sys
import tempfile
import tokenize
import warnings

import numpy as np

import oracle

ROOT = pathlib.Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "samples"
sys.path.insert(0, str(SAMPLES))
OPERATORS = ["+", "-", "*", "/", "//", "%", "<", "<=", ">", ">=", "==", "!=", "and", "or"]
TYPES = ["float32", "float64", "int64", "int32", "uint16", "boolean", "int8", "complex128"]


def tokens(text):
    return [t for t in tokenize.generate_tokens(io.StringIO(text).readline)
            if t.string.strip() and t.type not in (tokenize.COMMENT, tokenize.ENDMARKER)
            and not t.string.startswith('"""')]


def replace(text, token, new):
    lines = text.splitlines(keepends=True)
    row, begin, end = token.start[0] - 1, token.start[1], token.end[1]
    lines[row] = lines[row][:begin] + new + lines[row][end:]
    return "".join(lines)


def mutate(text, rng):
    """One mutation: (what was done, new text)."""
    found = [t for t in tokens(text) if t.start[0] == t.end[0]]
    how = rng.choice(["drop", "double", "swap", "misspell", "operator", "type", "line"])
    token = rng.choice(found)
    if how == "drop":
        return f"dropped {token.string}", replace(text, token, "")
    if how == "double":
        return f"doubled {token.string}", replace(text, token, f"{token.string} {token.string}")
    if how == "swap":
        other = rng.choice([t for t in found if t.start[0] == token.start[0]])
        first, second = sorted([token, other], key=lambda t: t.start, reverse=True)
        return f"swapped {token.string} and {other.string}", replace(replace(text, first, second.string), second,
                                                                     first.string)
    if how == "misspell":
        token = rng.choice([t for t in found if t.type == tokenize.NAME and len(t.string) > 1])
        at = rng.randrange(len(token.string))
        return f"misspelt {token.string}", replace(text, token, token.string[:at] + token.string[at + 1:])
    if how == "operator":
        token = rng.choice([t for t in found if t.string in OPERATORS] or [token])
        return f"changed {token.string}", replace(text, token, rng.choice(OPERATORS))
    if how == "type":
        places = list(re.finditer("|".join(TYPES), text))
        if places:
            place = rng.choice(places)
            return f"changed {place[0]}", text[:place.start()] + rng.choice(TYPES) + text[place.end():]
    lines = text.splitlines(keepends=True)
    row = rng.randrange(2, len(lines))
    return f"lost line {row + 1}", "".join(lines[:row] + lines[row + 1:])


def python_error_line(text):
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(text)
    except SyntaxError as error:
        return error.lineno
    return None


def judge(text, path, out):
    """Transpiles one mutant; returns (status, complaint): status is "ok" or "refused"."""
    path.write_text(text)
    compiler = os.environ.get("PYK2CU", str(ROOT / "build/pyk2cu"))
    try:
        done = subprocess.run([compiler, str(path), "-o", str(out), "--diagnostics=json"], capture_output=True,
                              text=True, timeout=10)
    except subprocess.TimeoutExpired:
        return "refused", "hangs"
    messages = [json.loads(line) for line in done.stderr.splitlines() if line.startswith("{")]
    errors = [m for m in messages if m["severity"] == "error"]
    if done.returncode not in (0, 1) or any(m["code"].startswith("PK9") for m in errors):
        return "refused", f"exit {done.returncode}: {done.stderr[-400:]}"
    line = python_error_line(text)
    if line is not None:
        if not errors:
            return "ok", f"CPython rejects line {line}"
        if all(m["line"] != line for m in errors[:1]):
            return "refused", f"CPython rejects line {line}, we say {errors[0]['line']}: {errors[0]['message']}"
    if done.returncode == 1 and not errors:
        return "refused", "refused without a code"
    return ("refused" if errors else "ok"), None


RUNNER = """
import sys, pickle, pathlib, copy, importlib, importlib.util, resource
sys.path[:0] = [{samples!r}, {fuzz!r}]
resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))
from support import cases, plain
import oracle
def load(path):
    spec = importlib.util.spec_from_file_location(pathlib.Path(path).name.split('.')[0], path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
which, path, sample = sys.argv[1:]
module = plain.load(pathlib.Path(path)) if which == "plain" else load(path)
for case in cases.CASES:
    if case.module != sample or case.launch or not hasattr(module, case.function): continue
    if which == "numba" and not hasattr(getattr(module, case.function), "py_func"): continue  # lost its decorator
    cases.RNG = __import__("numpy").random.default_rng(3)
    arguments = case.make(min(case.small, 40))
    print(case.function, [type(x).__name__ for x in arguments][:1], end=" ")
    try:
        print(pickle.dumps(case.call(module, arguments)).hex())
    except Exception as error:
        print(type(error).__name__)
    sys.stdout.flush()
"""


def run(which, path, sample):
    script = RUNNER.format(samples=str(SAMPLES), fuzz=str(ROOT / "tests/fuzz"))
    try:
        done = subprocess.run([sys.executable, "-c", script, which, str(path), sample], capture_output=True, text=True,
                              timeout=60)
    except subprocess.TimeoutExpired:
        return "timeout"
    return done.stdout if done.returncode == 0 else f"died {done.returncode}"


def near(ours, theirs):
    """Equal up to 64 ULP; in arrays, up to 64 ULP of the largest: exp and log may differ in their last place, and
    a difference of two such terms by much more of itself."""
    if oracle.close(ours, theirs, 64):
        return True
    if isinstance(theirs, (tuple, list)):
        return type(ours) is type(theirs) and len(ours) == len(theirs) and all(map(near, ours, theirs))
    if not isinstance(theirs, np.ndarray) or theirs.dtype.kind not in "fc" or ours.shape != theirs.shape:
        return False
    finite = np.abs(theirs[np.isfinite(theirs)])
    slack = 64 * np.finfo(theirs.dtype).eps * (finite.max() if finite.size else 0.0)
    return ours.dtype == theirs.dtype and np.allclose(ours, theirs, rtol=0, atol=slack, equal_nan=True)


def compare(text, sample, directory, changed_type=False):
    """Builds the mutant and compares it with Numba; a complaint, or None. "skip: …" where Python itself fails."""
    path = directory / f"{sample}.py"
    path.write_text(text)
    expected = run("plain", path, sample)
    if expected == "timeout" or expected.startswith("died") or "IndexError" in expected:
        return "skip: plain Python fails"
    compiler = os.environ.get("PYK2CU", str(ROOT / "build/pyk2cu"))
    command = [compiler, str(path), "-o", str(directory / "out"), "--build", "--python", oracle.build_python()]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    except subprocess.TimeoutExpired:
        return "does not build in 600 s"
    if done.returncode:
        return f"does not build: {done.stderr[-600:]}"
    numba, ours = run("numba", path, sample), run("ours", next((directory / "out").glob("*.so")), sample)
    if numba == "timeout" or numba.startswith("died") or not numba:
        return "skip: Numba refuses or dies"
    for theirs, mine in zip(numba.splitlines(), ours.splitlines()):
        name, _, a = theirs.rpartition(" ")
        b = mine.rpartition(" ")[2]
        if "monte_carlo" in name or a == b:
            continue
        if b == "TypeError" and changed_type:  # Numba passes 2 for 2.7 to an int8
            continue
        if b == "ZeroDivisionError" and "prange" in text:  # Numba loses it there
            continue
        if not (a[0] == b[0] == "8" and near(pickle.loads(bytes.fromhex(b)), pickle.loads(bytes.fromhex(a)))):
            return f"{name}: ours {b[:60]}, Numba {a[:60]}"
    return None if len(numba.splitlines()) == len(ours.splitlines()) else f"ours {ours[-200:]}, Numba {numba[-200:]}"


def hunt(count, values, seed=1, report=print):
    """Runs everything; returns the complaints."""
    rng, complaints, compared, skipped = random.Random(seed), [], 0, 0
    samples = sorted(p for p in SAMPLES.glob("*.py") if p.name != "demo.py")
    with tempfile.TemporaryDirectory() as temporary:
        for number in range(count):
            sample = rng.choice(samples)
            what, text = mutate(sample.read_text(), rng)
            directory = pathlib.Path(temporary) / str(number)
            directory.mkdir()
            status, complaint = judge(text, directory / sample.name, directory / "t")
            if status == "ok" and complaint is None and compared < values and not sample.name.startswith("cuda"):
                complaint = compare(text, sample.stem, directory, what.removeprefix("changed ") in TYPES)
                skipped += bool(complaint and complaint.startswith("skip"))
                compared += 1
                complaint = None if complaint and complaint.startswith("skip") else complaint
            if complaint:
                complaints.append(f"mutant {number} of {sample.name} ({what}): {complaint}")
                report(complaints[-1])
    report(f"{count} mutants, {compared} compared with Numba ({skipped} of them invalid there), "
           f"{len(complaints)} complaints")
    return complaints


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--values", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    sys.exit(1 if hunt(chosen.count, chosen.values, chosen.seed, lambda text: print(text, flush=True)) else 0)
