"""Loops whose iterations part, side by side in lanes: the same values, stores and exceptions as one by one."""
import math
import sys

import numpy as np
import pytest
from conftest import ROOT, Batch

sys.path.insert(0, str(ROOT / "tests/fuzz"))
import gangs  # noqa: E402

TEXT = '''
import random
@njit
def root(x, guess):
    for step in range(60):
        better = 0.5 * (guess + x / guess)
        if abs(better - guess) < 1e-12:
            return better
        guess = better
    return -1.0

@njit("void(float64[:], float64[:])")
def roots(x, out):
    for i in range(len(x)):
        out[i] = root(x[i], 1.0)

@njit("void(float64[:], float64[:])", parallel=True)
def roots_parallel(x, out):
    for i in prange(len(x)):
        out[i] = root(x[i], 1.0)

@njit("float64(float64[:], float64)")
def explained(x, limit):
    total = 0.0
    for i in range(len(x)):
        value, steps = x[i], 0
        while value > 1.0:
            value *= 0.5
            steps += 1
            if value > limit:
                raise ValueError("over", i)
        total += value + steps
    return total

@njit("void(int64[:], uint8[:,:], int64)")
def rows(key, out, n):
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            c = 0
            for k in range(key[j] % 5):
                if (k + i) % 3 == 1:
                    continue
                c += k * j
                if c > n:
                    break
            out[i, j] = c
'''
TEXT += '''
@njit("void(float64[:], float64[:])", parallel=True)
def scratch(x, out):
    for i in prange(len(x)):
        own = np.zeros(8)
        for j in range(5):
            own[int(x[i]) % 8] += x[i] * j
        out[i] = own[int(x[i]) % 8] + own.sum()

@njit("int64(int64, int64)")
def hits(n, most):
    found = 0
    for i in range(n):
        steps = 0
        while np.random.random() < 0.5 and steps < most:
            steps += 1
        found += steps
    return found

@njit("void(float64[:], float64[:])")
def drawn(x, out):
    for i in range(len(x)):
        first = np.random.random()
        while first < x[i]:
            first = first + 0.125
        out[i] = first
'''
TEXT += '''
@njit("float64(float64[:], float64[:])", fastmath=True)
def fast_roots(x, out):
    total = 0.0
    for i in range(len(x)):
        guess = 1.0
        while abs(guess * guess - x[i]) > 1e-9 * x[i]:
            guess = 0.5 * (guess + x[i] / guess)
        out[i] = guess + math.exp(-guess)
        total += guess
    return total

@njit("int64(int64[:])")
def longest(x):
    most = 0
    for i in range(len(x)):
        value, steps = x[i], 0
        while value > 0:
            value >>= 1
            steps += 1
        if steps > most:
            most = steps
    return most

@njit("float64(float64[:], float64)")
def extremes(x, limit):
    low, high = np.inf, -np.inf
    for i in range(len(x)):
        value = x[i]
        while value > limit:
            value -= limit
        if low >= value:
            low = value
        if x[i] < 50.0:
            if high < value:
                high = value
    return high - 1000.0 * low

@njit("float64(float64[::1], float64)")
def largest_size(x, start):
    best = start
    for i in range(len(x)):
        best = max(best, abs(x[i]))
    return best

@njit("float64(float64[::1], float64)")
def nearest(x, start):
    best = start
    for i in range(1, len(x)):
        apart = x[i] - x[i - 1]
        square = apart * apart
        if i % 3 > 0:
            if square < best:
                best = square
    return best

@njit("float64(float64[::1], float64)")
def largest(x, start):  # -0.0 or 0.0: the first of them
    best = start
    for i in range(len(x)):
        if x[i] > best:
            best = x[i]
    return best

@njit("float64(float64[::1], float64)")
def last_of_the_largest(x, start):
    best = start
    for i in range(len(x)):
        size = abs(x[i])
        if size >= best:
            best = size
    return best

@njit("float32(float32[::1], float32)")
def least_size(x, start):
    best = start
    for i in range(len(x)):
        best = min(best, np.float32(abs(x[i])))
    return best

@njit("float64(float64[::1], float64)")
def from_an_earlier_iteration(x, start):  # `size` of the first iteration is what it was
    best, size = start, -0.0
    for i in range(len(x)):
        if size > best:
            best = size
        size = abs(x[i])
    return best

@njit("void(float64[:], float64[:], int64[:])")
def angles(x, out, at):
    for i in range(len(at)):
        turn = x[at[i]] if at[i] < len(x) else 0.5
        out[i] = math.sin(turn) * (math.cos(x[at[i]]) if at[i] < len(x) else 2.0)
        if turn > 1.0:
            out[i] += math.tan(turn)
            while turn > 3.0:
                turn = math.cos(turn) + math.sin(math.sin(turn))
            out[i] -= turn

@njit("void(float64[:], float64[:], int64[:])")
def far_away(x, out, at):
    for i in range(len(at)):
        out[i] = math.lgamma(x[at[i]]) if at[i] < len(x) else math.gamma(2.0)

@njit("void(float64[:])")
def drawn_numbers(out):
    for i in range(len(out)):
        x = random.random()
        if x < 0.5:
            x = np.random.random() * 0.5
        out[i] = x + 10.0 * random.random()

@njit("void(float64[:], int64)")
def seeded_numbers(out, n):
    random.seed(n)
    for i in range(len(out)):
        out[i] = random.random() * 2.0 + random.random()

@njit("void(int64)")
def sow(n):
    random.seed(n)

@njit("void(float64[:])")
def numbers_of_before(out):
    for i in range(len(out)):
        out[i] = random.random() * 2.0 + random.random()

@njit("int64(float64)")
def tries(p):
    most = 0
    for i in range(50):
        steps = 0
        while random.random() > p:
            steps += 1
        most = max(most, steps)
    return most

@njit("void(float64[:,:], int64[:], float64[:], int64)")
def lifted(x, at, out, n):
    for i in range(len(out)):
        total = 0.0
        for j in range(n):
            if at[i] < j:
                total += math.sqrt(x[i + 2, 1]) * j
        out[i] = total

@njit("int64(int64[::1], boolean[::1])")
def largest_of_some(x, skip):
    best = -50
    for i in range(len(x)):
        if skip[i]:
            continue
        best = max(best, -5 - abs(x[i]))
    return best

@njit("float64(float64[::1], boolean[::1])")
def least_of_some(x, skip):
    best = 50.0
    for i in range(len(x)):
        if skip[i]:
            continue
        best = min(best, abs(x[i]) + 1.0)
    return best

@njit
def larger(u, v):
    if u > v:
        return u * v
    return abs(u) - v * v

@njit("float64(float64[::1], float64[::1], float64)")
def largest_by_helper(x, y, start):
    best = start
    for i in range(len(x)):
        if larger(x[i], y[i]) > best:
            best = larger(x[i], y[i])
    return best

@njit("float64(float64[::1], float64[::1], float64)")
def chosen_by_helper(x, y, start):
    for i in range(len(x)):
        start = larger(x[i], y[i]) if larger(x[i], y[i]) > start else start
    return start

@njit("float64(float64[::1], float64[::1], float64)")
def last_by_helper(x, y, start):
    for i in range(len(x)):
        if larger(x[i], y[i]) >= start:
            start = larger(x[i], y[i])
        y[i] = x[i] - y[i]
    return start

@njit("float64(float64[::1], int64)")
def largest_from_one(x, n):
    best = -1.0
    for i in range(1, n):
        best = max(best, abs(x[i]))
    return best

@njit("void(float64[:], float64[:])")
def nested_angles(x, out):
    for i in range(len(x)):
        out[i] = math.sin(math.cos(x[i]) * 2.0) + math.tan(x[i]) + math.cos(math.sin(math.sin(x[i]))) + math.sin(x[i])

@njit("void(float64[:], float64[:,:], float64[:])")
def carried_rows(x, a, out):
    row = a[0]
    for i in range(x.size):
        if x[i] > 0.0:
            row = a[1]
        v = row[0]
        while v < 10.0:
            v += 1.5
        out[i] = v
        if i > 20:
            row = a[i % 3]

@njit("int64(int64, float64[:])")
def moving_end(n, x):
    for i in range(n):
        v = x[i]
        while v < 10.0:
            v += 1.5
        if v > 3.0:
            n += 1
    return n

@njit("void(float64[:], int64[:])")
def end_in_memory(x, out):
    for i in range(out[0]):
        v = x[i]
        while v < 10.0:
            v += 1.5
        out[i] = int(v)

@njit("void(float64[:], float64[:], int64[:], int64)")
def bounds_that_move(x, out, a, turns):
    for t in range(turns):
        for i in range(a[0], a[1]):
            v = x[i - 1]
            while v < 10.0:
                v += 1.5
            out[i] = v + t
        a[0] -= 1

@njit("void(float64[:], float64[:], int64, int64, int64)")
def under_a_condition(x, out, lo, m, turns):
    for t in range(turns):
        if m > 0:
            for i in range(lo, len(x) // m):
                v = x[i - 1]
                while v < 10.0:
                    v += 1.5
                out[i] = v + t

@njit("void(float64[:])")
def in_place(x):
    for i in range(x.size):
        v = x[i]
        while v < 10.0:
            v += 3.0
        x[i] = v + 1.0

@njit("float64(float64[:], int64)")
def up_to_a_sentinel(x, n):
    s = 0.0
    for i in range(n):
        if x[i] < 0.0:
            raise ValueError("end", i)
        v = x[i]
        while v > 1.0:
            v *= 0.5
        s += v
    return s

@njit("int64(int64[:], int64[:], int64)")
def of_the_same(a, w, m):
    total, other = 0, 1
    for i in range(len(a)):
        n, x = 0, 1.0
        while n < a[i] and x < 1000.0:
            x = x * 1.5 + 0.25 * x * x
            n += 1
        if n > 3:
            total += m // 3
            total -= w[0] * w[1]
            other *= m % 5
    return total * 1000 + other

@njit("int64(int64[:], int64[:], int64)", parallel=True)
def of_the_same_parallel(a, w, m):
    total = 0
    for i in prange(len(a)):
        n = 0
        while n < a[i]:
            n += 2
        if n > 3:
            total += m // 3 + w[0]
    return total

@njit
def early(x, limit):
    n = 0
    while True:
        if x > limit:
            return n
        x = x * 2 + 1
        n += 1

@njit("void(int64[:], int64[:])")
def ends_by_returns(a, out):
    for i in range(len(a)):
        out[i] = early(abs(a[i]), 100)

@njit("void(int64[:], int64[:])")
def onto_itself(out, c):
    for i in range(len(c)):
        if c[i] > 0:
            out[i] += c[i]
        else:
            out[i] = out[i] * 2 - 1

@njit
def halved(x, y):
    steps = 0
    while x + y > 1.0:
        x, y, steps = y * 0.5, x * 0.75, steps + 1
        if steps > 3:
            return x, -1
    return x + y, steps

@njit("int64(float64[:], float64[:], int64[:], int64)")
def of_pairs(x, out, steps, fixed):
    total = 0
    always = (fixed, 2.5)
    for i in range(len(x)):
        pair = halved(x[i], 2.0)
        best = pair
        if best[0] > 0.5:
            best = (pair[0] - always[1], pair[1] + always[0])
        t = (x[i], 1.0)
        while t[0] < 10.0:
            t = (t[1], t[0] + t[1])
        out[i], steps[i] = best
        out[i] += t[0] - t[1]
        total += best[1]
    return total

@njit("void(float64[:,:], float64[:])")
def of_rows(a, out):
    for i in range(len(out)):
        j = len(a) - 1 - i
        row = a[j]
        j = 0
        best, k = 0.0, 0
        while k < len(row) and row[k] < 5.0:
            best += row[k]
            k += 1
            j += i
        out[i] = best + row[-1] + j

@njit("void(float64[:,:,:], float64[:,:])")
def of_columns(a, out):
    for i in range(a.shape[2]):
        x, y, z = a[1, :, i]
        column = out[:, -1 - i]
        scale = 1.0
        while scale * (x * x + y * y + z * z) > 1.0:
            scale *= 0.5
        column[0], column[1], column[-1] = x * scale, y * scale, z + column.shape[0]

@njit("void(float64[:], float64[:], int64)")
def shifted(a, x, n):
    for i in range(len(x)):
        value = x[i]
        while value > 1.0:
            value *= 0.5
        a[i - n] = a[i - n] * 0.5 + value

@njit("int64(int64[:], int64[:])")
def two_loops(x, out):
    for i in range(len(x)):
        out[i] = x[i] + 1
    total = 0
    for i in range(len(x)):
        value = x[i]
        while value > 7:
            value = value // 3
        out[i] += value
        total += value
    return total
'''
batch = Batch("gangs", ["--gang=16", "--verify-ir"])
batch.add(TEXT)


