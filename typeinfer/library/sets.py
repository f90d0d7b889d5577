"""Sets as arrays: what is in one, the other, both; arrays without repetitions.

Tested by tests/run/test_numpy_library.py and tests/run/test_numpy_more.py.
"""
import numpy as np
from numba import njit


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
def marked_one_by_one(flat, items, invert):
    """For few items: each is compared with all."""
    out = np.full(len(flat), invert)
    for first in range(0, len(flat), 2048):
        end = min(first + 2048, len(flat))
        for k in range(len(items)):
            item = items[k]
            for i in range(first, end):
                if flat[i] == item:
                    out[i] = not invert
    return out


@njit
def marked_by_table(flat, items, least, most, invert):
    """For integers that are not far apart."""
    table = np.full(most - least + 1, invert)
    for k in range(len(items)):
        table[np.int64(items[k]) - least] = not invert
    out = np.full(len(flat), invert)
    for i in range(len(flat)):
        place = np.int64(flat[i]) - least
        if place >= 0 and place <= most - least:
            out[i] = table[place]
    return out


@njit
def marked_by_search(flat, items, invert):
    places = np.searchsorted(items, flat)
    out = np.full(len(flat), invert)
    for i in range(len(flat)):
        k = places[i]
        if k < len(items) and items[k] == flat[i]:
            out[i] = not invert
    return out


@njit
def marked(flat, others, invert):
    if len(flat) == 0 or len(others) < 10 * len(flat) ** 0.145:
        return marked_one_by_one(flat, others, invert)
    if isinstance(flat[0], (int, np.int32, np.int16, np.int8, np.uint32, np.uint16, np.uint8)):
        if isinstance(others[0], (int, np.int32, np.int16, np.int8, np.uint32, np.uint16, np.uint8)):
            least, most = np.int64(np.min(others)), np.int64(np.max(others))
            if float(most) - float(least) < 6.0 * (len(flat) + len(others)):
                return marked_by_table(flat, others, least, most, invert)
    return marked_by_search(flat, np.sort(others), invert)


@njit
def isin(element, test_elements, assume_unique=False, invert=False):
    if element.ndim == 0:
        return marked(np.full(1, element), np.ravel(test_elements), invert)[0]
    return marked(element.flatten(), np.ravel(test_elements), invert).reshape(element.shape)


@njit
def in1d(ar1, ar2, assume_unique=False, invert=False):
    return isin(ar1.flatten(), ar2, assume_unique, invert)


@njit
def intersect1d(ar1, ar2, assume_unique=False):
    items = unique(ar1)
    return np.concatenate((items[isin(items, ar2)], ar2.flatten()[:0]))


@njit
def setdiff1d(ar1, ar2, assume_unique=False):
    items = ar1.flatten()
    if not assume_unique:
        items = unique(ar1)
    return items[isin(items, ar2, False, True)]


@njit
def union1d(ar1, ar2):
    return unique(np.concatenate((ar1.flatten(), ar2.flatten())))


@njit
def setxor1d(ar1, ar2, assume_unique=False):
    left, right = ar1.flatten(), ar2.flatten()
    if not assume_unique:
        left, right = unique(ar1), unique(ar2)
    items = np.sort(np.concatenate((left, right)))
    n = len(items)
    count = 0
    last = items[0] if n else items.sum()
    for k in range(n):
        item = items[k]
        alone = (k == 0 or item != last) and (k == n - 1 or item != items[k + 1])
        last = item
        if alone:
            items[count] = item
            count += 1
    return items[:count].copy()
