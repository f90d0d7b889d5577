"""Sets and dicts inside functions beside CPython: what they hold, how they change, what raises, what comes back."""
import math

import numpy as np
import pytest
from conftest import Batch, run_pyk2cu

MADE = Batch("tables")
CASES = {}  # name: argument lists
WHOLE = np.random.default_rng(4).integers(-20, 20, 200)
FLOATS = np.array([0.0, -0.0, 1.5, -2.25, np.inf, -np.inf, 1e300, 5e-324, 1.5])


def case(signature, *arguments):
    """A function of the module, called with these lists of arguments."""
    def add(text):
        name = text.split("def ", 1)[1].split("(", 1)[0]
        MADE.add(f'@njit("{signature}")\n{text}')
        CASES[name] = arguments
    return add


case("(int64[:],)", (WHOLE,), (WHOLE[:0],))("""def unique(a):
    seen = set()
    for x in a:
        seen.add(x)
    return len(seen), sorted(seen), -5 in seen, 500 in seen
""")
case("(int64[:],)", (WHOLE,), (WHOLE[:0],))("""def counts(a):
    d = {}
    for x in a:
        if x in d:
            d[x] += 1
        else:
            d[x] = 1
    return d
""")
case("(float64[:],)", (FLOATS,), (FLOATS[:0],))("""def of_floats(a):
    d = {}
    for i in range(a.size):
        d[a[i]] = i
    return d, len(d), sorted(set(a))
""")
case("(int64[:],)", (WHOLE,),)("""def of_pairs(a):
    pairs = {}
    for i in range(a.size - 1):
        key = (a[i] % 5, a[i + 1] > 0)
        pairs[key] = pairs.get(key, 0) + 1
    best = 0
    for (k, up), n in pairs.items():
        if n > best:
            best = n * 100 + k * 2 + up
    return pairs, best
""")
case("(int64, int64)", (0, 1), (20, 3), (20, 1), (1000, 7))("""def takes_out(n, step):
    d = {i: i * 0.5 for i in range(n)}
    for i in range(0, n, step):
        del d[i]
    d[-1] = 7.0
    if 5 in d:
        d.pop(5)
    for i in range(0, n, 2 * step):
        d[i] = -1.0
    return d, len(d), [k for k in d], [v for v in d.values()]
""")
case("(int64,)", (0,), (1,), (300,))("""def queue(n):
    todo = {n}
    done = set()
    while todo:
        x = todo.pop()
        done.add(x)
        if x > 1:
            todo.add(x // 2)
            todo.add(x // 3)
    return done
""")
case("(int64[:], int64[:])", (WHOLE[:30], WHOLE[20:50]), (WHOLE[:0], WHOLE), (WHOLE, WHOLE[::-1]), (np.arange(3), np.arange(9)))("""def algebra(a, b):
    x, y = set(a), set(b)
    return (x | y, x & y, x - y, x ^ y, x == y, x != y, x <= y, x < y, x >= y, x > y, x.issubset(y), x.issuperset(b), x.isdisjoint(y),
            x.union(b), x.intersection(y), x.difference(b), x.symmetric_difference(y), len(x), bool(x))
""")
case("(int64[:], int64[:])", (WHOLE[:30], WHOLE[20:50]), (WHOLE[:0], WHOLE))("""def in_place(a, b):
    x = set(a)
    same = x
    x |= set(b)
    first = len(x)
    x -= {3, 4, 5}
    x &= set(range(-15, 15))
    x ^= {100, 3}
    x.update(b[:3])
    x.difference_update(b[5:9])
    x.intersection_update(range(-12, 200))
    x.discard(1000)
    x.discard(100)
    return x, same == x, first
""")
case("(int64,)", (3,), (4,))("""def looks_up(k):
    d = {1: 2.5, 3: 4.5}
    return d[k]
""")
case("(int64,)", (3,), (4,))("""def takes(k):
    d = {1: 2.5, 3: 4.5}
    x = d.pop(k)
    return x, d
""")
case("(int64,)", (3,), (4,))("""def removes(k):
    s = {1, 3}
    s.remove(k)
    return s
""")
case("(int64,)", (0,), (1,))("""def pops(n):
    s = set(range(n))
    return s.pop()
""")
case("(int64,)", (0,), (2,))("""def pops_items(n):
    d = {i: i for i in range(n)}
    return d.popitem()
""")
case("(int64,)", (1,), (7,))("""def asks(k):
    d = {1: 10}
    x = d.get(k)
    if x is None:
        return -1, d.get(k, 5), d.pop(k, 6), len(d)
    return x, d.get(k, 5), d.pop(k, 6), len(d)
""")
case("(int64[:],)", (WHOLE,), (WHOLE[:0],))("""def groups(a):
    d = {}
    for x in a:
        if x % 7 not in d:
            d[x % 7] = [x]
        else:
            d[x % 7].append(x)
    longest = 0
    for group in d.values():
        longest = max(longest, len(group))
    return d, longest
""")
case("(int64[:],)", (WHOLE,),)("""def defaults(a):
    d = {}
    for i in range(a.size):
        d.setdefault(a[i] % 7, []).append(i)
    e = {5: 1}
    kept = e.setdefault(5, 9) * 10 + e.setdefault(6, 9)
    return d, e, kept
""")
case("(int64,)", (0,), (6,))("""def of_dicts(n):
    outer = {}
    for i in range(n):
        inner = {j: i * j for j in range(i)}
        inner[-1] = i
        outer[i] = inner
    total = 0
    for i, inner in outer.items():
        for j in inner:
            total += inner[j] * (i + 1)
    return outer, total
""")
case("(float64[:],)", (FLOATS[2:],),)("""def of_arrays(a):
    d = {}
    for i in range(3):
        d[i] = a[i:] * 2
    d[1][0] += 100
    kept = d[2]
    del d[2]
    total = 0.0
    for x in d.values():
        total += x.size + x[0]
    return d, kept, total
""")
case("(int64,)", (5,), (0,))("""def shares(n):
    d = {0: 0}
    other = d
    copy = d.copy()
    for i in range(n):
        other[i] = i
    copy.update(other)
    copy[99] = 1
    other.update({7: 7})
    return d, copy, d == other, d == copy, len(d)
""")
case("(int64,)", (0,), (3,))("""def empties(n):
    d = {i: i for i in range(n)}
    size = len(d)
    d.clear()
    s = {1, 2}
    s.clear()
    s.add(n)
    return size, len(d), not d, s, 1 if d else 2
""")
case("(int64,)", (4,), (0,))("""def grows_in_its_loop(n):
    d = {i: i for i in range(n)}
    for k in d:
        d[k + 100] = k
    return d
""")
case("(int64,)", (4,), (0,))("""def shrinks_in_its_loop(n):
    s = set(range(n))
    for x in s:
        s.discard(x - 1)
        s.discard(x)
    return s
""")
case("(int64,)", (4,), (0,))("""def changes_values_in_its_loop(n):
    d = {i: i for i in range(n)}
    for k, v in d.items():
        d[k] = v * 2
        d[n - 1] += 1
    return d
""")
case("(int64,)", (4,), (0,))("""def leaves_its_loop(n):
    d = {i: i for i in range(n)}
    for k in d:
        del d[k]
        break
    return d
""")
case("(int64,)", (4,), (0,))("""def comprehensions(n):
    return {i % 3 for i in range(n)}, {(i, j): i * j for i in range(n) for j in range(i) if i != j}, {k: v for k, v in {1: 2.5}.items()}
""")
case("(int64,)", (4,), (1,))("""def sequences(n):
    d = {i: i * 1.5 for i in range(n)}
    total = 0.0
    for i, (k, v) in enumerate(d.items()):
        total += i * v + k
    for a, b in zip(d.keys(), d.values()):
        total += a * b
    return total, sum(d.values()), max(d.values()), min(d), list(d.keys()), len(d.items()), sorted(d.values(), reverse=True), 1.5 in d.values()
""")
case("(int64,)", (4,), (0,))("""def from_pairs(n):
    pairs = [(i, i * 0.5) for i in range(n)]
    return dict(pairs), dict(zip(range(n), [1.5] * n)), set(pairs)
""")
MADE.add("""
@njit
def note(d, k):
    if k in d:
        d[k] += 1
    else:
        d[k] = 1
    return d

@njit
def first_of(s):
    for x in s:
        return x
    return -1
""")
case("(int64[:],)", (WHOLE,), (WHOLE[:0],))("""def helpers(a):
    d = {0: 0}
    for x in a:
        same = note(d, x)
    return d, first_of(set(a[:1])), len(note(d, 500))
""")
case("(int64,)", (3,))("""def displays(n):
    d = {1: [1], n: [2.5, n], 2: []}
    e = {1: 2, n: 2.5}
    e[7] = True
    s = {1, 2.5, n}
    return d, e, s, {(1, 2): {n}, (n, 4): {5, 6}}
""")
case("(int64,)", (0,), (5,))("""def given_others(n):
    best = {}
    every = set()
    for i in range(n):
        current = {k: i for k in range(i)}
        if len(current) > len(best):
            best = current
        every = every | {i % 3}
    return best, every
""")
case("(int64, int64)", (1, 2), (9, 9))("""def in_order(a, b):
    d = {a: 1}
    d[b] = d[a] + 1
    d[a] += d.pop(b)
    return d
""")
case("int64(int64, int64)", (0, 1), (10, 3), (1000, 5), (60000, 7))("""def big(n, seed):
    d = {}
    x = seed
    for i in range(n):
        x = (x * 1103515245 + 12345) % 2147483648
        d[x % 5000] = i
        if x % 3 == 0 and (x // 7) % 5000 in d:
            del d[(x // 7) % 5000]
    total = 0
    for k, v in d.items():
        total = (total * 31 + k * 7 + v) % 1000000007
    return total * 10000 + len(d)
""")
case("(boolean, uint8, int32)", (True, 3, -4))("""def narrow(a, b, c):
    d = {a: b}
    d[not a] = b
    e = {b: c}
    f = {c}
    return d, e, f, c in f, b in e
""")

