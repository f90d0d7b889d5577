"""Conditions `u or v` of which u is the same for all iterations: v loads what is there without u only."""
import numpy as np
import pytest
from conftest import Batch, assert_same_effects

OPTIONS = {"default": [], "plain": ["--no-lanes"], "eight": ["--gang=8"], "checked": ["--boundscheck"]}
BATCHES = {name: Batch(f"common_branches_{name}", options) for name, options in OPTIONS.items()}
TEXT = '''
@njit("void(float64[:, :], float64[:])")
def last_taken(a, out):
    n, m = a.shape
    for i in range(m):
        last = 0.0
        s = 0.0
        for k in range(n):
            if a[k, i] > 0.3:
                if k == 0 or a[k - 1, i] > 0.5:
                    last = np.exp(a[k, i])
                    s += last
        out[i] = s + last

@njit("void(float64[:, :], float64[:])")
def last_of_all(a, out):
    n, m = a.shape
    for i in range(m):
        last = 7.0
        for k in range(n):
            if a[k, i] > 0.3:
                if k == 0 or a[k - 1, i] > 0.5:
                    last = a[k, i]
        out[i] = last

@njit("int64(uint8[:, :], uint8[:, :], uint8)", parallel=True)
def erode(a, out, level):
    h, w = a.shape
    n = 0
    for i in prange(h):
        for j in range(w):
            keep = True
            for di in range(-1, 2):
                for dj in range(-1, 2):
                    y = i + di
                    x = j + dj
                    if y < 0 or y >= h or x < 0 or x >= w or a[y, x] < level:
                        keep = False
            out[i, j] = 255 if keep else 0
            if keep:
                n += 1
    return n

@njit("void(float64[:, :], float64[:])")
def with_else(a, out):
    n, m = a.shape
    for i in range(m):
        s = 0.0
        c = 0.0
        for k in range(n):
            if k + 1 == n or a[k + 1, i] > a[k, i]:
                s += 1.0
                c = a[k, i]
            else:
                s -= c
            if k + 1 == n or a[k + 1, i] > 0.5:
                c += 0.25
        out[i] = s + c
'''
for batch in BATCHES.values():
    batch.add(TEXT)
each = pytest.mark.parametrize("batch", BATCHES.values(), ids=BATCHES)


@each
@pytest.mark.parametrize("name", ["last_taken", "last_of_all", "with_else"])
def test_columns(batch, name):
    for shape in ((0, 3), (1, 1), (1, 40), (2, 33), (4, 64), (7, 100)):
        for order in "CF":
            a = np.asarray(np.random.default_rng(3).random(shape), order=order)
            mine, other = np.zeros(shape[1]), np.zeros(shape[1])
            getattr(batch, name)(a, mine)
            getattr(batch.plain, name)(a, other)
            np.testing.assert_allclose(mine, other, rtol=1e-14)


@each
def test_a_column_that_is_taken_seldom(batch):
    a = np.array([[0.1, 0.9]] * 4)
    out = np.zeros(2)
    batch.last_taken(a, out)
    assert out[0] == 0.0
    batch.last_of_all(a, out)
    assert out[0] == 7.0


@each
def test_windows(batch):
    for shape in ((0, 0), (1, 1), (1, 70), (3, 3), (5, 130), (40, 41)):
        a = np.random.default_rng(4).integers(0, 256, shape).astype(np.uint8)
        assert_same_effects(batch, batch.plain, "erode", a, np.zeros_like(a), np.uint8(20))


def test_lanes_ask_once():
    text = BATCHES["default"].emitted
    body = text[text.rindex("int64_t erode"):]
    assert body[:body.index("\n}\n")].count("if (y_2 < 0 || y_2 >= h) {") == 1
