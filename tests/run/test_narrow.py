"""Whole numbers that fit 32 bits are computed in 32: the same values, up to the ends of every type."""
import itertools
import math

import numpy as np
import pytest
from conftest import Batch

TYPES = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "bool_"]
FORMS = {
    "sum": "a[i] + b[i]",
    "difference": "a[i] - b[i]",
    "product": "a[i] * b[i]",
    "negated": "-np.int64(a[i]) + 0",
    "scaled": "3 * np.int64(a[i]) - 2 * np.int64(b[i]) + 1",
    "quotient": "np.int64(a[i]) // np.int64(b[i])",
    "rest": "np.int64(a[i]) % np.int64(b[i])",
    "by_seven": "np.int64(a[i]) // 7 + np.int64(a[i]) % 7",
    "by_minus_seven": "np.int64(a[i]) // -7 + np.int64(a[i]) % -7",
    "size": "abs(np.int64(a[i])) + 0",
    "clipped": "min(max(np.int64(a[i]) - np.int64(b[i]), -100), 100)",
    "chosen": "(np.int64(a[i]) if a[i] > b[i] else -1 - np.int64(b[i])) * 2",
    "bits": "((np.int64(a[i]) & 255) << 3 | (np.int64(b[i]) >> 1)) ^ 5",
    "halved": "np.int64(a[i]) >> 31",
    "shifted": "np.int64(a[i]) >> (np.int64(b[i]) & 31)",
    "shifted_out": "np.int64(a[i]) >> (np.int64(b[i]) & 127)",
    "shifted_up": "(np.int64(a[i]) & 63) << (np.int64(b[i]) & 7)",
    "inverted": "~np.int64(a[i]) * 2",
    "compared": "1 if np.int64(a[i]) * 2 > np.int64(b[i]) + 3 else 0",
    "truth": "bool(np.int64(a[i]) - np.int64(b[i])) + 1",
    "far": "(np.int64(a[i]) + 2147483647) - 2147483647",
    "square": "np.int64(a[i]) * np.int64(a[i]) * np.int64(a[i])",
}

FORM = '''
@njit("void({t}[::1], {t}[::1], int64[::1])", error_model="numpy")
def {name}_{t}(a, b, out):
    for i in range(len(a)):
        out[i] = {form}
'''

TEXT = '''
@njit("void(uint8[:, ::1], uint8[:, ::1])", parallel=True)
def edges(image, out):
    for y in prange(1, image.shape[0] - 1):
        for x in range(1, image.shape[1] - 1):
            gx = int(image[y, x + 1]) * 2 - 2 * int(image[y, x - 1])
            gy = int(image[y + 1, x]) * 2 - 2 * int(image[y - 1, x])
            size = abs(gx) + abs(gy)
            if size > 255:
                size = 255
            out[y, x] = size

@njit("int64(uint8[::1], int64[::1])")
def handed_on(a, seen):
    before = 0
    changes = 0
    for i in range(len(a)):
        now = 2 * int(a[i]) + 1
        if now != before:
            changes += now - before
        seen[now % 16] += now
        before = now
    return changes

@njit("int64(int16[::1])")
def widened(a):
    total = 0
    for i in range(len(a)):
        x = 3 * int(a[i])
        y = x * x
        total += y * 1000 + x
    return total

@njit("int64(int8[::1], int64)")
def unbound(a, n):
    for i in range(len(a)):
        if a[i] > n:
            found = 5 * int(a[i])
    return found

@njit("void(int32[::1], float64[::1], float32[::1])")
def to_floats(a, wide, narrow):
    for i in range(len(a)):
        half = int(a[i]) // 2
        wide[i] = half
        narrow[i] = half * 0.5 + (half % 10)

@njit("void(float64[::1], uint8[::1])")
def of_floats(x, out):
    for i in range(len(x)):
        level = int(min(max(x[i], 0.0), 255.0))
        out[i] = 255 - level // 2

@njit("void(float64[::1], float64[::1], int64[::1])")
def of_two(x, y, out):
    for i in range(len(x)):
        out[i] = int(min(min(x[i], 100.0), y[i])) * 3

@njit("int64(int64, uint8)")
def small_loop(n, step):
    total = 0
    for k in range(8):
        total += (k * 3 + int(step)) % 5 * n
    return total

@njit("int64[:](uint8[::1])")
def in_tuples(a):
    out = np.zeros(len(a), np.int64)
    for i in range(len(a)):
        pair = (int(a[i]) * 2, int(a[i]) - 300)
        low, high = pair
        out[i] = low * high + np.int64(low)
    return out
'''

built = Batch("narrow")
built.add(TEXT + "".join(FORM.format(t=t, name=name, form=form)
                         for t in TYPES for name, form in FORMS.items()))


