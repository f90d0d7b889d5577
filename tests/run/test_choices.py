"""One of two integers by a number that is odd or even: the same values as with a branch."""
import re

import numpy as np
import pytest
from conftest import Batch, assert_same_effects

built = Batch("choices")
for name in ("int32", "int64", "uint32", "uint64"):
    built.add(f'''
@njit("void({name}[::1], {name}[::1])")
def steps_{name}(x, out):
    for i in range(len(x)):
        n = x[i]
        for k in range(9):
            if n % 2 == 0:
                n = n // np.{name}(2)
            else:
                n = np.{name}(3) * n + np.{name}(1)
        out[i] = n

@njit("void({name}[::1], {name}[::1])")
def constants_{name}(x, out):
    most = np.{name}({np.iinfo(name).max})
    for i in range(len(x)):
        n = x[i]
        s = np.{name}(0)
        for k in range(3):
            if n & np.{name}(1):
                s = most
            else:
                s = np.{name}(3)
            if s % 2 == 0:
                n = n + np.{name}(k)
            else:
                n = np.{name}(6)
            if n % 2 != 0:
                n = np.{name}(7)
            else:
                n = n >> np.{name}(1)
        out[i] = n ^ s
''')
built.add('''
@njit("int64(int64, int64)")
def limits(n, turns):
    s = 0
    for i in range(turns):
        if i & 1:
            s = n + i
        else:
            s = n - i
        if bool(s & 1):
            n = ~s
        else:
            n = -s
        if 1 != n % 2:
            s *= 3
        else:
            s ^= n
    return s

@njit("int64(int64[::1], int64)")
def untouched(x, divisor):
    s = 0
    for i in range(len(x)):
        if i % 2 == 0:
            s = x[i]
        else:
            s = x[len(x) - i]
        if s % 2 == 1:
            s = s // divisor
        else:
            s = s + 1
    return s
''')


@pytest.mark.parametrize("name", ["int32", "int64", "uint32", "uint64"])
def test_of_all_types(name):
    info = np.iinfo(name)
    x = np.array([0, 1, 2, 3, 27, info.max, info.max - 1, info.min, info.min + 1], name)
    out = np.zeros_like(x)
    getattr(built, f"steps_{name}")(x, out)
    bits, is_signed = info.bits, info.min < 0
    for start, result in zip(x.tolist(), out.tolist()):
        n = start
        for _ in range(9):
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            n = (n + 2**63) % 2**64 - 2**63 if is_signed else n % 2**64  # as 64 bits are, of all types
        n %= 1 << bits
        assert result == (n - (1 << bits) if is_signed and n >> (bits - 1) else n), start


