"""-0.0 stays what it is where no iteration adds to it."""
import numpy as np
import pytest
from conftest import Batch

built = Batch("zeros")
built.add('''
@njit("float64(float64[:], float64)")
def under_a_branch(x, s):
    for i in range(len(x)):
        if x[i] > 0:
            s += x[i]
    return s

@njit("float64(float64[:], float64)")
def behind_continue(x, s):
    for i in range(len(x)):
        if x[i] <= 0:
            continue
        s = x[i] + s
    return s

@njit("float64(float64[:], float64)")
def by_choice(x, s):
    for i in range(len(x)):
        s = s + x[i] if x[i] > 0 else s
    return s

@njit
def add(s, y):
    if y > 0:
        return s + y
    return s

@njit
def pick(s, y):
    t = s + y
    return t if y > 0 else s

@njit
def two(s, t, y):
    if y > 0:
        s += y
    else:
        t -= y
    return s, t

@njit("float64(float64[:], float64)")
def by_a_helper(x, s):
    for i in range(len(x)):
        s = add(s, x[i])
    return s

@njit("float64(float64[:], float64)")
def by_a_helper_that_picks(x, s):
    for i in range(len(x)):
        s = pick(s, x[i])
    return s

@njit("float64(float64[:], float64)")
def by_a_helper_of_two(x, s):
    t = 0.0
    for i in range(len(x)):
        s, t = two(s, t, x[i])
    return s

@njit("float64(float64[:], float64)")
def in_a_while(x, s):
    i = 0
    while i < len(x):
        if x[i] > 0 and x[i] < 5.0:
            s += x[i]
        i += 1
    return s

@njit("float64(float64[:], float64)")
def beside_another(x, s):
    t = -s
    for v in x:
        if v > 0:
            s += v
            t -= v
        else:
            t -= v
    return s

@njit("float64(float64[:], float64)")
def by_a_copy(x, s):
    for i in range(len(x)):
        t = s
        if x[i] > 0:
            t = t + x[i]
        s = t
    return s

@njit("float64(float64[:], float64)")
def ahead(x, s):
    for i in range(len(x)):
        t = s + x[i]
        if x[i] > 0:
            s = t
    return s

@njit("float64(float64[:], float64)")
def in_a_tuple(x, s):
    acc = (s, 1.0)
    for i in range(len(x)):
        if x[i] > 0:
            acc = (acc[0] + x[i], acc[1])
    return acc[0]

@njit("float64(float64[:], float64)")
def of_what_leaves_it(x, s):
    for i in range(len(x)):
        s += x[i] if x[i] > 0 else -0.0
        s -= -x[i] if x[i] > 0 else 0.0
    return s

@njit("float64(float64[:], float64)")
def a_negative(x, s):
    for i in range(len(x)):
        if x[i] > 0:
            s -= -x[i]
    return s

@njit("float64(float64[:], float64)")
def negated_first(x, s):
    """From another number, then back: x - (-s)."""
    w = s * 0.0
    k = 0
    i = -1
    while i < len(x) - 1:
        i += 1
        if x[i] > 0:
            s = -s
            k += 1
            s = w - s
    return s if k >= 0 else w

@njit("float64(float64[:], float64)")
def negated_there(x, s):
    for i in range(len(x)):
        if x[i] > 0:
            s = x[i] - (-s)
        elif x[i] < 0:
            s = -(x[i] - s)
    return s

@njit("float64(float64[::1], float64)")
def lane_after_lane(x, s):
    for i in range(len(x)):
        y = x[i]
        while y > 0.6:
            y = np.sin(np.exp(y) * y) * 0.9
        if y > 0.0:
            s += y
    return s

@njit("float64(float64[:], float64)")
def in_a_nest(x, s):
    for i in range(3):
        for j in range(len(x)):
            if x[j] > i:
                s += x[j] * i
    return s

@njit("float64(float64[:], float64)")
def of_an_element(x, s):
    out = np.full(3, s)
    for j in range(3):
        for i in range(len(x)):
            if x[i] > 0:
                out[j] += x[i]
    return out[1]

@njit(["float32(float32[:], float32)", "complex128(complex128[:], complex128)"])
def of_other_types(x, s):
    for i in range(len(x)):
        if abs(x[i]) > 0:
            s += x[i]
    return s
''')

NAMES = [name for name in "under_a_branch behind_continue by_choice by_a_helper by_a_helper_that_picks by_a_helper_of_two "
         "in_a_while beside_another by_a_copy ahead in_a_tuple of_what_leaves_it a_negative negated_first negated_there in_a_nest of_an_element".split()]
SIZES = [0, 1, 2, 3, 4, 8, 9, 33, 100]


@pytest.mark.parametrize("name", NAMES)
def test_the_sign(name):
    f, plain = getattr(built, name), getattr(built.plain, name)
    for size in SIZES:
        for x in (np.zeros(size), np.full(2 * size, -0.0)[::2], np.arange(size) % 3 - 1.0, np.arange(size) % 3 - 2.0):
            for start in (-0.0, 0.0, 1.5):
                assert np.float64(f(x, start)).tobytes() == np.float64(plain(x, start)).tobytes(), (size, start)


@pytest.mark.parametrize("size", SIZES)
def test_other_types(size):
    assert np.signbit(built.of_other_types(np.zeros(size, np.float32), np.float32(-0.0)))
    result = built.of_other_types(np.zeros(size, complex), complex(-0.0, -0.0))
    assert np.signbit(result.real) and np.signbit(result.imag)
    x = np.zeros(size + 1, complex)
    x[-1] = complex(1, -0.0)
    result = built.of_other_types(x, complex(-0.0, -0.0))
    assert result.real == 1 and np.signbit(result.imag)
