"""Quotients and remainders that several statements ask for, computed once: as CPython does them."""
import itertools

import numpy as np
import pytest
from conftest import Batch, outcome_of

built = Batch("quotients")
for name in ("int64", "int32", "uint64", "uint8"):
    built.add(f'''
@njit("void({name}[:], {name}, float64[:, :])")
def deposit_{name}(x, n, rho):
    for p in range(len(x)):
        i = x[p]
        rho[i % n, 0] += 1.0
        rho[0, i % n] += 2.0
        if i > 3:
            rho[i % n, i % n] += i // n
            i = np.{name}(i - 2)
            rho[i % n, 0] += i // n
        rho[0, i % n] += i // n
''')
built.add('''
@njit("int64(int64, int64)")
def euclid(a, b):
    s = 0
    while b != 0:
        s = s * 3 + a // b
        if a % b == 1:
            s += a % b
        a, b = b, a % b
    return s + a


@njit("int64(int64, int64, int64[:])")
def asked(a, b, x):
    """Where nothing divides by 0, though it stands there."""
    s = 0
    if b != 0 and a // b > 3:
        s = a // b
    if b == 0 or a % b == 0:
        s += 5
    x[0] = x[1] % (b + 100)
    x[1] = x[1] % (b + 100)
    return s if b == 0 else s + a // b + a % b


@njit("int64(int64, int64, int64[:])")
def raises_in_order(a, b, x):
    x[0] = 1
    x[1] = a // b
    x[2] = a // b
    return x[0]


@njit("int64(int64[:], int64)", parallel=True)
def in_threads(x, n):
    s = 0
    for i in prange(len(x)):
        a = x[i] % n
        b = x[i] // n
        s += a * 3 + b + x[i] % n
    return s + n // 3 + n // 3
''')


def agree(name, *args):
    copies, expected = [[a.copy() if isinstance(a, np.ndarray) else a for a in args] for _ in range(2)]
    with np.errstate(all="ignore"):
        ours, theirs = outcome_of(getattr(built, name), copies), outcome_of(getattr(built.plain, name), expected)
    assert type(ours) is type(theirs) if isinstance(theirs, Exception) else ours == theirs
    for a, b in zip(copies, expected):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("name", ["int64", "int32", "uint64", "uint8"])
@pytest.mark.parametrize("n", [1, 3, 7])
def test_deposits(name, n):
    kind = np.dtype(name).type
    for x in (np.arange(2, 40), np.array([250, 4, 5, 127]), np.arange(0)):
        agree(f"deposit_{name}", x.astype(name), kind(n), np.zeros((n, n)))
    if kind(0) - 1 < 0:
        agree(f"deposit_{name}", np.arange(-20, 20).astype(name), kind(n), np.zeros((n, n)))


def test_numbers():
    numbers = [0, 1, -1, 2, -3, 10, 17, 2**40, -2**40 + 1]
    for a, b in itertools.product(numbers, numbers):
        agree("euclid", a, b)
        agree("asked", a, b, np.array([7, -1234567]))
        agree("raises_in_order", a, b, np.zeros(3, np.int64))


@pytest.mark.parametrize("n", [1, 5, -7])
def test_threads(n):
    agree("in_threads", np.arange(-500, 500), n)
