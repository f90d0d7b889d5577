"""The rules of docs/typing.md, docs/values.md and docs/emission.md that no other test holds: types against Numba, values
against CPython, NumPy or the sentence itself, and what the C++ says.
"""
import math
import pathlib
import re
import sys

import numpy as np
import pytest

import conftest
from conftest import PROLOGUE, Batch, run_pyk2cu

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "fuzz"))
pytest.importorskip("numba", reason="Numba is the oracle of these tests")
import oracle  # noqa: E402

# ---- types and values against Numba -----------------------------------------------------------------
BIG = 9007199254740993  # 2**53 + 1
AGAINST_NUMBA = {  # name: signature, body, calls
    "compared": ("uint64, int64", "return u == i, u < i, u >= i + 2", [(BIG, BIG - 1), (1, -1), (0, -1)]),
    "compared_float": ("int64, float64", "return u == i, u < i", [(BIG, float(BIG - 1)), (1, math.nan)]),
    "small_compared": ("uint32, int32", "return u == i, u > i", [(4294967295, -1), (3, 3)]),
    "operands": ("int32, float32", "return u and i, u or i, not u, not i", [(0, 2.5), (3, 0.0), (3, math.nan)]),
    "folded": ("int64, int64", "return 2 ** -1, 7 / 2, -7 // 2, 1 << 40, u ** -1, 2 ** 62 + i", [(2, 1), (1, 0)]),
    "versions": ("int32, float64", "x = u\n    y = x\n    x = i\n    x = (x, y)\n    return x, y", [(3, 2.5)]),
    "joined": ("int32, float32", "x = u\n    if i > 0:\n        x = i\n    return x", [(16777217, -1.0), (1, 0.5)]),
    "joined_widths": ("uint32, int8", "x = u\n    if i > 0:\n        x = i\n    return x", [(4294967295, -1), (1, 5)]),
    "joined_unsigned": ("uint64, int64", "x = u\n    if i > 0:\n        x = i\n    return x", [(BIG, -1), (1, 5)]),
    "carried": ("float32, int64", "s = 0\n    for k in range(i):\n        s += u\n    return s", [(0.1, 3), (0.1, 0)]),
    "carried_unsigned": ("uint64, int64", "s = np.uint64(0)\n    for k in range(i):\n        s += 1\n    return s", [(0, 3)]),
    "optional_result": ("int64, int64", "if u > i:\n        return u", [(2, 1), (1, 2)]),
    "optional_known": ("int64, int64", "x = None\n    if x is None:\n        return u\n    return 'never'", [(2, 1)]),
    "minmax": ("int8, uint32", "return min(u, i), max(0, u), min(u, u), max(u, 2.5), max((u, 3))", [(-1, 4294967295), (5, 2)]),
    "cast_chain": ("int64, float64", "return np.uint8(u), np.int16(u) + 1, np.float32(i) + 1, int(np.uint8(u)), bool(i)",
                   [(300, 0.1), (-1, math.nan), (40000, 0.0)]),
    "float_results": ("float32, int64", "return math.floor(u), math.sqrt(i), math.sqrt(u), round(u), np.floor(u)",
                      [(2.5, 9), (-0.5, 2)]),
    "tuples": ("int8, float64", "t = (u, u, u)\n    return t[0] + t[-1], t[1:], t + (i,), len(t), u in t", [(100, 0.5)]),
    "loop_of_int32": ("int32, uint8", "s = None\n    for k in range(u):\n        s = k\n    return s", [(3, 4), (0, 1)]),
    "loop_of_uint8": ("int32, uint8", "s = None\n    for k in range(i):\n        s = k\n    return s", [(3, 4), (0, 0)]),
    "identity": ("int64, int32", "return u is i, u is u, u is None, u is not i", [(1, 1), (1, 2)]),
    "dropped_by_rank": ("float64[:], int64", "if u.ndim == 2:\n        y = 2.5\n    else:\n        y = i\n    return y",
                        [(np.ones(2), 3)]),
    "dropped_by_class": ("float64, int64", "if isinstance(i, float):\n        y = 2.5\n    else:\n        y = i\n    return y",
                         [(0.5, 3)]),
    "chains": ("int64, int64", "return 0 < u < i, u < i < 3.5, 0 <= u <= i <= 9", [(1, 2), (2, 1), (5, 9)]),
    "minmax_nan": ("float64, float64", "return min(u, i), max(u, i), min(i, u, 1.0), max(1.0, u, i)",
                   [(math.nan, 1.0), (1.0, math.nan), (-0.0, 0.0), (0.0, -0.0)]),
    "domain": ("float64, float64", "return math.sqrt(u), math.log(u), math.exp(i), math.acos(i), math.pow(u, 0.5)",
               [(-1.0, 1000.0), (0.0, 2.0), (-4.0, math.nan)]),
    "zero_minus": ("int64, float64", "z = 0.0\n    f = np.float32(0)\n    return 0.0 - u, 0 - i, 0 - abs(i), 0.0 - u * 1.0, "
                   "-(u * 1.0), z - u, f - u, -float(u) + 0.0, 0.0 + -float(u), z + -float(u), -u + z",
                   [(0, 0.0), (3, -0.0), (-2, math.nan)]),
    "narrowed": ("float64[::1], float64[::1]", "x, y = np.float32(u[0]), np.float32(u[1])\n    i[0], i[1] = x, y",
                 [(np.array([0.1, 0.2]), np.zeros(2))]),
    "range_object": ("int64, int64", "r = range(u, i, 3)\n    s = 0\n    for k in r:\n        s = s * 10 + k\n    return s",
                     [(1, 9), (9, 1)]),
}


