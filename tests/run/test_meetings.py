"""Where features meet: each of these programs was once refused, wrong or rejected by a compiler."""
import re
import types

import numpy as np
import pytest

from conftest import Batch

batch = Batch("meetings")
batch.add('''
@njit
def first_and_last(x):
    return x[0] + x[-1]


@njit
def first_moved(x, b):
    b[0] += x[0]
    return x[-1]


@njit("float64[:](float64[:], float64[:])")
def called_with_what_is_filled(a, b):
    return first_and_last(a * 2.0) + (a + b[:1])


@njit("float64[:](float64[:], float64[:])")
def called_before_it_is_read(a, b):
    return (a * 3.0 + b[0]) * first_moved(a * 2.0, b) - (a[:1] * b[0] + b[-1:])


@njit("float64(float64[:], float64[:])")
def sums_in_sums(a, b):
    return np.sum(np.max(a - b[0]) * (a < np.max(a - b[:1][:1]) - 1.5) * a)


@njit("float64[:](float64[:])")
def views_behind_views(x):
    return x[1:] * 2 + x[:-1] * np.abs(x[1:])


@njit("float64[:](float64[:])")
def views_of_functions(x):
    y = np.where(x[1:] > 0, x[:-1], -x[1:])
    z = np.maximum(x[1:] * 2, np.minimum(x[:-1], -x[1:]))
    return y + z + np.clip(x[1:] * 2, x[:-1], np.abs(x[1:]))


@njit
def perhaps_a_copy(x, which):
    if which == 2:
        return None
    return x.copy()


@njit("float64(float64[:, ::1], int64)")
def copy_or_view_or_nothing(x, which):
    u = perhaps_a_copy(x, which)
    if which > 5:
        u = x[:, :2]
    if u is not None:
        return u[0, 1]
    return -1.0


@njit("float64(float64[:, ::1], int64, int64)")
def cut_where_there_is_one(x, which, k):
    u = perhaps_a_copy(x, which)
    if k > 0:
        u = None if u is None else u[:, :k]
    if u is not None:
        return u[1, 0] + u.shape[1]
    return -1.0


@njit("float64(float64, float64)")
def steps_of_floats(a, b):
    return np.hypot(a, b) + np.arange(a, b).sum() + np.std(np.array([a, b]))


@njit
def before(t, i, j):
    return t[i, j - 1] * 0.5


@njit("float64(float64[:, ::1])", parallel=True)
def helper_reads_what_is_stored(t):
    s = 0.0
    for i in prange(t.shape[0]):
        for j in range(1, t.shape[1]):
            t[i, j] = before(t, i, j) + 1.0
            s += t[i, j]
    return s


@njit("void(int64[::1], int64)", parallel=True)
def histogram_of_an_updated_index(h, n):
    for i in prange(n):
        k = i
        k &= 7
        h[k] += 1


@njit("void(int64[::1], int64)", parallel=True)
def slices_that_overlap(b, n):
    for i in prange(n):
        v = b[i:i + 2]
        v[0] += 1
        v[1] += 1


@njit("void(int64[::1], int64)", parallel=True)
def slices_that_do_not(b, n):
    for i in prange(n):
        v = b[i * 4:(i + 1) * 4]
        v[0] += i
        v[3] += 1


@njit("int64(float64[::1])", parallel=True)
def last_of_no_iteration(a):
    i = -5
    for i in prange(len(a)):
        a[i] += 1
    return i


@njit("float64(float64[::1])", parallel=True)
def continue_beside_a_raise(a):
    s = 0.0
    for i in prange(len(a)):
        if a[i] < 0.0:
            continue
        s += 1.0 / a[i]
    return s


@njit("float64(float64[::1], int64)")
def parameters_swapped_with_new_arrays(a, n):
    b = np.empty_like(a)
    for k in range(n):
        for i in range(len(a)):
            b[i] = a[i] + 1.0
        a, b = b, a
    return a[0]


@njit("float64(float64[:], int64)")
def parameter_becomes_a_new_array(a, n):
    for k in range(n):
        b = np.ones(len(a) + 1)
        b[0] = a[0] + 1.0
        a = b
    return a[0] + len(a)


@njit("optional(float64[::1])(float64[::1], boolean)")
def optional_view(a, b):
    if b:
        return a[1:]
    return None


@njit
def write(t):
    t[0][0] = 5
    return t[1][0]


@njit("float64(float64[:], float64[:])")
def tuple_of_arrays(a, b):
    t = (a, b)
    return write((b, a)) + write(t)


@njit("float32(float32, float64)")
def sum_of_a_rounded_value(x, d):
    x += np.float32(d)
    return x


@njit("int64(int64[::1], int64)")
def subscript_of_an_update_is_read_once(a, v):
    a[v] ^= (v := 1)
    return v


@njit("UniTuple(float64, 5)(float64[:])", parallel=True)
def extremes_of_numbers_that_may_be_nan(a):
    p, q, r, s, t = a[0], a[0], a[0], a[0], a[0]
    for i in prange(1, len(a)):
        p = max(p, a[i])
        q = min(q, a[i])
        if a[i] > r:
            r = a[i]
        if s > a[i]:
            s = a[i]
        t = a[i] if a[i] > t else t
    return p, q, r, s, t


@njit("float32(float32, int64)", parallel=True)
def extreme_of_nothing(m, n):
    for i in prange(n):
        m = min(m, np.float32(i))
    return m


NUMBERS = np.array([1, 2, 3, 4], dtype=np.int8)


@njit("int64(int64, uint8)")
def walrus_on_a_side_never_taken(p, q):
    t = ((q := p | 3) if len(NUMBERS) < 3 else NUMBERS[1], 2)
    return q + t[0]


@njit("int64(int64, uint8)")
def walrus_on_the_side_taken(p, q):
    t = (NUMBERS[0] if len(NUMBERS) < 3 else (q := p | 3)) + 1
    return q * t


@njit("int64(int64, uint8)")
def walrus_behind_what_decides(p, q):
    a = len(NUMBERS) > 3 or (q := p) > 3
    b = len(NUMBERS) < 3 and (q := p) > 3
    return q + a + 2 * b


@njit("float64(float64[::1], float64[::1], float64[::1], int64)")
def strip_before_a_break(a, b, o, n):
    x = 0.0
    for k in range(n):
        if o[k] > 0:
            for i in range(len(a)):
                x = a[i] / b[i]
                o[i] = x
            break
        x = -1.0
    return x


@njit("float64(float64[::1], float64[::1], float64[::1], int64)")
def strip_before_a_continue(a, b, o, n):
    x = 0.0
    s = 0.0
    for k in range(n):
        s += x
        if o[k] > 0:
            if k < n:
                for i in range(len(a)):
                    x = a[i] / b[i]
                    o[i] = x
                continue
        x = -1.0
    return s


@njit("float64(float64[::1], float64[::1], int64)", parallel=True)
def last_value_before_a_break(a, o, n):
    x = 0.0
    for k in range(n):
        if o[k] > 0:
            for i in prange(len(a)):
                x = a[i] * 2
                o[i] = x
            break
        x = -1.0
    return x


@njit("UniTuple(float64, 2)(float64[:])", parallel=True)
def extremes_as_choices(a):
    high, low = a[0], a[0]
    for i in prange(len(a)):
        high = a[i] if a[i] > high else high
        low = a[i] if low >= a[i] else low
    return high, low


@cuda.jit(device=True)
def get(a, i):
    if i < 0:
        raise ValueError("negative")
    return a[i]


@cuda.jit("void(float64[:])")
def kernel_with_a_raising_helper(a):
    i = cuda.grid(1)
    if i < len(a):
        a[i] = get(a, i) * 2


@cuda.jit("void(float64[:])")
def kernel_that_raises(a):
    i = cuda.grid(1)
    if i == 2:
        raise ValueError("two")
    a[i] += 1


@cuda.jit("void(int64[:, ::1])")
def kernel_with_rows(a):
    i = cuda.grid(1)
    if i < a.shape[0]:
        r = a[i]
        r[0] += 1


@cuda.jit("void(float32[:], float32[:], boolean)")
def kernel_that_swaps(x, y, flip):
    i = cuda.grid(1)
    if flip:
        x, y = y, x
    if i < len(x):
        x[i] += y[i]
''')
plain = types.ModuleType("plain")  # the host functions as CPython runs them
exec(re.sub(r"(?m)^@njit.*$", "", batch.source.split("@cuda.jit")[0].replace("prange(", "range(")), vars(plain))
MANY = 20000

