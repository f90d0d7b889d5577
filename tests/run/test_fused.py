"""Chains of array expressions: values, errors and what arguments hold afterwards as in NumPy."""
import numpy as np
import pytest
from conftest import Batch

BODIES = {
    "chain": """
        c = a + b
        d = a - b
        e = c * d
        f = e + a
        return np.sqrt(np.abs(f * 2.0))""",
    "reassigned": """
        x = a * 2.0
        x = x + b
        y = x
        x = y * a
        y = x - y
        return x + y""",
    "loop": """
        u = a + 0.0
        w = b * 0.5
        for t in range(3):
            v = u * 0.5 + w
            w = u - v
            u = v + w * a
        return u + w""",
    "branch": """
        c = a + b
        if c.size > 3:
            d = c * 2.0
            c = d - a
        else:
            d = c
        return c * d""",
    "stored_between": """
        c = a + b
        c[0:1] = 7.0
        d = c * a
        d[-1:] += 1.0
        return c - d""",
    "another_name": """
        c = a + b
        k = c
        k[:1] = 5.0
        d = c * 2.0
        k += 1.0
        return d + c + k""",
    "views": """
        c = a + b
        v = c[::-1]
        d = c * 2.0
        v[:] = 3.0 * v
        return d + c + v""",
    "argument_changed": """
        c = a + b
        a *= 2.0
        d = c - a
        a[:] = d
        return d + c""",
    "slice_assigned": """
        e = a + b
        a[:] = b
        return e * a""",
    "slice_of_a_view_assigned": """
        e = a * 3.0
        v = a[:]
        v[:] = b[::-1]
        f = e + 1.0
        return f - a""",
    "own_slice_assigned": """
        d = b + a
        e = d + d
        d[1:] = a[:-1]
        return e - d""",
    "taken_from_a_list": """
        all_of = [a * 2.0]
        c = a + b
        d = all_of.pop()
        e = c - d
        return e * c""",
    "counted_in_a_branch": """
        if a.size > 3:
            n = a.shape[0]
            c = a + b
            rows = a.shape[0]
            d = c * c
        else:
            d = b * 2.0
            d = d + a
            rows = -1
            n = 2
        return d * rows + n""",
    "counted_in_a_loop": """
        d = a + b
        step = 0
        for k in range(2):
            lo = 1
            c = a + b
            d = c * 2.0
            step = 1
            n = a.shape[0]
            m = a.shape[0]
        return d * step + lo + m * n""",
    "scalars": """
        n = len(a)
        c = np.zeros(n) + b
        s = c.sum()
        d = c * s
        e = d + c[0:1] if n > 0 else d
        return e + np.ones(n)""",
    "booleans": """
        m = a > b
        k = a < 2.0
        both = m & k
        return np.where(both | (a == 0.0), a, -b)""",
    "inverses": """
        m = (a > b) ^ (a > 1.0)
        k = ~m
        same = (m & (a < 3.0)) == (b > 0.0)
        return np.where(~(k & (b > 0.0)), a, -b) + ~(m | k) * 1.0 + same * 2.0""",
    "integers": """
        i = (a * 20.0).astype(np.int8)
        j = i + i
        k = j * i
        return (k - i.astype(np.float32)) * 1.0 + a""",
    "several": """
        c = a + b
        d = c + 1.0
        e = d * c
        c2 = d - a
        return np.concatenate((c, d, e, c2))""",
    "long": """
        x = a + b
""" + "\n".join(f"        x{k} = {'x' if k == 0 else f'x{k - 1}'} * 0.5 + a" for k in range(30)) + """
        return x29 + x3""",
}
MADE = Batch("fused")


def add(bodies, result):
    """Each function twice, once for all cores."""
    for name, body in bodies.items():
        for end, options in {"": "", "_cores": ", parallel=True"}.items():
            MADE.add(f"""
@njit("{result}(float64[:], float64[:])"{options})
def {name}{end}(a, b):{body.replace(chr(10) + "        ", chr(10) + "    ")}
""")


