"""Lists, sets and dicts as arguments beside CPython: what functions see, what they change, what is refused, what is freed."""
import gc
import resource
import sys
import threading
from collections import OrderedDict, defaultdict

import numpy as np
import pytest
from conftest import Batch, run_pyk2cu

MADE = Batch("containers")
CASES = {}  # name: functions that make arguments


def case(signature, *arguments):
    def add(text):
        name = text.split("def ", 1)[1].split("(", 1)[0]
        MADE.add(f'@njit("{signature}")\n{text}')
        CASES[name] = arguments
    return add


case("int64(List(int64))", lambda: ([1, 2, 3],), lambda: ([],), lambda: ([True, np.int32(4), np.int64(-1), 2**62],))("""def total(a):
    s = 0
    for x in a:
        s += x
    return s
""")
case("(List(float64),)", lambda: ([1.5, 2, np.float32(0.5), np.inf],), lambda: ([],))("""def floats(a):
    return len(a), [2 * x for x in a], a[-1] if len(a) > 0 else 0.0
""")
case("void(List(int64), int64)", lambda: ([5, 6], 7), lambda: ([], 1))("""def pushes(a, x):
    a.append(x)
    a[0] += 1
    a.insert(0, -x)
""")
case("int64(List(int64))", lambda: ([3, 1, 2],), lambda: ([9],))("""def raises_half_way(a):
    a.sort()
    a.append(0)
    if a[0] == 1:
        raise ValueError("half-way")
    return a.pop()
""")
case("(List(float64[:]),)", lambda: ([np.arange(3.0), np.ones(8)[::2], np.zeros(0)],), lambda: ([],), lambda: ([np.arange(4, dtype="i4")],))("""def ragged(rows):
    s = 0.0
    for r in rows:
        for x in r:
            s += x
    return s, [r.size for r in rows]
""")
case("(List(float64[:]), int64)", lambda: ([np.arange(3.0), np.ones(8)[::2]], 1), lambda: ([np.ones((4, 2))[:, 1]], 0))("""def written_rows(rows, i):
    rows[i][1:] = 99.0
    rows.reverse()
    return len(rows)
""")
case("(DictType(int64, float64), Set(int64))", lambda: ({1: 0.5, 2: 1, True: 3.0}, {1, 2, 3}), lambda: ({}, set()))("""def both(d, s):
    n = 0
    for k in d:
        if k in s:
            n += 1
    d[100] = 1.5
    s.discard(1)
    s.add(-4)
    if 2 in d:
        del d[2]
    return n
""")
case("int64(List(int64), List(int64))", lambda: ([1, 2], [3]), lambda: (shared := [1, 2],) * 2)("""def two(a, b):
    a.append(len(b))
    b.append(len(a))
    return len(a) * 10 + len(b)
""")
case("int64(Set(int64), Set(int64))", lambda: ({1, 2}, {2, 3}), lambda: (same := {1, 2},) * 2, lambda: ({1}, frozenset([1, 5])))("""def meets(s, t):
    s &= t
    return len(s) * 100 + len(t)
""")
case("(List(List(int64)), List(Tuple((int64, float64))))", lambda: ([[1, 2], [], [3]], [(1, 0.5), (2, 2)]), lambda: ([], []))("""def nested(a, pairs):
    out = []
    for r in a:
        out.extend(r)
    s = 0.0
    for i, x in pairs:
        s += i * x
    return out, s
""")
case("(DictType(UniTuple(int64, 2), List(float64)),)", lambda: ({(1, 2): [0.5], (3, 4): []},), lambda: ({},))("""def deep(d):
    n = 0
    for (i, j), values in d.items():
        n += i * j + len(values)
    return n, (1, 2) in d
""")
case("(Tuple((List(int64), float64)), Optional(List(int64)))", lambda: (([1, 2], 0.5), None), lambda: (([], 1.5), [4]))("""def inside(t, more):
    n = 0
    for x in t[0]:
        n += x
    if more is not None:
        n += len(more)
    return n * t[1]
""")
case("(List(uint8), List(boolean), List(complex128), List(float32))", lambda: ([0, 255], [True, False], [1, 1j, 2.5], [0.25, 1]))("""def kinds(a, b, c, d):
    s = 0j
    for z in c:
        s += z
    return a[1], b[0], b[1], s, len(d), d[0] > 0.1
""")
case("(DictType(int64, float64[:]),)", lambda: ({1: np.arange(3.0), 2: np.ones(2)},))("""def arrays_in_a_dict(d):
    d[1][0] = 7.0
    return d[2].sum()
""")
case("List(int64)(List(int64))", lambda: ([1, 2],))("""def same(a):
    a.append(3)
    return a
""")
case("int64(List(int64), List(float64))", lambda: ([], []), lambda: ([1], [2.0]))("""def rebound(a, b):
    if len(a) == 0:
        a = [7, 8]
    a.append(1)
    b += [0.5]
    return len(a)
""")
case("void(List(int64))", lambda: ([3, 1, 2],))("""def through_a_helper(a):
    helper_appends(a)
    helper_appends(a)
""")
MADE.add('''
@njit
def helper_appends(a):
    a.append(len(a))
    a.sort()
''')
MADE.add('''
@njit("int64(List(int64))")
def signed(a):
    return a[0]

@njit(["int64(List(int64))", "float64(List(float64))", "int64(int64[:])"])
def several(a):
    return a[0] + len(a)

@njit("float64[:](List(float64[:]), int64)")
def pick(rows, i):
    rows[i][0] = 99.0
    return rows[i]

@njit("int64(List(int64), List(int64), float32)")
def shared(a, b, w):
    a.append(int(w))
    return len(b)

@njit("(List(float64[:]),)")
def popped(a):
    return a.pop()

@njit("(List(float64[:]),)")
def cleared(a):
    x = a[0]
    a.clear()
    return x

@njit("(List(float64[:]),)")
def popped_part(a):
    return a.pop()[1:]

@njit("(DictType(int64, float64[:]),)")
def from_dict(d):
    x = d[1]
    d.clear()
    return x

@njit("(List(List(float64[:])), int64)")
def deep_row(rows, i):
    return rows[i][i]

@njit("void(List(float32))")
def narrow(a):
    a.append(2.5)

@njit("List(int64)(DictType(int64, float64))")
def keys_of(d):
    return list(d)

@njit("void(DictType(int64, int64), int64)")
def adds_again(d, k):
    v = d.pop(k)
    d[k] = v

@njit("void(DictType(int64, int64), int64)")
def bumps(d, k):
    d[k] += 1

@njit("float64[:](List(float64[:]), int64)")
def part(rows, i):
    return rows[i][1:]

@njit("float64(float64[:], List(int64))", parallel=True)
def gathers(a, at):
    s = 0.0
    for i in prange(len(at)):
        s += a[at[i]]
    return s

@njit("int64(List(int64), int64)", nogil=True)
def waits(a, n):
    s = 0
    for k in range(n):
        for x in a:
            s = (s * 31 + x) % 1000003
    return s
''')


