"""Order statistics, covariances, histograms, and sums that leave out NaN.

Tested by tests/run/test_numpy_library.py and tests/run/test_numpy_more.py.
"""
import numpy as np
from numba import njit

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


FEW = 24  # quantiles that are found one by one before all is sorted


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
def quantiles_of(items, q, scale):
    """Of items without NaN, for all of `q`; they are in another order afterwards."""
    n = len(items)
    places = np.ravel(np.asarray(q))
    out = np.full(len(places), np.nan)
    if n == 0:
        return out
    if len(places) <= FEW:
        for i in range(len(places)):
            out[i] = quantile_of(items, places[i] / scale)
        return out
    ordered = np.sort(items)
    for i in range(len(places)):
        place = places[i] / scale * (n - 1)
        k = min(int(np.floor(place)), n - 1)
        low = ordered[k] * 1.0
        if k + 1 == n or place == k:
            out[i] = low
        else:
            high, part = ordered[k + 1] * 1.0, place - k
            out[i] = low + part * (high - low) if part < 0.5 else high - (1.0 - part) * (high - low)
    return out


@njit
def check_quantiles(q, scale):
    if isinstance(q, (int, float, np.float32, np.int32, np.uint64)):
        good = q >= 0 and q <= scale
    else:
        good = True
        for x in np.ravel(np.asarray(q)):
            good = good and x >= 0 and x <= scale
    if not good:
        if scale == 100:
            raise ValueError("Percentiles must be in the range [0, 100]")
        raise ValueError("Quantiles must be in the range [0, 1]")


@njit
def quantiles_at(a, q, scale):
    check_quantiles(q, scale)
    if isinstance(q, (int, float, np.float32, np.int32, np.uint64)):
        return quantile_at(a, q / scale)
    flat = a.flatten()
    if len(flat) == 0:
        raise IndexError("cannot do a non-empty take from an empty axes.")
    for x in flat:
        if x != x:
            return np.full(np.asarray(q).size, np.nan)
    return quantiles_of(flat, q, scale)


@njit
def nanquantiles_at(a, q, scale):
    check_quantiles(q, scale)
    if isinstance(q, (int, float, np.float32, np.int32, np.uint64)):
        return quantile_of(without_nan(a), q / scale)
    return quantiles_of(without_nan(a), q, scale)


@njit
def percentile(a, q):
    return quantiles_at(a, q, 100)


@njit
def quantile(a, q):
    return quantiles_at(a, q, 1)


@njit
def nanpercentile(a, q):
    return nanquantiles_at(a, q, 100)


@njit
def nanquantile(a, q):
    return nanquantiles_at(a, q, 1)


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
    total = np.sum(np.empty(0, dtype=a.dtype)).dtype.type(0)
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
    return total / count if count else total * np.nan


@njit
def nanvar(a):
    mean = nanmean(a)
    total, count = 0.0, 0
    for x in a.flat:
        if x == x:
            part = x - mean
            total += (part * np.conj(part)).real
            count += 1
    return total / count if count else np.nan


@njit
def nanstd(a):
    return np.sqrt(nanvar(a))


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


@njit
def nanargmax(a):
    best, k = -1, 0
    most = np.sum(np.empty(0, dtype=a.dtype))
    for x in a.flat:
        if x == x and (best < 0 or x > most):
            best, most = k, x
        k += 1
    if best < 0:
        raise ValueError("All-NaN slice encountered")
    return best


@njit
def nanargmin(a):
    best, k = -1, 0
    least = np.sum(np.empty(0, dtype=a.dtype))
    for x in a.flat:
        if x == x and (best < 0 or x < least):
            best, least = k, x
        k += 1
    if best < 0:
        raise ValueError("All-NaN slice encountered")
    return best


@njit
def nancumsum(a):
    flat = a.flatten()
    for k in range(len(flat)):
        if flat[k] != flat[k]:
            flat[k] = 0
    return np.cumsum(flat)


@njit
def nancumprod(a):
    flat = a.flatten()
    for k in range(len(flat)):
        if flat[k] != flat[k]:
            flat[k] = 1
    return np.cumprod(flat)


# ---- covariances --------------------------------------------------------------------------------


@njit
def variables_of(m, rowvar):
    """A copy in float64 or complex128, of which the rows are the variables."""
    dtype = (np.empty(0, dtype=m.dtype) * np.ones(0)).dtype
    if m.ndim == 1:
        row = np.empty((1, len(m)), dtype=dtype)
        row[0] = m
        return row
    if rowvar or m.shape[0] == 1:
        rows = np.empty(m.shape, dtype=dtype)
        rows[...] = m
        return rows
    turned = np.empty((m.shape[1], m.shape[0]), dtype=dtype)
    turned[...] = m.T
    return turned


@njit
def covariance(rows, bias, ddof):
    """The means are taken off `rows`."""
    n = rows.shape[1]
    for i in range(len(rows)):
        rows[i] -= np.mean(rows[i])
    free = (n if bias else n - 1) if ddof is None else n - ddof
    return rows @ np.conj(rows.T) * np.divide(1.0, max(free, 0) * 1.0)