def test_types_and_values_are_numbas():
    cases = [oracle.Case(name, f"({signature})", f"def {name}(u, i):\n    {body}", calls)
             for name, (signature, body, calls) in AGAINST_NUMBA.items()]
    differences, stats = oracle.compare(cases)
    assert stats["compared"] == len(cases), stats
    assert not differences, "\n".join(map(str, differences))


VIEWS = ["a[1:]", "a[:, 1]", "a[1]", "a[::2]", "a[:, 1:]", "a.T", "a.T[1]", "a[..., 0]", "a[None, 1]", "a[1:, :]",
         "a[1, 1:]", "a[:, ::-1]"]


def test_layouts_of_views_are_numbas():
    """The layout of a view decides which callees and joins accept it. A vector that is F is C here."""
    def same_kind(layouts):
        return [oracle.Case(f"v{layout}{n}", f"(float64[{dims}],)", f"def v{layout}{n}(a):\n    return {view}",
                            [(np.asarray(np.arange(12.0).reshape(3, 4), order=order),)])
                for layout, dims, order in layouts for n, view in enumerate(VIEWS)]
    cases = same_kind([("c", ":,::1", "C"), ("f", "::1,:", "F"), ("s", ":,:", "C")])
    cases.append(oracle.Case("joined", "(float64[::1], int64)", """
        def joined(a, n):
            b = a[1:]
            if n > 0:
                b = a[::2]
            return b
     """, [(np.arange(6.0), 0), (np.arange(6.0), 1)]))
    differences, stats = oracle.compare(cases)
    assert stats["compared"] >= len(cases) - 3, stats
    differences = [d for d in differences if "float64[::1], Numba has array(float64, 1d, F)" not in d.what]
    assert not differences, "\n".join(map(str, differences))