@pytest.mark.parametrize("name", ["int32", "int64", "uint32", "uint64"])
def test_constants(name):
    info = np.iinfo(name)
    x = np.array([0, 1, 2, 7, info.max, info.max - 1, info.min, info.max // 2 + 2], name)
    out, expected = np.zeros_like(x), []
    getattr(built, f"constants_{name}")(x, out)
    for n in x.tolist():
        for k in range(3):
            s = info.max if n & 1 else 3
            n = n + k if s % 2 == 0 else 6
            n = 7 if n % 2 != 0 else n >> 1
        expected.append(n ^ s)
    assert out.tolist() == expected


def test_at_the_limits():
    for n in (0, 1, -1, 2**62, -2**62, 2**63 - 1, -2**63):
        for turns in (0, 1, 2, 7):
            m, s = n, 0
            cut = lambda v: (v + 2**63) % 2**64 - 2**63
            for i in range(turns):
                s = cut(m + i) if i & 1 else cut(m - i)
                m = cut(~s) if s & 1 else cut(-s)
                s = cut(s * 3) if m % 2 != 1 else cut(s ^ m)
            assert built.limits(n, turns) == s, (n, turns)


def test_what_only_one_side_may_do():
    x = np.array([4, 2, 6, 8])
    assert built.untouched(x, 0) == built.plain.untouched(x, 0) == 3
    assert built.untouched(np.zeros(0, np.int64), 0) == 0
    with pytest.raises(ZeroDivisionError):
        built.untouched(np.array([3, 1]), 0)


WALKS = Batch("walks")
NODE = np.dtype([("key", "f4"), ("leaf", "u1"), ("left", "u4"), ("right", "u4"), ("value", "f8")])
WALKS.add('''
NODE = np.dtype([("key", "f4"), ("leaf", "u1"), ("left", "u4"), ("right", "u4"), ("value", "f8")])
NODES = numba.from_dtype(NODE)[:]

@njit(numba.float64(NODES, numba.float64[:]))
def by_index(nodes, x):
    total = 0.0
    for v in x:
        k = 0
        while not nodes[k]["leaf"]:
            if v <= nodes[k]["key"]:
                k = np.int64(nodes[k]["left"])
            else:
                k = np.int64(nodes[k]["right"])
        total += nodes[k]["value"]
    return total

@njit(numba.float64(NODES, numba.float64[:]))
def by_record(nodes, x):
    total = 0.0
    for v in x:
        node = nodes[0]
        while not node.leaf:
            if v <= node.key:
                node = nodes[node.left]
            else:
                node = nodes[node.right]
        total += node.value
    return total

@njit("int64(int64[:], int64[:], uint8[:], int64)")
def far_sides(left, right, ways, start):
    """The array of the way that is not gone may be empty; places may count from the end."""
    k = start
    for d in range(5):
        if ways[k] != 0:
            k = left[k]
        else:
            k = right[k]
    return k

@njit("int64(int64[:], int64[:, :], uint8[:], int64)")
def of_two_shapes(left, right, ways, start):
    k = start
    turns = 0
    while k != 0 and turns < 50:
        if ways[k] > turns:
            k = left[k]
        else:
            k = right[turns & 1, k]
        turns += 1
    return k * 100 + turns

@njit("int64(int64[:], int32[:], uint8[:], int64)")
def of_two_types(left, right, ways, k):
    for d in range(5):
        if ways[k] > 3:
            k = left[k]
        else:
            k = right[k]
    return k

@njit("int64(int64[:, :], int64[:, :], uint8[:], int64[:])", parallel=True)
def in_one_expression(left, right, ways, out):
    for i in prange(out.size):
        k = out[i]
        for d in range(5):
            k = left[0, k] if ways[k] < 2 else right[1, k]
        out[i] = k
    return out.sum()

@njit("int64(int64[:], int64[:], uint8[:], int64)")
def known_by_the_branch(left, right, ways, e):
    """What only one side may compute."""
    k = 0
    for d in range(6):
        if e >= 0 and e < 3 and ways[k & 7] > 1:
            k = left[(k + (1 << e)) & 7]
        else:
            k = right[k & 7]
        if ways[k & 7] > 2 and k > -1000:
            k = left[(k * e) & 7]
        else:
            k = right[(k - e) & 7]
    return k

@njit("int64(int64[:], int64[:], int64, int64)")
def foreseen(left, right, start, n):
    """No array says which way is gone."""
    k = start
    for d in range(n):
        if k < 4:
            k = left[k]
        else:
            k = right[k]
    return k

@njit("void(int64[:], int64[:], int64[:], int64[:])")
def of_every_element(x, most, other, out):
    """No walk: each turn begins anew."""
    for i in range(len(out)):
        k = out[i]
        if x[i] > 5:
            k = max(k, most[i])
        else:
            k = max(k, other[i])
        out[i] = k

@njit("int64(int64[:], int64[:], int64)")
def through_others(left, right, k):
    """What only one side may read."""
    for d in range(3):
        if k < right.size:
            k = left[right[k]]
        else:
            k = left[k - right.size]
    return k
''')


def tree(rng, depth):
    nodes = np.zeros(2 ** (depth + 1) - 1, NODE)
    inner = np.arange(2**depth - 1)
    nodes["left"][inner], nodes["right"][inner] = 2 * inner + 1, 2 * inner + 2
    nodes["leaf"][len(inner):] = 1
    nodes["key"], nodes["value"] = rng.normal(size=len(nodes)), rng.normal(size=len(nodes))
    return nodes


@pytest.mark.parametrize("depth", [0, 1, 6])
def test_trees(depth):
    rng = np.random.default_rng(depth)
    nodes, x = tree(rng, depth), np.append(rng.normal(size=50), [np.nan, np.inf, -np.inf])
    expected = WALKS.plain.by_index(nodes, x)
    for array in (nodes, np.repeat(nodes, 2)[::2]):
        assert WALKS.by_index(array, x) == expected
        assert WALKS.by_record(array, x) == expected


def test_ways():
    rng = np.random.default_rng(1)
    none, some = np.zeros(0, np.int64), rng.integers(-9, 9, 9)
    for turn in range(32):
        other, ways = rng.integers(-9, 9, 9), rng.integers(0, 2, 9).astype(np.uint8)
        for left, right in ((some, other), (some[::-1], np.repeat(other, 2)[::2])):
            check("far_sides", left, right, ways, 3)
            check("of_two_types", left, right.astype("i4"), ways * 5, 2)
        check("of_two_shapes", some, rng.integers(0, 9, (2, 9)), ways * 9, 5)
        for e in (0, 2, 100, -1, -2**63, 2**63 - 1):
            check("known_by_the_branch", some[:8], other[:8], ways * 3, e)
        check("foreseen", some % 9, other % 9, 3, 20)
        square = rng.integers(-9, 9, (2, 9))
        assert_same_effects(WALKS, WALKS.plain, "in_one_expression", square, square[::-1, ::-1], ways * 3, other)
        out = rng.integers(-9, 9, 9)
        assert_same_effects(WALKS, WALKS.plain, "of_every_element", ways.astype(int) * 9, some, other, out)
    check("far_sides", none, some, np.zeros(9, np.uint8), 1)
    check("far_sides", some, none, np.ones(9, np.uint8), 1)
    places = np.array([3, 0, 2, 1])
    for k in range(4):
        check("through_others", places, places[:3], k)


def check(name, *arguments):
    with np.errstate(all="ignore"):
        assert getattr(WALKS, name)(*arguments) == getattr(WALKS.plain, name)(*arguments), (name, arguments)


def test_only_walks_choose_places():
    functions = re.split(r"\n// walks\.py:\d+ +def ", WALKS.emitted)
    chosen = {text.split("(")[0] for text in functions if "pyk::either(" in text}
    assert chosen == {"by_index", "by_record", "far_sides", "of_two_shapes", "known_by_the_branch", "in_one_expression"}
