"""Gangs that are not whole, conditions on functions, subscripts of blocks: beside Numba, at every number of iterations."""
import numpy as np
import pytest
from conftest import BUILD_PYTHON, load_module, run_pyk2cu

pytest.importorskip("numba", reason="Numba is the oracle of these tests")

SOURCE = '''
import numpy as np
from numba import njit


@njit("void(float32[:,:,::1], int32[:,::1], int32[::1], float32[:,::1], float32[:,:,::1])")
def weighted(data, nodes, count, weights, out):
    for t in range(data.shape[0]):
        for node in range(nodes.shape[0]):
            for k in range(data.shape[2]):
                total = 0.0
                found = 0
                for m in range(count[node]):
                    value = data[t, nodes[node, m], k]
                    if not np.isnan(value):
                        total += value * weights[node, m]
                        found += 1
                if found > 0:
                    out[t, node, k] = total * count[node] / found


@njit("int64(float32[:,::1], int64, float64[::1])")
def last(data, rounds, out):
    kept = -1
    for r in range(rounds):
        for k in range(data.shape[1]):
            most = 0.0
            for m in range(data.shape[0]):
                value = data[m, k]
                if value > 0.25:
                    most += value
                    kept = k * 100 + m
            out[k] += most
    return kept


@njit("Tuple((float64, float64))(float64[::1], float64, int64)")
def split(s, p, n):
    kept = lost = 0.0
    for i in range(s.size):
        value = s[i] ** p
        if not np.isnan(value):
            if i < n:
                kept += value
            else:
                lost += value
    return kept, lost


@njit("void(float64[::1], float64[::1], float64)")
def signs(s, out, n):
    for i in range(s.size):
        v = np.log(s[i])
        if v > -1.0 and v < n:
            if i % 3 == 0:
                out[i] = v
            else:
                out[i] = -v
        else:
            out[i] = 0.0


@njit("int64(float64[::1], float64, int64)")
def counted(s, p, n):
    found = 0
    for i in range(s.size):
        v = np.exp(s[i])
        w = np.sin(s[i])
        if v > p and w < 0.75:
            if i < n or w < 0.2:
                found += i
    return found


@njit("void(float64[:,::1], float64[:,::1], float64[:,::1])")
def kron(a, b, out):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            for k in range(b.shape[0]):
                for m in range(b.shape[1]):
                    out[i * b.shape[0] + k, j * b.shape[1] + m] = a[i, j] * b[k, m]


@njit("void(float64[:,:], float64[:,:], int64, int64)")
def blocks(b, out, n, q):
    for i in range(b.shape[0]):
        for j in range(n):
            for m in range(q):
                at = q * j + m
                out[i, at] = 2.0 * b[i, m]


@njit("float64(float64[:], int64, int64, int64)")
def perhaps(a, n, q, end):
    s = 0.0
    for j in range(n):
        for m in range(4):
            at = q * j + m
            if at >= 0 and at < end:
                s += a[at]
    return s
'''


@pytest.fixture(scope="module")
def both(tmp_path_factory):
    folder = tmp_path_factory.mktemp("ends")
    (folder / "ends.py").write_text(SOURCE)
    done = run_pyk2cu("ends.py", "-o", "out", "--build", "--python", BUILD_PYTHON, cwd=folder)
    assert done.returncode == 0, done.stderr
    names = {}
    exec(SOURCE, names)
    return names, load_module(next((folder / "out").glob("ends.*.so")))


def check(both, name, *args, close=False):
    copies = [a.copy() if isinstance(a, np.ndarray) else a for a in args]
    got, want = getattr(both[1], name)(*args), both[0][name](*copies)
    same = np.testing.assert_allclose if close else np.testing.assert_array_equal
    for one, other in zip((got, *args), (want, *copies)):
        if one is not None:
            same(one, other, **({"rtol": 1e-12} if close else {}))


@pytest.mark.parametrize("size", [*range(0, 20), 31, 32, 33, 40, 63, 64, 65, 70])
def test_gangs_that_are_not_whole(both, size):
    rng = np.random.default_rng(size)
    data = rng.random((2, 9, size)).astype("f4")
    data[rng.random(data.shape) < 0.3] = np.nan
    nodes, count = rng.integers(0, 9, (5, 4)).astype("i4"), rng.integers(0, 5, 5).astype("i4")
    check(both, "weighted", data, nodes, count, rng.random((5, 4)).astype("f4"), np.zeros((2, 5, size), "f4"))
    check(both, "last", np.ascontiguousarray(data[0]), 3, np.zeros(size))


@pytest.mark.parametrize("size", [0, 1, 7, 31, 32, 33, 100])
def test_conditions_on_functions(both, size):
    s = np.random.default_rng(size).random(size) * 2
    s[::5] *= -1
    for n in (0, size // 2, size):
        check(both, "split", s, 1.7, n, close=True)
        check(both, "split", np.abs(s), 0.0, n)
        check(both, "counted", s, 1.3, n)
    check(both, "signs", np.abs(s), np.zeros(size), 0.3, close=True)


@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (1, 1), (2, 5), (4, 17)])
def test_blocks(both, shape):
    rng = np.random.default_rng(1)
    b = rng.random(shape)
    check(both, "kron", rng.random((3, 2)), b, np.zeros((3 * shape[0], 2 * shape[1])))
    check(both, "blocks", b, np.zeros((shape[0], 3 * shape[1])), 3, shape[1])
    check(both, "blocks", b[::-1], np.zeros((shape[0], 6 * shape[1]))[:, ::2], 3, shape[1])


def test_a_subscript_that_nobody_asks_for_may_wrap(both):
    a = np.arange(12.0)
    for n, q in ((3, 4), (5, 2**62), (9, 2**61), (3, -4)):
        check(both, "perhaps", a, n, q, 12)
