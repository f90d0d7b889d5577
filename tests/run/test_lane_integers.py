"""Division of integers and their conversions, in lanes: what NumPy computes, of every type, size and sign."""
import numpy as np
import pytest
from conftest import Batch

TYPES = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]

DIVISIONS = '''
@njit("void({t}[::1], {t}[::1], {t}[::1], {t}[::1])", error_model="numpy")
def both_{t}(a, b, quotient, rest):
    for i in range(len(a)):
        quotient[i] = a[i] // b[i]
        rest[i] = a[i] % b[i]

@njit("void({t}[::1], {t}, {t}[::1], {t}[::1])", error_model="numpy")
def by_one_{t}(a, b, quotient, rest):
    for i in range(len(a)):
        quotient[i] = a[i] // b
        rest[i] = a[i] % b

@njit("void({t}, {t}[::1], {t}[::1], {t}[::1])", error_model="numpy")
def of_one_{t}(a, b, quotient, rest):
    for i in range(len(b)):
        quotient[i] = a // b[i]
        rest[i] = a % b[i]
'''

TEXT = '''
@njit("void(int64[::1], int64[::1], int64[::1])")
def gcd(a, b, out):
    for i in range(len(a)):
        x, y = a[i], b[i]
        while y != 0:
            x, y = y, x % y
        out[i] = x

@njit("void(int64[::1], int64[::1], int64[::1])")
def digits(a, base, out):
    for i in range(len(a)):
        n, total = a[i], 0
        while n > 0:
            total += n % base[i]
            n //= base[i]
        out[i] = total

@njit("void(int64[::1], int64[::1])")
def digits_of_ten(a, out):
    for i in range(len(a)):
        n, total = a[i], 0
        while n > 0:
            total += n % 10
            n //= 10
        out[i] = total

@njit("void(int64[::1], int64[::1], float64[::1])")
def only_where_it_may(a, b, out):
    for i in range(len(a)):
        out[i] = 1.0
        if b[i] != 0:
            out[i] = a[i] // b[i] + 0.5
            if a[i] % b[i] == 0:
                out[i] = -1.0

@njit("void(int64[::1], int64[::1], int64[::1])")
def chosen(a, b, out):
    for i in range(len(a)):
        out[i] = a[b[i] % len(a)] // b[i] if b[i] > 2 else a[i] % 7

@njit("void(int64[::1], int64[::1], int64[::1])")
def raising(a, b, out):
    for i in range(len(a)):
        total = 0
        for k in range(3):
            total += (a[i] + k) // b[i]
        out[i] = total

@njit("void(int64[::1], int64, float64[::1])")
def by_what_all_share(a, n, out):
    for i in range(len(a)):
        out[i] = 1.0
        root = 0
        while root * root < a[i]:
            root += 1
        less = n - 1
        out[i] = root / n
        out[i] += (root + 5) % less

@njit("void(int64[::1], int64, float64[::1])", parallel=True)
def by_what_all_share_parallel(a, n, out):
    for i in prange(len(a)):
        root = 0
        while root * root < a[i]:
            root += 1
        out[i] = root / n + (root + 5) % (n - 1)

@njit("float64(float64)")
def halved(t):
    k = 0
    while t > 1.0 and k < 50:
        t = t * 0.5
        k += 1
    return t

@njit("void(float64[::1], float64[::1], float64[::1])")
def by_an_extent(x, y, out):
    for i in range(len(x)):
        t = halved(x[i])
        if t > 0.7:
            t = t + len(x) // len(y)
        out[i] = t

@njit("void(float64[::1], uint8, uint8, float64[::1])")
def by_a_byte(x, n, d, out):
    for i in range(len(x)):
        t = halved(x[i])
        if t > 0.7:
            t += int(n) // int(d)
        out[i] = t

@njit("void(float64[::1], int64, int64, float64[::1])")
def where_it_is_known(x, n, d, out):
    for i in range(len(x)):
        t = halved(x[i])
        out[i] = (n // d + t * 0.5) if d > 0 and n >= 0 and t > 0.7 else t * 0.25
        if t > 0.6 and d > 0 and 100 // d > 7:
            out[i] += 100.0

@njit("void(float64[:, ::1], float64[:, ::1], float64[:, ::1], int64, int64)", error_model="numpy")
def end_of_a_loop(a, b, c, n, d):
    if n >= 0:
        for i in range(d):
            for k in range(n // d):
                for j in range(b.shape[1]):
                    c[i, j] += a[i, k] * b[k, j]

@njit("void(float64[:, ::1], float64[:, ::1], float64[:, ::1], int64, int64)", error_model="numpy", parallel=True)
def end_of_a_parallel_loop(a, b, c, n, d):
    if n >= 0:
        for i in prange(d):
            for k in range(n // d):
                for j in range(b.shape[1]):
                    c[i, j] += a[i, k] * b[k, j]

@njit("void(int64[::1], float64[::1], float32[::1], uint64[::1])")
def converted(a, wide, narrow, wrapped):
    for i in range(len(a)):
        wide[i] = a[i] * 0.5
        narrow[i] = np.float32(a[i])
        wrapped[i] = np.uint64(wide[i] * wide[i])

@njit("void(float64[::1], int64[::1], uint64[::1])")
def whole(x, a, b):
    for i in range(len(x)):
        a[i] = int(x[i])
        b[i] = np.uint64(x[i])

@njit("void(int64[::1], int64[::1], int64[::1], int64[::1])")
def shifted(a, n, left, right):
    for i in range(len(a)):
        left[i] = a[i] << (n[i] & 63)
        right[i] = a[i] >> (n[i] & 63)

@njit(["int64(int64, int64)"])
def wrapped(i, n):
    return (i + n) % n

@njit("void(uint8[:, ::1], uint8[:, ::1])", parallel=True)
def neighbours(a, out):
    rows, columns = a.shape
    for i in prange(rows):
        for j in range(columns):
            total = 0
            for di in range(-1, 2):
                for dj in range(-1, 2):
                    total += a[wrapped(i + di, rows), wrapped(j + dj, columns)]
            out[i, j] = total % 251
'''

