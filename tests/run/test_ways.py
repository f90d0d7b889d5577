"""Helpers that return in several places, in loops: the same as plain Python, to the last bit."""
import numpy as np
import pytest
from conftest import Batch, assert_same_effects

HELPERS = {
    "steps": """
    if x < -1:
        return one(0)
    elif x < 0:
        return one(1)
    elif x < y:
        return x
    elif x < 3:
        return x * x
    return y""",
    "clamp": """
    if x < -2:
        return one(-2)
    if x > 2:
        return one(2)
    return x""",
    "sides": """
    a = abs(x - y)
    if a <= 1:
        return a * a
    if y > x:
        t = a + y
        if t > 2:
            return t
        a = t * 2
    return a - 1""",
    "larger": """
    if x > y:
        return x
    return y""",
    "never": """
    if x != x:
        return y
    if y != y:
        return x
    return min(x, y)""",
}
TRUTHS = {
    "between": """
    if x < -1 or x > 2:
        return False
    if y < -1 or y > 2:
        return False
    return True""",
    "chain": """
    if x < -1:
        return False
    elif x < 0:
        return True
    elif x < 1:
        return False
    elif y < 2:
        return True
    return x == y""",
    "same": """
    if x < y:
        return True
    else:
        return True""",
    "negated": """
    if not (x < y and x > -y):
        return x > 0
    return not (x == 1 or y == 1)""",
}
DIVIDES = {
    "slopes": """
    if x < 0.2:
        return one(0)
    if x < y:
        return (x - one(1)) / (y - one(7))
    if x < 2:
        return one(1)
    return (one(3) - x) / y if y != 0 else x""",
}
KINDS = ["float64", "float32", "int64", "uint8"]
MADE = Batch("ways")


MAPS = """
@njit("void({kind}[:], {kind}[:], {result}[:])")
def {name}_{kind}_map(a, b, out):
    for i in range(len(a)):
        out[i] = {name}_{kind}(a[i], b[i])


@njit("float64({kind}[:], {kind}[:])")
def {name}_{kind}_total(a, b):
    s = 0.0
    for i in range(len(a)):
        s += {name}_{kind}(a[i], b[i])
    return s


@njit("int64({kind}[:], {kind}[:])")
def {name}_{kind}_count(a, b):
    n = 0
    for i in range(len(a)):
        if {name}_{kind}(a[i], b[i]) and a[i] > 0:
            n += 1
    return n
"""
ROWS = """

@njit("void({kind}[:,:], {kind}[:,:], {result}[:,:])", parallel=True)
def {name}_{kind}_rows(a, b, out):
    for i in prange(a.shape[0]):
        for j in range(a.shape[1]):
            if a[i, j] != b[i, j]:
                out[i, j] = {name}_{kind}(a[i, j], b[i, j])
"""


def bodies_of(kind):
    """Of bytes nothing that is below 0: plain Python computes in bytes, Numba in int64."""
    all_of = {**HELPERS, **TRUTHS, **(DIVIDES if "float" in kind else {})}
    return {name: body for name, body in all_of.items() if kind != "uint8" or name != "sides"}


def has_rows(name, kind):
    """Of `never` all kinds: the lesser of two bytes, in some lanes."""
    return kind == "float64" or name == "never"


for kind in KINDS:
    for name, body in bodies_of(kind).items():
        result = "boolean" if name in TRUTHS else kind
        one = "" if name in TRUTHS else f"np.{kind}"
        MADE.add(f"""
@njit("{result}({kind}, {kind})")
def {name}_{kind}(x, y):{body.replace("one(", one + "(")}
""" + (MAPS + ROWS * has_rows(name, kind)).format(name=name, kind=kind, result=result))


def numbers(rng, kind, shape):
    a = rng.integers(0 if kind == "uint8" else -3, 4, shape).astype(kind)
    if "float" in kind:
        a[rng.random(shape) < 0.2] = np.nan
        a[rng.random(shape) < 0.1] = -0.0
        a[rng.random(shape) < 0.1] = np.inf
    return a


CASES = [(name, kind) for kind in KINDS for name in bodies_of(kind)]


@pytest.mark.parametrize("name, kind", CASES)
def test_maps(name, kind):
    result = bool if name in TRUTHS else kind
    for n in (0, 1, 7, 33, 300):
        rng = np.random.default_rng(n)
        a, b = numbers(rng, kind, n), numbers(rng, kind, n)
        for s in (slice(None), slice(None, None, -1), slice(None, None, 2)):
            out = np.zeros(n, result)
            assert_same_effects(MADE, MADE.plain, f"{name}_{kind}_map", a[s], b[s], out[s])
            assert_same_effects(MADE, MADE.plain, f"{name}_{kind}_total", a[s], b[s])
            assert_same_effects(MADE, MADE.plain, f"{name}_{kind}_count", a[s], b[s])


@pytest.mark.parametrize("name, kind", [case for case in CASES if has_rows(*case)])
@pytest.mark.parametrize("shape", [(0, 3), (2, 1), (3, 40), (5, 129)])
def test_rows(name, kind, shape):
    rng = np.random.default_rng(shape[1])
    a, b = numbers(rng, kind, shape), numbers(rng, kind, shape)
    out = np.zeros(shape, bool if name in TRUTHS else kind)
    assert_same_effects(MADE, MADE.plain, f"{name}_{kind}_rows", a, b, out)
    assert_same_effects(MADE, MADE.plain, f"{name}_{kind}_rows", a.T, b.T, out.T)


@pytest.mark.parametrize("kind", ["float64", "float32"])
def test_in_place(kind):
    """What is stored is what is read next."""
    a = numbers(np.random.default_rng(1), kind, 200)
    for name in HELPERS:
        assert_same_effects(MADE, MADE.plain, f"{name}_{kind}_map", a[1:], a[:-1], a[1:])
        assert_same_effects(MADE, MADE.plain, f"{name}_{kind}_map", a[:-1], a[:-1], a[1:])
