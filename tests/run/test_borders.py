"""Loops whose first and last iterations are special: what one by one gives, wherever the middle begins and ends."""
import numpy as np
import pytest
from conftest import Batch, assert_same_effects, run_pyk2cu

TEXT = '''
@njit("void(uint8[:, ::1], uint8[:, ::1], int64)")
def erode(image, out, radius):
    height, width = image.shape
    for y in range(height):
        for x in range(width):
            smallest = 255
            for yy in range(max(0, y - radius), min(height, y + radius + 1)):
                for xx in range(max(0, x - radius), min(width, x + radius + 1)):
                    if image[yy, xx] < smallest:
                        smallest = image[yy, xx]
            out[y, x] = smallest

@njit("void(int16[:, :], int64[:, :], int64)", parallel=True)
def blur(image, out, radius):
    height, width = image.shape
    for y in prange(height):
        for x in range(width):
            total = 0
            for dy in range(-radius, radius + 1):
                yy = min(max(y + dy, 0), height - 1)
                for dx in range(-radius, radius + 1):
                    xx = min(max(x + dx, 0), width - 1)
                    total += image[yy, xx]
            out[y, x] = total

@njit("void(uint8[:, ::1], uint8[:, ::1])")
def life(cells, out):
    rows, columns = cells.shape
    for i in range(rows):
        for j in range(columns):
            n = 0
            for di in range(-1, 2):
                for dj in range(-1, 2):
                    if di != 0 or dj != 0:
                        n += cells[(i + di) % rows, (j + dj) % columns]
            out[i, j] = 1 if n == 3 or (n == 2 and cells[i, j] == 1) else 0

@njit("void(float64[:], float64[:])", parallel=True)
def smooth(x, out):
    for i in prange(len(x)):
        out[i] = (x[max(i - 1, 0)] + x[i] + x[min(i + 1, len(x) - 1)]) / 3.0

@njit("void(float32[::1], float32[::1], int64)")
def lagged(x, out, lag):
    for i in range(len(x)):
        total = np.float32(0.0)
        for k in range(3):
            total += x[max(i - lag * 1 - k, 0)] if x[i] > 0 else x[min(i + lag, len(x) - 1)]
        out[i] = total

@njit("void(float64[:, ::1], float64[::1], int64, int64)")
def halves(a, out, n, row):
    for j in range(n):
        out[j] = a[row, j] * a[row, n + j]

@njit("int64(int64[:, ::1], int64, int64)")
def paired(a, n, row):
    total = 0
    for j in range(n):
        if a[row, j] == 1:
            total += a[row, n + j] - a[row, 2 * n - 1 - j]
    return total

@njit("int64(int32[::1], int64, int64)")
def shifted_sum(a, n, start):
    total = 0
    for j in range(n):
        total += a[start + j] * j
    return total

@njit("float64(float64[::1], int64, int64)", fastmath=True)
def shifted_product(a, n, start):
    total = 0.0
    for j in range(n):
        total += a[start + j] * a[j]
    return total

@njit("int64(int64[::1], int64, int64)")
def from_the_end(a, first, last):
    total = 0
    for j in range(first, last):
        total += a[last - j] - a[first + j]
    return total

@njit("void(float64[:], int64, float64[:], float64[:])")
def rolling(x, window, mean, spread):
    for i in range(len(x)):
        if i < window - 1:
            mean[i] = -1.0
            spread[i] = -1.0
            continue
        total = 0.0
        for k in range(i - window + 1, i + 1):
            total += x[k]
        centre = total / window
        squares = 0.0
        for k in range(i - window + 1, i + 1):
            squares += (x[k] - centre) ** 2
        mean[i] = centre
        spread[i] = squares / window

@njit("void(uint8[:, ::1], uint8[:, ::1], float64)")
def fires(forest, out, chance):
    rows, columns = forest.shape
    for i in range(rows):
        for j in range(columns):
            if forest[i, j] == 2:
                out[i, j] = 0
            elif forest[i, j] == 0:
                out[i, j] = 1 if (i * 7 + j) % 5 > 3 else 0
            else:
                burns = j * 0.01 < chance
                if i > 0 and forest[i - 1, j] == 2:
                    burns = True
                if i < rows - 1 and forest[i + 1, j] == 2:
                    burns = True
                if j > 0 and forest[i, j - 1] == 2:
                    burns = True
                if j < columns - 1 and forest[i, j + 1] == 2:
                    burns = True
                out[i, j] = 2 if burns else 1

@njit("void(uint8[:, :], uint8[:, :])", parallel=True)
def ends(image, out):
    height, width = image.shape
    for y in prange(height):
        for x in range(width):
            if y == 0 or x == 0 or y == height - 1 or x == width - 1:
                out[y, x] = image[y, x]
                continue
            a, b = image[y - 1, x - 1], image[y + 1, x + 1]
            out[y, x] = max(a, b) - min(image[y, x - 1], image[y, x + 1])

@njit("void(uint8[:, ::1], uint8[:, ::1])")
def two_sides(image, out):
    height, width = image.shape
    for y in range(height):
        for x in range(width):
            if y == 0 or x == 0 or y == height - 1 or x == width - 1:
                out[y, x] = image[y, x]
            else:
                out[y, x] = max(image[y - 1, x - 1], image[y + 1, x + 1]) - min(image[y, x - 1], image[y, x + 1])

@njit("void(float64[::1], float64[::1])")
def ring(x, out):
    """Around the ends, with the length added in any place."""
    n = len(x)
    for i in range(n):
        out[i] = x[(i - 1 + n) % n] - x[(i + n - 2) % n] * x[(n + i + 1) % n]

@njit("void(float64[::1], float64[::1], int64)")
def shifted_ring(x, out, k):
    for i in range(len(x)):
        out[i] = x[(i + k + len(x)) % len(x)] - x[(i - k + 3 * len(x)) % len(x)]

@njit("float64(float64[::1], float64[::1])")
def slopes(x, out):
    n = len(x)
    for i in range(n):
        out[i] = x[i] if i < 2 or i > n - 3 else (x[i + 2] - x[i - 2]) * 0.25
    return out[0] if n else 0.0

@njit("void(int64[:], int64[:], int64[:])")
def raising(x, by, out):
    for i in range(len(x)):
        total = 0
        for k in range(i - 2, i + 3):
            total += x[min(max(k, 0), len(x) - 1)]
        out[i] = total // by[i]

@njit("int64(int64[:], int64)")
def in_order(x, start):
    seen = start
    for i in range(len(x)):
        k = x[i - 1] + x[min(i + 1, len(x) - 1)]
        while k > 3:
            k = k // 2
        seen = seen * 3 + k
    return seen

@njit("float64(float64[:])")
def ordered_sum(x):
    total = 0.0
    for i in range(len(x)):
        y = x[i - 1] - x[min(i + 2, len(x) - 1)]
        n = 0
        while y * y > 1.0 and n < 9:
            y *= 0.5
            n += 1
        total += y
    return total

@njit("void(float64[:], float64[:])")
def in_place(a, b):
    for i in range(len(a)):
        y = a[max(i - 1, 0)]
        n = 0
        while y > 1.0 and n < 20:
            y *= 0.5
            n += 1
        b[i] = y + n

@njit("int64(int64[:], int64[:])")
def last_value(x, out):
    k = -1
    for i in range(len(x)):
        k = max(i - 3, 0)
        n = 0
        while n < x[k] and n < 5:
            n += 1
        out[i] = n
    return k

@njit("void(float64[:], float64[:], int64, int64)")
def inner_part(x, out, lo, hi):
    for i in range(lo, hi):
        y = x[i - 1] + x[i + 1]
        n = 0
        while y > 1.0 and n < 9:
            y *= 0.5
            n += 1
        out[i] = n

@njit("void(float64[:], float64[:])")
def convolved(x, out):
    n = len(x)
    for i in range(n):
        total = 0.0
        for j in range(5):
            if i - j >= 0 and i + j < n:
                total += x[i - j] * x[i + j]
        out[i] = total

@njit("void(float64[:], float64[:])")
def pairs(x, out):
    n = len(x)
    for i in range(n):
        total = 0.0
        for j in range(n):
            if j != i:
                total += 1.0 / (1.0 + (x[i] - x[j]) ** 2)
        for j in range(n):
            if j < i:
                total -= x[j]
        out[i] = total

@njit("void(float64[:], float64[:], int64, boolean, int64)")
def own_extent(x, out, n, flag, r):
    if flag:
        n = len(x)
    for i in range(len(x)):
        total = 0.0
        for k in range(max(i - r, 0), min(i + r + 1, len(x))):
            if i < n - 1:
                total += x[k]
            total = total * 0.5 + k
        out[i] = total

@njit("void(float64[:], float64[:], int64, int64)")
def far_guard(x, out, big, r):
    n = len(x)
    for i in range(n):
        total = 0.0
        for k in range(max(i - r, 0), min(i + r + 1, n)):
            if i + big < n - 1 + big:
                total += x[k] * (max(i + big, 2 + big) - big)
            total = total * 0.5 + k
        out[i] = total

@njit("void(float64[:], float64[:], int64[:], int64)")
def lengths(x, out, counts, r):
    for y in range(len(counts)):
        n = counts[y]
        q = 1 if y == 1 else r
        for i in range(n):
            total = 0.0
            for k in range(max(i - q, 0), min(i + q + 1, n)):
                total += x[k]
                total = total * 0.5 + k
            out[i] = total + x[i - 20]

@njit("float64(float64[:], float64[:], int64)")
def handed_on(x, out, r):
    n = len(x)
    before, j, left = 0.0, 0, 0.0
    for i in range(n):
        total = 0.0
        for k in range(max(i - r, 0), min(i + r + 1, n)):
            total += x[k]
            total = total * 0.5 + k
        if i > n - 3:
            total += left
        left = total * 0.5
        if i == n - 1:
            total += before * 1000.0 + j
        before = total
        j = i - r
        out[i] = total
    return before

@njit("void(float64[:], float64[:], float64[:], int64)")
def first_chooses(x, b, out, r):
    n = len(x)
    for i in range(n):
        if i == 0:
            b = out
        total = 0.0
        for k in range(max(i - r, 0), min(i + r + 1, n)):
            total += x[k]
            total = total * 0.5 + k
        out[i] = total + b[max(i - 1, 0)]

@njit("void(int64[:], int64[:], int64, int64)")
def late_zero(x, out, r, base):
    n = len(x)
    for i in range(n):
        if i == 1:
            base = 0
        t = 0
        for k in range(max(i - r, 0), min(i + r + 1, n)):
            t += x[k]
            t = t // 2 + k
        if i > 1:
            t = t // base
        out[i] = t

@njit("void(float64[:], float64[:], uint8[:], float64[:])")
def rebound(a, c, m, out):
    b = a
    for y in range(len(b)):
        for x in range(len(m)):
            t = 0.0
            for k in range(9):
                if m[x] > k:
                    t += b[y] * k
            out[x] = t
        b = c

@njit("void(float64[:], uint8[:], float64[:], int64, int64, int64, int64)")
def far_loops(a, m, out, s1, e1, s2, e2):
    for y in range(max(0, s1), e1):
        for z in range(max(0, s2), e2):
            for x in range(len(m)):
                if y + z < len(a):
                    t = 0.0
                    for k in range(9):
                        if m[x] > k:
                            t += a[y] * k
                    out[x] = t

@njit("void(float64[:], float64[:], float64[:], int64)")
def moving_start(x, y, out, lo):
    n = len(x)
    for i in range(lo, 1):
        lo += 1000
        for j in range(n):
            t = 0.0
            for k in range(3):
                t = t * 0.5 + y[max(j - lo - k, 0)] + y[min(j + k, n - 1)] + y[max(j - k, 0)]
            if lo >= 0:
                if j < n + i and x[j - i] > 0:
                    t += 3.0
            out[j] += t

@njit("void(float64[:], float64[:], float64[:], int64)")
def shorter(x, y, out, r):
    n = len(x)
    for i in range(n):
        total = 0.0
        for k in range(max(i - r, 0), min(i + r + 1, n)):
            total += x[k]
            total = total * 0.5 + k
        if x[i - 1] < -5.0:
            raise ValueError("low")
        out[i] = total * y[i]

@njit("void(float64[:], float64[:])")
def never(x, out):
    for i in range(len(x)):
        y = x[max(i - 1, 0)]
        while i < 0:
            y += 1.0
        if i > 0:
            n = 0
            while y > 1.0 and n < 5:
                y = np.sqrt(y * 0.5) / (1.0 + y * y)
                n += 1
            out[i] = y
            continue
        while y > 2.0:
            y = np.sqrt(np.sqrt(y) + 1.0) / 1.25 + 0.1 / (y + x[max(i - 2, 0)])
        out[i] = -y

@njit("void(int16[:, ::1], int16[:, ::1], int32)", parallel=True)
def spans(depth, out, reach):
    rows, columns = depth.shape
    for r in prange(rows):
        for c in range(columns):
            low, high = depth[r, c], depth[r, c]
            for rr in range(max(r - reach, 0), min(r + reach + 1, rows)):
                for cc in range(max(c - reach, 0), min(c + reach + 1, columns)):
                    v = depth[rr, cc]
                    if v < low:
                        low = v
                    if v > high:
                        high = v
            out[r, c] = high - low
@njit("void(int64[::1], int64[::1])")
def left_at(a, o):
    for i in range(a.size):
        o[i] = a[i]
        if i == 3:
            break
@njit("int64(int64[::1])")
def left_with_sum(a):
    s = 0
    for i in range(a.size):
        if i == 3:
            break
        s += a[i]
    else:
        s += 1000
    return s
@njit("int64(int64[:])")
def left_with_value(a):
    s = 0
    for i in range(a.size):
        s = a[i] * 5
        if i == 3:
            break
    return s
@njit("void(int64[:, ::1], int64[:, ::1])")
def left_inside(a, o):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            o[i, j] = a[i, j]
            if j == 5:
                break
@njit("void(int64[::1], int64[:, ::1])", parallel=True)
def left_in_parallel(a, o):
    for i in prange(o.shape[0]):
        for j in range(len(a)):
            o[i, j] = a[j]
            if j == 6:
                break
@njit("int64(int64[::1], int64[::1])")
def left_on_two_sides(a, o):
    for i in range(a.size):
        if i < 2:
            o[i] = a[i] + 1
        else:
            o[i] = a[i] - 1
        if i == a.size - 3:
            break
        if a[i] > 90:
            return i
    return -1
@njit("float64(int64, int64, int64)")
def far_away(a, n, r):
    s = 0.0
    for i in range(a, n):
        t = 1.0
        for j in range(i - r, i + r + 1):
            t = t * 0.5 + np.sqrt(float(j & 15))
        s = max(s, t)
    return s
@njit("int64(int64, int64)")
def halved(a, n):
    longest = 0
    for i in range(a, n):
        v = i
        c = 0
        while v > 1 and c < 90 + (i & 7):
            v = v // 2 if v % 2 == 0 else (v >> 1) + 3
            c += 1
        longest = max(longest, c)
    return longest
@njit("void(float64[:], float64[:], float64[:])")
def centred(x, h, out):
    n, m = len(x), len(h)
    for i in range(n):
        acc = 0.0
        for j in range(m):
            k = i + j - m // 2
            if 0 <= k < n:
                acc += x[k] * h[j]
        out[i] = acc
@njit("void(float64[:, :], float32[:, :], float64[:, :])", parallel=True)
def filtered(image, kernel, out):
    h, w = image.shape
    kh, kw = kernel.shape
    for i in prange(h):
        for j in range(w):
            s, weight = 0.0, 0.0
            for a in range(kh):
                for b in range(kw):
                    y, x = i + a - (kh - 1) // 2, j + b - (kw - 1) // 2
                    if y < 0 or y >= h or x < 0 or x >= w:
                        continue
                    s += image[y, x] * kernel[a, b]
                    weight += kernel[a, b]
            out[i, j] = s / weight
@njit("void(float64[:], float64[:], int64, int64)")
def quotients(x, out, a, b):
    """Of numbers of any sign, next to the largest too."""
    for i in range(len(x)):
        t = 0.0
        for k in range(3):
            if i >= a // 3 + k:
                t += 1.0
            if i - b % 7 - k >= 0:
                t += x[i - b % 7 - k]
            if i + k < len(x) - (a - b) // 5 % 16:
                t -= 0.5 * x[i]
        out[i] = t
@njit("void(float64[:], float64[:], float64[:, :])")
def filters(x, h, out):
    """Windows that begin or end as late as the array or the filter allows, said in five ways."""
    m = h.shape[0]
    for i in range(x.shape[0]):
        s = 0.0
        for j in range(min(m, i + 1)):
            s += h[j] * x[i - j]
        out[0, i] = s
    for i in range(x.shape[0]):
        s, top = 0.0, i + 1
        if top > m:
            top = m
        for j in range(top):
            s += h[j] * x[i - j]
        out[1, i] = s
    for i in range(x.shape[0]):
        s = 0.0
        for j in range(i + 1 if i + 1 < m else m):
            s += h[j] * x[i - j]
        out[2, i] = s
    for i in range(x.shape[0]):
        s = 0.0
        for j in range(max(0, i - m + 1), i + 1):
            s += h[i - j] * x[j]
        out[3, i] = s
    for i in range(x.shape[0]):
        s = 0.0
        if i < m:
            first = 0
        else:
            first = i - m + 1
        for j in range(first, i + 1):
            s += h[i - j] * x[j]
        out[4, i] = s
    for i in range(x.shape[0]):
        s, n = 0.0, x.shape[0] - i
        top = m if n >= m else n
        for j in range(top):
            s += h[j] * x[i + j]
        out[5, i] = s
@njit("void(float32[:], int64, float32[:], int64[:])")
def clamped(x, r, out, sizes):
    n = x.size
    for i in range(n):
        lo = i - r
        hi = i + r + 1
        if lo < 0:
            lo = 0
        if hi > n:
            hi = n
        most = x[i]
        for j in range(lo, hi):
            most = max(most, x[j])
        out[i] = most
        sizes[i] = hi - lo
@njit("void(float64[:, :], float64[:, :], int64)")
def least_beside(image, out, r):
    h, w = image.shape
    for i in range(h):
        for j in range(w):
            m = np.inf
            for a in range(max(0, i - r), min(h, i + r + 1)):
                for b in range(max(0, j - r), min(w, j + r + 1)):
                    m = min(m, image[a, b])
            out[i, j] = m
@njit("void(float64[:, :], float64[:, :], int64)")
def nearest(image, out, r):
    h, w = image.shape
    for i in range(h):
        for j in range(w):
            s = 0.0
            for di in range(-r, r + 1):
                ii = min(max(i + di, 0), h - 1)
                for dj in range(-r, r + 1):
                    jj = j + dj
                    if jj < 0:
                        jj = 0
                    elif jj >= w:
                        jj = w - 1
                    s += image[ii, jj] * (dj - di)
            out[i, j] = s
@njit("void(float64[:], float64[:], int64)")
def mirrored(x, out, r):
    n = x.size
    for i in range(n):
        s = 0.0
        for j in range(i - r, i + r + 1):
            k = j
            if k < 0:
                k = -k
            if k >= n:
                k = 2 * n - 2 - k
            s += x[k] * (j - i + 1)
        out[i] = s
@njit("void(float64[:], float64[:], int64)")
def what_branches_ask_first(x, out, r):
    """A branch that is no limit: the array is asked, or what was set is read in between."""
    for i in range(x.size):
        lo = i - r
        before = lo
        if lo < 0:
            lo = 0
        top = i + r
        out[i] = top
        if x[min(top, x.size - 1)] > 0:
            top = x.size
        if lo > 0:
            lo += before
            top = lo
        s = 0.0
        for j in range(min(max(lo, 0), x.size), min(top, x.size)):
            s += x[j]
        out[i] += s + before
@njit("void(float64[:], float64[:], int64)")
def moving_quotient(x, out, a):
    """The loop changes what the quotient is of."""
    for i in range(len(x)):
        if i - a // 2 >= 0:
            out[i] = x[i - a // 2]
        if x[i] > 1.5:
            a += 2
'''
OPTIONS = {"plain": ["--no-lanes", "--fp=strict"], "default": ["--fp=strict"], "eight": ["--gang=8", "--fp=strict"],
           "checked": ["--boundscheck", "--fp=strict"]}
