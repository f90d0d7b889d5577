"""NumPy's functions along one axis, on the axes themselves, and arrays taken apart and put together along them.

Names are those of numpy.py: argmax_2 is the form with an axis. A block of an array along an axis has three axes: what is
before, the axis, what is behind.
Tested by tests/run/test_numpy_axes.py.
"""
import numpy as np
from numba import njit

# ---- shapes -------------------------------------------------------------------------------------


@njit
def in_range(axis, rank):
    if axis < -rank or axis >= rank:
        raise ValueError("axis is out of bounds")
    return axis + rank if axis < 0 else axis


@njit
def size_of(shape, first, end):
    size = 1
    for k in range(first, end):
        size *= shape[k]
    return size


@njit
def block_of(a, axis):
    return a.flatten().reshape((size_of(a.shape, 0, axis), a.shape[axis], size_of(a.shape, axis + 1, a.ndim)))


@njit
def left_out(shape, axis, k):
    """Extent k of a shape without that axis."""
    return shape[k + 1] if k >= axis else shape[k]


@njit
def without_axis(out, shape, axis):
    """The block `out`, whose own axis is as long as 1, in the shape without that axis."""
    if len(shape) == 2:
        return out.reshape(out.size)
    if len(shape) == 3:
        return out.reshape((left_out(shape, axis, 0), left_out(shape, axis, 1)))
    return out.reshape((left_out(shape, axis, 0), left_out(shape, axis, 1), left_out(shape, axis, 2)))


@njit
def with_extent(shape, axis, n):
    """The shape, with n for that axis."""
    if len(shape) == 1:
        return (n,)
    if len(shape) == 2:
        return n if axis == 0 else shape[0], n if axis == 1 else shape[1]
    return n if axis == 0 else shape[0], n if axis == 1 else shape[1], n if axis == 2 else shape[2]


@njit
def shape(a):
    return a.shape


@njit
def size(a):
    return a.size


@njit
def ndim(a):
    return a.ndim


# ---- along an axis ------------------------------------------------------------------------------


@njit
def of_rows(a, at, find):
    """What `find` says of each row along the axis."""
    block = block_of(a, at)
    out = np.empty((block.shape[0], block.shape[2]), dtype=np.int64)
    for i in range(block.shape[0]):
        for j in range(block.shape[2]):
            out[i, j] = find(block[i, :, j])
    return without_axis(out, a.shape, at)


@njit
def argmax_along(a, axis):
    at = in_range(axis, a.ndim)
    if a.ndim == 1:
        return np.argmax(a)
    if a.size == 0:
        raise ValueError("attempt to get argmax of an empty sequence")
    return of_rows(a, at, lambda row: np.argmax(row))


@njit
def argmax_2(a, axis):
    if isinstance(axis, (int, np.int32, np.uint32)):
        return argmax_along(a, axis)
    return np.argmax(a)


@njit
def argmin_along(a, axis):
    at = in_range(axis, a.ndim)
    if a.ndim == 1:
        return np.argmin(a)
    if a.size == 0:
        raise ValueError("attempt to get argmin of an empty sequence")
    return of_rows(a, at, lambda row: np.argmin(row))


@njit
def argmin_2(a, axis):
    if isinstance(axis, (int, np.int32, np.uint32)):
        return argmin_along(a, axis)
    return np.argmin(a)


@njit
def count_nonzero_along(a, axis):
    at = in_range(axis, a.ndim)
    if a.ndim == 1:
        return np.count_nonzero(a)
    block = block_of(a, at)
    out = np.zeros((block.shape[0], block.shape[2]), dtype=np.int64)
    for i in range(block.shape[0]):
        for k in range(block.shape[1]):
            for j in range(block.shape[2]):
                out[i, j] += block[i, k, j] != 0
    return without_axis(out, a.shape, at)


@njit
def count_nonzero_2(a, axis):
    if isinstance(axis, (int, np.int32, np.uint32)):
        return count_nonzero_along(a, axis)
    return np.count_nonzero(a)


