"""Exception classes of the compiled file: the extension module has them, and raises them.

Compared with the same file under CPython. Classes of other files: test_module.py.
"""

import copy
import pickle
import subprocess
import sys
import traceback

import numpy as np
import pytest
from conftest import Batch, run_pyk2cu

batch = Batch("own_errors")
batch.add('''

from numba import vectorize


class Failed(ValueError):
    """Said of what cannot be."""


class Worse(Failed):
    code = 7

    def __init__(self, text, n=0, *rest):
        super().__init__(f"{text}!")
        self.n = n

    def __str__(self) -> str:
        return f"{type(self).__name__} {self.code} {self.n} {super().__str__()}"


class WithTwo(KeyError, Failed):
    pass


class Quiet(UserWarning): pass


@njit("int64(int64)")
def positive(n):
    if n < 0:
        raise Failed("negative", n, 0.5)
    if n == 3:
        raise Failed
    if n == 4:
        raise WithTwo("four")
    if n == 5:
        raise Quiet()
    return n


@njit("int64(int64[:], int64)")
def worse(a, n):
    total = 0
    for i in range(n):
        if a[i] < 0:
            raise Worse("below zero", i)
        total += a[i]
    return total


@njit("int64(int64[:])", parallel=True)
def first(a):
    total = 0
    for i in prange(a.size):
        if a[i] > 5:
            raise Failed("too large", i)
        total += a[i]
    return total


@vectorize(["float64(float64)"])
def root(x):
    if x < 0:
        raise Failed("no root", x)
    return x ** 0.5
''')


def calls(module):
    yield from (lambda n=n: module.positive(n) for n in (2, -1, 3, 4, 5))
    yield lambda: module.worse(np.array([1, 2, -3]), 3)
    yield lambda: module.worse(np.array([1, 2]), 2)
    yield lambda: module.first(np.array([1, 2, 9, 9]))
    yield lambda: module.root(np.array([4.0, -1.0]))


def outcome(call):
    try:
        return call()
    except Exception as e:
        return [c.__name__ for c in type(e).__mro__], e.args, str(e), vars(e)


def test_they_are_raised_as_under_cpython():
    seen = [outcome(call) for call in calls(batch)]
    assert seen == [outcome(call) for call in calls(batch.plain)]
    assert sum(isinstance(one, tuple) for one in seen) == 7


def test_who_imports_the_module_can_catch_them():
    with pytest.raises(batch.Failed, match="negative") as caught:
        batch.positive(-1)
    assert type(caught.value) is batch.Failed and batch.Failed.__doc__ == "Said of what cannot be."
    assert batch.Failed.__module__ == batch.module.__name__
    frame = traceback.extract_tb(caught.value.__traceback__)[-1]
    assert frame.name == "positive" and batch.source.splitlines()[frame.lineno - 1].strip().startswith("raise Failed(")


def test_they_can_be_copied_and_pickled():
    with pytest.raises(batch.Failed) as caught:
        batch.positive(-1)
    for again in (copy.copy(caught.value), pickle.loads(pickle.dumps(caught.value))):
        assert type(again) is batch.Failed and again.args == ("negative", -1, 0.5)


def test_the_stub_has_them():
    stub = (batch.directory / "own_errors.pyi").read_text()
    assert "class Failed(ValueError): ..." in stub and "class WithTwo(KeyError, Failed): ..." in stub


def test_two_modules_of_one_file_each(tmp_path):
    """A function of another file raises that file's class, which its module has even when nothing there raises it."""
    (tmp_path / "base.py").write_text("from numba import njit\n\n\nclass Failed(Exception):\n    pass\n\n\n"
                                      "@njit('int64(int64)')\ndef same(n):\n    return n\n")
    (tmp_path / "user.py").write_text("from numba import njit\nfrom base import Failed\n\n\n@njit('int64(int64)')\n"
                                      "def fails(n):\n    raise Failed('here', n)\n")
    made = run_pyk2cu("user.py", "base.py", "-o", "out", "--build", "-q", "--python", sys.executable, cwd=tmp_path)
    assert made.returncode == 0, made.stdout + made.stderr
    program = "import base, user\ntry:\n    user.fails(3)\nexcept base.Failed as e:\n    print(e.args, base.__file__[-3:])\n"
    ran = subprocess.run([sys.executable, "-c", program], cwd=tmp_path / "out", capture_output=True, text=True)
    assert ran.stdout == "('here', 3) .so\n", ran.stderr


