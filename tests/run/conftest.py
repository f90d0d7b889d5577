"""What the run tests share: snippets compiled together into one module, because a compiler takes seconds.

    batch = Batch("module")                       # at the top of a test file
    batch.add('''
    @njit("float64(float64)")
    def half(x):
        return x / 2
    ''')
    def test_half():
        assert batch.half(3.0) == 1.5             # the first attribute compiles all snippets added so far

A module is built once per content (sources, options, compiler) and kept below $PYK2CU_BUILD_DIR/run, for this machine's
processor alone: the bodies for the others would not run here, and they are two thirds of a compiler's time. What asks for
`every_processor` is what tests the choice between them, and a batch of each kind of function.
$PYK2CU_BUILD_PYTHON names the Python that it is built for, where that is not the one that runs the tests: `pythons.py`
runs one binary under several.
`plain` gives the same names as CPython runs them.
"""
import contextlib
import functools
import hashlib
import importlib.util
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import textwrap
import warnings

import numpy as np
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "samples"))
from support import plain as plain_python  # noqa: E402

PYK2CU = os.environ.get("PYK2CU", str(ROOT / "build/pyk2cu"))
os.environ.setdefault("PYK2CU_VERIFY_IR", "1")  # every test checks the invariants after every pass
BUILD_PYTHON = os.environ.get("PYK2CU_BUILD_PYTHON", sys.executable)
CACHE = pathlib.Path(os.environ.get("PYK2CU_BUILD_DIR", ROOT / "build")) / "run"
PROLOGUE = """import cmath
import math

import numba
import numpy as np
from numba import cuda, njit, prange
"""


def run_pyk2cu(*arguments, cwd=None, env=None, timeout=300):
    return subprocess.run([PYK2CU, *map(str, arguments)], cwd=cwd, capture_output=True, text=True, timeout=timeout,
                          env={**os.environ, "NO_COLOR": "1", **(env or {})})


def load_module(path, name=None):
    name = name or path.name.split(".")[0]
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def build(source, name="kernels", options=(), every_processor=False):
    """Compiles the text of a module; returns the directory it lies in. Cached by content."""
    options = list(options)
    if not every_processor and not any(option.startswith("--march") for option in options):
        options.append("--march=native")
    binary = pathlib.Path(PYK2CU).read_bytes()
    parts = [source.encode(), name.encode(), repr(options).encode(), BUILD_PYTHON.encode(), binary]
    digest = hashlib.sha256(b"\0".join(parts)).hexdigest()[:20]
    out = CACHE / f"{name}-{digest}"
    if not list(out.glob(f"{name}.*.so")):
        CACHE.mkdir(parents=True, exist_ok=True)
        made = pathlib.Path(tempfile.mkdtemp(dir=CACHE))  # apart: another session may build the same
        try:
            (made / f"{name}.py.txt").write_text(source)
            (made / "source").mkdir()
            (made / "source" / f"{name}.py").write_text(source)
            done = run_pyk2cu(f"source/{name}.py", "-o", ".", "--build", "--quiet", "--python", BUILD_PYTHON, *options,
                              cwd=made)
            if done.returncode != 0:
                pytest.fail(f"pyk2cu exit {done.returncode}\n{done.stderr}", pytrace=False)
            with contextlib.suppress(OSError):  # it was first
                made.rename(out)
        finally:
            shutil.rmtree(made, ignore_errors=True)
    return out


class Batch:
    """Snippets that become one module."""

    def __init__(self, name, options=(), every_processor=False):
        self._name, self._options, self._source = name, tuple(options), PROLOGUE
        self._every_processor = every_processor
        self._module = self._failure = None

    def add(self, snippet):
        assert self._module is None, "all snippets are added before the first use"
        self._source += "\n\n" + textwrap.dedent(snippet).strip("\n") + "\n"

    @property
    def source(self):
        return self._source

    @property
    def directory(self):
        return build(self._source, self._name, self._options, self._every_processor)

    @property
    def emitted(self):
        """The C++ of the functions: all files but the module's own."""
        return "".join(path.read_text() for path in sorted(self.directory.glob(f"{self._name}*"))
                       if path.name.endswith((".cpp", ".lanes.h")) and ".module." not in path.name)

    @property
    def module(self):
        if self._failure:
            pytest.fail(self._failure, pytrace=False)
        if self._module is None:
            try:
                self._module = load_module(next(self.directory.glob(f"{self._name}.*.so")))
            except (Exception, pytest.fail.Exception) as error:
                self._failure = str(error)  # not once more for every test
                raise
            sys.modules.setdefault(self._name, self._module)  # for pickling
        return self._module

    @functools.cached_property
    def plain(self):
        return plain_python.load(self.directory / "source" / f"{self._name}.py")

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self.module, name)


def outcome_of(function, arguments):
    """What a call returns, or the exception that it raises."""
    copies = [a.copy() if isinstance(a, np.ndarray) else a for a in arguments]
    try:
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return function(*copies)
    except Exception as error:
        return error


def assert_same_effects(module, other, function, *arguments):
    """What two modules' functions return, and write to the arrays, is the same to the last bit (NaNs are all one).
    Returns it: [returned, array, …], of `module`.
    """
    results = []
    for made in (module, other):
        copies = [np.copy(a) if isinstance(a, np.ndarray) else a for a in arguments]
        with np.errstate(all="ignore"):
            returned = getattr(made, function)(*copies)
        results.append([returned] + [a for a in copies if isinstance(a, np.ndarray)])
    for ours, theirs in zip(*results):
        np.testing.assert_array_equal(ours, theirs)
        if np.asarray(ours).dtype.kind == "f":
            signs = [np.where(np.isnan(x), 0, np.copysign(1, x)) for x in (ours, theirs)]
            np.testing.assert_array_equal(*signs)
    return results[0]


LONGEST = ["fuzz", "reductions", "sliding", "gangs", "parts", "updates", "names", "numpy_linalg", "row_sums", "demanded", "unroll", "tiles", "panels",
           "ways", "views_as", "matrix_products"]


def pytest_collection_modifyitems(items):
    """The longest files first: of two cores, one would be left alone with them in the end."""
    places = {f"tests/run/test_{name}.py": place for place, name in enumerate(LONGEST)}
    items.sort(key=lambda item: places.get(item.nodeid.split("::")[0], len(places)))


@pytest.fixture
def nep50():
    """What NumPy computes, to be compared with, has NumPy 2's types: NumPy 1.26 does so when it is asked."""
    if np.lib.NumpyVersion(np.__version__) >= "2.0.0":
        yield
        return
    before = np._get_promotion_state()
    np._set_promotion_state("weak")
    yield
    np._set_promotion_state(before)


@pytest.fixture
def compile_text(tmp_path):
    """compile_text(source, *options) builds one module and imports it."""

    def compile_one(source, *options, name="kernels"):
        return load_module(next(build(source, name, options).glob(f"{name}.*.so")))

    return compile_one
