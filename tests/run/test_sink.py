"""Stores and updates that both sides of a branch end with: the same elements, the same order, the same exceptions."""
import numpy as np
import pytest
from conftest import Batch

built = Batch("sink")
built.add('''
@njit("float64(float64[:], int64)")
def noted(log, k):
    log[0] = log[0] * 10.0 + k
    return log[0]

@njit("void(float64[:], float64[:], float64[:])")
def chosen(x, out, other):
    for i in range(len(x)):
        if x[i] < 0.0:
            out[i] = -1.0
            other[i] = 1.0
        elif x[i] == 0.0:
            out[i] = 0.0
            other[i] = out[i] + 2.0
        else:
            y = x[i] * 2.0
            out[i] = y
            other[i] = y + 1.0

@njit("void(int64[:], int64[:], int64)")
def moved(x, out, n):
    for i in range(len(x)):
        k = i
        if x[i] > n:
            k = n
            out[k] = 1
        else:
            out[k] = 2

@njit("void(int64[:], int64[:])")
def place_in_memory(at, out):
    for i in range(len(out)):
        if i % 2 == 0:
            at[0] = i
            out[at[0]] = 10 + i
        else:
            at[0] = i - 1
            out[at[0]] = 20 + i

@njit("void(float64[:], float64[:])")
def called(log, out):
    for i in range(len(out)):
        if i % 3 == 0:
            out[i] = noted(log, 1)
            out[0] = noted(log, 2)
        else:
            out[i] = noted(log, 3)
            out[0] = 7.0

@njit("void(int64[:], int64[:], int64[:])")
def raising(x, out, other):
    for i in range(len(x)):
        if x[i] < 5:
            other[i] = 1
            out[i] = 10 // x[i]
        else:
            other[i] = 2
            out[i] = 0

@njit("float64(float64[:], float64[:], float64[:])")
def added(x, out, log):
    s = 0.0
    n = 0
    for i in range(len(x)):
        if x[i] > 0.0:
            s += noted(log, 1)
            out[i] += s
        elif x[i] == 0.0:
            s += x[i] * 2.0
            out[i] += 1.0
        else:
            s -= x[i]
            out[i] += s
        if x[i] < 1.0:
            n += i
            out[0] = n
        else:
            n += 2 * i
            out[0] = n
        if i % 2 == 0:
            out[i] -= n
            s *= 0.5
        else:
            out[i] -= s
            s *= 0.25
    return s + n

@njit("int8(uint8[:], float32[:])")
def narrow(x, y):
    s = np.int8(0)
    t = np.float32(0)
    for i in range(len(x)):
        if x[i] & 1:
            s = np.int8(s + x[i])
            t += np.float32(x[i])
            y[i] = y[i] + t
        else:
            s = np.int8(s + 100)
            t += y[i]
            y[i] = y[i] + np.float32(i)
    return s

@njit("void(float32[:, :], uint8[:])", parallel=True)
def rows(a, out):
    for i in prange(a.shape[0]):
        total = 0.0
        for j in range(a.shape[1]):
            if a[i, j] > 0:
                total += a[i, j]
                a[i, j] = total
            else:
                a[i, j] = -total
        if total > 3.0:
            out[i] = 3
        else:
            out[i] = 300

@njit("void(float64[:], float64[:], float64)")
def one_store(x, out, d):
    for i in range(len(x)):
        if out[i] != out[i]:
            if x[i] == x[i]:
                out[i] = x[i]
        elif x[i] == x[i] and x[i] > out[i]:
            out[i] = x[i]
        if x[i] < d:
            x[i] = d
        elif out[i] < d:
            x[i] = d
        if x[i] > 1.0:
            if out[i] > 2.0:
                out[i] = d
        else:
            out[i] = d

@njit("void(float64[:], float64[:], float64[:])")
def in_one_way(x, log, out):
    for i in range(len(x)):
        if noted(log, 1) > 50.0:
            if x[i] > noted(log, 2):
                out[i] = 1.0
        else:
            if x[i] > noted(log, 3) * 0.01:
                out[i] = 1.0
''')


@pytest.mark.parametrize("size", [0, 1, 7, 33, 100])
def test_values(size):
    x = np.resize([-1.0, 0.0, 2.0, np.nan, 5.0], size)
    out, other = np.full(size, 9.0), np.full(size, 9.0)
    expected = [np.copy(out), np.copy(other)]
    built.plain.chosen(x, *expected)
    built.chosen(x, out, other)
    np.testing.assert_array_equal(out, expected[0])
    np.testing.assert_array_equal(other, expected[1])
    # one array for all: what is stored is read again
    same, expected = np.copy(x), np.copy(x)
    built.plain.chosen(expected, expected, expected)
    built.chosen(same, same, same)
    np.testing.assert_array_equal(same, expected)


