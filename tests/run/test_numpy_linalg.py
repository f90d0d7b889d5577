"""np.linalg: products of what a matrix is taken apart into are the matrix, values are LAPACK's, errors are Numba's."""
import numpy as np
import pytest
from conftest import Batch, outcome_of

MADE = Batch("numpy_linalg")
KINDS = {"f8": "float64", "f4": "float32", "c16": "complex128", "c8": "complex64"}
OF_MATRICES = {"cholesky": "np.linalg.cholesky(a)", "eig": "np.linalg.eig(a)", "eigvals": "np.linalg.eigvals(a)", "eigh": "np.linalg.eigh(a)",
               "eigvalsh": "np.linalg.eigvalsh(a)", "svd": "np.linalg.svd(a)", "thin": "np.linalg.svd(a, full_matrices=False)",
               "qr": "np.linalg.qr(a)", "pinv": "np.linalg.pinv(a)", "slogdet": "np.linalg.slogdet(a)", "matrix_rank": "np.linalg.matrix_rank(a)",
               "rank_to": "np.linalg.matrix_rank(a, 0.5)", "cond": "np.linalg.cond(a)", "det": "np.linalg.det(a)", "inv": "np.linalg.inv(a)"}
for kind, name in KINDS.items():
    for function, expression in OF_MATRICES.items():
        MADE.add(f'@njit("({name}[:, :],)")\ndef {function}_{kind}(a):\n    return {expression}')
    MADE.add(f'''
@njit("({name}[:, :], {name}[:])")
def lstsq_{kind}(a, b):
    return np.linalg.lstsq(a, b)

@njit("({name}[:, :], {name}[:, :])")
def lstsq_all_{kind}(a, b):
    return np.linalg.lstsq(a, b, rcond=-1.0)

@njit("({name}[:, :], int64)")
def matrix_power_{kind}(a, n):
    return np.linalg.matrix_power(a, n)

@njit("({name}[:], float64)")
def vector_norm_{kind}(a, p):
    return np.linalg.norm(a, p)

@njit("({name}[:, :], float64)")
def matrix_norm_{kind}(a, p):
    return np.linalg.norm(a, ord=p)

@njit("({name}[:, :], float64)")
def cond_to_{kind}(a, p):
    return np.linalg.cond(a, p)

@njit("({name}[:],)")
def vector_rank_{kind}(a):
    return np.linalg.matrix_rank(a)
''')

RNG = np.random.default_rng(11)


def matrices(kind):
    """Of many shapes, layouts and ranks."""
    dtype = np.dtype(kind)
    for rows, columns in (1, 1), (2, 2), (3, 3), (5, 3), (3, 5), (4, 1), (1, 4), (9, 9), (20, 13):
        a = RNG.normal(size=(rows, columns))
        yield (a + 1j * RNG.normal(size=a.shape) if dtype.kind == "c" else a).astype(dtype)
    whole = RNG.normal(size=(12, 12)).astype(dtype)
    yield from (np.asfortranarray(whole[:4, :4]), whole[::-2, ::3], whole.T[1:8, ::-1])
    for a in (np.zeros((4, 3)), np.ones((4, 4)), np.arange(12.0).reshape(4, 3), np.eye(5), np.array([[1, 2], [2, 4]]),
              np.triu(np.ones((5, 5))), np.diag([3.0, 3.0, 1.0]), np.diag([1e15, 1.0, 1e-15])):
        yield a.astype(dtype)


def squares(kind):
    return (a for a in matrices(kind) if a.shape[0] == a.shape[1])


def error_of(a, b, scale=None):
    """The greatest difference, in units of the precision of `a` and the size of what is compared."""
    size = np.max(np.abs(b), initial=0) if scale is None else scale
    return np.max(np.abs(a.astype("c16") - b), initial=0) / np.finfo(a.dtype).eps / (size or 1.0)


def check_unitary(a):
    assert error_of(a.conj().T @ a, np.eye(a.shape[1])) < 200


def ours(name, kind, *arguments):
    return getattr(MADE, f"{name}_{kind}")(*arguments)


@pytest.mark.parametrize("kind", KINDS)
def test_qr(kind):
    for a in matrices(kind):
        q, r = ours("qr", kind, a)
        theirs = np.linalg.qr(a)
        assert (q.dtype, r.dtype, q.shape, r.shape) == (a.dtype, a.dtype, theirs[0].shape, theirs[1].shape)
        assert error_of(q @ r, a) < 200 and not np.tril(r, -1).any()
        check_unitary(q)
        if np.linalg.cond(a) < 1e3:
            assert error_of(r, theirs[1]) < 1e4, "LAPACK's signs"


