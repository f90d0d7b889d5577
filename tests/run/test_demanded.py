"""Whole numbers that are cut to 32 bits or fewer: the same low bits, whatever they are computed in."""
import numpy as np
import pytest
from conftest import Batch, assert_same_effects

TYPES = ["bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]
HEAD = {t: "boolean" if t == "bool" else t for t in TYPES}
WHOLE = TYPES[1:]
# Of widths every pair, of signs half of those.
PAIRS = [(a, c) for i, a in enumerate(WHOLE) for k, c in enumerate(WHOLE) if (i + k + i // 2) % 2 == 0]
PAIRS += [("bool", "int32"), ("bool", "uint8")]
TEXT = "".join(f'''
@njit("void({HEAD[a]}[:], {HEAD[a]}[:], {HEAD[c]}[:])")
def ring_{a}_{c}(a, b, c):
    for i in range(len(c)):
        x, y = np.int64(a[i]), np.int64(b[i])
        v = (x + y) * (x - 3 * y) ^ (x << 5) | (y & x)
        c[i] += np.{c}(-v * 7 + ~x)
''' for a, c in PAIRS) + "".join(f'''
@njit("void({t}[:, :], {t}[:, :], {t}[:, :])")
def product_{t}(a, b, c):
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            for k in range(b.shape[0]):
                c[i, j] += a[i, k] * b[k, j]

@njit("void({t}[:, :], {t}[:, :], {t}[:, :])")
def summed_{t}(a, b, c):
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            total = 0
            for k in range(b.shape[0]):
                total += np.int64(a[i, k]) * np.int64(b[k, j])
            c[i, j] = total

@njit("void({t}[:, :], {t}[:, :], int64[:, :])")
def widened_{t}(a, b, c):
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            total = 0
            for k in range(b.shape[0]):
                total += np.int64(a[i, k]) * np.int64(b[k, j])
            c[i, j] = total

@njit("void({t}[:], {t}[:], {t}[:], int64[:])")
def asked_{t}(a, b, c, more):
    """Variables of which somebody asks for more than the low bits."""
    for i in range(len(c)):
        x = np.int64(a[i]) * np.int64(b[i]) * 65537
        y = x * 3 + 1
        z = y if i % 3 else x - y
        w = z * np.int64(a[i])
        c[i] = w + z
        more[i] = x // 7 if i % 2 else y
''' for t in TYPES if t != "bool") + '''
@njit("int64(uint8[:])")
def fnv1a(x):
    h = 2166136261
    for c in x:
        h = ((h ^ c) * 16777619) & 0xffffffff
    return h

@njit("uint32(uint8[:])")
def fnv1a_cut(x):
    h = 2166136261
    for c in x:
        h = (h ^ c) * 16777619
    return np.uint32(h)

@njit("void(int64[:], int64, int64)")
def minstd(out, seed, turns):
    for i in range(len(out)):
        s = (seed + i) & 0x7fffffff
        for k in range(turns):
            s = (s * 1103515245 + 12345) & 0x7fffffff
        out[i] = s

@njit("void(float64[:], int64, int64)")
def numerical_recipes(out, seed, turns):
    for i in range(len(out)):
        s = (seed + i) & 0xffffffff
        for k in range(turns):
            s = (s * 1664525 + 1013904223) & 0xffffffff
        out[i] = s / 4294967296.0

@njit("void(int64[:], int64[:])")
def masks(x, out):
    for i in range(len(x)):
        out[i] = ((x[i] * x[i]) & 0xffff) + ((x[i] * 5 - 1) & 0x80000000) - ((x[i] * 3) & 0xffffffff) \\
            + ((x[i] * 9) & 0x1ffffffff) + ((x[i] * 11) & -2)

@njit("void(int64[:], int32[:], int64)")
def shifts(x, out, by):
    for i in range(len(x)):
        out[i] += np.int32((x[i] * 3) << 31) ^ np.int32((x[i] * 3) << 32) ^ np.int32((x[i] * 3) << by) \\
            ^ np.int32((x[i] * 3) >> 7) ^ np.int32((x[i] * 3) // 5) ^ np.int32(-(x[i] * x[i])) ^ np.int32(~(x[i] * 7))

@njit("void(float64[:], int32[:])")
def of_floats(x, out):
    for i in range(len(x)):
        out[i] = np.int64(x[i]) * 1000003 + np.int64(x[i] * 2) * i

@njit("void(int64[:], int64[:])")
def chosen(x, out):
    for i in range(len(x)):
        v = x[i] * 17 if x[i] > 0 else -x[i] * 19
        while v > 1000:
            v = (v * 3) & 1023
        out[i] = np.uint8(v * 31 + (x[i] * 7 if (x[i] * 5) & 3 else x[i] * 11))

@njit("void(int64[:], int64[:])")
def counted(keys, counts):
    for i in range(len(keys)):
        counts[(keys[i] * 2654435769 & 0xffffffff) >> 28] += 1

@njit("void(int64[:], uint64[:], int64[:])")
def rests(x, u, out):
    """Of powers of two, of one that has more bits, of others."""
    for i in range(len(x)):
        out[i] = (x[i] * x[i] - 7) % 65536 + (-x[i] * 3) % 4294967296 - (x[i] * 5 + 1) % 2 + (x[i] * 9) % 8589934592 \\
            + (x[i] * x[i]) % 1 + (x[i] * 3) % 12 - (x[i] * 3) % -4 + np.int64((u[i] * u[i] + np.uint64(3)) % np.uint64(256))

@njit("boolean(float32[:], float32, float32)")
def crossed(x, least, most):
    """A counter beside float32 of which the lowest bit is asked; by steps that overflow 32 bits."""
    count, steps = 0, -3
    for i in range(len(x)):
        if least < x[i]:
            if x[i] <= most:
                count += 1
                steps = steps * 65537 - count
            else:
                steps = -steps if count % 2 else steps << 3
    return (count % 2 == 1) != (steps % 8 == 5)

@njit("void(float32[:, :], float32[:], boolean[:])")
def all_crossed(x, least, out):
    for i in range(len(least)):
        out[i] = crossed(x[i % len(x)], least[i], least[i] + np.float32(2))

@njit("boolean(float32[:], float32)", parallel=True)
def crossed_by_cores(x, z):
    """What cores add up stays 64 bits wide: two halves of it overflow 32."""
    count = 0
    for i in prange(len(x)):
        if x[i] > z:
            count += 715827883
    return count % 2 == 1

@njit("int64(float32[:], float32)")
def counted_beside(x, least):
    """One that is asked for as a whole, and one that is not."""
    whole, low = 1, 1
    for i in range(len(x)):
        if x[i] > least:
            whole += 1
            whole *= 3
            low = low * 3 + 1
    return whole + low % 4

@njit("int32(int64, int64)")
def halves(n, m):
    low = 1
    for i in range(n):
        low = low * 31 + m
        if i % 5 == 4:
            low -= np.int64(np.int32(low))
    return np.int32(low)
'''
OURS, PLAIN = Batch("demanded"), Batch("demanded_plain", ["--no-lanes"])
for module in (OURS, PLAIN):
    module.add(TEXT)
SIZES = [0, 1, 7, 64, 203]


@pytest.fixture
def built():
    return OURS


def numbers(dtype, *shape, seed=0):
    rng = np.random.default_rng(seed + sum(shape))
    if dtype == "bool":
        return rng.integers(0, 2, shape).astype(bool)
    info = np.iinfo(dtype)
    x = rng.integers(info.min, info.max, shape, dtype=dtype, endpoint=True)
    if x.size > 6:
        x.flat[:4] = [info.min, info.max, 0, 1]
    return x


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("dtype", TYPES)
def test_rings(built, dtype, size):
    a, b = numbers(dtype, 2 * size)[::2], numbers(dtype, size, seed=1)[::-1]
    for _, to in (pair for pair in PAIRS if pair[0] == dtype):
        assert_same_effects(built, PLAIN, f"ring_{dtype}_{to}", a, b, numbers(to, size, seed=2))


@pytest.mark.parametrize("shape", [(0, 3, 4), (3, 0, 5), (5, 7, 3), (9, 20, 65), (40, 33, 70)])
@pytest.mark.parametrize("dtype", TYPES[1:])
def test_products(built, dtype, shape):
    n, k, m = shape
    a, b, c = numbers(dtype, n, k), numbers(dtype, k, m, seed=1), numbers(dtype, n, m, seed=2)
    for layout in (lambda x: x, np.asfortranarray, lambda x: x[::-1, ::-1]):
        arrays = [layout(x) for x in (a, b, c)]
        assert_same_effects(built, PLAIN, "product_" + dtype, *arrays)
        assert_same_effects(built, PLAIN, "summed_" + dtype, *arrays)
        assert_same_effects(built, PLAIN, "widened_" + dtype, arrays[0], arrays[1], np.zeros((n, m), np.int64))
    if n and k and dtype != "uint64":
        out = np.zeros((n, m), dtype)
        getattr(built, "product_" + dtype)(a, b, out)
        np.testing.assert_array_equal(out, (a.astype(object) @ b.astype(object) & (2 ** 64 - 1)).astype(np.uint64).astype(dtype))


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("dtype", TYPES[1:])
def test_who_asks_for_more_gets_it(built, dtype, size):
    a, b, c = (numbers(dtype, size, seed=k) for k in range(3))
    assert_same_effects(built, PLAIN, "asked_" + dtype, a, b, c, np.zeros(size, np.int64))


def test_hashes(built):
    for text, wanted in ((b"", 0x811c9dc5), (b"a", 0xe40c292c), (b"foobar", 0xbf9cf968)):
        x = np.frombuffer(text, np.uint8).copy()
        assert built.fnv1a(x) == wanted
        assert built.fnv1a_cut(x) == wanted


@pytest.mark.parametrize("turns", [0, 1, 13])
def test_generators(built, turns):
    for seed in (0, 1, -1, 2 ** 31, 2 ** 62 + 12345):
        out, other = np.zeros(77, np.int64), np.zeros(77)
        built.minstd(out, seed, turns)
        built.numerical_recipes(other, seed, turns)
        for i in range(77):
            s, t = (seed + i) & 0x7fffffff, (seed + i) & 0xffffffff
            for _ in range(turns):
                s, t = (s * 1103515245 + 12345) & 0x7fffffff, (t * 1664525 + 1013904223) & 0xffffffff
            assert out[i] == s
            assert other[i] == t / 4294967296.0


@pytest.mark.parametrize("size", SIZES)
def test_kinds(built, size):
    x = numbers("int64", size)
    assert_same_effects(built, PLAIN, "masks", x, np.zeros(size, np.int64))
    for by in (0, 31, 32, 63):
        assert_same_effects(built, PLAIN, "shifts", x, numbers("int32", size), by)
    assert_same_effects(built, PLAIN, "rests", x, numbers("uint64", size), np.zeros(size, np.int64))
    assert_same_effects(built, PLAIN, "of_floats", numbers("int32", size) * 1.7e4, np.zeros(size, np.int32))
    assert_same_effects(built, PLAIN, "chosen", x, np.zeros(size, np.int64))
    assert_same_effects(built, PLAIN, "counted", x, np.zeros(16, np.int64))
    for n in (0, 3, 50):
        assert built.halves(n, 2 ** 61 + size) == PLAIN.halves(n, 2 ** 61 + size)


def test_rests_are_those_of_python(built):
    x = np.array([-7, -1, 0, 5, 2 ** 20 + 3, -2 ** 29], np.int64)
    out = np.zeros(len(x), np.int64)
    built.rests(x, x.astype(np.uint64) % 1000, out)
    for i, v in enumerate(x.tolist()):
        u = int(x[i].astype(np.uint64)) % 1000
        assert out[i] == (v * v - 7) % 65536 + (-v * 3) % 2 ** 32 - (v * 5 + 1) % 2 + (v * 9) % 2 ** 33 \
            + v * 3 % 12 - v * 3 % -4 + (u * u + 3) % 256


@pytest.mark.parametrize("size", SIZES)
def test_counters(built, size):
    rng = np.random.default_rng(size)
    x, least = rng.standard_normal((3, size + 40)).astype(np.float32), rng.standard_normal(size).astype(np.float32)
    if size:
        assert_same_effects(built, PLAIN, "all_crossed", x, least, np.zeros(size, bool))
    for row in x:
        assert built.crossed(row, np.float32(-0.5), np.float32(0.5)) == PLAIN.crossed(row, np.float32(-0.5), np.float32(0.5))
        whole = low = 1
        for v in row:
            if v > 0:
                whole, low = (whole + 1) * 3, low * 3 + 1
        assert built.counted_beside(row, np.float32(0)) == (whole + low % 4 + 2 ** 63) % 2 ** 64 - 2 ** 63


@pytest.mark.parametrize("size", [0, 3, 20001])
def test_counters_of_cores(built, size):
    assert built.crossed_by_cores(np.ones(size, np.float32), np.float32(0.5)) == bool(size % 2)
    assert "int64_t count = 0;" in built.emitted[built.emitted.index("crossed_by_cores("):]