# ---- values where Numba leaves CPython's and NumPy's, or leaves them open ----------------------------
batch = Batch("rules")
batch.add('''
@njit("Tuple((int64, int64, int64, bool_, int64))(int64, int64)")
def wraps(x, y):
    return x + y, x - y, x * y, x + 1 > x, (x * 2) // 2


@njit("Tuple((int64, int64, uint64, uint64))(int64, uint64, int64)")
def shifted(x, u, n):
    return x << n, x >> n, u << n, u >> n


@njit("Tuple((int64, int64))(int64, int64)")
def divided(x, y):
    return x // y, x % y


@njit("Tuple((int64, int64, float64, float64, float64))(int64, float64)", error_model="numpy")
def divided_as_numpy(n, x):
    return n // 0, n % 0, n / 0, x // 0.0, x % 0.0


@njit("float64(float64, float64)")
def quotient(x, y):
    return x / y


@njit("int64(int64, int64)")
def power(x, n):
    return x ** n


@njit("Tuple((int8, uint8, int64, uint64))(float64)")
def truncated(x):
    return np.int8(x), np.uint8(x), np.int64(x), np.uint64(x)


@njit("void(float64[:], int8[:], uint16[:], bool_[:])")
def stored(x, a, b, c):
    for i in range(len(x)):
        a[i] = x[i]
        b[i] = x[i]
        c[i] = x[i]


@njit("void(int64[:], int8[:])")
def narrowed(x, a):
    for i in range(len(x)):
        a[i] = x[i]
        a[i] += x[i]


@njit("float64(float64[:], int64, uint64)")
def element(a, i, u):
    return 100 * a[i] + 10 * a[u] + a[-1]


@njit("float64(float64[:], int64)", boundscheck=True)
def checked(a, i):
    return a[i]


@njit("int64(int64)")
def last_item(n):
    for i in range(n):
        i = i * 10
    return i


@njit("float64(float64[:], int64)")
def maybe(a, n):
    if n > 0:
        x = a[0]
    return x


@njit("int64(int64, int64, int64)")
def counted(start, stop, step):
    s = 0
    for i in range(start, stop, step):
        s = s * 10 + i
    return s


@njit("int64(int64)")
def range_bound_is_read_once(n):
    s = 0
    for i in range(n):
        n = 0
        s += 1
    return s


@njit("Tuple((float64, int64, float64, float64, bool_, bool_))(float64[:], float64)", parallel=True)
def reduced(a, start):
    total = start
    count = 10
    least = np.inf
    greatest = -np.inf
    every = True
    some = False
    for i in prange(len(a)):
        total += a[i]
        if a[i] > 0.5:
            count += 1
        least = min(least, a[i])
        greatest = max(greatest, a[i])
        every = every and a[i] < 100.0
        some = some or a[i] > 0.999
    return total, count, least, greatest, every, some


@njit("Tuple((float64, float64, int64, int64, int64, float64))(float64[:], int64[:])", parallel=True)
def reduced_otherwise(a, bits):
    difference = 100.0
    product = 2.0
    both = -1
    either = 1
    parity = 5
    most = 0.25
    for i in prange(len(a)):
        difference -= a[i]
        product *= 1.0 + a[i] * 1e-6
        both &= bits[i]
        either |= bits[i]
        parity ^= bits[i]
        if a[i] > most:
            most = a[i]
    return difference, product, both, either, parity, most


@njit("float64(float64[:])", parallel=True)
def last(a):
    x = -1.0
    for i in prange(len(a)):
        x = a[i] * 2
    return x


@njit("void(int64[:], int64)", parallel=True)
def raises_in_parallel(a, limit):
    for i in prange(len(a)):
        if a[i] >= limit:
            raise ValueError("at", i)
        a[i] = -1


@njit("void(int64[:])", parallel=True)
def raises_late(work):
    for i in prange(len(work)):
        x = 1.0
        for k in range(work[i]):
            x = math.sqrt(x + k)
        if x > 0.0:
            raise ValueError("late", i, work[i])


@njit("void(int64[:], float64[:])")
def histogram(bins, h):
    for i in range(len(bins)):
        h[bins[i]] += 1


@njit("void(int64[:], float64[:])", parallel=True)
def parallel_histogram(bins, h):
    for i in prange(len(bins)):
        h[bins[i]] += 1


@njit("float64(float64[:])")
def in_order(a):
    s = 0.0
    for i in range(len(a)):
        s += a[i]
    return s


@njit("float64(float64, float64, float64)")
def not_contracted(x, y, z):
    return x * y + z


@njit("int64(int64)")
def captures_by_reference(n):
    k = n

    def add(x):
        return x + k
    k = 10 * n
    return add(1)


import sys


@njit("int64(int64)")
def of_the_interpreter(n):
    best = sys.maxsize
    for i in range(n):
        best = min(best, i * i - 5)
    if n > 10:
        raise IOError("too many", n)
    return best + (sys.platform == "win32") + (sys.float_info.max > n)


@njit("float64(float64[::1])")
def captures_through_another(a):
    def inner(k):
        return a[k]

    def outer(k):
        return 2 * inner(k)
    before = outer(1)
    other = a
    a = np.full(2, 7.0)
    for _ in range(2):
        before += outer(1)
        a = np.full(2, 50.0)
    return before + other[0]


LIMIT = 7


@njit("int64(int64)")
def frozen(n):
    return n + LIMIT


LIMIT_LATER = LIMIT + 1


@njit("float64(complex128, complex128)")
def product(a, b):
    return (a * b).real + abs(a / b)


@njit("int64(UniTuple(int64, 3), int64)")
def item(t, i):
    return t[i]


@njit("bool_(float64)")
def is_true(x):
    if x:
        return True
    return False


@njit("int64(int64[:])")
def first(a):
    assert len(a) > 0, "empty"
    return a[0]
''')
MOST, LEAST = 2**63 - 1, -2**63