@njit
def carried_along(a, axis, dtype, join):
    """Each line along the axis joined to the one before it."""
    at = in_range(axis, a.ndim)
    out = np.empty(a.shape, dtype=dtype)
    out[...] = a
    block = out.reshape((size_of(a.shape, 0, at), a.shape[at], size_of(a.shape, at + 1, a.ndim)))
    for i in range(block.shape[0]):
        for k in range(1, block.shape[1]):
            for j in range(block.shape[2]):
                block[i, k, j] = join(block[i, k - 1, j], block[i, k, j])
    return out


@njit
def cumsum_2(a, axis):
    if isinstance(axis, (int, np.int32, np.uint32)):
        return carried_along(a, axis, np.cumsum(np.empty(0, dtype=a.dtype)).dtype, lambda x, y: x + y)
    return np.cumsum(a)


@njit
def cumprod_2(a, axis):
    if isinstance(axis, (int, np.int32, np.uint32)):
        return carried_along(a, axis, np.cumprod(np.empty(0, dtype=a.dtype)).dtype, lambda x, y: x * y)
    return np.cumprod(a)


@njit
def sort_lines(a):
    out = a.copy()
    if a.ndim == 2:
        for i in range(len(out)):
            out[i].sort()
    else:
        for i in range(out.shape[0]):
            for j in range(out.shape[1]):
                out[i, j].sort()
    return out


@njit
def sort(a):
    if a.ndim == 1:
        out = a.copy()
        out.sort()
        return out
    return sort_lines(a)


# ---- axes in another order, more of them --------------------------------------------------------


@njit
def transpose(a):
    return a.T


@njit
def transpose_2(a, axes):
    if axes is None:
        return a.T
    if len(axes) != a.ndim:
        raise ValueError("axes don't match array")
    at = np.arange(a.ndim)
    out = np.swapaxes(a, 0, 0)
    for k in range(a.ndim):
        wanted = in_range(axes[k], a.ndim)
        place = k
        while place < a.ndim and at[place] != wanted:
            place += 1
        if place == a.ndim:
            raise ValueError("repeated axis in transpose")
        at[place] = at[k]
        out = np.swapaxes(out, k, place)
    return out


@njit
def transpose_3(a, first, second):
    return transpose_2(a, (first, second))


@njit
def transpose_4(a, first, second, third):
    return transpose_2(a, (first, second, third))


@njit
def moveaxis(a, source, destination):
    k, end = in_range(source, a.ndim), in_range(destination, a.ndim)
    out = np.swapaxes(a, 0, 0)
    while k != end:
        beside = k + 1 if k < end else k - 1
        out = np.swapaxes(out, k, beside)
        k = beside
    return out


@njit
def rot90(m, k=1):
    turns = k % 4
    if turns == 1:
        return np.swapaxes(m, 0, 1)[::-1]
    if turns == 2:
        return np.swapaxes(m, 0, 0)[::-1, ::-1]
    if turns == 3:
        return np.swapaxes(m[::-1], 0, 1)
    return np.swapaxes(m, 0, 0)


@njit
def expand_dims(a, axis):
    at = in_range(axis, a.ndim + 1)
    if a.ndim == 1:
        rows = np.swapaxes(a[None, :], 0, 0)
        return rows if at == 0 else np.swapaxes(rows, 0, 1)
    if a.ndim == 2:
        return moveaxis(a[None, :, :], 0, at)
    return moveaxis(a[None, :, :, :], 0, at)


@njit
def atleast_1d(a):
    if a.ndim == 0:
        return np.full(1, a)
    return a


@njit
def atleast_2d(a):
    if a.ndim == 0:
        return np.full((1, 1), a)
    if a.ndim == 1:
        return a[None, :]
    return a


@njit
def atleast_3d(a):
    if a.ndim == 0:
        return np.full((1, 1, 1), a)
    if a.ndim == 1:
        return a[None, :, None]
    if a.ndim == 2:
        return a[:, :, None]
    return a


@njit
def asfortranarray(a):
    return np.swapaxes(a, 0, 0).T.copy().T


@njit
def asarray_chkfinite(a):
    for x in a.flat:
        if not np.isfinite(x):
            raise ValueError("array must not contain infs or NaNs")
    return a


