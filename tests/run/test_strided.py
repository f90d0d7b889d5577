"""Views of overlapping elements, np.lib.stride_tricks, compared with NumPy."""
import numpy as np
import pytest
from conftest import Batch, outcome_of, run_pyk2cu

MADE = Batch("strided")
MADE.add('''
from numpy.lib.stride_tricks import as_strided, sliding_window_view


@njit("float64[:](float64[:], int64)")
def means(x, w):
    windows = sliding_window_view(x, w)
    out = np.empty(windows.shape[0])
    for i in range(windows.shape[0]):
        out[i] = windows[i].mean() if w > 0 else 0.5
    return out


@njit("float64[:](float64[:], int64)")
def in_place(x, w):
    """What the windows show is written while they are read."""
    windows = sliding_window_view(x, w)
    for i in range(len(windows)):
        s = 0.0
        for j in range(w):
            s += windows[i, j]
        x[i] = s
    return x


@njit("Tuple((int64, int64, int64, int64, float64))(float32[:,:], int64, int64)")
def of_images(x, h, w):
    v = np.lib.stride_tricks.sliding_window_view(x, (h, w))
    total = 0.0
    for i in range(v.shape[0]):
        for j in range(v.shape[1]):
            total += v[i, j].sum() * (i + 2 * j + 1)
    return v.shape[0], v.shape[1], v.shape[2], v.shape[3], total


@njit("int64[:,:,:](int64[:,:], int64)")
def along(x, w):
    return sliding_window_view(x, w, axis=-1).copy()


@njit("int64[:,:,:](int64[:,:], int64)")
def along_first(x, w):
    return sliding_window_view(x, window_shape=(w,), axis=(0,)).copy()


@njit("float64[:](float64[:], int64)")
def medians(x, w):
    v = as_strided(x, shape=(x.size - w + 1, w), strides=(x.strides[0], x.strides[0]))
    out = np.empty(len(v))
    for i in range(len(v)):
        out[i] = np.median(v[i])
    return out


@njit("int64[:,:](int64[:])")
def every_second(x):
    return as_strided(x, ((x.size + 1) // 2, 3), (2 * x.itemsize, 0)) * 10


@njit("float64(float64[:,:], int64)", parallel=True)
def in_threads(x, w):
    v = sliding_window_view(x, w, axis=0)
    total = 0.0
    for i in prange(v.shape[0]):
        total += v[i].max()
    return total


# Views of what a function made itself live as long as somebody sees them.
@njit("(int64,)")
def of_own(n):
    return sliding_window_view(np.arange(n * 1.0), 3)


@njit("(int64,)")
def row_of_own(n):
    y = np.arange(n * 1.0) + 1
    return sliding_window_view(y, 2)[1]


@njit("float64(int64, int64)")
def reassigned(n, k):
    x = np.arange(n * 1.0)
    w = sliding_window_view(x, 3)
    x = np.zeros(n)
    s = w[1, 2]
    if k > 2:
        w = sliding_window_view(x + 2, 3)
    for i in range(k):
        s += w[1, 1]
        w = sliding_window_view(x + i, 3)
    return s + w[0, 0]


@njit("float64(int64)")
def kept(n):
    x = np.arange(n * 1.0)
    s = 0.0
    for row in sliding_window_view(x + 1, 3):
        s += row[0] * row[2]
    all = [sliding_window_view(x + i, 2) for i in range(3)]
    t = (sliding_window_view(x * 3, 2), x)
    return s + all[1][1, 1] + t[0][1, 1]


@njit("(float64[:], boolean)")
def of_either(x, c):
    w = sliding_window_view(x, 2)
    if c:
        w = sliding_window_view(x * 2, 2)
    return w


@njit("(float64[:], boolean)")
def copied(x, c):
    y = x * 3
    w = as_strided(y, (2, 2), (8, 8))
    if c:
        w = w.copy()
        w[0, 0] = 7.0
    return w


@njit("(float64[::1],)")
def windows_of(x):
    return sliding_window_view(x, 2)


@njit("float64(int64)")
def of_helper(n):
    w = windows_of(np.arange(n * 1.0))
    v = w[1:, ::-1]
    return v[0, 0] * 10 + v[0, 1]


@njit("float64[:,:](float64[:])")
def pairs(x):
    """May be written to, and is what the signature says."""
    return as_strided(x, shape=(len(x) - 1, 2), strides=(x.strides[0], x.strides[0]))


@njit("void(float64[:], float64)")
def add_pairs(x, v):
    """Each element lies in two places."""
    w = as_strided(x, (len(x) - 1, 2), (x.strides[0], x.strides[0]))
    for i in range(w.shape[0]):
        for j in range(2):
            w[i, j] += v * (i + 1)


@njit("void(float64[:])")
def recur(x):
    w = as_strided(x, (len(x) - 2, 3), (x.strides[0], x.strides[0]))
    for i in range(w.shape[0]):
        w[i, 2] = w[i, 0] - w[i, 1] * 0.5


@njit("float64[:](float64[:])")
def every_other(x):
    y = x.copy()
    w = as_strided(y, (len(y) // 2,), (y.strides[0] * 2,))
    w[:] = 7.0
    return y
''')
LINE = np.arange(12.0) ** 1.5
GRID = np.arange(30).reshape(5, 6) ** 2
CASES = [("means", (LINE, w)) for w in (1, 3, 12, 13, 0, -1)] + [("means", (LINE[::-2], 2)), ("means", (LINE[:0], 1)), ("in_place", (LINE, 3)), ("in_place", (LINE[::2], 6))]
CASES += [("of_images", (GRID.astype("f4"), h, w)) for h, w in ((1, 1), (2, 3), (5, 6), (6, 1), (1, 7), (-1, 2))] + [("of_images", (GRID.astype("f4").T[::-1], 3, 2))]
CASES += [(name, (a, w)) for name in ("along", "along_first") for a in (GRID, GRID.T, GRID[::-1, ::2], GRID[:0]) for w in (1, 2, 3, 7)]
CASES += [("medians", (LINE, w)) for w in (1, 4, 12)] + [("medians", (LINE[::-1], 3)), ("every_second", (GRID[0],)), ("every_second", (GRID[0, :0],))]
CASES += [("in_threads", (GRID * 1.0, 2)), ("in_threads", (GRID.T * 0.5, 6))]

