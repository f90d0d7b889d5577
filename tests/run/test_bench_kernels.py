"""The kernels of the benchmark compute what Numba's own functions compute, at sizes that plain Python can do too.

Built once, for this processor alone, which is the body that `samples/bench/lanes.py` calls; compared with the same file under CPython,
bytes being int64 there, as arithmetic with them is under Numba.
"""
import importlib.util
import pathlib
import subprocess

import numpy as np
import pytest
from conftest import BUILD_PYTHON, PYK2CU, load_module
from support import plain

ROOT = pathlib.Path(__file__).resolve().parents[2]
KERNELS = ROOT / "samples/bench/kernels"


def _cases():
    spec = importlib.util.spec_from_file_location("kernel_cases", KERNELS / "cases.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


CASES = _cases()
MODULES = sorted({c.module for c in CASES.KERNELS} | {"goal"})
ONCE = {c.name: c for c in [*CASES.KERNELS, *(c for c in CASES.GOAL if c.module == "goal" and "1024" not in c.note)]}


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    out = tmp_path_factory.mktemp("kernels")
    done = subprocess.run([PYK2CU, *(str(KERNELS / f"{m}.py") for m in MODULES), "-o", str(out), "--build", "--quiet",
                           "--march=native", "--python", BUILD_PYTHON], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return {m: load_module(next(out.glob(f"{m}.*so"))) for m in MODULES}


@pytest.fixture(scope="module")
def plain_modules():
    return {m: plain.load(KERNELS / f"{m}.py") for m in MODULES}


def _widened(arguments):
    return tuple(a.astype(np.int64) if isinstance(a, np.ndarray) and a.dtype == np.uint8 else a for a in arguments)


def test_there_are_forty_kernels_and_half_are_parallel():
    assert len(CASES.KERNELS) == len({c.name for c in CASES.KERNELS}) == 40
    text = {m: (KERNELS / f"{m}.py").read_text() for m in MODULES}
    parallel = [c for c in CASES.KERNELS
                if "parallel=True" in text[c.module].partition(f"def {c.function}(")[0].rpartition("@njit")[2]]
    assert len(parallel) == 20


@pytest.mark.parametrize("case", ONCE.values(), ids=list(ONCE))
def test_kernel_computes_what_python_computes(case, built, plain_modules):
    with np.errstate(over="ignore"):
        expected = case.results(getattr(plain_modules[case.module], case.function),
                                _widened(case.arguments(case.small)))
    ours = case.results(getattr(built[case.module], case.function), case.arguments(case.small))
    assert case.same(ours, expected)
