"""Functions of NumPy as Numba has them, compiled where they are called.

A name is that of the function; with the name of a keyword behind it the form that is called with
that, with a number the form of so many arguments: where_1, random_normal_3. Forms not here are the
compiler's own. Arguments are of any dtype that the body takes.
Tested by tests/run/test_numpy_library.py.
"""
import numpy as np
from numba import njit

# ---- in another order ---------------------------------------------------------------------------


@njit
def roll(a, shift):
    n = a.size
    flat = a.flatten()
    out = np.empty_like(flat)
    for i in range(n):
        out[(i + shift) % n] = flat[i]
    return out.reshape(a.shape)


@njit
def flip(m):
    if m.ndim == 1:
        return m[::-1]
    return m[::-1, ::-1] if m.ndim == 2 else m[::-1, ::-1, ::-1]


@njit
def flipud(m):
    return m[::-1]


@njit
def fliplr(m):
    return m[:, ::-1]


@njit
def rot90_1(m):
    rows, columns = m.shape
    return m.T[::-1]


@njit
def repeat(a, repeats):
    if repeats < 0:
        raise ValueError("negative dimensions are not allowed")
    out = np.empty(a.size * repeats, dtype=a.dtype)
    k = 0
    for x in a.flat:
        for _ in range(repeats):
            out[k] = x
            k += 1
    return out


@njit
def tile(A, reps):
    if reps < 0:
        raise ValueError("negative dimensions are not allowed")
    n = len(A)
    out = np.empty(n * reps, dtype=A.dtype)
    for k in range(len(out)):
        out[k] = A[k % n]
    return out


@njit
def ravel(a):
    return a.ravel()


@njit
def append(arr, values):
    return np.concatenate((np.ravel(arr), np.ravel(np.asarray(values))))


@njit
def delete(arr, obj):
    n = arr.size
    if obj < -n or obj >= n:
        raise IndexError("obj must be less than the len(arr)")
    at = obj + n if obj < 0 else obj
    flat = arr.flatten()
    out = np.empty(n - 1, dtype=arr.dtype)
    out[:at] = flat[:at]
    out[at:] = flat[at + 1:]
    return out


@njit
def take(a, indices):
    flat = a.ravel()
    n = len(flat)
    out = np.empty(len(indices), dtype=a.dtype)
    for k in range(len(indices)):
        if indices[k] < -n or indices[k] >= n:
            raise IndexError("index is out of bounds")
        out[k] = flat[indices[k]]
    return out


@njit
def extract(condition, arr):
    return take(arr, flatnonzero(condition))


# ---- put together -------------------------------------------------------------------------------


@njit
def none_of(tup):
    """An empty array of the dtype that holds the items of all."""
    if len(tup) == 1:
        return tup[0].flatten()[:0].copy()
    return np.concatenate((tup[0].flatten()[:0], none_of(tup[1:])))


@njit
def beside(tup, first):
    if first.ndim == 1:
        return np.concatenate(tup)
    columns = 0
    for a in tup:
        if a.shape[0] != first.shape[0]:
            raise ValueError("all the input array dimensions except for the concatenation axis must match exactly")
        columns += a.shape[1]
    out = np.empty((first.shape[0], columns), dtype=none_of(tup).dtype)
    at = 0
    for a in tup:
        out[:, at:at + a.shape[1]] = a
        at += a.shape[1]
    return out


@njit
def hstack(tup):
    return beside(tup, tup[0])


@njit
def room_for(count, first, items):
    if first.ndim == 1:
        return np.empty((count, first.shape[0]), dtype=items.dtype)
    if first.ndim == 2:
        return np.empty((count, first.shape[0], first.shape[1]), dtype=items.dtype)
    return np.empty((count, first.shape[0], first.shape[1], first.shape[2]), dtype=items.dtype)


