"""Shifts and products of numbers that are written out: in 64 bits, as the source has them."""
import numpy as np
from conftest import Batch

TEXT = '''
@njit("int64(int64)")
def one(k):
    return 1 << (k & 31)

@njit("int64(int64)")
def under_a_condition(n):
    s = 0
    if 0 <= n < 40:
        s = 5 << n
    return s

@njit("int64()")
def counted():
    s = 0
    for k in range(40):
        s ^= 3 << k
    return s

@njit("uint64(int64)")
def without_sign(k):
    return np.uint64(1) << np.uint64(k & 31)

@njit("int64(int64, int64)")
def chosen(k, x):
    return (7 if x > 9 else 1) << (k & 31)

@njit("float64(int64)")
def as_float(k):
    return float(7 << (k & 31))

@njit("int64(int64)")
def least(k):
    return (min(1, 1) << k) + ((-max(1, 2)) << k)

@njit("int64(int64)")
def products(x):
    return min(3, 4) * 2147483647 + (max(1, 2) + max(2, 1)) * (1073741824 if x > 0 else 1)

@njit("int64(uint8[:], int64)")
def of_bytes(x, k):
    s = 0
    for i in range(len(x)):
        s ^= np.int64(x[i]) << (k & 31)
        s ^= int(x[i] > 5) << (k & 31)
        s ^= (7 if x[i] > 9 else 1) << (k & 31)
        s ^= (np.int64(x[i]) + 1) << (k & 31)
    return s
'''
MODULES = [Batch("shifts", []), Batch("shifts_plain", ["--no-lanes"])]
for module in MODULES:
    module.add(TEXT)


def test_shifts_are_those_of_python():
    x = np.random.default_rng(1).integers(0, 256, 50).astype(np.uint8)
    for made in MODULES:
        assert made.counted() == np.bitwise_xor.reduce([3 << k for k in range(40)])
        assert [made.least(k) for k in (0, 31, 40)] == [-1, -(1 << 31), -(1 << 40)]
        assert made.products(0) == 3 * 2147483647 + 4 and made.products(1) == 3 * 2147483647 + (1 << 32)
        for k in (0, 1, 28, 29, 30, 31):
            assert made.one(k) == made.without_sign(k) == 1 << k
            assert made.chosen(k, 10) == 7 << k and made.chosen(k, 9) == 1 << k
            assert made.as_float(k) == 7 << k
            expected = 0
            for v in x.tolist():
                expected ^= v << k ^ int(v > 5) << k ^ (7 if v > 9 else 1) << k ^ (v + 1) << k
            assert made.of_bytes(x, k) == expected
        assert [made.under_a_condition(n) for n in (0, 31, 32, 39, 40)] == [5, 5 << 31, 5 << 32, 5 << 39, 0]