def wrapped(n, bits=64, signed=True):
    n &= 2**bits - 1
    return n - 2**bits if signed and n >= 2**(bits - 1) else n


def test_integers_wrap():
    for x, y in [(MOST, 1), (LEAST, -1), (LEAST, 1), (MOST, MOST), (2**62, 2), (3, 4)]:
        expected = (wrapped(x + y), wrapped(x - y), wrapped(x * y), wrapped(x + 1) > x, wrapped(x * 2) // 2)
        assert batch.wraps(x, y) == expected


def test_shifts_by_any_distance():
    for x, u, n in [(-5, 5, 3), (-5, 5, 63), (-5, 5, 64), (-5, 5, 1000), (-5, 5, -1), (5, MOST, LEAST), (5, MOST, 65)]:
        inside = 0 <= n < 64
        assert batch.shifted(x, u, n) == (wrapped(x << n) if inside else 0, x >> n if inside else (-1 if x < 0 else 0),
                                          wrapped(u << n, signed=False) if inside else 0, u >> n if inside else 0)


def test_floor_division_of_extremes():
    assert batch.divided(LEAST, -1) == (LEAST, 0)
    for x in (LEAST, -7, -1, 0, 1, 7, MOST):
        for y in (LEAST, -3, 1, 2, MOST):
            assert batch.divided(x, y) == divmod(x, y)


SIGNS = """
def {name}({params}):
    return {left} > {right}, {left} >= {right}, {left} == {right}, {left} != {right}, {left} < {right}, {left} <= {right}
"""


def test_numpy_compares_integers_by_value(tmp_path):
    text = "from numba import njit\n"
    for name, types, left, right in (("us", "uint64, int64", "u", "i"), ("si", "int64, uint64", "u", "i"),
                                     ("literal", "uint64", "u", "-1"), ("small", "uint8", "u", "300")):
        params = "u, i" if right == "i" else "u"
        text += f'\n@njit("UniTuple(boolean, 6)({types})")' + SIGNS.format(name=name, params=params, left=left, right=right)
    module = conftest.load_module(next(conftest.build(text, "signs", ("--semantics", "numpy")).glob("signs.*so")))
    unsigned, signed = (0, 3, 2**63 - 1, 2**63, 2**64 - 1), (-2**63, -1, 0, 3, 2**63 - 1)
    def by_value(u, i): return u > i, u >= i, u == i, u != i, u < i, u <= i
    for u in unsigned:
        assert module.literal(u) == by_value(u, -1)
        for i in signed:
            assert module.us(u, i) == by_value(u, i) and module.si(i, u) == by_value(i, u)
    assert module.small(255) == by_value(255, 300)


def test_division_by_zero():
    for function, args in ((batch.divided, (1, 0)), (batch.quotient, (1.0, 0.0)), (batch.power, (0, -1))):
        with pytest.raises(ZeroDivisionError):
            function(*args)
    for n, x in ((1, 1.0), (-3, -2.5)):
        a, b, c, d, e = batch.divided_as_numpy(n, x)
        assert (a, b, c, d) == (0, 0, math.copysign(math.inf, n), math.copysign(math.inf, x)) and math.isnan(e)


def test_integer_powers_wrap_and_reciprocals_vanish():
    for x, n in [(3, 39), (3, 41), (-2, 63), (2, 64), (7, 0), (0, 0), (-1, 10**12 + 1), (10, 100_000)]:
        assert batch.power(x, n) == wrapped(pow(x, n, 2**64))
    assert [batch.power(x, -3) for x in (-2, -1, 1, 2, 5)] == [0, -1, 1, 0, 0]
    with pytest.raises(OverflowError):
        batch.power(2, LEAST)


def saturated(x, bits, signed):
    least, most = (-2**(bits - 1), 2**(bits - 1) - 1) if signed else (0, 2**bits - 1)
    if math.isnan(x):
        return 0
    return least if x <= least else most if x >= most else int(x)


FLOATS = [0.0, -0.5, 0.99, -1.9, 127.5, 128.0, -129.0, 255.9, 256.0, 1e10, 1e19, -1e19, 1e300, math.inf, -math.inf, math.nan]


def test_floats_become_integers_by_truncation_and_saturation():
    for x in FLOATS:
        assert batch.truncated(x) == (saturated(x, 8, True), saturated(x, 8, False), saturated(x, 64, True),
                                      saturated(x, 64, False))
    x = np.array(FLOATS)
    a, b, c = np.zeros(len(x), np.int8), np.zeros(len(x), np.uint16), np.zeros(len(x), bool)
    batch.stored(x, a, b, c)
    assert a.tolist() == [saturated(v, 8, True) for v in FLOATS]
    assert b.tolist() == [saturated(v, 16, False) for v in FLOATS]
    assert c.tolist() == [bool(v) for v in FLOATS]


def test_stores_of_integers_wrap():
    x, a = np.array([300, -129, 127, LEAST, MOST]), np.zeros(5, np.int8)
    batch.narrowed(x, a)
    assert a.tolist() == [wrapped(2 * wrapped(v, 8), 8) for v in x.tolist()]


def test_negative_subscripts_count_from_the_end():
    a = np.arange(5.0)
    assert batch.element(a, -1, 2) == 424.0 and batch.element(a, -5, 0) == 4.0 and batch.element(a[::-2], 1, 0) == 240.0
    assert [batch.item((7, 8, 9), i) for i in (0, -1, -3)] == [7, 9, 7]


def test_a_subscript_out_of_range_raises_where_asked():
    a = np.arange(3.0)
    assert [batch.checked(a, i) for i in (-3, -1, 0, 2)] == [0.0, 2.0, 0.0, 2.0]
    for i in (-4, 3, MOST, LEAST):
        with pytest.raises(IndexError):
            batch.checked(a, i)
    with pytest.raises(IndexError):
        batch.item((7, 8, 9), 3)


def test_loop_variables():
    assert [batch.last_item(n) for n in (1, 2, 5)] == [0, 10, 40]
    with pytest.raises(UnboundLocalError, match="'i'"):
        batch.last_item(0)
    assert batch.range_bound_is_read_once(4) == 4


def test_a_name_without_a_value_raises():
    assert batch.maybe(np.ones(1), 1) == 1.0
    with pytest.raises(UnboundLocalError, match="'x'"):
        batch.maybe(np.ones(1), 0)


def test_ranges_of_any_step():
    for bounds in [(1, 4, 1), (4, 1, -1), (1, 9, 3), (9, 0, -4), (3, 3, 1), (MOST - 1, MOST, 5), (LEAST, LEAST + 1, 1)]:
        expected = 0
        for i in range(*bounds):
            expected = wrapped(expected * 10 + i)
        assert batch.counted(*bounds) == expected
    with pytest.raises(ValueError, match="arg 3 must not be zero"):
        batch.counted(0, 5, 0)


@pytest.mark.parametrize("n", [0, 1, 7, 100_000])
def test_reductions_count_the_start_once(n):
    a = np.random.default_rng(n).random(n)
    total, count, least, greatest, every, some = batch.reduced(a, 5.0)
    assert total == pytest.approx(5.0 + a.sum(), rel=1e-12) and count == 10 + (a > 0.5).sum()
    assert (least, greatest) == (min(a, default=np.inf), max(a, default=-np.inf))
    assert (every, some) == (True, bool((a > 0.999).any()))


@pytest.mark.parametrize("n", [0, 1, 100_000])
def test_reductions_of_every_kind(n):
    a, bits = np.random.default_rng(n).random(n), np.random.default_rng(n).integers(0, 2**62, n) | 12
    difference, product, *whole, most = batch.reduced_otherwise(a, bits)
    assert difference == pytest.approx(100.0 - a.sum()) and product == pytest.approx(2.0 * (1.0 + a * 1e-6).prod())
    assert whole == [np.bitwise_and.reduce(bits), 1 | np.bitwise_or.reduce(bits), 5 ^ np.bitwise_xor.reduce(bits)]
    assert most == max(a, default=0.25) or (most == 0.25 and a.max() < 0.25)


def test_a_local_of_a_prange_has_the_last_value():
    for n in (1, 10, 50_000):
        assert batch.last(np.arange(float(n))) == 2.0 * (n - 1)
    assert batch.last(np.zeros(0)) == -1.0


def test_the_first_iteration_that_raises_wins():
    for n, at in ((10, 3), (100_000, 70_001), (100_000, 5)):
        a = np.zeros(n, np.int64)
        a[at:] = 9
        with pytest.raises(ValueError) as error:
            batch.raises_in_parallel(a, 9)
        assert error.value.args == ("at", at)
        assert (a[:at] == -1).all() and a[at] == 9


def test_the_first_iteration_wins_whichever_raises_first():
    """They begin at once, each in a thread of its own."""
    for work in ([10**6, 2 * 10**7], [2 * 10**7, 10**6]):
        with pytest.raises(ValueError) as error:
            batch.raises_late(np.array(work))
        assert error.value.args == ("late", 0, work[0])


def test_elements_that_iterations_share_are_updated_one_at_a_time():
    bins = np.random.default_rng(1).integers(0, 3, 200_000)
    serial, parallel = np.zeros(3), np.zeros(3)
    batch.histogram(bins, serial)
    batch.parallel_histogram(bins, parallel)
    assert serial.tolist() == parallel.tolist() == np.bincount(bins, minlength=3).tolist()


def test_a_serial_sum_keeps_its_order():
    a = np.random.default_rng(1).standard_normal(10_001) * 10.0 ** np.arange(10_001) ** 0.2
    expected = 0.0
    for x in a.tolist():
        expected += x
    assert batch.in_order(a) == expected


def test_products_and_sums_round_twice():
    x = 1.0 + 2.0**-30
    assert batch.not_contracted(x, x, -(x * x)) == 0.0


def test_captures_and_module_constants():
    assert batch.captures_by_reference(3) == 31
    assert batch.captures_through_another(np.array([0.5, 1.0])) == 2 + 14 + 100 + 0.5
    assert batch.frozen(1) == 8


def test_constants_of_sys_and_other_names_of_exceptions():
    assert batch.of_the_interpreter(0) == sys.maxsize - 2**64 + 1 and batch.of_the_interpreter(4) == -4
    with pytest.raises(OSError, match="too many"):
        batch.of_the_interpreter(11)


def test_complex_arithmetic():
    for a, b in ((1 + 2j, 3 - 1j), (1e150 + 1e150j, 1e150 + 1e149j), (0.5j, -2 + 0j)):
        assert batch.product(a, b) == pytest.approx((a * b).real + abs(a / b), rel=1e-14)
    assert math.isnan(batch.product(complex(math.inf, 0), 1j))  # no special case for infinities


def test_truth():
    assert [batch.is_true(x) for x in (0.0, -0.0, 0.5, math.nan, math.inf)] == [False, False, True, True, True]


def test_assertions():
    with pytest.raises(AssertionError, match="empty"):
        batch.first(np.zeros(0, np.int64))


# ---- NumPy's dialect -----------------------------------------------------------------------------------
NUMPY_RULES = {"a + 1": (np.uint8(255), np.uint8), "a * 2.0": (np.float32(0.1), np.float32), "a + a": (np.int8(100), np.int8),
               "-a": (np.uint8(1), np.uint8), "a / 2": (np.float32(0.3), np.float32), "a / 3": (np.int16(10), np.float64),
               "twice(a)": (np.int8(100), np.int8)}
HELPER = "\n\n@njit\ndef twice(a):\n    return a + a\n"


def test_the_numpy_dialect_has_numpys_types(compile_text, nep50):
    """Values are those of NumPy's scalars, types those of NEP 50."""
    names = {kind: np.dtype(kind).name for _, kind in NUMPY_RULES.values()}
    source = PROLOGUE + HELPER + "".join(f'\n\n@njit("{names[result]}({np.dtype(type(a)).name})")\ndef f{n}(a):\n    return {text}\n'
                                for n, (text, (a, result)) in enumerate(NUMPY_RULES.items()))
    module = compile_text(source, "--semantics=numpy", name="numpy_rules")
    with np.errstate(over="ignore"):
        for n, (text, (a, result)) in enumerate(NUMPY_RULES.items()):
            expected = eval(text, {"a": a, "twice": lambda x: x + x})
            assert expected.dtype == result and getattr(module, f"f{n}")(a) == expected.item(), text


# ---- what the C++ says -----------------------------------------------------------------------------------
EMITTED = {  # name: source, texts of the C++, texts that are not in it, options
    "unsigned_never_wrap": ("""
        @njit("float64(float64[::1], uint64, int64)")
        def f(a, u, i):
            return a[u] + a[i]""", ["a(u)", "a(pyk::wrap(i, a.shape(0)))"], ["wrap(u"]),
    "signed_overflow_is_a_call": ("""
        @njit("int64(int64, int64)")
        def f(x, y):
            return x + y * 2""", ["pyk::add(x, pyk::mul(y, 2))"], []),
    "bounded_arithmetic_is_plain": ("""
        @njit("int64(int32, uint8)")
        def f(x, y):
            return x * 3 + y""", ["int64_t(x) * 3 + y"], ["pyk::add"]),
    "status_where_it_may_raise": ("""
        @njit("float64(float64, float64)")
        def f(x, y):
            return x / y""", ["pyk::status f(double x, double y, double& result) noexcept", "return pyk::raise(site::division_"], []),
    "result_where_it_cannot": ("""
        @njit("float64(float64)")
        def f(x):
            return x / 2""", ["double f(double x) noexcept"], ["pyk::status"]),
    "constant_divisors_are_not_checked": ("""
        @njit("int64(int64)")
        def f(x):
            return x // 3""", ["pyk::floordiv(x, 3)"], ["pyk::raise"]),
    "powers_are_products": ("""
        @njit("float64(float64)")
        def f(x):
            return x ** 2 + x ** 3""", ["x * x"], ["pow"]),
    "versions_have_numbers": ("""
        @njit("float64(int64)")
        def f(x):
            y = x
            y = y * 0.5
            return y""", ["const int64_t y = x;", "y_2"], []),
    "signatures_are_comments": ("""
        @njit("int32(int32)")
        def f(x):
            return x""", ["// unit.py:9  def f(x): …", "int32(int32)"], []),
    "read_only_parameters_are_const": ("""
        @njit("void(float64[::1], float64[::1])")
        def f(a, b):
            for i in range(len(a)):
                b[i] = a[i]""", ["pyk::array<const double, 1, pyk::C> a", "pyk::array<double, 1, pyk::C> b"], []),
    "both_layouts": ("""
        @njit("float64(float64[:])")
        def f(a):
            return a[0]""", ["template <class L>", "PYK_LAYOUTS(f);"], []),
    "parallel_above_a_bound": ("""
        @njit("void(float64[::1])", parallel=True)
        def f(a):
            for i in prange(len(a)):
                a[i] = 2 * a[i]""", ["#pragma omp parallel for", "if (", "firstprivate(a)"], []),
    "serial_without_parallel": ("""
        @njit("void(float64[::1])")
        def f(a):
            for i in prange(len(a)):
                a[i] = 2 * a[i]""", [], ["omp parallel"]),
    "updates_of_cut_values_are_none": ("""
        @njit("void(int64[::1], int64)")
        def f(a, y):
            a[0] = np.int8(a[0]) | y
            a[1] = a[1] | y""", ["a(1) |= y", "a(0) = "], ["a(0) |="]),
    "no_line_directives": ("""
        @njit("float64(float64)")
        def f(x):
            return x""", [], ["#line"]),
    "line_directives_with_g": ("""
        @njit("float64(float64)")
        def f(x):
            return x""", ["#line"], [], "-g"),
    "unrolled_tuples": ("""
        @njit("float64(int64, float64)")
        def f(x, y):
            s = 0.0
            for v in (x, y):
                s += v
            return s""", ["const int64_t v = x;", "const double v_2 = y;"], ["for ("]),
    "one_range_object_one_evaluation": ("""
        @njit("int64(int64, int64)")
        def f(n, step):
            s = 0
            for i in range(0, n, step):
                s += i
            return s""", ["pyk::range<int64_t>(0, n, step)"], []),
}


def test_flags_change_no_values(tmp_path):
    (tmp_path / "unit.py").write_text(PROLOGUE + """
@njit("float64(float64)")
def plain(x):
    return x * x + 1.0


@njit("float64(float64)", fastmath=True)
def fast(x):
    return x * x + 1.0
""")
    assert run_pyk2cu("unit.py", "-o", "out", cwd=tmp_path).returncode == 0
    recipe = (tmp_path / "out/CMakeLists.txt").read_text()
    for flag in ("-O3", "-fno-math-errno", "-fno-trapping-math", "-ffp-contract=off", "-fno-strict-aliasing",
                 "-fassociative-math"):
        assert flag in recipe, flag
    assert "-ffast-math" not in recipe


@pytest.mark.parametrize("name", EMITTED)
def test_the_cpp_says(name, tmp_path):
    source, present, absent, *options = EMITTED[name]
    lines = source.strip("\n").splitlines()
    (tmp_path / "unit.py").write_text(PROLOGUE + "\n" + "\n".join(line[8:] for line in lines) + "\n")
    done = run_pyk2cu("unit.py", "-o", "out", *options, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    texts = [path.read_text() for path in (tmp_path / "out").glob("unit*") if path.name in ("unit.cpp", "unit.lanes.h")]
    body = "".join(re.search(r"^namespace unit \{\n(.*)", text, re.M | re.S).group(1) for text in texts)
    assert [text for text in present if text not in body] == [] and [text for text in absent if text in body] == [], body
