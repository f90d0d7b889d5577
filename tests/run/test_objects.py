"""Function objects as Python's tools see them: the source's function behind them, signatures, help, wrappers, methods."""
import functools
import gc
import inspect
import io
import os
import pydoc
import subprocess
import sys
import textwrap
import threading
import weakref

import pytest

from conftest import BUILD_PYTHON, Batch, load_module, run_pyk2cu
from module_batch import batch

SOURCE = '''
    """Sums and scales."""
    import dataclasses

    from numba import njit, prange
    %s

    COUNT = [0]
    COUNT[0] += 1


    @dataclasses.dataclass
    class Needs:  # a class that looks for its module
        x: float = 1.0


    @njit("float64(float64, float64)")
    def area(x, y=2.0):
        """The area."""
        return x * y


    @njit("float64(float64)")
    def half(x):
        return x / 2.0
'''


objects = Batch("objects")
objects.add('''
@njit("float64(float64, float64)")
def product(x, y=2.5):
    return x * y + 1.0


@njit
def helper(x):
    return x


@njit("float64(float64)")
def through(x):
    return helper(x)
''')


# ---- the source's function ------------------------------------------------------------------------------------------
@pytest.fixture
def source_on_path(monkeypatch):
    pytest.importorskip("numba")  # which the source imports
    monkeypatch.syspath_prepend(objects.directory / "source")


def test_py_func_is_the_sources_function(source_on_path):
    f = objects.product
    source = f.py_func
    assert inspect.isfunction(source) and source is f.py_func is f.__wrapped__ is inspect.unwrap(f)
    assert source.__name__ == "product" and source(2.0, 3.0) == f(2.0, 3.0) == 7.0
    assert source.__module__ == f.__module__ == "objects" and sys.modules["objects"].product is f
    assert inspect.getsource(f).startswith("@njit(") and "return x * y + 1.0" in inspect.getsource(f)
    assert source.__globals__ is objects.through.py_func.__globals__  # one import


