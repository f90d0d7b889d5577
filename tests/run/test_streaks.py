"""Branches on what arrays hold, whose sides only count: done without a branch, the same values as with one."""
import numpy as np
import pytest
from conftest import Batch

built = Batch("streaks")
for name in ("int32", "int64", "uint32", "uint64"):
    built.add(f'''
@njit("{name}({name}[:], {name}[:])")
def counted_{name}(x, out):
    best, least, run = np.{name}({np.iinfo(name).min}), np.{name}({np.iinfo(name).max}), np.{name}(3)
    for i in range(len(x)):
        v = x[i]
        if v > np.{name}(1):
            run = np.{name}(run + v)
            if run > best:
                best = run
            if least >= run:
                least = run
        else:
            run = np.{name}(v - run)
        out[i] = run
    return best ^ least
''')
built.add('''
@njit("int64(float64[:], float64)")
def streak(x, limit):
    best = 0
    run = 0
    for v in x:
        if v > limit:
            run += 1
            best = max(best, run)
        else:
            run = 0
    return best

@njit("Tuple((int64, int64, int64))(float64[:])")
def both(x):
    up = down = turns = 0
    most = 0
    least = 0
    for i in range(1, len(x)):
        if x[i] >= x[i - 1]:
            up += 1
            if down > 0:
                turns += 1
            else:
                turns -= 1
            down = 0
            most = max(up, most)
        else:
            least = min(least, -down)
            down += up + 1
            up = 0
    return most, least, turns

@njit("int64(int64[:])")
def crossed(x):
    """Each side reads what the other one changes, in another order."""
    a, b = 1, 2
    for i in range(len(x)):
        if x[i] % 3 == 1:
            a = b + 1
            b = (a * 2) & 1023
        else:
            b = a - 1
            a = b
    return a * 1000003 + b

@njit("int64(uint8[:])")
def words(text):
    count = 0
    inside = False
    for c in text:
        if c == 32 or c == 10:
            inside = False
        elif not inside:
            inside = True
            count += 1
    return count

@njit("int64(uint8[:], int64)")
def states(text, start):
    state = start
    seen = 0
    odd = False
    for c in text:
        if c == 97:
            if state == 2 and not odd:
                seen += 3
                odd = state > 1
            else:
                state = state + 1
                odd = not odd
        else:
            state = 0
            if odd:
                seen -= 1
    return seen * 10 + state + odd

@njit("void(int64[:], int64[:])")
def stack(x, out):
    top = 0
    for i in range(len(x)):
        if x[i] > 0:
            top += 1
        else:
            top = 0
        out[top] = i

@njit("void(float64[:, :], float64, boolean[:, :])")
def tops(a, limit, out):
    for i in range(1, a.shape[0] - 1):
        for j in range(1, a.shape[1] - 1):
            v = a[i, j]
            top = True
            known = v == v
            if a[i - 1, j] > v:
                top = False
            if a[i + 1, j] > v:
                top = False
            if a[i, j - 1] >= v or a[i, j + 1] >= v:
                top = False
            if top and v < limit:
                known = False
            if not known and v < -limit:
                top = True
            out[i, j] = top and known or not top and v > limit

@njit("Tuple((int64, int64))(int64[:])")
def first_four(x):
    """What the inner condition computes does not overflow where the outer one holds."""
    best = run = 0
    for i in range(len(x)):
        if x[i] > 0 and i < 4:
            if i * 2305843009213693952 > best:
                best = i + run
                run += 2
            else:
                run -= 1
        else:
            run += 5
    return best, run

@njit("int64(int64[:], int64)")
def shifts(x, k):
    run = 0
    for i in range(len(x)):
        v = x[i]
        if v >= 0 and v < 60:
            if (k >> v) > 1:
                run += 1
            elif v * 4 > 99:
                run += 3
        else:
            run = 0
    return run

@njit("int64(int64[:, :], int64[:])", parallel=True)
def rows(x, out):
    """Variables of one side alone, of nested blocks, and of both."""
    total = 0
    for i in prange(x.shape[0]):
        run = best = 0
        last = -1
        for j in range(x.shape[1]):
            v = x[i, j]
            if v > 0:
                t = v * 3 + 1
                run += t ^ (t + 5)
                u = run - v
                if u > 7:
                    t = u * 2
                    w = t - v
                    best = max(best, w ^ t)
                best ^= t & 1
            else:
                t = v - 1
                run = t * t
                last = t
        u = best + run
        out[i] = u + last
        total += u
    return total

@njit("int64(int64[:])", parallel=True)
def elements(x):
    s = 0
    for i in prange(len(x)):
        v = x[i]
        if v > 0:
            t = v * 3 + 1
            s += t ^ (t + 5)
        else:
            s += 7
    return s

@njit("int64(int64[:], int64)")
def raises(x, by):
    s = 0
    run = 0
    for i in range(len(x)):
        if x[i] > 0:
            run += 1
            if run > s:
                s = run
        else:
            run = run // by
    return s
''')


def agree(name, *args):
    copies, expected = [[a.copy() if isinstance(a, np.ndarray) else a for a in args] for _ in range(2)]
    with np.errstate(over="ignore"):
        assert getattr(built, name)(*copies) == getattr(built.plain, name)(*expected)
    for ours, theirs in zip(copies, expected):
        np.testing.assert_array_equal(ours, theirs)


SIZES = [0, 1, 2, 17, 300]


@pytest.mark.parametrize("name", ["int32", "int64", "uint32", "uint64"])
@pytest.mark.parametrize("n", SIZES)
def test_of_all_types(name, n):
    info = np.iinfo(name)
    rng = np.random.default_rng(n)
    small = rng.integers(0, 4, n).astype(name)
    ends = rng.choice(np.array([info.min, info.min + 1, 0, 1, info.max - 1, info.max], name), n)
    for x in (small, ends, ends[::-1]):
        agree(f"counted_{name}", x, np.zeros(n, name))


@pytest.mark.parametrize("n", SIZES)
def test_counters(n):
    rng = np.random.default_rng(n)
    x = rng.standard_normal(n)
    for values in (x, np.full(n, np.nan), np.where(x > 1, np.nan, x), x[::-1], np.zeros(n)):
        agree("streak", values, 0.0)
        agree("both", values)
    agree("crossed", rng.integers(-5, 6, n))
    text = rng.choice(np.frombuffer(b"aab \n", np.uint8), n)
    agree("words", text)
    for start in (0, 1, 2):
        agree("states", text, start)
    for a in (x[:n // 17 * 17].reshape(-1, 17), np.round(x[:n // 17 * 17]).reshape(-1, 17), np.full((5, 9), np.nan)):
        agree("tops", a, 0.5, np.zeros(a.shape, bool))
        agree("tops", a.T, -0.5, np.zeros(a.T.shape, bool))
    agree("stack", rng.integers(-1, 3, n), np.zeros(n + 1, np.int64))
    for values in (rng.integers(-9, 70, n), np.full(n, 2**63 - 1), np.ones(n, np.int64), np.full(n, -2**63)):
        agree("first_four", values)
        agree("shifts", values, 2**40)
        agree("elements", values % 1000 - 500)
    for shape in ((n, 3), (3, n), (40, n)):
        agree("rows", rng.integers(-9, 9, shape), np.zeros(shape[0], np.int64))


def test_what_one_side_may_raise():
    agree("raises", np.array([1, 1, -1, 1]), 2)
    agree("raises", np.array([1, 1]), 0)
    with pytest.raises(ZeroDivisionError):
        built.raises(np.array([1, 0]), 0)
