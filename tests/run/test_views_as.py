"""a.view(dtype) and np.float64(x).view(np.int64): the same bytes as another type, beside NumPy; names of dtypes; sums of
complex numbers along an axis; List.empty_list."""
import itertools

import numpy as np
import pytest
from conftest import Batch, run_pyk2cu

DTYPES = ["int8", "uint8", "bool_", "int16", "uint16", "int32", "float32", "int64", "uint64", "float64", "complex64", "complex128"]
PAIRS = [(a, b) for a, b in itertools.product(DTYPES, DTYPES) if a != b]
built = Batch("views_as")
for old, new in PAIRS:
    built.add(f'''
@njit("{new}[:]({old}[:])")
def of_any_{old}_{new}(a):
    return a.view(np.{new})

@njit("{new}[:,:]({old}[:,::1])")
def of_c_{old}_{new}(a):
    return a.view(dtype=np.{new})
''')
built.add('''
@njit("int64(float64)")
def bits(x):
    return np.float64(x).view(np.int64)

@njit("float32(uint32)")
def from_bits(x):
    return x.view(np.float32)

@njit("float64(float64[:])")
def inverse_root(a):
    total = 0.0
    for x in a:
        i = np.float32(x).view(np.int32)
        total += np.int32(0x5f3759df - (i >> 1)).view(np.float32)
    return total

@njit("int64[:](float64[:])")
def bits_of_all(a):
    out = np.empty(a.size, np.int64)
    for i in range(a.size):
        out[i] = np.float64(a[i]).view(np.int64) ^ 1
    return out

@njit("void(float64[::1])")
def flips_signs(a):
    b = a.view(np.uint64)
    for i in range(len(b)):
        b[i] ^= np.uint64(1) << np.uint64(63)
        a[i] += 1.0

@njit("int32[:,:](int64[::1,:])")
def of_fortran(a):
    return a.view(np.int32)

@njit("float64[:,:](float32[:,:])")
def of_rows(a):
    return a.view(np.float64)

@njit("uint8[:](uint16[:])")
def bytes_plus(a):
    return a.view(np.uint8) + np.uint8(1)

@njit("int64(float64[:], int32[:], complex64[:], boolean[:], uint8[:])")
def kinds(a, b, c, d, e):
    if a.dtype.kind == "f" and b.dtype.kind == "i" and c.dtype.kind == "c" and d.dtype.kind == "b" and e.dtype.kind == "u":
        if a.dtype.name == "float64" and d.dtype.name == "bool" and a.dtype.str == "<f8" and e.dtype.str == "|u1" and d.dtype.str == "|b1":
            return 1
    return 0

@njit("Tuple((complex128[:], complex128[:], complex128[:], complex64[:], complex64[:,:]))(complex128[:,:], complex64[:,:,:])")
def complex_sums(a, b):
    return np.sum(a, axis=0), a.sum(axis=-1), a.prod(1), b[0].mean(1), np.sum(b, 1)

@njit("Tuple((int64, float64))(int64[:])")
def typed(a):
    from_types = numba.typed.List.empty_list(numba.types.int64)
    for x in a:
        from_types.append(x)
    floats = numba.typed.List.empty_list(numba.types.float64)
    floats.append(3)
    return len(from_types), floats[0] / 2
''')


def arrays(dtype):
    a = np.random.default_rng(5).integers(0, 2 if dtype == "bool_" else 100, 48).astype(getattr(np, dtype))
    yield from (a, a[:16], a[:5], a[:0], a[::2], a[::-1], a[7:8], a[7:8:3])


def outcome(function, a):
    try:
        made = function(a)
    except ValueError as error:
        return "ValueError", str(error)
    return made.dtype.str, made.shape, made.tobytes()