@pytest.fixture(scope="module")
def built():
    return batch.module


def halley(x):
    guess = 1.0
    for _ in range(60):
        if guess == 0.0:
            raise ZeroDivisionError("division by zero")
        better = 0.5 * (guess + x / guess)
        if abs(better - guess) < 1e-12:
            return better
        guess = better
    return -1.0


@pytest.mark.parametrize("count", [0, 1, 15, 16, 17, 31, 32, 33, 100])
@pytest.mark.parametrize("function", ["roots", "roots_parallel"])
def test_early_returns_and_sizes_that_are_no_multiples(built, function, count):
    x = np.linspace(0.1, 9.0, count) ** 3
    room = np.full(count + 2, 7.0)
    getattr(built, function)(x, room[1:-1])
    assert room[0] == room[-1] == 7.0
    assert room[1:-1].tolist() == [halley(v) for v in x]


def test_an_array_that_is_its_own_result_is_done_one_by_one(built):
    x = np.linspace(1.0, 50.0, 40)
    expected = x.copy()
    for i in range(39):
        expected[i + 1] = halley(expected[i])
    built.roots(x[:-1], x[1:])
    assert x.tolist() == expected.tolist()


def test_the_first_iteration_that_raises_wins_and_earlier_ones_are_complete(built):
    x = np.linspace(1.0, 5.0, 50)
    x[[21, 23, 40]] = -1.0, -1.0, -1.0  # the guess becomes 0
    out = np.zeros(50)
    with pytest.raises(ZeroDivisionError):
        built.roots(x, out)
    assert out[:21].tolist() == [halley(v) for v in x[:21]] and not out[21:].any()
    with pytest.raises(ZeroDivisionError):
        built.roots_parallel(x, np.zeros(50))