@njit
def stack(arrays):
    out = room_for(len(arrays), arrays[0], none_of(arrays))
    k = 0
    for a in arrays:
        if a.shape != arrays[0].shape:
            raise ValueError("all input arrays must have the same shape")
        out[k] = a
        k += 1
    return out


@njit
def below(tup, first):
    return stack(tup) if first.ndim == 1 else np.concatenate(tup)


@njit
def vstack(tup):
    return below(tup, tup[0])


@njit
def in_columns(tup, first):
    return stack(tup).T.copy() if first.ndim == 1 else beside(tup, first)


@njit
def column_stack(tup):
    return in_columns(tup, tup[0])


# ---- what is where ------------------------------------------------------------------------------


@njit
def flatnonzero(a):
    found = np.empty(a.size, dtype=np.int64)
    count = 0
    k = 0
    for x in a.flat:
        if x:
            found[count] = k
            count += 1
        k += 1
    return found[:count].copy()


@njit
def nonzero(a):
    flat = flatnonzero(a)
    if a.ndim == 1:
        return (flat,)
    if a.ndim == 2:
        return flat // a.shape[1], flat % a.shape[1]
    _, rows, columns = a.shape
    return flat // (rows * columns), flat // columns % rows, flat % columns


@njit
def where_1(condition):
    return nonzero(condition)


@njit
def argwhere(a):
    flat = flatnonzero(a)
    out = np.empty((len(flat), a.ndim), dtype=np.int64)
    rest = flat.copy()
    for axis in range(a.ndim - 1, -1, -1):
        for k in range(len(flat)):
            out[k, axis] = rest[k] % a.shape[axis]
            rest[k] //= a.shape[axis]
    return out


@njit
def unique(ar):
    items = np.sort(ar.flatten())
    count = 0
    for k in range(len(items)):
        both_nan = k > 0 and items[k] != items[k] and items[k - 1] != items[k - 1]
        if k == 0 or (items[k] != items[k - 1] and not both_nan):
            items[count] = items[k]
            count += 1
    return items[:count].copy()


@njit
def greatest_of(a):
    most = -1
    for x in a:
        if x < 0:
            raise ValueError("first argument must be non-negative")
        most = max(most, np.int64(x))
    return most


@njit
def bincount(a):
    return bincount_minlength(a, 0)


@njit
def bincount_minlength(a, minlength):
    if minlength < 0:
        raise ValueError("'minlength' must not be negative")
    counts = np.zeros(max(greatest_of(a) + 1, minlength), dtype=np.int64)
    for x in a:
        counts[x] += 1
    return counts


@njit
def bincount_2(a, weights):
    return bincount_weights(a, weights, 0)


@njit
def bincount_3(a, weights, minlength):
    return bincount_weights(a, weights, minlength)


@njit
def bincount_weights(a, weights, minlength=0):
    if len(a) != len(weights):
        raise ValueError("bincount(): weights and list don't have the same length")
    if minlength < 0:
        raise ValueError("'minlength' must not be negative")
    sums = np.zeros(max(greatest_of(a) + 1, minlength), dtype=np.float64)
    for k in range(len(a)):
        sums[a[k]] += weights[k]
    return sums


@njit
def is_ordered(bins):
    for k in range(1, len(bins)):
        if bins[k] < bins[k - 1]:
            return False
    return True


@njit
def digitize(x, bins, right=False):
    if is_ordered(bins):
        if right:
            return np.searchsorted(bins, x, "left")
        return np.searchsorted(bins, x, "right")
    turned = bins[::-1].copy()
    if not is_ordered(turned):
        raise ValueError("bins must be monotonically increasing or decreasing")
    if right:
        return len(bins) - np.searchsorted(turned, x, "left")
    return len(bins) - np.searchsorted(turned, x, "right")


# ---- differences and products -------------------------------------------------------------------


@njit
def diff(a, n=1):
    if n < 0:
        raise ValueError("diff(): order must be non-negative")
    out = a.copy()
    for _ in range(n):
        out = out[..., 1:] - out[..., :-1]
    return out


