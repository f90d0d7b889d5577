"""Lists inside functions beside CPython: what they hold, how they change, what raises, what comes back."""
import numpy as np
import pytest
from conftest import Batch, run_pyk2cu

MADE = Batch("lists")
CASES = {}  # name: argument lists
NUMBERS = np.array([3.0, -1.5, 2.25, 0.0, 7.5, -1.5])
WIDENED = ("widens", "store", "choices", "literals", "helpers", "updates")  # items have one type: 1 is 1.0
WHOLE = np.array([5, 3, 9, 1, 3, 8, 2])


def case(signature, *arguments, result=None):
    """A function of the module, called with these lists of arguments."""
    def add(text):
        name = text.split("def ", 1)[1].split("(", 1)[0]
        MADE.add(f'@njit("{signature}")\n{text}')
        CASES[name] = arguments
    return add


case("(int64,)", (0,), (1,), (7,))("""def squares(n):
    made = []
    for i in range(n):
        made.append(i * i)
    return made
""")
case("(int64,)", (0,), (5,))("""def widens(n):
    made = []
    for i in range(n):
        made.append(i)
    made.append(0.5)
    return made
""")
case("(int64,)", (0,), (5,))("""def given_others(n):
    best = []
    every = []
    for i in range(n):
        current = [i * 0.5] * i
        if len(current) > len(best):
            best = current
        every = every + [i]
    return best, every
""")
case("(float64[:],)", (NUMBERS,), (NUMBERS[:0],))("""def positive(a):
    kept = []
    for x in a:
        if x > 0:
            kept.append(x)
    return np.array(kept), len(kept)
""")
case("List(float64)(int64)", (0,), (3,))("""def told(n):
    return [0.5 * i for i in range(n)]
""")
case("ListType(ListType(int64))(int64)", (0,), (3,))("""def told_rows(n):
    return [[i, n] for i in range(n)]
""")
case("(int64,)", (0,), (3,))("""def pairs(n):
    path = [(n, n)]
    for i in range(n):
        path.append((i, 2 * i))
    return np.array(path), np.asarray(path, dtype=np.float32)
""")
case("(int64,)", (1,), (3,))("""def of_kinds(n):
    return np.array([(i, i * 0.5, i > 1) for i in range(n)])
""")
case("(int64,)", (1,), (3,))("""def block(n):
    return np.array([[i, 10 * j] for j in range(2) for i in range(n)])
""")
case("(int64, int64)", (1, 4), (0, 3), (2, 2))("""def into_slices(i, j):
    a = np.ones(6)
    b = np.ones((3, 2), np.int32)
    a[i:j] = [0] * (j - i)
    a[-1:] = [7]
    b[0] = [1, i]
    b[:] = [j, j]
    b[:, 1] = [1, 2, 3]
    a[np.array([0, 2])] = [i * 0.25, 9]
    return a, b
""")
case("(int64, int64)", (3, 0), (3, 2), (3, -3), (3, 3), (3, -4), (0, 0))("""def item(n, k):
    a = [i + 10 for i in range(n)]
    return a[k]
""")
case("(int64, int64)", (3, 0), (3, -3), (3, 3), (3, -4))("""def store(n, k):
    a = [1.5] * n
    a[k] = 4
    a[k] += 2.5
    return a
""")
case("(int64,)", (-2,), (0,), (4,))("""def zeros(n):
    a = [0] * n
    b = n * [True]
    for i in range(n):
        a[i] += i
        b[i] = i % 2 == 0
    return a, b
""")
case("(int64, int64, int64, int64)", *[(8, lo, hi, step) for lo in (-9, -2, 0, 3, 9) for hi in (-9, -1, 0, 5, 9)
                                     for step in (-3, -1, 1, 2)], (8, 0, 3, 0),
     (8, -2**63, 2**63 - 1, 1), (8, 2**63 - 1, -2**63, -2**63), (8, 0, 2**63 - 1, 2**63 - 1))("""def slices(n, lo, hi, step):
    a = list(range(n))
    return a[lo:hi:step], a[lo:], a[:hi], a[::-1], a[::step], a[:hi:step], a[lo::step]
""")
case("(int64,)", (0,), (1,), (6,))("""def stack(n):
    s = [n]
    total = 0
    while s:
        k = s.pop()
        total = total * 3 + k
        if k > 1:
            s.append(k // 2)
            s.append(k - 2)
    return total
""")
case("(int64, int64)", (5, 0), (5, 2), (5, -1), (5, -5), (5, 5), (5, -6), (0, 0))("""def pops(n, k):
    a = [x * 0.5 for x in range(n)]
    x = a.pop(k)
    return x, a
""")
case("()", ())("""def pop_empty():
    a = [1]
    a.pop()
    return a.pop()
""")
case("(int64,)", *[(k,) for k in (-9, -4, -1, 0, 2, 4, 9)])("""def inserts(k):
    a = [1, 2, 3, 4]
    a.insert(k, 77)
    return a
""")
case("(int64[:],)", (WHOLE,), (WHOLE[::-2],), (WHOLE[:0],))("""def sorts(a):
    b = [x for x in a]
    b.sort()
    c = sorted(b, reverse=True)
    b.reverse()
    d = [(x % 3, x) for x in a]
    d.sort(reverse=True)
    return b, c, d
""")
case("(int64[:], int64)", (WHOLE, 3), (WHOLE, 4), (WHOLE[:0], 1))("""def finds(a, v):
    b = list(a)
    return v in b, v not in b, b.count(v), len(b)
""")
case("(int8[:], uint8[:], int64)", *[(np.array([1, 0, -1, 3], "i1"), np.array([255, 0, 3], "u1"), k) for k in (-1, 0, 255, 257, 3, 2**62)])(
    """def finds_among_narrow(a, u, v):
    b = [x for x in a]
    c = [x for x in u]
    return v in b, b.count(v), b.count(0), v in c, c.count(v), c.count(300)
""")
case("(int64[:], int64)", (WHOLE, 3), (WHOLE, 2))("""def index_of(a, v):
    b = list(a)
    k = b.index(v)
    b.remove(v)
    return k, b
""")
case("(int64[:],)", (WHOLE,))("""def extends(a):
    b = [1]
    b.extend(a)
    b.extend((7, 8))
    b.extend(range(3))
    b += range(len(b), len(b) + 2)
    b += reversed(a)
    b += [9, 10]
    b.extend(b)
    c = b + [0]
    return b, c, c * 2, len(c)
""")
case("(int64,)", (0,), (4,))("""def aliases(n):
    a = [0, 1]
    b = a
    for i in range(n):
        b.append(i)
    c = a.copy()
    c.append(99)
    a[0] = -1
    return a, b, c, len(b)
""")
case("(int64, int64)", (0, 0), (3, 4))("""def nested(n, m):
    table = [[i * m + j for j in range(m)] for i in range(n)]
    total = 0
    for row in table:
        for x in row:
            total += x
    return table, total
""")
case("(int64[:], int64[:], int64)", (np.array([0, 1, 1, 3]), np.array([1, 2, 3, 4]), 6), (WHOLE[:0], WHOLE[:0], 2))(
    """def graph(heads, tails, n):
    near = [[] for _ in range(n)]
    for k in range(len(heads)):
        near[heads[k]].append(tails[k])
        near[tails[k]].append(heads[k])
    order = [0]
    seen = [False] * n
    seen[0] = True
    for v in order:
        for w in near[v]:
            if not seen[w]:
                seen[w] = True
                order.append(w)
    return order, near
""")
case("(int64,)", (0,), (5,))("""def shadow(n):
    i = 100.5
    a = [i * 2 for i in range(n)]
    b = [(i, j) for i in range(n) for j in range(i) if (i + j) % 2 if i > 1]
    return a, b, i
""")
case("(float64[:],)", (NUMBERS,))("""def reduces(a):
    b = [x * 2 for x in a]
    return min(b), max(b), sum(b), np.sum(np.array(b)), np.mean(np.array(b)), np.array([x + 1 for x in b])
""")
case("(float64[:, :],)", (np.arange(12.0).reshape(4, 3),))("""def rows(a):
    kept = []
    for i in range(a.shape[0]):
        if i % 2 == 0:
            kept.append(a[i].copy())
    kept.append(kept[0] + 1.0)
    kept[1][0] = 50.0
    last = kept.pop()
    return kept, last, len(kept), a[1:]
""")
case("(int64,)", (0,), (4,))("""def pairs(n):
    path = []
    i, j = n, n
    while i > 0 or j > 1:
        path.append((i, j, i / (j + 1)))
        i -= 1
        if j > 1:
            j -= 1
    return path
""")
case("(int64,)", (7,))("""def swap(n):
    prev = [0] * (n + 1)
    curr = [0] * (n + 1)
    for i in range(n):
        for j in range(1, n + 1):
            curr[j] = prev[j - 1] + i + j
        prev, curr = curr, prev
    return prev, curr
""")
case("(int64,)", (6,))("""def levels(n):
    frontier = [1]
    seen = 0
    while len(frontier) > 0 and seen < 40:
        following = []
        for v in frontier:
            seen += 1
            if v < n:
                following.append(v + 1)
                following.append(v + 2)
        frontier = following
    return seen
""")
case("(int64,)", (5,))("""def loops(n):
    a = [i * i for i in range(n)]
    total = 0
    for k, x in enumerate(a):
        total += k * x
    for x, y in zip(a, a[1:]):
        total += x * y
    for x in reversed(a):
        total = total * 2 + x
    return total
""")
case("(int64,)", (5,))("""def grows_while_it_runs(n):
    a = [n]
    steps = 0
    for k, x in enumerate(a):
        if k == 3:
            continue
        if x > 0:
            a.append(x - 1)
        steps += k
        if k > 20:
            break
    else:
        steps = -steps
    return a, steps
""")
case("(int64,)", (2,), (9,))("""def shrinks_while_it_runs(n):
    a = list(range(n))
    seen = []
    for x in a:
        seen.append(x)
        if x % 3 == 0:
            a.pop()
    return a, seen
""")
case("(int64,)", (0,), (1,), (5,))("""def choices(n):
    if n > 3:
        a = [1, 2]
    elif n > 0:
        a = [0.5]
    else:
        a = []
    a.append(n)
    return a
""")
case("(int64,)", (5,))("""def deletes(n):
    a = list(range(n))
    del a[1]
    del a[-1]
    a.clear()
    a.append(3)
    return a
""")
case("(int64,)", (2,), (3,))("""def literals(n):
    odd = n in [1, 3, 5]
    primes = [2, 3, 5, 7, 11]
    return odd, primes[n], [n, n + 1], [1.5, n]
""")
MADE.add('''
@njit
def fill(a, n):
    for i in range(n):
        a.append(i * 0.5)
    return len(a)


@njit
def evens(n):
    return [i for i in range(n) if i % 2 == 0]


@njit
def total_of(a):
    total = 0
    for x in a:
        total += x
    return total
''')
case("(int64,)", (0,), (4,))("""def helpers(n):
    a = [1.0]
    k = fill(a, n)
    b = evens(n)
    b.append(100)
    return a, k, b, total_of(b), total_of(evens(n)), total_of(a)
""")
case("(int64, float64)", (0, 1.0), (4, 2.0))("""def optional(n, x):
    best = None
    if n > 0:
        best = [x] * n
    if best is None:
        return 0.0
    return sum(best)
""")
case("(int64,)", (3,), (0,))("""def equal(n):
    return [1, 2, 3][:n] == [i + 1 for i in range(n)], [1] == [1, 2], [1, 2] != [1, 2]
""")
MADE.add('''
@njit
def grow_both(outer, inner):
    for i in range(50):
        outer.append([i])
    inner.append(1)
    return inner[0] + len(inner)


@njit
def grow(a, x):
    if len(a) < 20:
        a.append(x)
    return x


@njit
def second_of(a):
    items = [([1], np.zeros(3))]
    items.append(([2], a))
    return items[1][1]


@njit
def empties(arrays, first, rest):
    arrays.clear()
    b = np.zeros(8)
    return first[0] + rest[0] + len(first) + b[0]
''')
case("(int64,)", (5,))("""def items_stay_while_helpers_run(n):
    a = [[n]]
    k = grow_both(a, a[0])
    b = [np.ones(3) * n]
    x = empties(b, b[0], b[0][1:])
    return a, k, len(b), x
""")
MADE.add('import heapq\nfrom heapq import heappush, heappop\n')
case("(float64[:],)", (NUMBERS,), (NUMBERS[:0],))("""def heaps(a):
    heap = []
    for k, x in enumerate(a):
        heappush(heap, (x, k))
    as_they_lie = heap.copy()
    order = []
    while heap:
        x, k = heappop(heap)
        order.append(k)
    rest = [x for x in a]
    heapq.heapify(rest)
    return order, as_they_lie, rest
""")
case("(int64,)", (3,), (0,))("""def deep(n):
    cube = [[[i, j] for j in range(n)] for i in range(n)]
    for plane in cube:
        for row in plane:
            row.append(7)
    return cube
""")
case("(int64,)", (5,))("""def changing(n):
    a = list(range(n))
    b = []
    for x in reversed(a):
        b.append(x)
        if x == 3:
            a.pop()
            a.pop()
            a.pop()
    for x, y in zip(b, a):
        if len(b) < 12:
            b.append(x + y)
            a.append(y)
    return a, b
""")
case("(int64[:],)", (WHOLE,))("""def sorted_things(a):
    return sorted(a), sorted(range(5), reverse=True), sorted((3, 1, 2)), 3.0 in [1, 3], 2.5 in [1, 3]
""")
case("(int64, int64)", (4, 5), (0, 3), (3, 0))("""def grid(n, m):
    g = [[0] * m for _ in range(n)]
    for i in range(n):
        for j in range(m):
            g[i][j] = i * j + 1
    total = 0
    for i in range(1, n):
        for j in range(1, m):
            total += g[i][j] * g[i - 1][j - 1] - g[-1][j] + g[0][0]
        g[i] = [i] * m
    return g, total
""")
case("(int64, int64)", (3, 2), (3, 7), (2, 2))("""def beyond(n, m):
    g = [[1] * 3 for _ in range(n)]
    for i in range(n + 1):
        for j in range(m):
            g[i][j] += i + j
    return g
""")
case("(int64,)", (2000,))("""def views_of_items(n):
    rows = [np.arange(5.0) for _ in range(n)]
    tails = []
    for i in range(len(rows)):
        tails.append(rows[i][1:])
    rows.clear()
    return tails[0], tails[-1], len(tails)
""")
case("(int64,)", (6,), (0,))("""def comprehensions_over_what_changes(n):
    a = list(range(n))
    b = [x * 10 + a.pop() for x in a]
    c = [grow(a, x + 1) for x in a]
    t = [[k] * 3 for k in range(n)]
    d = [row[0] + len(t.pop()) for row in t]
    return a, b, c, d, t
""")
case("(int64,)", (3,))("""def arrays_in_tuples(n):
    items = [(np.zeros(3), 0)]
    for k in range(3):
        items.append((np.full(n, k + 7.5), k))
    return [a for a, _ in items]
""")
case("(int64,)", (6,))("""def of_tuples_with_lists(n):
    b = np.full(n, 3.0)
    c = second_of(b[1:])
    b = np.full(n, 4.0)
    d = np.full(n, 5.0)
    return c, b, d
""")
case("(int64,)", (4,))("""def checked_again(n):
    a = list(range(n))
    a[n - 1] += a.pop()
    return a
""")
case("(int64,)", (4,))("""def closures(n):
    k = 10
    g = lambda m: k + m
    def h(m):
        return [k + m for m in range(m)]
    a = [g(0) for k in range(n)]
    b = [k for k in range(2) if g(k) > 3]
    c = [(lambda m: k + m)(1) for k in range(n)]
    f = lambda x=[i for i in range(3)]: x[1]
    return a, b, c, h(2), [h(k) for k in range(3)], f(), k
""")
case("(int64,)", (3,), (0,), (-1,))("""def updates(n):
    a = [1, 2]
    b = a
    a *= n
    t = [[1], [2]]
    r = t[0]
    t[0] += [5]
    t[1] *= 2
    arrays = [np.zeros(2), np.ones(2)]
    x = arrays[0]
    arrays[0] += 2.0
    arrays[1][0] -= 1
    best = None
    if n > -5:
        best = [1.0]
    c = best
    best += [4.0]
    best.append(n)
    return a, b, t, r, arrays, x, best
""")
case("(int64,)", (3,), (2,), (4,))("""def unpacks(n):
    a = list(range(n))
    x, y, z = a
    total = 0
    for u, v in [[1, 2], [3, 4]]:
        total += u * v
    return x, y, z, total
""")
case("(int64,)", (3,))("""def shared_rows(n):
    g = [[0] * 2] * n
    h = [[]] * n
    g[0][1] = 5
    h[0].append(n)
    return g, h
""")
MADE.add('''
from collections import namedtuple
P = namedtuple("P", "x y")
''')
case("(int64,)", (2,))("""def named(n):
    return [P(i, i * 0.5) for i in range(n)], P(1, 2.0), [(P(1, 2), i) for i in range(n)]
""")
MADE.add('''
@njit("(float64[:],)")
def sorts_nan(a):
    b = [x for x in a]
    b.sort()
    c = [(x, 1) for x in a]
    c.sort()
    return b, c
''')
case("(int64,)", (4,))("""def without_parallel(n):
    f = lambda k: [k] * k
    a = [f(i) for i in range(n)]
    return a
""")
MADE.add('''
@njit("int64[:,:](int64)")
def block_or_not(n):
    rows = [[0] * n, [1, 2]]
    return np.array(rows)

@njit("float64[:,:](int64)")
def into_a_row(n):
    a = np.ones((2, 2))
    a[0] = [0.5] * n
    return a
''')
MADE.add('''
@njit("int64[:](int64[:, :])", parallel=True)
def in_parallel(a):
    out = np.zeros(a.shape[0], dtype=np.int64)
    for i in prange(a.shape[0]):
        kept = []
        for x in a[i]:
            if x % 2:
                kept.append(x)
        kept.sort()
        for k in range(len(kept)):
            out[i] += kept[k] * (k + 1)
    return out
''')