def test_an_exception_of_the_source_has_its_arguments(built):
    x = np.full(40, 3.0)
    x[[19, 20]] = 4000.0, 9000.0
    with pytest.raises(ValueError) as caught:
        built.explained(x, 1500.0)
    assert caught.value.args == ("over", 19)
    total = 0.0
    for v in x[:19]:
        steps = 0
        while v > 1.0:
            v, steps = v * 0.5, steps + 1
        total += v + steps
    assert built.explained(x[:19], 1500.0) == total


@pytest.mark.parametrize("count", [0, 1, 16, 40])
def test_conditional_extremes_are_those_of_all_iterations(built, count):
    x = np.arange(count)[::-1] * 37  # the last iteration of a gang has the least
    assert built.longest(x) == max([int(value).bit_length() for value in x], default=0)
    x = np.arange(count)[::-1] * 1.75 + 3.0
    x[1::7] = np.nan
    low, high = np.inf, -np.inf
    for value in x:
        rest = value
        while rest > 2.0:
            rest -= 2.0
        low = rest if low >= rest else low
        high = rest if value < 50.0 and high < rest else high
    assert built.extremes(x, 2.0) == high - 1000.0 * low


@pytest.mark.parametrize("count", [0, 1, 15, 16, 17, 33, 100, 200])
@pytest.mark.parametrize("function", ["largest_size", "nearest", "largest", "last_of_the_largest", "least_size", "from_an_earlier_iteration"])
def test_extremes_are_those_of_the_source_zeros_and_nans_included(built, function, count):
    rng = np.random.default_rng(count)
    dtype = np.float32 if function == "least_size" else np.float64
    for values in ([0.0, -0.0], [1.0, -2.0, np.nan, 0.0, -0.0], [-0.0, np.nan], [np.inf, -np.inf, 3.0]):
        x = rng.choice(np.array(values, dtype), count)
        for start in (-0.0, 0.0, -1.0, 2.0, np.nan, np.inf, -np.inf):
            with np.errstate(invalid="ignore"):
                ours, plain = both(built, function, x, dtype(start))
            assert dtype(ours[0]).tobytes() == dtype(plain[0]).tobytes(), (start, x)


