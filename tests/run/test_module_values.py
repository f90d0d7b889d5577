"""Values of the module that functions use, as hosts compute them: lists, texts, ranges, constants of SciPy; names of builtins; types of arguments."""
import numpy as np
import pytest
from conftest import Batch, run_pyk2cu

VALUES = Batch("module_values")
VALUES.add('''
A, B, C = range(3)
xrange = range
smallest = min
W = np.array([4 / 9] + [1 / 9] * 4 + [1 / 36] * 4)
CODES = np.array([ord(letter) for letter in "ACGT"])
RAW = np.frombuffer(b"AC\\xff", dtype=np.uint8)
SIGNED = np.frombuffer(b"AC\\xff", np.int8)
L = list(range(5))
HALVES = np.asarray(L) / 2
P = [1, 2] * 3
ZEROS = np.array([[0] * 3, [1] * 3])
SORTED = np.array(sorted([3, -1, 2]))
OFFSETS = [(0, 1), (1, 0)]
NEAR = np.array(OFFSETS + [(1, 1)], dtype=np.int32)
TOTAL, COUNT, LARGEST = sum(P), len(P), max(P)
TOP, SEVEN = numba.uint64(0x8000000000000000), numba.types.int8(7)


@njit("Tuple((uint64, int64))(uint64)")
def of_numba(x):
    return (x ^ TOP) + TOP, SEVEN * 100


@njit("Tuple((float64, float64, float64))()")
def floats():
    return W[1] + W[8], HALVES[3], A + 10 * C


@njit("Tuple((int64, int64, int64, int64, int64, int64))()")
def integers():
    return CODES[2] + RAW[2], SIGNED[2], TOTAL + COUNT + LARGEST, NEAR[2, 1] + NEAR[0, 1], SORTED[0] + ZEROS[1, 2], smallest(4, 3)


@njit("int64(int64)")
def counted(n):
    s = 0
    for i in xrange(n):
        s += i
    return s


@njit("int64(int64)")
def listed(n):
    s = 0
    for k in [1, -2, n]:
        s = s * 10 + k
    for i, j in [(1, 2), (3, n)]:
        s += i * j
    return s


@njit(["float32(float32)", "float64(float64)", "int64(int64)"])
def of_its_type(x):
    T = type(x)
    return T(3) / T(7) * x + type(x)(1) if T(1) / T(2) != 0 else x


@njit("void(float{0}[:], {1})".format(64, "int32"))
def formatted(x, y):
    x[0] = y


@njit("%s(f%d[:])" % ("float32", 4))
def by_percent(x):
    return x[0]
''')
PLAIN = VALUES.plain


def test_types_of_numba_as_functions():
    assert VALUES.of_numba(5) == (5, 700)


SCIPY = Batch("scipy_values")  # which is not there when they are compiled, nor when they run
SCIPY.add('''
from scipy.constants import c as LIGHT
import scipy.constants as physics


@njit("Tuple((float64, float64))(float64)")
def of_scipy(x):
    return LIGHT * x, physics.k / physics.nano
''')


def test_values():
    assert VALUES.floats() == PLAIN.floats()
    assert VALUES.integers() == tuple(int(i) for i in PLAIN.integers())
    assert [VALUES.counted(n) for n in (0, 7)] == [0, 21]
    assert VALUES.listed(5) == PLAIN.listed(5)


def test_constants_of_scipy():
    assert SCIPY.of_scipy(2.0) == (2 * 299792458.0, 1.380649e-23 / 1e-9)


def test_types_of_arguments():
    single = np.float32(0.3)
    assert VALUES.of_its_type(single) == float(np.float32(3) / np.float32(7) * single + np.float32(1))
    assert VALUES.of_its_type(0.3) == PLAIN.of_its_type(0.3)


def test_signatures_in_parts():
    x = np.zeros(1)
    VALUES.formatted(x, 7)
    assert x[0] == 7 and VALUES.by_percent(np.ones(1, np.float32)) == 1
    with pytest.raises(TypeError):
        VALUES.by_percent(x)


CHANGED = {
    "called": "L = [1]\nL.append(np.random.rand())",
    "two names": "L = [1]\nM = L\nM.append(5)",
    "given": "import random\nL = [1, 2]\nrandom.shuffle(L)",
    "a condition": "L = [1]\nif np.random.rand() > 1:\n    L = [2]",
    "a loop": "L = [1]\nwhile len(L) < 3:\n    L.append(1)",
    "inside another": "L = [1]\nM = [L, L]\nL.append(5)",
    "an item": "L = [1, 2]\nL[0] = 9",
    "in place": "L = [1, 2]\nL += [3]",
    "a function": "L = [1]\ndef add():\n    global L\n    L = [2]\nadd()",
}


@pytest.mark.parametrize("change", CHANGED)
def test_lists_that_change(change, tmp_path):
    """What nobody knows is no constant."""
    source = tmp_path / "k.py"
    source.write_text(f"import numpy as np\nfrom numba import njit\n{CHANGED[change]}\nX = np.array(L)\n@njit('int64()')\ndef f():\n    return X[0]\n")
    done = run_pyk2cu(source, "-o", tmp_path / "out")
    assert done.returncode == 1 and "PK3044" in done.stderr


ARRAYS = Batch("array_copies")
ARRAYS.add('''
@njit("float64(float64[:, ::1], float64[:])")
def copied(a, b):
    """A copy is one's own; the elements of a C array in one axis are the array's."""
    c = np.copy(a)
    c[0, 0] = 100.0
    d = a.ravel()
    d[1] = 50.0
    e = np.copy(b)
    e[0] = 7.0
    s = 0.0
    for v in d:
        s += v
    return s + c[0, 0] + a[0, 1] + e[0] + b[0]


@njit("float64[::1](float64[:, ::1])")
def raveled(a):
    return a.ravel()
''')


def test_copies():
    results = []
    for module in (ARRAYS, ARRAYS.plain):
        a, b = np.arange(6.0).reshape(2, 3), np.arange(8.0)[::-2]
        results.append((module.copied(a, b), a.tolist(), b.tolist()))
    assert results[0] == results[1]
    a = np.arange(6.0).reshape(2, 3)
    ARRAYS.raveled(a)[2] = -1
    assert a[0, 2] == -1
