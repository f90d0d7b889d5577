import numpy as np
from heapq import heappop, heappush
from numba import njit


@njit("int64[:](int64)")
def primes(n):
    composite = [False] * (n + 1)
    found = []
    for i in range(2, n + 1):
        if not composite[i]:
            found.append(i)
            for k in range(i * i, n + 1, i):
                composite[k] = True
    return np.array(found)


@njit("(int64[::1], int64[::1], float64[::1], int64, int64)")
def shortest(heads, tails, lengths, n, start):
    near = [[(start, 0.0) for _ in range(0)] for _ in range(n)]
    for k in range(len(heads)):
        near[heads[k]].append((tails[k], lengths[k]))
    best = [np.inf] * n
    best[start] = 0.0
    queue = [(0.0, start)]
    while queue:
        so_far, at = heappop(queue)
        if so_far > best[at]:
            continue
        for to, length in near[at]:
            if so_far + length < best[to]:
                best[to] = so_far + length
                heappush(queue, (best[to], to))
    return best


@njit("(float64[:, ::1],)")
def rows(a):
    kept = [a[i] for i in range(len(a)) if a[i, 0] > 0]
    for row in kept:
        kept.append(row + 1.0)
        if len(kept) > 5:
            break
    return kept, kept[1:], kept.pop()
