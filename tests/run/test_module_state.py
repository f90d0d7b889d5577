"""Module objects and what they keep: imported twice, deleted while in use, in two interpreters, in two modules at once."""
import gc
import importlib
import importlib.util
import multiprocessing
import os
import re
import shutil
import subprocess
import sys
import textwrap
import weakref

import numpy as np
import pytest
from conftest import Batch
from module_batch import batch, tuples

SO = "module_kernels.abi3.so"
named = Batch("named")
named.add('''
import collections
Point = collections.namedtuple("Point", "x y")


@njit("(float64,)")
def point(x):
    return Point(x, x + 1.0)
''')
raises = Batch("raising")
raises.add('''
@njit("void(int64)")
def checked(n):
    if n < 0:
        raise ValueError("negative", n, 10 * n, 2.5)
''')
other = Batch("other_parallel")
other.add('''
@njit("float64(float64[:])", parallel=True)
def product(a):
    p = 1.0
    for i in prange(a.shape[0]):
        p *= a[i]
    return p
''')


def load(name="module_kernels", of=batch):
    """A new module object; sys.modules stays as it is."""
    path = next(of.directory.glob(f"{name.rpartition('.')[2]}.*.so"))
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def gone(reference):
    gc.collect()
    return reference() is None


# ---- several module objects of one library --------------------------------------------------------------------------
def test_a_module_loaded_twice_is_two_modules():
    first, second = load(), load("pkg.module_kernels")
    assert first is not second and first.product is not second.product
    assert type(first.product) is not type(second.product) and type(first.fill) is not type(second.fill)
    assert repr(first.product) == "<compiled function module_kernels.product>"
    assert repr(second.product) == "<compiled function pkg.module_kernels.product>"
    assert first.product(2.0) == second.product(2.0) == 6.0
    del first
    gc.collect()
    assert second.product(2.0) == 6.0 and second.last(np.arange(3.0)) == 2.0
    with pytest.raises(ZeroDivisionError):
        second.divide(1.0, 0.0)


def test_reloading_keeps_the_functions(monkeypatch):
    module = load()
    monkeypatch.setitem(sys.modules, "module_kernels", module)
    monkeypatch.syspath_prepend(batch.directory)
    f = module.product
    assert importlib.reload(module) is module and module.product is f and f(2.0) == 6.0


@pytest.mark.parametrize("name, use", [
    ("product", lambda f: f(2.0, 3.0) == 7.0),
    ("total", lambda f: f(np.arange(4.0)[::2]) == 2.0),
    ("plus", lambda f: f(np.int8(1), 2.5) == 3.5),  # converts arguments
    ("squares", lambda f: (f(3) == [0, 1, 4]).all()),
    ("tail", lambda f: (f(np.arange(4.0), 2) == [2, 3]).all()),
    ("parallel_total", lambda f: f(np.ones(100_000)) == 100_000),
    ("fill", lambda f: f[1, 8](np.zeros(4, "f4"), 1.0) is None),
    ("fill", lambda f: f.forall(4)(np.zeros(4, "f4"), 1.0) is None)])
def test_a_function_outlives_its_module_and_then_both_go(name, use):
    module = load()
    function, reference = getattr(module, name), weakref.ref(module)
    del module
    gc.collect()
    assert use(function)
    assert message(function).startswith(name + "()") or name == "fill"
    del function
    assert gone(reference)


def message(function):
    with pytest.raises((TypeError, ValueError)) as caught:
        function()
    return str(caught.value)


def test_a_launcher_and_an_exception_outlive_their_module():
    module = load()
    reference, launcher = weakref.ref(module), module.fill[1, 4]
    with pytest.raises(ZeroDivisionError) as caught:
        module.divide(1.0, 0.0)
    module.kept = launcher  # a cycle through the launcher
    del module
    gc.collect()
    out = np.zeros(4, "f4")
    launcher(out, 1.0)
    assert (out == [1, 2, 3, 4]).all() and launcher.griddim == (1, 1, 1)
    assert caught.value.args == ("division by zero",)
    del launcher, caught
    assert gone(reference)


