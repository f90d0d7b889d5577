"""CPython as the parser's oracle: the same tree for what it accepts, the same line for the rest.

A seeded sample of the standard library, and mutants of its files; PYK2CU_SOAK=1 takes all of it,
and NumPy and Numba too. --dump-ast prints what ast.dump() of CPython 3.13 prints; where the tests run
on an older one they print that form themselves, and leave out what its grammar does not know.
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
import unicodedata
import warnings

import pytest

OLD = sys.version_info < (3, 13)  # this Python's grammar and messages are not quite 3.13's
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


def dump(node, indent=None, level=0):
    """(text, is simple) in the form of CPython 3.13: without absent fields and empty lists."""
    level += 1
    prefix = "" if indent is None else "\n" + " " * indent * level
    separator = ", " if indent is None else "," + prefix
    if isinstance(node, list):
        return (f"[{prefix}{separator.join(dump(item, indent, level)[0] for item in node)}]", False) if node \
            else ("[]", True)
    if not isinstance(node, ast.AST):
        return repr(node), True
    parts, simple = [], True
    for name in node._fields:
        value = getattr(node, name, None)
        if value is None and getattr(type(node), name, ...) is None:
            continue
        if (value is None or value == []) and not isinstance(node, (ast.Constant, ast.MatchSingleton)):
            continue
        text, is_simple = dump(value, indent, level)
        simple = simple and is_simple
        parts.append(f"{name}={text}")
    if simple and len(parts) <= 3:
        return f"{type(node).__name__}({', '.join(parts)})", not parts
    return f"{type(node).__name__}({prefix}{separator.join(parts)})", False


def is_newer(tree):
    """Holds characters that this Python's Unicode does not know, so that its repr() escapes them."""
    return OLD and any(unicodedata.category(c) == "Cn" for node in ast.walk(tree)
                       if isinstance(node, ast.Constant) and isinstance(node.value, str) for c in node.value)


def python_tree(source, indent=None):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree = ast.parse(source)
    if is_newer(tree):
        raise ValueError("newer Unicode")
    return dump(tree, indent)[0] if OLD else ast.dump(tree, indent=indent)


@pytest.mark.skipif(OLD, reason="compares dump() with ast.dump() of CPython 3.13")
def test_our_form_is_that_of_cpython_3_13():
    tree = ast.parse(pathlib.Path(ast.__file__).read_bytes())
    for indent in (None, 0, 3):
        assert dump(tree, indent)[0] == ast.dump(tree, indent=indent)


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
            if OLD and done.returncode == 0:
                continue
            assert done.returncode == 1, (path, error)
            lines = re.findall(rb"source\.py:(\d+):\d+: error", done.stderr)
            total += 1
            # CPython prefers mistakes of the tokenizer anywhere in the file; ours come in order.
            lines_differ += str(error.lineno).encode() not in lines
        else:
            assert done.returncode == 0, (path, done.stderr)
            assert done.stdout.decode(errors="surrogatepass") == want + "\n"
    assert lines_differ <= max(2, total // 50)