CALLS = {
    "called_with_what_is_filled": [lambda: (np.arange(1.0, 8.0), np.full(7, 0.5))],
    "called_before_it_is_read": [lambda: (np.arange(1.0, 8.0), np.arange(7.0))],
    "sums_in_sums": [lambda: (np.arange(8.0), np.full(7, 0.5))],
    "views_behind_views": [lambda: (np.arange(-3.0, 8.0),)],
    "views_of_functions": [lambda: (np.array([1.0, -2.0, 3.0, 0.5, -4.0]),)],
    "copy_or_view_or_nothing": [lambda w=w: (np.arange(6.0).reshape(2, 3), w) for w in (1, 2, 7)],
    "cut_where_there_is_one": [lambda w=w, k=k: (np.arange(6.0).reshape(2, 3), w, k) for w in (1, 2) for k in (0, 2)],
    "steps_of_floats": [lambda: (0.5, 5.25)],
    "helper_reads_what_is_stored": [lambda: (np.full((4, 50), 1000.0),)],
    "histogram_of_an_updated_index": [lambda: (np.zeros(8, np.int64), MANY)],
    "slices_that_overlap": [lambda: (np.zeros(MANY + 1, np.int64), MANY)],
    "slices_that_do_not": [lambda: (np.zeros(4 * MANY, np.int64), MANY)],
    "last_of_no_iteration": [lambda: (np.zeros(0),), lambda: (np.zeros(MANY),)],
    "continue_beside_a_raise": [lambda: (np.array([1.0, -2, 4]),)],
    "parameters_swapped_with_new_arrays": [lambda: (np.arange(5.0), 3), lambda: (np.zeros(100000), 7)],
    "parameter_becomes_a_new_array": [lambda: (np.array([10.0, 2.0]), 10), lambda: (np.arange(8.0)[::2], 0)],
    "optional_view": [lambda: (np.arange(4.0), True), lambda: (np.arange(4.0), False)],
    "tuple_of_arrays": [lambda: (np.ones(2), np.full(2, 3.0))],
    "sum_of_a_rounded_value": [lambda k=k: (np.float32(k * 0.1), k * 0.3) for k in range(1, 200, 7)],
    "strip_before_a_break": [lambda n=n: (np.arange(1.0, 601), np.full(600, 4.0), np.ones(600), n) for n in (0, 1, 5)],
    "strip_before_a_continue": [lambda n=n: (np.arange(1.0, 601), np.full(600, 4.0), np.ones(600), n) for n in (0, 1, 5)],
    "last_value_before_a_break": [lambda n=n: (np.arange(1.0, MANY), np.ones(MANY), n) for n in (0, 1, 5)],
    "extremes_of_numbers_that_may_be_nan": [
        lambda x=x: (np.array(x),) for x in ([np.nan], [np.nan, 1.0, 2.0], [1.0, np.nan, 3.0, -2.0], [-np.inf, -np.inf],
                                             [-0.0, 0.0], [0.0, -0.0], [5.0] + [1.0] * MANY, [-1.0, 7.0] * MANY)],
    "extreme_of_nothing": [lambda m=m, n=n: (np.float32(m), n) for m in (np.nan, 3.5, -1.0) for n in (0, MANY)],
    "walrus_on_a_side_never_taken": [lambda: (300, 7)],
    "walrus_on_the_side_taken": [lambda: (300, 7)],
    "walrus_behind_what_decides": [lambda: (300, 7)],
    "extremes_as_choices": [lambda: (np.random.default_rng(1).random(MANY),), lambda: (np.ones(1),)],
    "subscript_of_an_update_is_read_once": [lambda: (np.arange(6), 3)],
}


def outcome(function, arguments):
    try:
        return function(*arguments), arguments
    except (ValueError, ZeroDivisionError) as error:
        return type(error).__name__, None


@pytest.mark.parametrize("name", CALLS)
def test_as_cpython_runs_it(name):
    for make in CALLS[name]:
        ours, theirs = outcome(getattr(batch, name), make()), outcome(getattr(plain, name), make())
        np.testing.assert_equal(ours[0], theirs[0])
        if theirs[1] is not None:
            np.testing.assert_equal(ours[1], theirs[1])


def test_kernels():
    a = np.arange(4.0)
    batch.kernel_with_a_raising_helper[1, 8](a)
    assert a.tolist() == [0, 2, 4, 6]
    with pytest.raises(ValueError, match="two"):
        batch.kernel_that_raises[1, 4](a)
    b = np.zeros((3, 2), np.int64)
    batch.kernel_with_rows[1, 4](b)
    assert b.tolist() == [[1, 0]] * 3
    x, y = np.ones(3, np.float32), np.full(3, 2, np.float32)
    batch.kernel_that_swaps[1, 4](x, y, True)
    assert (x.tolist(), y.tolist()) == ([1] * 3, [3] * 3)
