"""Loops over the items of tuples that a function makes: written out, as CPython runs them."""
import numpy as np
import pytest
from conftest import Batch, outcome_of

built = Batch("tuple_loops")
built.add('''
@njit("int64(uint8[:, :])")
def rings(img):
    """Zhang and Suen's: how often the ring around a pixel goes from 0 to 1."""
    h, w = img.shape
    total = 0
    for y in range(1, h - 1):
        for x in range(1, w - 1):
            if img[y, x] == 0:
                continue
            ring = (img[y - 1, x], img[y - 1, x + 1], img[y, x + 1], img[y + 1, x + 1], img[y + 1, x], img[y + 1, x - 1], img[y, x - 1], img[y - 1, x - 1], img[y - 1, x])
            a = 0
            b = 0
            for k in range(8):
                b += ring[k]
                if ring[k] == 0 and ring[k + 1] == 1:
                    a += 1
            if a == 1 and 2 <= b <= 6:
                total += 1
    return total


@njit("void(float64[:, :], int64, float64[:, :])")
def deposit(pos, n, rho):
    """A cloud in a cell, around the ends."""
    for p in range(len(pos)):
        x, y = pos[p, 0] * n, pos[p, 1] * n
        i, j = int(x), int(y)
        dx, dy = x - i, y - j
        for a, wx in ((0, 1 - dx), (1, dx)):
            for b, wy in ((0, 1 - dy), (1, dy)):
                rho[(i + a) % n, (j + b) % n] += wx * wy


@njit("int64(int64[:], int64)")
def from_the_end(x, n):
    """Items counted from the end, of a tuple that changes while they are asked for."""
    t = (x[0], x[1], x[2])
    s = 0
    for k in range(-3, 0):
        s = s * 7 + t[k]
        t = (t[1], t[2], t[0] + n)
        s = s * 7 + t[-k - 1] + t[k]
    return s + t[0]


@njit("int64(int64[:], int64)")
def too_far(x, n):
    t = (x[0], x[1] + n)
    s = 0
    for k in range(3):
        x[2] = k
        s += t[k]
    return s


@njit("float64(float64[:], int64)")
def left_early(x, n):
    t = (x[0], x[1], x[2], x[3])
    s = 0.0
    for k in range(4):
        if t[k] < 0:
            break
        if k == n:
            continue
        s += t[k] * (k + 1)
    return s


@njit("float64(float64[:], int64)")
def raises_in_between(x, n):
    t = ((x[0], 1), (x[1], 2), (x[2], 3))
    s = 0.0
    for value, k in t:
        if k == n:
            raise ValueError("found", k, value)
        x[3] = s
        s += value / (k - 2.5)
    return s


@njit("int64(int64, int64)")
def nested(a, b):
    t = (((a, 1), (b, 2)), ((a - b, 3), (a * b, 4)))
    s = 0
    for pair in t:
        for v, w in pair:
            s = s * 10 + v * w
        u = pair[1]
        s += u[0]
    return s


@njit("UniTuple(int64, 3)(int64, int64)")
def kept(a, b):
    """The tuple itself is still wanted."""
    t = (a, b, a + b)
    s = 0
    for k in range(3):
        s += t[k]
    return t if s > 0 else (s, s, s)


@njit("int64(UniTuple(int64, 4), int64)")
def of_a_parameter(t, n):
    s = 0
    for k in range(3):
        s += t[k] * t[k + 1] + n
    return s


@njit("int64(int64[:])")
def assigned_twice(x):
    t = (1, 2, 3)
    s = 0
    for i in range(len(x)):
        for k in range(3):
            s += t[k] * x[i]
        t = (t[2], 5, t[0] + 1) if x[i] > 1 else (x[i], 0, 0)
    return s


@njit("float64(float64[:], int64)")
def in_a_while(x, n):
    s = 0.0
    while n > 0:
        t = (x[n % 4], 0.5, n * 1.0)
        for k in range(2):
            s += t[k] if k == 0 else t[1]
        n -= 1
    return s


@njit("void(uint8[:], uint8[:])")
def codes(a, out):
    for i in range(a.size):
        k = 0
        for code in (1, 2, 4, 8):
            if a[i] == code:
                out[i] = k
                break
            k += 1


@njit("int64(int64[:])")
def searched(a):
    """Left in either side, with an else of the loop, and more behind the branch."""
    total = 0
    for v in a:
        for at, wanted in ((1, 3), (2, -2), (5, 7)):
            if v == wanted:
                total += at
                break
            total += 100
        else:
            total -= 1000
        for wanted in (2, 3, 5):
            if v % wanted != 0:
                total += wanted
            else:
                total *= 2
                break
            if v == 7 and wanted == 3:
                total += 50000
                break
        for wanted in (9, 10):
            if v > wanted:
                break
            else:
                if v < 0:
                    total += 1
                break
    return total


@njit("int64(int64[:])")
def around(a):
    """A break of the loop around, and one that is always taken."""
    n = 0
    for v in a:
        for k in (1, 2, 3):
            n += k
            if k == 2:
                break
        for k in (4, 5):
            for m in (6, 7):
                if v == m:
                    break
                n += m * k
            if v == 7:
                break
    return n
''')


