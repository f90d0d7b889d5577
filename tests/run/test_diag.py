"""Every tests/diag/PKnnnn_*.py gives its code, and exactly the text in its .expected.txt.

A first line `# args: …` adds command line arguments. `cmd/dev update` rewrites the texts.
"""
import os
import pathlib
import subprocess

import pytest

DIAG = pathlib.Path(__file__).resolve().parents[1] / "diag"
ROOT = DIAG.parents[1]
FILES = sorted(DIAG.glob("PK*.py")) + sorted(DIAG.glob("PK*.ipynb"))


def arguments(path):
    first = path.read_bytes().split(b"\n", 1)[0]
    return first[len(b"# args:"):].decode().split() if first.startswith(b"# args:") else []


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
def test_diagnostic(path, tmp_path):
    compiler = os.environ.get("PYK2CU", str(ROOT / "build/pyk2cu"))
    done = subprocess.run([compiler, path.name, "-o", str(tmp_path / "out"), *arguments(path)], cwd=DIAG,
                          capture_output=True, text=True, env={**os.environ, "NO_COLOR": "1"}, timeout=20)
    text = done.stderr.replace(str(tmp_path), "TMP")
    code = path.name[:6]
    assert f"[{code}]" in text, text
    assert "PK9" not in text
    assert done.returncode == (1 if f"error[" in text else 0), text
    expected = path.with_suffix(".expected.txt")
    if os.environ.get("PYK2CU_UPDATE"):
        expected.write_text(text)
    assert expected.read_text() == text


@pytest.mark.parametrize("code", sorted({p.name[:6] for p in FILES}))
def test_every_code_is_explained(code):
    compiler = os.environ.get("PYK2CU", str(ROOT / "build/pyk2cu"))
    done = subprocess.run([compiler, "--explain", code], capture_output=True, text=True)
    assert done.returncode == 0 and code in done.stdout
