"""Arrays that iterations make for themselves: what one by one gives, in lanes."""
import numpy as np
import pytest
from conftest import Batch, assert_same_effects, run_pyk2cu

TEXT = '''
@njit("void(uint8[:, ::1], uint8[::1], int32[::1])", parallel=True)
def alignment(sequences, query, scores):
    length = query.shape[0]
    for s in prange(sequences.shape[0]):
        row = np.zeros(length + 1, np.int32)
        best = 0
        for i in range(sequences.shape[1]):
            diagonal = 0
            for j in range(1, length + 1):
                above = row[j]
                score = max(0, diagonal + (2 if sequences[s, i] == query[j - 1] else -1), above - 2, row[j - 1] - 2)
                diagonal = above
                row[j] = score
                best = max(best, score)
        scores[s] = best

@njit("float64(float64[:], float64[:])")
def warped(a, b):
    n, m = a.shape[0], b.shape[0]
    cost = np.full((n + 1, m + 1), np.inf)
    cost[0, 0] = 0.0
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            cost[i, j] = abs(a[i - 1] - b[j - 1]) + min(cost[i - 1, j], cost[i, j - 1], cost[i - 1, j - 1])
    return cost[n, m]

@njit("void(float64[:, :], float64[:, :])", parallel=True)
def warping(series, out):
    for i in prange(series.shape[0]):
        for j in range(series.shape[0]):
            out[i, j] = warped(series[i], series[j])

@njit("int64(uint8[:], uint8[:])")
def edits(a, b):
    previous, current = np.empty(len(b) + 1, np.int64), np.empty(len(b) + 1, np.int64)
    for j in range(len(b) + 1):
        previous[j] = j
    for i in range(1, len(a) + 1):
        current[0] = i
        for j in range(1, len(b) + 1):
            current[j] = min(previous[j] + 1, current[j - 1] + 1, previous[j - 1] + (0 if a[i - 1] == b[j - 1] else 1))
        previous, current = current, previous
    return previous[-1]

@njit("void(uint8[:, ::1], uint8[::1], int64[::1])")
def edited(words, word, out):
    for w in range(len(words)):
        out[w] = edits(words[w], word)

@njit("void(int64[:, :], int64[:], int64)")
def counted(values, modes, size):
    for i in range(values.shape[0]):
        counts = np.zeros(size, np.uint16)
        for j in range(values.shape[1]):
            counts[values[i, j] % size] += 1
        best = -1
        for k in range(size):
            if best < 0 or counts[k] > counts[best]:
                best = k
        modes[i] = best

@njit("void(float64[:, :], float64[:], int64)")
def medians(x, out, reach):
    for i in range(x.shape[0]):
        window = np.empty(2 * reach + 1)
        for j in range(2 * reach + 1):
            window[j] = x[i, j]
        for a in range(len(window)):
            for b in range(len(window) - 1 - a):
                if window[b] > window[b + 1]:
                    window[b], window[b + 1] = window[b + 1], window[b]
        out[i] = window[len(window) // 2]

@njit
def insert(stack, top, value):
    stack[top] = value
    return top + 1

@njit("void(int64[:], int64[:], int64)")
def visited(x, out, depth):
    for i in range(len(x)):
        stack = np.empty(depth + 1, np.int64)
        top = insert(stack, 0, x[i])
        seen = 0
        while top > 0:
            top -= 1
            value = stack[top]
            seen += value
            if value > 1 and top + 2 <= depth:
                top = insert(stack, top, value // 2)
                top = insert(stack, top, value // 3)
        out[i] = seen

@njit("void(float32[:, :], float32[:])")
def filled(x, out):
    for i in range(x.shape[0]):
        t = np.full((2, x.shape[1]), x[i, 0], np.float32)
        u = np.ones(3, np.float32)
        for k in range(x.shape[1]):
            for r in range(2):
                t[r, k] += u[(k + r) % 3] * x[i, -1 - k]
                u[r] = t[1 - r, k]
        out[i] = t[0, -1] + t[1, 0] + u[2] + u[-3]

@njit("void(complex128[:], complex128[:], int64)")
def orbits(z, out, n):
    for i in range(len(z)):
        track = np.zeros(n + 1, np.complex128)
        track[0] = z[i]
        for k in range(n):
            track[k + 1] = track[k] * track[k] * 0.5 + z[i]
        out[i] = track[n] - track[n // 2]

@njit("void(float64[:], float64[:], int64)")
def early(x, out, n):
    for i in range(len(x)):
        if x[i] < 0.0:
            out[i] = -1.0
            continue
        t = np.zeros(n)
        k = 0
        while k < n:
            t[k] = x[i] - k
            if t[k] < 0.0:
                break
            k += 1
        out[i] = t[k - 1] if k > 0 and t[k - 1] > 0.5 else float(k)

@njit("void(float64[:], float64[:], int64)")
def raised(x, out, n):
    for i in range(len(x)):
        t = np.zeros(n + 1)
        for k in range(n):
            t[k + 1] = t[k] * 0.5 + x[i]
        if t[n] > 100.0:
            raise ValueError("large", i)
        out[i] = t[n // 2]

@njit("float64(float64[:], int64)")
def summed(x, n):
    total = 0.0
    for i in range(len(x)):
        t = np.empty(n + 2)
        t[0] = x[i]
        for k in range(1, n + 2):
            t[k] = t[k - 1] * x[i] + 1.0
        total += t[n]
    return total

@njit("void(float64[:, :], float64[:], int64[:])")
def sizes(x, out, lengths):
    for i in range(x.shape[0]):
        t = np.zeros(lengths[i])
        for k in range(lengths[i]):
            t[k] = x[i, k]
        out[i] = t[-1] if lengths[i] > 0 else 0.0

@njit("float64[:](float64[:, :], int64)")
def kept(x, n):
    last = np.zeros(n)
    for i in range(x.shape[0]):
        t = np.zeros(n)
        for k in range(n):
            t[k] = x[i, k] + last[k]
        last = t
    return last

@njit("void(float64[:, :, :], float64[:, :])")
def solved(a, out):
    """Gauss's elimination of small systems, in a copy."""
    n = a.shape[1]
    for s in range(a.shape[0]):
        m = np.empty((n, n + 1))
        for r in range(n):
            for c in range(n + 1):
                m[r, c] = a[s, r, c]
        for p in range(n):
            for r in range(p + 1, n):
                factor = m[r, p] / (m[p, p] + 0.125)
                for c in range(p, n + 1):
                    m[r, c] -= factor * m[p, c]
        for r in range(n - 1, -1, -1):
            total = m[r, n]
            for c in range(r + 1, n):
                total -= m[r, c] * out[s, c]
            out[s, r] = total / (m[r, r] + 0.125)

@njit("void(boolean[:, :], int64[:], int64)")
def flags(marks, out, n):
    for i in range(marks.shape[0]):
        seen = np.zeros(n, np.bool_)
        for k in range(marks.shape[1]):
            if marks[i, k]:
                seen[(k * k + i) % n] = not seen[k % n]
        count = 0
        for k in range(n):
            if seen[k]:
                count += k + 1
        out[i] = count

@njit("void(float64[:, ::1], float64[::1], int64)")
def refilled(x, out, n):
    for i in range(x.shape[0]):
        t = np.full(n, x[i, 0])
        for j in range(1, n):
            t[j] = t[j - 1] * 0.7 + x[i, j]
        t = np.full(n, t[0] + t[n - 1])
        s = 0.0
        for j in range(n):
            s = s * 0.9 + t[j] * t[n - 1 - j]
            t[j] = s
        out[i] = s

@njit("void(float64[:, ::1], float64[::1], int64)")
def moved_on(x, out, n):
    for i in range(x.shape[0]):
        t = np.ones(n)
        for q in range(n):
            j = q
            t[j] += x[i, q % 12]
            old = t[j]
            j = j + 1
            if old < -1e300:
                t[j] = 1.0
        out[i] = t[n - 1]

@njit("void(float64[:, :], float64[:], float64[:])")
def copies(x, y, out):
    for i in range(len(x)):
        t = x[i].copy()
        u = np.empty_like(y)
        u[:] = x[i, 0]
        for k in range(1, len(t)):
            t[k] = t[k - 1] * 0.5 + t[k]
            u[k % len(u)] += t[k]
        v = u
        v[0] += 1.0
        u.fill(2.0 if t[-1] > 1e9 else v[0])
        out[i] = t[-1] + u[-1]

@njit("void(int64[:], int64[:], int64)")
def sieves(x, out, n):
    for i in range(len(x)):
        if n > 3:
            a = np.zeros(n + 2, np.int64)
            b = a
        else:
            a = np.ones(n + 2, np.int64)
            b = np.zeros(n + 2, np.int64)
        for k in range(n):
            a[k] += x[i] * k
            b[k + 1] -= x[i]
        out[i] = a[n // 2] - b[n]
'''
OPTIONS = {"plain": ["--no-lanes", "--fp=strict"], "default": ["--fp=strict"], "eight": ["--gang=8", "--fp=strict"],
           "checked": ["--gang=16", "--boundscheck", "--fp=strict"]}
