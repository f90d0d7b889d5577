"""`locals=`: names have the types that it says, whatever is assigned to them."""
import numpy as np
import pytest

from conftest import Batch

pytest.importorskip("numba", reason="Numba is the oracle of these tests")

batch = Batch("locals_option")
batch.add('''
from numba import types

NARROW = {"s": types.float32}
ITEM = "s"


@njit("float64(float64[:])", locals=NARROW)
def total(a):
    s = 0.0
    for x in a:
        s += x
    return s


@njit("int64(int64)", locals=dict(i=types.uint8))
def index(n):
    s = 0
    for i in range(n):
        s += i
    return s


@njit("int64(float64[:])", locals={"k": types.int8, "x": types.int64})
def index_of_enumerate(a):
    s = 0
    for k, x in enumerate(a):
        s += k * 1000 + x
    return s


@njit("int64(int64, float64)", locals={"n": types.int8, "x": types.int64})
def params(n, x):
    y = n + x
    n = 1000
    return y * 100 + n


@njit("Tuple((float32, int8))(float64)", locals={"x": types.float32, "y": types.int8})
def unpacked(a):
    x, y = a, 300
    return x, y


@njit("int64(float64[:])", locals={ITEM: types.int64})
def truncated(a):
    s = 0
    for x in a:
        s += x
    return s


@njit("Tuple((float32, float32, uint32))(float64[:], int64)",
      locals={"s": types.float32, "t": types.float32, "w": types.uint32})
def loops(a, k):
    s = 0
    t = 1
    w = 0
    while s < 3 and w < k:
        if w % 2:
            s = s + a[w]
        else:
            s = s * 1.1 + 0.1
        w += 1
        if s > 2:
            t = s * 0.1
    for j in range(k):
        w -= 3
    return s, t, w


@njit("Tuple((float32, float32))(float64)", locals={"t": types.UniTuple(types.float32, 2)})
def pair(a):
    t = (a, a + 1)
    return t


@njit("complex64(float64)", locals={"z": types.complex64})
def wider(x):
    z = x
    return z


@njit("boolean(float64)", locals={"b": types.boolean})
def truth(x):
    b = x
    return b


@njit("float64(float64, boolean)", locals={"r": types.float32})
def branches(x, flag):
    if flag:
        r = x
    else:
        r = 1
    return r


@njit("float64(float64[:])", locals={"s": types.float32})
def by_index(a):
    s = 0
    for i in range(a.shape[0]):
        s += a[i]
    return s


@njit
def helper(x):
    s = x
    return s


@njit("float64(float64)", locals={"s": types.float32})
def not_in_callees(x):
    s = x
    return helper(x) - s


@njit("float64(float64)", locals={"unused": types.float32})
def not_assigned(x):
    return x
''')
A = np.array([0.1, 0.7, -2.5, 1e-9, 300.7, np.nan])[:5]
CALLS = [("total", (A,)), ("total", (A[::-2],)), ("total", (A[:0],)), ("index", (300,)), ("index_of_enumerate", (np.tile(A, 60),)),
         ("params", (300, 2.9)), ("params", (-129, -2.9)), ("unpacked", (0.1,)), ("truncated", (A * 3,)), ("loops", (A, 5)),
         ("loops", (A, 0)), ("pair", (0.1,)), ("wider", (1.1,)), ("truth", (0.5,)), ("truth", (0.0,)), ("branches", (0.1, True)),
         ("branches", (0.1, False)), ("by_index", (np.full(3, 0.1),)), ("not_in_callees", (0.1,)), ("not_assigned", (0.1,))]


@pytest.fixture(scope="module")
def by_numba():
    space = {}
    exec(batch.source, space)
    return space


@pytest.mark.parametrize("name, arguments", CALLS)
def test_like_numba(name, arguments, by_numba):
    assert getattr(batch, name)(*arguments) == by_numba[name](*arguments)