# Keys that are looked up keep their value, whatever the type of those that are there.
case("(uint8[:], int64)", (np.array([1, 255, 44], np.uint8), -1), (np.array([1, 255, 44], np.uint8), 300), (np.array([1, 255, 44], np.uint8), 255))(
"""def other_integers(a, x):
    d = {}
    for k in a:
        d[k] = int(k) * 10
    s = set(a)
    before = (x in d, d.get(x, -7), x in s, x + 0.5 in s, x * 1.0 in s)
    s.discard(x)
    taken = d.pop(x, -3)
    return before, len(s), len(d), taken
""")
case("(boolean[:], int64)", *[(np.array([True, False]), x) for x in (7, 2, 1, 0, -1)])("""def among_bools(a, x):
    s = set(a)
    s.discard(x)
    return len(s), x in s
""")
case("(float64[:], int64)", *[(np.array([2.0**53, 2.0**63, 5.0]), x) for x in (2**53, 2**53 + 1, 2**63 - 1, 5)])("""def among_floats(a, x):
    return x in set(a)
""")
case("(int64[:], float64)", *[(np.array([2**53, -2**63, 2**63 - 1, 0]), x) for x in (2.0**53, -2.0**63, 2.0**63, -0.0, 0.5, np.nan, np.inf)])(
"""def of_float(a, x):
    return x in set(a), (x, x) in {(k, k) for k in a}
""")
case("(uint64[:], int64)", (np.array([2**64 - 1, 3], np.uint64), -1), (np.array([2**64 - 1, 3], np.uint64), 3))("""def among_unsigned(a, x):
    return x in set(a)
""")
# Holes: what goes on while there are some.
case("(int64,)", (0,), (1,), (2,), (7,), (100,), (1000,))("""def taken_in_turn(n):
    d = {i: i * i for i in range(n)}
    out = []
    for step in range(3 * n):
        for k in d:
            break
        out.append(k)
        v = d.pop(k)
        if step % 3 != 0:
            d[n + step] = v + 1
        if len(d) == 0:
            break
    return out, d
""")
case("(int64[:],)", (WHOLE,), (WHOLE[:1],), (WHOLE[:2],))("""def sees_changes(a):
    d = {i: x for i, x in enumerate(a)}
    if len(d) > 2:
        del d[1]
    out = []
    for k, v in d.items():
        for later in d:
            if later > k:
                d[later] += 1
        out.append(v)
    for v in d.values():
        d[0] = d[0] + v
        out.append(d[0])
    return out, list(d.items()), [k for k in reversed(d)], list(enumerate(d))
""")
case("(int64,)", (3,), (40,), (500,))("""def churn(n):
    d = {}
    state, log = 12345, 0
    for i in range(n * 8):
        state = (state * 1103515245 + 12345) % 2147483648
        k = state % n
        if state // n % 3 == 0 and k in d:
            log = (log * 31 + d.pop(k)) % 1000003
        elif state // n % 7 == 0 and len(d) > 0:
            k, v = d.popitem()
            log = (log * 31 + k + v) % 1000003
        else:
            d[k] = i
    return log, d, sorted(d.keys())
""")
case("(float64[:],)", (np.array([np.nan, 1.0, np.nan, 2.0, np.nan]),), (np.full(30, np.nan),))("""def takes_nan_out(a):
    s = set()
    for i in range(a.size):
        s.add(a[i] * 1.0)
    pairs = set()
    for i in range(a.size):
        pairs.add((i, a[i] * 1.0))
    d = {}
    for i in range(a.size):
        d[a[i] * 1.0] = i
    n = 0
    while len(s) > 0:
        s.pop()
        n += 1
    while len(pairs) > 0:
        pairs.pop()
        n += 1
    last = -1
    while len(d) > 0:
        last = d.popitem()[1]
        n += 1
    s.add(3.0)
    return n, last, 3.0 in s
""")
case("(int64,)", (4,), (0,))("""def popped_defaults(n):
    d = {i: i for i in range(n)}
    half = d.pop(100, 0.5)
    whole = d.pop(1, 0.25)
    none = d.pop(200, None)
    some = d.pop(2, None)
    return half, whole, none is None, some is None, d.get(3, 0.125), len(d)
""")
case("(int64,)", (4,), (2,))("""def halves(n):
    d = {0: 1}
    for i in range(n):
        d[0] += 0.5
    return d
""")
case("(int64[:],)", (WHOLE,), (WHOLE[:0],))("""def if_else(a):
    d = {}
    for x in a:
        d[x] = d[x] + 1 if x in d else 1
    return d
""")
case("(int64[:], int64[:])", (WHOLE[:90], WHOLE[60:]), (WHOLE[:0], WHOLE), (WHOLE, WHOLE[:0]))("""def becomes(a, b):
    s, t = set(a), set(b)
    other = s
    s &= t
    u = set(a)
    u ^= t
    v = set(a)
    v -= v
    t |= t
    return sorted(s), sorted(other), sorted(u), len(v), sorted(t)
""")
case("(int64,)", (0,), (5,), (300,))("""def cleared(n):
    d = {}
    for again in range(3):
        for i in range(n):
            d[i * 7] = again
        if again < 2:
            d.clear()
    return d
""")
case("(float64[:], int64)", (FLOATS, 3), (FLOATS[::2], 4))("""def in_dicts(a, n):
    d = {0: {}}
    for i in range(n):
        d[0][i] = (np.full(3, i * 1.0), 1)
        d[0][i + 10] = (a, 2)
    total = 0.0
    for k, v in d[0].items():
        total = total * 0.5 + v[0][0] + v[1] + k
    return total, len(d[0])
""")
case("(int64,)", (4,), (9,))("""def emptied_values(n):
    d = {}
    for i in range(n):
        d[i] = np.full(i + 1, i)
    out = []
    for v in d.values():
        d[n - 1] = v
        out.append(v.sum())
    for i in range(n - 1):
        row = d.pop(i)
        d[i] = row + 1
        out.append(row.size)
    return out, [v.sum() for v in d.values()]
""")