built.add('''
from numba import literal_unroll


@njit("float64(int64, float64[:])")
def unrolled(n, x):
    """Numba asks for that where the items have several types."""
    t = 0.0
    for item in literal_unroll((1, 2.5, True, n)):
        t = t * 2 + item * n
    for item in literal_unroll((n, x[0])):
        t += item
    return t
''')


def agree(name, *args):
    copies, expected = [[a.copy() if isinstance(a, np.ndarray) else a for a in args] for _ in range(2)]
    ours, theirs = outcome_of(getattr(built, name), copies), outcome_of(getattr(built.plain, name), expected)
    if isinstance(theirs, Exception):
        assert type(ours) is type(theirs) and ours.args == theirs.args
    else:
        assert ours == theirs and type(ours) in (type(theirs), int, float)
    for a, b in zip(copies, expected):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("shape", [(0, 0), (1, 5), (3, 3), (7, 70), (70, 7), (33, 65)])
def test_rings(shape):
    rng = np.random.default_rng(1)
    image = (rng.random(shape) < 0.6).astype(np.uint8)
    for a in (image, image[::-1, ::-1], image.T, np.asfortranarray(image), image * 255):
        with np.errstate(all="ignore"):
            copies = [int(v) for v in a.ravel()]
        plain = np.array(copies, np.int64).reshape(a.shape)
        assert built.rings(a) == built.plain.rings(plain)


@pytest.mark.parametrize("n", [1, 2, 5])
def test_deposit(n):
    rng = np.random.default_rng(2)
    for count in (0, 1, 50):
        pos = rng.random((count, 2))
        agree("deposit", pos, n, np.zeros((n, n)))
        agree("deposit", pos[::-1], n, np.zeros((n, n))[:, ::-1])
    agree("deposit", rng.random((2, 2)), 0, np.zeros((1, 1)))


@pytest.mark.parametrize("name", ["from_the_end", "too_far", "assigned_twice"])
def test_integers(name):
    for x in (np.arange(1, 5), np.array([3, -2, 7, 0]), np.array([0, 0, 1, 2])):
        agree(name, x, *([] if name == "assigned_twice" else [4]))


@pytest.mark.parametrize("name", ["left_early", "raises_in_between", "in_a_while"])
def test_floats(name):
    for n in range(6):
        for x in (np.arange(1.0, 5.0), np.array([3.5, -2.0, 7.0, 0.0])):
            agree(name, x, n)


def test_tuples_of_tuples():
    for a, b in ((1, 2), (-3, 5), (0, 0)):
        agree("nested", a, b)
        agree("kept", a, b)
        agree("of_a_parameter", (a, b, 3, a), b)


def test_left_early_by_a_branch():
    rng = np.random.default_rng(4)
    for n in (0, 1, 2, 40):
        agree("codes", rng.choice([0, 1, 2, 3, 4, 8, 255], n).astype(np.uint8), np.full(n, 9, np.uint8))
        for name in ("searched", "around"):
            agree(name, rng.integers(-3, 12, n))


def test_literal_unroll():
    agree("unrolled", 3, np.array([0.25]))


def test_no_item_is_asked_for_by_number():
    text = built.emitted
    body = text[text.index("// tuple_loops.py:"):]
    for name in ("rings", "deposit"):
        one = body[body.index(f" {name}"):]
        assert ".at(" not in one[:one.index("\n}\n")], name
