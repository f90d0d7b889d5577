"""1e5 calls of every entry point, error paths included: reference counts and resident memory stay."""
import gc
import os
import sys

import numpy as np
import pytest
from module_batch import batch, tuples


def resident():
    with open("/proc/self/statm") as f:
        return int(f.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def quietly(f, *args, **kwargs):
    try:
        f(*args, **kwargs)
    except Exception:
        pass


class Shows:
    """An array by its protocol."""

    def __array__(self, dtype=None, copy=None):
        return A


A, B, M, O = np.arange(5.0), np.arange(5.0), np.ones((2, 2)), np.zeros((2, 2))
OUT, MEMORY = np.zeros(4, "f4"), memoryview(np.arange(5.0))
EVERY_CALL = {
    "product": lambda: batch.product(2.0, 3.0), "default": lambda: batch.product(2), "keyword": lambda: batch.product(y=1, x=2),
    "converted": lambda: batch.product(np.float32(2), np.int8(3)), "mixed": lambda: batch.mixed(np.float64(1), 2, True, 1),
    "small": lambda: batch.small(5), "overflow": lambda: quietly(batch.small, 500), "large": lambda: batch.large(2**63),
    "conjugate": lambda: batch.conjugate(1), "invert": lambda: batch.invert(True), "total": lambda: batch.total(A),
    "scale": lambda: batch.scale(M, O, 2.0), "contiguous": lambda: quietly(batch.contiguous, M.T, OUT),
    "plus": lambda: batch.plus(1, 2.5), "last": lambda: quietly(batch.last, OUT.astype("i2")),
    "triple": lambda: batch.triple(1, 2.0), "norm2": lambda: batch.norm2((1, 2.0, 3.0)),
    "bad tuple": lambda: quietly(batch.norm2, (1, 2.0, "a")), "maybe": lambda: batch.maybe(None), "some": lambda: batch.maybe(2),
    "squares": lambda: batch.squares(64), "tail": lambda: batch.tail(A, 2), "itself": lambda: batch.either(A, B, False),
    "with_size": lambda: tuples.with_size(A), "divide": lambda: quietly(batch.divide, 1.0, 0.0),
    "check": lambda: quietly(batch.check, -1), "count": lambda: quietly(batch.product, 1, 2, 3),
    "unknown": lambda: quietly(batch.product, 1, z=3), "missing": lambda: quietly(batch.scale), "wrong": lambda: quietly(batch.total, M),
    "fill": lambda: batch.fill[1, 4](OUT, 1.0), "forall": lambda: batch.fill.forall(4)(OUT, value=1.0),
    "unconfigured": lambda: quietly(batch.fill, OUT, 1.0), "bad grid": lambda: quietly(lambda: batch.fill[1.5, "a"]),
    "star": lambda: batch.product(*(1.0,), **{"y": 2.0}), "parallel": lambda: batch.parallel_total(A),
    "converted array": lambda: batch.total(OUT), "memory": lambda: batch.total(MEMORY), "shows": lambda: batch.total(Shows()),
    "shows what is written": lambda: quietly(batch.scale, M, Shows(), 1.0), "bytes": lambda: batch.total(b"123"),
    "converted in a view": lambda: batch.tail(OUT, 1), "method": lambda: batch.product.__get__(2.0)(3.0),
    "no source": lambda: quietly(getattr, batch.product, "py_func"),
    "attributes": lambda: (batch.plus.signatures, batch.product.__doc__, batch.product.__text_signature__, repr(batch.fill)),
}
FEW = {"parallel", "attributes", "no source"}


@pytest.mark.parametrize("name", EVERY_CALL)
def test_nothing_leaks(name):
    call, count = EVERY_CALL[name], 20_000 if name in FEW else 100_000
    watched = [A, B, M, O, OUT, None, True, TypeError, np.dtype("f8"), batch.product, batch.fill, type(batch.fill[1, 1])]
    for _ in range(2_000):
        call()
    gc.collect()
    references, blocks, memory = [sys.getrefcount(o) for o in watched], sys.getallocatedblocks(), resident()
    for _ in range(count):
        call()
    gc.collect()
    differences = [abs(sys.getrefcount(o) - r) for o, r in zip(watched, references)]
    assert max(differences) < 20, differences
    assert sys.getallocatedblocks() - blocks < count // 20, "small objects of Python"
    assert resident() - memory < 2 << 20


@pytest.mark.skipif(sys.version_info < (3, 12), reason="before CPython 3.12, None is counted as any object is")
def test_none_stays_immortal():
    """One count too many makes it mortal, for the rest of the process."""
    batch.fill[1, 4], batch.fill.forall(4)
    before = sys.getrefcount(None)
    held = [call() for _ in range(10) for call in (
        lambda: batch.scale(M, O, 2.0), lambda: batch.maybe(None), lambda: batch.fill[1, 4](OUT, 1.0),
        lambda: batch.fill.forall(4)(OUT, 1.0), lambda: batch.check(1), lambda: tuples.nothing(1))]
    assert sys.getrefcount(None) == before and held[:5] == [None] * 5 and held[5] == (1, None)
