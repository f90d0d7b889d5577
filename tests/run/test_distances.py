"""Loops whose iterations meet where they turn often enough: a[i] and a[i + n]. As plain Python runs them, near and far, whichever way is taken."""
import itertools

import numpy as np
import pytest
from conftest import Batch, assert_same_effects

CUT = '''
@njit("void(float64[::1], int64, int64, int64)")
def cut(a, k, m, n):
    """Subscripts of 32 bits come round: what is far in 64 is near."""
    for i in range(n):
        x = a[np.uint32(i + m)]
        c = 0
        while x > 0.3 and c < 60:
            x = x * 0.9 - 0.001
            c += 1
        a[np.uint32(i + k)] = x + c
'''
CUTS = Batch("cut_distances"), Batch("cut_in_order", ["--no-lanes"])  # NumPy's uint32 does not come round
for batch in CUTS:
    batch.add(CUT)
FAR = Batch("distances")
FAR.add('''
@njit("void(float64[::1], float64[::1], int64, int64, int64)")
def butterflies(a, out, first, turns, n):
    for i in range(first, first + turns):
        t = out[i] * a[i + n]
        u = a[i]
        out[i] = u + t
        out[i + n] = u - t


@njit("void(int64[:], int64, int64)")
def copied(a, turns, n):
    for k in range(turns):
        a[k + n + 1] = a[k] + 1


@njit("void(complex128[::1], complex128[::1])")
def transform(a, factors):
    half = 1
    while half < a.shape[0]:
        for i in range(0, a.shape[0], 2 * half):
            for k in range(half):
                u = a[i + k]
                v = a[i + k + half] * factors[half + k]
                a[i + k] = u + v
                a[i + k + half] = u - v
        half *= 2


@njit("void(int32[:, ::1], int64, int64, int64)")
def rows(a, turns, p, q):
    """Two distances; the first axis is the same."""
    for i in range(a.shape[0]):
        for j in range(turns):
            a[i, j + p] = a[i, j + q] * 3 + a[i, j]


@njit("void(float64[::1], int64, int64)")
def down(a, last, n):
    for i in range(n):
        x = a[last - i]
        if x > 0.5:
            a[last - i + n] = x * 2.0


@njit("void(float64[::1], float64[::1], int64)")
def may_be_one(a, b, n):
    for i in range(n):
        a[i + n] = b[i] + a[i]
''')
STEPS = {"apart": (2, 3, -1), "met": (2, 2, -1), "back": (2, -2, 1), "threes": (3, 4, 2), "sixes": (3, 6, 0), "turned": (-2, 3, 1)}
for name, (by, first, second) in STEPS.items():
    FAR.add(f'''
@njit("void(float64[:], int64)")
def steps_{name}(a, n):
    """Elements of odd and of even places never meet, those two places on do."""
    for i in range(n):
        x = a[150 + {by} * i + {first}] + a[150 + {by} * i + {second}]
        c = 0
        while x > 0.3 and c < 9:
            x = x * 0.5 - 0.001
            c += 1
        a[150 + {by} * i] = x + c
''')
PLAIN = FAR.plain


@pytest.mark.parametrize("n", [0, 1, 3, 31, 32, 33, 40, 64, 100, -1, -40, -100])
def test_near_and_far(n):
    for first, turns in itertools.product([0, 100, 120], [0, 1, 5, 32, 40, 41, 64, 79]):
        a, out = np.arange(300) % 7 / 4, np.arange(300) % 5 / 8
        if 0 <= first + n or -300 <= first + n and first + turns + n <= 0:  # of what is there
            assert_same_effects(FAR, PLAIN, "butterflies", a, out, first, turns, n)


@pytest.mark.parametrize("n", [0, 1, 31, 39, 40, 63, 64, 100, -2, -41, -100])
def test_what_is_copied(n):
    for turns in (0, 1, 2, 31, 40, 41, 64, 99):
        for view in (np.arange(300), np.arange(600)[::2], np.arange(300)[::-1]):
            assert_same_effects(FAR, PLAIN, "copied", view, turns, n)


@pytest.mark.parametrize("size", [0, 1, 2, 8, 32, 64, 256])
def test_transforms(size):
    rng = np.random.default_rng(size)
    a = rng.integers(-4, 5, size) + 1j * rng.integers(-4, 5, size)
    assert_same_effects(FAR, PLAIN, "transform", a, np.exp(1j * np.arange(size)).round(2))


@pytest.mark.parametrize("p, q", [*itertools.product([0, 1, 30, 50, -1], repeat=2)])
def test_two_distances(p, q):
    for turns in (0, 3, 29, 30, 31, 50):
        a = (np.arange(300, dtype=np.int32) % 11).reshape(3, 100)
        with np.errstate(all="ignore"):
            assert_same_effects(FAR, PLAIN, "rows", a, turns, p, q)


@pytest.mark.parametrize("last, n", [(40, 41), (40, 10), (10, 11), (60, 33), (33, 0), (70, 32), (3, 7)])
def test_down(last, n):
    assert_same_effects(FAR, PLAIN, "down", np.arange(150) % 9 / 8, last, n)


@pytest.mark.parametrize("k", [1, 40, 2**32 + 1, -(2**32) + 3, 2**33 + 50])
def test_subscripts_of_fewer_bits(k):
    for n in (0, 3, 33, 64):
        assert_same_effects(*CUTS, "cut", np.arange(200) * 7 % 11 / 10, k, 0, n)


@pytest.mark.parametrize("name", STEPS)
def test_steps(name):
    for n in (0, 1, 2, 31, 33, 45):
        for a in (np.arange(300) % 9 / 4, (np.arange(600) % 11 / 5)[::2], (np.arange(300) % 9 / 4)[::-1]):
            assert_same_effects(FAR, PLAIN, f"steps_{name}", a, n)


def test_parts_of_one_array():
    for shift, n in itertools.product(range(-40, 41, 8), (0, 5, 33, 40)):
        results = []
        for module in (FAR, PLAIN):
            base = np.arange(200.0)
            module.may_be_one(base[60:160], base[60 + shift : 160 + shift], n)
            results.append(base.tolist())
        assert results[0] == results[1]


def test_they_are_in_lanes():
    """Else the tests above compare plain loops."""
    for function in ("butterflies", "transform", "rows"):
        text = FAR.emitted.split(f"def {function}(")[1].split("\n}\n")[0]
        assert "#pragma omp simd" in text and " else " in text, function
    for name in STEPS:
        text = FAR.emitted.split(f"def steps_{name}(")[1].split("\n}\n")[0]
        assert ("pyk::lane" in text) == (name in ("apart", "turned", "threes")), name
    assert "omp simd" not in CUTS[0].emitted  # which may meet
