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
    flat = in_line(a)
    out = np.empty(n, dtype=a.dtype)
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
def line_of(x):
    """Of a number, a tuple or an array its items in a new vector."""
    if isinstance(x, tuple):
        return np.array(x)
    if x.ndim == 0:
        return np.full(1, x)
    return x.flatten()


@njit
def in_line(x):
    """Likewise, only to be read: of a vector that itself."""
    if isinstance(x, np.ndarray):
        if x.ndim == 1:
            return x
    return line_of(x)


@njit
def repeat(a, repeats):
    items = in_line(a)
    counts = in_line(repeats)
    if len(counts) != 1 and len(counts) != len(items):
        raise ValueError("operands could not be broadcast together")
    total = 0
    for i in range(len(counts)):
        if counts[i] < 0:
            raise ValueError("negative dimensions are not allowed")
        total += counts[i]
    if len(counts) == 1:
        out = np.empty(total * len(items), dtype=items.dtype)
        if total < 4:  # too few for a loop of their own
            for j in range(total):
                for i in range(len(items)):
                    out[i * total + j] = items[i]
            return out
        for i in range(len(items)):
            for k in range(i * total, (i + 1) * total):
                out[k] = items[i]
        return out
    out = np.empty(total, dtype=items.dtype)
    k = 0
    for i in range(len(items)):
        for _ in range(counts[i]):
            out[k] = items[i]
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
    return np.concatenate((np.ravel(np.asarray(arr)), np.ravel(np.asarray(values))))


@njit
def drop(keep, obj):
    if isinstance(obj, (np.ndarray, tuple)):
        n = len(keep)
        for k in in_line(obj):
            if k < -n or k >= n:
                raise IndexError("index is out of bounds")
            keep[k] = False
    else:
        keep[obj] = False  # a slice


@njit
def delete(arr, obj):
    n = arr.size
    flat = in_line(arr)
    if isinstance(obj, (int, np.int32, np.uint32)):
        if obj < -n or obj >= n:
            raise IndexError("obj must be less than the len(arr)")
        at = obj + n if obj < 0 else obj
        out = np.empty(n - 1, dtype=arr.dtype)
        out[:at] = flat[:at]
        out[at:] = flat[at + 1:]
        return out
    keep = np.ones(n, dtype=np.bool_)
    drop(keep, obj)
    return flat[keep]


@njit
def insert(arr, obj, values):
    flat, items = in_line(arr), in_line(values)
    places = line_of(obj) + 0
    n, count = len(flat), len(places)
    for k in range(count):
        if places[k] < -n or places[k] > n:
            raise IndexError("index is out of bounds for the given array size")
        if places[k] < 0:
            places[k] += n
    if count == 1 and len(items) != 1:
        places = np.full(len(items), places[0])
        count = len(items)
    if len(items) != 1 and len(items) != count:
        raise ValueError("shape mismatch: the number of values does not match the number of insertion indices")
    order = np.argsort(places, kind="mergesort")
    out = np.empty(n + count, dtype=arr.dtype)
    taken = 0
    for k in range(count):
        end = places[order[k]]
        out[taken + k:end + k] = flat[taken:end]
        out[end + k] = items[0] if len(items) == 1 else items[order[k]]
        taken = end
    out[taken + count:] = flat[taken:]
    return out


@njit
def resize(a, new_shape):
    flat = a.flatten()
    out = np.zeros(new_shape, dtype=a.dtype)
    line = out.reshape(out.size)
    if len(flat):
        for k in range(len(line)):
            line[k] = flat[k % len(flat)]
    return out


@njit
def trim_zeros(filt, trim="fb"):
    first, last = 0, len(filt)
    if trim == "fb" or trim == "bf" or trim == "f" or trim == "FB" or trim == "F":
        while first < last and filt[first] == 0:
            first += 1
    if trim == "fb" or trim == "bf" or trim == "b" or trim == "FB" or trim == "B":
        while last > first and filt[last - 1] == 0:
            last -= 1
    return filt[first:last]


