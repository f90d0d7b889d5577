"""A loop over a generator is the generator's statements with the loop's body at its yields: straight where nothing stands behind
them, in loops that run once where a `continue` or `break` has to lead out of more."""
from numba import njit


@njit
def pairs(n):
    for i in range(n):
        for j in range(i):
            yield i, j


@njit
def ends(n):
    yield 0
    if n < 2:
        return
    yield n - 1


@njit
def steps(n):
    while n > 0:
        yield n
        n //= 2


@njit("float64(float64[:])")
def nearest(a):
    best = 1e300
    for i, j in pairs(a.size):
        if a[i] == a[j]:
            continue
        best = min(best, abs(a[i] - a[j]))
    return best


@njit("float64(float64[:])")
def border(a):
    s = 0.0
    for i in ends(a.size):
        if a[i] < 0.0:
            break
        s += a[i]
    else:
        s = -s
    return s


@njit("int64(int64)")
def odd_steps(n):
    count = 0
    for k in steps(n):
        if k % 2 == 0:
            for d in range(3):
                if d == k:
                    continue
                count += d
            continue
        count += 10
    return count