OWN = '''from __future__ import annotations
from numba import njit


class Done(StopIteration):
    names: Later = [n for n in ("a", "b")]
    count = len(names)
    for k in range(3):
        count += k
    code = count

    def twice(self) -> Later:
        return 2 * self.code


class Quit(SystemExit):
    pass


@njit("int64(int64)")
def f(n):
    if n == 1:
        raise Done("done")
    if n == 2:
        raise Quit(3)
    return n
'''


def test_what_their_bodies_bind_and_whose_names_change(tmp_path):
    """Annotations that nobody evaluates; a class is raised whatever the module's name for it is by then."""
    (tmp_path / "k.py").write_text(OWN)
    made = run_pyk2cu("k.py", "-o", "out", "--build", "-q", "--python", sys.executable, cwd=tmp_path)
    assert made.returncode == 0, made.stdout + made.stderr
    program = """import k
Done, Quit = k.Done, k.Quit
k.Done = 5
del k.Quit
for n in (1, 2):
    try:
        k.f(n)
    except Done as e:
        print(e.twice(), e.args, Done.__annotations__, Done.__bases__)
    except Quit as e:
        print(e.code)
print("annotations" in dir(k))
"""
    ran = subprocess.run([sys.executable, "-c", program], cwd=tmp_path / "out", capture_output=True, text=True)
    assert ran.stdout == "10 ('done',) {'names': 'Later'} (<class 'StopIteration'>,)\n3\nFalse\n", ran.stdout + ran.stderr


def test_a_class_and_a_function_of_one_name(tmp_path):
    (tmp_path / "a.py").write_text("from numba import njit\n\n\nclass name(ValueError):\n    pass\n\n\n"
                                   "@njit('int64(int64)')\ndef f(n):\n    raise name('x')\n")
    (tmp_path / "b.py").write_text("from numba import njit\n\n\n@njit('int64(int64)')\ndef name(n):\n    return n\n")
    said = run_pyk2cu("a.py", "b.py", "--module", "both", "-o", "out", cwd=tmp_path)
    assert said.returncode == 1 and "that has the name of something else in this module is not supported" in said.stderr, said.stderr


REFUSED = {  # what keeps the class from being defined alone: text of the class
    "uses `LIMIT`": "class Failed(Exception):\n    def __str__(self):\n        return str(LIMIT)",
    "uses `helper`": "class Failed(Exception):\n    code = helper()",
    "uses `Base`": "class Base:\n    pass\n\n\nclass Failed(Base, ValueError):\n    pass",
    "uses `np`": "class Failed(ValueError):\n    def __init__(self, x: np.ndarray):\n        pass",
    "uses `LIMIT` ": "class Failed(ValueError):\n    LIMIT = LIMIT",
    "uses `Other`": "class Failed(ValueError):\n    def __str__(self):\n        return str(Other())\n\n\n@helper\nclass Other(ValueError):\n    pass",
    "uses `late`": "class Failed(ValueError):\n    def __str__(self):\n        return str(late)\n\n\nif (late := 3) > 2:\n    pass",
    "uses `np` ": "class Failed(np.linalg.LinAlgError):\n    pass",
    "has a decorator": "@helper\nclass Failed(ValueError):\n    pass",
    "stands inside another statement": "if LIMIT:\n    class Failed(ValueError):\n        pass",
    "shares its name with something else": "class Failed(KeyError):\n    pass\n\n\nOld = Failed\n\n\n"
                                           "class Failed(ValueError):\n    pass",
}


@pytest.mark.parametrize("reason", REFUSED)
def test_what_cannot_be_defined_alone(reason, tmp_path):
    raised = "Old" if "shares" in reason else "Failed"
    (tmp_path / "k.py").write_text(
        "import numpy as np\nfrom numba import njit\n\nLIMIT = 3\n\n\ndef helper(x=None):\n    return x\n\n\n"
        f"{REFUSED[reason]}\n\n\n@njit('int64(int64)')\ndef f(n):\n    raise {raised}('x')\n")
    said = run_pyk2cu("k.py", "-o", "out", cwd=tmp_path)
    assert said.returncode == 1 and f"PK5001]: raising a class of the same file that {reason.strip()} is not supported" in said.stderr
    assert "move the class to another file" in said.stderr
