"""Helpers that write arrays, called where the statement around them reads the same ones (test_updates.py).

Every function but the helpers takes a = [1, 2, …, 8] and b = [10, 20, …, 80].
"""
from numba import njit, prange


@njit("int64(int64[:], int64)")
def bump(a, k):
    a[0] += k
    return a[0]


@njit("int64(int64[:], int64, int64)")
def put(a, at, value):
    old = a[at]
    a[at] = value
    return old


@njit("float64(int64[:])")
def total(a):
    s = 0.0
    for i in range(len(a)):
        s += a[i]
        a[i] += 1
    return s


@njit("int64(int64[:], int64[:])")
def value_after_local(a, b):
    s = 5
    s += bump(a, s)
    return s


@njit("int64(int64[:], int64[:])")
def value_before_local(a, b):
    s = 5
    s = bump(a, s) + s
    return s


@njit("int64(int64[:], int64[:])")
def local_twice(a, b):
    s = a[0]
    s += bump(a, s) + bump(a, s)
    return s


@njit("int64(int64[:], int64[:])")
def local_minus(a, b):
    s = 100
    s -= bump(a, 1) * bump(a, 2) - a[0]
    return s


@njit("int64(int64[:], int64[:])")
def local_other_operators(a, b):
    s = 2
    s **= bump(a, 1)
    s *= bump(a, 1)
    s //= bump(a, -2)
    s <<= bump(a, 1)
    s %= bump(a, 20)
    s |= bump(a, 1)
    s ^= bump(a, 1)
    return s


@njit("int64(int64[:], int64[:])")
def local_choice(a, b):
    s = bump(a, 1) if bump(a, 1) > 2 else a[0]
    s += a[0] if a[0] > 100 else bump(a, 1)
    return s


@njit("int64(int64[:], int64[:])")
def local_condition(a, b):
    s = 3
    s += bump(a, 1) > a[0] - 1 and bump(a, 1) > 3
    s -= bump(a, 1) > 100 or bump(a, 1) < 0
    return s * 10 + a[0]


@njit("int64(int64[:], int64[:])")
def short_circuit(a, b):
    s = int(a[0] > 5 and bump(a, 9) > 0)
    s += int(a[0] < 5 or bump(a, 9) > 0)
    return s + a[0]


@njit("int64(int64[:], int64[:])")
def chained_comparison(a, b):
    s = int(a[0] < bump(a, 1) < bump(a, 1) <= a[0])
    s += int(a[0] < bump(a, -1) < bump(a, 5))
    return s


@njit("int64(int64[:], int64[:])")
def element(a, b):
    a[0] += bump(a, 7)
    return 0


@njit("int64(int64[:], int64[:])")
def element_around(a, b):
    a[0] = a[0] + bump(a, 7) + a[0]
    return 0


@njit("int64(int64[:], int64[:])")
def element_after(a, b):
    a[0] = bump(a, 7) + a[0]
    return 0


@njit("int64(int64[:], int64[:])")
def element_minus(a, b):
    a[0] = bump(a, 7) - a[0]
    a[0] = a[0] - bump(a, 7)
    return 0


@njit("int64(int64[:], int64[:])")
def element_times(a, b):
    a[0] *= bump(a, 1) + a[0]
    return 0


@njit("int64(int64[:], int64[:])")
def other_element(a, b):
    a[1] += bump(a, 7)
    a[1] -= a[0]
    return 0


@njit("int64(int64[:], int64[:])")
def other_array(a, b):
    b[0] += bump(a, 7) + a[0]
    return 0


@njit("int64(int64[:], int64[:])")
def array_that_is_the_same(a, b):
    c = a
    c[0] += bump(a, 3)
    return bump(c, 1)


@njit("int64(int64[:], int64[:])")
def array_that_overlaps(a, b):
    c = a[0:4]
    c[0] += bump(a, 3)
    a[0] = c[0] - bump(c, 1)
    return 0


@njit("int64(int64[:], int64[:])")
def subscript(a, b):
    a[bump(a, 1)] += 100
    return 0


@njit("int64(int64[:], int64[:])")
def subscript_and_value(a, b):
    a[bump(a, 1)] += bump(a, 1)
    return 0


@njit("int64(int64[:], int64[:])")
def subscript_from_the_array(a, b):
    a[a[0]] += put(a, 0, 3)
    return 0


@njit("int64(int64[:], int64[:])")
def subscript_of_a_store(a, b):
    a[bump(a, 1)] = a[0]
    return 0


@njit("int64(int64[:], int64[:])")
def value_of_a_store_first(a, b):
    a[bump(a, 1)] = bump(a, 2)
    return 0


@njit("int64(int64[:], int64[:])")
def subscript_read_after_the_value(a, b):
    a[a[0]] = put(a, 0, 4)
    return 0


@njit("int64(int64[:], int64[:])")
def negative_subscript(a, b):
    a[-1] += put(a, 7, 50)
    a[-bump(a, 1)] -= 3
    return 0


@njit("int64(int64[:], int64[:])")
def several_targets(a, b):
    x = b[bump(a, 1)] = bump(a, 1)
    return x


@njit("int64(int64[:], int64[:])")
def swapped(a, b):
    a[0], a[1] = bump(a, 5), a[0]
    return 0


@njit("int64(int64[:], int64[:])")
def rotated(a, b):
    a[0], a[a[0]], a[2] = a[2], bump(a, 1), a[0]
    return 0


@njit("int64(int64[:], int64[:])")
def unpacked(a, b):
    x, y = bump(a, 1), bump(a, 1)
    x, y = y, x
    return 100 * x + y


@njit("int64(int64[:], int64[:])")
def tuple_kept(a, b):
    t = (a[0], bump(a, 1), a[0])
    s = t[0] + t[1] * bump(a, 1)
    return s + t[2]


