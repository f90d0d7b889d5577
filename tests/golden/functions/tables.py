"""Sets and dicts: what is looked up once, and what loops go through."""
from numba import njit


@njit("int64(int64[:])")
def distinct(a):
    seen = set()
    for x in a:
        seen.add(x)
    return len(seen)


@njit("float64(int64[:], float64[:])")
def greatest_sum(keys, a):
    sums = {}
    for i in range(len(keys)):
        if keys[i] not in sums:
            sums[keys[i]] = 0.0
        sums[keys[i]] += a[i]
    greatest = 0.0
    for key, total in sums.items():
        if key > 0:
            greatest = max(greatest, total)
    return greatest


@njit("int64(int64)")
def sieve(n):
    left = {i for i in range(2, n)}
    for i in range(2, n):
        if i in left:
            for k in range(i * i, n, i):
                left.discard(k)
    return len(left)
