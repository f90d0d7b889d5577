"""Elements that are picked one behind the other (emit/lower/compactions.cpp): what is picked, and what the array holds behind
it, are what CPython makes of the same functions."""
import pathlib
import re
import sys

import numpy as np
import pytest
from conftest import Batch

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "fuzz"))
import compactions  # noqa: E402

SOURCE = '''
@njit("float64[:](float64[:], float64)")
def above(x, t):
    out = np.empty(x.size)
    k = 0
    for i in range(x.size):
        if x[i] > t:
            out[k] = x[i]
            k += 1
    return out[:k].copy()


@njit("Tuple((float64[:], int64[:], int32[:]))(float64[:], float64)")
def filled(x, t):
    """All of what arrays hold that begin with zeros, ones, sevens."""
    a, b, c = np.zeros(x.size), np.ones(x.size, np.int64), np.full(x.size + 2, 7, np.int32)
    k, m = 0, 2
    for i in range(x.size):
        if x[i] > t:
            a[k] = 2 * x[i] + 1
            b[k] = i
            k += 1
        if x[i] < t:
            c[m] = np.int32(i)
            m += 1
    return a, b, c


@njit("Tuple((float64[:], float32[:], int64))(float64[:], float64)")
def sides(x, t):
    low, high = np.zeros(x.size), np.zeros(x.size, np.float32)
    a = b = 0
    for i in range(x.size):
        if x[i] < t:
            low[a] = x[i]
            a += 1
        else:
            high[b] = np.float32(x[i])
            b += 1
    return low, high, a


@njit("Tuple((float64[:], float64[:]))(float64[:], float64)")
def one_counter(x, t):
    """Both sides count what they leave free in the other array."""
    low, high = np.zeros(x.size), np.zeros(x.size)
    k = 0
    for i in range(x.size):
        if x[i] < t:
            low[k] = x[i]
            k += 1
        else:
            high[k] = x[i]
            k += 1
    return low, high


@njit("Tuple((float64[:], float64[:]))(float64[:], float64)")
def two_branches(x, t):
    """The second branch steps over what the first one would have written."""
    low, high = np.zeros(2 * x.size), np.zeros(2 * x.size)
    k = 0
    for i in range(x.size):
        if x[i] < t:
            low[k] = x[i]
            k += 1
        if x[i] > t:
            high[k] = x[i]
            k += 1
    return low, high


@njit("float64[:](float64[:], float64)")
def signs(x, t):
    out = np.zeros(x.size)
    k = 0
    for i in range(x.size):
        if x[i] > t:
            out[k] = 1.0
            k += 1
        else:
            out[k] = -1.0
            k += 1
    return out


@njit("float64[:](float64[:], float64)")
def rising(x, t):
    out = np.zeros(x.size + 1)
    out[0] = t
    k = 1
    for i in range(x.size):
        if x[i] > out[k - 1]:
            out[k] = x[i]
            k += 1
    return out


@njit("float64[:](float64[:], float64)")
def seen(x, t):
    """Through a view that was made before."""
    out = np.zeros(x.size + 1)
    behind = out[1:]
    k = 0
    s = np.zeros(x.size)
    for i in range(x.size):
        if x[i] > t:
            out[k] = x[i]
            k += 1
        s[i] = behind[0] + out.size
    return s


@njit("float64[:](float64[:], float64)")
def from_the_end(x, t):
    """The first one goes to the last place."""
    out = np.zeros(x.size + 3)
    k = -1
    for i in range(x.size):
        if x[i] > t:
            out[k] = x[i]
            k += 1
    return out


@njit("float64[:](float64[:, :], float64)")
def again(x, t):
    """Every row begins anew: what the ones before it picked stays where it is not overwritten."""
    out = np.zeros(x.size)
    for i in range(x.shape[0]):
        k = 0
        for j in range(x.shape[1]):
            if x[i, j] > t:
                out[k] = x[i, j]
                k += 1
    return out


@njit("float64[:, :](float64[:, :], float64)", parallel=True)
def of_rows(x, t):
    result = np.zeros((x.shape[0], x.shape[1] + 1))
    for i in prange(x.shape[0]):
        out = np.zeros(x.shape[1])
        k = 0
        for j in range(x.shape[1]):
            if x[i, j] > t:
                out[k] = x[i, j]
                k += 1
        result[i, :-1] = out
        result[i, x.shape[1]] = k
    return result


@njit("float64[:](float64[:], float64)")
def left(x, t):
    """A loop that is left, one that goes on with the next row, one that raises."""
    out = np.zeros(x.size)
    k = 0
    for i in range(x.size):
        if x[i] == 0:
            break
        if x[i] > t:
            out[k] = x[i]
            k += 1
    for _ in range(3):
        more = np.zeros(x.size)
        m = 0
        for i in range(x.size):
            if x[i] > 100:
                raise ValueError("large")
            if x[i] < t:
                more[m] = x[i]
                m += 1
        out += more
    return out


@njit("float64[:](float64[:], int64[:], float64)")
def given(x, places, t):
    """There is no such element where it is not picked."""
    out = np.zeros(places.size)
    k = 0
    for i in range(places.size):
        if places[i] < x.size and t > 0:
            out[k] = x[places[i]]
            k += 1
    return out


@njit("int64[:](int64[:], int64)")
def divided(x, d):
    """Nor is there a quotient."""
    out = np.zeros(x.size, np.int64)
    k = 0
    for i in range(x.size):
        if x[i] != 0 and x[i] > -5:
            out[k] = d // x[i]
            k += 1
    return out


@njit("int64[:](int64[:], int64)")
def in_a_while(x, t):
    out = np.full(x.size, -1)
    i = k = 0
    while i < x.size:
        if x[i] % 3 == t:
            out[k] = x[i]
            k += 1
        i += 1
    return out


@njit("int64[:](int64[:], int64)")
def limited(x, t):
    """Of a condition that asks the counter, into an array that is full then."""
    out = np.zeros(3, np.int64)
    k = 0
    for v in x:
        if v > t and k < 3:
            out[k] = v
            k += 1
    return out


@njit("int64(int64[:], int64)")
def returns(x, t):
    out = np.zeros(x.size, np.int64)
    k = 0
    for i in range(x.size):
        if x[i] > t:
            out[k] = x[i]
            k += 1
        if x[i] == 9:
            return k
    return out.sum()


@njit("Tuple((float64[:], float64[:, :], float64[:]))(float64[:, :], float64)")
def masks(x, t):
    return x[0][x[0] > t], x[x[:, -1:].sum(axis=1) > t], x[x > t]

'''
OPTIONS = {"default": [], "checked": ["--boundscheck"], "plain": ["--no-lanes"]}
BATCHES = {name: Batch(f"compactions_{name}", options) for name, options in OPTIONS.items()}
for batch in BATCHES.values():
    batch.add(SOURCE)
    for rank, name in enumerate(("line", "grid", "cube"), 1):
        kind = ", ".join(":" * rank)
        batch.add(f'''
@njit("UniTuple(int64[:], {rank})(float64[{kind}], float64)")
def where_{name}(x, t):
    return np.where(x > t)


@njit("int64[:, :](float64[{kind}], float64)")
def argwhere_{name}(x, t):
    return np.argwhere(x > t)
''')
built = pytest.mark.parametrize("built", BATCHES.values(), ids=BATCHES)
LINES = ["above", "filled", "sides", "one_counter", "two_branches", "signs", "rising", "seen", "from_the_end", "left"]


