"""Named tuples: made in compiled functions, returned as instances of the module's own classes."""
import gc
import importlib.util
import pickle
import subprocess
import sys
import typing

import numpy as np
import pytest
from conftest import BUILD_PYTHON, Batch, load_module, run_pyk2cu
from test_leaks import resident

batch = Batch("named_kernels")
batch.add('''
from collections import namedtuple
from typing import NamedTuple

Point = namedtuple("Point", "x y", defaults=(2.5,))
Pair = namedtuple("Pair", ["first", "second"])
Taken = namedtuple("taken", "a")
Typed = NamedTuple("Typed", [("n", int), ("z", complex)])
Other = Point


class Particle(NamedTuple):
    """A class with defaults."""
    mass: float
    charge: int = -1


class Extended(namedtuple("Base", "u v")):
    __slots__ = ()


Empty = namedtuple("Empty", "")


@njit("(int64,)")
def extended(n):
    return Extended(v=n, u=2 * n)


@njit("float64(float64, float64)")
def inside(a, b):
    p = Point(a, y=b)
    return p.x - p[1] + len(p)


@njit(numba.types.NamedUniTuple(numba.float64, 2, Point)(numba.float64, numba.float64))
def declared(a, b):
    return Point(a, b)


@njit(numba.types.NamedTuple((numba.float64, numba.int64), Particle)(numba.float64))
def particle(m):
    return Particle(charge=3, mass=m)


@njit("(int64,)")
def defaults(n):
    return Other(n), Particle(0.5)


@njit("(int64, float64)")
def nested(n, x):
    return 1, Pair((n, Point(x, n)), Typed(n, 1j)), (x,)


@njit("(int64,)")
def maybe(n):
    if n > 0:
        return Point(n, n)
    return None


@njit("(int64, boolean)")
def grown(n, last):
    p = Point(1.0 * n, 2.0)
    for i in range(3):
        p = Point(p.x + i, p.y + 0.5)
    if last:
        p = Point(1.0, 2.0)
    return p


@njit(["(int64,)", "(float64,)", "(float64[:],)"])
def several(a):
    return Pair(a, a)


@njit("(float64[:],)")
def arrays(a):
    return Pair(a, Pair(a[1:], np.zeros(3)))


@njit("(int64,)")
def taken(n):
    return Taken(n)


@njit("(int64,)")
def raising(n):
    if n < 0:
        raise ValueError("negative", n)
    return Point(n, n)


@njit(numba.types.NamedUniTuple(numba.float64, 2, Point)(numba.types.NamedUniTuple(numba.float64, 2, Point)))
def swapped(p):
    return Point(p.y, p.x)


@njit("(int64,)")
def empty(n):
    return n, Empty()


@njit("(int64,)")
def joined(n):
    if n > 0:
        return Point(n, 1)
    return Point(y=2, x=n)
''')


