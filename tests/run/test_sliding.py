"""Windows that slide with a loop (emit/lower/slices.cpp): whatever their ends are, inside the array, over its ends or
backwards, elements, extents and reductions are those of the slices that CPython makes. The elements are eighths, whose sums
are exact in any order."""
import re

import numpy as np
import pytest
from conftest import Batch

FORMS = ["i:i + w", "i - w:i", "i - w + 1:i + 1", "max(0, i - w + 1):i + 1", "max(i - w, 0):min(i + w + 1, x.size)", "i:",
         ":i", ":i + w", "i + w:", "i:-1", "i:-w", "-w:i", "2 * i:2 * i + w", "i * w:(i + 1) * w", "w - i:w", "i - 3:i + 4",
         "i:i + w:1", "i:i + w:2", "min(i, w):max(i, w)", "lo:hi"]
RANGES = ["x.size", "x.size - w + 1", "w, x.size - w", "1, x.size - 1", "x.size - 1, -1, -1"]
FORM = '''
@njit("void(float64[:], int64, float64[:, :])")
def f{k}(x, w, out):
    for i in range({ends}):
        lo, hi = i - w // 2, i + w // 2 + 1
        a = x[{form}]
        s = 0.0
        for k in range(a.shape[0]):
            s += a[k] * (k + 1)
        out[i, 0] = s
        out[i, 1] = a.size + 10 * len(a)
        out[i, 2] = np.sum(x[{form}])
        if a.size > 1:
            out[i, 3] = a[-1] - a[1]
            out[i, 4] = np.max(a) + a.min()
            out[i, 5] = a.mean()
'''
MORE = '''
@njit
def dot(a, b):
    s = 0.0
    for k in range(a.shape[0]):
        s += a[k] * b[k]
    return s


@njit("float64[:](float64[:], float64[:])")
def filtered(x, b):
    n = x.size - b.size + 1
    out = np.zeros(n)
    for i in range(n):
        out[i] = dot(x[i:i + b.size], b)
    return out


@njit("float64[:, :](float64[:, :], float64[:, :])")
def correlated(image, kernel):
    h, w = kernel.shape
    out = np.zeros((max(image.shape[0] - h + 1, 0), max(image.shape[1] - w + 1, 0)))
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            out[i, j] = np.sum(image[i:i + h, j:j + w] * kernel)
    return out


@njit("float64[:, :](float64[:, :], float64[:, :])")
def broadcast(image, row):  # a kernel of one row is every row's
    out = np.zeros(image.shape)
    for i in range(1, image.shape[0] - 1):
        for j in range(image.shape[1] - row.shape[1] + 1):
            out[i, j] = np.sum(image[i - 1:i + 2, j:j + row.shape[1]] * row)
    return out


@njit("float64[:, :](float64[:, :], int64)")
def boxes(image, k):
    out = np.zeros(image.shape)
    h, w = image.shape
    for i in range(h):
        for j in range(w):
            out[i, j] = image[max(i - k, 0):min(i + k + 1, h), max(j - k, 0):min(j + k + 1, w)].sum()
    return out


@njit("float64[:, :](float64[:, :], int64)", parallel=True)
def boxes_parallel(image, k):
    out = np.zeros(image.shape)
    for i in prange(k, image.shape[0] - k):
        for j in range(k, image.shape[1] - k):
            out[i, j] = image[i - k:i + k + 1, j - k:j + k + 1].sum()
    return out


@njit("void(float64[:], int64)")
def in_place(x, w):
    """Every window sees what the ones before it wrote."""
    for i in range(x.size - w):
        a = x[i:i + w]
        for k in range(1, a.size):
            a[k] -= 0.5 * a[k - 1]


@njit("float64(float64[:], int64)")
def last_window(x, w):
    a = x[:0]
    s = 0.0
    for i in range(x.size - w):
        s += a.size
        a = x[i:i + w]
        s += a[0]
    return s + a.size


@njit("float64[:](float64[:], int64)")
def another_array(x, w):
    out = np.zeros(x.size)
    y = x
    for i in range(x.size - w):
        a = y[i:i + w]
        y = y[::-1]
        out[i] = a[0] - a[a.size - 1]
    return out


@njit("float64[:](float64[:], int64, int64)")
def lagged(x, w, lag):
    out = np.zeros(x.size)
    for i in range(x.size - w + 1):
        a = x[i:i + w]
        for k in range(lag, w):
            out[i] += a[k] * a[k - lag]
    return out


@njit("float64[:](float64[:], int64)")
def spread(x, w):
    out = np.full(x.size, -1.0)
    for i in range(x.size):
        if i < w:
            continue
        a = x[i - w:i]
        out[i] = a.std() + np.var(a)
    return out


@njit("float64[:](float64[:], int64)")
def greatest(x, w):
    out = np.zeros(x.size)
    for i in range(x.size - w + 1):
        out[i] = np.max(x[i:i + w])
    return out


@njit("int64[:](uint8[:], int64)")
def bytes_of(x, w):
    out = np.zeros(x.size, np.int64)
    for i in range(x.size - w + 1):
        a = x[i:i + w]
        out[i] = a.sum() + 1000 * int(a.max()) + int(8 * a.mean())
    return out


@njit("float64[:](float64[:, :], int64)")
def of_rows(table, w):
    out = np.zeros(table.shape[0])
    for i in range(table.shape[0]):
        row = table[i]
        for j in range(table.shape[1] - w + 1):
            a = row[j:j + w]
            for k in range(w):
                out[i] += a[k] * k
    return out


@njit("float64(float64[:], int64)")
def from_the_end(x, w):
    """Places that count from the end, of a window whose size is another one each time."""
    s = 0.0
    for i in range(x.size):
        a = x[max(0, i - w):i + 1]
        for k in range(a.size):
            s += a[-k] * 3 - a[-1 - k]
    return s


@njit("float64(float64[:], int64)")
def ends_of_a_branch(x, w):
    """What an iteration before, or the line in front of the loop, said is where the window lies."""
    lo, hi = -5, 1000
    s = 0.0
    for i in range(x.size):
        if i > 3:
            lo, hi = max(0, i - 1), min(x.size, i + w)
        s = 0.5 * s + x[lo:hi].sum()
        j = i
        while j > 5:
            lo = max(0, i - w)
            j -= 100
        a = x[lo:]
        if a.size > 1:
            a[1] = 2.0
    return s


@njit("float64(float64[:], int64)")
def sizes_that_grow(x, w):
    arrays = [np.zeros(2)]
    numbers = [1.0]
    s = 0.0
    for i in range(w):
        a = x[0:arrays[0].size]
        b = x[i:i + len(numbers)]
        arrays[0] = np.zeros(7)
        numbers.append(s)
        s = 0.5 * s + a.sum() + 10 * a.size + 100 * b.size
    return s


@njit("float64(float64[:], int64)")
def in_the_middle(x, w):
    s = 0.0
    for i in range(x.size):
        if i - w < 0 or i + w > x.size:
            continue
        s = 0.5 * s + x[i - w:i + w].sum()
    return s


@njit("float64(float64[:], int64)")
def unsigned(x, w):
    places = np.arange(w).astype(np.uint64)
    s = 0.0
    for i in range(x.size - w + 1):
        a = x[i:i + w]
        for k in range(w):
            s = 0.5 * s + a[places[k]]
    return s


@njit("float64[:](float64[:], int64)")
def signs(x, w):
    out = np.zeros(x.size)
    for i in range(x.size - w + 1):
        out[i] = np.max(x[i:i + w])
    return out


@njit("float64[:](float64[:], int64)")
def until(x, w):
    """Loops that are left, windows in conditions, and what a window's size decides."""
    out = np.zeros(x.size)
    for i in range(x.size):
        a = x[i:i + w]
        if a.size < w:
            break
        out[i] = a[0] if a.sum() > 0 and a[a.size - 1] > 0 else -1.0
    return out
'''
for name, call in (("sums", "np.sum"), ("means", "np.mean"), ("variances", "np.var")):
    for kind in ("float64", "float32"):
        MORE += f'''

@njit("float64[:]({kind}[:], int64)")
def {name}_{kind}(x, w):
    out = np.zeros(x.size - w + 1)
    for i in range(out.size):
        out[i] = {call}(x[i:i + w])
    return out


@njit("float64({kind}[:])")
def {name}_whole_{kind}(x):
    return {call}(x)
'''
OPTIONS = {"default": [], "strict": ["--fp=strict"], "checked": ["--boundscheck"], "plain": ["--no-lanes"]}
BATCHES = {name: Batch(f"sliding_{name}", options) for name, options in OPTIONS.items()}
CASES = [(form, ends) for form in FORMS for ends in RANGES if not ("2 *" in form or "* w" in form) or "w," in ends]
# All by default, a third of them under each of the options: of each form and each range some.
KS = {name: range(len(CASES)) if name == "default" else sorted({0, *range(at, len(CASES), 3)}) for at, name in enumerate(OPTIONS, -1)}
for name, batch in BATCHES.items():
    for k in KS[name]:
        form, ends = CASES[k]
        batch.add(FORM.format(k=k, form=form, ends=ends))
    batch.add(MORE)