# What changes under a loop, by another name or in its last turn.
case("(int64, int64)", *[(n, how) for n in (1, 2, 3, 60) for how in range(7)])("""def changes_under_a_loop(n, how):
    d = {i: i for i in range(n)}
    s = set(range(n))
    a = [i for i in range(n)]
    dicts, sets, lists = [d, d], [s, s], [a, a]
    total = 0
    if how == 0:
        for k in d:
            total += k
            dicts[0].pop(k)
    elif how == 1:
        for k in s:
            total += k
            sets[1].clear()
    elif how == 2:
        for k in a:
            total += k + 1
            lists[0].clear()
    elif how == 3:
        for k in d:
            if k == n - 1:
                d[k + 1] = 1
    elif how == 4:
        for k in s:
            if k == n - 1:
                s.discard(0)
    elif how == 5:
        for k in d:
            if k == n - 1:
                d[-1] = 0
                break
        else:
            total += 1000
    else:
        for k, v in zip(d, a):
            total += k * v
        else:
            total += 7
    return total, len(d), len(s), len(a)
""")
case("(int64,)", (3,), (8,), (40,))("""def updates_itself(n):
    d = {}
    for i in range(n):
        d[i] = i + 1
    d.update(enumerate(d.values()))
    d.update(zip(list(d.keys()), list(d.values())))
    e = {i: 2 * i for i in range(n)}
    e.update(e)
    return d, e
""")
case("(int64,)", (0,), (5,), (50,))("""def numbers_things(n):
    d, s, a = {}, set(), []
    for i in range(n):
        if i * i % 7 not in d:
            d[i * i % 7] = len(d)
        s.add(len(s))
        a.append(len(a))
    return d, sorted(s), a
""")
case("(int64,)", (1,), (4,))("""def taken_out_meanwhile(n):
    d = {i: [i] for i in range(n)}
    e = {i: np.full(2, i * 1.0) for i in range(n)}
    f = {i: {i} for i in range(n)}
    d[n - 1] += [helper_clears(d), 3]
    e[n - 1] += helper_clears_arrays(e)
    f[n - 1] |= {helper_clears_sets(f)}
    return d, [(k, v.tolist()) if False else (k, v.sum()) for k, v in e.items()], f
""".replace("(k, v.tolist()) if False else ", ""))
MADE.add('''
@njit
def helper_clears(d):
    d.clear()
    return 2

@njit
def helper_clears_arrays(d):
    d.clear()
    return 2.0

@njit
def helper_clears_sets(d):
    d.clear()
    return 2
''')
case("(int64[:], int64[:])", (WHOLE[:90], WHOLE[60:]), (WHOLE[:0], WHOLE), (WHOLE, WHOLE[:0]))("""def takes_and_flips(a, b):
    s, t = set(a), set(b)
    u = set(a)
    u ^= t
    s -= t
    w = set(b)
    w.difference_update(a)
    x = set(a)
    x.symmetric_difference_update(x)
    return sorted(s), sorted(u), sorted(w), len(x), sorted(set(a) & set(b)), set(a).isdisjoint(s), s.isdisjoint(t)
""")
case("(int64, int64)", (3, 1), (3, 9))("""def maybe_a_dict(n, k):
    d = {i: {i: 2 * i} for i in range(n)}
    e = d.get(k)
    total = 0
    if e is not None:
        for q in e:
            total += q + e[q]
    return total
""")

