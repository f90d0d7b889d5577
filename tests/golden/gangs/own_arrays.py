"""Arrays that every iteration makes for itself: one for all lanes, with an element for each."""
import numpy as np
from numba import njit, prange


@njit("void(uint8[:,::1], uint8[::1], int32[::1])", parallel=True)
def local_alignment(sequences, query, scores):
    for s in prange(sequences.shape[0]):
        row = np.zeros(query.shape[0] + 1, np.int32)
        best = 0
        for i in range(sequences.shape[1]):
            diagonal = 0
            for j in range(query.shape[0]):
                above = row[j + 1]
                score = max(0, diagonal + (2 if sequences[s, i] == query[j] else -1), above - 2, row[j] - 2)
                diagonal = above
                row[j + 1] = score
                best = max(best, score)
        scores[s] = best


@njit
def push(stack, top, value):
    stack[top] = value
    return top + 1


@njit("void(float64[:, ::1], float64[::1], int64)")
def swapped(x, out, rounds):
    """Two rows that change places, filled with a number of the iteration, one by a helper."""
    n = x.shape[1]
    for i in range(x.shape[0]):
        old = np.full(n, x[i, 0])
        new = np.empty(n)
        for _ in range(rounds):
            new[0] = old[-1]
            for k in range(1, n):
                push(new, k, 0.5 * (old[k - 1] + old[k]))
            old, new = new, old
        out[i] = old[n - 1]
