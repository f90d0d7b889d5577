"""Small arrays in the frame of a function: what they are, whoever shows them, and that they are there.

Each function is compared with CPython, for arrays on both sides of what fits the frame (64 numbers of 8 bytes), under names
that Python shares: a copy in the frame must never be seen as one.
"""
import gc
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from conftest import Batch

STACK = Batch("stack")
STACK.add('''
@njit
def fresh(x):
    r = np.empty(x.shape[0])
    for i in range(x.shape[0]):
        r[i] = x[i] * 0.5 + i
    return r


@njit
def same_or_fresh(x, c):
    if c:
        return x
    r = np.zeros(x.shape[0])
    r[:] = x + 1
    return r


@njit
def through(x):
    return fresh(fresh(x))


@njit
def one_of_two(x, c):
    a = np.zeros(x.shape[0])
    b = np.ones(x.shape[0])
    a[:] = x
    b += a
    if c:
        return a
    return b


@njit
def two(x):
    return fresh(x), fresh(x)[1:]


@njit
def checked(x, i):
    r = np.zeros(x.shape[0])
    r[:] = x
    if i == 3:
        raise ValueError("three")
    r += i
    return r


@njit
def cross(a, b):
    return np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


@njit
def tail_of(x):
    t = fresh(x)
    t[0] = 7.0
    return t[1:]


@njit("float64[::1](float64[::1], int64)")
def carried(x, n):
    s = x.copy()
    for _ in range(n):
        s = fresh(s)
    return s


@njit("float64[::1](float64[::1], int64)")
def carried_deep(x, n):
    s = fresh(x)
    for _ in range(n):
        k = through(s)
        s = s + 0.25 * k - through(k)
    return s


@njit
def relaxed(x, n):
    s = x.copy()
    for _ in range(n):
        s = fresh(s)
    return s


@njit("float64(float64[::1], int64)")
def by_helpers(x, n):
    """A helper's variable goes where its caller wants it."""
    s = relaxed(x, n)
    total = 0.0
    for k in range(n):
        t = relaxed(s, k)
        s = relaxed(t, 1)
        total += s[0] - t[-1]
    return total + s.sum()


@njit("float64(float64[::1], int64)")
def old_name(x, n):
    """`old` shows what `s` was, and keeps it."""
    s = x.copy()
    total = 0.0
    for _ in range(n):
        old = s
        s = fresh(s)
        old[0] += 1.0
        s[0] += 2.0
        total += old[0] + s[0]
    return total


@njit("float64(float64[::1], int64)")
def other_name(x, n):
    """Both names are of one array until the next turn."""
    s = x.copy()
    total = 0.0
    for _ in range(n):
        t = fresh(s)
        s = t
        t[0] = total
        total += s[0] + s[-1]
    return total + s[0]


@njit("float64(float64[::1], int64)")
def swapped(x, n):
    a = x.copy()
    b = fresh(x)
    for i in range(n):
        b[0] = a[0] + i
        a, b = b, a
    return a[0] * 3 + b[0]


@njit("float64(float64[::1], int64)")
def view_kept(x, n):
    s = x.copy()
    v = s[1:]
    for _ in range(n):
        s = fresh(s)
        v[0] += s[0]
        v = s[1:]
    return v[0] + s[1]


@njit("float64[::1](float64[::1], int64)")
def argument_or_new(x, n):
    s = x.copy()
    for i in range(n):
        t = same_or_fresh(s, i % 2 == 0)
        t[0] = s[0] + 5
        s = t
    return s


@njit("float64[::1](float64[::1], int64)")
def last_one(x, n):
    best = x.copy()
    for i in range(n):
        t = one_of_two(best, i % 2 == 1)
        if t[0] > best[0] + 0.5 or i == 1:
            best = t
        t[0] += 0.125
    return best


@njit("float64(float64[::1], int64)")
def in_tuple(x, n):
    total = 0.0
    for _ in range(n):
        a, b = two(x)
        b[0] += 1.0
        total += a[1] + b[0]
    return total


@njit("float64(float64[::1], int64)")
def in_list(x, n):
    rows = [fresh(x)]
    for i in range(n):
        row = fresh(rows[-1])
        rows.append(row)
        row[0] = i
    total = 0.0
    for r in rows:
        total += r[0] + r[1]
    return total


@njit("float64[::1](float64[::1], int64)")
def views_of_results(x, n):
    s = x.copy()
    for _ in range(n):
        t = tail_of(s)
        s[0] = t[0]
        s[1:] = t
    return s


@njit("float64[::1](float64[::1], int64)")
def half_way(x, n):
    s = x.copy()
    for i in range(n):
        s = checked(s, i)
    return s


@njit("float64[:, ::1](float64[:, ::1], float64[:, ::1])")
def products(p, q):
    out = np.empty_like(p)
    for i in prange(p.shape[0]):
        out[i] = cross(p[i], cross(q[i], p[i]))
    return out


@njit("float64[::1](float64[:, ::1], float64[:, ::1])")
def summed(p, q):
    s = np.zeros(3)
    for i in range(p.shape[0]):
        s = s + cross(p[i], q[i])
    return s


@njit("float64(int64)")
def kinds(n):
    """Of every kind: a fill, an order, a rank."""
    total = 0.0
    for i in range(n):
        a = np.full((2, 3), i, dtype=np.int32)
        b = np.ones((2, 2, 2), dtype=np.float32)
        c = np.zeros(5, dtype=np.complex128)
        d = np.zeros(3, dtype=np.bool_)
        e = np.empty((4, 1), dtype=np.uint8)
        e[:] = 250 + i
        c[i % 5] = 1 + 2j
        d[i % 3] = True
        total += a.T.sum() + b[1, 1].sum() + c.imag.sum() + d.sum() + e.sum()
    return total


@njit("float64[:](float64[::1], int64)")
def of_any_layout(x, n):
    s = np.zeros(x.shape[0])
    for _ in range(n):
        t = fresh(s)
        s = t
    return s


@njit("float64[:](float64[::1], int64)")
def end_of_variable(x, n):
    s = x.copy()
    for _ in range(n):
        s = fresh(s)
    return s[1:]


@njit("float64[::1](float64[::1], int64)")
def early(x, n):
    s = x.copy()
    for i in range(n):
        s = fresh(s)
        if i == 2 and n == 3:
            return s
        v = s[: s.shape[0] // 2]
        if i == 3:
            return v
    return s


@njit("float64[::1](float64[::1], int64)")
def of_argument(x, n):
    """The argument itself, until it is a copy: what is written first the caller sees."""
    x[0] = 3.0
    for i in range(n):
        if i > 0:
            x[-1] = 5.0
        x = fresh(x)
    return x


@njit("float64[::1](float64[::1], float64[::1], int64)")
def argument_again(x, y, n):
    s = fresh(x)
    for i in range(n):
        if i == 1:
            s = y
        s[0] += 1.0
        if i != 2:
            s = fresh(s)
    return s


@njit
def every_second(x):
    t = fresh(x)
    return t[::2]


@njit
def turned_round(x):
    t = fresh(x)
    return t[::-1]


@njit
def column(x):
    m = np.zeros((x.shape[0], 3))
    m[:, 1] = x
    return m[:, 1]


@njit
def ends_of(x):
    return x[:1], x[-1:]


@njit("float64(float64[::1], int64)")
def strided(x, n):
    s = every_second(x)
    total = 0.0
    for i in range(n):
        if i == 1:
            s = turned_round(s)
        else:
            s = column(s)
        total += s[0] + s[-1]
        s = every_second(s)
    return total + s.sum()


@njit("float64[:](float64[::1], int64)")
def layouts(x, n):
    s = x[::1]
    for _ in range(n):
        t = fresh(s)
        s = t
    return s


@njit("float64[:, :](int64)")
def transposed(n):
    s = np.zeros((4, 3))
    for i in range(n):
        s = s.T.copy().T
        s[0, 0] += 1.0 + i
        s[i % 4, 2] -= i
    return s


@njit("float64(float64[::1], int64)")
def unpacked(x, n):
    s = fresh(x)
    total = 0.0
    for _ in range(n):
        a, b = ends_of(s)
        s = fresh(s)
        total += a[0] - 2.0 * b[0]
    return total


@njit("float64(int64)")
def unpacked_out(n):
    best = np.ones(1)
    for k in range(n):
        s = np.zeros(3)
        s[0] = k
        a, b = ends_of(s)
        if k == 1:
            best = a
    t = np.full(3, 9.0)
    return best[0] + t[1]


@njit("float64[::1](int64, boolean)")
def moved_view(n, c):
    """A view of what is in the frame goes on, in a variable that outlives it."""
    if c:
        a = np.zeros(100)
        a[1:4] = n
        t = a[1:]
        s = t
    else:
        s = np.ones(3)
    b = np.full(100, 7.0)
    s[0] += b[50]
    return s


@njit("float64(int64)")
def large_in_loop(n):
    """Of known shape, in the frame; too large for what a variable has."""
    s = np.ones(100)
    total = 0.0
    for i in range(n):
        t = np.zeros(100)
        t[i % 100] = i
        u = t
        s = u
        total += s[i % 100] + s[99]
    return total + s[0]


@njit("float64(int64)")
def recursive(n):
    a = np.zeros(60)
    if n == 0:
        return 0.5
    a[n % 60] = recursive(n - 1)
    return a.sum() + 1


@njit("float64(float64[::1], int64, boolean)")
def in_one_branch(x, n, c):
    total = 0.0
    for i in range(n):
        if c and i % 2:
            k = fresh(x)
        else:
            k = through(x)
        k[0] += i
        total += k[0] + k[-1]
    return total


@njit("float64(int64)")
def turned_about(n):
    """A variable that a loop within the turn changes, while a view of it is asked for."""
    s = np.arange(4.0)
    total = 0.0
    for i in range(n):
        first = s[:2]
        for k in range(2):
            total += first[0] + s[1]
            s = fresh(s)
        total += s[0]
    return total
''')

