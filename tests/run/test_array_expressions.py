"""Array expressions beside NumPy: types, shapes, layouts, memory that is shared, what raises."""
import numpy as np
import pytest
from conftest import Batch, run_pyk2cu

NAMES = {"f8": "float64", "f4": "float32", "i8": "int64", "i4": "int32", "i2": "int16", "i1": "int8", "u1": "uint8", "u4": "uint32",
         "b1": "boolean", "c16": "complex128", "c8": "complex64"}
# Beside float32 Numba gives integers of any size float32.
PAIRS = [("f8", "f8", "f8"), ("f4", "f4", "f4"), ("f4", "f8", "f8"), ("i4", "f4", "f4"), ("i8", "f8", "f8"), ("i4", "i4", "i4"),
         ("i4", "i8", "i8"), ("u1", "u1", "u1"), ("i1", "i2", "i2"), ("u1", "i4", "i4"), ("u4", "i4", "i8"), ("c16", "f8", "c16"),
         ("c8", "f4", "c8"), ("c16", "c16", "c16")]
ARITHMETIC = {"add": "+", "sub": "-", "mul": "*"}
WHOLE = {"floordiv": "//", "mod": "%"}
BITS = {"and": "&", "or": "|", "xor": "^", "shl": "<<", "shr": ">>"}
COMPARE = {"lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "==", "ne": "!="}


def operations(left, right, result):
    """name, operator, result type of a op b"""
    is_complex = result.startswith("c")
    yield from ((name, op, result) for name, op in ARITHMETIC.items())
    small = result in ("i1", "i2", "u1")  # Numba's float32, where NumPy has float64
    yield "div", "/", result if result[0] in "fc" else "f4" if small else "f8"
    if not is_complex:
        yield from ((name, op, result) for name, op in WHOLE.items())
        yield from ((name, op, "b1") for name, op in COMPARE.items())
    if left[0] in "iu" and right[0] in "iu":
        yield from ((name, op, result) for name, op in BITS.items())


MADE = Batch("array_expressions")
for left, right, result in PAIRS:
    for name, op, to in operations(left, right, result):
        MADE.add(f'''
@njit("{NAMES[to]}[::1]({NAMES[left]}[::1], {NAMES[right]}[::1])")
def {name}_{left}_{right}(a, b):
    return a {op} b
''')
SHAPES = '''
@njit("float64[:, ::1](float64[:, {k}], float64[:, :])")
def matrices_{n}(a, b):
    return a * 2.0 - b / (1.0 + a)

@njit("float64[:, ::1](float64[:, {k}], float64[:])")
def rows_{n}(a, b):
    return a + b

@njit("void(float64[:, {k}], float64[:, :], float64[:])")
def update_{n}(a, b, c):
    a += b
    a *= 0.5
    a[0] -= c * c
    a[:, -1] /= c[0] + 2.0
    a[1:, ::2] = b[1:, ::2] - a[:-1, ::2]
'''
for n, k in ("C", "::1"), ("A", ":"):
    MADE.add(SHAPES.format(n=n, k=k))
MADE.add('''
@njit("float64[::1, :](float64[::1, :], float64[::1, :])")
def fortran(a, b):
    return a * b + a

@njit("float64[:, ::1](float64[::1], float64[::1])")
def outer(a, b):
    return a[:, None] * b[None, :] - 1.0

@njit("float64[:, :, ::1](float64[:, :, ::1], float64[:, ::1], float64[::1], float64)")
def cube(a, b, c, d):
    return np.sqrt(a * a + b) * c - d

@njit("float64[::1](float64[::1], float64[::1])")
def chain(a, b):
    return np.where(a > b, np.exp(-a) * b, np.sin(b) ** 2 + np.minimum(a, 0.25)) / np.maximum(np.abs(a - b), 1e-3)

@njit("float64[::1](float64[::1])")
def steps(y):
    h = 0.1
    for _ in range(7):
        k1 = -y
        k2 = -(y + 0.5 * h * k1)
        y = y + h * (k1 + k2) / 2.0
    return y

@njit("float64[::1](float64[::1])")
def neighbours(a):
    b = np.zeros_like(a)
    b[1:-1] = 0.25 * a[:-2] + 0.5 * a[1:-1] + 0.25 * a[2:]
    a[1:] += a[:-1] * 2.0
    a[:-1] = a[1:] - a[:-1]
    return b

@njit("void(float64[:], float64[:])")
def into(a, b):
    a[...] = b * 2.0 + a
    a -= b[::-1]

@njit("void(float64[::1], int64[:, ::1])")
def from_no_axes(a, b):
    a[0] = np.array(2.5)
    a[1] = np.asarray(a[2])
    b[0, 1] = np.array(2.75)
    b[1, 0] = np.array(True)


@njit("Tuple((float64, float64, float64, float64, boolean, boolean, int64))(float64[:, :], float64[:])")
def numbers(a, b):
    return (np.sum(a * b), (a - b).sum(), np.mean(a / 2.0), np.prod(b + 1.0), np.all(a + 10.0 > b), np.any(a > 100.0),
            np.argmax(b * b))

@njit("int64[::1](int64[::1], boolean[::1])")
def whole(a, m):
    return np.where(m & (a > 2), -a, ~a) + abs(a) + (a ** 2) * m

@njit("float32[::1](float32[::1])")
def clipped(a):
    return np.clip(a, 0.25, 0.5)

@njit("int8[::1](int8[::1])")
def clipped_bytes(a):
    return np.clip(a, -5, 5)

@njit("float64(float64, float64, float64)")
def clipped_number(x, lo, hi):
    return np.clip(x, lo, hi)

@njit("void(float64[:, ::1], int64, float64)")
def items(a, i, x):
    a[i] = x, 2.0 * x, i
    a[i + 1, :] = (a[i, 2], a[i, 1], a[i, 0])

@njit("float64[:, ::1](float64[::1], int64, int64)")
def reshaped(a, n, m):
    b = a.reshape(n, m)
    b[0, 0] = 100.0
    return b * 1.0

@njit("float64[:, ::1](float64[::1], int64)")
def reshaped_open(a, n):
    return a.reshape((n, -1))

@njit("float64(float64, float64[::1])")
def single(v, x):
    a = np.array(v)
    a += 1.0
    a[()] = a[()] * 2.0
    s = 0.0
    for i in range(len(x)):
        s += x[i] * a[()]
    return s + np.sum(a * x + np.array(1.0))

@njit("int64(boolean[::1])")
def truths(a):
    return np.sum(a)

@njit("float64[::1](float64[::1], float64[::1])")
def given_out(a, b):
    c = np.empty_like(a)
    np.add(a, b, c)
    np.multiply(c, a, out=c)
    return c

@njit("float64[::1](float64[::1], float64)")
def helper(a, x):
    a += x
    return a * x

@njit("float64[::1](float64[::1])")
def effects(a):
    return a * 2.0 + helper(a, 3.0) - a

@njit("float64[::1](float64[:], float64[:])")
def joined(a, b):
    return np.concatenate((a, b, a[:1] * 2.0))

@njit("float64[:, ::1](float64[:, :], int32[:, :])")
def joined_rows(a, b):
    return np.concatenate((a, b), axis=0)

@numba.vectorize(["float64(float64, float64)"])
def bigger(x, y):
    if x > y:
        return x - y
    return y * 2.0

@njit("float64[:, ::1](float64[:, ::1], float64[::1])")
def all_bigger(a, b):
    return bigger(a, b) + bigger(a, 1.0)

@njit("void(float64[:, ::1], float64[::1])", parallel=True)
def parallel_rows(a, w):
    for i in prange(a.shape[0]):
        a[i] = a[i] * w - np.sum(a[i] * w)
        a[i] *= 2.0

@njit("float64[::1](float64[::1], float64[::1])", error_model="python")
def no_error(a, b):
    return a / b + a // b
''')
for kind in "float64", "int32", "complex64", "boolean":
    MADE.add(f'''
@njit("{kind}[::1]({kind}[:], boolean[:])")
def masked_{kind}(a, m):
    return a[m]

@njit("{kind}[:, ::1]({kind}[:, :], int64[:])")
def rows_of_{kind}(a, k):
    return a[k]

@njit("{kind}[::1]({kind}[:, ::1], boolean[:, ::1])")
def masked_all_{kind}(a, m):
    return a[m]

@njit("Tuple(({kind}[::1], {kind}[:, :]))({kind}[:, :], boolean[:, :], {kind}[::1])")
def masked_any_{kind}(a, m, v):
    b = a[m]
    a[m] = v
    return b, a

@njit("void({kind}[:], boolean[:], {kind}[:], int32[:], {kind}[:, :])")
def store_{kind}(a, m, v, k, b):
    a[m] = v
    b[k] = b[0]
    b[k[:1]] = True
    a[k] = a[:len(k)]
''')
MADE.add('''
@njit("void(float64[:, ::1], int64[:])")
def update_picked(a, k):
    a[a < 0.3] = -1.0
    a[k] *= 2.0
    a[a[:, 0] > 1.0] += a[0]
''')
for kind, whole, mean in ("float64", "float64", "float64"), ("float32", "float32", "float32"), ("int16", "int64", "float64"), ("uint8", "uint64", "float64"):
    MADE.add(f'''
@njit("Tuple(({whole}[::1], {whole}[::1], {mean}[::1], {kind}[::1], {kind}[::1]))({kind}[:, :])")
def along_{kind}(a):
    return np.sum(a, axis=0), a.prod(1), np.mean(a, axis=-1), a.max(axis=0), np.min(a, 1)

@njit("{whole}[:, ::1]({kind}[:, :, ::1])")
def along_middle_{kind}(a):
    return np.sum(a, axis=1)
''')
for kind in "float64", "float32", "complex128":
    MADE.add(f'''
@njit("{kind}[:, ::1]({kind}[:, :], {kind}[:, ::1])")
def product_{kind}(a, b):
    return a @ b

@njit("{kind}[::1]({kind}[:, ::1], {kind}[:])")
def of_vector_{kind}(a, b):
    return np.dot(a, b)

@njit("{kind}[::1]({kind}[:], {kind}[:, ::1])")
def from_left_{kind}(a, b):
    return a @ b

@njit("{kind}[::1]({kind}[:, ::1], {kind}[:])")
def transposed_{kind}(a, b):
    return a.T @ b

@njit("{kind}({kind}[:], {kind}[:])")
def of_both_{kind}(a, b):
    return np.dot(a, b)
''')


def values(kind, n, seed):
    rng = np.random.default_rng(seed)
    if kind == "b1":
        return rng.random(n) < 0.5
    if kind[0] in "iu":
        low, high = max(np.iinfo(kind).min, -2**31), min(np.iinfo(kind).max, 2**31)
        return rng.integers(low, high, n, endpoint=True).astype(kind)
    a = rng.normal(size=n) * 10
    if kind[0] == "c":
        a = a + 1j * rng.normal(size=n)
    return a.astype(kind)


@pytest.mark.parametrize("pair", PAIRS, ids=lambda p: "-".join(p[:2]))
def test_operators(pair):
    left, right, result = pair
    wide = {"f4": "f8", "c8": "c16"} if left != right else {}
    for name, op, to in operations(left, right, result):
        for n in 0, 1, 7, 100:
            a, b = values(left, n, n), values(right, n, n + 1)
            if name in ("shl", "shr"):
                b = (b % 7).astype(right)
            # Numba computes what float32 does not hold in float64.
            x, y = a.astype(wide.get(left, left)), b.astype(wide.get(right, right))
            with np.errstate(all="ignore"):
                expected = eval(f"x {op} y").astype(to)
            ours = getattr(MADE, f"{name}_{left}_{right}")(a, b)
            assert ours.dtype == np.dtype(to), (name, ours.dtype)
            if to in ("c16", "c8"):
                np.testing.assert_allclose(ours, expected, rtol=1e-6 if to == "c8" else 1e-14)
            else:
                np.testing.assert_array_equal(ours, expected, err_msg=name)


def views(a):
    yield a
    yield np.asfortranarray(a)
    yield a[::-1]
    yield np.repeat(a, 2, axis=-1)[..., ::2]


@pytest.mark.parametrize("n", ["C", "A"])
@pytest.mark.parametrize("shape", [(3, 4), (1, 5), (5, 1), (0, 3), (40, 33)])
def test_shapes(n, shape):
    rng = np.random.default_rng(5)
    a, b, c = rng.random(shape), rng.random(shape), rng.random(shape[1])
    for one in [a] if n == "C" else views(a):
        for other in views(b):
            np.testing.assert_array_equal(getattr(MADE, f"matrices_{n}")(one, other), one * 2.0 - other / (1.0 + one))
            np.testing.assert_array_equal(getattr(MADE, f"matrices_{n}")(one, other[:1]) if shape[0] else one, one * 2.0 - other[:1] / (1.0 + one) if shape[0] else one)
        np.testing.assert_array_equal(getattr(MADE, f"rows_{n}")(one, c), one + c)
        if shape[0] == 0:
            continue
        ours, theirs = one.copy(), one.copy()
        getattr(MADE, f"update_{n}")(ours, b, c)
        theirs += b
        theirs *= 0.5
        theirs[0] -= c * c
        theirs[:, -1] /= c[0] + 2.0
        theirs[1:, ::2] = b[1:, ::2] - theirs[:-1, ::2]
        np.testing.assert_array_equal(ours, theirs)
    f = np.asfortranarray(a)
    made = MADE.fortran(f, f)
    assert made.flags.f_contiguous
    np.testing.assert_array_equal(made, f * f + f)
    np.testing.assert_array_equal(MADE.outer(a[:, 0].copy(), c), a[:, 0][:, None] * c[None, :] - 1.0)


def test_broadcasting():
    rng = np.random.default_rng(6)
    for a, b, c in [((2, 3, 4), (3, 4), (4,)), ((2, 3, 4), (1, 4), (1,)), ((2, 1, 4), (3, 4), (4,)), ((1, 1, 1), (3, 4), (4,)), ((2, 0, 4), (1, 1), (4,))]:
        x, y, z = rng.random(a), rng.random(b), rng.random(c)
        np.testing.assert_array_equal(MADE.cube(x, y, z, 0.5), np.sqrt(x * x + y) * z - 0.5)
    for a, b in [((3, 4), (3,)), ((3, 4), (5,)), ((3, 0), (3,))]:
        with pytest.raises(ValueError, match="broadcast"):
            MADE.rows_C(np.zeros(a), np.zeros(b))
    with pytest.raises(ValueError, match="broadcast"):
        MADE.update_C(np.zeros((3, 4)), np.zeros((4, 4)), np.zeros(4))


@pytest.mark.parametrize("n", [0, 1, 2, 3, 31, 32, 33, 300])
def test_chains(n):
    rng = np.random.default_rng(n)
    a, b = rng.normal(size=n), rng.normal(size=n)
    expected = np.where(a > b, np.exp(-a) * b, np.sin(b) ** 2 + np.minimum(a, 0.25)) / np.maximum(np.abs(a - b), 1e-3)
    np.testing.assert_allclose(MADE.chain(a, b), expected, rtol=1e-12)
    y = a
    for _ in range(7):
        k1 = -y
        k2 = -(y + 0.5 * 0.1 * k1)
        y = y + 0.1 * (k1 + k2) / 2.0
    np.testing.assert_array_equal(MADE.steps(a), y)
    m = b > 0
    k = rng.integers(-9, 9, n)
    np.testing.assert_array_equal(MADE.whole(k, m), np.where(m & (k > 2), -k, ~k) + abs(k) + (k**2) * m)
    np.testing.assert_array_equal(MADE.given_out(a, b), (a + b) * a)
    ours, theirs = a.copy(), a.copy()
    result = MADE.effects(ours)
    first = theirs * 2.0
    theirs += 3.0
    np.testing.assert_array_equal(result, first + theirs * 3.0 - theirs)
    np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("n", [3, 4, 50])
def test_shared_memory(n):
    a = np.random.default_rng(n).random(n)
    ours, theirs = a.copy(), a.copy()
    b = MADE.neighbours(ours)
    expected = np.zeros(n)
    expected[1:-1] = 0.25 * theirs[:-2] + 0.5 * theirs[1:-1] + 0.25 * theirs[2:]
    theirs[1:] += theirs[:-1] * 2.0
    theirs[:-1] = theirs[1:] - theirs[:-1]
    np.testing.assert_array_equal(ours, theirs)
    np.testing.assert_array_equal(b, expected)
    whole = np.random.default_rng(n).random(2 * n)
    for first, second in [(slice(0, n), slice(0, n)), (slice(0, n), slice(1, n + 1)), (slice(1, n + 1), slice(0, n)), (slice(0, n), slice(n, None)),
                          (slice(0, n), slice(n - 1, None, -1)), (slice(0, None, 2), slice(0, n))]:
        ours, theirs = whole.copy(), whole.copy()
        MADE.into(ours[first], ours[second])
        theirs[first] = theirs[second] * 2.0 + theirs[first]
        theirs[first] -= theirs[second][::-1].copy()
        np.testing.assert_array_equal(ours, theirs)


def test_numbers():
    rng = np.random.default_rng(1)
    for shape in (3, 4), (40, 50), (0, 3):
        a, b = rng.random(shape), rng.random(shape[1])
        with np.errstate(all="ignore"), pytest.warns(RuntimeWarning) if not a.size else np.errstate():
            expected = np.sum(a * b), (a - b).sum(), np.mean(a / 2.0), np.prod(b + 1.0), np.all(a + 10.0 > b), np.any(a > 100.0), np.argmax(b * b)
        np.testing.assert_allclose(MADE.numbers(a, b), expected, rtol=1e-12, atol=1e-12)
    x = np.array([-1.0, 0.3, 0.25, 0.6, np.nan, -0.0], dtype=np.float32)
    np.testing.assert_array_equal(MADE.clipped(x), np.clip(x, np.float32(0.25), np.float32(0.5)))
    np.testing.assert_array_equal(MADE.clipped_bytes(np.arange(-128, 128).astype(np.int8)), np.clip(np.arange(-128, 128), -5, 5))
    assert [MADE.clipped_number(v, 0.0, 1.0) for v in (-2.0, 0.5, 3.0)] == [0.0, 0.5, 1.0]
    assert MADE.single(2.0, np.arange(4.0)) == 36.0 + 36.0 + 4.0
    assert MADE.truths(np.array([0, 1, 2, 255, 128, 0], dtype=np.uint8).view(np.bool_)) == 4
    with np.errstate(all="ignore"):
        a, b = np.array([1.0, -1.0, 0.0, 5.0]), np.array([0.0, 0.0, 0.0, 2.0])
        np.testing.assert_array_equal(MADE.no_error(a, b), a / b + a // b)


def test_numbers_of_arrays_without_axes():
    a, b = np.array([0.0, 0.0, 7.0]), np.zeros((2, 2), dtype=np.int64)
    MADE.from_no_axes(a, b)
    np.testing.assert_array_equal(a, [2.5, 7.0, 7.0])
    np.testing.assert_array_equal(b, [[0, 2], [1, 0]])


def test_concatenate():
    rng = np.random.default_rng(8)
    for n, m in (0, 3), (4, 0), (5, 7):
        a, b = rng.random(n), rng.random(2 * m)[::2]
        np.testing.assert_array_equal(MADE.joined(a, b), np.concatenate((a, b, a[:1] * 2.0)))
        x, y = rng.random((n, 3)), rng.integers(0, 9, (m, 3)).astype(np.int32)
        np.testing.assert_array_equal(MADE.joined_rows(np.asfortranarray(x), y), np.concatenate((x, y)))
    with pytest.raises(ValueError, match="do not match"):
        MADE.joined_rows(np.zeros((2, 3)), np.zeros((2, 4), np.int32))


def test_rows_and_shapes():
    a = np.zeros((4, 3))
    MADE.items(a, 1, 0.5)
    np.testing.assert_array_equal(a[1:3], [[0.5, 1.0, 1.0], [1.0, 1.0, 0.5]])
    with pytest.raises(ValueError, match="3 values"):
        MADE.items(np.zeros((4, 2)), 1, 0.5)
    b = np.arange(6.0)
    assert MADE.reshaped(b, 2, 3).shape == (2, 3) and b[0] == 100.0
    assert MADE.reshaped(b, -1, 2).shape == (3, 2) and MADE.reshaped(b, 3, -1).shape == (3, 2)
    assert MADE.reshaped_open(b, 6).shape == (6, 1) and MADE.reshaped_open(np.zeros(0), 5).shape == (5, 0)
    for call in (lambda: MADE.reshaped(b, 4, 2), lambda: MADE.reshaped(b, -1, -1), lambda: MADE.reshaped(b, -2, -3), lambda: MADE.reshaped_open(b, 4),
                 lambda: MADE.reshaped_open(b, 0), lambda: MADE.reshaped(np.zeros(0), 2**33, 2**31)):
        with pytest.raises(ValueError, match="total size"):
            call()
    rng = np.random.default_rng(3)
    x, w = rng.random((9, 20)), rng.random(20)
    larger = lambda p, q: np.where(p > q, p - q, q * 2.0)
    np.testing.assert_array_equal(MADE.all_bigger(x, w), larger(x, w) + larger(x, 1.0))
    ours = x.copy()
    MADE.parallel_rows(ours, w)
    np.testing.assert_allclose(ours, 2.0 * (x * w - np.sum(x * w, axis=1)[:, None]), rtol=1e-12)


@pytest.mark.parametrize("kind", ["float64", "float32", "complex128"])
@pytest.mark.parametrize("n, m, k", [(3, 4, 5), (1, 1, 1), (33, 17, 40), (0, 3, 2), (3, 0, 2),
                                     (40, 3, 3), (9, 4, 4), (7, 5, 6), (5, 6, 7), (6, 2, 2), (5, 70, 3)])
def test_products(kind, n, m, k):
    rng = np.random.default_rng(n)
    a, b = rng.normal(size=(n, m)).astype(kind), rng.normal(size=(m, k)).astype(kind)
    rtol = 1e-4 if kind == "float32" else 1e-12
    same = lambda ours, theirs: np.testing.assert_allclose(ours, theirs, rtol=rtol, atol=rtol)
    same(getattr(MADE, f"product_{kind}")(a, b), a @ b)
    same(getattr(MADE, f"product_{kind}")(np.asfortranarray(a), b), a @ b)
    same(getattr(MADE, f"of_vector_{kind}")(a, np.repeat(a[:1].ravel() if n else np.zeros(m, kind), 2)[::2]), a @ (a[0] if n else np.zeros(m, kind)))
    same(getattr(MADE, f"from_left_{kind}")(b[:, 0].copy(), b), b[:, 0] @ b)
    same(getattr(MADE, f"transposed_{kind}")(a, a[:, 0] if m else np.zeros(n, kind)), a.T @ (a[:, 0] if m else np.zeros(n, kind)))
    same(getattr(MADE, f"of_both_{kind}")(b[:, 0], b[:, 0]), np.dot(b[:, 0], b[:, 0]))
    with pytest.raises(ValueError, match="np.dot"):
        getattr(MADE, f"product_{kind}")(a, np.zeros((m + 1, k), kind))


@pytest.mark.parametrize("kind", ["float64", "int32", "complex64", "boolean"])
@pytest.mark.parametrize("n", [0, 1, 2, 13, 100])
def test_arrays_as_subscripts(kind, n):
    rng = np.random.default_rng(n)
    dtype = kind.replace("boolean", "bool")
    a, m, b = (rng.random(n) * 9 - 4).astype(dtype), rng.random(n) < 0.5, (rng.random((n, 3)) * 9 - 4).astype(dtype)
    k = rng.integers(-n, n, 5) if n else np.zeros(0, np.int64)
    for one in views(a):
        np.testing.assert_array_equal(getattr(MADE, f"masked_{kind}")(one, m), one[m])
    for one in views(b):
        np.testing.assert_array_equal(getattr(MADE, f"rows_of_{kind}")(one, k), one[k])
    np.testing.assert_array_equal(getattr(MADE, f"masked_all_{kind}")(b, b > b.dtype.type(0)), b[b > b.dtype.type(0)])
    for one in views(b):
        for mask in views(rng.random((n, 3)) < 0.5):
            ours, theirs = one.copy(order="K"), one.copy(order="K")
            v = rng.random(mask.sum()).astype(dtype)
            picked, stored = getattr(MADE, f"masked_any_{kind}")(ours, mask, v)
            np.testing.assert_array_equal(picked, theirs[mask])
            theirs[mask] = v
            np.testing.assert_array_equal(stored, theirs)
            np.testing.assert_array_equal(ours, theirs)
    if n >= 5:
        k = np.unique(k % n).astype(np.int32)[::-1]
        v = a[m][::-1].copy()
        ours, theirs = (a.copy(), b.copy()), (a.copy(), b.copy())
        getattr(MADE, f"store_{kind}")(ours[0], m, v, k, ours[1])
        theirs[0][m] = v
        theirs[1][k] = theirs[1][0].copy()
        theirs[1][k[:1]] = True
        theirs[0][k] = theirs[0][:len(k)].copy()
        for x, y in zip(ours, theirs):
            np.testing.assert_array_equal(x, y)
        with pytest.raises(ValueError, match="as many"):
            getattr(MADE, f"store_{kind}")(a.copy(), m, np.zeros(n + 1, dtype), k, b.copy())
    with pytest.raises(IndexError, match="boolean index"):
        getattr(MADE, f"masked_{kind}")(a, np.zeros(n + 1, bool))
    x = rng.random((n, 3))
    ours, theirs = x.copy(), x.copy()
    MADE.update_picked(ours, k[:1].astype(np.int64))
    theirs[theirs < 0.3] = -1.0
    theirs[k[:1]] *= 2.0
    if n:
        theirs[theirs[:, 0] > 1.0] += theirs[0].copy()
    np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("kind", ["float64", "float32", "int16", "uint8"])
def test_reductions_along_an_axis(kind):
    rng = np.random.default_rng(4)
    for shape in (1, 1), (3, 5), (40, 33):
        a = (rng.random(shape) * 5).astype(kind)
        for one in views(a):
            expected = np.sum(one, axis=0), one.prod(1), np.mean(one, axis=-1), one.max(axis=0), np.min(one, 1)
            for ours, theirs in zip(getattr(MADE, f"along_{kind}")(one), expected):
                np.testing.assert_allclose(ours, theirs, rtol=1e-4 if kind == "float32" else 1e-12)
        cube = np.broadcast_to(a[:, None, :], (shape[0], 4, shape[1])).copy()
        np.testing.assert_allclose(getattr(MADE, f"along_middle_{kind}")(cube), cube.sum(axis=1), rtol=1e-4)
    with pytest.raises(ValueError, match="no identity"):
        getattr(MADE, f"along_{kind}")(np.zeros((0, 3), kind))


@pytest.mark.parametrize("body, said", [
    ("if a > 1.0:\n        a[0] = 1.0", "PK3023"),
    ("return 1.0 if a < a else 2.0", "PK3023"),
    ("b = a < a < a", "PK3023"),
    ("while a < 1.0:\n        a[0] = 1.0", "PK3023"),
    ("k = np.arange(3)\n    k += a[:3]", "PK3005"),
    ("a[:] = a @ np.ones((2, 2), dtype=np.float32)", "PK3024"),
    ("b = np.divmod(a, a)", "PK5002"),
    ("b = a[::2].reshape(2, 2)", "PK5002"),
    ("b = ~a", "PK30"),
])
def test_refused(tmp_path, body, said):
    path = tmp_path / "f.py"
    path.write_text(f"import numpy as np\nfrom numba import njit\n\n@njit('void(float64[::1])')\ndef f(a):\n    {body}\n")
    done = run_pyk2cu(path, "-o", tmp_path / "out")
    assert done.returncode == 1 and said in done.stderr and "internal" not in done.stderr, done.stderr