@njit
def broadcast_to(array, shape):
    if isinstance(shape, tuple):
        out = np.empty(shape, dtype=np.asarray(array).dtype)
        out[...] = array
        return out
    else:
        return broadcast_to(array, (shape,))


@njit
def common_extent(shape, other, k):
    """Extent k, counted from the end, of two shapes broadcast."""
    left = shape[len(shape) - 1 - k] if k < len(shape) else 1
    right = other[len(other) - 1 - k] if k < len(other) else 1
    if left != right and left != 1 and right != 1:
        raise ValueError("shape mismatch: objects cannot be broadcast to a single shape")
    return right if left == 1 else left


@njit
def common_shape(shape, other):
    if len(shape) < len(other):
        return common_shape(other, shape)
    if len(shape) == 1:
        return (common_extent(shape, other, 0),)
    if len(shape) == 2:
        return common_extent(shape, other, 1), common_extent(shape, other, 0)
    return common_extent(shape, other, 2), common_extent(shape, other, 1), common_extent(shape, other, 0)


@njit
def broadcast_shapes(first, *others):
    if len(others) == 0:
        return first
    if len(others) == 1:
        return common_shape(first, others[0])
    return broadcast_shapes(common_shape(first, others[0]), *others[1:])


@njit
def all_broadcast(arrays, shape):
    if len(arrays) == 1:
        return (broadcast_to(arrays[0], shape),)
    return (broadcast_to(arrays[0], shape),) + all_broadcast(arrays[1:], shape)


@njit
def shape_of_all(arrays):
    if len(arrays) == 1:
        return arrays[0].shape
    return common_shape(arrays[0].shape, shape_of_all(arrays[1:]))


@njit
def broadcast_arrays(*args):
    return all_broadcast(args, shape_of_all(args))


# ---- put together -------------------------------------------------------------------------------


@njit
def nothing_of(arrays):
    """An empty array of the dtype that holds the items of all."""
    if len(arrays) == 1:
        return np.empty(0, dtype=arrays[0].dtype)
    return np.concatenate((np.empty(0, dtype=arrays[0].dtype), nothing_of(arrays[1:])))


@njit
def put_at(out, first, end, axis, a):
    if axis == 0:
        out[first:end] = a
    elif axis == 1:
        out[:, first:end] = a
    else:
        out[..., first:end] = a


@njit
def joined(arrays, first, axis):
    at = in_range(axis, first.ndim)
    if first.ndim == 1:
        return np.concatenate(arrays)
    n = 0
    for a in arrays:
        for k in range(first.ndim):
            if k != at and a.shape[k] != first.shape[k]:
                raise ValueError("np.concatenate(): input sizes over dimension do not match")
        n += a.shape[at]
    out = np.empty(with_extent(first.shape, at, n), dtype=nothing_of(arrays).dtype)
    done = 0
    for a in arrays:
        put_at(out, done, done + a.shape[at], at, a)
        done += a.shape[at]
    return out


@njit
def concatenate_2(arrays, axis):
    return joined(arrays, arrays[0], axis)


@njit
def append_3(arr, values, axis):
    if isinstance(axis, (int, np.int32, np.uint32)):
        return joined((arr, values), arr, axis)
    return np.append(arr, values)


@njit
def layers_shape(shape, axis, n):
    """The shape, with n for a new axis."""
    if len(shape) == 1:
        return n if axis == 0 else shape[0], n if axis == 1 else shape[0]
    second = shape[0] if axis == 0 else n if axis == 1 else shape[1]
    if len(shape) == 2:
        return n if axis == 0 else shape[0], second, n if axis == 2 else shape[1]
    third = shape[1] if axis < 2 else n if axis == 2 else shape[2]
    return n if axis == 0 else shape[0], second, third, n if axis == 3 else shape[2]


@njit
def layered(arrays, first, axis):
    at = in_range(axis, first.ndim + 1)
    out = np.empty(layers_shape(first.shape, at, len(arrays)), dtype=nothing_of(arrays).dtype)
    layers = moveaxis(out, at, 0)
    k = 0
    for a in arrays:
        if a.shape != first.shape:
            raise ValueError("all input arrays must have the same shape")
        if at == 0:
            out[k] = a
        else:
            layers[k] = a
        k += 1
    return out


