"""Sparse matrices and graphs."""
import numpy as np
from numba import njit, prange


@njit("void(float64[::1], int32[::1], int32[::1], float64[::1], float64[::1])", parallel=True)
def spmv(values, columns, starts, x, y):
    """y = A x, with A as compressed rows."""
    for i in prange(len(y)):
        total = 0.0
        for k in range(starts[i], starts[i + 1]):
            total += values[k] * x[columns[k]]
        y[i] = total


@njit("int64(int32[:], int32[:], int64, int32[:])")
def bfs(starts, targets, source, level):
    """The distance of every node from the source in steps, -1 where there is no way; returns how many were reached."""
    n = len(starts) - 1
    queue = np.empty(n, np.int32)
    for i in range(n):
        level[i] = -1
    level[source] = 0
    queue[0] = source
    head = 0
    tail = 1
    while head < tail:
        node = queue[head]
        head += 1
        for k in range(starts[node], starts[node + 1]):
            other = targets[k]
            if level[other] < 0:
                level[other] = level[node] + 1
                queue[tail] = other
                tail += 1
    return tail


@njit("void(float32[:,:])")
def floyd_warshall(distance):
    """Shortest ways between all nodes, in place."""
    n = distance.shape[0]
    for k in range(n):
        for i in range(n):
            for j in range(n):
                through = distance[i, k] + distance[k, j]
                if through < distance[i, j]:
                    distance[i, j] = through


@njit("int64(int32[:], int32[:], int32[:], float64[:], float64, int64)", parallel=True)
def pagerank(starts, sources, outgoing, rank, tolerance, limit):
    """Ranks of pages from the links into each, to within the tolerance; returns the number of rounds."""
    n = len(rank)
    share = np.empty(n)
    for i in range(n):
        rank[i] = 1.0 / n
    for step in range(limit):
        lost = 0.0
        for i in prange(n):
            if outgoing[i] > 0:
                share[i] = rank[i] / outgoing[i]
            else:
                share[i] = 0.0
                lost += rank[i]
        change = 0.0
        for i in prange(n):
            total = 0.0
            for k in range(starts[i], starts[i + 1]):
                total += share[sources[k]]
            new = 0.15 / n + 0.85 * (total + lost / n)
            change += abs(new - rank[i])
            rank[i] = new
        if change < tolerance:
            return step + 1
    return limit
