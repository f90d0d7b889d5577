"""Turns that do nothing, many at once."""
from numba import njit


@njit("int64(float64[::1])")
def place_of_largest(a):
    best = 0
    for i in range(1, len(a)):
        if a[i] > a[best]:
            best = i
    return best


@njit("Tuple((int64, int64))(uint8[::1], int64[::1], int64)")
def lines(text, ends, n):
    """Bytes; whether they are there is asked; the index is read behind the loop."""
    k = i = 0
    for i in range(n):
        if text[i] == 10 or text[i] == 13:
            ends[k] = i
            k += 1
        elif text[i] == 26:
            break
    return k, i


@njit("int64(int64[:, ::1], int64[::1], int64[::1])")
def runs(a, starts, ends):
    """An end that is data: not in rows, which may be short. An element in front of the row is not there."""
    total = 0
    for j in range(starts[0], ends[0]):
        if j == 0 or a[3, j] != a[3, j - 1]:
            total = total * 3 + a[3, j]
    for r in range(len(starts)):
        for j in range(starts[r], ends[r]):
            if a[r, j] > 9:
                total = total * 3 + a[r, j]
        for j in range(r, a.shape[1]):
            if a[r, j] > 9:
                total = total * 3 + a[r, j]
    return total


@njit("float64(float32[::1], float64)")
def own_variables(a, most):
    total = 0.0
    for i in range(len(a)):
        x = a[i] - 0.5
        if x < 0:
            x = -x
        if x > most:
            total += x
            if total > 100.0:
                most = total
    return total


@njit("int64(int64[::1], int64[::1])")
def left_alone(a, b):
    """Every turn does something; nothing is asked of elements; a sum. The next is asked where a[k] is there."""
    k = 0
    for i in range(len(a)):
        if a[i] > 3:
            k = k * 3 + 1
        else:
            k += a[i]
    for i in range(len(a)):
        if i % 7 == k:
            k = k * 3 + 1
    for i in range(len(a)):
        if a[i] > 3:
            k += 1
    for i in range(len(a)):
        if b[i] > 3:
            k = i
        if a[k] > i:
            k = k * 3 % 7
    for i in range(len(a)):
        if a[i] % b[i] == 3:
            k = k * 3 % 7
    return k