def line(n, kind=float):
    return np.random.default_rng(n).integers(-9, 9, n).astype(kind)


def check(module, name, *arguments):
    got, expected = getattr(module, name)(*arguments), getattr(module.plain, name)(*arguments)
    if not isinstance(expected, tuple):
        got, expected = (got,), (expected,)
    for a, b in zip(got, expected, strict=True):
        assert np.asarray(a).dtype == np.asarray(b).dtype
        np.testing.assert_array_equal(a, b)


@built
@pytest.mark.parametrize("name", LINES)
def test_lines(built, name):
    for n in (0, 1, 2, 31, 32, 33, 300):
        for x in (line(n), line(n)[::-1], np.repeat(line(n), 2)[::2]):
            for t in (-100.0, -3.0, 0.0, 100.0, np.nan):
                check(built, name, x, t)


@built
@pytest.mark.parametrize("name", ["again", "of_rows", "masks", "where_grid", "argwhere_grid"])
def test_grids(built, name):
    for shape in ((1, 1), (3, 0), (5, 40), (40, 33)):
        x = line(shape[0] * shape[1] + 1)[1:].reshape(shape)
        for t in (-3.0, 0.0, 100.0):
            check(built, name, x, t)
            check(built, name, x[:, ::-1], t)


@built
def test_places(built):
    for shape in ((0,), (7,), (0, 3, 2), (4, 5, 6)):
        x = line(int(np.prod(shape))).reshape(shape)
        kind = "line" if len(shape) == 1 else "cube"
        check(built, f"where_{kind}", x, 1.0)
        check(built, f"argwhere_{kind}", x, 1.0)


@built
def test_only_what_is_there(built):
    x = line(40)
    for places in (np.arange(80), np.full(9, 10**15), np.array([0, 10**15] * 50)):
        check(built, "given", x, places, 1.0)
    for n in (0, 1, 50):
        for name, t in (("divided", 7), ("in_a_while", 0), ("in_a_while", 2), ("limited", 2), ("returns", 3)):
            check(built, name, line(n, np.int64), t)
    with pytest.raises(ValueError, match="large"):
        built.left(np.array([1.0, 200.0]), 0.0)


def test_no_branch_is_left():
    """Where data say what is picked."""
    text = BATCHES["default"].emitted
    assert re.search(r"if \(k < out\.shape\(0\)\) out\(k\) = x\(i\);\s+k \+= x\(i\) > t;", text)
    assert re.search(r"if \(m < c\.shape\(0\)\) c\(m\) = 7;", text)


@pytest.mark.parametrize("seed, options", [(1, []), (2, ["--march=x86-64-v2"])])
def test_random_loops(seed, options):
    bad, compared, picked = compactions.run(40, seed, options)
    assert not bad and compared > 600 and picked > 15
