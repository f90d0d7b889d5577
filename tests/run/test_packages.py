"""Packages as they are: files that import one another, what their modules compute, decorators of their own.

One package is compiled, and imported under Numba; both must answer alike.
"""
import ast
import encodings.aliases
import importlib
import json
import re
import sys

import numpy as np
import pytest
from conftest import BUILD_PYTHON, ROOT, load_module, run_pyk2cu

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
    "pk/starred.py": "__all__ = ['SHOWN'] + ['_LOW']\nSHOWN = 4\n_LOW = 5\nHIDDEN = 6\n",
    "pk/plain_star.py": "SHOWN_TOO = 7\n_UNDER = 8\n",
    "pk/errors.py": '''
class Base(ValueError):
    pass


class Failed(Base):
    """Two levels deep."""
''',
    "pk/decorators.py": '''
import functools

import numba
from numba import njit

OPTIONS = dict(cache=False, fastmath=False)
SIGNATURES = ["float64(float64)", numba.int64(numba.int64)]


def jit_all(*args, **kwargs):
    """Both @jit_all and @jit_all(signature)."""
    kwargs.setdefault("cache", False)
    kwargs["nogil"] = True
    if len(args) == 1 and callable(args[0]):
        return njit(**kwargs)(args[0])
    return njit(*args, **kwargs)


def on_floats(f):
    return njit("float64(float64)", **OPTIONS)(f)


def checked(level=0):
    def decorate(f):
        if level > 1:
            raise ValueError
        return f
    return decorate
''',
    "pk/kernels.py": '''
import sys
from collections import namedtuple
from enum import Enum, IntEnum, IntFlag, auto
from typing import NamedTuple

import numba
import numpy as np
from numba import njit

import pk.flags
import pk.deep.more.leaf
from pk.deep import flags as deep_flags
import pk.deep.more.leaf as leaf
import pk.errors
from pk import decorators

HIDDEN = _UNDER = 60
from pk.starred import *
from .plain_star import *
from pk.decorators import SIGNATURES, checked, jit_all, on_floats

try:
    from . import broken
except SyntaxError:
    broken = None


@njit("float64(float64)")
def dotted(x):
    return x + pk.flags.A + 10 * pk.deep.more.leaf.B + 100 * leaf.B + deep_flags.A * 1000 + pk.ROOT


@njit("int64(int64)")
def stars(n):
    return n + SHOWN + 10 * _LOW + 100 * HIDDEN + 10000 * SHOWN_TOO + 100000 * _UNDER


@njit("int64(int64)")
def item(n):
    return pk.flags.TABLE[n]


def _jit(n):
    return njit([numba.float64(*[numba.float64] * n), numba.int64(*([numba.int64] * n))])


@_jit(2)
def add(a, b):
    return a + b


@jit_all
def halved(x):
    return x / 2


@jit_all("float64(float64)")
def quarter(x):
    return halved(x) / 2


@on_floats
@checked(level=1)
def eighth(x):
    return quarter(x) / 2


@decorators.jit_all(SIGNATURES)
def twice(x):
    return x + x


def power(n):
    @njit("float64(float64)")
    def raised(x):
        result = 1.0
        for _ in range(n):
            result *= x
        return result
    return raised


square = power(2)
cube = power(n=3)


def times(factor):
    def scaled(x):
        return halved(x) * factor
    return scaled


five_times = njit("float64(float64)")(times(5.0))


class Setup(NamedTuple):
    a: float = 2.0
    b: int = 3


Pair = namedtuple("Pair", "x y", defaults=(7,))
SETUP = Setup(b=5)
PAIR = Pair(1)
D = {"A": 4, "B": (1.5, 2)}
DA = D["A"]
DB = D["B"][0] + D.get("C", 100)


class Color(IntEnum):
    RED = 1
    BLUE = auto()


class Bits(IntFlag):
    ONE = auto()
    TWO = auto()
    FOUR = auto()


class Mode(Enum):
    ON = 5


MODE = Mode.ON.value + 1000 * Bits.FOUR.value
COUNTS = np.array([bin(i).count("1") for i in range(256)])
changed = np.zeros(3)
changed[1] = 2.0


@on_floats
def constants(x):
    return x + SETUP.a * 10 + SETUP.b * 100 + PAIR.x + PAIR.y * 7 + DA + Color.BLUE * 3 + MODE + DB


@njit("int64(int64)")
def count(n):
    return COUNTS[n] + (1 if Color.RED == 1 else 0)


def default_of(flag=True, *, scale=2):
    if flag:
        return None
    return scale * 3


NOTHING, SIX = default_of(), 1
SIX = default_of(False)


@njit("int64(int64)")
def defaults(n):
    return n + (SIX if NOTHING is None else 0)


@njit("int64(int64, int64)")
def lengths(n, step):
    return len(range(n)) + 100 * len(range(2, n, step)) + 10000 * len("h\u00e9")


if sys.platform == "linux":
    @njit("int64(int64)")
    def by_platform(n):
        return n
else:
    @njit("int64(int64)")
    def by_platform(n):
        return -n


PAIR_TYPE = numba.typeof((np.int32(-1), 1.5))
MATRIX_TYPE = numba.typeof(np.zeros((2, 3), dtype=np.float32))


@njit(numba.float64(MATRIX_TYPE, PAIR_TYPE, numba.typeof(len(pk.flags.TABLE)), numba.typeof(np.uint8(1))))
def types_of_values(a, pair, n, k):
    return a[1, 0] / 3 + pair[0] * pair[1] + n - k


@njit("int64(int64)")
def failing(n):
    global D
    if n < 0:
        raise pk.errors.Failed("negative", n, None)
    if n == 0:
        raise np.linalg.LinAlgError("zero")
    return n
''',
}

