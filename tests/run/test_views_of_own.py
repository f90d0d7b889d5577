"""What functions return of arrays that they made themselves, or got from others: the memory is there as long as Python has it."""
import gc

import numpy as np
import pytest
from conftest import Batch

VIEWS = Batch("views_of_own")
VIEWS.add('''
@njit
def tail(x):
    return x[1:]


@njit
def same(x):
    return x


@njit
def checked(x, n):
    if n < 0:
        raise ValueError(n)
    return x[1:n]


@njit
def both(x, y):
    return x[1:], y[:2], len(x)


@njit
def either(x, y, first):
    if first:
        return x
    return y[1:]


@njit
def made(n):
    b = np.zeros(n)
    for i in range(n):
        b[i] = i
    return b


@njit("float64[::1](int64)")
def view(n):
    b = made(n)
    return b[1:]


@njit("Tuple((float64[::1], float64[::1]))(int64)")
def two_views(n):
    b = made(n)
    return b[1:], b[:2]


@njit("Tuple((float64[::1], float64[::1]))(int64)")
def tuple_before(n):
    b = made(n)
    t = (b[1:], b[:2])
    b = np.ones(n)
    return t


@njit("float64[::1](int64)")
def item_of_tuple(n):
    t = (made(n), 3)
    return t[0][1:]


@njit("float64[::1](int64)")
def by_helper(n):
    b = made(n)
    return tail(b)


@njit("float64[::1](int64)")
def by_helper_before(n):
    b = made(n)
    v = tail(b)
    b = np.ones(n)
    return v


@njit("float64[::1](int64)")
def as_it_is(n):
    b = made(n)
    return same(b)


@njit("float64[::1](int64)")
def by_helpers(n):
    return tail(same(tail(made(n))))[1:]


@njit("float64[::1](int64)")
def by_raising_helper(n):
    b = made(n)
    return checked(b, n)


@njit("float64[::1](int64)")
def by_raising_helper_before(n):
    b = made(n)
    v = checked(b, n)
    b = np.ones(n)
    for i in range(2):
        v = checked(v, n)
    return v


@njit("Tuple((float64[::1], float64[::1], int64))(int64)")
def tuple_of_helper(n):
    b = made(n)
    c = np.ones(n)
    return both(b, c)


@njit("float64[::1](int64, boolean)")
def one_of_two(n, first):
    b = made(n)
    c = np.ones(n)
    return either(b, c, first)


@njit("float64[::1](float64[::1], boolean)")
def own_or_given(a, first):
    b = made(len(a))
    return either(a, b, first)


@njit("float64[::1](int64)")
def chosen(n):
    b = made(n)
    c = np.ones(n)
    return b[1:] if n > 3 else c[2:]


@njit("float64[:](int64)")
def backwards(n):
    b = made(n)
    return b[::-1]


@njit("float64[::1](int64)")
def row(n):
    b = np.zeros((9, n))
    b[8] = made(n)
    return b[8]


@njit("float64[::1](int64)")
def flat(n):
    b = np.zeros((9, n))
    b[8] = made(n)
    return b.ravel()


@njit("float64[::1](int64)")
def flattened(n):
    b = np.zeros((9, n))
    b[8] = made(n)
    return b.T.flatten()


@njit("float64[:, :](int64)")
def transposed(n):
    b = np.zeros((n, 3))
    b[:, 1] = made(n)
    return b.T


@njit("float64[:](int64)")
def part(n):
    b = np.zeros(n, np.complex128)
    for i in range(n):
        b[i] = i + 2j
    return b.imag


@njit("float64[::1](float64[::1])")
def of_parameter(a):
    a = made(len(a))
    return a[1:]


@njit("float64[::1](int64)")
def in_a_loop(n):
    b = made(n)
    s = b[0:1]
    for i in range(3):
        s = b[i:]
        b = made(n + i)
    return s


@njit("float64(int64)")
def read_later(n):
    b = made(n)
    t = (b[1:], 3)
    b = np.ones(n)
    return t[0][0] + t[0].sum()


@njit("float64[::1](int64)")
def unpacked_before(n):
    b = made(n)
    v, w, size = both(b, b)
    b = np.ones(n)
    c = np.full(n, 7.0)
    c[0] = v[0] + size
    return w + v[0] + b[0] + c[0]


@njit("optional(float64[::1])(int64)")
def perhaps(n):
    b = made(n)
    if n > 2:
        return b[1:]
    return None
''')
OF_SIZE = ["view", "two_views", "tuple_before", "item_of_tuple", "by_helper", "by_helper_before", "as_it_is", "by_helpers",
           "by_raising_helper", "by_raising_helper_before", "tuple_of_helper", "chosen", "backwards", "row", "flat", "flattened",
           "transposed", "part", "in_a_loop", "read_later", "unpacked_before", "perhaps"]


