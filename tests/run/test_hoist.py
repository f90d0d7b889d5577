"""Functions of what stays the same while loops turn are called in front of them: nobody can tell."""
import math

import numpy as np
import pytest
from conftest import Batch, assert_same_effects

TEXT = '''
from numba import vectorize

@njit
def scaled(x, p):
    return x * math.sqrt(p)


@njit("void({F}[:, ::1], {F}, {F}[::1], {F}[:, ::1])")
def nests(a, t, v, out):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            out[i, j] = a[i, j] * math.exp(-t * i) + math.cos(t) * math.log(v[i])
            if a[i, j] > math.sin(t):
                out[i, j] += math.pow(t, 0.5) + math.exp(-t * i)


@njit("void({F}[:, ::1], {F}[:, ::1])")
def periodic(a, out):
    n, m = a.shape
    for i in range(n):
        for j in range(m):
            out[i, j] = a[(i - 1) % n, j] + a[(i + 1) % n, j] - a[i, (j - 1) % m] * a[i, (j + 1) % m]


@njit("int64(int64, int64, int64)")
def divides(k, d, turns):
    """By nothing, by -1, what is seldom asked for, and what a turn changes."""
    total = 1
    for i in range(turns):
        if d != 0:
            total = total * 3 + k // d + (k + 5) % d * 2
        if i == 5:
            total += k % (d - 7)
            k += 1
    left = turns
    while left > k % 3:
        total = total // 2 + (d | 1) // 3
        left -= 1
    return total


@njit("{F}({F}[::1], {F}, int64)")
def unfit(x, p, n):
    """Of a negative number, of nothing, in a loop that never turns, of what changes, or is not set."""
    s = p
    for i in range(n):
        if i > 2:
            k = p
        s += math.sqrt(p) * math.log(n) + math.cos(s)
        if i > 3:
            s -= math.atan2(k, p) + scaled(s, p)
        p += math.floor(math.fabs(math.exp(0.25)))
    for i in range(len(x)):
        for j in range(i, n):
            x[i] += math.hypot(p, i) + math.exp(x[0] * 0.001)
    return s


@njit("float64(int64, int64)")
def traps(n, k):
    """A division that no turn would make is not made."""
    s = 0.0
    for i in range(n):
        if k != 0:
            s += math.sqrt(100 // k) + math.exp(1.0 / k) + math.cos(7 % k)
    return s


@njit("float64(int64, int64, int64)")
def known_inside(turns, n, k):
    """What a condition says of a product or a shift is not known in front of it."""
    s = 0.0
    for i in range(turns):
        if 0 <= n < 1000:
            s += math.sqrt(n * n * n)
        if 0 <= k < 62:
            s += math.log(1 << k) + i
    return s


@njit("int64(float64, float64)")
def asked_by_while(x, p):
    n = 0
    while x > math.exp(p) and n < 100:
        x *= 0.75
        n += 1
        p += 0.001 if math.cos(p) > 2.0 else 0.0
    return n


@njit("void({F}[::1], {F}, {F}[::1])", parallel=True)
def by_cores(x, angle, out):
    for i in prange(len(x)):
        c = math.cos(angle)
        out[i] = x[i] * c - x[i] * math.sin(angle)


@njit("complex128(complex128[::1], complex128)")
def complexes(z, w):
    s = 0j
    for v in z:
        s += v * abs(w) + w ** 2
    return s


@njit("{F}({F}[::1], {F})")
def late(x, p):
    """It leaves before it would ask."""
    for i in range(len(x)):
        if x[i] > 2.0:
            return math.log(p)
        if x[i] > 1.0:
            continue
        x[i] = math.log1p(p) if p > 0.0 else math.tanh(p)
    return p


@njit
def arc(angle):
    wide = 3 * math.radians(angle)
    return 10.0 * math.cos(wide) - 0.5 * math.cos(2 * wide) if angle > 0.5 else math.exp(angle)


@njit
def turns_until(p):
    n = 0.0
    while p > 1.0:
        p = math.sqrt(p)
        n += 1.0
    return n


@njit("void({F}[:, ::1], float64, {F}[:, ::1])")
def named(a, t, out):
    """What a row names under a condition, twice, and by a helper."""
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            if a[i, j] > 0.5:
                angle = t + (i + 0.5) * 0.1
                half = 0.5 * angle
                s = a[i, j] * (3.0 * math.cos(half) - math.cos(3.0 * half)) + arc(angle)
            else:
                s = -1.0
            out[i, j] = s


@njit("float64({F}[::1], float64)")
def named_behind(x, t):
    """It is read when the loop is over, and by an iteration that has not set it."""
    s = 0.0
    y = t
    w = 0.5
    for i in range(len(x)):
        s += math.exp(-w)
        w = t * 0.25
        if x[i] > 0.5:
            y = t * 2.0
            s += math.sin(y) * x[i]
        z = t
        if x[i] > 0.75:
            z = t + 1.0
        s += math.tanh(z)
    return s + y + w


@njit("float64({F}[::1], float64)")
def named_in_turn(x, t):
    """One name of the other, of functions and of what changes; a helper that loops stays where it is."""
    s = 0.0
    for i in range(len(x)):
        a = t * 0.5
        b = math.sqrt(abs(a)) + a
        c = b + x[i]
        if x[i] > 0.25:
            d = math.atan(b * 2.0)
            s += math.exp(-d) * c + math.log1p(abs(c))
        if x[i] > 5.0:
            s += turns_until(t)
    return s


@njit("float64({F}[::1], float64)")
def drawn(x, t):
    """What nobody reads any more is drawn all the same."""
    np.random.seed(3)
    s = 0.0
    y = np.random.random()
    for i in range(len(x)):
        if x[i] > 0.25:
            y = t * 2.0
            s += math.exp(-y)
    return s + np.random.random()


@vectorize(["float64(float64, float64)"])
def flags(x, p):
    s = 0.0
    for i in range(3):
        if x > 0.0:
            s += math.log(p)
    return s
'''
MODULES = {f"{kind}_{name}": Batch(f"hoist_{kind}_{name}", options) for kind in ("float64", "float32")
           for name, options in (("default", []), ("eight", ["--gang=8"]), ("plain", ["--no-lanes"]))}
