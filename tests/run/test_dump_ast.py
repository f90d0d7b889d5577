"""CPython as the parser's oracle: the same tree for what it accepts, the same line for the rest.

A seeded sample of the standard library, and mutants of its files; PYK2CU_SOAK=1 takes all of it,
and NumPy and Numba too. Needs CPython 3.13, whose ast.dump() is the form that --dump-ast prints.
"""
import ast
import importlib.util
import io
import os
import pathlib
import random
import re
import subprocess
import sys
import sysconfig
import tokenize
import warnings

import pytest

pytestmark = pytest.mark.skipif(sys.version_info[:2] != (3, 13),
                                reason="the dump has CPython 3.13's form")
ROOT = pathlib.Path(__file__).resolve().parents[2]
PYK2CU = os.environ.get("PYK2CU", str(ROOT / "build/pyk2cu"))
SOAK = bool(os.environ.get("PYK2CU_SOAK"))
# What a mutation puts in.
SPICE = """( ) [ ] { } : , = == . * ** if else for in not lambda def class return yield await async with as
import match case x 1 "s" f"{x}" ' \"\"\" \\ -> := @ ! $ print ; ... ~""".split() + ["\n"]


def library_files():
    roots = [pathlib.Path(sysconfig.get_path("stdlib"))]
    if SOAK:
        for package in ("numpy", "numba"):
            if spec := importlib.util.find_spec(package):
                roots.append(pathlib.Path(spec.origin).parent)
    files = sorted({f for root in roots for f in root.rglob("*.py")
                    if "site-packages" not in f.parts or len(roots) > 1})
    return files if SOAK else random.Random(3).sample(files, 250)


def python_tree(source, indent=None):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.dump(ast.parse(source), indent=indent)


def run(paths, *arguments):
    return subprocess.run([PYK2CU, "--dump-ast", *arguments, *map(str, paths)], capture_output=True,
                          timeout=120, env={**os.environ, "NO_COLOR": "1"})


def alone(directory, number, source):
    """A file in a folder of its own, so that its imports lead nowhere."""
    place = directory / str(number) / "source.py"
    place.parent.mkdir()
    place.write_bytes(source)
    return place


def test_dump_equals_cpythons_over_the_library(tmp_path):
    wanted, paths = [], []
    for number, file in enumerate(library_files()):
        source = file.read_bytes()
        try:
            wanted.append((file, python_tree(source)))
        except (SyntaxError, ValueError):
            continue
        paths.append(alone(tmp_path, number, source))
    done = run(paths)
    assert done.returncode == 0, done.stderr.decode()[:2000]
    got = done.stdout.decode(errors="surrogatepass").split("\n")
    assert len(got) == len(wanted) + 1
    different = [str(file) for (file, want), have in zip(wanted, got) if want != have]
    assert not different


@pytest.mark.parametrize("indent", [0, 1, 4])
def test_indented_dump_equals_cpythons(tmp_path, indent):
    source = (pathlib.Path(ast.__file__)).read_bytes()
    done = run([alone(tmp_path, 0, source)], f"--indent={indent}")
    assert done.stdout.decode(errors="surrogatepass") == python_tree(source, indent) + "\n"


def mutant(source, chance):
    tokens = [t for t in tokenize.generate_tokens(io.StringIO(source).readline) if t.string.strip()]
    starts = [0]
    for line in source.splitlines(True):
        starts.append(starts[-1] + len(line))
    at = [(starts[t.start[0] - 1] + t.start[1], starts[t.end[0] - 1] + t.end[1]) for t in tokens]
    i = chance.randrange(len(at) - 1)
    (begin, end), (begin2, end2) = at[i], at[i + 1]
    word = source[begin:end]
    return chance.choice([
        source[:begin] + source[end:],
        source[:end] + " " + word + source[end:],
        source[:begin] + source[begin2:end2] + source[end:begin2] + word + source[end2:],
        source[:begin] + chance.choice(SPICE) + " " + source[begin:],
        source[:begin] + chance.choice(SPICE) + source[end:],
    ])


def mutants(count):
    chance = random.Random(5)
    files = [f for f in library_files() if 500 < f.stat().st_size < 20_000]
    while count:
        try:
            yield mutant(chance.choice(files).read_text("utf-8"), chance)
        except (UnicodeDecodeError, tokenize.TokenError, SyntaxError, ValueError):
            continue
        count -= 1


def test_mutants_are_judged_as_cpython_does(tmp_path):
    total = lines_differ = 0
    for number, source in enumerate(mutants(2000 if SOAK else 150)):
        path = alone(tmp_path, number, source.encode())
        done = run([path])
        assert done.returncode in (0, 1), (path, done.stderr)
        try:
            want = python_tree(source)
        except (SyntaxError, ValueError) as error:
            assert done.returncode == 1, (path, error)
            lines = re.findall(rb"source\.py:(\d+):\d+: error", done.stderr)
            total += 1
            # CPython prefers mistakes of the tokenizer anywhere in the file; ours come in order.
            lines_differ += str(error.lineno).encode() not in lines
        else:
            assert done.returncode == 0, (path, done.stderr)
            assert done.stdout.decode(errors="surrogatepass") == want + "\n"
    assert lines_differ <= max(2, total // 50)