@pytest.mark.parametrize("count", [0, 1, 15, 16, 17, 50])
@pytest.mark.parametrize("odd", [None, 1e300, np.inf, np.nan])
@pytest.mark.parametrize("function", ["angles", "far_away"])
def test_functions_of_all_lanes_are_right_in_each(built, function, odd, count):
    rng = np.random.default_rng(count)
    x = np.repeat(rng.uniform(-9, 9, 20), 2)[::2]
    if odd:
        x[7] = odd
    at = rng.integers(0, 20, count)
    at[1::5] = 1 << 40  # would be a segmentation fault
    if odd in (np.inf, np.nan):
        at[at == 7] = 8 if function == "angles" and odd == np.inf else 7  # Python has an exception for it
    out = np.zeros(count)
    getattr(built, function)(x, out, at)
    expected = np.zeros(count)
    getattr(batch.plain, function)(x, expected, at)
    np.testing.assert_allclose(out, expected, rtol=1e-13, atol=1e-13)


def test_random_numbers_of_lanes_are_uniform(built):
    out = np.empty(40_000)
    built.drawn_numbers(out)
    upper, lower = np.divmod(out, 10.0)
    assert len(np.unique(out)) == len(out) and out.min() >= 0.0 and out.max() < 11.0
    assert abs(out.mean() - (0.5 * 0.75 + 0.5 * 0.25 + 5.0)) < 0.1
    assert 1 < built.tries(0.5) < 60