@njit
def stack(arrays):
    return layered(arrays, arrays[0], 0)


@njit
def stack_2(arrays, axis):
    return layered(arrays, arrays[0], axis)


@njit
def row_stack(tup):
    return below(tup, tup[0])


@njit
def beside(arrays, first):
    return joined(arrays, first, 0 if first.ndim == 1 else 1)


@njit
def hstack(tup):
    return beside(tup, tup[0])


@njit
def below(arrays, first):
    return layered(arrays, first, 0) if first.ndim == 1 else np.concatenate(arrays)


@njit
def vstack(tup):
    return below(tup, tup[0])


@njit
def columns_of(a):
    if a.ndim == 1:
        return 1
    return a.shape[1]


@njit
def put_columns(out, at, a):
    if a.ndim == 1:
        out[:, at] = a
        return at + 1
    out[:, at:at + a.shape[1]] = a
    return at + a.shape[1]


@njit
def in_columns(arrays, first):
    """Arrays of one dimension are columns, those of two hold some."""
    if first.ndim > 2:
        return joined(arrays, first, 1)
    n = 0
    for a in arrays:
        if a.shape[0] != first.shape[0]:
            if first.ndim == 1 and a.ndim == 1:
                raise ValueError("all input arrays must have the same shape")
            raise ValueError("np.concatenate(): input sizes over dimension do not match")
        n += columns_of(a)
    out = np.empty((first.shape[0], n), dtype=nothing_of(arrays).dtype)
    done = 0
    for a in arrays:
        done = put_columns(out, done, a)
    return out


@njit
def column_stack(tup):
    return in_columns(tup, tup[0])


@njit
def deepened(arrays, first):
    if first.ndim == 1:
        return layered(arrays, first, 1)[None, :, :]
    if first.ndim == 2:
        return layered(arrays, first, 2)
    return joined(arrays, first, 2)


@njit
def dstack(tup):
    return deepened(tup, tup[0])


# ---- taken apart --------------------------------------------------------------------------------


@njit
def cut_at(a, first, end, axis):
    if axis == 0:
        return np.swapaxes(a[first:end], 0, 0)
    if axis == 1:
        return np.swapaxes(a[:, first:end], 0, 0)
    return np.swapaxes(a[..., first:end], 0, 0)


@njit
def piece(a, first, end, axis):
    if a.ndim == 1:
        return a[first:end]
    return cut_at(a, first, end, axis)


@njit
def limits(n, parts):
    """Where each of so many parts of n begins, and the end of the last."""
    out = np.empty(parts + 1, dtype=np.int64)
    for k in range(parts + 1):
        out[k] = k * (n // parts) + min(k, n % parts)
    return out


@njit
def array_split(ary, indices_or_sections, axis=0):
    n = ary.shape[axis]
    if indices_or_sections.ndim == 0:
        if indices_or_sections <= 0:
            raise ValueError("number sections must be larger than 0")
        ends = limits(n, indices_or_sections)
        return [piece(ary, ends[k], ends[k + 1], axis) for k in range(indices_or_sections)]
    else:
        inner = indices_or_sections
        ends = np.full(len(inner) + 2, n)
        ends[0] = 0
        ends[1:-1] = inner
        return [piece(ary, ends[k], ends[k + 1], axis) for k in range(len(ends) - 1)]


@njit
def split(ary, indices_or_sections, axis=0):
    if indices_or_sections.ndim == 0:
        if ary.shape[axis] % indices_or_sections != 0:
            raise ValueError("array split does not result in an equal division")
    return array_split(ary, indices_or_sections, axis)


@njit
def vsplit(ary, indices_or_sections):
    return split(ary, indices_or_sections, 0)


@njit
def hsplit(ary, indices_or_sections):
    if ary.ndim == 1:
        return split(ary, indices_or_sections, 0)
    return split(ary, indices_or_sections, 1)


@njit
def dsplit(ary, indices_or_sections):
    return split(ary, indices_or_sections, 2)