@njit
def take(a, indices):
    if isinstance(indices, tuple):
        return take(a, np.array(indices))
    flat = a.ravel()
    n = len(flat)
    if indices.ndim == 0:
        if indices < -n or indices >= n:
            raise IndexError("Index out of bounds")
        return flat[indices]
    places = np.ravel(indices)
    out = np.empty(len(places), dtype=a.dtype)
    for k in range(len(places)):
        if places[k] < -n or places[k] >= n:
            raise IndexError("Index out of bounds")
        out[k] = flat[places[k]]
    return out.reshape(indices.shape)


@njit
def take_along(a, indices, axis):
    if a.ndim == 1:
        return take(a, indices)
    if indices.ndim == 0:
        return np.swapaxes(a, 0, axis)[indices].copy()
    n = a.shape[axis]
    lines = np.swapaxes(a, 0, axis)
    out = np.empty((len(indices),) + lines.shape[1:], dtype=a.dtype)
    for k in range(len(indices)):
        if indices[k] < -n or indices[k] >= n:
            raise IndexError("Index out of bounds")
        out[k] = lines[indices[k]]
    return np.swapaxes(out, 0, axis).copy()


@njit
def take_3(a, indices, axis):
    if isinstance(axis, (int, np.int32, np.uint32)):
        return take_along(a, indices, axis)
    return take(a, indices)


@njit
def broadcast_extent(a, b):
    if a != b and a != 1 and b != 1:
        raise IndexError("shape mismatch: indexing arrays could not be broadcast together")
    return b if a == 1 else a


@njit
def place_along(at, n):
    if at < -n or at >= n:
        raise IndexError("Index out of bounds")
    return at


@njit
def take_along_first(lines, at):
    n = lines.shape[0]
    columns = broadcast_extent(lines.shape[1], at.shape[1])
    if lines.ndim == 2:
        out = np.empty((at.shape[0], columns), dtype=lines.dtype)
        for i in range(at.shape[0]):
            for j in range(columns):
                k = place_along(at[i, j if at.shape[1] > 1 else 0], n)
                out[i, j] = lines[k, j if lines.shape[1] > 1 else 0]
        return out
    depth = broadcast_extent(lines.shape[2], at.shape[2])
    out = np.empty((at.shape[0], columns, depth), dtype=lines.dtype)
    for i in range(at.shape[0]):
        for j in range(columns):
            j_at, j_line = j if at.shape[1] > 1 else 0, j if lines.shape[1] > 1 else 0
            for m in range(depth):
                k = place_along(at[i, j_at, m if at.shape[2] > 1 else 0], n)
                out[i, j, m] = lines[k, j_line, m if lines.shape[2] > 1 else 0]
    return out


@njit
def take_along_axis(arr, indices, axis):
    if isinstance(axis, (int, np.int32, np.uint32)):
        if arr.ndim == 1:
            return take(arr, indices)
        out = take_along_first(np.swapaxes(arr, 0, axis), np.swapaxes(indices, 0, axis))
        return np.swapaxes(out, 0, axis).copy()
    return take(arr, indices)


@njit
def extract(condition, arr):
    return take(arr, flatnonzero(condition))


# ---- what is where ------------------------------------------------------------------------------


@njit
def flatnonzero(a):
    found = np.empty(np.count_nonzero(a), dtype=np.int64)
    count = 0
    k = 0
    for x in a.flat:
        if x:
            found[count] = k
            count += 1
        k += 1
    return found


@njit
def nonzero(a):
    if a.ndim == 1:
        return (flatnonzero(a),)
    total = np.count_nonzero(a)
    count = 0
    if a.ndim == 2:
        rows = np.empty(total, dtype=np.int64)
        columns = np.empty(total, dtype=np.int64)
        for i in range(a.shape[0]):
            for j in range(a.shape[1]):
                if a[i, j]:
                    rows[count], columns[count] = i, j
                    count += 1
        return rows, columns
    planes = np.empty(total, dtype=np.int64)
    rows = np.empty(total, dtype=np.int64)
    columns = np.empty(total, dtype=np.int64)
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            for k in range(a.shape[2]):
                if a[i, j, k]:
                    planes[count], rows[count], columns[count] = i, j, k
                    count += 1
    return planes, rows, columns