def assert_kept(name, *arguments):
    """Many results at once, and other arrays where their memory would have been."""
    results = [getattr(VIEWS, name)(*arguments) for _ in range(20)]
    gc.collect()
    others = [np.full(size, 7.0) for size in range(10, 3000, 30)] + [np.full(20_000 + k, 7.0) for k in range(40)]
    expected = getattr(VIEWS.plain, name)(*arguments)
    for result in results:
        for ours, theirs in zip(result, expected) if isinstance(expected, tuple) else [(result, expected)]:
            np.testing.assert_array_equal(ours, theirs)
    for result in results:
        for ours in result if isinstance(result, tuple) else [result]:
            if isinstance(ours, np.ndarray):
                ours[...] = 3.0  # it may be written, and nothing else changes
    assert all((other == 7.0).all() for other in others)


@pytest.mark.parametrize("size", [4, 5, 300, 20_000])
@pytest.mark.parametrize("name", OF_SIZE)
def test_views_of_own_memory(name, size):
    assert_kept(name, size)


@pytest.mark.parametrize("size", [4, 300, 20_000])
@pytest.mark.parametrize("first", [True, False])
def test_one_of_several(size, first):
    assert_kept("one_of_two", size, first)
    given = np.arange(float(size)) + 5
    assert_kept("of_parameter", given)
    result = VIEWS.own_or_given(given, first)
    assert np.array_equal(result, given if first else np.arange(1.0, size))
    assert np.shares_memory(result, given) == first



ROWS = Batch("rows_of_own")
ROWS.add('''
from numba import prange


@njit("float64(int64)", parallel=True)
def rows_and_own(n):
    b = np.ones((n, n))
    t = 0.0
    for i in prange(n):
        r = b[i]
        s = r[0]
        r = np.full(n, 2.0)
        t += s + r[0]
    return t


@njit("float64(int64)", parallel=True)
def looked_at(n):
    b = np.ones((n, 4))
    t = 0.0
    for i in prange(n):
        r = b[i]
        t += r[0] * r[3]
    return t


@njit("float64(int64)")
def of_another_each_time(n):
    b = np.ones((2, n + 1))
    t = 0.0
    for i in range(3):
        r = b[1]
        b = np.full((2, n + 1), float(i))
        t += r[n]
    return t
''')


@pytest.mark.parametrize("size", [0, 1, 300, 20_000])
def test_who_only_looks_owns_nothing(size):
    """Cores would wait for one another to count who does; where the array goes, its rows stay."""
    assert ROWS.looked_at(size) == size
    assert ROWS.of_another_each_time(size) == 2.0
    texts = {name: ROWS.emitted.split(f"status {name}(")[-1].split("\n}\n")[0] for name in ("looked_at", "of_another_each_time")}
    assert "share" not in texts["looked_at"] and "share" in texts["of_another_each_time"]


@pytest.mark.parametrize("size", [0, 1, 300])
def test_a_parallel_loop_is_given_what_its_views_show(size):
    """Its body is a function of its own, as it makes arrays and so may raise."""
    assert ROWS.rows_and_own(size) == 3.0 * size


OWNED = Batch("owned_in_tuples")
OWNED.add('''
@njit
def pair(n):
    return np.ones(n), np.full(n, 2.0)


@njit("Tuple((float64[:], float64[:]))(int64)")
def of_helper(n):
    return pair(n)


@njit("Tuple((float64[:], float64[:]))(int64)")
def of_variable(n):
    t = pair(n)
    return t


@njit("Tuple((float64[:,:], float64[:], float64[:,:]))(float64[:,:])")
def of_library(a):
    return np.linalg.svd(a)
''')


@pytest.mark.parametrize("function", ["of_helper", "of_variable"])
def test_arrays_of_a_tuple_of_another_layout(function):
    """Arrays that are C where they are made, returned as arrays of any strides: with their memory."""
    results = [getattr(OWNED, function)(500) for _ in range(20)]
    junk = [np.full(500, 7.25) for _ in range(200)]
    assert all((ones == 1.0).all() and (twos == 2.0).all() for ones, twos in results)
    assert all(array.base is not None for result in results for array in result) and len(junk) == 200


def test_arrays_of_a_tuple_of_the_library():
    a = np.random.default_rng(1).random((6, 4))
    u, s, vh = OWNED.of_library(a)
    junk = [np.full(24, 7.25) for _ in range(200)]
    np.testing.assert_allclose(u[:, :4] * s @ vh, a)
    assert len(junk) == 200
