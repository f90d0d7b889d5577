"""Loops that are faster alone: values by odd and even numbers, searches, bits that are counted."""
from numba import njit, prange
import numpy as np


@njit("void(int64, int32[::1])", parallel=True)
def collatz(first, lengths):
    for i in prange(len(lengths)):
        n = first + i
        steps = 0
        while n != 1:
            if n % 2 == 0:
                n = n // 2
            else:
                n = 3 * n + 1
            steps += 1
        lengths[i] = steps


@njit("void(boolean[::1])")
def primes(out):
    for n in range(len(out)):
        prime = n > 1
        for d in range(2, n):
            if n % d == 0:
                prime = False
                break
        out[n] = prime


@njit("void(uint64[:, ::1], uint64[::1], int32[::1])")
def hamming(codes, query, out):
    for i in range(len(out)):
        distance = 0
        for k in range(len(query)):
            x = codes[i, k] ^ query[k]
            while x:
                x &= x - np.uint64(1)
                distance += 1
        out[i] = distance
