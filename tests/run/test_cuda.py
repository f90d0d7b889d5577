"""CUDA kernels: the twin on the CPU equals a per-thread Python loop bit for bit, and nvcc builds without a warning."""
import copy
import importlib.util
import os
import pathlib
import shutil
import subprocess
import sys

import numpy as np
import pytest
from conftest import BUILD_PYTHON

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "samples"))
from support import cases, plain  # noqa: E402

CASES = [c for c in cases.CASES if c.launch]
FILES = {name: ROOT / f"samples/{name}.py" for name in sorted({c.module for c in CASES})}
FILES["cuda_kernels"] = pathlib.Path(__file__).parent / "kernels/cuda_kernels.py"


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    out = tmp_path_factory.mktemp("cuda")
    compiler = os.environ.get("PYK2CU", str(ROOT / "build/pyk2cu"))
    done = subprocess.run([compiler, *map(str, FILES.values()), "-o", str(out), "--build", "--python", BUILD_PYTHON],
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return out


def load(built, name):
    spec = importlib.util.spec_from_file_location(name, next(built.glob(f"{name}.*so")))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("case", CASES, ids=lambda c: c.module)
@pytest.mark.parametrize("size", [1, 2, 13, 37])
def test_the_twin_equals_a_loop_over_threads(built, case, size, nep50):
    ours, theirs = (copy.deepcopy(a) for a in [case.make(size)] * 2)
    case.call(load(built, case.module), ours)
    case.call(plain.load(FILES[case.module]), theirs)
    for a, b in zip(ours, theirs):
        assert np.array_equal(a, b)


@pytest.mark.parametrize("grid,block", [(1, 1), (3, 5), (7, 32), ((2, 3), (4, 2)), ((2, 1, 3), (2, 3, 2))])
def test_every_thread_knows_its_place(built, grid, block):
    module, python = load(built, "cuda_kernels"), plain.load(FILES["cuda_kernels"])
    ours, theirs = np.zeros(4096, "i8"), np.zeros(4096, "i8")
    module.places[grid, block](ours)
    python.places[grid, block](theirs)
    assert np.array_equal(ours, theirs)


def test_cuda_typing_rules_hold_in_the_twin(built):
    module = load(built, "cuda_kernels")
    x, out = np.array([2.7, -2.7, np.nan], "f8"), np.zeros(9)
    module.rules[1, 1](x, out)
    assert out[0] == 2.0 and out[1] == -3.0            # floor keeps the float type
    assert out[2] == 1.0 and out[3] == 1.0             # max(nan, 1) ignores the nan, either way round
    assert out[4] == 0.0                               # integer division by zero is 0
    assert np.isinf(out[5]) and out[6] == 0.0          # 1.0 / 0.0; shift past the width
    assert np.isnan(out[7]) and out[8] == 1.0          # of a float and an integer the first one that is not less


def test_early_return_ends_only_that_thread(built):
    module = load(built, "cuda_kernels")
    out = np.zeros(10, "f4")
    module.some_return[2, 8](out)
    assert out.tolist() == [0, 1, 0, 3, 0, 5, 0, 7, 0, 9]


def test_launch_configuration_errors(built):
    kernel = load(built, "cuda_saxpy").saxpy
    x = np.ones(4, "f4")
    with pytest.raises(ValueError, match="launch configuration was not specified"):
        kernel(1.0, x, x)
    with pytest.raises(ValueError):
        kernel[(1, 1, 1, 1), 32]
    with pytest.raises(TypeError):
        kernel["1", 32]
    with pytest.raises(TypeError, match="float32"):
        kernel[1, 32](1.0, x.astype("f8"), x)


def test_negation_wraps(built):
    a, out = np.array([-32768, -7, 0, 32767], "i2"), np.zeros(8, "i8")
    load(built, "cuda_kernels").negated[1, 32](a, out)
    assert out.tolist() == [-32768, -32768, 7, 7, 0, 0, -32767, 32767]


def test_kernels_call_one_another_and_give_arrays_back(built):
    a, out = np.arange(12.0).reshape(6, 2), np.zeros(6)
    load(built, "cuda_kernels").calls[1, 8](a, out)
    expected = [a[i, 0] / 2 + 100 * (i % 2 == 0) + a[i, 1] * a[i + 1, 1] for i in range(5)] + [-1]
    assert out.tolist() == expected
    load(built, "cuda_kernels").set_to[1, 8](out, 3.0)
    assert out.tolist() == [3.0] * 6


NVCC = shutil.which("nvcc")


@pytest.mark.skipif(not NVCC, reason="no nvcc on this machine: CUDA code is not compiled here")
def test_no_negation_of_16_bits_is_left_to_ptxas(built, tmp_path):
    """That of CUDA 13.0 makes 32768 of -(-32768), as an H100 showed."""
    done = subprocess.run([NVCC, "-std=c++17", "-arch=compute_90", "-ptx", "cuda_kernels.cu", "-o", str(tmp_path / "out")],
                          cwd=built, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    ptx = (tmp_path / "out").read_text()
    assert "negated" in ptx and "neg.s16" not in ptx and "abs.s16" not in ptx


@pytest.mark.skipif(not NVCC, reason="no nvcc on this machine: CUDA code is not compiled here")
@pytest.mark.parametrize("arch", ["sm_80", "sm_90", "compute_80"])
@pytest.mark.parametrize("name", sorted(FILES))
def test_nvcc_builds_without_a_warning(built, tmp_path, name, arch):
    form = "-ptx" if arch.startswith("compute") else "-cubin"
    done = subprocess.run([NVCC, "-std=c++17", "-Werror", "all-warnings", f"-arch={arch}", form, f"{name}.cu", "-o",
                           str(tmp_path / "out")], cwd=built, capture_output=True, text=True)
    assert done.returncode == 0 and not done.stderr.strip(), done.stderr