MODULES = {name: Batch("borders_" + name, options) for name, options in OPTIONS.items()}
for module in MODULES.values():
    module.add(TEXT)
PLAIN = MODULES["plain"]
SIZES = [0, 1, 2, 3, 31, 65, 130]


@pytest.fixture(params=["default", "eight"])
def built(request):
    return MODULES[request.param]


def equal(call, *arrays):
    return assert_same_effects(call[0], PLAIN, call[1], *arrays)


@pytest.mark.parametrize("width", SIZES)
@pytest.mark.parametrize("radius", [-3, 0, 1, 4, 40, 98, 2**62, -2**63])
def test_squares(built, width, radius):
    rng = np.random.default_rng(width)
    for height in (1, 7):
        image = rng.integers(0, 256, (height, width)).astype(np.uint8)
        equal((built, "erode"), image, np.zeros_like(image), radius)
        if abs(radius) < 99:
            depth = rng.integers(-3000, 3000, (height, width)).astype(np.int16)
            equal((built, "spans"), depth, np.zeros_like(depth), radius)
        if -2**60 < radius < 2**60:
            image = rng.integers(-99, 99, (2 * height, width)).astype(np.int16)
            equal((built, "blur"), image[::2], np.zeros((height, width), np.int64), radius)


@pytest.mark.parametrize("width", SIZES)
def test_grids(built, width):
    rng = np.random.default_rng(width)
    for height in (1, 2, 9):
        cells = rng.integers(0, 3, (height, width)).astype(np.uint8)
        equal((built, "life"), cells, np.zeros_like(cells))
        equal((built, "fires"), cells, np.zeros_like(cells), 0.3)
        equal((built, "ends"), cells, np.zeros_like(cells))
        equal((built, "ends"), cells[::-1, ::-1], np.zeros_like(cells))
        equal((built, "two_sides"), cells, np.zeros_like(cells))
        equal((built, "two_sides"), cells, cells)