def package(tmp_path, extra="from .other import THREE"):
    """pkg/kernels.py with relative imports, compiled into pkg/_compiled; returns what runs Python there."""
    pytest.importorskip("numba")
    folder = tmp_path / "pkg"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    (folder / "other.py").write_text("THREE = 3\n")
    (folder / "kernels.py").write_text(textwrap.dedent(SOURCE % extra))
    done = run_pyk2cu("pkg/kernels.py", "-o", "pkg", "--module", "_compiled", "--build", "--python", BUILD_PYTHON, "-q",
                      cwd=tmp_path)
    assert done.returncode == 0, done.stderr

    def run(code):
        text = "import sys; from pkg import _compiled as m; f = m.area\n" + textwrap.dedent(code)
        done = subprocess.run([sys.executable, "-c", text], cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout
    return run, folder


def test_the_source_is_imported_only_when_asked_for(tmp_path):
    run, folder = package(tmp_path)
    assert run('''
        import inspect
        assert "numba" not in sys.modules and "pkg.kernels" not in sys.modules
        assert str(inspect.signature(f)) == "(x, y=2.0)" and not hasattr(f, "__wrapped__") and "numba" not in sys.modules
        assert f.py_func(3.0) == 6.0 == f(3.0) and f.py_func.__module__ == "pkg.kernels"
        assert f.py_func.__globals__["THREE"] == 3 and m.half.py_func.__globals__["COUNT"] == [1]
        assert "pkg.kernels" not in sys.modules  # a later import is Python's own
        import pkg.kernels
        assert pkg.kernels.area.py_func is not f.py_func and f(1.0) == 2.0
    ''') == ""
    assert run('''
        import pkg.kernels
        assert f.__wrapped__ is f.py_func is pkg.kernels.area.py_func  # imported already
    ''') == ""
    (folder / "kernels.py").unlink()
    told = run('''
        assert not hasattr(f, "py_func") and not hasattr(f, "__wrapped__") and f(1.0) == 2.0
        try:
            f.py_func
        except AttributeError as error:
            print(error)
    ''')
    assert told == ("`area` has no Python function here: `pkg/kernels.py` is neither beside the module, nor in the folder "
                    "above it, nor along sys.path\n")


@pytest.mark.parametrize("tail, told", [
    ("raise ValueError('not today')", "importing `pkg/kernels.py` failed: ValueError: not today"),
    ("del area", "`pkg/kernels.py` does not define it at its top level: AttributeError: module 'pkg.kernels' has no "
                 "attribute 'area'"),
    ("from ._compiled import area", "`pkg/kernels.py` imports the compiled one under that name")])
def test_a_source_without_the_function(tmp_path, tail, told):
    run, folder = package(tmp_path)
    (folder / "kernels.py").write_text((folder / "kernels.py").read_text() + f"\n{tail}\n")
    assert run('''
        for _ in range(2):
            try:
                f.py_func
            except AttributeError as error:
                print(error, type(error.__cause__).__name__)
    ''').splitlines() == [f"`area` has no Python function here: {told} " + (
        told.split(": ")[1] if ": " in told else "NoneType")] * 2


# ---- tools ----------------------------------------------------------------------------------------------------------
def test_help_and_signature():
    f = batch.product
    assert str(inspect.signature(f)) == "(x, y=2.5)" and inspect.isroutine(f)
    text = pydoc.plain(pydoc.render_doc(f))
    assert text.startswith("Python Library Documentation") and "product(x, y=2.5)" in text and "The product, plus one." in text
    out = io.StringIO()
    pydoc.Helper(output=out).help(batch.module)
    assert "product(x, y=2.5)" in out.getvalue() and "fill" in out.getvalue()


def test_wrappers():
    @functools.wraps(batch.product)
    def traced(*args, **kwargs):
        return batch.product(*args, **kwargs)

    assert traced.__name__ == traced.__qualname__ == "product" and traced.__module__ == "module_kernels"
    assert traced.__doc__ == "The product, plus one." and traced.__wrapped__ is batch.product
    assert traced(2.0, y=3.0) == 7.0 and str(inspect.signature(traced)) == "(x, y=2.5)"
    assert functools.partial(batch.product, y=3.0)(2.0) == 7.0 and functools.lru_cache(batch.product)(2.0) == 6.0
    assert list(map(batch.product, [1.0, 2.0])) == [3.5, 6.0]


def test_a_function_in_a_class_is_a_method():
    class Area(float):
        scaled = batch.product
        plain = staticmethod(batch.product)

    shape = Area(4.0)
    assert Area.scaled is batch.product and Area.plain(1.0) == 3.5
    assert shape.scaled() == 11.0 and shape.scaled(2.0) == shape.scaled(y=2.0) == 9.0
    assert shape.scaled.__self__ is shape and shape.scaled.__func__ is batch.product


def test_weak_references_and_sets():
    module = load_module(next(batch.directory.glob("module_kernels.*.so")))
    f, gone = module.product, []
    reference = weakref.ref(f, gone.append)
    weakly = weakref.WeakKeyDictionary({f: 1})
    assert reference() is f and weakly[f] == 1 and {f, module.product} == {f}
    del f, module
    gc.collect()
    assert reference() is None and gone == [reference] and not weakly


def test_threads_ask_for_the_source_at_once(source_on_path):
    module = load_module(next(objects.directory.glob("objects.*.so")))
    seen = []
    threads = [threading.Thread(target=lambda: seen.append(module.product.py_func)) for _ in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert len(seen) == 8 and len(set(seen)) == 1


SPAWNED = """
import concurrent.futures, multiprocessing, sys
import objects
if __name__ == "__main__":
    with concurrent.futures.ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        print(*pool.map(objects.product, [1.0, 2.0]), pool.submit(objects.product, y=3.0, x=1).result())
        error = pool.submit(objects.product, "a").exception()
        print(type(error).__name__, error)
"""


def test_a_spawned_process_gets_functions_by_name(tmp_path):
    (tmp_path / "main.py").write_text(SPAWNED)
    done = subprocess.run([sys.executable, "main.py"], cwd=tmp_path, capture_output=True, text=True, timeout=60,
                          env={**os.environ, "PYTHONPATH": str(objects.directory)})
    assert done.stdout == ("3.5 6.0 4.0\nTypeError product(): argument 1 `x`: str given, float64 expected\n"), done.stderr
