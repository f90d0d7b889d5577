"""Sums of bytes and other small numbers, in blocks of few bits: exact, whatever the elements are."""
import numpy as np
import pytest
from conftest import Batch

KINDS = ["boolean", "uint8", "int8", "uint16", "int16"]
SIZES = [0, 1, 127, 191, 192, 193, 255, 256, 257, 1000, 65_537, 140_001]
built = Batch("short_sums")
for kind in KINDS:
    built.add(f'''
@njit("int64({kind}[:])")
def total_{kind}(x):
    s = 0
    for v in x:
        s += v
    return s

@njit("int32({kind}[:], {kind}[:])")
def wrapped_{kind}(x, y):
    s = np.int32(2147483000)
    for i in range(len(x)):
        s = np.int32(s + np.int32(x[i]))
        s = np.int32(s - np.int32(y[i]))
    return s

@njit("Tuple((int64, int64, int64))({kind}[:], {kind}[:], boolean[:])")
def counted_{kind}(x, y, kept):
    n = k = 0
    s = -5
    for i in range(len(x)):
        if x[i] > y[i]:
            n += 1
        else:
            k -= 2
        if kept[i]:
            s -= x[i]
    return n, k, s

@njit("Tuple((int64, int64, int64))({kind}[:], {kind}[:])")
def unlike_{kind}(x, y):
    n = m = 0
    s = 9
    for i in range(len(x)):
        if x[i] != y[i]:
            n += 1
        if x[i] != y[i] or y[i] == x[0]:
            s -= y[i]
        m += 2
    return n, m, s

@njit("int64({kind}[:, :], int64)")
def of_rows_{kind}(a, first):
    s = first
    for i in range(a.shape[0]):
        for j in range(1, a.shape[1]):
            s += int(a[i, j] != a[i, j - 1]) + a[i, j]
    return s
''')
    for name, arrays, options, how in (("table", "[:, :]", "", "range"), ("table_parallel", "[:, ::1]", ", parallel=True", "prange")):
        built.add(f'''
@njit("void({kind}{arrays}, {kind}{arrays}, int64{arrays})"{options})
def {name}_{kind}(a, b, out):
    for i in {how}(a.shape[0]):
        for j in range(b.shape[0]):
            n = 0
            for k in range(a.shape[1]):
                if a[i, k] != b[j, k]:
                    n += 1
            out[i, j] = n
''')
built.add('''
@njit("int64(uint8[:], uint8[:])")
def products(x, y):
    s = 0
    for i in range(len(x)):
        s += x[i] * y[i]
    return s

@njit("Tuple((int64, int64, uint8))(uint8[:], int64)")
def ends(x, n):
    """How often it turns is asked once; what the last turn left is read behind."""
    last = np.uint8(7)
    s = 0
    for i in range(n):
        n += x[i]
    for i in range(min(n, len(x))):
        last = x[i]
        s += last
    return s, n, last

@njit("int64(uint8[:])")
def backwards(x):
    s = 0
    for i in range(len(x) - 1, -1, -1):
        s += x[i]
    for i in range(0, len(x), 3):
        s += x[i]
    return s

@njit("int64(uint8[:, :])", parallel=True)
def in_parallel(image):
    s = 0
    for i in prange(image.shape[0]):
        for j in range(image.shape[1]):
            s += image[i, j]
    return s
''')


def elements(rng, kind, n, which):
    dtype = np.dtype("bool" if kind == "boolean" else kind)
    if kind == "boolean":
        return [np.ones(n, bool), np.zeros(n, bool), rng.random(n) > 0.5][which]
    info = np.iinfo(dtype)
    return [np.full(n, info.max, dtype), np.full(n, info.min, dtype),
            rng.integers(info.min, info.max, n, dtype=dtype, endpoint=True)][which]


def wrap(value):
    return (int(value) + 2**31) % 2**32 - 2**31


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("n", SIZES)
def test_all_types(kind, n):
    rng = np.random.default_rng(n)
    for which in range(3):
        x, y = elements(rng, kind, n, which), elements(rng, kind, n, 2)
        kept = rng.random(n) > 0.3
        a, b = x.astype(np.int64), y.astype(np.int64)
        views = [(x, y, kept), (x[::-1], y[::-1], kept[::-1]), tuple(np.repeat(v, 2)[::2] for v in (x, y, kept))]
        for p, q, m in views:
            assert getattr(built, f"total_{kind}")(p) == a.sum()
            assert getattr(built, f"wrapped_{kind}")(p, q) == wrap(2147483000 + a.sum() - b.sum())
            more = int((a > b).sum())
            taken = (p != q) | (q == p[:1])
            assert getattr(built, f"unlike_{kind}")(p, q) == ((p != q).sum(), 2 * n, 9 - q[taken].astype("i8").sum())
            assert getattr(built, f"counted_{kind}")(p, q, m) == (more, -2 * (n - more), -5 - a[kept].sum())
        for shape in ((n // 7, 7), (7, n // 7), (1, n)):
            image, wide = (v[:shape[0] * shape[1]].reshape(shape) for v in (x, a))
            for turned in (False, True):
                i, w = (image.T, wide.T) if turned else (image, wide)
                assert getattr(built, f"of_rows_{kind}")(i, -3) == -3 + (w[:, 1:] != w[:, :-1]).sum() + w[:, 1:].sum()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("length", [0, 1, 7, 47, 48, 49, 191, 192, 193, 400])
def test_rows_beside_rows(kind, length):
    """Short rows in lanes, long ones along them."""
    rng = np.random.default_rng(length)
    for rows, others in ((70, 3), (5, 9), (0, 4), (130, 0)):
        a, b = (elements(rng, kind, n * length, 2).reshape(n, length) for n in (rows, others))
        wanted = (a[:, None, :] != b[None, :, :]).sum(2)
        for name in (f"table_{kind}", f"table_parallel_{kind}"):
            out = np.full((rows, others), -1)
            getattr(built, name)(a, b, out)
            np.testing.assert_array_equal(out, wanted)
        out = np.full((rows, others), -1)
        getattr(built, f"table_{kind}")(np.asfortranarray(a), b, out)
        np.testing.assert_array_equal(out, wanted)


@pytest.mark.parametrize("n", SIZES)
def test_others(n):
    rng = np.random.default_rng(n)
    for x in (np.full(n, 255, np.uint8), rng.integers(0, 256, n).astype("u1")):
        y = np.full(n, 255, np.uint8)
        wide = x.astype(np.int64)
        assert built.products(x, y) == (wide * 255).sum()
        assert built.backwards(x) == wide.sum() + wide[::3].sum()
        assert built.in_parallel(x[:n // 5 * 5].reshape(5, -1)) == wide[:n // 5 * 5].sum()
        for turns in {0, min(3, n), n}:
            s, total, last = built.ends(x, turns)
            assert total == turns + wide[:turns].sum()
            assert s == wide[:min(total, n)].sum() and last == (x[min(total, n) - 1] if min(total, n) else 7)