case("(int64[:], int64)", (WHOLE, 5), (WHOLE[:0], 0), (WHOLE, -30))("""def asked_before_it_holds_anything(a, most):
    \"\"\"In conditions of several parts, which know no type at first.\"\"\"
    seen, late, both, turns = set(), {}, [], 0
    for x in a:
        if x in seen or x > most:
            continue
        if x < most and x in late:
            turns += 1
        elif not (x in late and len(both) > 2) and not x in seen:
            turns += 2
        while turns < 10 and (x in seen or turns < x):
            turns += 3
        seen.add(x)
        if len(both) == 0 or x < both[-1]:
            both.append(x)
        late[x] = late[x] + 1 if x in late and late[x] > 0 else 1
    return sorted(seen), late, both, turns
""")


def outcome(function, arguments):
    try:
        result = function(*arguments)
    except Exception as error:
        return type(error).__name__
    return plain(result)


def plain(x):
    """As CPython has it: lists of numbers; types of numbers do not count, order in dicts does."""
    if isinstance(x, (np.ndarray, list)):
        return [plain(item) for item in x]
    if isinstance(x, tuple):
        return tuple(plain(item) for item in x)
    if isinstance(x, dict):
        return [(plain(k), plain(v)) for k, v in x.items()]
    return x


@pytest.mark.parametrize("name", CASES)
def test_tables_are_cpythons(name):
    for arguments in CASES[name]:
        assert outcome(getattr(MADE, name), arguments) == outcome(getattr(MADE.plain, name), arguments), arguments


