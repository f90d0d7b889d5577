"""x % 1.0, x // 4.0: what is left of a division by a power of two needs no library; to the last bit as in CPython."""
import itertools
import math

import numpy as np
import pytest
from conftest import Batch

POWERS = ["1.0", "1", "2.0", "4", "1024.0", "2.0**32", "2.0**33", "0.5", "3.0", "-2.0"]
built = Batch("whole_powers")
for kind, (k, power) in itertools.product(("float32", "float64"), enumerate(POWERS)):
    b = f"np.float32({power})" if kind == "float32" else power
    built.add(f'''
@njit("void({kind}[:], {kind}[:], {kind}[:])")
def parts_{kind}_{k}(x, rest, whole):
    for i in range(len(x)):
        rest[i] = x[i] % {b}
        whole[i] = x[i] // {b}


@njit("Tuple(({kind}, {kind}))({kind})")
def one_{kind}_{k}(x):
    return x % {b}, x // {b}
''')


def same(ours, theirs):
    return (math.isnan(ours) and math.isnan(theirs)) or (ours == theirs and math.copysign(1, ours) == math.copysign(1, theirs))


@pytest.mark.parametrize("kind", ["float32", "float64"])
@pytest.mark.parametrize("k", range(len(POWERS)), ids=POWERS)
def test_parts(kind, k):
    info = np.finfo(kind)
    rng = np.random.default_rng(k)
    edges = [0.0, 0.5, 1.0, 1.5, 2.0, 3.75, 4.0, 1023.999, 2.0**24 - 0.5, 2.0**31, 2.0**32, 2.0**33, 2.0**52 + 0.5, 2.0**53, float(info.max),
             float(info.tiny), float(info.smallest_subnormal), 1 - float(info.epsneg), 1 + float(info.eps), math.inf, math.nan]
    x = np.array([*edges, *(-e for e in edges), *(rng.normal(size=200) * 10.0 ** rng.integers(-8, 12, 200))], kind)
    rest, whole = np.zeros_like(x), np.zeros_like(x)
    getattr(built, f"parts_{kind}_{k}")(x, rest, whole)
    b = x.dtype.type(eval(POWERS[k]))
    with np.errstate(all="ignore"):
        for value, r, w in zip(x, rest, whole):
            expected = (value % b, value // b) if kind == "float32" else (float(value) % float(b), float(value) // float(b))
            for ours in ((r, w), getattr(built, f"one_{kind}_{k}")(value)):
                assert all(same(a, e) for a, e in zip(ours, expected)), (value, b, ours, expected)
