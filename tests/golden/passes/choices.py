"""One of two integers by a number that is odd or even: both are computed, and one is taken."""
from numba import njit


@njit("int64(int64)")
def collatz(n):
    steps = 0
    while n > 1:
        if n % 2 == 0:
            n //= 2
        else:
            n = 3 * n + 1
        steps += 1
    return steps


@njit("uint32(uint32[::1])")
def checksum(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for bit in range(8):
            if crc & 1:
                crc = (crc >> 1) ^ 0xEDB88320
            else:
                crc >>= 1
    return crc


@njit("int64(int64, int64[::1])")
def others(n, x):
    s = 0
    if n & 1:
        s = n
    else:
        s = 2 * n
    for i in range(len(x)):
        if i % 2:
            s += x[i]
        else:
            s -= x[i]
        if s & 1:
            s = s * 3
        if s % 2 == 1:
            s = s // n
        else:
            s = s + 1
    return s