def test_types_at_the_boundary():
    d = MADE.counts(WHOLE)
    assert type(d) is dict and all(type(k) is int and type(v) is int for k, v in d.items())
    assert {type(x) for x in MADE.algebra(WHOLE[:3], WHOLE[:3])[0]} == {int}
    assert type(MADE.of_arrays(FLOATS)[0][0]) is np.ndarray


TYPED = Batch("typed_tables")
TYPED.add('''
from numba import types
from numba.typed import Dict

@njit("float64(int64[:], float64[:])")
def sums(a, b):
    d = Dict.empty(key_type=types.int64, value_type=types.float64)
    for i in range(a.size):
        d[a[i]] = d.get(a[i], 0.0) + b[i]
    total = 0.0
    for k in d:
        total += k * d[k]
    return total

@njit("int64(int64)")
def untyped(n):
    d = Dict()
    for i in range(n):
        d[i % 3] = i
    return len(d) * 100 + d[1]

@njit("int64(int64)")
def no_number(n):
    s = set()
    for i in range(n):
        s.add(np.nan)
    return len(s)

@njit("int64[:](int64[:], int64[:])", parallel=True)
def mapped(keys, a):
    d = {}
    for i in range(keys.size):
        d[keys[i]] = i
    out = np.empty(a.size, np.int64)
    for i in prange(a.size):
        out[i] = d.get(a[i], -1)
    return out

float_array = types.float64[:]
pair = types.UniTuple(types.int32, 2)
inner = types.DictType(types.int64, types.float32)

@njit("Tuple((float64, int64, float64))(float64[:])")
def declared(a):
    rows = Dict.empty(key_type=types.int64, value_type=float_array)
    rows[1] = a
    rows[2] = np.ones(3)
    at = Dict.empty(pair, types.int64)
    at[(np.int32(1), np.int32(2))] = 5
    whole = Dict.empty(types.int64, inner)
    whole[3] = Dict.empty(types.int64, types.float32)
    whole[3][4] = 0.1
    lists = numba.typed.List.empty_list(types.float64[:])
    lists.append(a)
    return rows[1].sum() + rows[2].sum() + lists[0][0], at[(1, 2)], whole[3][4]

@njit("int64(int64, float64)")
def narrow(k, v):
    d = Dict.empty(types.int32, types.float32)
    d[k] = v
    s = Dict.empty(types.uint8, types.int64)
    s[5] = 1
    return len(d) * 100 + len(s) * 10 + (1 if k in d else 0) + (2 if v in d else 0)

@njit("int64(int64)")
def changes(n):
    d = {1: 1, 2: 2, 3: 3}
    total = 0
    for k in d:
        total += k
        if k == n:
            d.pop(3)
            d[4] = 4
        if k == n + 10:
            d.clear()
    return total

@njit("int64(int64)")
def overtakes(m):
    d = {-1 - i: i for i in range(m)}
    for i in range(m - 2):
        d[i] = i
    d[1000] = 3
    d[1001] = 4
    for i in range(m):
        del d[-1 - i]
    d.update(enumerate(d.values()))
    return len(d)

@njit("int64(float64)", fastmath=True)
def zeros(z):
    d = {0.0: 1}
    d[-z] = 5
    d[z - 0.0] = 7
    return len(d) * 10 + (1 if -0.0 in d else 0)

@njit("Set(int64)(int64[:])")
def as_set(a):
    return set(a)

@njit("DictType(int64, float64)(int64)")
def as_dict(n):
    return {i: 0.5 for i in range(n)}
''')