for name, module in MODULES.items():
    module.add(TEXT.replace("{F}", name.split("_")[0]))


@pytest.fixture(params=[name for name in MODULES if not name.endswith("plain")])
def modules(request):
    return MODULES[request.param], MODULES[request.param.split("_")[0] + "_plain"], np.dtype(request.param.split("_")[0])


def close(made, plain, function, *arguments):
    """Lanes have their own exp: as near as that is."""
    results = []
    for module in (made, plain):
        given = [np.copy(a) if isinstance(a, np.ndarray) else a for a in arguments]
        with np.errstate(all="ignore"):
            results.append([getattr(module, function)(*given), *(a for a in given if isinstance(a, np.ndarray))])
    for ours, theirs in zip(*results):
        if ours is not None:
            np.testing.assert_allclose(ours, theirs, rtol=1e-5 if made._name.startswith("hoist_float32") else 1e-13, atol=1e-30)


@pytest.mark.parametrize("shape", [(0, 3), (1, 0), (1, 1), (3, 70), (17, 33)])
@pytest.mark.parametrize("t", [0.0, 0.75, -2.0, np.inf, np.nan])
def test_nests(modules, shape, t):
    made, plain, dtype = modules
    a = np.linspace(-2, 3, math.prod(shape)).reshape(shape).astype(dtype)
    v = np.linspace(0.5, 4, shape[0]).astype(dtype)
    close(made, plain, "nests", a, t, v, np.zeros_like(a))
    close(made, plain, "by_cores", a.ravel(), t, np.zeros(a.size, dtype))
    close(made, plain, "late", a.ravel(), t)
    close(made, plain, "late", a.ravel() * 0, t)
    close(made, plain, "named", a, t, np.zeros_like(a))
    close(made, plain, "named_behind", a.ravel(), t)
    close(made, plain, "drawn", a.ravel(), t)
    if t < 10:  # a helper would never end
        close(made, plain, "named_in_turn", a.ravel(), t)


@pytest.mark.parametrize("n", [-1, 0, 1, 3, 9])
def test_what_does_not_stay(modules, n):
    made, plain, dtype = modules
    for p in (-1.0, 0.0, 2.5):
        close(made, plain, "unfit", np.linspace(0, 1, 5).astype(dtype), p, n)
    for k in (0, 3, -5):
        assert_same_effects(made, plain, "traps", n, k)
    for k in (5, 61, 62, 70, -1, 2**62):
        for x in (0, 999, 1000, 2**40, -2**62):
            assert_same_effects(made, plain, "known_inside", n, x, k)
    assert made.asked_by_while(100.0, 0.5 * n) == plain.asked_by_while(100.0, 0.5 * n)
    z = np.arange(max(n, 0)) * (1 - 2j)
    close(made, plain, "complexes", z, 0.5 + 2j)


@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (1, 1), (2, 1), (1, 40), (3, 70), (17, 33)])
def test_rows_around_the_edges(modules, shape):
    made, plain, dtype = modules
    a = np.arange(math.prod(shape), dtype=dtype).reshape(shape)
    out = np.zeros_like(a)
    made.periodic(a, out)
    np.testing.assert_array_equal(out, np.roll(a, 1, 0) + np.roll(a, -1, 0) - np.roll(a, 1, 1) * np.roll(a, -1, 1))


@pytest.mark.parametrize("turns", [0, 1, 5, 6, 40])
def test_divisions(modules, turns):
    made, plain, _ = modules
    for k in (0, 17, -17, 2**63 - 6, -(2**63)):
        for d in (0, 1, -1, 3, -3, 6, 2**62):
            assert_same_effects(made, plain, "divides", k, d, turns)
    with pytest.raises(ZeroDivisionError):
        made.divides(5, 7, 6)


def test_no_warning_of_what_was_not_computed(modules, recwarn):
    """Nor does the division by zero of a logarithm that no turn asks for end anything."""
    made, plain, _ = modules
    for module in (made, plain):
        assert module.flags(np.array([-1.0, -2.0]), 0.0).tolist() == [0.0, 0.0]
    assert [str(w.message) for w in recwarn] == []


def test_they_stand_in_front():
    body = MODULES["float64_default"].emitted.rsplit(" nests(", 1)[1].split("\n}\n")[0]
    assert "fixed = pyk::math::cos(t)" in body.split("for (", 1)[0]
    inner = body.split("int64_t j = 0;", 1)[1]
    assert "log(" in inner and not any(f"{name}(" in inner for name in ("exp", "sin", "cos", "pow"))
    assert "fixed" not in MODULES["float64_plain"].emitted
    body = MODULES["float64_default"].emitted.rsplit(" named(", 1)[1].split("\n}\n")[0]
    inner = body.rsplit("for (", 1)[1]  # one by one, as where there are few rows
    assert "fixed" in inner and "cos(" not in inner and "arc(" not in inner and "const double angle" not in body
    body = MODULES["float64_default"].emitted.rsplit(" named_in_turn(", 1)[1].split("\n}\n")[0]
    assert "turns_until(" in body.split("for (", 1)[1]
