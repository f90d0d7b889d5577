"""Arrays of other types over the same memory, and truths whose bytes are neither 0 nor 1: what Numba makes of them."""
import numpy as np
import pytest
from conftest import Batch

built = Batch("overlays")
built.add('''
@njit("float64(float64[:], int64[:])")
def again(x, bits):
    s = x[0]
    bits[0] = 0
    return s + x[0]

@njit("float64(float64[:], int64[:])")
def checked(x, bits):
    if x[0] != 0.0:
        bits[0] = 0
        return 1.0 / x[0]
    return -1.0

@njit("void(float64[:], int64[:])")
def stored(x, bits):
    for i in range(len(x)):
        bits[i] = np.int64(x[i] > 2.0) + 4607182418800017408

@njit("int64(int32[:], int16[:], uint8[:])")
def counted(x, b, c):
    s = 0
    for i in range(len(x)):
        run = 0
        for j in range(max(0, i - 3), i + 1):
            if x[j] > 2:
                run += 1
            elif b[j] == 0:
                break
            else:
                run = 0
        b[i] = run
        s += x[i] + run
        c[i] = run
    return s

@njit("void(float64[:, :], complex128[:, :], float32[:, :])")
def scaled(x, z, y):
    for i in range(z.shape[0]):
        for j in range(z.shape[1]):
            y[i, j] = np.float32(x[i, j] + z[i, j].imag)
            z[i, j] = z[i, j] * 2.0

@njit("Tuple((int64, int64, int64, int64, boolean))(boolean[:], boolean[:])")
def truths(p, q):
    run = best = n = other = 0
    flag = False
    for i in range(len(p)):
        if p[i]:
            run += 1
            best = max(best, run)
        else:
            run = 0
        n += p[i] & q[i]
        if p[i] != q[i]:
            other += 1
        if q[i] or p[i]:
            flag = not flag
    return run, best, n, other, flag

@njit("int64(boolean[:])")
def summed(p):
    s = 0
    for v in p:
        s += v
    return s

@njit("void(boolean[:, :], int64[:, :], boolean[:, :])")
def stencil(p, out, same):
    for i in range(1, p.shape[0] - 1):
        for j in range(1, p.shape[1] - 1):
            n = 0
            for k in range(-1, 2):
                if p[i + k, j] and not p[i, j + k]:
                    n += 1
                n += p[i + k, j - k]
            out[i, j] = n
            same[i, j] = p[i, j] == p[i - 1, j]

@njit("int64(boolean[:], boolean)")
def converted(p, turned):
    a = p.astype(np.int64)
    return a.sum() + (3 if turned else 1)
''')
ufuncs = Batch("overlaid_ufuncs")
ufuncs.add('''
from numba import vectorize

@vectorize(["int64(boolean, boolean)"])
def added(p, q):
    return p + (p & q) * 10 + (p == q) * 100
''')


def agree(name, make):
    """`make` gives arguments over one memory, and that memory."""
    results = []
    for function in (getattr(built, name), getattr(built.plain, name)):
        *args, memory = make()
        try:
            with np.errstate(all="raise"):
                result = function(*args)
        except (ZeroDivisionError, FloatingPointError):
            result = "divides by zero"
        results.append((result, memory.tobytes()))
    assert results[0] == results[1], name


@pytest.mark.parametrize("n", [1, 2, 7, 64, 1000])
@pytest.mark.parametrize("first, second", [(0, 0), (1, 0), (0, 1), (2, 0)])
def test_views_as_another_type(n, first, second):
    def floats():
        a = np.random.default_rng(n).integers(1, 5, n + 2).astype("f8")
        return a[first:first + n], a.view("i8")[second:second + n], a

    def integers():
        a = np.random.default_rng(n).integers(1, 5, n + 2).astype("i4")
        return a[:n], a.view("i2")[first:first + n], a.view("u1")[second:second + n], a

    def records():
        a = np.random.default_rng(n).integers(1, 5, (6, 2 * n + 4)).astype("f8")
        z = a.view("c16")[:, second:second + n]
        return a[:, first:first + n], z, a.view("f4")[:, first:first + n], a

    for name in ("again", "checked", "stored"):
        agree(name, floats)
    agree("counted", integers)
    agree("scaled", records)


@pytest.mark.parametrize("byte", [1, 2, 128, 254, 255])
@pytest.mark.parametrize("n", [0, 1, 5, 64, 257])
def test_truths_of_any_byte(byte, n):
    rng = np.random.default_rng(n)
    p, q = (rng.integers(0, 2, n).astype("u1") * np.uint8(b) for b in (byte, 255))
    right = [m != 0 for m in (p, q)]
    ours = [m.view(bool) for m in (p, q)]
    assert built.truths(*ours) == built.plain.truths(*right)
    assert built.truths(ours[0][::-1], np.repeat(ours[1], 2)[::2]) == built.plain.truths(right[0][::-1], right[1])
    assert built.summed(ours[0]) == built.summed(np.repeat(ours[0], 3)[::3]) == right[0].sum()
    assert built.converted(ours[0], True) == right[0].sum() + 3
    np.testing.assert_array_equal(ufuncs.added(*ours), right[0] * 1 + (right[0] & right[1]) * 10 + (right[0] == right[1]) * 100)
    for shape in ((n // 8, 8), (8, n // 8)):
        image, truth = (m[:n // 8 * 8].reshape(shape) for m in (ours[0], right[0]))
        for turned in (False, True):
            a, b = (image.T, truth.T) if turned else (image, truth)
            outs = [(np.zeros(a.shape, np.int64), np.zeros(a.shape, bool)) for _ in range(2)]
            built.stencil(a, *outs[0])
            built.plain.stencil(b, *outs[1])
            for x, y in zip(*outs):
                np.testing.assert_array_equal(x, y)