SIZES = [1, 2, 3, 63, 64, 65, 300]


def values(n):
    return np.linspace(-1.0, 2.0, n)


def check(name, *arguments):
    """What it returns, and what it leaves in its arguments."""
    here = [a.copy() if isinstance(a, np.ndarray) else a for a in arguments]
    there = [a.copy() if isinstance(a, np.ndarray) else a for a in arguments]
    np.testing.assert_allclose(getattr(STACK, name)(*here), getattr(STACK.plain, name)(*there), rtol=1e-13, atol=0)
    for ours, theirs in zip(here, there):
        np.testing.assert_allclose(ours, theirs, rtol=1e-13, atol=0)


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("name", ["carried", "carried_deep", "of_any_layout", "end_of_variable", "early", "by_helpers",
                                  "old_name", "other_name", "swapped", "argument_or_new", "last_one"])
def test_variables_hold_what_python_says(name, n):
    for turns in (0, 1, 2, 3, 5):
        check(name, values(n), turns)


@pytest.mark.parametrize("n", SIZES[1:])
@pytest.mark.parametrize("name", ["view_kept", "in_tuple", "in_list", "views_of_results"])
def test_what_others_show_is_there(name, n):
    for turns in (0, 1, 2, 5):
        check(name, values(n), turns)


@pytest.mark.parametrize("n", SIZES)
def test_arguments_are_not_copied(n):
    for turns in (0, 1, 2, 3, 5):
        check("of_argument", values(n), turns)
        check("argument_again", values(n), values(n) * 2, turns)


