"""Arrays of what is written out, indices of whole arrays, and numbers of them, beside NumPy."""
import numpy as np
import pytest
from conftest import Batch, run_pyk2cu

MADE = Batch("displays")
MADE.add('''
@njit("float64[:, ::1](float64)")
def rotation(t):
    c, s = np.cos(t), np.sin(t)
    return np.array([[c, -s], [s, c]])

@njit("float64[::1](float64, int32)")
def mixed(a, k):
    return np.array([a, k, 2, k > 1])

@njit("int64[::1](int8, boolean)")
def whole(k, yes):
    return np.array((k, 3, yes))

@njit("int16[::1](int8, int16)")
def narrow(a, b):
    return np.array([a, b])

@njit("float64[::1](uint64, int64)")
def signs(a, b):
    return np.array([a, b])

@njit("float32[:, ::1](int64)")
def typed(n):
    return np.array(((n, 1.5), (2, n + 1), (0, n * n)), dtype=np.float32)

@njit("complex128[::1](float64)")
def complexes(x):
    return np.asarray([x, 1j, x * 2j])

@njit("int64[:, :, ::1](int64)")
def cube(n):
    return np.array([[[n, 1], [2, 3]], [[4, 5], [6, n]]])

@njit("float64[::1](float64[::1])")
def elements(a):
    b = np.array([a[0], a[-1], a[0] + a[1]])
    a[0] = 100.0
    return b

@njit("float64(float64)")
def number(x):
    return np.array(x)[()] + np.array([x])[0]

@njit("float64[::1](float64[::1])")
def itself(a):
    b = np.asarray(a)
    b[0] = 7.0
    return a

@njit("float64[:, ::1](int64, int64)")
def eyes(n, m):
    a = np.eye(n, m)
    b = np.identity(n)
    for i in range(min(n, m)):
        a[i, i] += b[i, i]
    return a

@njit("int32[:, ::1](int64)")
def eye_typed(n):
    return np.eye(n, dtype=np.int32)

@njit("float64(float64[:, :])")
def by_index(a):
    s = 0.0
    for i, j in np.ndindex(a.shape):
        if i == 1 and j == 1:
            continue
        if i == 5:
            break
        s = s * 0.5 + a[i, j] * (i - j)
    return s

@njit("int64(int64, int64, int64)")
def by_three(l, m, n):
    s = 0
    for ijk in np.ndindex(l, m, n):
        s = (s * 3 + ijk[0] * 100 + ijk[1] * 10 + ijk[2]) % 1000003
    return s

@njit("int64(int64)")
def by_one(n):
    s = 0
    for i, in np.ndindex(n):
        s = s * 2 + i
    return s

@njit("float64(float64[:, :])")
def enumerated(a):
    s = 0.0
    for (i, j), v in np.ndenumerate(a):
        s = s * 0.5 + v * (i + 2 * j)
    return s

@njit("float64(int16[:])")
def enumerated_line(a):
    s = 0.0
    for i, v in np.ndenumerate(a):
        s += v * i[0]
    return s

@njit("float64[::1](float64[:, :])")
def flattened(a):
    b = a.flatten()
    a[...] = 0.0
    return b
''')
KINDS = ["float64", "float32", "int64", "uint8", "boolean", "complex128"]
for kind in KINDS:
    MADE.add(f'''
@njit("Tuple((float64, float64, int64))({kind}[:, :])")
def spread_{kind}(a):
    return np.var(a), a.std(), np.count_nonzero(a)

@njit("boolean({kind}, {kind}[:, :])")
def has_{kind}(x, a):
    return x in a

@njit("boolean(int64, {kind}[:])")
def has_not_{kind}(x, a):
    return x not in a
''')
for kind in "float64", "float32", "complex128":
    real = "float64" if kind == "complex128" else kind
    MADE.add(f'''
@njit("{real}({kind}[:])")
def length_{kind}(a):
    return np.linalg.norm(a)

@njit("{real}({kind}[:, :])")
def size_{kind}(a):
    return np.linalg.norm(a)
''')
MADE.add('''
@njit("float64(float64, float64[:], float64[:])")
def line(x, xp, fp):
    return np.interp(x, xp, fp)

@njit("float64[:, ::1](int64[:, :], float32[:], int64[:])")
def lines(x, xp, fp):
    return np.interp(x, xp, fp)

@njit("void(int64)")
def complains(n):
    if n > 0:
        raise ValueError(f"too many")
''')
ARRAYS = [(3, 4), (1, 1), (0, 3), (7, 2), (6, 6)]


def views(a):
    return a, a[::-1], np.asfortranarray(a), a.T, a[:, ::2]


def test_arrays_of_numbers():
    for name, arguments in {"rotation": (0.3,), "mixed": (1.5, 2), "whole": (-3, True), "narrow": (-3, 300), "signs": (3, -4),
                            "typed": (5,), "complexes": (2.5,), "cube": (9,), "eye_typed": (3,)}.items():
        ours, theirs = getattr(MADE, name)(*arguments), getattr(MADE.plain, name)(*arguments)
        assert ours.flags.c_contiguous
        np.testing.assert_array_equal(ours, theirs)
    a = np.arange(4.0)
    assert MADE.elements(a).tolist() == [0.0, 3.0, 1.0] and a[0] == 100.0
    assert MADE.number(2.5) == 5.0
    assert MADE.itself(a)[0] == 7.0 == a[0]
    for n, m in (0, 0), (3, 3), (2, 5), (5, 2), (0, 4):
        np.testing.assert_array_equal(MADE.eyes(n, m), np.eye(n, m) * 2)
    with pytest.raises(ValueError, match="negative dimensions"):
        MADE.eyes(-1, 2)


