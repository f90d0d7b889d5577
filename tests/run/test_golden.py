"""Emitted code, read by people: tests/golden/<topic>/<name>.py and <name>.expected.<kind> beside it.

What lies beside a source decides which files must come out, and nothing else of a golden kind may:

    passes/     .ir, the programs after the pass that the file is named after: <pass>.py, <pass>_<topic>.py
    module/     every file of the project, whole
    all others  the C++ of the functions, without includes and tables

The goldens of the passes show every kind of IR node, and all of them together every runtime header that emitted code
includes. Every golden also compiles without a warning. `cmd/dev update` rewrites them; read each one that changed.
"""
import os
import pathlib
import re
import shutil
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
GOLDEN = ROOT / "tests/golden"
UPDATE = bool(os.environ.get("PYK2CU_UPDATE"))
# The samples are goldens too; what they become lies in tests/golden/samples.
SAMPLES = [p for p in sorted((ROOT / "samples").glob("*.py")) if p.stem != "demo"]
FILES = [p for p in sorted(GOLDEN.glob("*/*.py")) if ".expected." not in p.name] + SAMPLES
PASSES = [p for p in FILES if p.parent.name == "passes"]
CODE = ("cpp", "lanes.h", "fast.cpp", "fast.lanes.h", "twin.cpp", "cu")
DISPATCHED = {"samples", "module", "dispatch"}  # folders with bodies for several instruction sets
OPTIONS = {"module/hosts": ["--c-api"], "passes/dispatch": []}
PROJECT = ("baseline.cpp", "v3.cpp", "module.cpp", "h", "c.h", "c.cpp", "pyi", "json", "CMakeLists.txt", "setup.py", "pyproject.toml")


def name_of(path):
    return f"{path.parent.name}/{path.stem}"


def expected_folder(path):
    return GOLDEN / "samples" if path in SAMPLES else path.parent


def expected_files(path):
    """By kind."""
    start = f"{path.stem}.expected."
    return {p.name.removeprefix(start): p for p in expected_folder(path).iterdir() if p.name.startswith(start)}