modules = pytest.mark.parametrize("built", BATCHES.values(), ids=BATCHES)
WIDTHS = [0, 1, 2, 5, 30, -1, -3]
ORDERS = {"plain": lambda a: a, "backwards": lambda a: a[::-1], "every other": lambda a: np.repeat(a, 2, axis=-1)[..., ::2]}


def eighths(*shape):
    return np.random.default_rng(sum(shape)).integers(-800, 800, shape) / 8


def check(built, name, *arguments):
    mine, theirs = ([a.copy() if isinstance(a, np.ndarray) else a for a in arguments] for _ in range(2))
    got, expected = getattr(built, name)(*mine), getattr(built.plain, name)(*theirs)
    if expected is not None:
        np.testing.assert_allclose(got, expected, rtol=1e-12, atol=1e-9)
    for a, b in zip(mine, theirs):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("name, k", [pytest.param(name, k, id=f"{CASES[k][0]}, {CASES[k][1]}-{name}") for name, ks in KS.items() for k in ks])
def test_slices(name, k, order):
    built = BATCHES[name]
    for n in (0, 1, 7, 40):
        for w in WIDTHS:
            x = ORDERS[order](eighths(n))
            got, expected = np.zeros((n + 80, 6)), np.zeros((n + 80, 6))
            getattr(built, f"f{k}")(x, w, got)
            getattr(built.plain, f"f{k}")(x, w, expected)
            np.testing.assert_array_equal(got, expected)