@pytest.mark.parametrize("kind", KINDS)
def test_svd(kind):
    for a in matrices(kind):
        least = min(a.shape)
        for name, full in ("svd", True), ("thin", False):
            u, s, v = ours(name, kind, a)
            theirs = np.linalg.svd(a, full_matrices=full)
            assert [x.shape for x in (u, s, v)] == [x.shape for x in theirs]
            assert [x.dtype for x in (u, s, v)] == [x.dtype for x in theirs]
            assert error_of((u[:, :least] * s) @ v[:least], a) < 200 and error_of(s, theirs[1]) < 100
            check_unitary(u)
            check_unitary(v.conj().T)


@pytest.mark.parametrize("kind", KINDS)
def test_eigh(kind):
    for a in squares(kind):
        a = a + a.conj().T
        below = np.tril(a) + np.triu(np.ones_like(a), 1)  # what is above the diagonal is not read
        values, vectors = ours("eigh", kind, below)
        theirs = np.linalg.eigvalsh(a)
        assert values.dtype == theirs.dtype and vectors.dtype == a.dtype and error_of(values, theirs) < 100
        assert error_of(a @ vectors, vectors * values, np.max(np.abs(a))) < 500
        check_unitary(vectors)
        assert error_of(ours("eigvalsh", kind, a), theirs) < 100


def in_order(values, tolerance):
    """By real part, then by imaginary one; real parts that differ by rounding are one."""
    return values[np.lexsort((values.imag, np.round(values.real / tolerance)))]


@pytest.mark.parametrize("kind", KINDS)
def test_eig(kind):
    for a in squares(kind):
        if a.dtype.kind == "f":
            with np.errstate(all="ignore"):
                a = (a @ np.diag(np.arange(1.0, len(a) + 1)) @ np.linalg.inv(a)).astype(kind) if np.linalg.cond(a) < 1e3 else a
        theirs = np.linalg.eigvals(a)
        if a.dtype.kind == "f" and np.any(theirs.imag):
            continue
        values, vectors = ours("eig", kind, a)
        assert values.dtype == vectors.dtype == a.dtype
        assert error_of(a @ vectors, vectors * values, np.max(np.abs(a))) < 1000
        np.testing.assert_allclose(np.linalg.norm(vectors, axis=0), 1.0, rtol=1e-5)
        tolerance = 1e-11 if np.finfo(a.dtype).eps < 1e-10 else 2e-3
        tolerance *= np.max(np.abs(a))
        np.testing.assert_allclose(in_order(values, tolerance), in_order(theirs, tolerance), atol=tolerance)
        np.testing.assert_allclose(in_order(ours("eigvals", kind, a), tolerance), in_order(values, tolerance), atol=tolerance)


@pytest.mark.parametrize("kind", KINDS)
def test_pinv_and_lstsq(kind):
    for a in matrices(kind):
        if np.linalg.cond(a) > 1e4 and np.max(np.abs(a)) > 100:
            continue
        if np.linalg.cond(a) < 1e3:
            inverse = ours("pinv", kind, a)
            assert inverse.dtype == a.dtype and error_of(inverse, np.linalg.pinv(a)) < 1e4
        b = RNG.normal(size=(len(a), 3)).astype(kind)
        theirs = np.linalg.lstsq(a, b, rcond=np.finfo(kind).eps)
        x, rest, rank, sizes = ours("lstsq_all", kind, a, b)
        assert rank == theirs[2] and error_of(x, theirs[0]) < 1e4 and rest.shape == theirs[1].shape and rest.dtype == theirs[1].dtype
        np.testing.assert_allclose(rest, theirs[1], rtol=1e-3 if kind in ("f4", "c8") else 1e-9)
        x, rest, rank, sizes = ours("lstsq", kind, a, b[:, 0])
        assert x.shape == (a.shape[1],) and error_of(x, theirs[0][:, 0]) < 1e4 and error_of(sizes, theirs[3]) < 100