@pytest.mark.parametrize("count", [0, 1, 16, 100])
def test_seeded_random_numbers_are_those_of_the_source(built, count):
    ours, later = np.empty(count), np.empty(count)
    built.seeded_numbers(ours, 7)
    stream = np.random.RandomState(7)  # what Numba draws
    assert ours.tolist() == [stream.random_sample() * 2.0 + stream.random_sample() for _ in range(count)]
    built.sow(9)
    built.numbers_of_before(later)
    stream = np.random.RandomState(9)
    assert later.tolist() == [stream.random_sample() * 2.0 + stream.random_sample() for _ in range(count)]


def test_what_is_loaded_ahead_need_not_be_there(built):
    out = np.ones(40)
    built.lifted(np.zeros((0, 0)), np.full(40, 1 << 50), out, 3)
    assert not out.any()
    x, at = np.random.default_rng(1).random((45, 2)), np.arange(40) % 5
    built.lifted(x, at, out, 7)
    expected = np.zeros(40)
    for i, j in np.ndindex(40, 7):  # Python's sum() of floats adds more exactly since 3.12
        expected[i] += math.sqrt(x[i + 2, 1]) * j if at[i] < j else 0.0
    assert out.tolist() == expected.tolist()


@pytest.mark.parametrize("count", [0, 1, 2, 16, 33, 70, 200])
def test_extremes_behind_continue_and_helpers(built, count):
    rng = np.random.default_rng(count)
    x, y, skip = rng.normal(size=count) * 3, rng.normal(size=count) * 3, rng.random(count) < 0.5
    for function, *args in [("largest_of_some", (x * 9).astype(int), skip), ("least_of_some", x, skip),
                            *((f, x, y, s) for f in ("largest_by_helper", "chosen_by_helper", "last_by_helper") for s in (-50.0, 1.0, 0.0))]:
        ours, plain = both(built, function, *args)
        assert ours == plain, function


def test_a_loop_that_ends_long_before_it_begins_turns_never(built):
    assert built.largest_from_one(np.zeros(3), -2**63) == -1.0


def test_angles_of_angles(built):
    x, out = np.linspace(-9.0, 9.0, 37), np.empty(37)
    built.nested_angles(x, out)
    expected = np.sin(np.cos(x) * 2.0) + np.tan(x) + np.cos(np.sin(np.sin(x))) + np.sin(x)
    np.testing.assert_allclose(out, expected, rtol=1e-12)


def both(built, function, *args):
    """What lanes and Python make of the same arguments, arrays included."""
    results = []
    for module in (built, batch.plain):
        own = [arg.copy() if isinstance(arg, np.ndarray) else arg for arg in args]
        results.append((getattr(module, function)(*own), [arg.tobytes() for arg in own if isinstance(arg, np.ndarray)]))
    return results


def test_a_row_of_an_earlier_iteration_is_its_row(built):
    a = np.arange(6.0).reshape(3, 2) * 3.7
    for x in (np.array([-1.0, -1, 1] + [-1.0] * 40), -np.ones(50)):
        ours, theirs = both(built, "carried_rows", x, a, np.zeros(x.size))
        assert ours == theirs