@pytest.mark.parametrize("count", SIZES)
def test_series(built, count):
    rng = np.random.default_rng(count)
    x = rng.normal(size=count) * 3
    x[:: max(count // 5, 1)] = np.nan
    equal((built, "smooth"), x, np.zeros(count))
    equal((built, "smooth"), x[::-1], np.zeros(count))
    equal((built, "slopes"), x, np.zeros(count))
    if count:
        equal((built, "ring"), x, np.zeros(count))
        for k in (0, 1, -1, 7, count, -count, 5 * count + 2, 2**62, -(2**62)):
            equal((built, "shifted_ring"), x, np.zeros(count), k)
    for lag in (0, 1, 5, count, 2 * count + 1):
        equal((built, "lagged"), x.astype(np.float32), np.zeros(count, np.float32), lag)
    for window in (1, 2, 7, count, count + 3):
        if window > 0:
            equal((built, "rolling"), np.nan_to_num(x), window, np.zeros(count), np.zeros(count))
    equal((built, "ordered_sum"), np.nan_to_num(x))
    equal((built, "in_place"), x, np.zeros(count))
    equal((built, "convolved"), x, np.zeros(count))
    equal((built, "pairs"), x, np.zeros(count))
    whole = rng.integers(0, 99, count)
    equal((built, "in_order"), whole, 1)
    equal((built, "last_value"), whole, np.zeros(count, np.int64))
    if count > 2:
        equal((built, "inner_part"), np.nan_to_num(x), np.zeros(count), 1, count - 1)
        equal((built, "inner_part"), np.nan_to_num(x), np.zeros(count), 0, 1)
        equal((built, "inner_part"), np.nan_to_num(x), np.zeros(count), 5, 2)


def test_one_array_for_both(built):
    x = np.random.default_rng(1).normal(size=200) * 9
    for made in (built, PLAIN):
        same, late = np.copy(x), np.copy(x)
        made.in_place(same, same)
        made.in_place(late[:-1], late[1:])
        if made is built:
            expected = same, late
    np.testing.assert_array_equal(same, expected[0])
    np.testing.assert_array_equal(late, expected[1])


@pytest.mark.parametrize("at", [0, 1, 2, 50, 97, 98, 99])
def test_what_is_stored_before_an_exception(built, at):
    x, by = np.arange(100), np.ones(100, np.int64)
    by[at] = 0
    out = np.full(100, -7)
    with pytest.raises(ZeroDivisionError):
        built.raising(x, by, out)
    expected = np.full(100, -7)
    with pytest.raises(ZeroDivisionError):
        PLAIN.raising(x, by, expected)
    assert out.tolist() == expected.tolist() and out[at] == -7 and (at == 0 or out[at - 1] != -7)


def test_bounds_are_checked_where_the_source_says():
    checked = MODULES["checked"]
    x = np.arange(100.0)
    out, expected = np.zeros(100), np.zeros(100)
    checked.inner_part(x, out, 1, 99)
    PLAIN.inner_part(x, expected, 1, 99)
    assert out.tolist() == expected.tolist()
    with pytest.raises(IndexError):
        checked.inner_part(x, out, 1, 100)
    image = np.random.default_rng(1).integers(0, 256, (9, 80)).astype(np.uint8)
    out, expected = np.zeros_like(image), np.zeros_like(image)
    checked.erode(image, out, 2)
    PLAIN.erode(image, expected, 2)
    assert (out == expected).all()




@pytest.mark.parametrize("n", SIZES)
def test_quotients_say_where_the_middle_is(built, n):
    rng = np.random.default_rng(n)
    x = rng.normal(size=n)
    for m in (0, 1, 2, 5, 8, n, 2 * n + 1):
        h = rng.normal(size=m)
        equal((built, "centred"), x, h, np.zeros(n))
        equal((built, "centred"), x[::-1], h[::-1], np.zeros(2 * n)[::2])
    for shape in ((1, 1), (2, 3), (3, 2), (5, 5), (4, n + 1)):
        equal((built, "filtered"), rng.normal(size=(6, n)), rng.uniform(0.5, 1, shape).astype("f4"), np.zeros((6, n)))
    for a in (0, 1, 5, -7, n, 3 * n, 2**63 - 1, -2**63):
        for b in (0, 3, 8, -1, -2**63, 2**63 - 1):
            equal((built, "quotients"), x, np.zeros(n), a, b)
    equal((built, "moving_quotient"), x, np.zeros(n), 5)


@pytest.mark.parametrize("n", SIZES)
def test_ends_of_windows_said_in_many_ways(built, n):
    rng = np.random.default_rng(n)
    x = rng.normal(size=n)
    for m in (0, 1, 2, 9, n, n + 5):
        h = rng.normal(size=m)
        equal((built, "filters"), x, h, np.zeros((6, n)))
        equal((built, "filters"), np.repeat(x, 3)[::3], h[::-1], np.zeros((6, n)))
    for r in (0, 1, 4, n // 2, n, -1, 2**62, -2**63):
        x[n // 3:n // 3 + 1] = np.nan
        equal((built, "clamped"), x.astype("f4"), r, np.zeros(n, "f4"), np.zeros(n, int))
    image = rng.integers(-2, 3, (9, n)) * 0.0 + rng.integers(-9, 9, (9, n)) * rng.integers(0, 2, (9, n))
    for r in (0, 1, 3, 12, -2):
        equal((built, "least_beside"), image, np.zeros((9, n)), r)
        equal((built, "least_beside"), image.T, np.zeros((n, 9)), r)
        equal((built, "nearest"), image, np.zeros((9, n)), r)
        equal((built, "nearest"), image[::-1, ::-1], np.zeros((9, 2 * n))[:, ::2], r)
        equal((built, "what_branches_ask_first"), np.nan_to_num(x), np.zeros(n), r)
        if abs(r) < n:
            equal((built, "mirrored"), x, np.zeros(n), r)


def test_what_iterations_hand_on(built):
    x = np.random.default_rng(3).normal(size=300)
    for r in (0, 1, 5):
        equal((built, "handed_on"), x, np.zeros(300), r)
        equal((built, "first_chooses"), x, x + 1, np.zeros(300), r)
        equal((built, "own_extent"), x, np.zeros(300), 10, False, r)
        equal((built, "own_extent"), x, np.zeros(300), 10, True, r)
        for made in (built, PLAIN):
            out = np.zeros(300, np.int64)
            with pytest.raises(ZeroDivisionError):
                made.late_zero(np.arange(300), out, r, 7)
            assert out[2] == 0 and out[1] != 0
    equal((built, "never"), x * 3, np.zeros(300))


def test_numbers_next_to_the_largest(built):
    x = np.random.default_rng(3).normal(size=1000)
    for big in (0, -2**63, 2**63 - 501, 2**62):
        equal((built, "far_guard"), x, np.zeros(1000), big, 3)
    mask = np.full(100, 5, np.uint8)
    equal((built, "far_loops"), x, mask, np.zeros(100), 3, 5, 1, 4)
    equal((built, "far_loops"), x[:10], mask, np.zeros(100), 10**12, 10**12 + 1, 2**63 - 10**12 - 1, 2**63 - 10**12)


@pytest.mark.parametrize("n", [0, 1, 2, 70, 200, -5])
def test_sums_and_subscripts_that_may_count_from_the_end(built, n):
    a = np.arange(2 * max(n, 3) * 3.0).reshape(3, -1) % 17
    for row in 0, 2, -1, -3:
        assert_same_effects(built, PLAIN, "halves", a, np.zeros(max(n, 3)), n, row)
        assert_same_effects(built, PLAIN, "paired", (a % 3).astype(int), n, row)
    for start in 0, 1, -1, -n, -3, -2 * n:
        flat = np.arange(2 * max(n, 3) + 1)
        assert_same_effects(built, PLAIN, "shifted_sum", flat.astype("i4"), n, start)
        assert built.shifted_product(flat * 0.5, n, start) == pytest.approx(PLAIN.shifted_product(flat * 0.5, n, start))
    for first in 0, 1, n // 2, -3:
        assert_same_effects(built, PLAIN, "from_the_end", np.arange(3 * max(n, 3) + 9) % 23, first, n)


def test_what_changes_around_the_loop(built):
    x = np.random.default_rng(3).normal(size=400)
    equal((built, "lengths"), x, np.zeros(400), np.array([400, 30, 399, 0, 64]), 60)
    mask = np.arange(7).astype(np.uint8)
    equal((built, "rebound"), x[:3], x, mask, np.zeros(7))
    equal((built, "moving_start"), x[:131], x, np.zeros(131), -5)


def test_nothing_behind_an_iteration_that_raises_is_read(built):
    x = np.random.default_rng(3).normal(size=400)
    x[70] = -9.0
    for short in (71, 72, 100):
        results = []
        for made in (built, PLAIN):
            out = np.zeros(400)
            with pytest.raises(ValueError):
                made.shorter(x, x[:short].copy(), out, 3)
            results.append(out)
        np.testing.assert_array_equal(*results)


def test_middles_are_made(tmp_path):
    """Or all of the above compares scalar code with itself."""
    (tmp_path / "borders.py").write_text("from numba import njit, prange\nimport numpy as np\n" + TEXT)
    said = run_pyk2cu("explain", tmp_path / "borders.py").stdout
    split = {name for part in said.split("\n\n") if "in the middle" in part
             for name in [part.split("(")[0].split()[-1]]}
    expected = {"erode", "blur", "life", "smooth", "lagged", "rolling", "ends", "convolved",
                "own_extent", "far_guard", "lengths", "shorter", "never", "two_sides", "slopes", "ring", "centred",
                "filtered", "quotients", "filters", "clamped", "least_beside", "nearest"}
    assert split >= expected, expected - split


@pytest.mark.parametrize("n", [0, 1, 2, 3, 4, 5, 6, 7, 8, 20, 70])
def test_who_leaves_the_loop_leaves_all_of_it(built, n):
    rng = np.random.default_rng(n)
    a, square, out = rng.integers(0, 100, n), rng.integers(0, 100, (n, n)), np.zeros(n, np.int64)
    assert_same_effects(built, PLAIN, "left_at", a, out)
    assert_same_effects(built, PLAIN, "left_with_sum", a)
    assert_same_effects(built, PLAIN, "left_with_value", a)
    assert_same_effects(built, PLAIN, "left_inside", square, np.zeros((n, n), np.int64))
    assert_same_effects(built, PLAIN, "left_in_parallel", a, np.zeros((4, n), np.int64))
    assert_same_effects(built, PLAIN, "left_on_two_sides", a, out)


def test_at_the_ends_of_int64(built):
    """Neither a gang's step nor a window's end goes round."""
    most = 2**63 - 1
    for first, last, width in [(most - 200, most, 3), (most - 33, most - 1, 0), (most - 90, most - 40, 100), (most, most, 2),
                               (-most - 1, -most + 99, 4), (most - 5, -most, 1), (-3, 200, 2)]:
        assert_same_effects(built, PLAIN, "far_away", first, last, width)
        assert_same_effects(built, PLAIN, "halved", first, last)