@njit
def where_1(condition):
    return nonzero(condition)


@njit
def select_into(out, done, conditions, choices):
    condition, choice = conditions[0], choices[0]
    for k in range(out.size):
        if condition.flat[k] and not done.flat[k]:
            out.flat[k] = choice.flat[k]
            done.flat[k] = True
    if len(conditions) > 1 and len(choices) > 1:
        select_into(out, done, conditions[1:], choices[1:])


@njit
def select(condlist, choicelist, default=0):
    out = np.full(choicelist[0].shape, default, dtype=choicelist[0].dtype)
    if len(condlist) != len(choicelist):
        raise ValueError("list of cases must be same length as list of conditions")
    if isinstance(condlist, tuple) or isinstance(choicelist, tuple):
        select_into(out, np.zeros(out.shape, dtype=np.bool_), condlist, choicelist)
        return out
    for at in range(len(condlist) - 1, -1, -1):
        condition, choice = condlist[at], choicelist[at]
        for k in range(out.size):
            if condition.flat[k]:
                out.flat[k] = choice.flat[k]
    return out


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
def ends_of(x, flat):
    if x is None:
        return flat[:0]
    else:
        return line_of(x)


@njit
def ediff1d(ary, to_end=None, to_begin=None):
    flat = ary.flatten()
    steps = flat[1:] - flat[:-1] if len(flat) else flat
    if to_end is None and to_begin is None:
        return steps
    first, last = ends_of(to_begin, flat), ends_of(to_end, flat)
    out = np.empty(len(first) + len(steps) + len(last), dtype=flat.dtype)
    out[:len(first)] = first
    out[len(first):len(first) + len(steps)] = steps
    out[len(first) + len(steps):] = last
    return out


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
def cross_of(out, a, b):
    out[0] = a[1] * b[2] - a[2] * b[1]
    out[1] = a[2] * b[0] - a[0] * b[2]
    out[2] = a[0] * b[1] - a[1] * b[0]


