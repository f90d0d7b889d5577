"""Arrays that are too large: MemoryError, in a module where nothing else raises, and nothing is spoiled by it."""
import numpy as np
import pytest
from conftest import build, load_module

SOURCE = '''
import numpy as np
from numba import njit


@njit("float64[::1](uint32)")
def zeros(n):
    return np.zeros(n * 100000)


@njit("float64(uint32)")
def total(n):
    return zeros(n).size + np.ones(n * 100000 + 1)[0]
'''


def test_no_memory_is_a_memory_error():
    out = build(SOURCE, "only_allocates")
    assert "pyk::raise" not in (out / "only_allocates.cpp").read_text()  # there is no table of places either
    module = load_module(next(out.glob("only_allocates.*.so")))
    for function in (module.zeros, module.total):
        with pytest.raises(MemoryError):
            function(4_000_000_000)  # petabytes
    assert np.array_equal(module.zeros(2), np.zeros(200_000))
    assert module.total(1) == 100_001.0