def test_a_result_outlives_its_module():
    module = load("named", of=named)
    reference, point = weakref.ref(module), module.point(1.0)
    kind = type(point)
    assert kind is module.Point and point == (1.0, 2.0)
    f = module.point
    del module
    gc.collect()
    assert type(f(3.0)) is kind
    del f
    assert gone(reference) and point.y == 2.0 and repr(kind(1, 2)) == "Point(x=1, y=2)"


def test_many_imports_leak_nothing():
    def live():
        gc.collect()
        return len(gc.get_objects())

    for _ in range(3):
        load(), load("named", of=named)
    before = live()
    for _ in range(50):
        load(), load("named", of=named)
    assert live() - before < 50


def test_a_finalizer_may_call_what_raises_while_an_exception_is_made():
    class Cycle:
        def __init__(self):
            self.me = self

        def __del__(self):
            try:
                raises.checked(-77)
            except ValueError:
                pass

    checked = raises.checked
    seen = [[], *(tuple([n] * 4) for n in range(4999))]  # alive, so that CPython has none left over: the next one collects
    before = gc.get_threshold()
    gc.set_threshold(1)
    try:
        for n in range(1, 200):
            Cycle()
            for _ in range(n % 4):
                seen[0].append(set())  # one more object until the next collection
            try:
                checked(-n)
            except ValueError as error:
                seen.append(error.args)
    finally:
        gc.set_threshold(*before)
    assert seen[5000:] == [("negative", -n, -10 * n, 2.5) for n in range(1, 200)]


# ---- nothing that changes lies outside of a module object -----------------------------------------------------------
@pytest.mark.skipif(not shutil.which("objdump"), reason="needs objdump")
def test_the_library_has_no_variables_of_its_own():
    """What CPython itself writes (the definition), what belongs to one thread, and what the processor is."""
    allowed = re.compile(r"definition$|pyk::cpu$|__cpu_(model|features2)|guard variable|DW\.ref|__dso_handle|__TMC_END__|completed\.\d+$|\.(data|bss)$|"
                         r"_edata|_end$|__bss_start|__data_start")
    for module in (batch, tuples, named):
        table = subprocess.run(["objdump", "-tC", next(module.directory.glob("*.so"))], capture_output=True, text=True,
                               check=True).stdout
        rows = [line for line in table.splitlines() if re.search(r"\s\.(data|bss)\s", line)]
        assert rows
        assert [row for row in rows if not allowed.search(row)] == []


# ---- interpreters ---------------------------------------------------------------------------------------------------
INTERPRETERS = '''
import importlib.util, sys
try:
    import _interpreters as interpreters
except ImportError:
    import _xxsubinterpreters as interpreters
def create(own_gil):
    if interpreters.__name__ == "_interpreters":
        return interpreters.create("isolated" if own_gil else "legacy")
    return interpreters.create(isolated=own_gil)
def run(name, text):
    error = interpreters.run_string(name, text)
    assert error is None, error
CODE = """
import sys
sys.path.insert(0, {path!r})
try:
    import module_kernels as m
except ImportError as error:
    assert "NumPy" in str(error) or "subinterpreters" in str(error), error
    assert "subinterpreters" in str(error) or isinstance(error.__cause__, ImportError)
    print("refused:", str(error).split(chr(10))[0], flush=True)
else:
    import numpy as np
    assert m.product(2.0) == 6.0 and m.last(np.arange(3.0)) == 2.0 and m.squares(3)[2] == 4.0
    out = np.zeros(4, "f4")
    m.fill[1, 4](out, 1.0)
    assert out[3] == 4
    try:
        m.divide(1.0, 0.0)
    except ZeroDivisionError:
        pass
    print("works", flush=True)
"""
'''


def run_interpreters(text):
    code = INTERPRETERS + f"CODE = CODE.format(path={str(batch.directory)!r})\n" + textwrap.dedent(text)
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def is_answer(line):
    return line == "works" or line.startswith("refused: ")


