"""Loops over generators beside CPython: what they yield, early ends on both sides, what they see of what the loop changes,
exceptions, generators in generators, in comprehensions, list(), sum() and enumerate(), arrays, and what is refused."""
import numpy as np
import pytest
from conftest import PROLOGUE, Batch, outcome_of, run_pyk2cu

MADE = Batch("generators")
CASES = {}  # name: arguments of calls
MADE.add('''
@njit
def count(n):
    i = 0
    while i < n:
        yield i
        i += 1

@njit
def pairs(n):
    for i in range(n):
        for j in range(i):
            yield i, j

@njit
def primes(n):
    yield 2
    for k in range(3, n, 2):
        for d in range(3, k, 2):
            if d * d > k:
                yield k
                break
            if k % d == 0:
                break
        else:
            yield k

@njit
def windows(a, w):
    if w <= 0:
        return
    for i in range(a.size - w + 1):
        yield a[i:i + w]

@njit
def mixed(n):
    yield 1
    for i in range(n):
        if i % 2:
            yield i * 0.5
        elif i == 6:
            return
        else:
            yield True
    yield n

@njit
def nested(n):
    for p in primes(n):
        if p == 7:
            continue
        for i, j in pairs(p):
            if (i + j) % 2:
                continue
            yield p * i + j
        if p > 15:
            return

@njit
def chain(a, n):
    yield from a
    yield from range(n)
    yield from count(n)

@njit
def fails(n):
    for i in range(n):
        if i == 3:
            raise ValueError("three", i)
        yield 10 // (5 - i)

@njit
def scaled(a, by=2.0, dtype=np.float32):
    b = np.zeros(a.size, dtype)
    for i in range(a.size):
        b[i] = a[i] * by
        yield b[i]
    yield b.sum()

@njit
def drains(a):
    while a.size > 0 and a[0] < 100:
        yield a[0]
    yield -1
''')


def case(signature, *arguments):
    def add(text):
        name = text.split("def ", 1)[1].split("(", 1)[0]
        MADE.add(f'@njit("{signature}")\n{text}')
        CASES[name] = arguments
    return add


