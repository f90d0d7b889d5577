"""Types that follow the rounds of Numba's inference, and branches that it drops before it types them."""
import itertools
import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "fuzz"))
pytest.importorskip("numba", reason="Numba is the oracle of these tests")
import oracle  # noqa: E402

ROUNDS = {  # name: (signature, source, arguments)
    "subexpression": ("(uint16,)", """
        def subexpression(a):
            for i in range(4):
                a |= 9
                a = a % 10007
                a = i << 3
            return (a + a) - (a - 2)
     """, [(7,), (65535,)]),
    "call": ("(uint32, int64)", """
        def call(a, b):
            for i in range(7 % 5):
                a += b + 2 - (a - i)
                a = a % 10007
            return int(a) << 4
     """, [(3, 5), (4000000000, -1)]),
    "tuple_item": ("(uint8, uint64)", """
        def tuple_item(a, b):
            for i in range(3):
                pair = (a, b)
                a += pair[0]
                a = a % 7
            return pair, a
     """, [(200, 5)]),
    "after_the_loop": ("(uint16, int8)", """
        def after_the_loop(b, c):
            w = 0
            while w < 1:
                w += 1
                b |= (c ^ c) - (4 - b)
                b = b % 10007
            return b << 3
     """, [(5, 3), (60000, -4)]),
    "range_of_float": ("(float64, uint64)", """
        def range_of_float(a, b):
            for i in range(1, 5):
                for j in range((b + i) % 5):
                    if b > 8:
                        b -= j
                        b = b % 10007
                    else:
                        b = j
            return b
     """, [(0.5, 3), (0.5, 30)]),
}
DROPPED = ["3.0 == 1.5", "n > 2", "n", "FLAG", "n == 4", "x > 1 and (FLAG and x < 9)",
           "n > 2 or x > 1", "not FLAG", "n >= 3.5", "x > n"]


def check(cases):
    differences, stats = oracle.compare(cases)
    assert stats["compared"] == len(cases), stats
    assert not differences, "\n".join(map(str, differences))


def test_types_of_the_rounds():
    check([oracle.Case(name, signature, source, arguments)
           for name, (signature, source, arguments) in ROUNDS.items()])


def test_branches_dropped_before_typing():
    """`return` of another type in a dropped branch does not widen the result."""
    cases = [oracle.Case(f"b{k}", "(int32,)", f"""
        def b{k}(x):
            n = 3
            if {condition}:
                y = np.int8(1)
            else:
                y = np.float32(2.5)
            return y
     """.replace("FLAG", flag), [(0,), (5,)])
             for k, (condition, flag) in enumerate(itertools.product(DROPPED, ["True", "False"]))]
    check(cases)


def test_range_of_a_float():
    types = ["float32", "float64", "int8", "int32", "int64", "uint8", "uint32"]
    pairs = [(a, b) for a, b in itertools.product(types, types) if "float" in a + b]
    cases = [oracle.Case(f"r{k}", f"({a}, {b})", f"""
        def r{k}(lo, hi):
            last = 0
            for i in range(lo, hi):
                last += i
            return last
     """, [(2, 7), (0, 3)]) for k, (a, b) in enumerate(pairs)]
    cases += [oracle.Case(f"n{k}", f"({t},)", f"""
        def n{k}(n):
            last = None
            for i in range(n):
                last = i
            return last
     """, [(4,), (0,)]) for k, t in enumerate(types)]
    check(cases)
