"""Loops run over what there was when they began, whatever their bodies and targets give the names in it: as CPython does."""
import numpy as np
import pytest
from conftest import Batch

LOOPS = {
    "for i, j in np.ndindex(n, m)": "m = 1",
    "for j, i in np.ndindex(m, n)": "n, m = m, n",
    "for i, n in np.ndindex(n, m)": "j = n",
    "for (i, j), v in np.ndenumerate(x)": "x = y",
    "for (i,), x in np.ndenumerate(x[0])": "j = int(x)",
    "for i, j in enumerate(range(n, m, k))": "n = 5; k = 3",
    "for i, n in enumerate(range(n, m, k))": "j = n",
    "for i, j in enumerate(range(n, m), k)": "k += 7",
    "for k, j in enumerate(range(n, m), k)": "i = k",
    "for i, j in zip(range(n, m, k), range(m))": "n, m, k = 0, 40, 2",
    "for n, m in zip(range(n, m, k), range(m))": "i, j = n, m",
    "for i in reversed(range(n, m, k))": "n += 3; k = 2; m = 0",
    "for i in reversed(range(n))": "n = 0",
    "for i, v in enumerate(x[1], m)": "m = 0; x = y",
    "for v in x": "x = y",
    "for i, x in enumerate(x[0])": "j = int(x)",
    "for i in (n, m, k)": "m = 50; k = n",
    "for n in (m, n, k)": "i = n",
    "for v in (n, 0.5, m)": "m = 50; t += v",
    "for v in z": "z = (9, 9.5, 9); t += v",
    "for v in w": "w = (9, 8, 7); t += v",
    "for i in range(n, m, k)": "n = 1; m = 0; k = 3",
    "for i in x[0].flat": "x = y; j = int(i)",
}
CASES = [(number, leaves) for number, head in enumerate(LOOPS) for leaves in (False, True)
         if not (leaves and head in ("for v in (n, 0.5, m)", "for v in z"))]  # of several types: cannot be left
built = Batch("held")
for number, leaves in CASES:
    head, body = list(LOOPS.items())[number]
    built.add(f'''
@njit("Tuple((int64, float64))(int64, int64, int64, float64[:, :], float64[:, :])")
def loop_{number}_{leaves}(n, m, k, x, y):
    z = (n, 1.5, m)
    w = (k, n, m)
    c = 0
    t = 0.0
    i = j = 0
    v = 0.0
    {head}:
        c = c * 3 + i + 2 * j + 1
        {body}
        {"if c > 400: break" if leaves else "c %= 100003"}
    return c, t
''')
built.add('''
@njit("int64[:](int64, int64, int64)")
def comprehensions(n, m, k):
    a = [n * 2 + i for i, n in enumerate(range(n, m, k), k)]
    b = [n + m for n, m in zip(range(n, m), range(k, m))]
    return np.array(a + b)
''')
NUMBERS = [(3, 4, 1), (2, 5, 2), (4, 2, 3), (1, 9, 3), (0, 0, 1)]


def of(module, name, n, m, k):
    x = np.arange(12.0).reshape(3, 4)
    return getattr(module, name)(n, m, k, x, x[::-1, ::-1] * 5)


@pytest.mark.parametrize("number, leaves", CASES)
def test_as_when_it_began(number, leaves):
    name = f"loop_{number}_{leaves}"
    for case in NUMBERS:
        assert of(built, name, *case) == of(built.plain, name, *case), (list(LOOPS)[number], case)


@pytest.mark.parametrize("case", NUMBERS)
def test_comprehensions(case):
    assert list(built.comprehensions(*case)) == list(built.plain.comprehensions(*case))