def plain(x):
    if isinstance(x, (list, tuple)):
        return type(x)(plain(i) for i in x)
    if isinstance(x, dict):
        return {plain(k): plain(v) for k, v in x.items()}
    return (x.dtype.str, x.tolist()) if isinstance(x, np.ndarray) else x


def outcome(function, arguments):
    try:
        made = function(*arguments)
    except ValueError as error:
        made = repr(error)
    return plain(made), plain(arguments)


@pytest.mark.parametrize("name", CASES)
def test_functions_take_and_change_them_as_cpython(name):
    for make in CASES[name]:
        assert outcome(getattr(MADE, name), make()) == outcome(getattr(MADE.plain, name), make())


def test_arrays_stay_the_objects_that_they_were():
    rows = [np.arange(3.0), np.ones(8)[::2]]
    first, second = rows
    assert MADE.pick(rows, 1) is second and second[0] == 99.0 and rows[0] is first and rows[1] is second
    shown = MADE.part(rows, 0)
    assert np.shares_memory(shown, first) and shown.tolist() == [1.0, 2.0]
    del rows, first
    gc.collect()
    assert shown.tolist() == [1.0, 2.0], "the view keeps the array"


def test_changes_come_back_whatever_is_converted():
    for arguments in (([1], np.int32(3)), ([1], True), ([np.longlong(1)], 3), ([np.int16(1)], 3), ([True], np.int8(3))):
        MADE.pushes(*arguments)
        assert arguments[0] == [-3 if arguments[1] is not True else -1, 2, arguments[1]], arguments
    o = [5]
    assert MADE.shared(o, o, np.float64(1)) == 2 and MADE.shared(o, o, 1) == 3 and o == [5, 1, 1]
    with pytest.raises(TypeError, match="2.5|float"):
        MADE.pushes([2.5], 1)