@njit
def ediff1d(ary):
    flat = ary.flatten()
    return flat[1:] - flat[:-1]


@njit
def outer(a, b):
    rows, columns = a.flatten(), b.flatten()
    out = np.empty((len(rows), len(columns)), dtype=(rows[:0] * columns[:0]).dtype)
    for i in range(len(rows)):
        for j in range(len(columns)):
            out[i, j] = rows[i] * columns[j]
    return out


@njit
def vdot(a, b):
    return np.dot(np.conj(a), b)


@njit
def cross(a, b):
    if len(a) != 3 or len(b) != 3:
        raise ValueError("Incompatible dimensions for cross product")
    out = np.empty(3, dtype=(a[:0] * b[:0]).dtype)
    out[0] = a[1] * b[2] - a[2] * b[1]
    out[1] = a[2] * b[0] - a[0] * b[2]
    out[2] = a[0] * b[1] - a[1] * b[0]
    return out


@njit
def kron(a, b):
    m, n = a.shape
    p, q = b.shape
    out = np.empty((m * p, n * q), dtype=(a[:0, :0] * b[:0, :0]).dtype)
    for i in range(m):
        for j in range(n):
            out[i * p:(i + 1) * p, j * q:(j + 1) * q] = a[i, j] * b
    return out


@njit
def added(a):
    """Along the last axis."""
    if a.ndim == 1:
        return np.sum(a)
    return np.sum(a, axis=-1)


@njit
def trapezoid(y, x=None, dx=1.0):
    heights = y[..., 1:] * 0.5 + y[..., :-1] * 0.5
    if x is None:
        return added(heights * dx)
    else:
        return added((x[..., 1:] - x[..., :-1]) * heights)


@njit
def trapz(y, x=None, dx=1.0):
    return trapezoid(y, x, dx)