@njit("int64(int64[:], int64[:])")
def float_total(a, b):
    s = 0.5
    s += total(a)
    s = total(a) - s
    s += s * total(a)
    return int(s)


@njit("int64(int64[:], int64[:])")
def arguments_in_order(a, b):
    return put(a, bump(a, 1), bump(a, 1)) * 100 + a[0]


@njit("int64(int64[:], int64[:])")
def loop_update(a, b):
    s = 0
    for i in range(5):
        s += bump(a, s)
    return s


@njit("int64(int64[:], int64[:])")
def loop_reversed(a, b):
    s = 1
    for i in range(5):
        s = bump(a, s) - s
    return s


@njit("int64(int64[:], int64[:])")
def loop_element(a, b):
    for i in range(4):
        a[i] += bump(a, i)
    return 0


@njit("int64(int64[:], int64[:])")
def loop_subscript(a, b):
    for i in range(3):
        a[bump(a, 1)] += i
    return 0


@njit("int64(int64[:], int64[:])")
def loop_both(a, b):
    s = 0
    for i in range(4):
        a[i], s = s, bump(a, a[i])
    return s


@njit("int64(int64[:], int64[:])")
def loop_reads_before(a, b):
    s = 0
    for i in range(8):
        x = a[0]
        bump(a, i)
        s += x + a[0] * 10
    return s


@njit("int64(int64[:], int64[:])")
def loop_of_conditions(a, b):
    s = 0
    for i in range(8):
        if a[i] > bump(a, 1) or b[i] < bump(b, i):
            s += a[i]
        else:
            s -= bump(a, 1)
    return s


@njit("int64(int64[:], int64[:])")
def loop_left(a, b):
    s = 0
    for i in range(8):
        s += bump(a, i)
        if s > 20:
            break
    else:
        s = -1
    return s


@njit("int64(int64[:], int64[:])")
def bound_once(a, b):
    s = 0
    for i in range(bump(a, 3)):
        s += bump(a, 1) * i
    return s


@njit("int64(int64[:], int64[:])")
def bounds_in_order(a, b):
    s = 0
    for i in range(bump(a, 1), bump(a, 4), bump(a, -4)):
        s += 100 * i + a[0]
    return s


@njit("int64(int64[:], int64[:])")
def bound_of_a_view(a, b):
    s = 0
    for i in range(len(a[:bump(a, 2)])):
        s += a[i] + put(a, 5, i)
    return s


@njit("int64(int64[:], int64[:])")
def elements(a, b):
    s = 0
    for x in a:
        s += x * put(b, 1, x) + bump(a, 1)
    return s


@njit("int64(int64[:], int64[:])")
def elements_written(a, b):
    s = 0
    for x in a:
        a[3] += x
        s += x
    return s


@njit("int64(int64[:], int64[:])")
def elements_of_a_view(a, b):
    s = 0
    for x in a[bump(a, 1):bump(a, 3)]:
        s += x
    return s


@njit("int64(int64[:], int64[:])")
def enumerated(a, b):
    s = 0
    for i, x in enumerate(a):
        s += i * x + put(a, 7 - i, i)
    return s


@njit("int64(int64[:], int64[:])")
def zipped(a, b):
    s = 0
    for x, y in zip(a, b):
        s += x * y + put(b, 7, x)
    return s


@njit("int64(int64[:], int64[:])")
def nested(a, b):
    s = 0
    for i in range(3):
        for j in range(bump(a, 1)):
            s += a[j % 8] * bump(a, 0) + i
    return s


@njit("int64(int64[:], int64[:])")
def nested_bound(a, b):
    s = 0
    for i in range(4):
        for j in range(a[0]):
            s += 1
            a[0] = a[0] + 1 if a[0] < 6 else 1
    return s


@njit("int64(int64[:], int64[:])")
def nested_element(a, b):
    for i in range(4):
        for j in range(i):
            a[j] += bump(a, i) - a[i]
            b[i] -= put(b, j, b[i])
    return 0


@njit("int64(int64[:], int64[:])")
def nested_update(a, b):
    s = 0
    for i in range(4):
        t = s
        for j in range(3):
            t += bump(a, t % 5) - j
        s += t
    return s


@njit("int64(int64[:], int64[:])")
def while_condition(a, b):
    s = 0
    while bump(a, 1) < 9:
        s += a[0]
    return s


@njit("int64(int64[:], int64[:])")
def while_update(a, b):
    s = 1
    while s < 200:
        s += bump(a, s)
    return s


@njit("int64(int64[:], int64[:])")
def called_function(a, b):
    f = lambda k: bump(a, k)
    s = 1
    s += f(s) + f(s)
    return s


@njit("int64(int64[:], int64[:])")
def captured_value(a, b):
    k = 3

    def g(x):
        return bump(a, k) + x
    k = 5
    s = g(1)
    s += g(s)
    return s


@njit("int64(int64[:], int64[:])", parallel=True)
def parallel_update(a, b):
    s = 0
    for i in prange(len(b)):
        s += put(b, i, i) + a[0]
    return s


@njit("int64(int64[:], int64[:])", parallel=True)
def parallel_elements(a, b):
    for i in prange(len(b)):
        b[i] += put(b, i, a[i]) * 2
    return 0


@njit("int64(int64[:], int64[:])", parallel=True)
def parallel_with_inner_loop(a, b):
    s = 0
    for i in prange(len(b)):
        t = i
        for j in range(bump(b[i:], 1) % 5):
            t += b[i] - j
        s += t
    return s


@njit("int64(int64[:], int64[:])", parallel=True)
def parallel_bound(a, b):
    s = 0
    for i in prange(bump(a, 3)):
        s += a[0] * i
    return s
