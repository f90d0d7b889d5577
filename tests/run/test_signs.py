"""Differences of numbers without a sign: what modulo 2**64 gives, whoever asks for them."""
import numpy as np
import pytest
from conftest import Batch

TYPES = ["uint8", "uint16", "uint32", "uint64", "bool_"]
TEXT = "".join(f'''
@njit("int64[:]({dtype.rstrip('_').replace('bool', 'boolean')}[:], {dtype.rstrip('_').replace('bool', 'boolean')}[:])")
def asked_{dtype}(a, b):
    out = np.zeros(12, np.int64)
    for i in range(len(a)):
        x, y = np.uint64(a[i]), np.uint64(b[i])
        d = x - y
        e = d * x + y if i % 2 == 0 else y - d
        out[0] += np.int64(d)
        out[1] += 1 if d > 0 else 0
        out[2] += 1 if d == np.uint64(3) else 0
        out[3] += np.int64(e) // 7
        out[4] += np.int64(x * y - y) % 5
        out[5] += 1 if e <= 0 else 2
        out[6] += 1 if d > y else 0
        out[7] += np.int64(d >> np.uint64(60))
        out[8] += np.int64(e // np.uint64(3))
        out[9] ^= np.int64(max(d, e))
        out[10] += int(np.float64(d) > 1e18)
        out[11] += 1 if 0 < e else 3
    return out
''' for dtype in TYPES) + '''
@njit("void(uint8[:, ::1], uint8[::1])")
def greys(rgb, out):
    for i in range(len(rgb)):
        r, g, b = int(rgb[i, 0]), int(rgb[i, 1]), int(rgb[i, 2])
        span = max(r, max(g, b)) - min(r, min(g, b))
        hue = 0
        if span > 0:
            hue = 43 * (g - b) // span if r >= g else 85 + 43 * (b - r) // span
        out[i] = hue

@njit
def stored(x, k):
    x[k % len(x)] |= np.uint64(1)
    return x[-1]

@njit("int64(uint64[:], int64)")
def called(x, k):
    """A call that may raise and stores stays a statement."""
    value = stored(x, k)
    return np.int64(value) % 100

@njit("uint64(uint8[:], int32[:])")
def mixed(a, b):
    total = np.uint64(7)
    for i in range(len(a)):
        d = int(a[i]) - np.uint64(b[i])
        total += d
        d = d - 1 if np.int64(d) < 0 else d
        total ^= np.uint64(np.int64(d) >> 1)
    return total
'''
OURS, PLAIN = Batch("signs", ["--fp=strict"]), Batch("signs_plain", ["--no-lanes", "--fp=strict"])
for module in (OURS, PLAIN):
    module.add(TEXT)


@pytest.mark.parametrize("dtype", TYPES)
def test_all_that_may_be_asked(dtype):
    rng = np.random.default_rng(3)
    for count in (0, 1, 300):
        if dtype == "bool_":
            a, b = rng.random((2, count)) < 0.5
        else:
            most = np.iinfo(dtype).max
            a, b = (np.where(rng.random(count) < 0.2, most, rng.integers(0, min(most, 2**63 - 1), count)).astype(dtype) for _ in "ab")
            b[::3] = a[::3]
        assert getattr(OURS, "asked_" + dtype)(a, b).tolist() == getattr(PLAIN, "asked_" + dtype)(a, b).tolist()


def test_against_python():
    """Of bytes, in Python's own numbers."""
    rng = np.random.default_rng(4)
    a, b = rng.integers(0, 256, (2, 200)).astype(np.uint8)
    out = OURS.asked_uint8(a, b)
    d = [int(x) - int(y) for x, y in zip(a, b)]
    assert out[0] == sum(d) and out[1] == sum(x != 0 for x in d) and out[2] == d.count(3)
    assert out[4] == sum((int(x) * int(y) - int(y)) % 5 for x, y in zip(a, b))


def test_pixels_and_mixtures():
    rng = np.random.default_rng(5)
    rgb = rng.integers(0, 256, (500, 3)).astype(np.uint8)
    rgb[::7] = rgb[::7, :1]
    results = []
    for module in (OURS, PLAIN):
        out = np.zeros(500, np.uint8)
        module.greys(rgb, out)
        results.append((out.tolist(), module.mixed(rgb[:, 0], rng.__class__(np.random.PCG64(1)).integers(-300, 300, 500).astype(np.int32))))
    assert results[0] == results[1]
    x = np.array([4, 2**63 + 8], np.uint64)
    assert OURS.called(x, 0) == PLAIN.called(x.copy(), 0) and x[0] == 5
    with pytest.raises(ZeroDivisionError):
        OURS.called(x[:0], 1)
