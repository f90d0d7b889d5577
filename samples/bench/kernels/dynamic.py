"""Dynamic programming: distances and alignments of sequences."""
import numpy as np
from numba import njit, prange


@njit("int64(uint8[:], uint8[:])")
def edit_distance(a, b):
    """The fewest insertions, deletions and replacements that turn one text into the other."""
    m, n = len(a), len(b)
    previous = np.empty(n + 1, np.int64)
    current = np.empty(n + 1, np.int64)
    for j in range(n + 1):
        previous[j] = j
    for i in range(1, m + 1):
        current[0] = i
        for j in range(1, n + 1):
            cost = 0 if a[i - 1] == b[j - 1] else 1
            current[j] = min(previous[j] + 1, current[j - 1] + 1, previous[j - 1] + cost)
        for j in range(n + 1):
            previous[j] = current[j]
    return previous[n]


@njit("float64(float64[:], float64[:])")
def dtw(a, b):
    """The cost of the cheapest warping of one series onto the other."""
    n, m = a.shape[0], b.shape[0]
    cost = np.full((n + 1, m + 1), np.inf)
    cost[0, 0] = 0.0
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            distance = abs(a[i - 1] - b[j - 1])
            cost[i, j] = distance + min(cost[i - 1, j], cost[i, j - 1], cost[i - 1, j - 1])
    return cost[n, m]


@njit("void(float64[:,:], float64[:,:])", parallel=True)
def dtw_matrix(series, out):
    """The warping costs between all rows."""
    count = series.shape[0]
    for i in prange(count):
        for j in range(count):
            out[i, j] = dtw(series[i], series[j])


@njit("void(uint8[:,::1], uint8[::1], int32[::1])", parallel=True)
def smith_waterman(sequences, query, scores):
    """The best local alignment of the query with every sequence: match 2, mismatch -1, gap -2."""
    length = query.shape[0]
    for s in prange(sequences.shape[0]):
        row = np.zeros(length + 1, np.int32)
        best = 0
        for i in range(sequences.shape[1]):
            diagonal = 0
            for j in range(1, length + 1):
                above = row[j]
                score = diagonal + (2 if sequences[s, i] == query[j - 1] else -1)
                score = max(0, score, above - 2, row[j - 1] - 2)
                diagonal = above
                row[j] = score
                best = max(best, score)
        scores[s] = best
