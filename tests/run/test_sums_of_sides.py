"""Sums to which either side of a branch adds, without the branch: the same values, and nothing else is read."""
import numpy as np
import pytest
from conftest import Batch, assert_same_effects

KINDS = ["uint8", "int32", "int64", "uint64", "float32", "float64"]
built, plain = Batch("sums_of_sides"), Batch("sums_of_sides_plain", ["--no-lanes"])
for kind in KINDS:
    for module in (built, plain):
        module.add(f'''
@njit("{kind}({kind}[:], {kind}[:], {kind}, {kind})")
def both_{kind}(x, y, most, s):
    for i in range(len(x)):
        if x[i] > most:
            s += y[i]
        else:
            s -= y[i] * x[i]
    return s

@njit("int64({kind}[::1], {kind}[::1], int64)")
def up_and_down_{kind}(x, y, s):
    for i in range(len(x)):
        if x[i] > y[i]:
            s += 1
        else:
            s -= 2
    return s

@njit("{kind}({kind}[::1], {kind}[::1], {kind}[::1])")
def of_either_{kind}(x, y, z):
    """The one array ends where the other is asked for."""
    s = x[0]
    for i in range(len(x)):
        if x[i] > x[0]:
            s = s + y[i]
        else:
            s = s - z[i]
    return s

@njit("Tuple(({kind}, {kind}))({kind}[::1], {kind}[::1])")
def two_sums_{kind}(x, y):
    s = t = y[0]
    for i in range(len(x)):
        if y[i] > t:
            s += x[i]
            t = y[i]
        else:
            t -= x[i]
            s -= x[i] * 2
    return s, t
''')


def numbers(kind, size, seed):
    rng = np.random.default_rng(seed)
    dtype = np.dtype(kind)
    if dtype.kind == "f":
        x = (rng.integers(-9, 9, size) / 4).astype(dtype) * dtype.type(-0.5)
        x[5::70] = np.nan
        return x
    info = np.iinfo(dtype)
    return rng.integers(info.min, info.max, size, dtype, endpoint=True)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("size", [0, 1, 9, 300])
def test_sums(kind, size):
    dtype = np.dtype(kind)
    x, y = numbers(kind, size, size), numbers(kind, size, size + 1)
    starts = [-0.0, 3] if dtype.kind == "f" else [0, np.iinfo(dtype).max]
    for view in (slice(None), slice(None, None, -1)):
        for start in starts:
            assert_same_effects(built, plain, f"both_{kind}", x[view], y[view], dtype.type(1), dtype.type(start))
    assert_same_effects(built, plain, f"up_and_down_{kind}", x, y, 7)
    if size:
        assert_same_effects(built, plain, f"two_sums_{kind}", x, y)
        first = np.arange(size) < 1  # only the first is not greater than the first
        ordered = np.where(first, dtype.type(1), np.maximum(np.nan_to_num(x), dtype.type(2)))
        assert_same_effects(built, plain, f"of_either_{kind}", ordered, y, y[:1])


def test_they_have_no_branch():
    for function, branches in (("both_int64", 0), ("both_float64", 0), ("up_and_down_float32", 0), ("of_either_int64", 1)):
        body = built.emitted.rsplit(f" {function}(", 1)[1].split("\n}\n")[0]
        assert body.count("if (") == branches, body
