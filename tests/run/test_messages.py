"""Texts of exceptions that are made at run time: f-strings, `%`, `.format`, str(); compared with CPython."""
import numpy as np
import pytest
from conftest import Batch, outcome_of, run_pyk2cu

MESSAGES = [  # expressions of n: int64, x: float64, b: bool, a: 2-d array
    'f"bad {n}"', 'f"{n} of {x}, {b}"', 'f"{{{n}}} {{}} }}{{"', 'f"{n!r:>6}|{n:<5d}|{x:.3f}|{x:e}|{n:#x}|{n:,}"', 'f"{x:{n}.{n}f}|{n + 1}"',
    'f"{a.shape} {a.shape[0]} {a.ndim}"', 'f"{(n,)} {(n, x, b)} {()}"', 'f"{LIMIT} {NAME} {NAME!r} {NAME:>8}"', 'f"{n=} {x=:.2f}"',
    'f"only text"', 'f"{n}" "and {more}"', '"bad " + str(n)', 'NAME + ": " + str(x) + f" {n}" + "!"', 'str(n)', 'repr(x)', 'str(NAME)', 'str(b)',
    '"bad %d" % n', '"%d %i %5d|%-5d|%05d|%+d" % (n, n, n, n, n, n)', '"%s %r %s" % (n, x, NAME)', '"%8s|%-8s|" % (NAME, n)',
    '"%.3f %g %e %8.2f|%-8.1f|" % (x, x, x, x, x)', '"%x %o %X 100%%" % (n, n, n)', '"%d %d" % (n, b)', '"100%% {} of %s" % NAME', '"%f" % n',
    '"bad {} of {}".format(n, x)', '"{0} {1:.2f} {{}}".format(n, x)', '"{:>5}|{:<5d}|{m!r}".format(n, n, m=x)', '"{} {k}".format(NAME, k=a.shape)',
    '"none".format()', 'f"{None} {n}"', 'f"ä{n}ö€"', '"%s" % a.shape[1]', 'f"{a[0, 1]} {np.sqrt(x):.4f} {len(a)} {n // 2 * 3}"',
    '"a" "b %d" % n', 'f"{str(n)} {x!s}"', 'f"{n:d}", n, x', 'n, f"{n}", f"{x}", "plain"', '"x" + NAME', 'f"{n}{x}{b}{n}{x}{b}{n}{x} {LIMIT}", "a", "b"', 'f"{u} {small}"',
]

batch = Batch("messages")
batch.add('LIMIT = 7\nNAME = "some {name}"\nPAIR = (1.5, -2)')
batch.add("\n\n".join(f'''@njit("int64(int64, float64, boolean, float64[:, :], uint64, int8)")
def f{k}(n, x, b, a, u, small):
    if n > -100:
        raise ValueError({text})
    return n
''' for k, text in enumerate(MESSAGES)))
batch.add('''
@njit("int64(int64)")
def asserted(n):
    assert n > 0, f"{n} is not positive"
    return n


@njit("float64(float64[:])", parallel=True)
def first_negative(a):
    total = 0.0
    for i in prange(a.size):
        if a[i] < 0:
            raise ValueError(f"a[{i}] is {a[i]:.2f}")
        total += a[i]
    return total


@njit
def helper(a, i):
    i += 1
    a[0] += 1
    return a[0]


@njit("float64(float64[:], int64)")
def in_order(a, i):
    raise ValueError(f"{a[0]} {helper(a, i)} {a[0]}", "%s %s" % (helper(a, i), a[0]), a[0])


@njit("int64(int64[:], int64)")
def bad_format(a, n):
    raise ValueError(f"{a[0]:{n}s}")
''')
VALUES = [(5, 2.5, True, np.arange(6.0).reshape(2, 3), np.uint64(2**64 - 1), np.int8(-3)),
          (-7, float("nan"), False, np.ones((1, 2)), np.uint64(0), np.int8(0)), (3, 1e300, True, np.full((2, 2), 0.1), np.uint64(1), np.int8(127))]


@pytest.mark.parametrize("k", range(len(MESSAGES)), ids=MESSAGES)
def test_texts_are_those_of_cpython(k):
    for values in VALUES:
        ours, theirs = (outcome_of(getattr(m, f"f{k}"), values) for m in (batch, batch.plain))
        if isinstance(theirs, ValueError) and not str(theirs).startswith("Invalid"):
            assert type(ours) is ValueError and repr(ours.args) == repr(tuple(
                t.replace("np.float64(", "").replace(")", "") if isinstance(t, str) and "np.float64" in t else t for t in theirs.args))
        else:
            assert type(ours) is type(theirs) and str(ours) == str(theirs)


def test_of_assertions_and_parallel_loops():
    with pytest.raises(AssertionError, match="^-3 is not positive$"):
        batch.asserted(-3)
    assert batch.asserted(3) == 3
    with pytest.raises(ValueError, match=r"^a\[2\] is -0.50$"):
        batch.first_negative(np.array([1, 2, -0.5, -9]))


def test_values_are_taken_in_order():
    ours, theirs = (outcome_of(m.in_order, (np.array([1.0]), 0)) for m in (batch, batch.plain))
    assert ours.args == theirs.args == ("1.0 2.0 2.0", "3.0 3.0", 3.0)


def test_an_error_of_the_format_is_pythons():
    ours, theirs = (outcome_of(m.bad_format, (np.array([1]), 4)) for m in (batch, batch.plain))
    assert type(ours) is type(theirs) is ValueError and str(ours) == "Unknown format code 's' for object of type 'int'"


REFUSED = {  # argument: what the message says
    'f"{a}"': "this value in a text", '"%c" % n': "this `%` in a text", '"%d" % (n / 2)': "an integer's `%` of a float", '"%d %d" % n': "a text with more places than values",
    '"%d" % (n, n)': "a text with fewer places than values", '"{1} {0}".format(n, n)': "this place of a text",
    '"{}".format(n, n)': "an argument that the text has no place for", "*a": "`*`",
    'f"{n}{n}{n}{n}{n}{n}{n}{n}{n}"': "an exception of more than 8 values", "1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, n": "an exception of more than 12 texts and values",
    'f"a\\0{n}"': "a NUL in the text of an exception", '"a\\0b"': "a NUL in the text of an exception", '"%s %s" % a.shape': "a text with more places than values",
    "1j * n": "this argument of an exception",
}


@pytest.mark.parametrize("text", REFUSED)
def test_what_is_refused(text, tmp_path):
    (tmp_path / "k.py").write_text(f"from numba import njit\n\n\n@njit('int64(int64, float64[:])')\ndef f(n, a):\n    raise ValueError({text})\n")
    said = run_pyk2cu("k.py", "-o", "out", cwd=tmp_path)
    assert said.returncode == 1 and f"error[PK5001]: {REFUSED[text]}" in said.stderr, said.stderr