@njit
def cross(a, b):
    if a.shape[-1] != 3 or b.shape[-1] != 3:
        raise ValueError("Incompatible dimensions for cross product")
    dtype = (np.empty(0, dtype=a.dtype) * np.empty(0, dtype=b.dtype)).dtype
    if a.ndim == 1 and b.ndim == 1:
        out = np.empty(3, dtype=dtype)
        cross_of(out, a, b)
        return out
    n = max(a.size, b.size) // 3
    lines = np.empty((n, 3), dtype=dtype)
    left, right = a.copy().reshape((-1, 3)), b.copy().reshape((-1, 3))
    if (len(left) != n and len(left) != 1) or (len(right) != n and len(right) != 1):
        raise ValueError("shape mismatch: objects cannot be broadcast to a single shape")
    for k in range(n):
        cross_of(lines[k], left[k % len(left)], right[k % len(right)])
    return lines


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
def correlate(a, v, mode="valid"):
    turned = np.conj(v[::-1])
    if len(v) <= len(a) or mode == "full":
        return convolve(a, turned, mode)
    full = convolve(a, turned, "full")
    m, n = len(a), len(v)
    if mode == "valid":
        return full[m - 1:n].copy()
    if mode == "same":
        return full[m // 2:m // 2 + n].copy()
    raise ValueError("Invalid 'mode'")


@njit
def roots(p):
    first, last = 0, len(p)
    while first < last and p[first] == 0:
        first += 1
    while last > first and p[last - 1] == 0:
        last -= 1
    degree = max(last - first - 1, 0)
    companion = np.zeros((degree, degree), dtype=(p[:0] * np.ones(0)).dtype)
    for k in range(degree):
        companion[0, k] = -p[first + k + 1] / p[first]
        if k > 0:
            companion[k, k - 1] = 1
    out = np.zeros(degree + len(p) - last if last > first else 0, dtype=companion.dtype)
    if degree > 0:
        out[:degree] = np.linalg.eigvals(companion)
    return out


@njit
def polyval(p, x):
    y = x * 0 + np.sum(p[:0])
    for k in range(len(p)):
        y = y * x + p[k]
    return y


# ---- matrices -----------------------------------------------------------------------------------


@njit
def trace(a, offset=0):
    return np.sum(diag(a, offset))


@njit
def diag(v, k=0):
    if v.ndim == 1:
        n = len(v) + abs(k)
        out = np.zeros((n, n), dtype=v.dtype)
        for i in range(len(v)):
            out[i - min(k, 0), i + max(k, 0)] = v[i]
        return out
    rows, columns = v.shape
    n = max(min(rows + min(k, 0), columns - max(k, 0)), 0)
    line = np.empty(n, dtype=v.dtype)
    for i in range(n):
        line[i] = v[i - min(k, 0), i + max(k, 0)]
    return line


@njit
def diagflat(v, k=0):
    return diag(v.flatten(), k)


@njit
def fill_diagonal(a, val, wrap=False):
    items = line_of(val)
    if len(items) == 0:
        return
    rows, columns = a.shape[0], a.shape[-1]
    if a.ndim == 2:
        end = rows if wrap else min(rows, columns)
        done = 0
        for i in range(end):
            j = i % (columns + 1)
            if j < columns:
                a[i, j] = items[done % len(items)]
                done += 1
    else:
        for i in range(rows):
            if a.shape[1] != rows or columns != rows:
                raise ValueError("All dimensions of input must be of equal length")
            a[i, i, i] = items[i % len(items)]


@njit
def eye_k(N, M=None, k=0):
    columns = N
    if M is not None:
        columns = M
    out = np.zeros((N, columns))
    for i in range(max(0, -k), min(N, columns - k)):
        out[i, i + k] = 1.0
    return out


@njit
def tri(N, M=None, k=0):
    columns = N
    if M is not None:
        columns = M
    out = np.zeros((N, columns))
    for i in range(N):
        for j in range(min(columns, max(i + k + 1, 0))):
            out[i, j] = 1.0
    return out


@njit
def tril_indices(n, k=0, m=None):
    return np.nonzero(tri(n, m, k))


@njit
def triu_indices(n, k=0, m=None):
    return np.nonzero(1.0 - tri(n, m, k - 1))


@njit
def tril_indices_from(arr, k=0):
    return tril_indices(arr.shape[0], k, arr.shape[1])


@njit
def triu_indices_from(arr, k=0):
    return triu_indices(arr.shape[0], k, arr.shape[1])


@njit
def vander(x, N=None, increasing=False):
    columns = len(x)
    if N is not None:
        columns = N
    if columns < 0:
        raise ValueError("Negative dimensions are not allowed")
    out = np.empty((len(x), columns), dtype=np.cumprod(x[:0]).dtype)
    for i in range(len(x)):
        power = out[:0, :0].sum() + 1
        for j in range(columns):
            out[i, j if increasing else columns - 1 - j] = power
            power = power * x[i]
    return out


@njit
def indices(dimensions):
    if len(dimensions) == 1:
        line = np.empty((1, dimensions[0]), dtype=np.int64)
        line[0] = np.arange(dimensions[0])
        return line
    rows, columns = dimensions
    out = np.empty((2, rows, columns), dtype=np.int64)
    for i in range(rows):
        for j in range(columns):
            out[0, i, j] = i
            out[1, i, j] = j
    return out


@njit
def triangle(m, k, is_nothing):
    """A copy with nothing where that is so of the distance to the diagonal."""
    if m.ndim == 1:
        square = np.empty((len(m), len(m)), dtype=m.dtype)
        square[...] = m
        return triangle(square, k, is_nothing)
    out = m.copy()
    rows, columns = m.shape
    for i in range(rows):
        for j in range(columns):
            if is_nothing(j - i, k):
                out[i, j] = 0
    return out


@njit
def triu(m, k=0):
    return triangle(m, k, lambda apart, k: apart < k)


@njit
def tril(m, k=0):
    return triangle(m, k, lambda apart, k: apart > k)


# ---- comparing ----------------------------------------------------------------------------------


@njit
def isclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False):
    near = (np.abs(a - b) <= atol + rtol * np.abs(b)) & np.isfinite(b)
    return (a == b) | near | (equal_nan & (a != a) & (b != b))