CASES += [(name, (n,)) for name in ("of_own", "row_of_own", "kept", "of_helper") for n in (4, 8)]
CASES += [("reassigned", (8, k)) for k in range(5)] + [(name, (LINE[::2], c)) for name in ("of_either", "copied") for c in (True, False)]
WRITTEN = [np.arange(n) ** 1.5 for n in (3, 4, 40, 300)]
CASES += [("add_pairs", (x[::step], 1.5)) for x in WRITTEN for step in (1, -1, 2)] + [("pairs", (LINE[::2],))]
CASES += [(name, (x[::step],)) for x in WRITTEN[1:] for step in (1, -1) for name in ("recur", "every_other")]


@pytest.mark.parametrize("name, arguments", CASES)
def test_as_in_numpy(name, arguments):
    results = []
    for module in (MADE, MADE.plain):
        copies = [np.copy(a, order="K") if isinstance(a, np.ndarray) else a for a in arguments]
        results.append((outcome_of(lambda *_: getattr(module, name)(*copies), ()), copies))
    (ours, ours_then), (theirs, theirs_then) = results
    if isinstance(theirs, Exception):
        assert type(ours) is type(theirs) and str(ours) == str(theirs)
        return
    if theirs is not None:
        np.testing.assert_allclose(ours, theirs, rtol=1e-13)
    for x, y in zip(ours_then, theirs_then):
        np.testing.assert_array_equal(x, y)


REFUSED = {"sliding_window_view(x, 3)[0, 0] = 1": "read-only", "sliding_window_view(x, (2, 2))": "PK4", "as_strided(x, (2, 2), (8,))": "PK4",
           "sliding_window_view(x, 2, axis=n)": "PK4"}


@pytest.mark.parametrize("text", REFUSED)
def test_what_is_refused(text, tmp_path):
    (tmp_path / "k.py").write_text("from numba import njit\nfrom numpy.lib.stride_tricks import as_strided, sliding_window_view\n\n\n"
                                   f"@njit('void(float64[:], int64)')\ndef f(x, n):\n    {text}\n")
    said = run_pyk2cu("k.py", "-o", "out", cwd=tmp_path)
    assert said.returncode == 1 and REFUSED[text] in said.stderr, said.stderr