def test_typed_dicts():
    a = np.random.default_rng(1).integers(0, 30, 500)
    b = np.random.default_rng(2).random(500)
    assert math.isclose(TYPED.sums(a, b), float((a * b).sum()), rel_tol=1e-12)
    assert TYPED.untyped(10) == 307 and TYPED.no_number(5) == 5, "no NaN equals another one"
    assert TYPED.declared(np.arange(3.0)) == (6.0, 5, float(np.float32(0.1)))
    assert TYPED.narrow(7, 0.1) == 111 and TYPED.narrow(-2**31, -2.0**31) == 113
    with pytest.raises(OverflowError, match="out of bounds for int32"):
        TYPED.narrow(2**31, 0.0)
    assert TYPED.as_set(a) == set(a.tolist()) and TYPED.as_dict(3) == {0: 0.5, 1: 0.5, 2: 0.5}


def test_loops_end_where_keys_change():
    assert TYPED.changes(5) == 6 and TYPED.changes(1) == 7, "3 is gone and 4 is there, at another place"
    for call in (lambda: TYPED.changes(-9), lambda: TYPED.changes(-7), lambda: TYPED.overtakes(8), lambda: TYPED.overtakes(60)):
        with pytest.raises(RuntimeError, match="during iteration"):
            call()


def test_zeros_are_one_key_under_fastmath():
    assert TYPED.zeros(0.0) == 11