ISAS = ["x86-64-v2", "x86-64-v3", "native"]
MODULES = {}
for isa in ISAS:
    MODULES[isa] = Batch("lane_integers_" + isa.replace("-", "_"), [f"--march={isa}"])
    MODULES[isa].add(TEXT + "".join(DIVISIONS.replace("{t}", t) for t in TYPES))


@pytest.fixture(params=ISAS)
def built(request):
    if request.param != "native" and not supported(request.param):
        pytest.skip("this processor does not have it")
    return MODULES[request.param]


def supported(isa):
    try:
        flags = open("/proc/cpuinfo").read()
    except OSError:
        return False
    return ("avx2" if isa.endswith("v3") else "sse4_2") in flags


def integers(dtype, count, seed=0):
    """Of every number of bits, both signs, zeros and ends among them."""
    rng = np.random.default_rng(seed)
    info = np.iinfo(dtype)
    size = rng.integers(1, info.bits + 1, count).astype(np.uint64)
    values = rng.integers(0, 2**64, count, np.uint64, endpoint=False) >> (np.uint64(64) - size)
    values = np.where(rng.random(count) < 0.5, values, np.uint64(0) - values).astype(dtype)
    ends = np.array([0, 1, 2, info.max, info.min, info.max - 1], dtype)
    values[rng.integers(0, count, len(ends))] = ends
    return values