add(BODIES, "float64[:]")
MADE.add("""
@njit("float64[:,:](float64[:,:], float64[:,:], float64[:])")
def rows(a, b, v):
    c = a * b
    d = c + v
    e = np.exp(-d * d)
    return e - c


@njit("(float64[:,:], float64[:])")
def pair(a, v):
    c = a + v
    d = c * c
    return c, d, (d > 1.0).sum()


@njit("float64[:](float64[:], float64[:], float64[:])")
def first_error(a, b, out):
    out[:1] = 1.0
    c = a + a
    d = c * 2.0
    out[:1] = 2.0
    e = d + b
    out[:1] = 3.0
    return e


@njit("int64[:](int64[:], int64[:])")
def divides(a, b):
    c = a + 1
    d = c // b
    return d * c


@njit("float64(float64[:], float64[:])")
def counted_before_a_raise(a, b):
    if a.shape[0] > 2:
        c = a + b
        d = c * 2.0
        n = a.shape[0]
        rows = a.shape[0]
    else:
        raise ValueError("too short")
    return d[0] + rows


@njit("float64(float64[:], float64[:])")
def named_in_a_loop(a, b):
    while True:
        lo = 1
        c = a + b
        d = c * 2.0
        step = 1
        if d[lo] > 0.0:
            break
        a = d + 3.0
    return d[0] + step


@njit
def doubled(x):
    x *= 2.0
    return x


@njit("float64[:](float64[:])")
def by_helper(a):
    c = a + 1.0
    d = doubled(c)
    e = c - a
    return e + d


@njit("float64[:](float64[:])")
def held(a):
    all_of = []
    for k in range(3):
        c = a + k
        d = c * 2.0
        all_of.append(c)
    c = all_of[0]
    return all_of[1] + c * d
""")
SUMS = {
    "distance": """
        d = a - b
        return np.sqrt(np.sum(d * d))""",
    "dots": """
        d = a - b
        e = a + b
        return d @ e + np.dot(d, d)""",
    "two_sums": """
        d = a - b
        s = np.sum(d * d)
        t = np.sum(d + a)
        return s / (t * t + 1.0)""",
    "sums_at_once": """
        x = a - a.mean()
        y = b - b.mean()
        return np.sum(x * y) / np.sqrt(np.sum(x ** 2) * np.sum(y ** 2) + 1.0)""",
    "sum_of_a_sum": """
        d = a - b
        s = np.sum(d * d)
        e = d / (s + 1.0)
        return np.sum(e * s + e)""",
    "means": """
        d = a - np.mean(a)
        e = np.abs(d) + b
        return np.mean(e * e) if len(e) > 0 else -1.0""",
    "product": """
        d = a * 0.125 + b
        return np.prod(d * 0.0625 + 1.0)""",
    "kept": """
        d = a - b
        s = np.sum(d * 2.0)
        d[:1] = s
        return s + d[0] if len(d) > 0 else s""",
    "sum_in_front": """
        s = np.sum(a * 2.0)
        c = a + s
        d = c * b
        return np.sum(d + c)""",
    "of_loops": """
        c = a + b
        s = 0.0
        last = 1.0
        for i in range(len(c)):
            s += c[i] * last
            last = c[i]
        d = c * last
        return s + np.sum(d * d)""",
    "of_a_loop_behind": """
        t = 2.0
        c = np.zeros(len(a)) + b
        for i in range(len(a)):
            t = c[i] + a[i]
        s = 0.0
        for i in range(len(a)):
            s += c[i] * t
            t = s * 0.5
        return s + t""",
    "counts": """
        m = a > b
        k = m & (a > 1.0)
        return np.sum(k * 1) + np.sum((~k) * 2) * 1.0""",
    "in_a_loop": """
        s = 0.0
        for k in range(4):
            d = a * k - b
            e = d * d
            s += np.sum(e * a)
            if s > 100.0:
                s -= np.mean(e + d)
        return s""",
    "integers_too": """
        i = (a * 16.0).astype(np.int64)
        j = i // 3 - i
        return np.sum(j * i) + np.mean(i * 2 + np.zeros(len(i)))""",
    "complex_numbers": """
        z = a + 1j * b
        w = z * z
        s = np.sum(w * z)
        return s.real + s.imag""",
    "many_sums": """
        d = a - b
        return np.sum(d * 2.0) + np.sum(d * d) * np.sum(d + 1.0) - np.sum(d * a) + np.sum(d * b) * np.sum(d - b)""",
}
add(SUMS, "float64")
MADE.add("""
@njit("(float64[:,:], float64[:,:], float64[:])")
def of_matrices(a, b, v):
    d = a - b
    e = d * v
    s = np.sum(e * d)
    return s, np.mean(e + 1.0), np.sum(d * d, axis=1), np.sum((a * 2.0).T)


@njit("float64[:,:](float64[:,:])")
def distances(x):
    out = np.zeros((len(x), len(x)))
    for i in range(len(x)):
        for j in range(i):
            d = x[i] - x[j]
            out[i, j] = np.sqrt(np.sum(d ** 2))
            e = x[i] + x[j]
            out[j, i] = e @ d
    return out


@njit("float64(float64[:], int64)")
def bound_changes(a, n):
    c = a * 2.0
    s = c[0]
    t = 0.0
    for i in range(n):
        n = i
        s += a[i]
    for j in range(n):
        t += a[j]
    return s * 1000 + t


@njit("float64(float64[:,:], int64)")
def inner_bound_changes(m, n):
    z = m * 1.0
    s, t, k = z[0, 0], 0.0, n
    for i in range(len(m)):
        for j in range(k):
            s += m[i, j]
            k = j + 1 - 1
    for i in range(len(m)):
        for j in range(k):
            t += m[i, j]
    return s * 1000 + t


@njit("float64(float64[:,:])")
def name_of_row(m):
    z = m * 1.0
    row, s, t = m[0], z[0, 0], 0.0
    for i in range(len(m)):
        row = m[i]
        s += row[0]
    k = row
    for i in range(len(m)):
        t += m[i, 1]
    return k[0] * 1000 + s + t


@njit("float64(float64[:,:])")
def extent_of_row(m):
    z = m * 1.0
    row, s, t = m[0], z[0, 0], 0.0
    for i in range(len(m)):
        row = m[i, i:]
        s += row[0]
    k = row.shape[0]
    for i in range(len(m)):
        t += m[i, 1]
    return k * 1000 + s + t


@njit("float32(float32[:], float32[:])")
def short(a, b):
    d = a - b
    return np.mean(d * d)
""")
SHAPES = [(n, m) for n in (0, 1, 2, 7, 40, 300) for m in (n, 1)] + [(1, 5), (3, 4)]


