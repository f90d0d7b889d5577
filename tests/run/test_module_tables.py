"""Tables that loops and statements of the module fill: constants of compiled functions, as Python leaves them."""
import numpy as np
import pytest
from conftest import Batch, run_pyk2cu

TABLES = {
    "LUT": """LUT = np.full(256, 255, dtype=np.uint8)
for _i, _b in enumerate(b"ACGT"):
    LUT[_b] = _i
    LUT[_b + 32] = _i""",
    "CODE": """CODE = np.zeros(128, np.int8)
for _c in "ACGT":
    CODE[ord(_c)] = "ACGT".index(_c) + 1
CODE[-1], CODE[0] = -1, -2""",
    "GAUSS": """GAUSS = np.exp(-0.5 * np.arange(-20, 21) ** 2)
GAUSS /= GAUSS.sum()""",
    "PAIRS": """found = []
for i in range(3):
    for j in range(i, 3):
        if i != j:
            found.append((i, j))
found.extend([(7, 8), (9, 9)])
PAIRS = np.array(found, dtype=np.int64)""",
    "FACTORIALS": """FACTORIALS = np.ones(21, dtype=np.int64)
for n in range(1, 21):
    FACTORIALS[n] = FACTORIALS[n - 1] * n""",
    "SINES": """SINES = np.zeros(90)
for k in range(90):
    SINES[k] = math.sin(math.radians(k))
SINES *= 2""",
    "CRC": """CRC = np.zeros(256, dtype=np.uint32)
for n in range(256):
    c = n
    for k in range(8):
        if c & 1:
            c = 0xEDB88320 ^ (c >> 1)
        else:
            c = c >> 1
    CRC[n] = c""",
    "BOX": """BOX = np.zeros((3, 4), np.float32)
BOX[1] = 2.5
BOX[:, 0] = 0.1
BOX[0, 2] += 5
BOX[2, 1:] = np.arange(3) * 1.5
BOX[::2, -1] -= 1""",
    "OFFSETS": """OFFSETS = np.zeros((8, 2), np.int32)
at = 0
for di in (-1, 0, 1):
    for dj in (-1, 0, 1):
        if di == 0 and dj == 0:
            pass
        else:
            OFFSETS[at, 0], OFFSETS[at, 1] = di, dj
            at += 1""",
    "MEANS": """MEANS = np.zeros(3)
for k, v in zip(range(3), np.array([1.5, 2.5, 4.0])):
    MEANS[k] = v - np.array([1.0, 2.0, 4.5]).mean() + np.arange(9).max()""",
    "COUNT": """LIMIT = 3
LIMIT *= 2
LIMIT -= 1
COUNT = np.full(LIMIT, LIMIT)""",
    "WINDOW": """WINDOW = np.zeros((13, 11), dtype=np.float32)
for r in range(13):
    for c in range(11):
        if (r - 6) ** 2 + (c - 5) ** 2 <= 30:
            WINDOW[r, c] = 1.0 / (1.0 + r + c)
WINDOW /= WINDOW.sum()
WINDOW -= WINDOW.mean()""",
    "LETTERS": """LETTERS = np.array([1 if chr(b) in "ACGTä" else 0 for b in range(256)], dtype=np.uint8)
for b in range(200, 240):
    LETTERS[b] += len(chr(b)) + 5 * (chr(b) == "é")""",
    "BITS": """BITS = np.zeros(16, dtype=np.bool_)
for k in range(16):
    BITS[k] = k % 3 == 0""",
}
built = Batch("tables")
built.add("import math\n\n" + "\n".join(TABLES.values()) + "".join(f'''

@njit("({types},)")
def get_{name}(k):
    return {name}.copy(), {name}.shape[0] + k
'''.replace(f"({{types}},)", "(int64,)") for name, types in ((name, "int64") for name in TABLES)))


@pytest.mark.parametrize("name", TABLES)
def test_as_python_leaves_them(name):
    namespace = {"np": np, "math": __import__("math")}
    exec(TABLES[name], namespace)
    expected = namespace[name]
    ours, length = getattr(built, f"get_{name}")(1)
    assert ours.dtype == expected.dtype and ours.shape == expected.shape and length == len(expected) + 1
    np.testing.assert_array_equal(ours, expected)


UNKNOWN = {
    "another name of the array": "T = np.zeros(4)\nU = T\nT[0] = 1.0",
    "a view of the array": "T = np.zeros(4)\nU = T[:2]\nT[0] = 1.0",
    "the other name of the array": "T = np.zeros(4)\nU = T\nU[0] = 1.0",
    "the other name in place": "T = np.zeros(4)\nU = T\nU += 1.0",
    "a view that changes": "T = np.zeros(4)\nU = T.reshape(2, 2)\nU[0, 0] = 1.0",
    "a name in a loop": "T = np.zeros(4)\nfor i in range(2):\n    U = T\n    U[i] = 1.0",
    "arrays in turn": "T = np.zeros(4)\nS = np.ones(4)\nfor a in (T, S):\n    a[0] = 5.0",
    "an array in a list": "T = np.zeros(4)\nL = []\nL.append(T)\nT[0] = 1.0\nT = np.array(L)[0]",
    "an imported one": "from other import T\nT[0] = 1.0",
    "a call for its effect": "T = np.zeros(4)\nfor i in range(4):\n    T[i] = i\n    print(i)",
    "what is not known": "T = np.zeros(4)\nfor i in range(4):\n    T[i] = float(input())",
    "a number that does not fit": "T = np.zeros(4, np.uint8)\nT[0] = 300",
    "an index that is not there": "T = np.zeros(4)\nT[4] = 1.0",
    "a type that changes": "T = np.ones(4, np.int64)\nT /= 2",
    "a loop that is left": "T = np.zeros(4)\nfor i in range(4):\n    if i > 2:\n        break\n    T[i] = 1",
    "a condition": "T = np.zeros(4)\nif input():\n    T[0] = 1.0",
    "a function that changes it": "T = np.zeros(4)\ndef fill():\n    T[0] = 1.0\nfill()",
}


@pytest.mark.parametrize("what", UNKNOWN)
def test_what_nobody_can_tell_is_refused(what, tmp_path):
    (tmp_path / "other.py").write_text("import numpy as np\nT = np.zeros(4)\n")
    (tmp_path / "k.py").write_text(f"import numpy as np\nfrom numba import njit\n\n{UNKNOWN[what]}\n\n\n@njit('float64(int64)')\ndef f(k):\n    return T[k]\n")
    said = run_pyk2cu("k.py", "-o", "out", cwd=tmp_path)
    assert said.returncode == 1 and "error[PK3044]: `T` is a value of the host program" in said.stderr, said.stdout + said.stderr


def test_a_function_with_a_name_of_its_own(tmp_path):
    (tmp_path / "k.py").write_text("import numpy as np\nfrom numba import njit\n\nT = np.arange(4.0)\n\n\ndef fill(T, n):\n    T[0] = n\n\n\n"
                                   "def other():\n    T = np.zeros(2)\n    T[1] = 3\n    return T\n\n\n"
                                   "@njit('float64(int64)')\ndef f(k):\n    return T[k]\n")
    said = run_pyk2cu("k.py", "-o", "out", cwd=tmp_path)
    assert said.returncode == 0, said.stderr
