"""Floats behind branches on what arrays hold: sums, decays and levels, done without a branch, bit for bit."""
import itertools

import numpy as np
import pytest
from conftest import Batch

MASKS = ["boolean", "uint8", "int16", "int32", "int64", "float32", "float64"]
SUMS = ["int32", "int64", "uint64", "float32", "float64"]
built = Batch("decays")
for mask, value in itertools.product(MASKS, SUMS):
    built.add(f'''
@njit("Tuple(({value}, {value}, int64))({value}[:], {mask}[:])")
def masked_{mask}_{value}(x, m):
    s = np.{value}(0)
    t = x[0]
    n = 0
    for i in range(len(x)):
        if m[i]:
            s = np.{value}(s + x[i])
            n += 1
        else:
            t = np.{value}(t - x[i])
    return s, t, n
''')
for name in ("float32", "float64"):
    built.add(f'''
@njit("{name}({name}[:], {name}, {name}[:])")
def decay_{name}(x, a, out):
    mean = x[0]
    for i in range(len(x)):
        if x[i] == x[i]:
            mean = a * x[i] + (np.{name}(1) - a) * mean
        out[i] = mean
    return mean

@njit("Tuple(({name}, {name}, {name}))({name}[:], {name}[:])")
def levels_{name}(x, y):
    a = np.{name}(-0.0)
    b = np.{name}(1)
    c = y[0]
    for i in range(len(x)):
        if x[i] > y[i]:
            a = a * x[i] + y[i]
            b -= a
        elif x[i] == y[i]:
            c = -c
            a = a - x[i]
        else:
            b = b * np.{name}(0.5) - y[i]
            c *= x[i]
    return a, b, c

@njit("{name}({name}[:, :], boolean[:, :])")
def of_rows_{name}(image, m):
    s = np.{name}(-0.0)
    for i in range(image.shape[0]):
        for j in range(1, image.shape[1] - 1):
            if m[i, j]:
                s += image[i, j] - image[i, j - 1]
    return s
''')
built.add('''
@njit("float64(float64[:], boolean[:], int64)")
def longer(x, m, n):
    """Where the mask says no, x may have ended long ago."""
    s = 0.0
    for i in range(n):
        if m[i]:
            s += x[i]
    return s

@njit("float64(int64[:], float64[:])")
def area(order, label):
    hits = misses = total = 0.0
    for i in range(len(order)):
        if label[order[i]] > 0.5:
            hits += 1.0
        else:
            misses += 1.0
            total += hits
    return total + 0.5 * misses

@njit("float64(float64[:], float64[:], float64)")
def own(x, y, w):
    """What one side alone mentions, from one turn to another and not."""
    s = 0.0
    for i in range(len(x)):
        if x[i] > 0.0:
            w = w * 0.5 + x[i]
            s += w
        else:
            step = y[i] - 1.0
            s -= step * step
    return s

@njit("Tuple((float64, float64))(float64[:], int64)")
def gone_on(x, k):
    """A jump passes by what gives the variable another value."""
    t = 1.0
    s = 0.0
    for i in range(len(x)):
        if k > 0:
            if x[i] > 0:
                t = x[i] * 2
                s += t
            if i % 3 == k:
                continue
        t = 0.0
    return s, t

@njit("Tuple((float64, float64))(float64[:], int64)")
def gone(x, k):
    t = 1.0
    s = 0.0
    for i in range(len(x)):
        if k > 0:
            if x[i] > 0:
                t = x[i] * 2
                s += t
            if i == k:
                break
        t = 0.0
    return s, t

@njit("Tuple((float64, float64))(float64[:], boolean[:])")
def written(x, m):
    """The element that is added was written in the same turn."""
    s = t = 0.0
    for i in range(1, len(x)):
        x[i] = x[i - 1] + 1.0
        if m[i]:
            s += x[i]
        x[i - 1] = s
        if x[i - 1] > 2.0:
            t -= x[i - 1]
    return s, t
''')


def bits(value):
    value = np.asarray(value)
    if value.dtype.kind != "f":
        return value.tobytes()
    return np.where(np.isnan(value), 7, value).tobytes() + np.isnan(value).tobytes()


def agree(name, *args):
    copies, expected = [[a.copy() if isinstance(a, np.ndarray) else a for a in args] for _ in range(2)]
    with np.errstate(all="ignore"):
        result, right = getattr(built, name)(*copies), getattr(built.plain, name)(*expected)
    pairs = zip(*(r if isinstance(r, tuple) else (r,) for r in (result, right)))
    for ours, theirs in [*pairs, *zip(copies, expected)]:
        kind = np.asarray(theirs).dtype
        assert bits(np.asarray(ours, kind)) == bits(theirs), (name, ours, theirs)


def values(rng, name, n):
    if name.startswith("float"):
        return rng.choice([0.0, -0.0, 1.5, -2.25, np.inf, np.nan, 1e-40, 3e30], n, p=[.3, .2, .1, .1, .05, .05, .1, .1]).astype(name)
    if name == "boolean":
        return rng.random(n) > 0.5
    info = np.iinfo(name)
    return rng.choice(np.array([0, 0, 1, 2, info.min, info.max], name), n)


@pytest.mark.parametrize("mask", MASKS)
@pytest.mark.parametrize("n", [1, 2, 7, 64, 301])
def test_masks(mask, n):
    rng = np.random.default_rng(n)
    for value in SUMS:
        for turn in range(3):
            x, m = values(rng, value, n), values(rng, mask, n)
            if turn == 2:
                x, m = np.abs(x), np.zeros_like(m)
            agree(f"masked_{mask}_{value}", x, m)
            agree(f"masked_{mask}_{value}", x[::-1], np.repeat(m, 2)[::2])


@pytest.mark.parametrize("name", ["float32", "float64"])
@pytest.mark.parametrize("n", [1, 2, 9, 200])
def test_decays(name, n):
    rng = np.random.default_rng(n)
    kind = np.dtype(name).type
    for turn in range(12):
        x, y = (values(rng, name, n) if turn % 2 else rng.normal(size=n).round(1).astype(name) for _ in "xy")
        agree(f"decay_{name}", x, kind(0.25), np.zeros(n, name))
        agree(f"levels_{name}", x, y)
        image, mask = np.resize(x, (n, 5)), np.resize(values(rng, "boolean", n), (n, 5))
        agree(f"of_rows_{name}", image, mask)
        agree(f"of_rows_{name}", image.T, mask.T)


@pytest.mark.parametrize("n", [1, 2, 9, 200])
def test_sums(n):
    rng = np.random.default_rng(n)
    x, y, m = rng.normal(size=n).round(1), rng.normal(size=n).round(1), rng.random(n) > 0.5
    agree("area", rng.permutation(n), rng.random(n))
    agree("own", x, y, 0.5)
    agree("written", x, m)
    for k in (-1, 1, 2, 5):
        agree("gone_on", x, k)
        agree("gone", x, k)


def test_no_element_that_the_array_has_not():
    n = 1 << 22
    mask = np.zeros(n, bool)
    mask[:3] = True
    assert built.longer(np.array([1.0, 2.0, 4.0]), mask, n) == 7.0
    assert built.longer(np.zeros(0), np.zeros(0, bool), 0) == 0.0