@pytest.mark.parametrize("dtype", TYPES)
def test_quotients_and_rests(built, dtype):
    t = np.dtype(dtype).type
    with np.errstate(all="ignore"):
        for count, size in ((1000, None), (37, None), (1, None), (0, None), (1000, 20), (1000, 50)):
            a, b = integers(dtype, max(count, 1), 1)[:count], integers(dtype, max(count, 1), 2)[:count]
            if size and size < np.iinfo(dtype).bits:
                a, b = a % t(2**size - 1 if 2**size <= np.iinfo(dtype).max else 100), b % t(1000 % np.iinfo(dtype).max)
            quotient, rest = np.zeros(count, dtype), np.zeros(count, dtype)
            getattr(built, "both_" + dtype)(a, b, quotient, rest)
            assert quotient.tolist() == (a // b).tolist()
            assert rest.tolist() == (a % b).tolist()
            for one in (t(7), t(0), t(np.iinfo(dtype).max), t(np.iinfo(dtype).min), t(np.iinfo(dtype).max // 3)):
                getattr(built, "by_one_" + dtype)(a, one, quotient, rest)
                assert quotient.tolist() == (a // one).tolist()
                assert rest.tolist() == (a % one).tolist()
                getattr(built, "of_one_" + dtype)(one, b, quotient, rest)
                assert quotient.tolist() == (one // b).tolist()
                assert rest.tolist() == (one % b).tolist()


@pytest.mark.parametrize("bits", [15, 45, 60, 63])
def test_loops_that_part(built, bits):
    rng = np.random.default_rng(bits)
    a, b = rng.integers(0, 2**bits, 203), rng.integers(0, 2**bits, 203)
    b[::17] = 0
    out = np.zeros(203, np.int64)
    built.gcd(a, b, out)
    assert out.tolist() == np.gcd(a, b).tolist()
    base = rng.integers(2, 1000, 203)
    built.digits(a, base, out)
    expected = []
    for n, by in zip(a.tolist(), base.tolist()):
        total = 0
        while n:
            total, n = total + n % by, n // by
        expected.append(total)
    assert out.tolist() == expected
    built.digits_of_ten(a, out)
    assert out.tolist() == [sum(map(int, str(n))) for n in a.tolist()]


def test_dead_lanes_divide_nothing(built):
    a, b = integers("int64", 500, 3), integers("int64", 500, 4) % 50 - 10
    out = np.zeros(500)
    built.only_where_it_may(a, b, out)
    expected = [1.0 if y == 0 else -1.0 if x % y == 0 else float(np.int64(x // y) + 0.5)
                for x, y in zip(a.tolist(), b.tolist())]
    assert out.tolist() == expected
    whole = np.zeros(500, np.int64)
    built.chosen(a, b, whole)
    assert whole.tolist() == [a.tolist()[y % 500] // y if y > 2 else x % 7 for x, y in zip(a.tolist(), b.tolist())]


def test_the_first_division_by_zero_raises_and_what_was_before_it_is_written(built):
    a, b = np.arange(100, 300), np.arange(1, 201)
    b[130] = b[150] = 0
    out = np.zeros(200, np.int64)
    with pytest.raises(ZeroDivisionError):
        built.raising(a, b, out)
    expected = [sum((x + k) // y for k in range(3)) for x, y in zip(a[:130].tolist(), b[:130].tolist())]
    assert out.tolist() == expected + [0] * 70


def test_divisors_that_all_iterations_share(built):
    a = np.random.default_rng(4).integers(0, 5000, 3000)
    roots = [next(r for r in range(100) if r * r >= n) for n in a.tolist()]
    for n in (7, -3):
        for function in (built.by_what_all_share, built.by_what_all_share_parallel):
            out = np.zeros(3000)
            function(a, n, out)
            assert out.tolist() == [r / n + (r + 5) % (n - 1) for r in roots]
    for n, first in ((0, 1.0), (1, roots[0] / 1)):
        out = np.zeros(3000)
        with pytest.raises(ZeroDivisionError):
            built.by_what_all_share(a, n, out)
        assert out.tolist() == [first] + [0.0] * 2999
        out = np.zeros(3000)
        with pytest.raises(ZeroDivisionError):
            built.by_what_all_share_parallel(a, n, out)
        assert out[0] == 0.0
        built.by_what_all_share(a[:0], n, out)
        built.by_what_all_share_parallel(a[:0], n, out)


def test_divisions_stay_where_they_may_be_made(built):
    x = np.linspace(0.0, 40.0, 101)
    t = x.copy()
    while (t > 1.0).any():
        t = np.where(t > 1.0, t * 0.5, t)
    for d in (0, 1, 3):
        for function, divisor, quotient in ((built.by_an_extent, (np.zeros(d),), 101), (built.by_a_byte, (7, d), 7)):
            out = np.full(101, -1.0)
            if d:
                function(x, *divisor, out)
                assert out.tolist() == np.where(t > 0.7, t + quotient // d, t).tolist()
                continue
            with pytest.raises(ZeroDivisionError):
                function(x, *divisor, out)
            first = int(np.argmax(t > 0.7))
            assert out.tolist() == t[:first].tolist() + [-1.0] * (101 - first)
        out = np.zeros(101)
        built.where_it_is_known(x, 7, d, out)
        expected = np.where((t > 0.7) & (d > 0), 7 // max(d, 1) + t * 0.5, t * 0.25)
        expected = np.where((t > 0.6) & (d > 0) & (100 // max(d, 1) > 7), expected + 100.0, expected)
        assert out.tolist() == expected.tolist()
        a, b = np.ones((3, 9)), np.ones((9, 40))
        for function in (built.end_of_a_loop, built.end_of_a_parallel_loop):
            c = np.zeros((3, 40))
            function(a, b, c, 9, d)
            assert c.sum() == (9 // d * 40 * d if d else 0)


def test_conversions(built):
    a = np.concatenate([integers("int64", 3000, 5), np.array([2**53 + 1, -(2**53) - 1, 2**62 + 2**38, 2**24 + 1])])
    wide, narrow, squares = np.zeros(len(a)), np.zeros(len(a), np.float32), np.zeros(len(a), np.uint64)
    built.converted(a, wide, narrow, squares)
    assert wide.tolist() == [float(n) * 0.5 for n in a.tolist()]
    assert narrow.tolist() == a.astype(np.float32).tolist()
    assert squares.tolist() == [min(int(x * x), 2**64 - 1) for x in wide.tolist()]


def test_whole_numbers_of_floats(built):
    rng = np.random.default_rng(6)
    x = np.concatenate([rng.normal(size=2000) * 2.0 ** rng.integers(-4, 70, 2000),
                        [0.0, -0.0, 0.5, -0.5, np.inf, -np.inf, np.nan, 2.0**63, -(2.0**63), 2.0**64, 2.0**51 + 0.5]])
    a, b = np.zeros(len(x), np.int64), np.zeros(len(x), np.uint64)
    built.whole(x, a, b)

    def clipped(value, lo, hi):
        return 0 if np.isnan(value) else lo if value <= lo else hi if value >= hi else int(value)
    assert a.tolist() == [clipped(v, -(2**63), 2**63 - 1) for v in x.tolist()]
    assert b.tolist() == [clipped(v, 0, 2**64 - 1) for v in x.tolist()]


def test_shifts(built):
    a, n = integers("int64", 700, 8), integers("int64", 700, 9)
    left, right = np.zeros(700, np.int64), np.zeros(700, np.int64)
    built.shifted(a, n, left, right)
    assert left.tolist() == (a << (n & 63)).tolist() and right.tolist() == (a >> (n & 63)).tolist()


def test_neighbours_around_the_edge(built):
    a = np.random.default_rng(1).integers(0, 256, (37, 53)).astype(np.uint8)
    out = np.zeros_like(a)
    built.neighbours(a, out)
    total = sum(np.roll(a.astype(int), (i, j), (0, 1)) for i in (-1, 0, 1) for j in (-1, 0, 1))
    assert (out == total % 251).all()