@pytest.mark.parametrize("last", [0.25, np.nan])
@pytest.mark.parametrize("size", [0, 1, 7, 33, 100])
def test_updates(size, last):
    x = np.resize([-1.0, 0.0, 2.0, -3.0, 5.0, -0.0, 0.5], size)
    x[-1:] = last  # all behind NaN would be NaN
    out, log = np.arange(size) * 0.5, np.zeros(1)
    expected, expected_log = np.copy(out), np.copy(log)
    if not size:
        assert built.added(x, out, log) == 0.0
        return
    result = built.plain.added(x, expected, expected_log)
    np.testing.assert_array_equal(built.added(x, out, log), result)
    np.testing.assert_array_equal(out, expected)
    assert log == expected_log
    same = np.copy(x)
    expected = np.copy(x)
    np.testing.assert_array_equal(built.added(same, same, log),
                                  built.plain.added(expected, expected, expected_log))
    np.testing.assert_array_equal(same, expected)
    assert log == expected_log


def test_updates_of_narrow_types():
    x = np.arange(256, dtype=np.uint8)[::-1]
    y = np.linspace(-3, 3, 256, dtype=np.float32)
    out, s, t = np.copy(y), 0, np.float32(0)
    for i in range(256):
        if x[i] & 1:
            s = (s + int(x[i]) + 128) % 256 - 128
            t += np.float32(x[i])
            out[i] += t
        else:
            s = (s + 100 + 128) % 256 - 128
            t += out[i]
            out[i] += np.float32(i)
    assert built.narrow(x, y) == s
    assert y.tobytes() == out.tobytes()


def test_places():
    x = np.arange(20)
    for n in (0, 5, 19):
        out, expected = np.zeros(20, np.int64), np.zeros(20, np.int64)
        built.plain.moved(x, expected, n)
        built.moved(x, out, n)
        assert out.tolist() == expected.tolist()
    a, b = np.zeros(20, np.int64), np.zeros(20, np.int64)
    built.plain.place_in_memory(a, a)
    built.place_in_memory(b, b)
    assert a.tolist() == b.tolist()


def test_effects_keep_their_order():
    log, expected_log = np.zeros(1), np.zeros(1)
    out, expected = np.zeros(9), np.zeros(9)
    built.plain.called(expected_log, expected)
    built.called(log, out)
    assert log == expected_log and out.tolist() == expected.tolist()


def test_what_is_stored_before_an_exception():
    x = np.array([1, 2, 9, 4, 0, 3] + [1] * 40)
    out, other = np.full(46, -1), np.full(46, -1)
    with pytest.raises(ZeroDivisionError):
        built.raising(x, out, other)
    assert out[:6].tolist() == [10, 5, 0, 2, -1, -1]
    assert other[:6].tolist() == [1, 1, 2, 1, 1, -1]


def test_rows():
    a = np.random.default_rng(1).normal(size=(21, 13)).astype(np.float32)
    b, expected = np.copy(a), np.zeros(21, np.uint8)
    for row, k in zip(b, range(21)):
        total = 0.0
        for j in range(13):
            if row[j] > 0:
                total += float(row[j])
                row[j] = total
            else:
                row[j] = -total
        expected[k] = 3 if total > 3.0 else 300 % 256
    out = np.zeros(21, np.uint8)
    built.rows(a, out)
    assert a.tobytes() == b.tobytes() and out.tolist() == expected.tolist()


@pytest.mark.parametrize("size", [0, 1, 7, 33, 100, 1000])
def test_one_store_in_several_ways(size):
    rng = np.random.default_rng(size)
    x, y = rng.choice([np.nan, -1.0, 0.5, 1.5, 2.5, 3.0], size), rng.choice([np.nan, -1.0, 0.25, 1.75, 2.5, 3.0], size)
    for d in 0.3, np.nan:
        ours, theirs = [x.copy(), y.copy()], [x.copy(), y.copy()]
        built.one_store(*ours, d)
        built.plain.one_store(*theirs, d)
        np.testing.assert_array_equal(ours, theirs)
        shared, same = np.concatenate([x, y]), np.concatenate([x, y])
        built.one_store(shared[:size], shared[1:size + 1], d)
        built.plain.one_store(same[:size], same[1:size + 1], d)
        np.testing.assert_array_equal(shared, same)
    log, kept, out, wanted = np.zeros(1), np.zeros(1), np.zeros(size), np.zeros(size)
    with np.errstate(over="ignore"):
        built.in_one_way(x[:12], log, out)
        built.plain.in_one_way(x[:12], kept, wanted)
    np.testing.assert_array_equal(log, kept)
    np.testing.assert_array_equal(out, wanted)