@pytest.mark.parametrize("shape", ARRAYS)
def test_indices(shape):
    a = np.arange(float(np.prod(shape))).reshape(shape) - 3.5
    for view in views(a):
        assert MADE.by_index(view) == MADE.plain.by_index(view)
        assert MADE.enumerated(view) == MADE.plain.enumerated(view)
        copy = view.copy(order="K")
        np.testing.assert_array_equal(MADE.flattened(copy), view.flatten())
        assert not copy.any()
    line = np.arange(shape[0], dtype=np.int16)
    assert MADE.enumerated_line(line[::-1]) == MADE.plain.enumerated_line(line[::-1].astype(int))
    assert MADE.by_three(*shape, 2) == MADE.plain.by_three(*shape, 2)
    assert MADE.by_one(shape[1]) == MADE.plain.by_one(shape[1])
    with pytest.raises(ValueError, match="negative dimensions"):
        MADE.by_three(2, -1, -1)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shape", ARRAYS)
def test_numbers_of_arrays(kind, shape):
    dtype = {"boolean": "bool"}.get(kind, kind)
    a = (np.arange(np.prod(shape)).reshape(shape) % 5).astype(dtype)
    if kind == "complex128":
        a = a * (1 - 2j)
    for view in views(a):
        var, std, count = getattr(MADE, f"spread_{kind}")(view)
        rtol = 1e-5 if kind == "float32" else 1e-12
        with np.errstate(all="ignore"), pytest.warns(RuntimeWarning) if not view.size else np.errstate():
            np.testing.assert_allclose([var, std], [np.var(view), np.std(view)], rtol=rtol)
        assert count == np.count_nonzero(view)
        for x in (False, True) if kind == "boolean" else (0, 1, 3, 4):
            assert getattr(MADE, f"has_{kind}")(x, view) == (x in view)
            assert getattr(MADE, f"has_not_{kind}")(int(x), view.reshape(-1)) == (x not in view.reshape(-1))


@pytest.mark.parametrize("kind", ["float64", "float32", "complex128"])
def test_lengths(kind):
    tiny, huge = np.finfo(kind).tiny, np.finfo(kind).max
    for values in [], [0.0], [3.0, -4.0], [np.nan, 1.0], [np.inf, 1.0], [huge / 4, huge / 4], [tiny, -tiny / 2], [tiny / 8], [-0.0]:
        a = np.array(values, dtype=kind)
        if kind == "complex128":
            a = a * (0.6 + 0.8j) if np.isfinite(a).all() else a
        ours = getattr(MADE, f"length_{kind}")(a)
        exact = np.sqrt(np.sum(np.abs(a.astype("c32" if kind == "complex128" else "f16")) ** 2))
        np.testing.assert_allclose(ours, float(exact), rtol=1e-6 if kind == "float32" else 1e-14)
    square = np.arange(12.0).reshape(3, 4).astype(kind)
    if kind == "float32":  # as Numba: squares of float32, added as float64
        many = np.random.default_rng(1).normal(1000, 0.5, (400, 250)).astype(kind)
        np.testing.assert_allclose(MADE.length_float32(many.reshape(-1)), np.linalg.norm(many.astype("f8")), rtol=1e-7)
        apart = many - many.sum(dtype="f4") / np.float32(many.size)  # another order of the mean
        np.testing.assert_allclose(MADE.spread_float32(many)[1], np.sqrt(np.mean(apart.astype("f8") ** 2)), rtol=1e-3)
    np.testing.assert_allclose(getattr(MADE, f"size_{kind}")(square[:, ::2]), np.linalg.norm(square[:, ::2]), rtol=1e-6)


def test_lines_between_points():
    rng = np.random.default_rng(1)
    xp, fp = np.sort(rng.normal(size=20)), rng.normal(size=20)
    for points, values in [(xp, fp), (xp[:1], fp[:1]), (np.array([0.0, 1.0, 1.0, 2.0]), np.array([1.0, 2.0, 5.0, np.inf])),
                           (np.array([-np.inf, 0.0, np.inf]), np.array([1.0, 2.0, 2.0])), (np.arange(6.0)[::2], fp[:3])]:
        for x in [*rng.normal(size=50), *points, np.nan, np.inf, -np.inf, 0.0, -0.0]:
            with np.errstate(all="ignore"):
                np.testing.assert_array_equal(MADE.line(x, points, values), np.interp(x, points, values))
    x = rng.integers(-3, 12, (5, 7))
    np.testing.assert_array_equal(MADE.lines(x[:, ::2], np.arange(9, dtype="f4"), np.arange(9) ** 2),
                                  np.interp(x[:, ::2], np.arange(9.0), np.arange(9.0) ** 2))
    with pytest.raises(ValueError, match="not of the same size"):
        MADE.line(1.0, xp, fp[1:])
    with pytest.raises(ValueError, match="sample points is empty"):
        MADE.line(1.0, xp[:0], fp[:0])


def test_texts_without_anything_to_fill_in():
    assert MADE.complains(0) is None
    with pytest.raises(ValueError, match="^too many$"):
        MADE.complains(1)


@pytest.mark.parametrize("text, said", [
    ("return np.array([[x, 1.0], [2.0]])", "PK"),
    ("return np.array([])", "PK"),
    ("return np.array([[x, 1.0], 2.0])", "PK"),
    ("return np.array([f({x})])", "PK3"),
])
def test_what_is_no_block_of_numbers(tmp_path, text, said):
    source = f"from numba import njit\nimport numpy as np\n@njit\ndef f(y):\n    return 1.0\n@njit('float64(float64)')\ndef g(x):\n    {text}\n"
    (tmp_path / "refused.py").write_text(source)
    done = run_pyk2cu(tmp_path / "refused.py", "-o", tmp_path / "out")
    assert done.returncode != 0 and said in done.stderr and "internal" not in done.stderr