def plainly(value):
    """What is compared: NumPy's scalars as Python's, arrays as lists with their dtype."""
    if isinstance(value, np.ndarray):
        return "array", value.dtype.str, value.tolist()
    if isinstance(value, (list, tuple)):
        return type(value).__name__, [plainly(item) for item in value]
    return value.item() if isinstance(value, np.generic) else value


def outcome(function, arguments):
    copies = [a.copy() if isinstance(a, np.ndarray) else a for a in arguments]
    try:
        with np.errstate(all="ignore"):
            return plainly(function(*copies))
    except Exception as error:
        return type(error), str(error)


@pytest.mark.parametrize("name, arguments", [(name, args) for name, lists in CASES.items() for args in lists])
def test_as_python(name, arguments):
    theirs = outcome(getattr(MADE.plain, name), arguments)
    ours = outcome(getattr(MADE, name), arguments)
    assert ours == theirs
    if name not in WIDENED:
        assert repr(ours) == repr(theirs)


def test_parallel():
    a = np.arange(50000).reshape(5000, 10) * 7 % 23
    np.testing.assert_array_equal(MADE.in_parallel(a), MADE.plain.in_parallel(a))


@pytest.mark.parametrize("name", ["block_or_not", "into_a_row"])
def test_rows_of_another_length(name):
    assert np.array_equal(getattr(MADE, name)(2), getattr(MADE.plain, name)(2))
    for function in (getattr(MADE, name), getattr(MADE.plain, name)):
        with pytest.raises(ValueError):
            function(3)