@pytest.mark.parametrize("kind", KINDS)
def test_numbers(kind):
    for a in matrices(kind):
        assert ours("matrix_rank", kind, a) == np.linalg.matrix_rank(a)
        assert ours("rank_to", kind, a) == np.linalg.matrix_rank(a, 0.5)
        if a.shape[0] != a.shape[1]:
            continue
        sign, log = ours("slogdet", kind, a)
        theirs = np.linalg.slogdet(a)
        if np.linalg.cond(a) < 1e3:
            np.testing.assert_allclose([sign, log], theirs, rtol=1e-3 if kind in ("f4", "c8") else 1e-10, atol=1e-4 if kind in ("f4", "c8") else 1e-12)
            np.testing.assert_allclose(ours("cond", kind, a), np.linalg.cond(a), rtol=1e-2 if kind in ("f4", "c8") else 1e-9)
            for p in 1.0, -1.0, np.inf, -np.inf, 2.0, -2.0:
                np.testing.assert_allclose(ours("cond_to", kind, a, p), np.linalg.cond(a, p), rtol=1e-2 if kind in ("f4", "c8") else 1e-9)
            for n in 0, 1, 2, 3, 7, -1, -2:
                assert error_of(ours("matrix_power", kind, a, n), np.linalg.matrix_power(a, n)) < 1e5
        good = (a @ a.conj().T + np.eye(len(a))).astype(kind)
        low = ours("cholesky", kind, np.tril(good))
        assert low.dtype == good.dtype and error_of(low @ low.conj().T, good) < 100 and not np.triu(low, 1).any()
    assert ours("slogdet", kind, np.ones((3, 3), kind)) == (0, -np.inf) and ours("slogdet", kind, np.ones((0, 0), kind)) == (1, 0)
    assert np.isinf(ours("cond", kind, np.zeros((2, 2), kind)))


@pytest.mark.parametrize("kind", KINDS)
def test_norms(kind):
    for a in matrices(kind):
        for p in 1.0, -1.0, 2.0, -2.0, np.inf, -np.inf:
            np.testing.assert_allclose(ours("matrix_norm", kind, a, p), np.linalg.norm(a, p), rtol=1e-5, atol=1e-4)
        for p in 0.0, 1.0, 2.0, 3.5, -1.0, np.inf, -np.inf:
            with np.errstate(all="ignore"):
                np.testing.assert_allclose(ours("vector_norm", kind, a[:, 0], p), np.linalg.norm(a[:, 0].astype("c16"), p), rtol=1e-5)
        assert ours("vector_rank", kind, a[0]) == np.linalg.matrix_rank(a[0])
    assert ours("vector_norm", kind, np.zeros(0, kind), 3.0) == 0 and ours("matrix_norm", kind, np.zeros((0, 2), kind), 2.0) == 0


SQUARE, FINITE = "Last 2 dimensions of the array must be square.", "Array must not contain infs or NaNs."
WIDE, BAD = np.ones((2, 3)), np.array([[1.0, np.nan], [0.0, 1.0]])
ERRORS = [("cholesky", (WIDE,), SQUARE), ("cholesky", (np.array([[1.0, 2.0], [2.0, 1.0]]),), "Matrix is not positive definite."),
          ("cholesky", (BAD + np.nan,), "Matrix is not positive definite."),
          ("eig", (WIDE,), SQUARE), ("eigh", (WIDE,), SQUARE), ("eigvals", (WIDE,), SQUARE), ("eigvalsh", (WIDE,), SQUARE),
          ("eig", (BAD,), FINITE), ("eigh", (BAD,), FINITE), ("svd", (BAD,), FINITE), ("qr", (BAD,), FINITE), ("pinv", (BAD,), FINITE),
          ("matrix_rank", (BAD,), FINITE), ("slogdet", (BAD,), FINITE), ("slogdet", (WIDE,), SQUARE),
          ("svd", (np.ones((0, 2)),), "Arrays cannot be empty"), ("qr", (np.ones((2, 0)),), "Arrays cannot be empty"),
          ("lstsq", (WIDE, np.ones(3)), "Incompatible array sizes, system is not dimensionally valid."),
          ("lstsq", (WIDE[:0], np.ones(0)), "Arrays cannot be empty"), ("inv", (np.ones((2, 2)),), "Matrix is singular to machine precision."),
          ("inv", (WIDE,), SQUARE), ("det", (WIDE,), SQUARE)]


@pytest.mark.parametrize("name, arguments, text", ERRORS)
def test_errors_of_matrices(name, arguments, text):
    outcome = outcome_of(getattr(MADE, f"{name}_f8"), arguments)
    assert type(outcome) is np.linalg.LinAlgError and str(outcome) == text, outcome