N = [(n,) for n in (0, 1, 2, 3, 10, 60)]
case("int64(int64)", *N)("""def skips_and_breaks(n):
    s = 0
    for x in count(n):
        if x % 3 == 0:
            continue
        if x > 40:
            break
        s += x
    return s
""")
case("float64(int64)", *N)("""def returns_from_inside(n):
    s = 0.0
    for i, j in pairs(n):
        if j == 2:
            continue
        s += i * j
        if s > 1000:
            return -s
    return s
""")
case("int64(int64)", *N)("""def counted_with_else(n):
    s = 0
    for k, p in enumerate(primes(n), 5):
        if p % 5 == 1:
            continue
        if p > 50:
            break
        s += k * p
    else:
        s = -s
    return s
""")
case("(float64[:], int64)", *[(a, w) for a in (np.arange(10.0), np.arange(9.0)[::-2], np.zeros(0), np.array([3.0])) for w in (-1, 0, 1, 3)])(
    """def best_window(a, w):
    best, at, k = -1e300, -1, 0
    for x in windows(a, w):
        if x.sum() > best:
            best, at = x.sum(), k
        k += 1
    return best, at
""")
case("float64(int64)", *N)("""def unified(n):
    s = 0.25
    for x in mixed(n):
        s = s * 1.5 + x
    return s
""")
case("int64(int64)", *N)("""def in_generators(n):
    s = 0
    for v in nested(n):
        s = (s * 31 + v) % 1000003
    return s
""")
case("(int64,)", *N)("""def in_comprehensions(n):
    a = [p * 2 for p in primes(n) if p != 5]
    b = [x + y for x in count(4) for y in count(x)]
    return a, b, list(count(n)), {x % 3 for x in count(n)}, {x: x * x for x in count(n)}
""")
case("(int64,)", *N)("""def in_builtins(n):
    return sum(primes(n)), max(primes(n)), min(primes(n)), sum(count(n), 100), sorted(primes(n), reverse=True), len(list(count(n)))
""")
case("int64(float64[:], int64)", (np.arange(3.0), 4), (np.zeros(0), 0), (np.arange(8.0)[::-3], 2))("""def from_others(a, n):
    s = 1
    for x in chain(a, n):
        s = (s * 7 + int(x)) % 1000003
    return s
""")
case("int64(int64)", (0,), (3,), (4,), (9,))("""def raises(n):
    s = 0
    for x in fails(n):
        s += x
    return s
""")
case("int64(int64)", *N)("""def changes_what_it_gave(n):
    s = 0
    for x in count(n):
        n = 2
        s += x
        x = 100
    return s * 1000 + n
""")
case("float64(float64[:])", (np.arange(5.0),), (np.zeros(0),), (np.array([200.0, 1.0]),), (np.arange(8.0)[::-2],))("""def sees_stores(a):
    s = 0.0
    for x in drains(a):
        s += x
        if a.size > 0:
            a[0] += 30.0
    return s
""")
case("float64(float64[:])", (np.arange(5.0),), (np.zeros(0),), (np.arange(8.0)[::-2],))("""def owns_arrays(a):
    s = 0.0
    for x in scaled(a):
        for y in scaled(a + x, by=0.5, dtype=np.float64):
            s += x * y
    return s
""")
case("int64(int64)", *N)("""def in_a_variable(n):
    s = 0
    for k in range(3):
        g = count(n + k)
        n += 1
        for x in g:
            s += x
    return s
""")
case("int64(int64)", *N)("""def in_nested_functions(n):
    m = n * 2
    def evens(k):
        for i in range(k):
            if i % 2 == 0:
                yield i + m
    s = 0
    for x in evens(n):
        s += x
    m = 7
    for x in evens(3):
        s += x
    return s
""")
case("int64(int64)", *N)("""def last_values(n):
    x = -5
    i = 100
    for x in count(n):
        i += 1
    return x * 1000 + i
""")
case("int64(int64)", *N)("""def loops_in_bodies(n):
    s = 0
    for p in primes(n):
        for q in primes(p):
            for k in range(q):
                if k == 3:
                    break
                s += k
            else:
                continue
            if q > 11:
                break
        while s % 7:
            s += 1
    return s
""")
case("(int64[:],)", (np.arange(6),), (np.zeros(0, int),))("""def unpacked_places(a):
    b = np.zeros(3)
    for b[0], a[-1] in pairs(a.size):
        b[1] += b[0]
        b[2] += a[-1]
    return b
""")
case("(int64,)", *N)("""def grow_what_they_go_over(n):
    a = [1, 2, 3]
    got = [0]
    for x in each_of(a):
        got.append(x)
        if x < n and len(a) < 20:
            a.append(x + 2)
    return got, a
""")
case("int64(int64)", (0,), (1,), (2,), (9,))("""def a_dict_that_grows(n):
    d = {1: 2, 3: 4}
    s = 0
    for k in each_of(d):
        s += k
        d[n] = 7
    return s
""")
case("int64(int64)", *N)("""def at_several_yields(n):
    s = 0
    for x in often(n):
        for k in range(x):
            for j in range(3):
                if j == k:
                    continue
                if j > x:
                    break
                s = (s * 3 + j) % 10007
            else:
                s += 1
        y = s
        if y % 5 == 0:
            continue
        s += y
    return s
""")
case("(int64[:], int64)", (np.arange(5), 3), (np.arange(9)[::-2], 2), (np.zeros(0, int), 1))("""def reassigns_the_array(a, k):
    s = 0
    for x in windows(a, k):
        a = np.arange(k) + x[0]
        x = a
        s += x.sum()
    return s, a
""")
case("int64(int64)", *N)("""def ways_out_of_two_loops(n):
    s = 0
    for x in deep(n):
        for k in range(n):
            if k * x > 12:
                break
            s = (s * 7 + k + x) % 100003
    for x in deep(n):
        if x == 5:
            break
        s += x
    return s
""")
MADE.add('''
@njit
def deep(n):
    yield n
    for i in range(n):
        for j in range(i):
            if i * j > 30:
                return
            for k in range(j):
                if k == 2:
                    return
                if i + k > 7:
                    break
                yield k + i
        yield j

@njit
def each_of(a):
    for x in a:
        yield x

@njit
def often(n):
    yield 1
    for i in range(n):
        if i % 2:
            yield i
            continue
        yield i // 2
        if i > 7:
            break
    else:
        yield 4
        return
    yield 5

@njit("float64(float64[:], int64)", parallel=True)
def in_prange(a, w):
    s = 0.0
    for i in prange(a.size):
        t = 0.0
        for j in count(w):
            if j == i:
                continue
            t += a[i] * j
        s += t
    return s
''')


