"""Shift registers, generators whose low bits hang on low bits alone, and counts that begin anew."""
import numpy as np
import pytest
from conftest import Batch

OPTIONS = {"plain": ["--no-lanes"], "default": [], "eight": ["--gang=8"]}
BATCHES = {name: Batch(f"registers_{name}", options) for name, options in OPTIONS.items()}
TEXT = '''
@njit("uint16(uint8[:], uint16)")
def crc16(data, crc):
    for b in data:
        crc ^= np.uint16(b) << np.uint16(8)
        for _ in range(8):
            if crc & np.uint16(0x8000):
                crc = np.uint16((crc << np.uint16(1)) ^ np.uint16(0x1021))
            else:
                crc = np.uint16(crc << np.uint16(1))
    return np.uint16(crc)

@njit("int64(uint8[:], int64)")
def crc8(data, crc):
    for b in data:
        crc ^= int(b)
        for _ in range(8):
            crc = ((crc << 1) ^ 7) & 255 if (crc & 128) != 0 else (crc << 1) & 255
    return crc

@njit("int64(uint8[:], int64)")
def late(data, crc):
    for b in data:
        crc ^= int(b)
        for _ in range(8):
            crc <<= 1
            if crc & 0x100:
                crc ^= 0x107
    return crc

@njit("int64(uint8[:], int64)")
def galois(data, crc):
    for b in data:
        crc ^= int(b)
        for _ in range(8):
            low = crc & 1
            crc >>= 1
            if low == 0:
                crc ^= 0
            else:
                crc ^= 0xA001
    return crc

@njit("int64(uint8[:], int64)")
def lcg(data, x):
    s = 0
    for b in data:
        x = (1103515245 * x + 12345) % 2147483648
        s += x % 6 + int(b)
    return s * 2147483648 + x

@njit("int64(uint8[:], int64)")
def drand48(data, x):
    s = 0
    for b in data:
        u = x >> 40
        x = (0x5DEECE66D * x + 11 + int(b)) & ((1 << 48) - 1)
        s = (s ^ u) + (x >> 44)
    return s

@njit("int64(uint8[:], int64)")
def sometimes(data, x):
    k = 0
    s = 0
    while k < data.size:
        if data[k] > 100:
            x = ((x << 3) - x * 5 ^ int(data[k])) & 0xffff
            s += x
        k += 1 + x % 2
    return s

@njit("int64(uint8[:], int64)")
def high_bits(data, x):
    for b in data:
        x = (x * 5 + (x >> 7) + int(b)) & 0xfffff
    return x

@njit("int64(uint8[:], int64)")
def twice(data, x):
    for b in data:
        x = (x * 5 + 1) & 0xffff
        if b & 1:
            x = (x + 3) & 0xff
    return x

@njit("int64(uint8[:, :], int64)")
def in_lanes(data, seed):
    s = 0
    for i in range(data.shape[0]):
        x = seed + i
        n = 0
        while x & 0xff != 7 and n < 50:
            x = (x * 1103515245 + 12345) & 0x7fffffff
            n += 1
        s += n
    return s

@njit("int64(uint8[:], int64)")
def straight(data, x):
    s = x
    for i in range(len(data)):
        if data[i] & 1:
            t = np.int64(data[i]) * 3 + 1
        else:
            t = np.int64(data[i]) >> 1
        u = t * 5 if t & 1 else t + 7
        s += t ^ (u >> 3)
    return s

@njit("int64(uint8[:], int64)")
def waited_for(data, x):
    for i in range(len(data)):
        if data[i] & 1:
            t = np.int64(data[i]) * 3 + 1
        else:
            t = np.int64(data[i]) >> 1
        x = (x * 31 + t) & 0xffffffff
    return x

@njit("Tuple((int64, int64))(uint8[:], int64)")
def runs(x, first):
    best = 0
    cur = first
    end = -1
    for i in range(len(x)):
        if i > 0 and x[i] == x[i - 1]:
            cur += 1
        else:
            cur = 1
        if cur > best:
            best = cur
            end = i
    return best, end

@njit("Tuple((int64, int64))(uint8[:], int64)")
def steps(x, first):
    n, best, at = first, first, 0
    for i in range(len(x)):
        if x[i] < 100:
            n = 7
        else:
            n -= 2
        if n < best:
            best, at = n, i
    return best, at

@njit("Tuple((int64, int64))(uint8[:], int64)")
def from_data(x, first):
    n, best = first, 0
    for i in range(len(x)):
        if x[i] & 1:
            n = int(x[i])
        else:
            n = n + 3
        if n >= best:
            best = n
    return best, n
'''
for batch in BATCHES.values():
    batch.add(TEXT)
ONE_NUMBER = ["crc16", "crc8", "late", "galois", "lcg", "drand48", "sometimes", "high_bits", "twice",
              "straight", "waited_for"]
each = pytest.mark.parametrize("batch", BATCHES.values(), ids=BATCHES)


def bytes_of(size):
    return np.random.default_rng(size).integers(0, 256, size).astype(np.uint8)


@each
@pytest.mark.parametrize("name", ONE_NUMBER)
def test_registers(batch, name):
    for size in (0, 1, 2, 5, 7):
        for start in (0, 1, 255, 65535, 2**31 - 1) if name != "crc16" else (0, 1, 65535):
            expected = getattr(BATCHES["plain"].plain, name)([int(b) for b in bytes_of(size)] if name != "sometimes" else
                                                             bytes_of(size).astype(int), start)
            expected = int(expected) % 2**64
            assert int(getattr(batch, name)(bytes_of(size), start)) % 2**64 == expected, (size, start)


@each
def test_lanes(batch):
    for rows in (0, 1, 9, 200):
        data = np.zeros((rows, 1), np.uint8)
        assert batch.in_lanes(data, 5) == batch.plain.in_lanes(data, 5)


@each
@pytest.mark.parametrize("name", ["runs", "steps", "from_data"])
def test_counts_that_begin_anew(batch, name):
    for size in (0, 1, 2, 3, 50, 1000):
        x = bytes_of(size) & (1 if name == "runs" else 255)
        for first in (0, 1, -5):
            assert getattr(batch, name)(x, first) == getattr(batch.plain, name)(x, first), (size, first)


def test_the_next_turn_waits_for_no_mask():
    text = BATCHES["default"].emitted
    assert "x_low = pyk::add(pyk::mul(1103515245, x_low), 12345);" in text
    assert "cur = pyk::add(pyk::blend(i > 0 && x(i) == x(i - 1), cur, 0), 1);" in text
    assert "pyk::choose((crc & 256) != 0, crc ^ 263, crc)" in text


def test_vectors_stay_vectors():
    text = BATCHES["default"].emitted
    body = text[text.rindex("int64_t straight"):text.rindex("int64_t waited_for")]
    assert "data(i)" in body and "choose(" not in body
