"""What raises is rare: C++ compilers make vectors of a loop behind many checks too (PYK_LIKELY of pyk/config.h, pyk::raise)."""
import re
import subprocess

import numpy as np
import pytest
from conftest import Batch

MADE = Batch("rare_ways", ["--march=x86-64-v3"])
MADE.add("""
@njit("float64[:,::1](float64[:,::1], float64[:,::1], float64[:,::1], float64)")
def behind_arrays(x, y, z, eps):
    dx = x.T - x
    dy = y.T - y
    dz = z.T - z
    return (dx ** 2 + dy ** 2 + dz ** 2 + eps ** 2) ** (-1.5)


@njit("float64[::1](float64[::1], int64[::1])")
def behind_checks(x, n):
    if n[0] < 0: raise ValueError("a")
    if n[1] < 0: raise ValueError("b")
    if n[2] < 0: raise ValueError("c")
    if n[3] < 0: raise ValueError("d")
    if n[4] < 0: raise ValueError("e")
    if n[5] < 0: raise ValueError("f")
    if n[6] < 0: raise ValueError("g")
    if n[7] < 0: raise ValueError("h")
    if n[8] < 0: raise ValueError("i")
    if n[9] < 0: raise ValueError("j")
    if n[10] < 0: raise ValueError("k")
    if n[11] < 0: raise ValueError("l", n[11])
    out = np.empty(len(x))
    for i in range(len(x)):
        out[i] = x[i] * x[i] + 1.0
    return out
""")


def test_values():
    rng = np.random.default_rng(1)
    x, y, z = rng.random((3, 20, 1))
    np.testing.assert_allclose(MADE.behind_arrays(x, y, z, 0.1), MADE.plain.behind_arrays(x, y, z, 0.1), rtol=1e-13)
    n = np.ones(12, np.int64)
    np.testing.assert_array_equal(MADE.behind_checks(x[:, 0].copy(), n), x[:, 0] ** 2 + 1.0)
    for k in range(12):
        n[:] = 1
        n[k] = -1 - k
        with pytest.raises(ValueError) as caught:
            MADE.behind_checks(x[:, 0].copy(), n)
        assert caught.value.args == (("l", -12) if k == 11 else ("abcdefghijk"[k],))


@pytest.mark.parametrize("name, operation", [("behind_arrays", r"vfmadd\w+pd .*%ymm"), ("behind_checks", r"vmulpd .*%ymm")])
def test_loops_are_vectors(name, operation):
    MADE.module
    path = next(MADE.directory.glob("*.so"))
    text = subprocess.run(["objdump", "-d", "--no-show-raw-insn", "-C", path], capture_output=True, text=True, check=True).stdout
    bodies = [body for body in text.split("\n\n") if re.search(rf"^\w+ <[^>]*\b{name}(_c)?\b", body, re.M)]
    assert any(re.search(operation.replace(" ", r"\s+", 1), body) for body in bodies), len(bodies)