def values(dtype):
    if dtype == "bool_":
        return np.array([False, True])
    info = np.iinfo(dtype)
    ends = [info.min, info.min + 1, info.max, info.max - 1, 0, 1, 2, 7, 100]
    if info.min < 0:
        ends += [-1, -7, -100, info.min // 2]
    return np.array(ends + [info.max // 3], dtype)


def wrapped(value):
    return (value + 2**63) % 2**64 - 2**63


def divided(x, y):
    return (0, 0) if y == 0 else (x // y, x % y)


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("name", FORMS)
def test_forms(dtype, name):
    numbers = values(dtype)
    pairs = list(itertools.product(numbers.tolist(), repeat=2)) * 5
    a, b = (np.array(side, numbers.dtype) for side in zip(*pairs))
    out = np.zeros(len(a), np.int64)
    getattr(built, f"{name}_{dtype}")(a, b, out)
    form = FORMS[name].replace("[i]", "").replace("np.int64", "int")
    if name in ("quotient", "rest"):
        expected = [divided(int(x), int(y))[name == "rest"] for x, y in pairs]
    else:
        expected = [int(eval(form, {"a": int(x), "b": int(y)})) for x, y in pairs]
    assert out.tolist() == [wrapped(v) for v in expected]


def test_an_image():
    image = np.random.default_rng(3).integers(0, 256, (50, 70)).astype(np.uint8)
    out = np.zeros_like(image)
    built.edges(image, out)
    wide = image.astype(int)
    gx, gy = 2 * (wide[1:-1, 2:] - wide[1:-1, :-2]), 2 * (wide[2:, 1:-1] - wide[:-2, 1:-1])
    assert (out[1:-1, 1:-1] == np.minimum(abs(gx) + abs(gy), 255)).all()


def test_variables():
    rng = np.random.default_rng(5)
    a, seen = rng.integers(0, 256, 300).astype(np.uint8), np.zeros(16, np.int64)
    doubled = 2 * a.astype(int) + 1
    assert built.handed_on(a, seen) == doubled[-1]
    assert seen.tolist() == [int(doubled[doubled % 16 == k].sum()) for k in range(16)]
    b = rng.integers(-2**15, 2**15, 300).astype(np.int16)
    x = 3 * b.astype(int)
    assert built.widened(b) == int((x * x * 1000 + x).sum())
    assert built.unbound(np.array([1, 9, 7], np.int8), 5) == 35
    assert built.small_loop(10**12, 255) == sum((k * 3 + 255) % 5 for k in range(8)) * 10**12
    assert built.in_tuples(a).tolist() == (2 * a.astype(int) * (a.astype(int) - 300) + 2 * a.astype(int)).tolist()


def test_floats_of_them_and_they_of_floats():
    a = np.concatenate([values("int32"), np.arange(-50, 50, dtype=np.int32)])
    wide, narrow = np.zeros(len(a)), np.zeros(len(a), np.float32)
    built.to_floats(a, wide, narrow)
    half = a.astype(np.int64) // 2
    assert wide.tolist() == half.tolist()
    assert narrow.tolist() == (half * 0.5 + half % 10).astype(np.float32).tolist()
    x = np.array([-1e300, -1.0, -0.0, 0.5, 1.99, 254.9, 255.0, 256.0, np.inf, -np.inf] * 7)
    out = np.zeros(len(x), np.uint8)
    built.of_floats(x, out)
    assert out.tolist() == [255 - int(min(max(v, 0.0), 255.0)) // 2 for v in x.tolist()]


def test_a_nan_may_be_any_of_two():
    x = np.array([np.nan, 1.0, 9.0, np.nan, -4.0] * 9)
    y = np.array([70000.0, 1e300, 3.0, 5.0, np.nan] * 9)
    out, expected = np.zeros(45, np.int64), np.zeros(45, np.int64)
    built.of_two(x, y, out)
    for i, (a, b) in enumerate(zip(x.tolist(), y.tolist())):
        least = min(min(a, 100.0), b)
        expected[i] = 0 if math.isnan(least) else int(least) * 3
    assert out.tolist() == expected.tolist()


COMPARED = ["0.5", "127", "-0.0", "0.1", "16777217.0", "3.4028234663852886e38", "3.5e38", "1e-45", "1.401298464324817e-45", "np.inf", "-np.inf", "np.nan", "-7"]
compared = Batch("compared")
for number, text in enumerate(COMPARED):
    compared.add(f'''
@njit("void(float32[:], uint8[:])")
def with_{number}(x, out):
    for i in range(len(x)):
        v = x[i]
        out[i] = (v < {text}) + 2 * (v <= {text}) + 4 * (v > {text}) + 8 * ({text} <= v) + 16 * (v == {text}) + 32 * ({text} != v)
''')


@pytest.mark.parametrize("number", range(len(COMPARED)), ids=COMPARED)
def test_a_float32_beside_a_number(number):
    limit = float(eval(COMPARED[number]))
    near = np.array([limit, -limit, 0.5, 0.0, -0.0, 1.4e-45, 3.4e38, np.inf, -np.inf, np.nan]).astype("f4")
    x = np.concatenate([near, np.nextafter(near, np.float32(np.inf)), np.nextafter(near, np.float32(-np.inf)), np.arange(-20, 20, dtype="f4")])
    out = np.zeros(len(x), np.uint8)
    getattr(compared, f"with_{number}")(x, out)
    assert out.tolist() == [(v < limit) + 2 * (v <= limit) + 4 * (v > limit) + 8 * (limit <= v) + 16 * (v == limit) + 32 * (limit != v) for v in x.tolist()]