@modules
def test_calls_of_functions(built):
    for n in (0, 3, 60):
        for m in (1, 2, 9):
            if n >= m - 1:
                check(built, "filtered", eighths(n), eighths(m))


@modules
@pytest.mark.parametrize("name", ["correlated", "broadcast"])
def test_products(built, name):
    for shape in [(0, 0), (3, 3), (5, 40), (40, 21)]:
        for kernel in [(1, 1), (3, 3), (3, 1), (1, 4)]:
            check(built, name, eighths(*shape), eighths(*kernel))


@modules
@pytest.mark.parametrize("name", ["boxes", "boxes_parallel", "of_rows"])
def test_images(built, name):
    for shape in [(0, 0), (1, 5), (9, 40), (33, 7)]:
        for k in (0, 1, 3):
            check(built, name, eighths(*shape), k)


@modules
@pytest.mark.parametrize("name", ["in_place", "last_window", "another_array", "spread", "greatest", "until",
                                  "from_the_end", "ends_of_a_branch", "sizes_that_grow", "in_the_middle",
                                  "unsigned"])
def test_what_else_windows_do(built, name):
    for n in (0, 1, 9, 50):
        for w in (1, 2, 7):
            check(built, name, eighths(n), w)


@modules
def test_places_in_a_window(built):
    for n in (0, 5, 50):
        for w in (1, 4, 9):
            for lag in range(w):
                check(built, "lagged", eighths(n), w, lag)


@modules
def test_bytes(built):
    for n in (0, 5, 300):
        for w in (1, 4):
            check(built, "bytes_of", np.random.default_rng(n).integers(0, 256, n).astype(np.uint8), w)


@modules
def test_an_empty_window_has_no_maximum(built):
    with pytest.raises(ValueError, match="zero-size array to reduction operation maximum which has no identity"):
        built.greatest(eighths(5), 0)


def test_reductions_are_those_of_arrays():
    """Bit for bit, where sums keep their order."""
    built = BATCHES["strict"]
    for kind in ("float64", "float32"):
        x = np.random.default_rng(7).normal(size=300).astype(kind)
        for w in (1, 3, 33, 100):
            for name in ("sums", "means", "variances"):
                folded, whole = getattr(built, f"{name}_{kind}")(x, w), getattr(built, f"{name}_whole_{kind}")
                expected = [whole(x[i:i + w].copy()) for i in range(x.size - w + 1)]
                np.testing.assert_array_equal(folded, expected)


@modules
def test_nan(built):
    x = eighths(40)
    x[17] = np.nan
    check(built, "greatest", x, 5)


@modules
def test_zeros_with_signs(built):
    """Of equal elements the first is the greatest, as it is without a window."""
    out = built.signs(np.array([0.0, -0.0, 0.0, 0.0]), 2)
    assert np.signbit(out).tolist() == [False, True, False, False]


@modules
def test_a_width_that_no_array_has(built):
    out = np.zeros((4, 6))
    built.f0(eighths(4), 2**62, out)
    assert out[0, 1] == 44  # x[0:2**62]
    assert (built.spread(eighths(4), 2**62) == -1).all()


def test_no_view_is_left():
    text = (BATCHES["default"].directory / "sliding_default.cpp").read_text()
    filtered = re.search(r"pyk::status filtered_c\(.*?^}", text, re.DOTALL | re.MULTILINE)[0]
    assert "x(i" in filtered and "pyk::view" not in filtered