def test_arrays_taken_out_live_on():
    def made(*sizes):
        return [np.arange(float(n)) for n in sizes]
    for function, container in (("popped", made(100000)), ("cleared", made(100000)), ("popped_part", made(100000)), ("from_dict", {1: np.arange(100000.0)})):
        got = getattr(MADE, function)(container)
        more = [np.full(100000, 7.0) for _ in range(4)]
        assert got.size >= 99999 and got[-1] == 99999.0 and len(container) == 0 and got.base is not None or got.flags.owndata, function
        del more
    keep = np.arange(4.0)
    assert MADE.popped([keep]) is keep
    rows = [made(3), made(4, 5)]
    assert MADE.deep_row(rows, 1) is rows[1][1]


def test_lists_that_come_back_are_the_same():
    a = [1, 2]
    assert MADE.same(a) is a and a == [1, 2, 3]
    item, small = 10**12, 0.1
    a, b = [item, 5], [small, 1]
    MADE.pushes(a, 1)
    MADE.narrow(b)
    assert a == [-1, item + 1, 5, 1] and b[0] is small and b[1:] == [1, 2.5]


def test_classes_of_their_own():
    d = OrderedDict([(1, 1.0), (2, 2.0), (5, 1.0)])
    MADE.both(d, {1})
    assert list(d.items()) == [(1, 1.0), (5, 1.0), (100, 1.5)] and d.popitem() == (100, 1.5) and list(d) == [1, 5]
    d.move_to_end(1)
    assert MADE.keys_of(d) == [5, 1], "in the order of its own"
    e = defaultdict(float, {1: 1.0})
    MADE.both(e, {1})
    assert e == {1: 1.0, 100: 1.5} and e[7] == 0.0

    class Own(set):
        pass
    s = Own([1, 2])
    MADE.both({}, s)
    assert s == {2, -4} and type(s) is Own


def test_a_loop_over_the_argument_goes_on():
    d = {i: 0 for i in range(8)}
    del d[0], d[1]
    seen = []
    for k in d:
        MADE.bumps(d, k)
        seen.append(k)
    assert seen == [2, 3, 4, 5, 6, 7] and set(d.values()) == {1}
    MADE.adds_again(d, 4)
    assert list(d) == [2, 3, 5, 6, 7, 4]


def test_signatures_are_told_apart():
    assert MADE.several([1]) == 2 and isinstance(MADE.several([1]), int) and MADE.several([0.5]) == 1.5 and MADE.several(np.array([4, 4])) == 6


def test_threads_read_them():
    at = np.random.default_rng(2).integers(0, 1000, 50000).tolist()
    a = np.random.default_rng(3).random(1000)
    np.testing.assert_allclose(MADE.gathers(a, at), a[at].sum(), rtol=1e-12)
    a = list(range(1000))
    results = []
    call = threading.Thread(target=lambda: results.append(MADE.waits(a, 2000)))
    expected = MADE.waits(list(a), 2000)
    call.start()
    a.clear()  # the call has what it began with, or nothing
    call.join()
    assert results[0] in (expected, 0)


def test_numbas_own_are_read():
    typed = pytest.importorskip("numba.typed", reason="Numba is not installed for this Python")
    assert MADE.total(typed.List([1, 2, 3])) == 6
    d = typed.Dict()
    d[(1, 2)] = typed.List([0.5])
    assert MADE.deep(d) == (3, True)
    with pytest.raises(TypeError, match="List given, but the function may change it, List\\(int64\\) expected"):
        MADE.pushes(typed.List([1]), 1)


