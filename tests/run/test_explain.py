"""The pages of `pyk2cu --explain`: one for each code, `bad` gives exactly its code, `good` nothing.

A page is docs/diagnostics/PKnnnn.md. The line above a code block names arguments, if it needs any:
Wrong, with `--sig 'half=float64(float64)'`:
"""
import os
import pathlib
import re
import shlex
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = ROOT / "docs/diagnostics"
TABLE = (ROOT / "frontend/diag/diagnostics.def").read_text()
CODES = sorted(set(re.findall(r"^PYK_DIAG\( *(\d{4}),", TABLE, re.M)))
BLOCK = re.compile(r"^(Wrong|Right)(?:, with `([^`\n]*)`)?:\n\n```python (bad|good)\n(.*?)\n```$", re.M | re.S)
# Nothing to show: messages about the machine and about ourselves, a NUL, a hundred variables, two files.
WORDS_ONLY = {code for code in CODES if code[0] in "69"} | {"1004", "3047", "3060"}


def run(*arguments, cwd=None):
    compiler = os.environ.get("PYK2CU", str(ROOT / "build/pyk2cu"))
    return subprocess.run([str(pathlib.Path(compiler).resolve()), *arguments], cwd=cwd, capture_output=True,
                          text=True, env={**os.environ, "NO_COLOR": "1"}, timeout=20)


def blocks(code):
    found = {kind: (arguments, text) for _, arguments, kind, text in
             BLOCK.findall((PAGES / f"PK{code}.md").read_text())}
    assert set(found) == {"bad", "good"}, f"PK{code}.md: the code blocks"
    return found


def compile_block(code, kind, tmp_path):
    arguments, text = blocks(code)[kind]
    (tmp_path / f"{kind}.py").write_text(text + "\n")
    return run(f"{kind}.py", "-o", "out", *shlex.split(arguments), cwd=tmp_path)


@pytest.mark.parametrize("code", CODES)
def test_page(code):
    text = (PAGES / f"PK{code}.md").read_text()
    assert re.match(rf"# PK{code}: [\w' ,-]+\n\n", text)
    if code in WORDS_ONLY:
        assert "```" not in text
    assert max(map(len, text.split("\n"))) <= 90
    shown = run("--explain", f"PK{code}")
    assert shown.returncode == 0 and shown.stdout.startswith(f"PK{code}: ")
    assert "```" not in shown.stdout
    for line in filter(None, text.split("\n")):
        assert line.startswith("```") or line.removeprefix("# ") in shown.stdout


@pytest.mark.parametrize("code", [code for code in CODES if code not in WORDS_ONLY])
def test_bad(code, tmp_path):
    done = compile_block(code, "bad", tmp_path)
    assert set(re.findall(r"(?:error|warning|note)\[PK(\d+)\]", done.stderr)) == {code}, done.stderr
    assert done.returncode == (1 if "error[" in done.stderr else 0)


@pytest.mark.parametrize("code", [code for code in CODES if code not in WORDS_ONLY])
def test_good(code, tmp_path):
    done = compile_block(code, "good", tmp_path)
    assert done.stderr == "" and done.returncode == 0, done.stderr


def test_no_page_without_a_code():
    assert sorted(page.stem for page in PAGES.glob("*.md")) == [f"PK{code}" for code in CODES]


@pytest.mark.parametrize("spelling", ["PK3001", "pk3001", "3001"])
def test_spellings(spelling):
    assert run("--explain", spelling).stdout.startswith("PK3001: ")


def test_unknown_codes():
    done = run("--explain", "PK3002")
    assert done.returncode == 2 and "PK3001" in done.stderr and "nearest" in done.stderr
    done = run("--explain", "RankMismatch")
    assert done.returncode == 2 and "PK3001" in done.stderr
