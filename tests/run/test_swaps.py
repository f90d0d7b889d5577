"""Branches that only give variables values, in loops of straight code: the same as plain Python, to the last bit."""
import numpy as np
import pytest
from conftest import Batch, assert_same_effects

BODIES = {
    "swaps": """
        x, y, z = a[i - 1], a[i], a[i - 2]
        if x > y:
            x, y = y, x
        if y > z:
            y, z = z, y
        if x > y:
            x, y = y, x
        out[i] = y - x * z""",
    "rotates": """
        x, y, z = a[i], b[i], a[i - 1]
        if x < y:
            x, y, z = y, z, x
        elif y < z:
            t = z
            z = y
            y = x
            x = t
        if z != x:
            z += x
            x = z - y
        out[i] = x - y - y * z""",
    "own_twice": """
        if a[i] > b[i]:
            t = a[i] + 1
            u = t * 2
            t = a[i] - 1
            v = t
        else:
            t = b[i] - 3
            u = t
            v = t + u
        if u == v:
            u = u + 1
        out[i] = u - v""",
    "chained": """
        x = a[i]
        if x < 0:
            y = 1
        elif x < b[i]:
            y = 2
        elif x == b[i]:
            y = 3
            x = y - x
        else:
            y = 4
        if y > 2:
            y = y - x
            x = y
        out[i] = x + y""",
    "reads_what_it_changed": """
        x, y = a[i], b[i]
        if x > y:
            x = x - y
            y = x
            x = y + x
        if x > y:
            y = x + y
            x = y - x
        out[i] = x - y""",
    "nested": """
        x, y = a[i], b[i]
        k = 0
        if x > y:
            if y > 0:
                k = 1
                x = y
            else:
                k = 2
            y = x - 1
        if k == 1:
            y = -y
        out[i] = x + y + k""",
    "left_behind": """
        x, y = a[i], b[i]
        if x > y:
            t = x - y
            x = t
        else:
            t = y
        if t > 0:
            y = x
        out[i] = x + y
        out[0] = t""",
    "guarded": """
        x = y = out[i]
        if use and a[i] != b[i]:
            x = a[i]
            y = x - 1
        if i >= n or a[i] > b[i]:
            y = y + 1
        else:
            x = a[i] * 2
            y = x + y
        out[i] = x - y""",
    "flags": """
        x = a[i]
        low = x < 0
        high = False
        if x > b[i]:
            high = True
            low = not low
        if low:
            x = b[i]
        if high and not low:
            x = -x
        out[i] = x""",
}
MADE = Batch("swaps")
KINDS = ["float64", "float32", "int64", "int32"]
for name, body in BODIES.items():
    for kind in KINDS:
        MADE.add(f"""
@njit("void({kind}[:], {kind}[:], {kind}[:])")
def {name}_{kind}(a, b, out):
    n = len(a)
    use = n > 20
    for i in range(2, len(out)):{body}
""")


def numbers(rng, kind, n):
    if kind.startswith("float"):
        a = rng.integers(-3, 4, n).astype(kind)
        a[rng.random(n) < 0.2] = np.nan
        a[rng.random(n) < 0.1] = -0.0
        a[rng.random(n) < 0.1] = np.inf
        return a
    return rng.integers(-3, 4, n).astype(kind)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", BODIES)
@pytest.mark.parametrize("n", [0, 1, 3, 9, 67, 300])
def test_swaps(name, kind, n):
    rng = np.random.default_rng(n)
    a, b = numbers(rng, kind, n), numbers(rng, kind, n)
    assert_same_effects(MADE, MADE.plain, f"{name}_{kind}", a, b, np.zeros(n, kind))
    assert_same_effects(MADE, MADE.plain, f"{name}_{kind}", a[::-1], b[::-1], np.zeros(n, kind))