def numbers(seed, n):
    return np.random.default_rng(seed).integers(-30, 60, n) / 16


def same(name, *arguments, rtol=1e-14):
    results = []
    for module in (MADE, MADE.plain):
        copies = [np.copy(a, order="K") for a in arguments]
        try:
            with np.errstate(all="ignore"):
                results.append((getattr(module, name)(*copies), copies))
        except (ValueError, ZeroDivisionError) as error:
            results.append((type(error), copies))
    (ours, ours_then), (theirs, theirs_then) = results
    if isinstance(theirs, type):
        assert ours is theirs
    else:
        for x, y in zip(ours, theirs) if isinstance(theirs, tuple) else [(ours, theirs)]:
            np.testing.assert_allclose(x, y, rtol=rtol, atol=1e-300, strict=True)
    for x, y in zip(ours_then, theirs_then):
        np.testing.assert_array_equal(x, y)


@pytest.mark.parametrize("end", ["", "_cores"])
@pytest.mark.parametrize("name", BODIES)
def test_chains(name, end):
    for n, m in SHAPES:
        if name == "integers" and n == 0:
            continue
        a, b = numbers(n, n), numbers(m + 1, m)
        if n != m and ("assigned" in name or name == "argument_changed"):
            continue  # what NumPy refuses has been computed in part
        same(name + end, a, b)
        same(name + end, a[::-1], b[::-1])
        if n == m:
            same(name + end, np.repeat(a, 2)[::2], b)