def test_threads_look_things_up():
    keys, a = np.arange(0, 3000, 3), np.arange(100000) % 4000
    expected = np.where((a % 3 == 0) & (a < 3000), a // 3, -1)
    assert np.array_equal(TYPED.mapped(keys, a), expected)


@pytest.mark.parametrize("signature, body, code", [
    ("int64(int64)", "d = {}\n    return len(d)", "PK3061"), ("int64(int64)", "s = {1j}\n    return len(s)", "PK5001"),
    ("int64(int64)", "d = {x: 1}\n    d[x] = 2.5\n    d[1.5] = 1\n    return d[1j]", "PK5001"), ("int64(int64)", "s = {x}\n    return s[0]", "PK3"),
    ("int64(int64)", "return x in {'a': 1}", "PK5001"), ("int64(int64)", "s = {1}\n    s.append(2)\n    return 0", "PK3032"),
    ("int64(int64)", "d = {**{1: 2}}\n    return 0", "PK5001"),
    ("int64(int64)", "d = {1: 2}\n    for i in prange(x):\n        d[i] = 1\n    return len(d)", "PK5111"),
    ("int64(int64)", "s = {1}\n    for i in prange(x):\n        s.add(i)\n    return len(s)", "PK5111")])
def test_refused(tmp_path, signature, body, code):
    (tmp_path / "k.py").write_text(f'from numba import njit, prange\nfrom numba.types import DictType, int64\n\n'
                                   f'@njit("{signature}", parallel=True)\ndef f(x):\n    {body}\n')
    done = run_pyk2cu("k.py", "-o", "out", cwd=tmp_path)
    assert done.returncode == 1 and f"error[{code}" in done.stderr, done.stderr