CALLS = [("dotted", 0.5), ("stars", 1), ("item", 1), ("add", 1, 2), ("add", 1.5, 2), ("quarter", 3.0), ("eighth", 3.0), ("twice", 4),
         ("square", 3.0), ("cube", 3.0), ("five_times", 3.0), ("constants", 1.0), ("count", 255), ("defaults", 1), ("lengths", 7, 2), ("lengths", -7, -3),
         ("lengths", 1, 0), ("by_platform", 1), ("failing", 1),
         ("types_of_values", np.ones((2, 3), np.float32), (np.int32(3), 0.1), 4, np.uint8(5)),
         ("failing", 0), ("failing", -1)]


@pytest.fixture(scope="module")
def both(tmp_path_factory):
    """The package under Numba, and its kernels compiled."""
    folder = tmp_path_factory.mktemp("package")
    for name, text in FILES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode() if isinstance(text, str) else text)
    done = run_pyk2cu("pk/kernels.py", "-o", "out", "--build", "--quiet", "--python", BUILD_PYTHON, cwd=folder)
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
    if isinstance(wanted, tuple):
        assert got == wanted
        return
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


def test_what_a_factory_makes_has_the_names_that_the_file_gives_it(tmp_path):
    (tmp_path / "k.py").write_text("from numba import njit\n\n\ndef power(n):\n    @njit\n    def made(x):\n        return x**n\n"
                                   "    return made\n\n\nsquare = power(2)\ncube = power(3)\n")
    for given in ("power.made(float64)", "k.py:6(float64)"):
        done = run_pyk2cu("k.py", "-o", "out", "--sig", given, cwd=tmp_path)
        assert done.returncode == 0 and not done.stderr, done.stderr
        manifest = json.loads((tmp_path / "out/k.json").read_text())
        assert [entry["name"] for entry in manifest["entries"]] == ["square", "cube"]


def test_a_value_that_an_import_decides_is_not_guessed(tmp_path):
    (tmp_path / "k.py").write_text("from numba import njit\n\ntry:\n    import nowhere\n    FOUND = True\nexcept ImportError:\n    FOUND = False\n"
                                   "try:\n    import numba.cuda\n    CUDA = 5\nexcept ImportError:\n    CUDA = 0\n\n\n"
                                   "@njit('int64(int64)')\ndef known(x):\n    return x + CUDA\n\n\n"
                                   "@njit('int64(int64)')\ndef guessed(x):\n    return x if FOUND else -x\n")
    done = run_pyk2cu("k.py", "-o", "out", "--keep-going", cwd=tmp_path)
    assert done.returncode == 1
    assert "`FOUND` is a value of the host program that cannot be computed from the text" in done.stderr
    assert "1 function compiled, 1 left out" in done.stderr
    assert "return pyk::add(x, 5);" in (tmp_path / "out/k.cpp").read_text()


