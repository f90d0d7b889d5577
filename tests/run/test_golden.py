"""Emitted code, read by people: tests/golden/<topic>/<name>.py and <name>.expected.<kind> beside it.

The expected files hold what the functions became, without includes and tables. Every golden also compiles without a
warning. `cmd/dev update` rewrites them; read each one that changed.
"""
import os
import pathlib
import re
import shutil
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
GOLDEN = ROOT / "tests/golden"
# The samples are goldens too; what they become lies in tests/golden/samples.
SAMPLES = [p for p in sorted((ROOT / "samples").glob("*.py")) if p.stem != "demo"]
FILES = sorted(GOLDEN.glob("*/*.py")) + SAMPLES
KINDS = {"openmp": ["cpp"], "functions": ["cpp"], "expressions": ["cpp"], "ranges": ["cpp"], "lanes": ["cpp"], "cuda": ["cu"],
         "twin": ["twin.cpp"], "samples": ["cpp", "cu", "twin.cpp"]}
EMITTED = {"cpp": "{}.cpp", "cu": "{}.cu", "twin.cpp": "{}.twin.cpp"}


def user_code(text):
    """What stands in the namespace, without the table of raise sites."""
    body = re.search(r"^namespace \w+ \{\n(.*)^\}  // namespace", text, re.M | re.S).group(1)
    body = re.sub(r"^const pyk::site sites.*?^\};\n", "", body, flags=re.M | re.S)
    return body.strip("\n") + "\n"


def emit(path, out):
    compiler = os.environ.get("PYK2CU", str(ROOT / "build/pyk2cu"))
    done = subprocess.run([compiler, path.name, "-o", str(out)], cwd=path.parent, capture_output=True, text=True,
                          env={**os.environ, "NO_COLOR": "1"}, timeout=60)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("path", FILES, ids=lambda p: f"{p.parent.name}/{p.stem}")
def test_golden(path, tmp_path):
    emit(path, tmp_path)
    for kind in KINDS[path.parent.name]:
        emitted = tmp_path / EMITTED[kind].format(path.stem)
        if not emitted.exists():
            continue
        folder = GOLDEN / "samples" if path in SAMPLES else path.parent
        expected = folder / f"{path.stem}.expected.{kind}"
        text = user_code(emitted.read_text())
        if os.environ.get("PYK2CU_UPDATE"):
            expected.write_text(text)
        assert expected.read_text() == text


@pytest.mark.parametrize("path", FILES, ids=lambda p: f"{p.parent.name}/{p.stem}")
def test_golden_compiles_without_a_warning(path, tmp_path):
    emit(path, tmp_path)
    for source in tmp_path.glob("*.cpp"):
        if source.name.endswith(".module.cpp"):
            continue
        done = subprocess.run(["g++", "-std=c++17", "-O1", "-fopenmp", "-Wall", "-Wextra", "-Werror", "-I.", "-c",
                               source.name, "-o", "/dev/null"], cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    for source in tmp_path.glob("*.cu"):
        if shutil.which("nvcc"):
            done = subprocess.run(["nvcc", "-std=c++17", "-arch=sm_80", "-I.", "-ptx", source.name, "-o", "out.ptx"],
                                  cwd=tmp_path, capture_output=True, text=True)
            assert done.returncode == 0 and "warning" not in done.stderr, done.stderr