MODULES = {name: Batch("own_arrays_" + name, options) for name, options in OPTIONS.items()}
for module in MODULES.values():
    module.add(TEXT)
PLAIN = MODULES["plain"]
COUNTS = [0, 1, 15, 16, 33, 130]


@pytest.fixture(params=["default", "eight", "checked"])
def built(request):
    return MODULES[request.param]


def equal(made, function, *arrays):
    assert_same_effects(made, PLAIN, function, *arrays)


@pytest.mark.parametrize("count", COUNTS)
def test_tables_of_dynamic_programs(built, count):
    rng = np.random.default_rng(count)
    letters = rng.integers(0, 4, (count, 23)).astype(np.uint8)
    for length in (0, 1, 17):
        query = rng.integers(0, 4, length).astype(np.uint8)
        equal(built, "alignment", letters, query, np.zeros(count, np.int32))
        equal(built, "edited", letters, query, np.zeros(count, np.int64))
    series = np.cumsum(rng.normal(size=(min(count, 40), 21)), 1)
    equal(built, "warping", series, np.zeros((len(series), len(series))))
    equal(built, "warping", series[:, ::-2], np.zeros((len(series), len(series))).T)


@pytest.mark.parametrize("count", COUNTS)
def test_counts_windows_and_stacks(built, count):
    rng = np.random.default_rng(count)
    values = rng.integers(-50, 50, (count, 40))
    for size in (1, 7, 300):
        equal(built, "counted", values, np.zeros(count, np.int64), size)
    for reach in (0, 1, 9):
        equal(built, "medians", values * 0.5, np.zeros(count), reach)
        equal(built, "visited", np.abs(values[:, 0]), np.zeros(count, np.int64), reach)
    for n in (1, 3, 4, 19):
        equal(built, "flags", values > 10, np.zeros(count, np.int64), n)
        equal(built, "sieves", values[:, 1], np.zeros(count, np.int64), n)


