"""np.iinfo and np.finfo in compiled code: the values of NumPy, in Numba's types."""
import numpy as np
import pytest
from conftest import Batch, run_pyk2cu

batch = Batch("limits")
INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
FLOATS = ["float32", "float64"]
for t in INTEGERS:
    batch.add(f'''
@njit("Tuple(({t}, int64))({t}[:])")
def of_{t}(a):
    info = np.iinfo(a.dtype)
    return np.{t}(info.max), info.bits


@njit("int64()")
def least_{t}():
    return np.iinfo(np.{t}).min
''')
for t in FLOATS:
    batch.add(f'''
@njit
def all_{t}(a):
    info = np.finfo(a.dtype)
    return info.eps, info.max, info.min, info.tiny, info.bits


@njit("UniTuple({t}, 4)({t}[:])")
def of_{t}(a):
    e, high, low, tiny, bits = all_{t}(a)
    return e, high, low, tiny
''')


@pytest.mark.parametrize("t", INTEGERS)
def test_integers(t):
    info = np.iinfo(t)
    assert getattr(batch, f"of_{t}")(np.zeros(1, t)) == (info.max, info.bits)
    assert getattr(batch, f"least_{t}")() == info.min


@pytest.mark.parametrize("t", FLOATS)
def test_floats(t):
    info = np.finfo(t)
    assert getattr(batch, f"of_{t}")(np.zeros(1, t)) == (info.eps, info.max, info.min, info.tiny)


def test_what_has_no_limits(tmp_path):
    (tmp_path / "k.py").write_text('import numpy as np\nfrom numba import njit\n\n\n@njit("float64()")\ndef f():\n'
                                   '    return np.iinfo(np.float64).max\n')
    done = run_pyk2cu("k.py", "-o", "out", cwd=tmp_path)
    assert done.returncode == 1 and "PK4012" in done.stderr