@njit
def cov_alone(m, rowvar, bias, ddof):
    if m.ndim == 1:
        return covariance(variables_of(m, True), bias, ddof)[0, 0]
    rows = variables_of(m, True) if rowvar else variables_of(m.T, True)
    return covariance(rows, bias, ddof)


@njit
def cov_of_both(m, y, rowvar, bias, ddof):
    left, right = variables_of(m, rowvar), variables_of(y, rowvar)
    if left.shape[1] != right.shape[1]:
        raise ValueError("m and y have incompatible dimensions")
    return covariance(np.concatenate((left, right)), bias, ddof)


@njit
def cov(m, y=None, rowvar=True, bias=False, ddof=None):
    if isinstance(y, np.ndarray):
        return cov_of_both(m, y, rowvar, bias, ddof)
    return cov_alone(m, rowvar, bias, ddof)


@njit
def clipped(x):
    if isinstance(x, complex):
        return complex(min(max(x.real, -1.0), 1.0), min(max(x.imag, -1.0), 1.0))
    return x if x != x else min(max(x, -1.0), 1.0)


@njit
def scaled(out):
    """Covariances as correlations."""
    spread = np.sqrt(np.diag(out).real)
    for i in range(len(out)):
        for j in range(len(out)):
            out[i, j] = clipped(np.divide(out[i, j], spread[i] * spread[j]))
    return out


@njit
def corrcoef_alone(x, rowvar):
    out = cov_alone(x, rowvar, False, None)
    if x.ndim == 1:
        return np.divide(out, out)
    return scaled(out)


@njit
def corrcoef(x, y=None, rowvar=True):
    if isinstance(y, np.ndarray):
        return scaled(cov_of_both(x, y, rowvar, False, None))
    return corrcoef_alone(x, rowvar)


# ---- histograms ---------------------------------------------------------------------------------


@njit
def place_items(places, items, low, high, ratio, bins, unsure):
    """One more than the bin of each; 0 so near to an edge that only the edge itself can say, bins + 1 beyond all."""
    for i in range(len(items)):
        x = items[i]
        inside = (x >= low) & (x <= high)
        t = (x - low) * ratio if inside else bins + 0.5
        k = np.int32(t)
        is_near = abs(t - k - 0.5) > 0.5 - unsure
        places[i] = 0 if is_near else k + 1


@njit
def count_items(counts, others, places):
    """In two arrays by turns: an addition need not wait for the last."""
    n = len(places)
    for i in range(0, n - 1, 2):
        counts[np.uint32(places[i])] += 1
        others[np.uint32(places[i + 1])] += 1
    if n % 2:
        counts[np.uint32(places[n - 1])] += 1


@njit
def place_of(x, edges, low, ratio):
    last = len(edges) - 2
    k = min(int((x - low) * ratio), last)
    if x < edges[k]:
        return k - 1
    return k + 1 if k < last and x >= edges[k + 1] else k


@njit
def histogram_of(flat, bins, low, high):
    if bins < 1:
        raise ValueError("`bins` must be positive, when an integer")
    if not low <= high:
        raise ValueError("max must be larger than min in range parameter.")
    if low == high:
        low, high = low - 0.5, high + 0.5
    edges = np.linspace(low, high, bins + 1)
    counts = np.zeros(bins + 2, dtype=np.int64)
    others = np.zeros(bins + 2, dtype=np.int64)
    ratio = bins / (high - low)
    unsure = 1e-15 * (max(abs(low), abs(high)) * ratio + bins)
    places = np.empty(256, dtype=np.int32)
    seen = 0
    for first in range(0, len(flat), 256):
        items = flat[first:min(first + 256, len(flat))]
        place_items(places, items, low, high, ratio, float(bins), unsure)
        count_items(counts, others, places[:len(items)])
        if counts[0] + others[0] > seen:
            seen = counts[0] + others[0]
            for i in range(len(items)):
                if places[i] == 0:
                    counts[place_of(items[i], edges, low, ratio) + 1] += 1
    return counts[1:bins + 1] + others[1:bins + 1], edges


@njit
def histogram_between(flat, edges):
    n = len(edges) - 1
    counts = np.zeros(n, dtype=np.int64)
    for k in range(n):
        if not edges[k] <= edges[k + 1]:
            raise ValueError("histogram(): bins must increase monotonically")
    if n > 0:
        places = np.searchsorted(edges, flat, "right")
        for i in range(len(flat)):
            if flat[i] == edges[n]:
                counts[n - 1] += 1
            elif places[i] > 0 and places[i] <= n and flat[i] == flat[i]:
                counts[places[i] - 1] += 1
    return counts, edges.copy()


@njit
def ends_of(flat):
    low, high = np.inf, -np.inf
    odd = 0
    for i in range(len(flat)):
        x = float(flat[i])
        low = min(low, x)
        high = max(high, x)
        odd += x != x
    if odd > 0 or low == -np.inf or high == np.inf:
        raise ValueError("autodetected range is not finite")
    return low, high


@njit
def histogram(a, bins=10, range=None):
    flat = np.ravel(a)
    if bins.ndim > 0:
        return histogram_between(flat, np.asarray(bins))
    if range is None:
        low, high = 0.0, 1.0
        if len(flat):
            low, high = ends_of(flat)
        return histogram_of(flat, bins, low, high)
    else:
        return histogram_of(flat, bins, float(range[0]), float(range[1]))