def test_other_errors():
    turn = np.array([[0.0, -1.0], [1.0, 0.0]])
    for name in "eig", "eigvals":
        outcome = outcome_of(getattr(MADE, f"{name}_f8"), (turn,))
        assert type(outcome) is ValueError and str(outcome) == f"{name}() argument must not cause a domain change."
        values = outcome_of(getattr(MADE, f"{name}_c16"), (turn + 0j,))
        np.testing.assert_allclose(np.sort_complex(values if name == "eigvals" else values[0]), [-1j, 1j], atol=1e-15)
    outcome = outcome_of(MADE.matrix_norm_f8, (WIDE, 3.0))
    assert type(outcome) is ValueError and str(outcome) == "Invalid norm order for matrices."
    outcome = outcome_of(MADE.matrix_power_f8, (WIDE, 2))
    assert type(outcome) is ValueError and str(outcome) == "input must be a square array"
    assert MADE.pinv_f8(np.ones((0, 3))).shape == (3, 0) and MADE.eigh_f8(np.ones((0, 0)))[0].shape == (0,)


def test_large_and_far_apart():
    a = RNG.normal(size=(120, 120))
    u, s, v = MADE.svd_f8(a)
    assert error_of((u * s) @ v, a) < 2000 and error_of(s, np.linalg.svd(a, compute_uv=False)) < 200
    values, vectors = MADE.eigh_f8(a + a.T)
    assert error_of(values, np.linalg.eigvalsh(a + a.T)) < 500 and error_of(vectors @ vectors.T, np.eye(120)) < 2000
    values, vectors = MADE.eig_c16(a + 0j)
    assert error_of(a @ vectors, vectors * values) < 5000
    for scale in 1e-200, 1e200:
        np.testing.assert_allclose(MADE.svd_f8(a[:5, :4] * scale)[1], np.linalg.svd(a[:5, :4])[1] * scale, rtol=1e-12)
        np.testing.assert_allclose(MADE.eigh_f8((a + a.T)[:5, :5] * scale)[0], np.linalg.eigvalsh((a + a.T)[:5, :5]) * scale, rtol=1e-11)
        q, r = MADE.qr_f8(a[:5, :4] * scale)
        np.testing.assert_allclose(q @ (r / scale), a[:5, :4], atol=1e-14)


@pytest.mark.parametrize("n, samples", [(2, 1), (5, 3), (80, 5), (120, 10), (120, 50), (200, 50), (100, 1)])
def test_symmetric_matrices_of_low_rank(n, samples):
    """Covariances of fewer samples than there are variables."""
    for seed in range(4):
        x = np.random.default_rng(seed).normal(size=(samples, n))
        a = x.T @ x
        values, vectors = MADE.eigh_f8(a)
        size = np.linalg.norm(a)
        np.testing.assert_allclose(values, np.linalg.eigvalsh(a), atol=1e-14 * size)
        np.testing.assert_allclose(a @ vectors, vectors * values, atol=1e-14 * size)
        np.testing.assert_allclose(vectors.T @ vectors, np.eye(n), atol=1e-12)
        np.testing.assert_allclose(MADE.eigvalsh_f8(a), values, atol=1e-14 * size)


@pytest.mark.parametrize("a", [[[1e17, 0, 0], [0, 1, 1], [0, -1, 1]], [[-1e12, 0, 0], [0, 0, 1e-4], [0, -1e-4, 0]],
                               [[1e10, 0, 0], [0, 1, 1e-6], [0, -1e-6, 1]]])
def test_complex_eigenvalues_beside_large_ones_are_complex(a):
    with pytest.raises(ValueError, match="domain change"):
        MADE.eigvals_f8(np.array(a))
    values = MADE.eigvals_c16(np.array(a, dtype=complex))
    np.testing.assert_allclose(np.sort_complex(values), np.sort_complex(np.linalg.eigvals(np.array(a))), rtol=1e-9)


@pytest.mark.parametrize("scale", [0.0, 1e-200, 1e-160, 1.0, 1e200])
def test_eigenvalues_of_any_size(compile_text, scale):
    """Neither of nothing nor of very large and small entries do products overflow or vanish."""
    module = compile_text('''import numpy as np
from numba import njit


@njit("complex128[:](complex128[:,:])")
def values(a):
    return np.linalg.eigvals(a)


@njit("float64[:](float64[:,:])")
def real_values(a):
    return np.linalg.eigvals(a)


@njit("Tuple((float64[:], float64[:,:]))(float64[:,:])")
def vectors(a):
    return np.linalg.eig(a)
''')
    a = np.array([[2.0, 1.0, 0.0], [1.0, 2.0, 0.0], [0.0, 0.0, 5.0]])
    expected = np.array([1.0, 3.0, 5.0])
    for result in (module.values(scale * a + 0j), module.real_values(scale * a), module.vectors(scale * a)[0]):
        np.testing.assert_allclose(np.sort(result.real), scale * expected, rtol=1e-12)