def test_results_own_their_memory():
    a = np.arange(12.0).reshape(4, 3)
    kept, last, _, view = MADE.rows(a)
    kept[0][:] = -1.0
    assert a[0, 0] == 0.0 and np.shares_memory(view, a)
    assert last.tolist() == [1.0, 2.0, 3.0]


def test_nan_is_sorted_to_the_end():
    numbers, pairs = MADE.sorts_nan(np.array([2.0, np.nan, -1.0, np.nan, 0.5]))
    np.testing.assert_array_equal(numbers, [-1.0, 0.5, 2.0, np.nan, np.nan])
    np.testing.assert_array_equal([x for x, _ in pairs], numbers)


REFUSED = [
    ("int64()", "a = []\n    return len(a)", "PK3061"),
    ("float64[:]()", "return [1.0]", "PK3005"),
    ("int64()", "a = [1]\n    a.extend(iterable=[1])\n    return len(a)", "PK4012"),
    ("int64()", "b = [1]\n    a = None\n    if len(b) > 2:\n        a = ([1, 2], 3)\n    return np.sum(a)", "PK5002"),
    ("int64()", "a = [1, None]\n    return len(a)", "PK5001"),
    ("int64()", "a = [1, 2]\n    np.random.shuffle(a)\n    return len(a)", "PK5001"),
    ("int64()", "a = [1]\n    print(a)\n    return len(a)", "PK5001"),
    ("int64()", 'a = ["x"]\n    return len(a)', "PK5001"),
    ("int64()", "a = [1, (2, 3)]\n    return len(a)", "PK3005"),
    ("int64()", "a = [1]\n    a[0:1] = [2]\n    return len(a)", "PK5001"),
    ("int64()", "a = [1]\n    a.push(2)\n    return len(a)", "PK3032"),
    ("int64()", "a = [1]\n    for i in prange(3):\n        a.append(i)\n    return len(a)", "PK5111"),
    ("int64()", "a = [1]\n    for i in prange(3):\n        put(a, i)\n    return len(a)", "PK5111"),
    ("int64()", "a = [1]\n    def more(x):\n        a.append(x)\n    for i in prange(3):\n        more(i)\n    return len(a)", "PK5111"),
    ("int64()", "a = [np.ones(2)]\n    return len(max(a))", "PK5001"),
    ("int64()", "g = [[1], [2], [3]]\n    for i in prange(3):\n        g[i] = g[i - 1]\n    return len(g)", "PK5111"),
    *[("int64()", f"s = [1]\n    g = [[1], [2], [3]]\n    for i in prange(3):\n        {body}\n    return len(s)", "PK5111")
      for body in ("y = [s][0]; y.append(i)", "[r for r in g][0].append(i)", "l = [[i]]; l.append(s); l[-1].append(i)", "put(g[0], i)",
                   "l = g[:]; l[1].append(i)", "[[s]][0][0].append(i)", "g[0] = [i]", "g[i % 3] = [i]", "[s, [1]].pop(0).append(i)",
                   "s.sort()", "s.clear()", "del s[0]")],
    ("int64()", "a = [(y := 1) for _ in range(2)]\n    return len(a)", "PK5001"),
]


@pytest.mark.parametrize("signature, body, code", REFUSED)
def test_refused(tmp_path, signature, body, code):
    source = tmp_path / "refused.py"
    helper = "@njit\ndef put(a, x):\n    a.append(x)\n" if "put(" in body else ""
    source.write_text(f'import numpy as np\nfrom numba import njit, prange\n\n{helper}\n@njit("{signature}", parallel=True)\ndef f():\n    {body}\n')
    result = run_pyk2cu(source, "-o", tmp_path / "out")
    assert result.returncode == 1 and code in result.stderr, result.stderr