@pytest.mark.parametrize("old, new", PAIRS)
def test_views_are_numpys(old, new):
    def expected(a):
        if new == "bool_" and np.any(np.frombuffer(a.tobytes(), np.uint8) > 1):
            return "ValueError", "a byte of the view is no bool: neither 0 nor 1"
        return outcome(lambda x: x.view(getattr(np, new)), a)

    for a in arrays(old):
        if new == "bool_" and a.strides[0] != a.itemsize and a.itemsize > 1:
            continue  # an error in any case
        assert outcome(getattr(built, f"of_any_{old}_{new}"), a) == expected(a)
    for a in arrays(old):
        b = np.ascontiguousarray(a[:a.size // 4 * 4].reshape(-1, 4))
        assert outcome(getattr(built, f"of_c_{old}_{new}"), b) == expected(b)


def test_bits_of_numbers():
    for x in (0.0, -0.0, 1.5, np.inf, -np.inf, 5e-324):
        assert built.bits(x) == np.float64(x).view(np.int64)
    assert built.from_bits(np.uint32(0x40490fdb)) == np.float32(np.pi)
    a = np.random.default_rng(3).random(100) + 0.1
    assert built.inverse_root(a) == built.plain.inverse_root(a)
    assert built.bits_of_all(a).tolist() == (a.view(np.int64) ^ 1).tolist()


def test_the_array_is_written_through_its_view():
    a = np.random.default_rng(3).random(100)
    expected = 1.0 - a
    built.flips_signs(a)
    assert np.array_equal(a, expected)
    b = np.array([1, 255, 65535], np.uint16)
    assert built.bytes_plus(b).tolist() == (b.view(np.uint8) + np.uint8(1)).tolist()
    with pytest.raises(ValueError, match="last axis must be contiguous"):
        built.of_fortran(np.asfortranarray(np.ones((3, 2), np.int64)))
    d = np.zeros(41, np.uint8)
    with pytest.raises(ValueError, match="do not lie at multiples of 8 bytes"):
        built.of_any_uint8_float64(d[1 + (-d.ctypes.data) % 8:][:32])  # NumPy has elements at any address
    with pytest.raises(ValueError, match="do not lie at multiples of 8 bytes"):
        built.of_rows(np.zeros((4, 3), np.float32)[:, :2])  # every second row is 4 bytes off
    whole = np.zeros((4, 4), np.float32)
    assert built.of_rows(whole[:, :2]).tolist() == [[0.0]] * 4 and built.of_rows(whole[:1, :2]).tolist() == [[0.0]]
    halves = np.zeros(9, np.float32)
    with pytest.raises(ValueError, match="do not lie at multiples of 8 bytes"):
        built.of_any_complex64_int64(halves[1 - halves.ctypes.data // 4 % 2:][:6].view(np.complex64))
    c = np.asfortranarray(np.arange(3).reshape(1, 3))
    assert outcome(built.of_fortran, c)[0] == outcome(lambda x: x.view(np.int32), c)[0]


def test_names_of_types():
    assert built.kinds(np.ones(1), np.ones(1, "i4"), np.ones(1, "c8"), np.ones(1, bool), np.ones(1, "u1")) == 1


def test_complex_numbers_along_an_axis():
    rng = np.random.default_rng(6)
    a = rng.random((4, 3)) + 1j * rng.random((4, 3))
    b = (rng.random((2, 3, 4)) + 1j * rng.random((2, 3, 4))).astype(np.complex64)
    for mine, expected in zip(built.complex_sums(a, b), built.plain.complex_sums(a, b)):
        assert mine.dtype == expected.dtype and mine.shape == expected.shape
        np.testing.assert_allclose(mine, expected, rtol=1e-6)


def test_typed_lists_begin_empty():
    assert built.typed(np.arange(5)) == (5, 1.5)


@pytest.mark.parametrize("signature, body", [("float64(float64)", "np.float64(x).view(np.int32)"), ("float64(float64)", "np.float64(x).view(3)"),
                                             ("float64[:](float64[:])", "x.view()"), ("boolean(uint8)", "x.view(np.bool_)")])
def test_refused(tmp_path, signature, body):
    (tmp_path / "k.py").write_text(f'import numpy as np\nfrom numba import njit\n\n@njit("{signature}")\ndef f(x):\n    return {body}\n')
    done = run_pyk2cu("k.py", "-o", "out", cwd=tmp_path)
    assert done.returncode == 1 and "error[PK40" in done.stderr, done.stderr