MAKERS = '''
import numba

OPTIONS = dict(cache=False, parallel=True)
MORE = dict(OPTIONS, parallel=False)
REGISTRY = {}


def registered(func):
    """Keeps what it makes."""
    made = numba.njit(func, cache=OPTIONS["cache"], parallel=MORE["parallel"], nogil=True)
    if hasattr(func, "__name__"):
        key = func.__module__ + "." + func.__name__
        REGISTRY[key] = made
    return made


def renamed(func):
    func = numba.njit(func, parallel=OPTIONS["parallel"])
    return func


def stable(py_func=None, cache=False, **options):
    """With and without parentheses."""
    def wrap(func):
        made = numba.njit(func, cache=cache, **options)
        made.__doc__ = "made"
        return made
    if py_func is None:
        return wrap
    return wrap(py_func)


def factory(fastmath=False, inline="never"):
    def wrapper(func):
        return numba.jit(func, nopython=True, fastmath=fastmath, inline=inline)
    return wrapper


def bisect(f, low, high, args=()):
    at_low = f(low, args)
    for _ in range(60):
        middle = 0.5 * (low + high)
        if (f(middle, args) > 0) == (at_low > 0):
            low = middle
        else:
            high = middle
    return low


bisected = factory(inline="always")(bisect)


@factory()
def line(x, args):
    a, b = args
    return x * x * a - b


# pyk2cu: sig (float64)
@registered
def twice(x):
    return x * 2.0


# pyk2cu: sig (float64[:])
@renamed
def total(x):
    s = 0.0
    for i in numba.prange(x.size):
        s += x[i]
    return s


# pyk2cu: sig (float64)
@stable
def plain(x):
    return x + 1.0


# pyk2cu: sig (float64)
@stable(error_model="numpy")
def over(x):
    return 1.0 / x


# pyk2cu: sig (float64, float64)
@factory()
def root(a, b):
    return bisected(line, 0.0, 10.0, args=(a, b)) + twice(plain(a))
'''


def test_decorators_that_give_what_they_made_a_name(tmp_path):
    (tmp_path / "makers.py").write_text(MAKERS)
    done = run_pyk2cu("makers.py", "-o", "out", "--build", "--python", BUILD_PYTHON, cwd=tmp_path)
    assert done.returncode == 0 and "error" not in done.stderr and "warning" not in done.stderr, done.stderr
    ours = load_module(next((tmp_path / "out").glob("makers.*.so")))
    theirs = {"__name__": "makers"}
    exec(MAKERS, theirs)
    for name, args in [("twice", (1.5,)), ("total", (np.arange(4.0),)), ("plain", (2.0,)), ("over", (0.0,)), ("root", (2.0, 3.0))]:
        assert getattr(ours, name)(*args) == theirs[name](*args), name
    assert any("omp parallel" in f.read_text() for f in (tmp_path / "out").rglob("makers*"))


LOST = '''
import os

import numba


def replaced(func):
    made = numba.njit(func)
    if not os.environ.get("PLAIN"):
        made = numba.njit(func, error_model="numpy")
    return made


def changed(func):
    error_model = "python"
    made = numba.njit(func, error_model=error_model)
    error_model = "numpy"
    return made


def looped(func):
    made = numba.njit(func)
    for k in range(1):
        made = numba.njit(func, error_model="numpy")
    return made


def inside(func):
    made = numba.njit(func)

    def change():
        nonlocal made
        made = numba.njit(func, error_model="numpy")
    change()
    return made


def walrus(func):
    made = numba.njit(func)
    print(made := numba.njit(func, error_model="numpy"))
    return made


def kept(func):
    made = numba.njit(func)
    other = made
    return other
'''


def test_decorators_whose_names_have_another_value_are_lost(tmp_path):
    names = ("replaced", "changed", "looped", "inside", "walrus", "kept")
    uses = "".join(f"\n\n# pyk2cu: sig (float64)\n@{name}\ndef by_{name}(x):\n    return 1.0 / x\n" for name in names)
    (tmp_path / "lost.py").write_text(LOST + uses)
    done = run_pyk2cu("lost.py", "-o", "out", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    lost = set(re.findall(r"PK2040\]: what this decorator does to `by_(\w+)`", done.stderr))
    assert lost == set(names) - {"kept"}, done.stderr
