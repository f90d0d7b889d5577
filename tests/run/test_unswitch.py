"""Loops that ask what is the same in every turn: one for each answer, as CPython runs them."""
import itertools

import numpy as np
import pytest
from conftest import Batch, assert_same_effects, outcome_of

built = Batch("unswitch")
built.add('''
@njit("float64[:](float64[:], int64, int64)")
def windows(a, w, mode):
    n = len(a)
    out = np.zeros(n)
    for i in range(n):
        s = 0.0
        for k in range(-w, w + 1):
            j = i + k
            if mode == 0:
                if j < 0 or j >= n:
                    continue
            elif mode == 1:
                j = j % n
            elif mode == 2:
                j = min(max(j, 0), n - 1)
            else:
                if j < 0:
                    break
                if j >= n:
                    return out
            s += a[j]
        out[i] = s
    return out


@njit("Tuple((float64, int64, float64))(float64[:], boolean, boolean, int64)")
def seen_behind(a, squares, stops, n):
    """What the loop leaves behind; two questions, one of them twice."""
    last, count, x = -1.0, 0, 0.0
    for i in range(n):
        x = a[i]
        if squares:
            x = x * x
            count += 1
        if stops:
            if x > 2.0:
                break
        if squares:
            last = x
        else:
            last = x + 1.0
            continue
        count += 10
    return last, count, x


@njit("float64(float64[:, :], int64, int64)")
def raises(a, kind, n):
    s = 0.0
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            if kind == 0:
                s += a[i, j % n]
            elif kind == 1:
                if a[i, j] < 0.0:
                    raise ValueError("negative", i, j)
                s += a[i, j]
            else:
                s -= a[i, j]
    return s


@njit("float64(float64[:], int64)", parallel=True)
def cores(a, kind):
    s = 0.0
    for i in prange(len(a)):
        if kind > 0:
            s += a[i]
        elif kind < 0:
            s += a[i] * 2.0
    return s


@njit("void(int64[:, :], int64, int64[:, :])")
def rolled(a, axis, out):
    n, m = a.shape
    for i in range(n):
        for j in range(m):
            if axis == 0:
                out[(i + 1) % n, j] = a[i, j]
            elif axis == 1:
                out[i, (j + 1) % m] = a[i, j]
            else:
                out[i, j] = out[i, j] + a[i, j]


@njit
def kernel(u, kind):
    if kind == 0:
        return np.exp(-0.5 * u * u)
    elif kind == 1:
        return 0.75 * (1.0 - u * u) if abs(u) < 1.0 else 0.0
    return 0.5 if abs(u) <= 1.0 else 0.0


@njit
def at(a, i, mode):
    n = len(a)
    if mode == 0:
        if i < 0 or i >= n:
            return 0.0
        return a[i]
    if mode == 1:
        return a[min(max(i, 0), n - 1)]
    return a[i % n]


@njit("void(float64[:], int64, float64[:])")
def helped(x, kind, out):
    for i in range(len(x)):
        out[i] = kernel(x[i], kind)


@njit("void(float64[:], float64[:], int64, float64[:])")
def convolved(a, w, mode, out):
    m = len(w) // 2
    for i in range(len(a)):
        s = 0.0
        for k in range(len(w)):
            s += w[k] * at(a, i + k - m, mode)
        out[i] = s


@njit
def counted(x, log, verbose):
    if verbose:
        log[0] += 1
        if x < 0:
            raise ValueError("negative", x)
    return x * 2


@njit("float64(float64[:], int64[:], boolean)")
def effects(a, log, verbose):
    s = 0.0
    for i in range(len(a)):
        s += counted(a[i], log, verbose)
    return s
''')


@pytest.mark.parametrize("n", [0, 1, 2, 7, 40, 100])
def test_windows(n):
    a = np.random.default_rng(n).random(n)
    for w, mode in itertools.product((0, 1, 5, 20), range(-1, 4)):
        if w < n or mode in (0, 2):
            assert_same_effects(built.module, built.plain, "windows", a, w, mode)
            assert_same_effects(built.module, built.plain, "windows", a[::-1], w, mode)


def test_what_is_seen_behind():
    for squares, stops, n in itertools.product((False, True), (False, True), (0, 1, 5, 40)):
        assert_same_effects(built.module, built.plain, "seen_behind", np.linspace(0.0, 3.0, 40), squares, stops, n)


def test_exceptions():
    a = np.ones((5, 9))
    for kind, n, value in itertools.product((0, 1, 2), (0, 3), (1.0, -1.0)):
        a[3, 4] = value
        ours, theirs = outcome_of(built.raises, [a, kind, n]), outcome_of(built.plain.raises, [a, kind, n])
        if isinstance(theirs, Exception):
            assert type(ours) is type(theirs) and ours.args[:1] == theirs.args[:1] or isinstance(theirs, ZeroDivisionError)
            assert type(ours) is type(theirs)
        else:
            assert ours == theirs
    assert outcome_of(built.raises, [a[:0], 0, 0]) == 0.0


@pytest.mark.parametrize("kind", [-1, 0, 1])
def test_cores(kind):
    a = np.arange(10000.0)
    np.testing.assert_allclose(built.cores(a, kind), built.plain.cores(a, kind), rtol=1e-12)


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_rolled(axis):
    for shape in (0, 4), (1, 1), (5, 33), (33, 5):
        a = np.random.default_rng(1).integers(0, 99, shape)
        assert_same_effects(built.module, built.plain, "rolled", a, axis, np.zeros(shape, np.int64))
        same = np.zeros(shape, np.int64)
        assert_same_effects(built.module, built.plain, "rolled", a[::-1, ::-1], axis, same)


@pytest.mark.parametrize("n", [0, 1, 5, 40, 100])
def test_functions_that_ask(n):
    x = np.random.default_rng(n).normal(size=n)
    for mode in (0, 1, 2):
        outs = [np.zeros(n), np.zeros(n)]
        for module, out in zip((built.module, built.plain), outs):
            module.helped(x, mode, out)
        np.testing.assert_allclose(*outs, rtol=1e-14)
        for w in (np.array([0.25, 0.5, 0.25]), np.arange(9.0), np.ones(2)[::-1]):
            if n:
                assert_same_effects(built.module, built.plain, "convolved", x, w, mode, np.zeros(n))


def test_effects_of_functions():
    a = np.arange(50.0)
    for verbose, last in itertools.product((False, True), (1.0, -1.0)):
        a[40] = last
        logs, found = [np.zeros(1, np.int64), np.zeros(1, np.int64)], []
        for module, log in zip((built.module, built.plain), logs):
            try:
                found.append(module.effects(a, log, verbose))
            except ValueError as error:
                found.append(error.args)
        assert found[0] == found[1] and logs[0].tolist() == logs[1].tolist()


def test_one_loop_for_each_answer():
    text = built.emitted
    body = text[text.index("// unswitch.py"):]
    body = body[body.index(" rolled("):]
    assert body[:body.index("\n}\n")].count("axis == 0") == 1