@pytest.mark.parametrize("name", CASES)
def test_as_in_cpython(name):
    for arguments in CASES[name]:
        ours, theirs = (outcome_of(getattr(made, name), arguments) for made in (MADE, MADE.plain))
        if isinstance(theirs, Exception):
            assert type(ours) is type(theirs) and ours.args == theirs.args, (name, arguments, ours, theirs)
        else:
            np.testing.assert_equal(ours, theirs, f"{name}{arguments}")


def test_in_prange():
    a = np.arange(200.0)
    assert MADE.in_prange(a, 7) == MADE.plain.in_prange(a, 7)


def test_the_traceback_says_which_generator_it_is():
    import traceback
    with pytest.raises(ValueError) as raised:
        MADE.raises(5)
    names = [frame.name for frame in traceback.extract_tb(raised.tb)]
    assert names[-1] == "fails"


@pytest.mark.parametrize("body, code, says", [
    ("    for x in never(n): n += x\n    return n", "PK5001", "a generator that never yields"),
    ("    return next(count(n))", "PK", ""),
    ("    g = count(n)\n    for x in g: n += x\n    for x in g: n += x\n    return n", "PK5001", "a second loop over one generator"),
    ("    g = count(n)\n    return sum(g)", "PK5001", "a generator in a variable"),
    ("    g = count(n)\n    for k in range(2):\n        for x in g: n += x\n    return n", "PK5001", "a second loop over one generator"),
    ("    for x, y in zip(count(n), range(n)): n += x\n    return n", "PK5001", "a generator in `zip`"),
    ("    c = 1\n    def g(k):\n        for i in range(k):\n            yield i + c\n    for x in g(n):\n        c += x\n    return c", "PK5001", "a loop that changes `c`"),
    ("    for x in reversed(count(n)): n += x\n    return n", "PK3046", "no reverse order"),
    ("    return helper(count(n))", "PK5001", "a generator as an argument"),
    ("    return count(n)", "PK3021", "the generator"),
    ("    for x in valued(n): n += x\n    return n", "PK5001", "`return` of a value in a generator"),
    ("    for x in empty(n): n += 1\n    return n", "PK5001", "`yield` without a value"),
    ("    for x in both(n): n += 1\n    return n", "PK3049", "on one path"),
    ("    for x in itself(n): n += x\n    return n", "PK", ""),
])
def test_refused(tmp_path, body, code, says):
    source = PROLOGUE + '''
@njit
def count(n):
    for i in range(n):
        yield i

@njit
def never(n):
    if False:
        yield n

@njit
def valued(n):
    yield n
    return n

@njit
def empty(n):
    yield

@njit
def both(n):
    yield n
    yield (n, n)

@njit
def itself(n):
    yield n
    if n > 0:
        for x in itself(n - 1):
            yield x

@njit
def helper(g):
    s = 0
    for x in g:
        s += x
    return s

@njit("int64(int64)")
def f(n):
'''
    (tmp_path / "k.py").write_text(source + body + "\n")
    done = run_pyk2cu("k.py", "-o", "out", cwd=tmp_path)
    assert done.returncode == 1 and f"error[{code}" in done.stderr and says in done.stderr, done.stderr


def test_bodies_are_not_copied_without_end(tmp_path):
    source = PROLOGUE + "@njit\ndef g0(n):\n    yield n\n    yield n + 1\n"
    for k in range(1, 16):
        source += f"@njit\ndef g{k}(n):\n    for x in g{k - 1}(n): yield x\n    for x in g{k - 1}(n + 1): yield x\n"
    source += '@njit("int64(int64)")\ndef f(n):\n    s = 0\n    for x in g15(n): s += x\n    return s\n'
    (tmp_path / "k.py").write_text(source)
    done = run_pyk2cu("k.py", "-o", "out", cwd=tmp_path, timeout=60)
    assert done.returncode == 1 and "error[PK5001]" in done.stderr and "would stand" in done.stderr, done.stderr
