"""Scripts for numba.pycc: compiled as they are, equal to what numba.pycc makes of them."""
import importlib.util
import json
import warnings

import numpy as np
import pytest
from conftest import BUILD_PYTHON, load_module, run_pyk2cu

SCRIPT = '''
import math

import numpy as np
from numba import njit
from numba.pycc import CC

cc = CC('made')
cc.verbose = False
NAME = 'length'


@njit
def twice(x):
    return x * 2


@cc.export('mult_f4', 'f4(f4, f4)')
@cc.export('mult', 'f8(f8, f8)')
def multiply(a, b):
    """a times b."""
    return a * b


@cc.export(NAME, 'f8(f8[:])')
@njit
def norm(a):
    total = 0.0
    for x in a:
        total += x * x
    return math.sqrt(total)


@njit
@cc.export('doubled', 'i8(i8)')
def doubled(n):
    return twice(n)


@cc.export('both', 'f8(f8[:], i8)')
def both(a, n):
    return norm(a) + doubled(n)


@cc.export('divide', 'i8(i8, i8)')
def divide(a, b):
    return a // b


@cc.export(sig='void(i4[:, :])', exported_name='fill')
def fill(a):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            a[i, j] = i - j


cc.export('again', 'f8(f8, f8)')(multiply)

if __name__ == "__main__":
    cc.compile()
'''
NAMES = {"mult_f4", "mult", "length", "doubled", "both", "divide", "fill", "again"}


def public(module):
    return {name for name in dir(module) if not name.startswith(("_", "pycc_"))}


def results(module):
    """What calls of the module's functions give; exceptions by class and text."""
    filled = np.zeros((3, 4), "i4")
    calls = [("mult_f4", 1.1, 1.1), ("mult", 1.1, 1.1), ("mult", 3, 2), ("length", np.array([3.0, 4.0])),
             ("length", np.arange(6.0)[::-2]), ("doubled", 21), ("both", np.array([3.0, 4.0]), 2), ("divide", -7, 2),
             ("divide", 1, 0), ("fill", filled), ("again", 0.5, 4.0)]
    out = []
    for name, *arguments in calls:
        try:
            out.append(getattr(module, name)(*arguments))
        except Exception as error:
            out.append((type(error).__name__, str(error)))
    return out + [filled.tolist()]


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pycc")
    (folder / "script.py").write_text(SCRIPT)
    done = run_pyk2cu("script.py", "-o", "out", "--build", "--quiet", "--python", BUILD_PYTHON, cwd=folder)
    assert (done.returncode, done.stderr) == (0, "")
    return folder


def test_the_module_is_called_as_the_script_says(made):
    assert not list((made / "out").glob("script*"))
    module = load_module(next((made / "out").glob("made.*.so")))
    assert public(module) == NAMES
    assert module.mult.signatures == ["float64(float64, float64)"] and module.mult.__doc__ == "a times b."
    assert module.mult_f4.signatures == ["float32(float32, float32)"]
    manifest = json.loads((made / "out/made.json").read_text())
    assert {entry["name"] for entry in manifest["entries"]} == NAMES


def test_it_does_what_numba_makes(made):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # pycc is deprecated
        spec = importlib.util.spec_from_file_location("script", made / "script.py")
        script = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(script)
        try:
            script.cc.compile()
        except Exception as error:
            pytest.skip(f"numba.pycc does not work here: {error}")
    theirs = load_module(next(path for path in made.glob("made*.so")))
    ours = load_module(next((made / "out").glob("made.*.so")))
    assert public(theirs) == NAMES
    for one, other in zip(results(ours), results(theirs), strict=True):
        assert one == other


@pytest.mark.parametrize("given, module", [((), "made"), (("--module", "other"), "other")])
def test_the_command_line_names_it_otherwise(tmp_path, given, module):
    (tmp_path / "script.py").write_text(SCRIPT)
    done = run_pyk2cu("script.py", "-o", "out", *given, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert [path.stem for path in (tmp_path / "out").glob("*.json")] == [module]


def test_a_script_that_is_not_the_main_file(tmp_path):
    """The functions of a CC script are helpers of who imports it, and its name is its own."""
    (tmp_path / "script.py").write_text(SCRIPT)
    (tmp_path / "user.py").write_text('from numba import njit\nfrom script import multiply\n\n\n@njit("f8(f8)")\n'
                                      "def square(x):\n    return multiply(x, x)\n")
    done = run_pyk2cu("user.py", "-o", "out", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    entries = json.loads((tmp_path / "out/user.json").read_text())["entries"]
    assert [entry["name"] for entry in entries] == ["square"]


def test_a_comment_that_ignores_a_setting(tmp_path):
    text = 'from numba.pycc import CC\ncc = CC("m")\ncc.output_dir = "x"{}\n\n\n@cc.export("f", "f8(f8)")\ndef f(x):\n    return x\n'
    for comment, said in (("", 1), ("  # pyk2cu: ignore[PK2072]", 0)):
        (tmp_path / "script.py").write_text(text.format(comment))
        done = run_pyk2cu("script.py", "-o", "out", cwd=tmp_path)
        assert done.returncode == 0 and done.stderr.count("warning[PK2072]") == said