@pytest.mark.parametrize("n", SIZES)
def test_views_that_go_on(n):
    for turns in (0, 1, 2, 3, 5):
        check("strided", values(n), turns)
        check("layouts", values(n), turns)
        check("unpacked", values(n), turns)


@pytest.mark.parametrize("n", [0, 1, 2, 5, 40])
def test_what_outlives_a_block(n):
    for name in ("transposed", "unpacked_out", "large_in_loop"):
        check(name, n)
    for c in (False, True):
        check("moved_view", n, c)


@pytest.mark.parametrize("n", SIZES)
def test_in_branches(n):
    for c in (False, True):
        check("in_one_branch", values(n), 4, c)


@pytest.mark.parametrize("n", [3, 64, 65])
def test_an_exception_leaves_nothing_behind(n):
    check("half_way", values(n), 3)
    for _ in range(3):
        with pytest.raises(ValueError, match="three"):
            STACK.half_way(values(n), 5)
    check("half_way", values(n), 2)


def test_of_three_numbers():
    p, q = np.random.default_rng(1).random((2, 50, 3))
    check("products", p, q)
    check("summed", p, q)
    check("products", p[:0], q[:0])
    check("summed", p[:0], q[:0])


def test_of_every_kind():
    for n in (0, 1, 5):
        check("kinds", n)
        check("turned_about", n)


def test_recursion():
    check("recursive", 100)
    assert STACK.recursive(20_000) > 0


@pytest.mark.parametrize("n", [3, 64, 65])
def test_results_stay(n):
    """Python holds results while the frame is used again."""
    held = [STACK.carried(values(n), k) for k in range(6)]
    before = [a.copy() for a in held]
    for _ in range(50):
        STACK.carried_deep(values(n) * 3, 4)
    gc.collect()
    for a, b in zip(held, before):
        np.testing.assert_array_equal(a, b)


def test_threads():
    wanted = [STACK.carried_deep(values(3) * k, 5) for k in range(40)]
    with ThreadPoolExecutor(4) as pool:
        for a, b in zip(wanted, pool.map(lambda k: STACK.carried_deep(values(3) * k, 5), range(40))):
            np.testing.assert_array_equal(a, b)


def test_they_are_in_the_frame():
    text = STACK.emitted
    for made in ("pyk::zeros_in<double, pyk::C>(result", "pyk::stack_array<double, 1, pyk::C, 64> value{value_room}", "pyk::copy_out(s, result)",
                 "alignas(pyk::kAlignment) int32_t a_room[6]", "pyk::full_at<int32_t, pyk::C>(a_room", "pyk::offered<", "s = std::move("):
        assert made in text, made
    body = text[text.rindex("def recursive(n)"):].split("\n}")[0]  # the last one is the body
    assert "auto a = pyk::zeros<double, pyk::C>(60)" in body and "stack" not in body
