"""Masks as wide as what they stand beside: the same values as without lanes, whatever is compared and chosen."""
import numpy as np
import pytest
from conftest import Batch, assert_same_effects

PAIRS = [("uint8", "uint8"), ("uint8", "float64"), ("float64", "uint8"), ("int16", "float32"), ("float32", "int64"),
         ("boolean", "int16"), ("int64", "boolean"), ("int32", "float64")]
TEXT = "".join(f'''
@njit("void({a}[:], {b}[:], {b}[:], float64)")
def parted_{a}_{b}(x, y, out, limit):
    """Branches by the one, values of the other, and turns that end by float64."""
    for i in range(len(x)):
        chance, value = i * 0.25, y[i]
        if x[i] == 2:
            value = y[i - 1]
        elif x[i] > 0:
            while chance < limit:
                chance += 1.5
                if x[i] != 1 and chance > 7.0:
                    break
            if chance > 3.0:
                value = y[len(y) - 1 - i]
        out[i] = value

@njit("int64({a}[:], {b}[:], boolean[:])", parallel=True)
def found_{a}_{b}(x, y, out):
    """Masks of one width that come from another's, and become numbers, bools and counts."""
    count = 0
    for i in prange(len(x)):
        inside, steps = False, 0
        for k in range(len(x)):
            if (x[k] > x[i]) != (y[k] <= y[i]):
                inside = not inside
                steps += 1
            if steps > 11:
                inside = inside and x[i] > 1
                break
        out[i] = inside
        count += inside
    return count
''' for a, b in PAIRS) + '''
@njit("void(uint8[:, ::1], uint8[:, ::1], float64, float64)")
def fire(forest, out, growth, lightning):
    """Bytes of which few are chosen by float64."""
    for i in range(forest.shape[0]):
        for j in range(forest.shape[1]):
            chance = ((i * 7919 + j * 104729) % 1000) / 1000.0
            if forest[i, j] == 2:
                out[i, j] = 0
            elif forest[i, j] == 0:
                out[i, j] = 1 if chance < growth else 0
            else:
                burns = chance < lightning
                if i > 0 and forest[i - 1, j] == 2:
                    burns = True
                if j > 0 and forest[i, j - 1] == 2:
                    burns = True
                out[i, j] = 2 if burns else 1

@njit("float32(float32[:], float32[:], uint8[:])")
def all_kinds(x, limits, codes):
    """Bytes, float32, float64 and int64 in one body; a mask handed on by break and continue."""
    total = np.float32(0)
    for i in range(len(x)):
        left, turns, good = x[i], 0, True
        for k in range(len(limits)):
            if codes[k] == codes[i % len(codes)]:
                continue
            if left > limits[k] and np.float64(left) * 1.5 < 40.0:
                left = left - limits[k] * np.float32(0.5)
                turns += codes[k]
            elif turns > 200:
                good = False
                break
        if good or left < 0:
            total = max(total, left)
        codes[i % len(codes)] = turns & 3
    return total
'''
WIDE, EIGHT, PLAIN = Batch("masks"), Batch("masks_v2", ["--gang=8", "--march=x86-64-v2"]), Batch("masks_plain", ["--no-lanes"])
for module in (WIDE, EIGHT, PLAIN):
    module.add(TEXT)


@pytest.fixture(params=["default", "eight"])
def built(request):
    return WIDE if request.param == "default" else EIGHT


def numbers(kind, size, seed):
    rng = np.random.default_rng(seed)
    x = rng.integers(0, 4, size)
    return x.astype(bool if kind == "boolean" else kind)


@pytest.mark.parametrize("size", [0, 1, 7, 64, 77, 200])
@pytest.mark.parametrize("a, b", PAIRS)
def test_every_pair_of_types(built, a, b, size):
    x, y = numbers(a, size, 1), numbers(b, size, 2)
    assert_same_effects(built, PLAIN, f"parted_{a}_{b}", x, y, np.zeros_like(y), 9.5)
    assert_same_effects(built, PLAIN, f"found_{a}_{b}", x, y, np.ones(size, bool))


@pytest.mark.parametrize("shape", [(0, 5), (1, 1), (3, 64), (9, 131)])
def test_bytes_that_floats_choose(built, shape):
    forest = np.random.default_rng(3).integers(0, 3, shape).astype(np.uint8)
    for arrays in ((forest, np.zeros_like(forest)), (forest, forest)):
        assert_same_effects(built, PLAIN, "fire", *arrays, 0.3, 0.2)


def test_the_masks_of_bytes_are_bytes():
    text = (EIGHT.directory / "masks_v2.cpp").read_text()
    body = text[text.index("void fire("):]
    assert "pyk::lane<pyk::mask<int8_t>, 8> taken" in body[:body.index("\n}\n")]


@pytest.mark.parametrize("size", [0, 5, 90])
def test_masks_of_all_kinds(built, size):
    rng = np.random.default_rng(size)
    x, limits = rng.uniform(0, 50, size).astype(np.float32), rng.uniform(0, 20, 30).astype(np.float32)
    assert_same_effects(built, PLAIN, "all_kinds", x, limits, rng.integers(0, 4, 30).astype(np.uint8))
