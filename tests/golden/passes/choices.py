"""One of two integers by a number that is odd or even: both are computed, and one is taken."""
import numpy as np
from numba import njit, prange


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


@njit("int64(float64[:], float64)")
def streak(x, limit):
    best = 0
    run = 0
    for v in x:
        if v > limit:
            run += 1
            if run > best:
                best = run
        else:
            run = 0
    return best


@njit("uint32(uint32[:])")
def falls(x):
    longest = np.uint32(0xFFFFFFFF)
    length = np.uint32(0)
    for i in range(1, len(x)):
        if x[i] >= x[i - 1]:
            longest = min(longest, length)
            length = np.uint32(0)
        else:
            length = np.uint32(length + np.uint32(1))
    return longest


@njit("int64(float64[:], float64[:])")
def crossings(a, b):
    count = 0
    above = False
    for i in range(len(a)):
        if a[i] > b[i]:
            if not above:
                count += 1
            above = True
        else:
            above = False
    return count


@njit("int64(float64[:], float64)")
def search(x, v):
    low = 0
    high = len(x)
    while low < high:
        middle = (low + high) // 2
        if x[middle] < v:
            low = middle + 1
        else:
            high = middle
    return low


@njit("void(int64[:], int64[:])")
def stack(x, out):
    top = 0
    for i in range(len(x)):
        if x[i] > 0:
            top += 1
        else:
            top = 0
        out[top] = i


@njit("void(float64[:], boolean[:])")
def tops(x, out):
    for i in range(1, len(x) - 1):
        top = True
        if x[i - 1] > x[i]:
            top = False
        if x[i + 1] > x[i]:
            top = False
        low = False
        if x[i] < -1.0 or x[i - 1] < -2.0:
            low = True
        out[i] = top or low


@njit("float64(int64[:], float64[:])")
def area(order, label):
    hits = 0.0
    misses = 0.0
    sum = 0.0
    for i in range(len(order)):
        if label[order[i]] > 0.5:
            hits += 1.0
        else:
            misses += 1.0
            sum += hits
    return sum / (hits * misses)


@njit("float64(float64[:], boolean[:], float32[:], float64)")
def decays(x, seen, y, a):
    mean = x[0]
    level = 1.0
    total = 0.0
    off = np.float32(0)
    for i in range(len(x)):
        if x[i] == x[i]:
            mean = a * x[i] + (1 - a) * mean
        if seen[i]:
            level = level * 0.5 + 1.0
        else:
            level = level * 0.75 - mean
        if seen[i]:
            total += x[i]
        if seen[i]:
            off -= y[i]
        if x[i] > mean:
            total -= 1.0
    return level + total + off


@njit("Tuple((float64, int64, int64))(float64[:], uint8[:], boolean[:], int64)")
def classes(x, label, kept, n):
    total = 0.0
    count = 0
    last = 0
    for i in range(len(x)):
        if label[i] == 3:
            step = 0.5 * x[i]
            total += step
            count += 1
        if kept[i]:
            last = i
    for i in range(n):
        if kept[i]:
            total += x[i]
        if x[i] > 0.5:
            total += x[i]
    return total, count, last


@njit("int64(int64[:, :], int64[:])", parallel=True)
def rows(x, out):
    total = 0
    for i in prange(x.shape[0]):
        run = best = 0
        for j in range(x.shape[1]):
            v = x[i, j]
            if v > 0 and v < 1000:
                t = v * 3 + 1
                run += t
                if v * 4 > run:
                    t = run - v
                    best = max(best, t)
            else:
                run = 0
        out[i] = run
        total += best
    return total


@njit("void(float64[:, ::1])")
def dither(image):
    """The next iteration waits for the error, through memory."""
    for y in range(image.shape[0]):
        for x in range(image.shape[1] - 1):
            old = image[y, x]
            new = 255.0 if old >= 128.0 else 0.0
            image[y, x] = new
            image[y, x + 1] += (old - new) * 0.5


@njit("int64(float64[:], int64[:], int64[:], float64)")
def walked(keys, left, right, x):
    """Of two places the one that is read is chosen."""
    k = 0
    while k >= 0 and keys[k] != x:
        if x < keys[k]:
            k = left[k]
        else:
            k = right[k]
    return k