@pytest.fixture(scope="module")
def numba_module(tmp_path_factory):
    pytest.importorskip("numba")
    path = tmp_path_factory.mktemp("numba") / "named_oracle.py"
    path.write_text(batch.source)
    spec = importlib.util.spec_from_file_location("named_oracle", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def same(a, b):
    """Equal values and equal classes, item by item."""
    if isinstance(a, tuple):
        return (type(a).__name__ == type(b).__name__ and getattr(a, "_fields", 0) == getattr(b, "_fields", 0)
                and len(a) == len(b) and all(map(same, a, b)))
    return type(a) is type(b) and np.array_equal(a, b)


CALLS = [("inside", 1.0, 2.0), ("declared", 1.0, 2.0), ("particle", 2.0), ("defaults", 7), ("nested", 1, 2.5), ("maybe", 0),
         ("maybe", 2), ("grown", 1, True), ("grown", 1, False), ("several", 1), ("several", 1.5), ("several", np.arange(3.0)),
         ("arrays", np.arange(4.0)), ("taken", 3), ("raising", 4), ("extended", 3), ("joined", 1), ("joined", 0), ("empty", 1)]


@pytest.mark.parametrize("name, args", [(name, args) for name, *args in CALLS])
def test_as_numba_returns_them(numba_module, name, args):
    ours, theirs = getattr(batch, name)(*args), getattr(numba_module, name)(*args)
    assert same(ours, theirs), (ours, theirs)


def test_classes_of_the_module():
    assert batch.Point.__module__ == "named_kernels" and batch.Point._fields == ("x", "y")
    assert type(batch.declared(1.0, 2.0)) is batch.Point is type(batch.nested(1, 2.0)[1].first[1])
    assert repr(batch.declared(1.0, 2.0)) == "Point(x=1.0, y=2.0)"
    assert type(batch.taken(1)).__name__ == "taken" and batch.taken is not type(batch.taken(1))
    value = batch.nested(1, 2.0)
    assert pickle.loads(pickle.dumps(value)) == value
    assert hash(batch.declared(1.0, 2.0)) == hash((1.0, 2.0)) and {(1.0, 2.0): 3}[batch.declared(1.0, 2.0)] == 3
    assert gc.is_tracked(batch.arrays(np.zeros(2)))


def test_arguments_are_any_tuples():
    Mine = typing.NamedTuple("Mine", [("q", float), ("r", float)])
    for given in (1.0, 2.0), batch.Point(1.0, 2.0), Mine(1.0, 2.0), Mine(1, np.float32(2)), batch.swapped((2.0, 1.0)):
        assert batch.swapped(given) == (2.0, 1.0) and type(batch.swapped(given)) is batch.Point
    with pytest.raises(TypeError, match="tuple of 3 given"):
        batch.swapped((1, 2, 3))
    with pytest.raises(ValueError, match="negative"):
        batch.raising(-1)


def test_borrowed_arrays_stay_what_they_are():
    a = np.arange(4.0)
    pair = batch.arrays(a)
    assert pair.first is a and pair.second.first.base is a and pair.second.second.flags.owndata is False


def test_each_module_object_has_its_own_classes():
    path = next(batch.directory.glob("named_kernels.*.so"))
    one, two = load_module(path, "named_kernels"), load_module(path, "named_kernels")
    assert one.Point is not two.Point and type(one.declared(1, 2)) is one.Point and type(two.declared(1, 2)) is two.Point
    f = one.declared
    del one
    gc.collect()
    assert repr(f(1, 2)) == "Point(x=1.0, y=2.0)"


def test_inside_a_package_and_when_the_interpreter_ends():
    program = ("import importlib.util, pickle, sys\n"
               "spec = importlib.util.spec_from_file_location('pkg.named_kernels', sys.argv[1])\n"
               "m = importlib.util.module_from_spec(spec); spec.loader.exec_module(m)\n"
               "class Late:\n"
               "    def __init__(self, f): self.f = f\n"
               "    def __del__(self): print(len(self.f(1, 2)))\n"
               "m.Point.late = Late(m.declared); m.Point.cycle = m\n"
               "print(m.Point.__module__)\n")
    done = subprocess.run([sys.executable, "-c", program, next(batch.directory.glob("named_kernels.*.so"))],
                          capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout.startswith("pkg.named_kernels\n"), (done.returncode, done.stderr)


def test_running_out_of_memory():
    testcapi = pytest.importorskip("_testcapi")
    assert batch.nested(1, 2.5)
    for k in range(40):
        try:
            testcapi.set_nomemory(k, k + 1)
            try:
                result = batch.nested(1, 2.5)
            finally:
                testcapi.remove_mem_hooks()
            assert len(result) == 3
        except MemoryError:
            pass


@pytest.mark.parametrize("call", [
    lambda: batch.declared(1.0, 2.0), lambda: batch.nested(1, 2.5), lambda: batch.maybe(0), lambda: batch.maybe(3),
    lambda: batch.swapped((1, 2)), lambda: batch.several(A), lambda: batch.arrays(A)],
    ids=["flat", "nested", "none", "some", "converted", "borrowed", "owned"])
def test_nothing_leaks(call):
    for _ in range(2_000):
        call()
    gc.collect()
    watched = [batch.Point, batch.Pair, batch.Typed, A, None, batch.declared]
    references, memory = [sys.getrefcount(o) for o in watched], resident()
    for _ in range(100_000):
        call()
    gc.collect()
    differences = [abs(sys.getrefcount(o) - r) for o, r in zip(watched, references)]
    assert max(differences) < 20, differences
    assert resident() - memory < 2 << 20


A = np.arange(5.0)


def test_stub_and_manifest_name_the_classes():
    stub = (batch.directory / "named_kernels.pyi").read_text()
    assert "from typing import Any, NamedTuple, overload\n" in stub
    assert "class Particle(NamedTuple):\n    mass: float\n    charge: int\n" in stub
    assert "def declared(a: float, b: float) -> Point: ..." in stub
    assert "def maybe(n: int) -> Point | None: ..." in stub and "def taken(n: int) -> tuple[int]: ..." in stub
    compile(stub, "named_kernels.pyi", "exec")
    manifest = (batch.directory / "named_kernels.json").read_text()
    assert '"name": "Pair"' in manifest and '"result": "NamedTuple((float64, float64), Point)"' in manifest


@pytest.mark.parametrize("expression, code", [
    ("Point(1)", "PK4014"), ("Point(1, 2, 3)", "PK4015"), ("Point(1, z=2)", "PK4013"), ("Point(1, x=2)", "PK4016"),
    ("Point", "PK5001"), ("Point(math, 1)", "PK4012")])
def test_wrong_calls(tmp_path, expression, code):
    (tmp_path / "kernels.py").write_text(
        'import math\nfrom collections import namedtuple\nfrom numba import njit\n\nPoint = namedtuple("Point", "x y")\n\n\n'
        f'@njit("(int64,)")\ndef f(n):\n    return {expression}\n')
    done = run_pyk2cu("kernels.py", "-o", "out", cwd=tmp_path)
    assert done.returncode == 1 and code in done.stderr and "Point" in done.stderr and "PK9" not in done.stderr, done.stderr


def test_classes_of_a_sibling_file(tmp_path, monkeypatch):
    (tmp_path / "shapes.py").write_text('import collections\n\nPoint = collections.namedtuple("Point", "x, y")\n')
    (tmp_path / "kernels.py").write_text(
        "import shapes\nfrom numba import njit\nfrom shapes import Point as Place\n\n\n"
        '@njit("(int64,)")\ndef f(n):\n    return Place(n, 1), shapes.Point(n, 2)\n\n\n'
        '@njit("UniTuple(float64, 2)(float64)")\ndef plain(x):\n    return Place(x, x)\n')
    done = run_pyk2cu("kernels.py", "-o", "out", "--build", "--python", BUILD_PYTHON, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    module = load_module(next((tmp_path / "out").glob("kernels.*.so")))
    assert repr(module.f(3)) == "(Point(x=3, y=1), Point(x=3, y=2))" and type(module.f(3)[0]) is module.Point
    assert type(module.plain(1)) is tuple


FORESTS = '''
from collections import namedtuple

import numpy as np
from numba import njit, prange

Forest = namedtuple("Forest", "parent size")


@njit
def planted(n):
    return Forest(np.arange(n), np.ones(n, dtype=np.int64))


@njit
def root(trees, a):
    while trees.parent[a] != a:
        trees.parent[a] = trees.parent[trees.parent[a]]
        a = trees.parent[a]
    return a


@njit("Tuple((int64[:], int64[:]))(int64, int64[:], int64[:])")
def joined(n, left, right):
    trees = planted(n)
    for i in range(len(left)):
        a, b = root(trees, left[i]), root(trees, right[i])
        if a != b:
            trees.parent[a] = b
            trees.size[b] += trees.size[a]
    return trees.parent, trees.size


@njit("float64(int64)")
def anew(n):
    s = 0.0
    for i in range(n):
        pair = (np.arange(i) * 1.0, np.full(i + 1, i * 0.5))
        for k in range(i):
            pair[0][k] += pair[1][k]
        for k in range(len(pair[0])):
            s += pair[0][k]
    return s


@njit("float64[:](float64[:])")
def alike(a):
    pair = (a, a)
    for i in range(1, len(a)):
        pair[0][i] = pair[1][i - 1] + pair[0][i]
    return pair[1]


@njit("float64[:](int64)")
def kept(n):
    pair = ((np.zeros(n), 3), np.ones(n))
    for i in range(n):
        pair[0][0][i] = i + pair[1][i] * pair[0][1]
    return pair[0][0]


@njit("float64(int64)", parallel=True)
def side_by_side(n):
    pair = (np.arange(n) * 2.0, np.zeros(n))
    for i in prange(n):
        pair[1][i] = pair[0][i] + 1
    return pair[1].sum()


@njit("float64(Tuple((float64[:,:], int64[:])))")
def given(t):
    s = 0.0
    for i in range(len(t[1])):
        for j in range(t[0].shape[1]):
            s += t[0][t[1][i], j] * (j + 1)
    return s
'''


def test_loops_over_arrays_in_tuples_as_numba(tmp_path):
    (tmp_path / "forests.py").write_text(FORESTS)
    done = run_pyk2cu("forests.py", "-o", "out", "--build", "--python", BUILD_PYTHON, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    ours = load_module(next((tmp_path / "out").glob("forests.*.so")))
    theirs = {"__name__": "forests"}
    exec(FORESTS, theirs)
    rng = np.random.default_rng(5)
    matrix, order = rng.random((6, 4)), np.array([3, 0, 5])
    calls = [("joined", (40, rng.integers(0, 40, 30), rng.integers(0, 40, 30))), ("joined", (0, order[:0], order[:0])), ("anew", (9,)),
             ("anew", (0,)), ("alike", (rng.random(7),)), ("alike", (rng.random(9)[::-2],)), ("kept", (5,)), ("kept", (0,)),
             ("side_by_side", (100,)), ("given", ((matrix, order),)), ("given", ((matrix[::-1, ::2], order[::2]),))]
    for name, args in calls:
        copies = [a.copy() if isinstance(a, np.ndarray) else a for a in args]
        got, want = getattr(ours, name)(*args), theirs[name](*copies)
        for one, other in zip(*((x if isinstance(x, tuple) else (x,)) for x in (got, want))):
            np.testing.assert_array_equal(one, other, err_msg=name)
        for one, other in zip(args, copies):
            if isinstance(one, np.ndarray):
                np.testing.assert_array_equal(one, other, err_msg=name)
