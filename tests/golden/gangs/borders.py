import numpy as np
from numba import njit, prange


@njit("void(uint8[:, ::1], uint8[:, ::1], int64)")
def erode(image, out, radius):
    height, width = image.shape
    for y in range(height):
        for x in range(width):
            smallest = 255
            for yy in range(max(0, y - radius), min(height, y + radius + 1)):
                for xx in range(max(0, x - radius), min(width, x + radius + 1)):
                    if image[yy, xx] < smallest:
                        smallest = image[yy, xx]
            out[y, x] = smallest


@njit("void(uint8[:, ::1], uint8[:, ::1])", parallel=True)
def life(cells, out):
    rows, columns = cells.shape
    for i in prange(rows):
        for j in range(columns):
            n = 0
            for di in range(-1, 2):
                for dj in range(-1, 2):
                    n += cells[(i + di) % rows, (j + dj) % columns]
            out[i, j] = n == 3 or n == 4 and cells[i, j] == 1


@njit("void(float64[::1], int64, float64[::1])")
def rolling(x, window, out):
    for i in range(len(x)):
        if i < window - 1:
            out[i] = 0.0
            continue
        total = 0.0
        for k in range(i - window + 1, i + 1):
            total += x[k]
        out[i] = total / window


@njit("void(float64[::1], float64[::1])", parallel=True)
def smooth(x, out):
    for i in prange(len(x)):
        out[i] = x[max(i - 1, 0)] + x[min(i + 1, len(x) - 1)]


@njit("void(float32[::1], uint8[::1], float32[::1])")
def chosen(x, wanted, out):
    for i in range(len(x)):
        total = np.float32(0)
        for k in range(3):
            if wanted[k]:
                total += x[i - k] if i - k >= 0 else x[i]
        out[i] = total


@njit("void(float64[::1], float64[::1], float64[::1])")
def centred(x, taps, out):
    for i in range(len(x)):
        total = 0.0
        for j in range(len(taps)):
            k = i + j - len(taps) // 2
            if 0 <= k < len(x):
                total += x[k] * taps[j]
        out[i] = total


@njit("void(float64[::1], float64[::1], float64[::1])")
def causal(x, taps, out):
    for i in range(len(x)):
        total, last = 0.0, i + 1
        if last > len(taps):
            last = len(taps)
        for j in range(last):
            total += taps[j] * x[i - j]
        out[i] = total


@njit("void(float32[:, ::1], float32[:, ::1], int64)")
def least_beside(image, out, r):
    h, w = image.shape
    for i in range(h):
        for j in range(w):
            least = image[i, j]
            for a in range(max(0, i - r), min(h, i + r + 1)):
                for b in range(max(0, j - r), min(w, j + r + 1)):
                    least = min(least, image[a, b])
            out[i, j] = least


@njit("void(float64[::1], float64[::1], int64)")
def of_a_constant_size(x, out, r):
    """The middle is behind the first ones, whatever they are."""
    for i in range(1000):
        total = 0.0
        for j in range(0 if i < r else i - r, i + 1):
            total += x[j]
        out[i] = total