@pytest.mark.parametrize("own_gil", [False, True])
def test_in_two_interpreters_at_once(own_gil):
    """Where NumPy refuses the second interpreter, so does the module, and says so; the first goes on as before."""
    lines = run_interpreters(f"""
        exec(CODE)
        other = create({own_gil})
        run(other, CODE)
        exec(CODE)
        interpreters.destroy(other)
        exec(CODE)
    """)
    assert len(lines) == 4 and is_answer(lines[1]), lines
    assert lines[0] == lines[2] == lines[3] == "works"


@pytest.mark.skipif(np.__version__.startswith("2.1."), reason="this NumPy does not load outside of the main interpreter")
def test_a_sub_interpreter_may_be_the_first():
    lines = run_interpreters("""
        first, second = create(False), create(False)
        run(first, CODE)
        run(second, CODE)
        run(first, CODE)
        interpreters.destroy(second)
        run(first, CODE)
        interpreters.destroy(first)
    """)
    assert len(lines) == 4 and is_answer(lines[1]), lines
    assert lines[0] == lines[2] == lines[3] == "works"


SHARED = '''
import ctypes, gc, sys, types
make = ctypes.pythonapi.PyCapsule_New
make.restype, make.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p]
for name in ("numpy", "numpy._core", "numpy._core._multiarray_umath"):
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__path__ = []
sys.modules[name]._ARRAY_API = make(TABLE, None, None)
sys.path.insert(0, PATH)
import module_kernels as m
for again in range(100):
    assert m.product(2.0) == 6.0 and m.total(m.squares(3)) == 5.0 and m.parallel_total(m.squares(3)) == 5.0
    m.fill.forall(0)
    try:
        m.divide(1.0, 0.0)
    except ZeroDivisionError as error:
        assert error.__traceback__.tb_next.tb_frame.f_code.co_name == "divide"
f = m.product
del m, sys.modules["module_kernels"]
gc.collect()
assert f(2.0) == 6.0
print("works", flush=True)
'''


def test_two_interpreters_that_numpy_allows():
    """NumPy's table goes to the second one by hand: each module has its own state, and goes on when another ends."""
    lines = run_interpreters(f"""
        import ctypes
        exec(CODE)
        from numpy._core import _multiarray_umath
        address = ctypes.pythonapi.PyCapsule_GetPointer
        address.restype, address.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_void_p]
        table = address(_multiarray_umath._ARRAY_API, None)
        SHARED = f"TABLE, PATH = {{table}}, {str(batch.directory)!r}\\n" + {SHARED!r}
        first, second = create(False), create(False)
        run(first, SHARED)
        run(second, SHARED)
        exec(CODE)
        run(first, SHARED)
        interpreters.destroy(first)
        run(second, SHARED)
        interpreters.destroy(second)
        exec(CODE)
    """)
    assert lines == ["works"] * 7


def test_without_numpy_the_import_says_so(tmp_path):
    (tmp_path / "numpy").mkdir()
    (tmp_path / "numpy/__init__.py").write_text("")
    shutil.copy(batch.directory / SO, tmp_path)
    done = subprocess.run([sys.executable, "-c", "import module_kernels"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith("ImportError: `module_kernels` needs NumPy, which cannot be loaded here: ")


# ---- forks ----------------------------------------------------------------------------------------------------------
def in_child(queue):
    queue.put((other.product(np.ones(300_000)), batch.parallel_total(np.ones(300_000))))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_child_knows_what_another_module_did():
    """OpenMP was used by one module before the fork; the other, used first in the child, must not wait for its threads."""
    assert other.module and batch.parallel_total(np.ones(300_000)) == 300_000.0
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    child = context.Process(target=in_child, args=(queue,))
    child.start()
    try:
        assert queue.get(timeout=30) == (1.0, 300_000.0)
    finally:
        child.kill()
        child.join(timeout=30)