def test_the_end_of_a_loop_is_known_before_it(built):
    for function, args in [("moving_end", (50, np.ones(50))), ("end_in_memory", (np.arange(60.0), np.full(60, 45)))]:
        ours, theirs = both(built, function, *args)
        assert ours == theirs, function


def test_what_is_asked_in_front_of_a_loop_holds_there(built):
    for args in [(np.arange(40.0), np.zeros(40), np.array([3, 39]), 6), (np.arange(40.0), np.zeros(40), np.array([], np.int64), 0)]:
        ours, theirs = both(built, "bounds_that_move", *args)
        assert ours == theirs
    for m in (0, 1, 2):
        ours, theirs = both(built, "under_a_condition", np.arange(40.0), np.zeros(40), 0, m, 2)
        assert ours == theirs


def test_an_array_that_overlaps_itself_is_done_one_by_one(built):
    one, other = np.arange(5.0), np.arange(5.0)
    built.in_place(np.lib.stride_tricks.as_strided(one, (4,), (0,)))
    batch.plain.in_place(np.lib.stride_tricks.as_strided(other, (4,), (0,)))
    assert one.tolist() == other.tolist()


@pytest.mark.skipif(sys.platform != "linux", reason="asks for pages")
def test_nothing_behind_an_exception_is_read(built):
    import ctypes
    import mmap
    page = mmap.PAGESIZE
    memory = mmap.mmap(-1, 2 * page)
    whole = np.frombuffer(memory, np.float64)
    whole[:] = 3.0
    x = whole[page // 8 - 4:page // 8]
    x[-1] = -1.0
    start = whole.__array_interface__["data"][0]
    libc = ctypes.CDLL(None)
    assert libc.mprotect(ctypes.c_void_p(start + page), page, 0) == 0
    try:
        with pytest.raises(ValueError, match="end"):
            built.up_to_a_sentinel(x, 1000)
    finally:
        libc.mprotect(ctypes.c_void_p(start + page), page, 3)


@pytest.mark.parametrize("count", [0, 1, 16, 37])
def test_what_all_lanes_add_is_added_once_for_each(built, count):
    a, w = np.arange(count) % 7 + 2, np.array([2, 3])
    for function in ("of_the_same", "of_the_same_parallel"):
        assert getattr(built, function)(a, w, 9) == getattr(batch.plain, function)(a, w, 9)


def test_helpers_that_end_by_returns_only_are_done_in_lanes(built):
    a, out = np.arange(-40, 60), np.zeros(100, np.int64)
    built.ends_by_returns(a, out)
    assert out.tolist() == [batch.plain.early(abs(int(value)), 100) for value in a]
    emitted = batch.emitted
    assert "pyk::any(" in emitted.rsplit("void ends_by_returns", 1)[1].split("\n}\n")[0]


def test_elements_that_are_one_are_written_one_after_the_other(built):
    c, one = np.array([1, -1, 2, -1]), np.arange(5)
    built.onto_itself(np.lib.stride_tricks.as_strided(one, (4,), (0,)), c)
    assert one.tolist() == [5, 1, 2, 3, 4]


@pytest.mark.parametrize("count", [0, 1, 16, 37])
def test_tuples_in_lanes_are_those_of_their_iterations(built, count):
    x, results = np.linspace(-1, 30, count), []
    for module in (built, batch.plain):
        out, steps = np.zeros(count), np.zeros(count, np.int64)
        results.append((module.of_pairs(x, out, steps, 7), out.tobytes(), steps.tobytes()))
    assert results[0] == results[1]


@pytest.mark.parametrize("count", [0, 1, 16, 37])
@pytest.mark.parametrize("order", ["C", "F"])
def test_rows_of_arrays_in_lanes_are_those_of_their_iterations(built, count, order):
    plain = batch.plain
    a = np.asarray(np.random.default_rng(count).uniform(0, 6, (count, 5)), order=order)
    for rows in (a, a[:, ::-1], a[::-1, ::2]):
        ours, theirs = np.zeros(count), np.zeros(count)
        built.of_rows(rows, ours)
        plain.of_rows(rows, theirs)
        np.testing.assert_array_equal(ours, theirs)
    a = np.asarray(np.random.default_rng(count).uniform(0, 6, (2, 3, count)), order=order)
    ours, theirs = np.zeros((4, count)), np.zeros((4, count))
    built.of_columns(a, ours)
    plain.of_columns(a, theirs)
    np.testing.assert_array_equal(ours, theirs)
    if count:
        ours[:] = 7.0
        with pytest.raises(ValueError, match="unpack"):
            built.of_columns(np.zeros((2, 4, count)), ours)
        assert (ours == 7.0).all()


@pytest.mark.parametrize("size, count, n", [(8, 16, 8), (8, 8, 8), (40, 40, 0), (40, 40, 40), (40, 30, -7), (3, 6, 3), (40, 79, 39)])
def test_subscripts_that_come_back_from_the_end_meet_again(built, size, count, n):
    x, a = np.arange(1, count + 1) * 1.3, np.arange(float(size))
    expected = a.copy()
    for i in range(count):
        value = x[i]
        while value > 1.0:
            value *= 0.5
        expected[i - n] = expected[i - n] * 0.5 + value
    built.shifted(a, x, n)
    np.testing.assert_array_equal(a, expected)


@pytest.mark.parametrize("count", [0, 1, 16, 45])
def test_fastmath_loops_that_part_are_done_in_lanes(built, count):
    x, out = np.arange(1.0, count + 1), np.zeros(count)
    assert built.fast_roots(x, out) == pytest.approx(np.sqrt(x).sum(), rel=1e-8)
    np.testing.assert_allclose(out, np.sqrt(x) + np.exp(-np.sqrt(x)), rtol=1e-8)
    assert not list(batch.directory.glob("gangs.fast*"))  # ours is not for -fassociative-math
    body = batch.emitted.split("def fast_roots")[-1]
    assert "pyk::any(" in body and "pyk::lanes::exp" in body


def test_a_loop_behind_a_straight_one_is_done_in_lanes_too(built):
    x, out = np.arange(100) * 91 - 300, np.zeros(100, np.int64)
    values = []
    for value in x:
        while value > 7:
            value //= 3
        values.append(value)
    assert built.two_loops(x, out) == sum(values)
    np.testing.assert_array_equal(out, x + 1 + values)
    emitted = batch.emitted
    assert "pyk::any(" in emitted.rsplit("two_loops(", 1)[1]


def test_every_iteration_has_arrays_and_random_numbers_of_its_own(built):
    x, out = np.arange(40.0), np.zeros(40)
    built.scratch(x, out)
    assert out.tolist() == (x * 20).tolist()
    assert 800 < built.hits(1000, 50) < 1200
    built.drawn(np.zeros(100), out := np.zeros(100))
    assert len(set(out.tolist())) == 100


def test_narrow_results_of_loops_of_different_lengths(built):
    key, out = np.arange(-7, 30), np.zeros((5, 37), np.uint8)
    built.rows(key, out, 60)
    for i in range(5):
        for j in range(37):
            c = 0
            for k in range(key[j] % 5):
                if (k + i) % 3 == 1:
                    continue
                c += k * j
                if c > 60:
                    break
            assert out[i, j] == c % 256


def test_lanes_without_an_iteration_touch_no_memory(built):
    """The arrays end where the mapped memory does."""
    import mmap
    import ctypes
    page = mmap.PAGESIZE
    area = mmap.mmap(-1, 3 * page)
    start = ctypes.addressof(ctypes.c_char.from_buffer(area))
    libc = ctypes.CDLL(None, use_errno=True)
    assert libc.mprotect(ctypes.c_void_p(start + 2 * page), page, 0) == 0
    try:
        x = np.frombuffer(area, np.float64, 11, 2 * page - 88)
        out = np.frombuffer(area, np.float64, 5, page - 40)
        x[:] = np.arange(1.0, 12.0)
        built.roots(x[:5], out)
        built.roots(x[6:], out)
        assert out.tolist() == [halley(v) for v in x[6:]]
        assert math.isfinite(built.explained(x, 1e9))
    finally:
        libc.mprotect(ctypes.c_void_p(start + 2 * page), page, 3)


# For the least processor, for the one that runs the tests, and for all in one module.
@pytest.mark.parametrize("width, count, options", [(4, 80, ["--march=x86-64"]), (8, 60, ["--march=native"]), (16, 25, []),
                                                   (64, 35, ["--march=x86-64"])])
def test_random_loops_are_the_same_in_lanes(width, count, options):
    bad, compared, made = gangs.run(count, 1000 + width, [f"--gang={width}", *options])
    assert not bad
    assert compared > 8 * count and made > count // 2