# ---- what a source becomes ----------------------------------------------------------------------
def run_compiler(path, out, *options):
    compiler = os.environ.get("PYK2CU", str(ROOT / "build/pyk2cu"))
    march = [] if path.parent.name in DISPATCHED else ["--march=x86-64-v3"]
    options = [*options, *OPTIONS.get(name_of(path), march)]
    done = subprocess.run([compiler, path.name, "-o", str(out), *options], cwd=path.parent, capture_output=True,
                          text=True, env={**os.environ, "NO_COLOR": "1", "PYK2CU_VERIFY_IR": "1"}, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout


def user_code(text):
    """What stands in the namespace, without the table of raise sites."""
    body = re.search(r"^namespace \w+ \{\n(.*)^\}  // namespace", text, re.M | re.S).group(1)
    body = re.sub(r"^const pyk::site sites.*?^\};\n", "", body, flags=re.M | re.S)
    return body.strip("\n") + "\n"


def pass_of(path):
    return path.stem.split("_")[0]


def become(path, out):
    """The texts that are compared, by kind."""
    folder = path.parent.name
    kinds = set(expected_files(path))
    if folder == "passes":
        texts = {"ir": run_compiler(path, out, "--dump-after", pass_of(path))}
        wanted = kinds & set(CODE)  # beside the IR: where a pass decides what only the code shows
    else:
        run_compiler(path, out)
        texts = {}
        wanted = set(CODE + PROJECT) if folder == "module" else set(CODE)
    for kind in wanted:
        emitted = out / (kind if kind in ("CMakeLists.txt", "setup.py", "pyproject.toml") else f"{path.stem}.{kind}")
        if emitted.exists():
            text = emitted.read_text()
            texts[kind] = text if folder == "module" else user_code(text)
    return texts


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_golden(path, tmp_path):
    texts = become(path, tmp_path)
    if UPDATE:
        for kind, old in expected_files(path).items():
            if kind not in texts:
                old.unlink()
        for kind, text in texts.items():
            (expected_folder(path) / f"{path.stem}.expected.{kind}").write_text(text)
    expected = expected_files(path)
    assert sorted(texts) == sorted(expected), "what came out, and what lies beside the source"
    for kind, text in texts.items():
        assert expected[kind].read_text() == text, kind


def test_every_expected_file_has_a_source():
    owned = {p for path in FILES for p in expected_files(path).values()}
    stale = [p for p in sorted(GOLDEN.glob("*/*.expected.*")) if p not in owned]
    if UPDATE:
        for p in stale:
            p.unlink()
        stale = []
    assert not stale


# ---- what the goldens cover ---------------------------------------------------------------------
def pass_names():
    text = (ROOT / "emit/lower/lower.cpp").read_text()
    return re.findall(r'"(\w+)"', re.search(r"kNames\[\] = \{(.*?)\}", text, re.S).group(1))


def test_every_pass_has_a_golden():
    names = pass_names()
    assert len(names) > 10
    assert {pass_of(p) for p in PASSES} == set(names)


# How a dump shows the kinds that spell themselves (dump.cpp); of the others nodes.def has the text.
SPELLED = {
    "Const": r"= -?\d", "Global": r"\bglobal \w", "Query": r"\b(len|shape\d?|stride\d?|size|itemsize|nbytes)\(",
    "NewArray": r"\b(empty|zeros|ones|full)<", "Unary": r"(^|[ (\[])(-|~|not )\w", "Binary": r" (\+|-|\*|//?|%|<<|>>|&|\|) ",
    "Compare": r" (==|!=|<=?|>=?) ", "Logical": r" (and|or) ", "Convert": r"\b(exact|round|trunc|truth|layout|tuple)<",
    "Call": None, "Builtin": r"\b(builtins|math|numpy)\.\w+[<(]", "Wrap": r"\bwrap<optional\(",
    "Select": r"(^| |of_both |by_bits )\(.+ if .+ else .+\)",
    "Lane": r"\b(thread|block|blockdim|griddim|grid|gridsize|lane|blocks|threads)\.[xyz]\b",
    "Update": r"^ +\S+ (\+|-|\*|/|//|%|&|\||\^)= ", "If": r"^ +(version )?if .+:$", "For": r"^ +(parallel |simd )*for \w+: \w+ = .* \.\. ",
    "Return": r"^ +return\b", "Assign": r"^ +(var |const )?\w+ = (move )?\w", "Lanes": r"^ +(simd )?lanes \w+ of (\w+ of )?\d+"}


def node_kinds():
    text = (ROOT / "typeinfer/ir/nodes.def").read_text()
    return re.findall(r'^PYK_(?:EXPR|STMT)\(\s*(\w+),\s*"([^"]*)"', text, re.M)


def shown(kind, pattern, dumps):
    """Is a node of this kind in the dumps?"""
    if kind == "Call":
        functions = re.findall(r"^(?:host|device|kernel) (\w+)\(", dumps, re.M)
        return any(re.search(rf"^ .*\b{f}\(", dumps, re.M) for f in functions)
    if not pattern:
        return re.search(SPELLED[kind], dumps, re.M)
    return re.search(re.sub(r"\\\{\w+\\\}", ".+", re.escape(pattern)), dumps)


def test_every_kind_of_node_is_in_a_golden():
    kinds = node_kinds()
    assert len(kinds) > 30
    assert set(SPELLED) == {kind for kind, pattern in kinds if not pattern}, "say in SPELLED how a dump shows it"
    dumps = "\n".join(p.read_text() for p in sorted(GOLDEN.glob("*/*.expected.ir")))
    missing = [kind for kind, pattern in kinds if not shown(kind, pattern, dumps)]
    assert not missing, f"in no .expected.ir: {missing}"


# Headers that the registry names though no emitted code can include them, and why.
NEVER_INCLUDED = {"pyk/operator.h": "every function of `operator` becomes a node of the IR"}


def test_every_runtime_header_is_included_by_a_golden(tmp_path):
    sources = [*(ROOT / "emit").rglob("*.cpp"), *(ROOT / "typeinfer/builtins").glob("*.def")]
    named = set(re.findall(r'(?<!#include )"(pyk/\w+\.h)"', "\n".join(p.read_text() for p in sources)))
    assert len(named) > 15
    included = set()
    for path in FILES:
        out = tmp_path / name_of(path)
        run_compiler(path, out)
        for source in (p for p in out.iterdir() if p.suffix in (".cpp", ".cu", ".h")):
            included |= set(re.findall(r'#include "(pyk/\w+\.h)"', source.read_text()))
    assert named - included == set(NEVER_INCLUDED)


# ---- what a C++ compiler says -------------------------------------------------------------------
def compile_cpp(folder, source):
    done = subprocess.run(["g++", "-std=c++17", "-O1", "-fopenmp", "-Wall", "-Wextra", "-Werror", "-I.", "-c", source,
                           "-o", "/dev/null"], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("path", [p for p in FILES if p not in PASSES], ids=name_of)
def test_golden_compiles_without_a_warning(path, tmp_path):
    run_compiler(path, tmp_path)
    for source in tmp_path.glob("*.cpp"):
        if not source.name.endswith(".module.cpp"):
            compile_cpp(tmp_path, source.name)
    for source in tmp_path.glob("*.cu"):
        if shutil.which("nvcc"):
            done = subprocess.run(["nvcc", "-std=c++17", "-arch=sm_80", "-I.", "-ptx", source.name, "-o", "out.ptx"],
                                  cwd=tmp_path, capture_output=True, text=True)
            assert done.returncode == 0 and "warning" not in done.stderr, done.stderr


@pytest.mark.parametrize("kind", ["cpp", "twin.cpp"])
def test_goldens_of_the_passes_compile_without_a_warning(kind, tmp_path):
    """All at once: their namespaces differ."""
    for path in PASSES:
        run_compiler(path, tmp_path)
    sources = [f"{p.stem}.{kind}" for p in PASSES if (tmp_path / f"{p.stem}.{kind}").exists()]
    assert len(sources) > 2
    (tmp_path / "all.cpp").write_text("".join(f'#include "{name}"\n' for name in sources))
    compile_cpp(tmp_path, "all.cpp")
