"""Packages as they are: files that import one another, what their modules compute, decorators of their own.

One package is compiled, and imported under Numba; both must answer alike.
"""
import ast
import encodings.aliases
import importlib
import re
import sys

import numpy as np
import pytest
from conftest import ROOT, load_module, run_pyk2cu

ENCODINGS = re.findall(r"^ENCODING\( (\w+)", (ROOT / "frontend/lex/encodings.def").read_text(), re.M)

FILES = {
    "pk/__init__.py": "from .flags import A as ROOT\n",
    "pk/flags.py": "A = 3\nTABLE = (10, 20, 30)\n",
    "pk/deep/__init__.py": "",
    "pk/deep/more/leaf.py": "B = 7\n",  # a folder without __init__.py
    # Absolute imports never mean a file of the same folder.
    "pk/deep/flags.py": "A = 99\n",
    "pk/deep/numba.py": "raise ImportError('not this one')\n",
    "pk/broken.py": "def f(:\n",
    "pk/kernels.py": '''
import numba
import numpy as np
from numba import njit

import pk.flags
import pk.deep.more.leaf
from pk.deep import flags as deep_flags
import pk.deep.more.leaf as leaf

try:
    from . import broken
except SyntaxError:
    broken = None


@njit("float64(float64)")
def dotted(x):
    return x + pk.flags.A + 10 * pk.deep.more.leaf.B + 100 * leaf.B + deep_flags.A * 1000 + pk.ROOT


@njit("int64(int64)")
def item(n):
    return pk.flags.TABLE[n]
''',
}

CALLS = [("dotted", 0.5), ("item", 1)]


@pytest.fixture(scope="module")
def both(tmp_path_factory):
    """The package under Numba, and its kernels compiled."""
    folder = tmp_path_factory.mktemp("package")
    for name, text in FILES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode() if isinstance(text, str) else text)
    done = run_pyk2cu("pk/kernels.py", "-o", "out", "--build", "--quiet", "--python", sys.executable, cwd=folder)
    assert done.returncode == 0 and not done.stderr, done.stderr
    sys.path.insert(0, str(folder))
    try:
        yield importlib.import_module("pk.kernels"), load_module(next((folder / "out").glob("kernels.*.so")))
    finally:
        sys.path.remove(str(folder))
        for name in [name for name in sys.modules if name == "pk" or name.startswith("pk.")]:
            del sys.modules[name]


def outcome(function, args):
    try:
        return function(*args)
    except Exception as error:
        return type(error), error.args


@pytest.mark.parametrize("name, args", [(name, args) for name, *args in CALLS])
def test_as_under_numba(name, args, both):
    numba_module, compiled = both
    wanted, got = (outcome(getattr(module, name), args) for module in (numba_module, compiled))
    assert type(got) is type(wanted) and np.array_equal(got, wanted), (got, wanted)


def test_a_sibling_with_errors_does_not_stop_the_tree(tmp_path):
    (tmp_path / "kernels.py").write_text("import broken\n")
    (tmp_path / "broken.py").write_text("def f(:\n")
    done = run_pyk2cu("--dump-ast", "kernels.py", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "") and done.stdout.startswith("Module(")


def encodable(codec):
    """Characters of every script that the encoding has, and all of its single bytes."""
    found = set(map(chr, range(0x4e00, 0x9fa0, 7)))
    if codec not in ("big5", "cp950", "euc_kr"):  # signs that these have CPython and iconv read otherwise
        found |= set(bytes(range(128, 256)).decode(codec, "ignore"))
        found |= set(map(chr, (*range(0xa0, 0x600), *range(0x2010, 0x2670), *range(0x3041, 0x30ff), *range(0xff01, 0xff5f))))
    kept = []
    for c in sorted(found):
        try:
            alone = c.encode(codec).decode(codec) == c
        except UnicodeError:
            alone = False
        if alone and c.isprintable():
            kept.append(c)
    return "".join(kept)


def test_every_encoding_that_python_knows(tmp_path):
    for codec in ENCODINGS:
        text = f"# coding: {codec}\nx = '{encodable(codec)}'\n"
        path = tmp_path / f"{codec}.py"
        path.write_bytes(text.encode(codec))
        done = run_pyk2cu("--dump-ast", path.name, cwd=tmp_path)
        assert (done.returncode, done.stderr) == (0, ""), codec
        shown = re.search(r"Constant\(value=(.*?)\)\)\]", done.stdout)[1]
        assert ast.literal_eval(shown) == ast.parse(text).body[0].value.value, codec


def test_every_alias_of_an_encoding(tmp_path):
    names = [alias for alias, codec in encodings.aliases.aliases.items() if codec in ENCODINGS and alias == alias.lower()]
    assert len(names) > 200
    paths = []
    for name in names:
        paths.append(tmp_path / f"{name}.py")
        paths[-1].write_text(f"# -*- coding: {name.replace('_', '-')} -*-\nx = 1\n")
    done = run_pyk2cu("--dump-ast", *paths)
    assert (done.returncode, done.stderr) == (0, "")