@pytest.mark.parametrize("count", COUNTS)
def test_values_of_the_iteration(built, count):
    rng = np.random.default_rng(count)
    x = rng.normal(size=(count, 12))
    equal(built, "filled", x.astype(np.float32), np.zeros(count, np.float32))
    equal(built, "filled", x.astype(np.float32)[:, ::-3], np.zeros(count, np.float32))
    z = (x[:, 0] + 1j * x[:, 1]) * 0.3
    for n in (0, 1, 6):
        equal(built, "orbits", z, np.zeros(count, complex), n)
        equal(built, "early", x[:, 2] * 4, np.zeros(count), n)
        equal(built, "summed", x[:, 3], n)
        equal(built, "kept", x, n)
    equal(built, "copies", x, x[:5, 0].copy() if count > 4 else np.ones(3), np.zeros(count))
    for n in (1, 2, 12):
        equal(built, "refilled", x, np.zeros(count), n)
        equal(built, "moved_on", x, np.zeros(count), n)
    equal(built, "sizes", x, np.zeros(count), rng.integers(0, 12, count))
    equal(built, "solved", rng.normal(size=(count, 5, 6)), np.zeros((count, 5)))


def test_nan_and_infinity(built):
    series = np.cumsum(np.random.default_rng(1).normal(size=(20, 9)), 1)
    series[3, 4], series[5, 0], series[7] = np.nan, np.inf, -np.inf
    equal(built, "warping", series, np.zeros((20, 20)))
    equal(built, "medians", series, np.zeros(20), 4)


def test_where_an_iteration_raises(built):
    x = np.linspace(0, 40, 100)
    for top in (1e9, 60.0, 30.0):
        results = []
        for made in (built, PLAIN):
            out = np.zeros(100)
            try:
                made.raised(np.where(x > top / 2, 99.0, x), out, 9)
            except ValueError as error:
                results.append((error.args, out))
            else:
                results.append((None, out))
        assert results[0][0] == results[1][0] and (results[0][0] is None) == (top == 1e9)
        np.testing.assert_array_equal(results[0][1], results[1][1])


def test_sizes_that_are_negative_or_too_large(built):
    x = np.ones((40, 3))
    for function, size in (("summed", -3), ("counted", -1)):
        for made in (built, PLAIN):
            arrays = (x[:, 0], size) if function == "summed" else (x.astype(np.int64), np.zeros(40, np.int64), size)
            with pytest.raises(ValueError, match="negative dimensions"):
                getattr(made, function)(*arrays)
    with pytest.raises(MemoryError):
        built.summed(x[:, 0], 2**59)


def test_large_arrays_stay_one_by_one(built):
    """16 times 64 MiB would not be what the source asks for."""
    x = np.random.default_rng(2).normal(size=20)
    equal(built, "summed", x, 2**20 + 3)


def test_they_are_in_lanes(tmp_path):
    """Or all of the above compares scalar code with itself."""
    (tmp_path / "own.py").write_text("from numba import njit, prange\nimport numpy as np\n" + TEXT)
    said = run_pyk2cu("explain", tmp_path / "own.py").stdout
    lanes = {part.split("(")[0].split()[-1] for part in said.split("\n\n")
             if "where the arrays of an iteration are small" in part}
    assert lanes >= {"alignment", "warping", "edited", "medians", "filled", "orbits", "summed", "counted", "raised"}, lanes
    assert not lanes & {"sizes", "kept"}
