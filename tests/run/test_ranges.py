"""Ranges as values: joined where ways meet, carried by loops, passed on, indexed. Beside Python; Numba indexes no ranges."""
import itertools
import re

import pytest
from conftest import BUILD_PYTHON, load_module, run_pyk2cu

SOURCE = '''
from numba import njit


@njit("int64(int64, int64)")
def rng(n, g):
    if g > 0:
        r = range(-g, n)
    elif g < -5:
        r = range(n, g, -2)
    else:
        r = range(n)
    s = 0
    for i in r:
        s += i
    return s + 1000 * len(r)


@njit
def total(r, k):
    s = 0
    for i in r:
        s = s * 3 + i
    return s + r[k]


@njit("int64(int64, int64)")
def helper(n, k):
    r = range(n)
    if n > 4:
        r = range(0, n, 3)
    return total(r, k) + r[0] * 7


@njit("int64(int64)")
def carried(n):
    r = range(n)
    old = r
    s = 0
    for k in range(4):
        for i in r:
            s += i * (k + 1)
        for i in old:
            s += 100 * i
        old = r
        r = range(k, n + k, k + 1)
    return s + len(old) * 1000000


@njit("int64(int64, int64)")
def item(n, k):
    return range(1, n, 2)[k] + (5 if k in range(2, n) else 0)


@njit("int64(int64)")
def shadow(n):
    s = 0
    r = range(n)
    for i in r:
        r = range(i)
        for j in r:
            s += j + 1
    return s + len(r)


@njit("int64(int64, int64)")
def chosen(n, k):
    s = 0
    for i in (range(n) if k > 0 else range(k)):
        s = s * 3 + i
    for i in (range(n) if k > 0 else range(n - 1, -1, -1)):
        s = s * 3 + i
    r = range(k, n) if k % 2 else range(k, n, 2) if n > 3 else range(7)
    return s + len(r) * 1000 + len(range(5) if n else range(5))


@njit("int64(int64, int64)")
def chosen_once(n, k):
    s = 0
    for i in (range(step(n)) if step(k) > 0 else range(n, step(k + 3))):
        n += 1
        s += i
    return s + n * 1000


@njit
def step(x):
    return x - x // 3


@njit("int64(int64)")
def unbound(n):
    if n > 0:
        r = range(n)
    return len(r)
'''


def outcome(function, args):
    try:
        return function(*args)
    except Exception as error:
        return type(error), error.args


@pytest.fixture(scope="module")
def both(tmp_path_factory):
    folder = tmp_path_factory.mktemp("ranges")
    (folder / "ranges_here.py").write_text(SOURCE)
    done = run_pyk2cu("ranges_here.py", "-o", "out", "--build", "--quiet", "--python", BUILD_PYTHON, cwd=folder)
    assert done.returncode == 0 and not done.stderr, done.stderr
    names = {}
    exec(re.sub("@njit.*", "", SOURCE), names)
    return names, load_module(next((folder / "out").glob("ranges_here.*.so")))


@pytest.mark.parametrize("name, count", [("rng", 2), ("helper", 2), ("carried", 1), ("item", 2), ("shadow", 1), ("chosen", 2), ("chosen_once", 2)])
def test_as_python(name, count, both):
    names, compiled = both
    for args in itertools.product((-9, -3, -1, 0, 1, 2, 5, 11), repeat=count):
        wanted, got = outcome(names[name], args), outcome(getattr(compiled, name), args)
        if isinstance(wanted, tuple):
            assert got[0] == wanted[0], (args, got, wanted)
        else:
            assert got == wanted, args


@pytest.mark.parametrize("name, count", [("rng", 2), ("carried", 1), ("shadow", 1), ("chosen", 2), ("chosen_once", 2)])
def test_as_numba(name, count, both):
    names = {}
    exec(re.sub("@njit.*", "@njit", SOURCE), names)  # compiled when called
    for args in itertools.product((-9, -1, 0, 2, 11), repeat=count):
        assert getattr(both[1], name)(*args) == names[name](*args), args


def test_unbound(both):
    assert both[1].unbound(3) == 3
    with pytest.raises(UnboundLocalError):
        both[1].unbound(-1)