@njit
def convolve(a, v, mode="full"):
    if len(a) == 0:
        raise ValueError("'a' cannot be empty")
    if len(v) == 0:
        raise ValueError("'v' cannot be empty")
    if mode != "full" and mode != "same" and mode != "valid":
        raise ValueError("Invalid 'mode'")
    if len(v) > len(a):
        return convolve(v, a, mode)
    m, n = len(a), len(v)
    full = np.zeros(m + n - 1, dtype=(a[:0] * v[:0]).dtype)
    for i in range(m):
        for j in range(n):
            full[i + j] += a[i] * v[j]
    if mode == "valid":
        return full[n - 1:m].copy()
    if mode == "same":
        return full[(n - 1) // 2:(n - 1) // 2 + m].copy()
    return full


@njit
def polyval(p, x):
    y = x * 0 + np.sum(p[:0])
    for k in range(len(p)):
        y = y * x + p[k]
    return y


# ---- matrices -----------------------------------------------------------------------------------


@njit
def trace(a):
    rows, columns = a.shape
    total = a[:0, :0].sum()
    for k in range(min(rows, columns)):
        total += a[k, k]
    return total


@njit
def diag(v):
    if v.ndim == 1:
        out = np.zeros((len(v), len(v)), dtype=v.dtype)
        for k in range(len(v)):
            out[k, k] = v[k]
        return out
    rows, columns = v.shape
    n = min(rows, columns)
    line = np.empty(n, dtype=v.dtype)
    for k in range(n):
        line[k] = v[k, k]
    return line


@njit
def triu(m, k=0):
    out = m.copy()
    rows, columns = m.shape
    for i in range(rows):
        for j in range(columns):
            if j - i < k:
                out[i, j] = 0
    return out


@njit
def tril(m, k=0):
    out = m.copy()
    rows, columns = m.shape
    for i in range(rows):
        for j in range(columns):
            if j - i > k:
                out[i, j] = 0
    return out


# ---- order statistics ---------------------------------------------------------------------------


@njit
def selected(a, k):
    """The item that sorting would put at k; `a`, without NaN, is in another order afterwards."""
    low, high = 0, len(a) - 1
    while low < high:
        middle = (low + high) // 2
        pivot = max(min(a[low], a[middle]), min(max(a[low], a[middle]), a[high]))
        i, j = low, high
        while i <= j:
            while a[i] < pivot:
                i += 1
            while pivot < a[j]:
                j -= 1
            if i <= j:
                a[i], a[j] = a[j], a[i]
                i += 1
                j -= 1
        if k <= j:
            high = j
        elif k >= i:
            low = i
        else:
            break
    return a[k]


@njit
def middle_of(flat):
    n = len(flat)
    upper = selected(flat, n // 2)
    if n % 2:
        return upper / 1
    lower = flat[0]
    for x in flat[:n // 2]:
        lower = max(lower, x)
    return (lower + upper) / 2


@njit
def median(a):
    flat = a.flatten()
    for x in flat:
        if x != x:
            return np.nan
    return middle_of(flat) if len(flat) else np.nan


@njit
def without_nan(a):
    flat = a.flatten()
    count = 0
    for x in flat:
        if x == x:
            flat[count] = x
            count += 1
    return flat[:count].copy()


@njit
def nanmedian(a):
    flat = without_nan(a)
    return middle_of(flat) if len(flat) else np.nan


@njit
def quantile_of(items, q):
    """Of items without NaN, which are in another order afterwards."""
    n = len(items)
    if n == 0:
        return np.nan
    place = q * (n - 1)
    k = min(int(np.floor(place)), n - 1)
    low = selected(items, k) * 1.0
    if k + 1 == n or place == k:
        return low
    high = items[k + 1] * 1.0
    for x in items[k + 2:]:
        high = min(high, x * 1.0)
    part = place - k
    return low + part * (high - low) if part < 0.5 else high - (1.0 - part) * (high - low)


@njit
def quantile_at(a, q):
    flat = a.flatten()
    if len(flat) == 0:
        raise IndexError("cannot do a non-empty take from an empty axes.")
    for x in flat:
        if x != x:
            return np.nan
    return quantile_of(flat, q)


@njit
def percentile(a, q):
    if not (q >= 0 and q <= 100):
        raise ValueError("Percentiles must be in the range [0, 100]")
    return quantile_at(a, q / 100)


@njit
def quantile(a, q):
    if not (q >= 0 and q <= 1):
        raise ValueError("Quantiles must be in the range [0, 1]")
    return quantile_at(a, q * 1.0)


@njit
def nanpercentile(a, q):
    if not (q >= 0 and q <= 100):
        raise ValueError("Percentiles must be in the range [0, 100]")
    return quantile_of(without_nan(a), q / 100)


@njit
def ptp(a):
    return np.max(a) - np.min(a)


@njit
def average(a, axis=None, weights=None):
    if axis is not None:
        return a.average_along(axis)  # there is none: it is refused
    if weights is None:
        return np.mean(a)
    else:
        if a.shape != weights.shape:
            raise TypeError("Numba does not support average when shapes of a and weights differ.")
        scale = np.sum(weights)
        if scale == 0:
            raise ZeroDivisionError("Weights sum to zero, can't be normalized.")
        return np.sum(a * weights) / scale


# ---- NaN left out -------------------------------------------------------------------------------


@njit
def nansum(a):
    total = np.sum(a.flatten()[:0])
    for x in a.flat:
        if x == x:
            total += x
    return total


@njit
def nanprod(a):
    return np.prod(without_nan(a))


@njit
def nanmean(a):
    total, count = 0.0, 0
    for x in a.flat:
        if x == x:
            total += x
            count += 1
    return total / count if count else np.nan


@njit
def nanvar(a):
    return np.var(without_nan(a))


@njit
def nanstd(a):
    return np.std(without_nan(a))


@njit
def nanmax(a):
    if a.size == 0:
        raise ValueError("nanmax(): empty array")
    items = without_nan(a)
    return np.max(items) if len(items) else a.flatten()[0]


@njit
def nanmin(a):
    if a.size == 0:
        raise ValueError("nanmin(): empty array")
    items = without_nan(a)
    return np.min(items) if len(items) else a.flatten()[0]


# ---- comparing ----------------------------------------------------------------------------------


@njit
def isclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False):
    near = (np.abs(a - b) <= atol + rtol * np.abs(b)) & np.isfinite(b)
    return (a == b) | near | (equal_nan & (a != a) & (b != b))


@njit
def allclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False):
    return np.all(isclose(a, b, rtol, atol, equal_nan))


@njit
def array_equal(a1, a2):
    if a1.shape != a2.shape:
        return False
    return np.all(a1 == a2)


# ---- sets ---------------------------------------------------------------------------------------


@njit
def is_among(items, item):
    """`items` are sorted."""
    k = np.searchsorted(items, item)
    return k < len(items) and items[k] == item


@njit
def isin(element, test_elements, assume_unique=False, invert=False):
    items = np.sort(test_elements.flatten())
    flat = element.flatten()
    out = np.empty(len(flat), dtype=np.bool_)
    for k in range(len(flat)):
        out[k] = is_among(items, flat[k]) != invert
    return out.reshape(element.shape)


@njit
def in1d(ar1, ar2, assume_unique=False, invert=False):
    return isin(ar1.flatten(), ar2, assume_unique, invert)


@njit
def intersect1d(ar1, ar2, assume_unique=False):
    items = unique(ar1)
    return items[isin(items, ar2)]


@njit
def setdiff1d(ar1, ar2, assume_unique=False):
    items = unique(ar1)
    return items[isin(items, ar2, False, True)]


@njit
def union1d(ar1, ar2):
    return unique(np.concatenate((ar1.flatten(), ar2.flatten())))


# ---- linear algebra: Gauss's elimination, rows exchanged ----------------------------------------


@njit
def eliminate(m, right):
    """Makes `m` upper triangular and does the same to `right`; the product of the diagonal, 0 for a singular one."""
    rows, columns = m.shape
    if rows != columns:
        raise np.linalg.LinAlgError("Last 2 dimensions of the array must be square.")
    determinant = m[:0, :0].sum() + 1.0
    for k in range(rows):
        best = k
        for i in range(k + 1, rows):
            if abs(m[i, k]) > abs(m[best, k]):
                best = i
        if m[best, k] == 0:
            return determinant * 0.0
        if best != k:
            determinant = -determinant
            for j in range(rows):
                m[k, j], m[best, j] = m[best, j], m[k, j]
            for j in range(right.shape[1]):
                right[k, j], right[best, j] = right[best, j], right[k, j]
        determinant *= m[k, k]
        for i in range(k + 1, rows):
            factor = m[i, k] / m[k, k]
            for j in range(k, rows):
                m[i, j] -= factor * m[k, j]
            for j in range(right.shape[1]):
                right[i, j] -= factor * right[k, j]
    return determinant


@njit
def solved(m, right):
    if eliminate(m, right) == 0:
        raise np.linalg.LinAlgError("Matrix is singular to machine precision.")
    for i in range(len(m) - 1, -1, -1):
        for j in range(right.shape[1]):
            for k in range(i + 1, len(m)):
                right[i, j] -= m[i, k] * right[k, j]
            right[i, j] /= m[i, i]
    return right


@njit
def as_floats(a):
    """A copy; of integers float64."""
    out = np.empty(a.shape, dtype=np.sqrt(a.flatten()[:0]).dtype)
    out[...] = a
    return out


@njit
def linalg_det(a):
    m = as_floats(a)
    return eliminate(m, m[:, :0].copy())


@njit
def linalg_inv(a):
    m = as_floats(a)
    right = np.zeros_like(m)
    for k in range(len(right)):
        right[k, k] = 1
    return solved(m, right)


@njit
def linalg_solve(a, b):
    if len(a) != len(b):
        raise ValueError("Incompatible array sizes, system is not dimensionally valid.")
    if b.ndim == 1:
        return solved(as_floats(a), as_floats(b).reshape((len(b), 1))).reshape(len(b))
    return solved(as_floats(a), as_floats(b))


@njit
def cov(m):
    rows, columns = m.shape
    if columns < 2:
        return np.full((rows, rows), np.nan)
    apart = np.empty((rows, columns))
    for i in range(rows):
        apart[i] = m[i] - np.mean(m[i])
    return apart @ apart.T / (columns - 1)


@njit
def cov_2(m, y):
    return cov(stack((m, y)))


@njit
def corrcoef(x):
    out = cov(x)
    spread = np.sqrt(diag(out))
    for i in range(len(out)):
        for j in range(len(out)):
            scale = spread[i] * spread[j]
            out[i, j] = min(max(out[i, j] / scale, -1.0), 1.0) if scale != 0.0 else np.nan
    return out


@njit
def corrcoef_2(x, y):
    return corrcoef(stack((x, y)))


# ---- histograms, random numbers -----------------------------------------------------------------


@njit
def histogram_of(flat, bins, low, high):
    if bins < 1:
        raise ValueError("`bins` must be positive, when an integer")
    if not low <= high:
        raise ValueError("max must be larger than min in range parameter.")
    if low == high:
        low, high = low - 0.5, high + 0.5
    counts = np.zeros(bins, dtype=np.int64)
    ratio = bins / (high - low)
    for x in flat:
        if low <= x < high:
            k = int((x - low) * ratio)
            if k < bins:
                counts[k] += 1
        elif x == high:
            counts[bins - 1] += 1
    return counts, np.linspace(low, high, bins + 1)


@njit
def histogram(a, bins=10, range=None):
    flat = a.flatten()
    if range is None:
        low, high = 0.0, 1.0
        if len(flat):
            low, high = np.inf, -np.inf
            for x in flat:
                low, high = min(low, float(x)), max(high, float(x))
            if low > high or low == -np.inf or high == np.inf:
                raise ValueError("autodetected range is not finite")
        return histogram_of(flat, bins, low, high)
    else:
        return histogram_of(flat, bins, float(range[0]), float(range[1]))


@njit
def filled(size, draw):
    out = np.empty(size)
    for k in range(out.size):
        out.flat[k] = draw()
    return out


@njit
def random_rand_1(d0):
    return filled(d0, lambda: np.random.random())


@njit
def random_rand_2(d0, d1):
    return filled((d0, d1), lambda: np.random.random())


@njit
def random_random_1(size):
    return filled(size, lambda: np.random.random())


@njit
def random_random_sample_1(size):
    return filled(size, lambda: np.random.random())


@njit
def random_randn_1(d0):
    return filled(d0, lambda: np.random.randn())


@njit
def random_randn_2(d0, d1):
    return filled((d0, d1), lambda: np.random.randn())


@njit
def random_normal_3(loc, scale, size):
    return filled(size, lambda: np.random.normal(loc, scale))


@njit
def random_uniform_3(low, high, size):
    return filled(size, lambda: np.random.uniform(low, high))


@njit
def random_randint_3(low, high, size):
    if low >= high:
        raise ValueError("low >= high")
    out = np.empty(size, dtype=np.int64)
    for k in range(out.size):
        out.flat[k] = np.random.randint(low, high)
    return out


@njit
def random_shuffle(x):
    i = len(x) - 1
    while i > 0:
        j = np.random.randint(0, i + 1)
        if x.ndim == 1:
            x[i], x[j] = x[j], x[i]
        else:
            row = x[i].copy()
            x[i] = x[j]
            x[j] = row
        i -= 1
