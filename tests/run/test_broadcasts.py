"""Operands whose extent along an axis is 1 by the text (newaxis, reshape, shapes of such arrays), beside NumPy: values, shapes, what does
not fit, what is written while it is read; and no copies of them in the C++."""
import numpy as np
import pytest
from conftest import Batch

MADE = Batch("broadcasts")
MADE.add('''
@njit("(float64[:], float64[:])")
def outer_sum(a, b):
    return a[:, None] + b[None, :] * 2.0

@njit("(float64[::1], float64[::1], float64)")
def reshaped(a, b, c):
    x = a.reshape(-1, 1)
    return x - c + b.reshape(1, -1), x * b, b.reshape((1, b.size)) - a.reshape((a.size, 1))

@njit("(float64[:,:], float64[:,:])")
def pairs(x, y):
    d = x[:, None, :] - y[None, :, :]
    return np.sqrt(np.sum(d * d, axis=2)), d.shape

@njit("(float64[:,:], float64[:])")
def of_rows(a, b):
    return (a ** 2).sum(axis=1)[:, np.newaxis] + b, a - a[:1], a.T[:, None, 0:1] + b[:, None]

@njit("(float64[:,:], float64[:], float64[:])")
def into(out, a, b):
    out[:, :] = a[:, None] * b
    out += a[:, np.newaxis]
    out -= out[0][None, :]
    out[:, 1:] += out[:, 1][:, None]
    return out.sum()

@njit("(float64[:],)")
def both_one(a):
    x = a[None, :1][:, :, None]
    y = np.ones((1, 1, 1))
    return x + y, y * a, a[None] + y[0]

@njit("(float64[:,:], int64)")
def assigned_twice(a, n):
    x = a[:, :1]
    if n > 1:
        x = a
    return x + a, x[:, None, :] * a

@njit("(uint8[:,:,:], float32[:])")
def image(a, w):
    return a[:, :, 0:1] + a, (a[..., 1] * w[:, None]), a[:, None, None, 1, 2] * w

@njit("(complex128[:], float64[:])", fastmath=True)
def phases(z, t):
    return np.exp(1j * t[:, None]) * z[None, :]

@njit("(float64[:,:], float64[:])", parallel=True)
def in_threads(a, b):
    return a[:, None, :] + b[:, None]
''')
A, B = np.arange(3.0) + 1, np.arange(4.0) * 0.5
GRID = np.arange(12.0).reshape(3, 4) ** 1.5
CASES = {
    "outer_sum": [(A, B), (A[::-1], B[::2]), (A[:1], B), (A[:0], B), (A[:1], B[:1])],
    "reshaped": [(A, A, 0.5), (A, B, 1.0), (A[:1], B, 1.0), (A[:0], A[:0], 0.0), (A, B[:1].copy(), 0.0)],
    "pairs": [(GRID, GRID[::-1] + 1), (GRID[:1], GRID), (GRID, GRID[:0]), (GRID[:, :3], GRID), (np.asfortranarray(GRID), GRID[:2])],
    "of_rows": [(GRID, B), (GRID.T, A), (GRID[:1, :1], B[:1]), (GRID, A)],
    "into": [(np.zeros((3, 4)), A, B), (np.zeros((4, 3)).T, A, B), (np.zeros((3, 4)), A[:1], B), (np.zeros((3, 4)), B, A), (np.zeros((3, 8))[:, ::2], A, B)],
    "both_one": [(A,), (A[:1],), (A[::-2],)],
    "assigned_twice": [(GRID, 0), (GRID, 5), (GRID[:, :1], 5)],
    "image": [(np.arange(36, dtype="u1").reshape(3, 4, 3) * 7, A.astype("f4")), (np.zeros((0, 4, 3), "u1"), A[:0].astype("f4"))],
    "phases": [(A + 1j, B)],
    "in_threads": [(GRID, B), (GRID, A)],
}


@pytest.mark.parametrize("name", CASES)
def test_as_in_numpy(name):
    for arguments in CASES[name]:
        results = []
        for made in (MADE, MADE.plain):
            copies = [a.copy(order="A") if isinstance(a, np.ndarray) and a.base is None else a for a in arguments]
            before = [a.copy() for a in arguments if isinstance(a, np.ndarray)]
            try:
                returned = getattr(made, name)(*copies)
            except ValueError as error:
                returned = type(error)
            results.append((returned, [np.array(a) for a in copies if isinstance(a, np.ndarray)]))
            for a, old in zip((a for a in arguments if isinstance(a, np.ndarray)), before):
                a[...] = old
        if results[1][0] is ValueError:
            assert results[0][0] is ValueError, (name, arguments)
            continue
        ours, theirs = (r[0] if isinstance(r[0], tuple) else (r[0],) for r in results)
        for x, y in zip(ours + tuple(results[0][1]), theirs + tuple(results[1][1]), strict=True):
            assert np.shape(x) == np.shape(y), (name, arguments)
            np.testing.assert_allclose(x, y, rtol=1e-6 if name == "image" else 1e-13, err_msg=name)


def test_no_array_of_the_whole_shape_is_made_of_them():
    text = MADE.emitted
    assert "operand_3(i, 0) + operand_4(0, j)" in text or "(i, 0)" in text and "(0, j)" in text
    body = text[text.index("outer_sum(pyk::array"):]
    assert "int64_t(1))" in body[:body.index("return pyk::ok")]
