"""Elements that an iteration may not read are not read, however a C++ compiler chooses by masks: arrays end where memory ends."""
import ctypes
import mmap
import sys

import numpy as np
import pytest
from conftest import Batch

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="asks for pages")
BATCHES = {processor: Batch(f"masked_loads_{processor}", every_processor=True) if processor == "dispatched"
           else Batch(f"masked_loads_{processor}", ("--march=native",)) for processor in ("dispatched", "native")}
for batch in BATCHES.values():
    batch.add('''
@njit("int64(float64[:], float64[:])")
def inversions(a, tmp):
    n = len(a)
    inv = 0
    w = 1
    while w < n:
        for lo in range(0, n, 2 * w):
            mid = min(lo + w, n)
            hi = min(lo + 2 * w, n)
            i, j = lo, mid
            for k in range(lo, hi):
                if i < mid and (j >= hi or a[i] <= a[j]):
                    tmp[k] = a[i]
                    i += 1
                else:
                    tmp[k] = a[j]
                    inv += mid - i
                    j += 1
        a[:] = tmp
        w *= 2
    return inv


@njit("void(float64[::1], float64[::1], int64)")
def from_the_end(src, dst, j):
    for k in range(len(dst)):
        dst[k] = src[j]
        j += 1


@njit("void(int64[::1], float64[::1], float64[::1])")
def behind_signs(marks, few, out):
    for k in range(len(marks)):
        if marks[k] < 0:
            out[k] = few[k]


@njit("float64(float32[::1], float64[::1])")
def summed_behind_signs(marks, few):
    total = 0.0
    for k in range(len(marks)):
        if marks[k] < 0.0:
            total += few[k]
    return total
''')

PAGE = mmap.PAGESIZE


class Guarded:
    """Arrays with memory that nobody may read on both sides."""

    def __init__(self):
        self._kept, self._libc = [], ctypes.CDLL(None, use_errno=True)

    def array(self, values, at_end):
        values = np.ascontiguousarray(values)
        pages = max(1, -(-values.nbytes // PAGE))
        block = mmap.mmap(-1, (pages + 2) * PAGE)
        self._kept.append(block)
        address = ctypes.addressof(ctypes.c_char.from_buffer(block))
        for closed in (address, address + (pages + 1) * PAGE):
            assert self._libc.mprotect(ctypes.c_void_p(closed), ctypes.c_size_t(PAGE), 0) == 0
        first = PAGE + (pages * PAGE - values.nbytes if at_end else 0)
        out = np.frombuffer(block, values.dtype, values.size, first)
        out[:] = values
        return out


@pytest.fixture(scope="module")
def guarded():
    return Guarded()


@pytest.mark.parametrize("at_end", [False, True])
@pytest.mark.parametrize("processor", BATCHES)
@pytest.mark.parametrize("n", [1, 2, 3, 5, 8, 17, 33, 100, 512, 1024])
def test_no_element_but_those_asked_for(processor, n, at_end, guarded):
    module, plain = BATCHES[processor], BATCHES[processor].plain
    rng = np.random.default_rng(n)

    def agree(name, arrays, *numbers):
        ours = [guarded.array(a, at_end) for a in arrays]
        theirs = [a.copy() for a in arrays]
        result, right = getattr(module, name)(*ours, *numbers), getattr(plain, name)(*theirs, *numbers)
        assert result == right or result == pytest.approx(right, rel=1e-12)
        for a, b in zip(ours, theirs):
            np.testing.assert_array_equal(a, b)

    agree("inversions", [rng.random(n), np.zeros(n)])
    for j in {0, -n, -n // 2, -1}:
        agree("from_the_end", [rng.random(n), np.zeros(n)], j)
    marks = rng.integers(0, 5, n)
    marks[:n // 3] *= -1
    agree("behind_signs", [marks, rng.random(n // 3), np.zeros(n)])
    agree("summed_behind_signs", [marks.astype("f4"), rng.random(n // 3)])
