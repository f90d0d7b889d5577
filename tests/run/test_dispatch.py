"""One module, several instruction sets: the same results from each, chosen at import; what processors without an
instruction set run has none of it."""
import json
import os
import platform
import re
import subprocess
import sys

import numpy as np
import pytest
from conftest import Batch, build

pytestmark = pytest.mark.skipif(platform.machine() != "x86_64", reason="elsewhere there is one instruction set")

TEXT = '''
import math
import numpy as np
from numba import njit, prange, vectorize

@njit("void(float64[::1], float64[::1])")
def halves(x, out):
    for i in range(len(x)):
        value, steps = x[i], 0
        while value > 1.0:
            value *= 0.5
            steps += 1
        out[i] = value + steps

@njit("float64(float64[:])", fastmath=True)
def total(x):
    s = 0.0
    for i in range(len(x)):
        s += x[i]
    return s

@njit("float64[:](float64[:])")
def ordered(x):
    y = np.sort(x)
    for i in range(len(y)):
        y[i] = y[i] * 2.0 + 1.0
    return y

@njit("void(float32[:, :], float32)", parallel=True)
def shifted(a, by):
    for i in prange(a.shape[0]):
        for j in range(a.shape[1]):
            if by == 0.0:
                raise ValueError("no shift", i)
            a[i, j] = a[i, j] / by

@vectorize(["float64(float64)", "int32(int32)"])
def doubled(x):
    return x + x

@njit("int64(int64)")
def alone(n):
    return n + 1
'''
PROGRAM = '''
import sys
import numpy as np
import isa
x = np.linspace(0, 1000, 1001)
out = np.empty_like(x)
isa.halves(x, out)
a = np.arange(35, dtype=np.float32).reshape(5, 7)
isa.shifted(a, np.float32(3))
isa.shifted(a[::2, ::-1], np.float32(0.5))
try:
    isa.shifted(a, np.float32(0))
except ValueError as error:
    raised = error.args
results = [out.tobytes(), isa.total(np.arange(1000.0)[::3]), isa.ordered(-x[::7]).tobytes(), a.tobytes(), raised,
           isa.doubled(x).tobytes(), isa.doubled(np.arange(9, dtype=np.int32)).tobytes(), isa.alone(3)]
print(isa.__pyk2cu_cpu__)
print(results)
'''


@pytest.fixture(scope="module")
def directory():
    return build(TEXT, "isa", every_processor=True)


def run(directory, level, program=PROGRAM):
    env = {**os.environ, "PYTHONPATH": str(directory)}
    env.pop("PYK2CU_CPU", None)
    if level is not None:
        env["PYK2CU_CPU"] = level
    return subprocess.run([sys.executable, "-c", program], env=env, capture_output=True, text=True)


def levels_of_this_machine():
    done = subprocess.run(["/lib64/ld-linux-x86-64.so.2", "--help"], capture_output=True, text=True)
    found = re.findall(r"x86-64-(v\d) \(supported", done.stdout)
    return sorted(found) or ["v2"]


def test_every_instruction_set_gives_the_same(directory):
    levels = levels_of_this_machine()
    done = {level: run(directory, level) for level in [*levels, None]}
    assert {level: one.stderr for level, one in done.items()} == dict.fromkeys(done, "")
    lines = {level: one.stdout.splitlines() for level, one in done.items()}
    assert {level: said[0] for level, said in lines.items()} == {
        **{level: f"x86-64-{level}" for level in levels}, None: f"x86-64-{levels[-1]}"}
    assert len({said[1] for said in lines.values()}) == 1


@pytest.mark.parametrize("level", ["v5", "avx2", "V3", "3"])
def test_a_level_that_nobody_knows_is_an_import_error(directory, level):
    done = run(directory, level, "import isa")
    assert "ImportError: `isa` needs PYK2CU_CPU to be v2, v3 or v4" in done.stderr


def test_an_empty_variable_says_nothing(directory):
    assert run(directory, "", "import isa").returncode == 0


def test_functions_without_loops_exist_once(directory):
    bodies, rest = (directory / "isa.lanes.h").read_text(), (directory / "isa.cpp").read_text()
    assert "alone(int64_t n)" in rest and "alone" not in bodies
    assert "PYK_BODY(halves" in rest and "while" not in rest


def test_the_march_option_builds_one():
    out = build(TEXT, "isa", ["--march=x86-64-v2"])
    assert not (out / "isa.lanes.h").exists()
    sources = [source["path"] for source in json.loads((out / "isa.json").read_text())["sources"]]
    assert sources == ["isa.fast.cpp", "isa.cpp", "isa.module.cpp"]


def functions_of(binary):
    """The symbols with the code of each."""
    text = subprocess.run(["objdump", "-d", "--no-show-raw-insn", binary], capture_output=True, text=True).stdout
    return re.findall(r"^[0-9a-f]+ <(\w+)[^>]*>:\n(.*?)(?:\n\n|\Z)", text, re.M | re.S)


def test_nothing_shared_needs_more_than_the_least_processor(directory):
    """Code of the standard library that all bodies use is one function in the end; so is all that runs at import."""
    sources = [source["path"] for source in json.loads((directory / "isa.json").read_text())["sources"]]
    assert sources[-6:] == ["isa.fast.baseline.cpp", "isa.baseline.cpp", "isa.fast.v3.cpp", "isa.v3.cpp",
                            "isa.fast.v4.cpp", "isa.v4.cpp"]
    binary = next(directory.glob("isa*.so"))
    found = functions_of(binary)
    assert any("x86_64_v3" in name and "%ymm" in code for name, code in found)
    shared = [(name, code) for name, code in found if name.startswith(("_ZSt", "_ZNSt", "PyInit"))]
    assert len(shared) > 1
    assert [name for name, code in shared if re.search(r"%[yz]mm", code)] == []
    for source in sources[-4:]:
        began = subprocess.run(["nm", directory / f".pyk2cu/{source}.o"], capture_output=True, text=True).stdout
        assert "_GLOBAL__sub_I" not in began, source


def test_modules_that_gather_are_tuned_for_it():
    looks_up = """
        @njit("void(float64[::1], int64[::1], float64[::1])")
        def chosen(x, at, out):
            for i in range(len(out)):
                out[i] = {}
    """
    for element, tuned in (("x[at[i]]", True), ("x[i] + at[i]", False)):
        module = Batch(f"gathers_{str(tuned).lower()}", every_processor=True)
        module.add(looks_up.format(element))
        text = (module.directory / "CMakeLists.txt").read_text()
        assert ("-mtune=icelake-server" in text) == tuned
        x, at, out = np.arange(50.0), np.arange(50)[::-1].copy(), np.zeros(50)
        module.chosen(x, at, out)
        assert out.tolist() == [49.0 - k if tuned else 49.0 for k in range(50)]