@njit
def allclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False):
    if a.ndim == 0 and b.ndim == 0:
        return isclose(a, b, rtol, atol, equal_nan)
    return np.all(isclose(a, b, rtol, atol, equal_nan))


@njit
def array_equal(a1, a2):
    if a1.ndim == 0 and a2.ndim == 0:
        return a1 == a2
    if a1.ndim != a2.ndim:
        return False
    if a1.shape != a2.shape:
        return False
    return np.all(a1 == a2)


# ---- partly sorted ------------------------------------------------------------------------------


@njit
def wanted(kth, n):
    """The places, ascending."""
    places = line_of(kth) + 0
    for k in range(len(places)):
        if places[k] < -n or places[k] >= n:
            raise ValueError("kth out of bounds")
        if places[k] < 0:
            places[k] += n
    return np.sort(places)


@njit
def part(order, keys, low, high, place):
    """The item that sorting would put at `place` comes there, what is less before it; NaN is greatest."""
    while low < high:
        pivot = keys[order[(low + high) // 2]]
        i, j = low, high
        while i <= j:
            while keys[order[i]] < pivot or (pivot != pivot and keys[order[i]] == keys[order[i]]):
                i += 1
            while pivot < keys[order[j]] or (keys[order[j]] != keys[order[j]] and pivot == pivot):
                j -= 1
            if i <= j:
                order[i], order[j] = order[j], order[i]
                i += 1
                j -= 1
        if place <= j:
            high = j
        elif place >= i:
            low = i
        else:
            return


@njit
def parted(keys, places):
    """The order of `keys` that is partly sorted."""
    order = np.arange(len(keys))
    low = 0
    for k in range(len(places)):
        part(order, keys, low, len(keys) - 1, places[k])
        low = places[k]
    return order


@njit
def argpartition(a, kth):
    if a.size == 0:
        return np.zeros(a.shape, dtype=np.int64)
    places = wanted(kth, a.shape[-1])
    if a.ndim == 1:
        return parted(a, places)
    out = np.empty(a.shape, dtype=np.int64)
    for i in range(len(a)):
        out[i] = argpartition(a[i], kth)
    return out


@njit
def partition(a, kth):
    if a.size == 0:
        return a.copy()
    places = wanted(kth, a.shape[-1])
    if a.ndim == 1:
        return a[parted(a, places)]
    out = a.copy()
    for i in range(len(a)):
        out[i] = partition(a[i], kth)
    return out


# ---- numbers and their kinds --------------------------------------------------------------------


@njit
def iscomplexobj(x):
    if isinstance(x, np.ndarray):
        return iscomplexobj(np.empty(0, dtype=x.dtype).sum())
    return isinstance(x, (complex, np.complex64))


@njit
def isscalar(element):
    return isinstance(element, (int, float, complex, str, np.int32, np.int16, np.int8, np.uint64, np.uint32, np.uint16, np.uint8,
                                np.float32, np.complex64))


@njit
def item(a):
    if a.size != 1:
        raise ValueError("can only convert an array of size 1 to a Python scalar")
    return a.flatten()[0]


@njit
def isrealobj(x):
    return not iscomplexobj(x)


@njit
def cleaned(x, nan, most, least):
    if x != x:
        return nan
    if x == np.inf:
        return most
    return least if x == -np.inf else x


@njit
def with_cleaned(x, copy, nan, posinf, neginf):
    out = x
    if copy:
        out = x.copy()
    most, least = np.finfo(x.dtype).max, np.finfo(x.dtype).min
    if posinf is not None:
        most = posinf
    if neginf is not None:
        least = neginf
    for k in range(out.size):
        out.flat[k] = cleaned(out.flat[k], nan, most, least)
    return out


@njit
def nan_to_num_2(x, copy=True, nan=0.0, posinf=None, neginf=None):
    return with_cleaned(x, copy, nan, posinf, neginf)


@njit
def nan_to_num_3(x, copy=True, nan=0.0, posinf=None, neginf=None):
    return with_cleaned(x, copy, nan, posinf, neginf)


@njit
def nan_to_num_4(x, copy=True, nan=0.0, posinf=None, neginf=None):
    return with_cleaned(x, copy, nan, posinf, neginf)


@njit
def nan_to_num_5(x, copy, nan, posinf, neginf):
    return with_cleaned(x, copy, nan, posinf, neginf)


@njit
def angle_2(z, deg):
    if deg:
        return np.angle(z) * (180.0 / np.pi)
    return np.angle(z)


@njit
def unwrap(p, discont=None, axis=-1, period=6.283185307179586):
    least = period / 2
    if discont is not None:
        least = discont
    out = p * 1.0
    turns = 0.0
    before = 0.0
    for k in range(len(p)):
        number = out[k]
        if k == 0:
            before = number
        step = number - before
        before = number
        kept = (step + period / 2) % period - period / 2
        if kept == -period / 2 and step > 0:
            kept = period / 2
        if not abs(step) < least:  # NaN ends all
            turns += kept - step
        out[k] = number + turns
    return out


# ---- series and windows -------------------------------------------------------------------------


@njit
def logspace(start, stop, num=50):
    return np.power(10.0, np.linspace(start, stop, num))


@njit
def geomspace(start, stop, num=50):
    if start == 0 or stop == 0:
        raise ValueError("Geometric sequence cannot include zero")
    sign = -1.0 if start < 0 and stop < 0 else 1.0
    out = np.power(10.0, np.linspace(np.log10(sign * start), np.log10(sign * stop), num)) * sign
    if num > 0:
        out[0] = start
    if num > 1:
        out[-1] = stop
    return out


@njit
def window_of(M, draw):
    if M < 1:
        return np.empty(0)
    if M == 1:
        return np.ones(1)
    out = np.empty(M)
    for k in range(M):
        out[k] = draw(1.0 - M + 2 * k)
    return out


@njit
def bartlett(M):
    return window_of(M, lambda n: 1 + n / (M - 1) if n <= 0 else 1 - n / (M - 1))


@njit
def hamming(M):
    return window_of(M, lambda n: 0.54 + 0.46 * np.cos(np.pi * n / (M - 1)))


@njit
def hanning(M):
    return window_of(M, lambda n: 0.5 + 0.5 * np.cos(np.pi * n / (M - 1)))


@njit
def blackman(M):
    return window_of(M, lambda n: 0.42 + 0.5 * np.cos(np.pi * n / (M - 1)) + 0.08 * np.cos(2.0 * np.pi * n / (M - 1)))


@njit
def bessel_i0(x):
    """Of order 0: the sum of (x / 2)^(2 k) / k!^2, whose terms are all positive."""
    total, term, k = 1.0, 1.0, 1.0
    while term > 1e-18 * total:
        term *= (0.5 * x / k) ** 2
        total += term
        k += 1.0
    return total


@njit
def kaiser(M, beta):
    return window_of(M, lambda n: bessel_i0(beta * np.sqrt(1.0 - (n / (M - 1.0)) ** 2)) / bessel_i0(beta * 1.0))
