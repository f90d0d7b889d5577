"""Branches that types decide (`x is not None` of a number): what their ways out hand on, whatever the branch stands in.
And arrays that one name holds after the other, which live no longer than that."""
import subprocess
import sys

import numpy as np
import pytest
from conftest import Batch

built = Batch("decided_branches")
built.add('''
@njit
def maybe(n, s):
    if s is not None:
        return np.full(n, 2.0)


@njit("float64[:](int64, float64)")
def unwrapped(n, s):
    return maybe(n, s)


@njit
def left(n, s):
    x = 0
    for i in range(n):
        x += 1
        if s is not None:
            if i > 2:
                x = 1.5
            if s is not None:
                break
    else:
        x = 7
    return x


@njit
def left_deep(n, s):
    x = 0
    for i in range(n):
        if s is not None:
            if s is not None:
                if s is not None:
                    break
            x = 2.5
        x += 1
    else:
        x = 9
    return x


@njit
def goes_on(n, s):
    x = 1
    while n > 0:
        n -= 1
        if s is not None:
            x = x * 2.5
            continue
        x = x - 1
    else:
        x += 0.25
    return x


@njit("float64(int64, float64)")
def leaves(n, s):
    return left(n, s)


@njit("float64(int64, float64)")
def leaves_deep(n, s):
    return left_deep(n, s)


@njit("float64(int64, float64)")
def turns(n, s):
    return goes_on(n, s)


@njit("float64[:](float64[:])")
def one_name(x):
    y = x * 2
    view = y[1:]
    for k in range(40):
        y = y + 1.0
        y = y * 0.5 if k % 2 else y - view[0]
    return y + view[0]


@njit("float64[:](float64[:], boolean)")
def in_branches(x, swap):
    y = x + 1
    if swap:
        z = y * 3
        y = z
        z = y - x
    else:
        z = y
    return y + z
''')


@pytest.mark.parametrize("name", ["leaves", "leaves_deep", "turns"])
def test_ways_out(name):
    for n in range(6):
        assert getattr(built, name)(n, 1.0) == getattr(built.plain, name)(n, 1.0)


def test_a_result_that_may_be_none():
    np.testing.assert_array_equal(built.unwrapped(3, 1.0), [2.0, 2.0, 2.0])


def test_one_name_after_the_other():
    x = np.arange(1.0, 50.0)
    np.testing.assert_array_equal(built.one_name(x), built.plain.one_name(x))
    for swap in (True, False):
        np.testing.assert_array_equal(built.in_branches(x, swap), built.plain.in_branches(x, swap))


def test_memory_is_given_back():
    """82 arrays of 32 MB are made, of which three are held at a time."""
    code = """
import resource, numpy, decided_branches
x = numpy.ones(4_000_000)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
decided_branches.one_name(x)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=built.directory, capture_output=True, text=True, check=True)
    assert int(done.stdout) < 300_000  # KiB
