"""Variables of a `prange` iteration that some way through it leaves as they were: each iteration has its own, and reading
one that it has not assigned is an UnboundLocalError. Against the same source in CPython, where nothing is read like that.
"""
import numpy as np
import pytest
from conftest import Batch, run_pyk2cu

built = Batch("privates")
built.add('''
@njit("float64[:](float64[:])", parallel=True)
def in_else(a):
    out = np.zeros(a.size)
    for i in prange(a.size):
        for k in range(10):
            m = a[i] * k
            if m > 2:
                break
        else:
            m = -1.0
        out[i] = m
    return out


@njit("float64[:](float64[:])", parallel=True)
def behind_loop(a):
    out = np.zeros(a.size)
    for i in prange(a.size):
        for k in range(10):
            m = a[i] * k
            if m > 2:
                break
        out[i] = m
    return out


@njit("float64[:](float64[:])", parallel=True)
def behind_while(a):
    out = np.zeros(a.size)
    for i in prange(a.size):
        it = 0
        while it < 50:
            x = a[i] + it
            it += 1
            if x > 3:
                break
        out[i] = x
    return out


@njit("float64[:](float64[:], float64[:])", parallel=True)
def found(a, t):
    out = np.zeros(a.size)
    for i in prange(a.size):
        hit = False
        for k in range(t.size):
            if t[k] > a[i]:
                hit = True
                at = k
                break
        if hit:
            out[i] = at + 1
    return out


@njit("int64[:](float64[:, :], float64)", parallel=True)
def first(a, limit):
    out = np.full(a.shape[0], -1)
    for i in prange(a.shape[0]):
        for j in range(a.shape[1]):
            if a[i, j] > limit:
                at = j
                hit = True
                break
        else:
            hit = False
        if hit and at >= 0:
            out[i] = at
    return out


@njit("float64[:](float64[:])", parallel=True)
def loses(a):
    out = np.zeros(a.size)
    for i in prange(a.size):
        if a[i] > 0.5:
            x = 2 * a[i]
        out[i] = x
    return out
''')
rng = np.random.default_rng(3)
CALLS = {
    "in_else": [(rng.random(n),) for n in (0, 1, 5, 20000)], "behind_loop": [(rng.random(n),) for n in (0, 1, 20000)],
    "behind_while": [(5 * rng.random(n),) for n in (1, 20000)], "found": [(rng.random(n), 0.9 * rng.random(m))
                                                                          for n in (1, 20000) for m in (0, 1, 30)],
    "first": [(rng.random((n, m)), 0.9) for n in (1, 5000) for m in (0, 1, 30)],
    "loses": [(0.5 + 0.5 * rng.random(n) + 1e-9,) for n in (1, 20000)],
}


@pytest.mark.parametrize("name", CALLS)
def test_like_python(name):
    for args in CALLS[name]:
        np.testing.assert_array_equal(getattr(built.module, name)(*args), getattr(built.plain, name)(*args))


def test_what_an_iteration_before_has_left_is_not_there():
    a = np.linspace(1.0, 0.6, 20000)
    a[7] = 0.25
    with pytest.raises(UnboundLocalError, match="'x'"):
        built.module.loses(a)


def test_what_passes_on_is_refused(tmp_path):
    for before, inside in (("x = 0.0", "if a[i] > 0.5: x = a[i]"), ("if a[0] > 0.5: x = 1.0", "if a[i] > 0.5: x = a[i]")):
        (tmp_path / "k.py").write_text(
            "import numpy as np\nfrom numba import njit, prange\n\n\n@njit('void(float64[:], float64[:])', parallel=True)\n"
            f"def f(a, out):\n    {before}\n    for i in prange(a.size):\n        {inside}\n        out[i] = x\n")
        done = run_pyk2cu("k.py", "-o", "out", cwd=tmp_path)
        assert "PK5110" in done.stderr and done.returncode == 1
