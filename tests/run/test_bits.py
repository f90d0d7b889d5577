"""Loops that count bits, as one instruction: what Python's own integers say of every type, alone, in lanes and on the device's twin."""
import re

import numpy as np
import pytest
from conftest import Batch

TYPES = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]
LOOPS = {  # of x and n; what Python says of x as the loop has it, from which numbers on
    "dropped": ("while x != {0}:\n            x &= x - {1}\n            n += 1", lambda x, bits: bin(x % 2 ** bits).count("1"), None),
    "truth": ("while x:\n            n = n + 1\n            x = x & (x - {1})", lambda x, bits: bin(x % 2 ** bits).count("1"), None),
    "positive": ("while x > {0}:\n            x &= x - {1}\n            n += 1", lambda x, _: bin(max(x, 0)).count("1"), None),
    "shifted": ("while x > {0}:\n            n += {int}(x & {1})\n            x >>= {1}", lambda x, _: bin(max(x, 0)).count("1"), None),
    "halved": ("while x > {0}:\n            n += {int}(x % {2})\n            x //= {2}", lambda x, _: bin(max(x, 0)).count("1"), None),
    "endless": ("while x:\n            n += {int}(x & {1})\n            x >>= {1}", lambda x, _: bin(x).count("1"), 0),
    "length": ("while x > {0}:\n            x >>= {1}\n            n += 1", lambda x, _: max(x, 0).bit_length(), None),
    "halvings": ("while x != {0}:\n            n += 1\n            x //= {2}", lambda x, _: x.bit_length(), 0),
    "late": ("while x > {0}:\n            x >>= {1}\n            n += {int}(x & {1})", lambda x, _: bin(max(x, 0) >> 1).count("1"), None),
    "above": ("while x > {1}:\n            x >>= {1}\n            n += 1", lambda x, _: max(max(x, 1).bit_length() - 1, 0), None),
}


def of(dtype, name):
    """The loop's source, in numbers that keep x's type: Numba makes floats of uint64 and int64."""
    wide = dtype == "uint64"
    number = "np.uint64({})" if wide else "{}"
    return LOOPS[name][0].format(*(number.format(k) for k in range(3)), int="np.int64" if wide else "")


TEXT = "".join(f'''
@njit("void({t}[:], int64[:], {t}[:])")
def {name}_{t}(a, counts, left):
    for i in range(len(a)):
        x, n = a[i], 5
        {of(t, name)}
        counts[i] = n
        left[i] = x

@njit("int64({t})")
def {name}_of_{t}(x):
    n = 0
    {of(t, name).replace("        ", "    ")}
    return n
''' for t in TYPES for name in LOOPS) + "".join(f'''
@cuda.jit("void({t}[:], {t}[:, :])")
def device_{t}(a, out):
    i = cuda.grid(1)
    if i < len(a):
        out[i, 0] = cuda.popc(a[i])
        out[i, 1] = cuda.clz(a[i])
''' for t in TYPES) + '''
@njit("void(int64[:], int32[:])", parallel=True)
def in_lanes(a, out):
    for i in prange(len(a)):
        x, steps = a[i], 0
        while x > 0 and steps < 100:
            n, y = 0, x
            while y > 0:
                n += y & 1
                y >>= 1
            x = x - n if n % 2 == 0 else x // 2
            steps += 1
        out[i] = steps

@njit("int8(uint64)")
def wrapped(x):
    n = np.int8(120)
    while x != 0:
        x &= x - np.uint64(1)
        n = np.int8(n + 1)
    return n

@cuda.jit("void(int64[:], int32[:])")
def on_device(a, out):
    i = cuda.grid(1)
    if i < len(a):
        x, n = a[i], 0
        while x != 0:
            x &= x - 1
            n += 1
        out[i] = n + cuda.popc(a[i]) + cuda.clz(a[i])
'''
OURS, PLAIN = Batch("bits"), Batch("bits_plain", ["--no-lanes"])
for module in (OURS, PLAIN):
    module.add(TEXT)


def numbers(dtype):
    info = np.iinfo(dtype)
    rng = np.random.default_rng(5)
    edges = [info.min, info.max, 0, 1, 2, 3, info.max // 2, info.max // 2 + 1] + [-1 if info.min else 4]
    return np.array(edges + rng.integers(info.min, info.max, 60, dtype=dtype, endpoint=True).tolist(), dtype)


@pytest.mark.parametrize("name", LOOPS)
@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("built", [OURS, PLAIN], ids=["lanes", "plain"])
def test_counts(built, dtype, name):
    _, said, least = LOOPS[name]
    a = numbers(dtype)
    a = a if least is None else a[a >= least]
    counts, left = np.zeros(len(a), np.int64), np.ones(len(a), dtype)
    getattr(built, f"{name}_{dtype}")(a, counts, left)
    expected = [said(int(x), 64) for x in a]  # smaller ones are computed in 64 bits
    assert (counts - 5).tolist() == expected
    ends = [min(int(x), 1 if name == "above" else 0) for x in a] if name not in ("dropped", "truth") else [0] * len(a)
    assert left.tolist() == ends
    assert [getattr(built, f"{name}_of_{dtype}")(x) for x in a] == expected


@pytest.mark.parametrize("dtype", TYPES)
def test_loops_become_instructions(dtype):
    text = "".join(path.read_text() for path in PLAIN.directory.glob("bits_plain.c*p*"))
    for name in LOOPS:
        body = re.search(rf"^int64_t {name}_of_{dtype}\(.*?^}}", text, re.M | re.S).group()
        assert ("bit_count(" in body) == (name not in ("length", "halvings", "late", "above")), body
        assert ("bit_length(" in body) == (name in ("length", "halvings")), body


@pytest.mark.parametrize("dtype", TYPES)
def test_the_device_counts_in_the_width_of_the_type(dtype):
    a, bits = numbers(dtype), np.iinfo(dtype).bits
    out = np.zeros((len(a), 2), dtype)
    getattr(OURS, f"device_{dtype}")[1, 128](a, out)
    unsigned = [int(x) % 2 ** bits for x in a]
    assert out.tolist() == [[bin(x).count("1"), bits - x.bit_length()] for x in unsigned]


def test_counts_inside_of_loops_that_part():
    a = np.random.default_rng(1).integers(-5, 1 << 40, 1000)
    outs = [np.zeros(1000, np.int32) for _ in range(2)]
    OURS.in_lanes(a, outs[0])
    PLAIN.in_lanes(a, outs[1])
    np.testing.assert_array_equal(*outs)
    x, steps = int(a[7]), 0
    while x > 0 and steps < 100:
        n = bin(x).count("1")
        x, steps = x - n if n % 2 == 0 else x // 2, steps + 1
    assert outs[0][7] == steps


def test_counters_of_few_bits_wrap():
    assert [OURS.wrapped(x) for x in (0, 127, 255, 2 ** 64 - 1)] == [120, 127, -128, -72]


def test_the_device_counts_alike():
    a = numbers("int64")
    out = np.zeros(len(a), np.int32)
    OURS.on_device[1, 128](a, out)
    assert out.tolist() == [2 * bin(int(x) % 2 ** 64).count("1") + 64 - (int(x) % 2 ** 64).bit_length() for x in a]
