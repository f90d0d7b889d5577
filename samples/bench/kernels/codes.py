"""Whole numbers and bytes: powers, checks, counts."""
import numpy as np
from numba import njit, prange


@njit("int64(int64, int64, int64)")
def modular_power(base, exponent, modulus):
    """base ** exponent % modulus."""
    result = 1
    base %= modulus
    while exponent > 0:
        if exponent & 1:
            result = result * base % modulus
        base = base * base % modulus
        exponent >>= 1
    return result


@njit("void(int64[:], int64[:], int64, int64[:])")
def power_mod(bases, exponents, modulus, out):
    """The powers of all numbers."""
    for i in range(bases.size):
        out[i] = modular_power(bases[i], exponents[i], modulus)


@njit("int64(uint8[::1])")
def utf8_count(text):
    """How many characters the bytes hold, -1 where they are not UTF-8."""
    n = len(text)
    i = 0
    count = 0
    while i < n:
        byte = text[i]
        if byte < 0x80:
            extra = 0
        elif 0xC2 <= byte < 0xE0:
            extra = 1
        elif 0xE0 <= byte < 0xF0:
            extra = 2
        elif 0xF0 <= byte < 0xF5:
            extra = 3
        else:
            return -1
        if i + extra >= n:
            return -1
        for k in range(1, extra + 1):
            if text[i + k] & 0xC0 != 0x80:
                return -1
        if extra >= 2:
            second = text[i + 1]
            if byte == 0xE0 and second < 0xA0 or byte == 0xED and second > 0x9F:
                return -1
            if byte == 0xF0 and second < 0x90 or byte == 0xF4 and second > 0x8F:
                return -1
        i += extra + 1
        count += 1
    return count


@njit("void(uint8[:,::1], uint32[::1], uint32[::1])")
def crc32(records, table, out):
    """The CRC-32 of every row."""
    for r in range(records.shape[0]):
        crc = np.uint32(0xFFFFFFFF)
        for k in range(records.shape[1]):
            crc = (crc >> np.uint32(8)) ^ table[(crc ^ records[r, k]) & np.uint32(0xFF)]
        out[r] = crc ^ np.uint32(0xFFFFFFFF)


@njit("int64(uint64)")
def bit_count(x):
    """The number of bits that are set."""
    count = 0
    while x != 0:
        x &= x - np.uint64(1)
        count += 1
    return count


@njit("void(uint64[:,::1], uint64[::1], int32[::1])", parallel=True)
def hamming(fingerprints, query, out):
    """In how many bits every fingerprint differs from the query."""
    for i in prange(fingerprints.shape[0]):
        distance = 0
        for k in range(fingerprints.shape[1]):
            distance += bit_count(fingerprints[i, k] ^ query[k])
        out[i] = distance