@pytest.mark.parametrize("end", ["", "_cores"])
@pytest.mark.parametrize("name", SUMS)
def test_sums(name, end):
    alike = name in ("dots", "of_loops", "of_a_loop_behind", "integers_too", "sums_at_once")
    for n, m in SHAPES:
        if (n == 0 and name in ("sums_at_once", "integers_too")) or (n != m and alike):
            continue
        a, b = numbers(n, n), numbers(m + 1, m)
        if len(a) == 0 and name == "means":
            continue
        same(name + end, a, b, rtol=1e-11)
        same(name + end, np.repeat(a[::-1], 2)[::2], b[::-1], rtol=1e-11)


@pytest.mark.parametrize("shape", [(1, 1), (3, 1), (1, 4), (5, 40), (40, 5)])
def test_sums_of_matrices(shape):
    for other in {shape, (1, shape[1]), (1, 1), (2, 3)}:
        a, b, v = numbers(1, shape), numbers(2, other), numbers(3, shape[1])
        same("of_matrices", a, b, v, rtol=1e-11)
        same("of_matrices", np.asfortranarray(a), b[:, ::-1], v[::-1], rtol=1e-11)
    same("distances", numbers(4, shape), rtol=1e-11)


def test_loops_of_the_user():
    same("bound_changes", np.arange(1.0, 6.0), 5)
    m = np.arange(12.0).reshape(3, 4)
    same("inner_bound_changes", m, 4)
    for name in "name_of_row", "extent_of_row":
        same(name, m)


@pytest.mark.parametrize("n", [1, 7, 300])
def test_short_numbers(n):
    a, b = numbers(1, n).astype("float32"), numbers(2, n).astype("float32")
    np.testing.assert_allclose(MADE.short(a, b), np.mean((a - b) ** 2), rtol=1e-5)


@pytest.mark.parametrize("shape", [(0, 3), (1, 1), (3, 1), (1, 4), (5, 40), (40, 5)])
def test_rows(shape):
    for other in {shape, (1, shape[1]), (shape[0], 1), (1, 1), (2, 3)}:
        for n in {shape[1], 1, 3}:
            a, b, v = numbers(1, shape), numbers(2, other), numbers(3, n)
            same("rows", a, b, v)
            same("rows", a, np.asfortranarray(b), v)
            same("pair", a.T[::-1], numbers(4, shape[0]))


@pytest.mark.parametrize("n, m", [(3, 3), (3, 1), (3, 4), (0, 2), (1, 4)])
def test_errors(n, m):
    """What stands in front of the expression that fails has been done."""
    same("first_error", numbers(1, n), numbers(2, m), np.zeros(2))


@pytest.mark.parametrize("n", [2, 3, 9])
def test_counts_that_are_read_elsewhere(n):
    for name in "counted_before_a_raise", "named_in_a_loop":
        same(name, numbers(1, n), numbers(2, n))


def test_divisions():
    same("divides", np.arange(-5, 6), np.full(11, 2))
    same("divides", np.arange(-5, 6), np.full(1, 3))


@pytest.mark.parametrize("n", [0, 1, 5, 100])
def test_who_holds_arrays(n):
    for name in "by_helper", "held":
        same(name, numbers(1, n))


def test_nothing_is_left_of_what_is_between():
    """One loop, one array."""
    text = MADE.emitted.split(" chain(")[-1].split("\n}\n")[0]
    assert text.count("for (") == 1 and text.count("pyk::empty<") == 1, text
    text = MADE.emitted.split(" distance(")[-1].split("\n}\n")[0]
    assert "pyk::empty<" not in text and "pyk::total(" in text