REFUSED = [("total", ([1, "a"],), TypeError, "item 1: str given, int64 expected"), ("total", ((1, 2),), TypeError, "tuple given, List\\(int64\\) expected"),
           ("total", ([0.5],), TypeError, "item 0: float given"), ("total", ([0, 2**63],), OverflowError, "item 1: 9223372036854775808 is out of range"),
           ("total", (None,), TypeError, "None given"), ("total", (np.arange(3),), TypeError, "int64 array of rank 1 given, List\\(int64\\) expected"),
           ("both", ({1: "a"}, {1}), TypeError, "str given, float64 expected"), ("both", ({}, frozenset()), TypeError, "frozenset given, but the function may change it"),
           ("ragged", ([np.ones((2, 2))],), TypeError, "float64 array of rank 2 given"), ("written_rows", ([np.ones(2, "f4")], 0), TypeError, "another dtype"),
           ("nested", ([[1], [2, "x"]], []), TypeError, "item 1: item 1: str given"), ("deep", ({(1,): []},), TypeError, "tuple of 1 given"),
           ("several", ((1,),), TypeError, "no signature")]


@pytest.mark.parametrize("name, arguments, error, text", REFUSED)
def test_what_does_not_fit_is_refused_and_stays(name, arguments, error, text):
    before = plain(arguments)
    with pytest.raises(error, match=text):
        getattr(MADE, name)(*arguments)
    assert plain(arguments) == before


def test_nothing_leaks():
    item = object()
    rows = [np.ones(3), np.arange(4.0)]
    counts = sys.getrefcount(rows[0]), sys.getrefcount(rows), sys.getrefcount(item)

    def calls():
        for k in range(3000):
            MADE.pushes([1, 2, 3], k), MADE.ragged(rows), MADE.both({1: 1.0, 3: 2.0}, {1, 2}), MADE.nested([[1], [2, 3]], [(1, 2.0)])
            for name, arguments in (("raises_half_way", [[1, 1]]), ("total", [[item]]), ("total", [[np.int8(1)] * 50])):
                try:
                    getattr(MADE, name)(*arguments)
                except (ValueError, TypeError):
                    pass
    calls()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    calls()
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 4000, "kilobytes"
    assert (sys.getrefcount(rows[0]), sys.getrefcount(rows), sys.getrefcount(item)) == counts


@pytest.mark.parametrize("decorator, parameter, body, code", [
    ("njit", "List(List(int64))", "x[0].append(1)", "PK2014"), ("njit", "Tuple((List(int64), int64))", "x[0].append(1)", "PK2014"),
    ("njit", "DictType(int64, List(int64))", "x[0][0] = 1", "PK2014"), ("cuda.jit", "List(int64)", "x[0] = 1", "PK2014"),
    ("njit", "Set(float64[:])", "len(x)", "PK2014"), ("njit", "DictType(complex128, int64)", "len(x)", "PK2014"),
    ("njit", "List(unicode_type)", "x[0]", "PK2014"), ("vectorize", "List(int64)", "return x[0]", "PK2014"),
    ("njit", "List(float64[:])", "x.append(np.ones(3))", "PK5001")])
def test_refused_at_compile_time(tmp_path, decorator, parameter, body, code):
    (tmp_path / "k.py").write_text(f'import numpy as np\nfrom numba import cuda, njit, vectorize\n\n@{decorator}("void({parameter})")\ndef f(x):\n    {body}\n')
    done = run_pyk2cu("k.py", "-o", "out", cwd=tmp_path)
    assert done.returncode == 1 and f"error[{code}" in done.stderr, done.stderr


@pytest.mark.parametrize("parameter, code, help", [
    ("list(int64)", "PK2019", "write `List(int64)`"), ("List[int64]", "PK2013", "write `List(int64)`"), ("Dict(int64, int64)", "PK2011", "write `DictType(int64, float64)`"),
    ("set", "PK2019", "write `Set(int64)`"), ("Set(int64[:])", "PK2014", "keys are integers, floats, bools and tuples of them")])
def test_a_mistake_in_the_signature_says_how_to_write_it(tmp_path, parameter, code, help):
    (tmp_path / "k.py").write_text(f'from numba import njit\n\n@njit("int64({parameter})")\ndef f(x):\n    return len(x)\n')
    done = run_pyk2cu("k.py", "-o", "out", cwd=tmp_path)
    assert done.returncode == 1 and f"error[{code}" in done.stderr and f"help: {help}" in done.stderr, done.stderr
