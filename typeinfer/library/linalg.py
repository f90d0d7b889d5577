"""np.linalg as Numba has it.

What is decomposed is computed in float64 or complex128 and given back in the dtype of the argument.
Names are those of numpy.py: linalg_norm_ord is the form of np.linalg.norm with `ord`.
Tested by tests/run/test_numpy_linalg.py.
"""
import numpy as np
from numba import njit

# ---- checks and copies --------------------------------------------------------------------------


@njit
def as_floats(a):
    """A copy; of integers float64."""
    out = np.empty(a.shape, dtype=np.sqrt(np.empty(0, dtype=a.dtype)).dtype)
    out[...] = a
    return out


@njit
def widened(a):
    """A copy in float64 or complex128."""
    out = np.empty(a.shape, dtype=(np.empty(0, dtype=a.dtype) * np.ones(0)).dtype)
    out[...] = a
    return out


@njit
def narrowed(a, like):
    """`a` in the dtype of `like`."""
    out = np.empty(a.shape, dtype=like.dtype)
    out[...] = a
    return out


@njit
def narrowed_reals(a, like):
    """Real numbers as wide as the parts of `like`."""
    out = np.empty(a.shape, dtype=np.abs(np.empty(0, dtype=like.dtype)).dtype)
    out[...] = a
    return out


@njit
def adjoint(a):
    return np.conj(a.T)


@njit
def check_square(a):
    if a.shape[0] != a.shape[1]:
        raise np.linalg.LinAlgError("Last 2 dimensions of the array must be square.")


@njit
def check_finite(a):
    for x in a.flat:
        if not np.isfinite(x):
            raise np.linalg.LinAlgError("Array must not contain infs or NaNs.")


@njit
def check_not_empty(a):
    if a.size == 0:
        raise np.linalg.LinAlgError("Arrays cannot be empty")


# ---- Gauss's elimination, rows exchanged --------------------------------------------------------


BLOCK = 32  # columns that are eliminated before the rest of the matrix is looked at again


@njit
def subtract_product(m, row, column, a, b):
    """m[row:, column:] -= a @ b, no part of `m`."""
    row = max(row, 0)  # says that it is no subscript from the end
    column = max(column, 0)
    for i in range(a.shape[0]):
        for k in range(a.shape[1]):
            for j in range(b.shape[1]):
                m[row + i, column + j] -= a[i, k] * b[k, j]


@njit
def exchange(m, i, k):
    i = max(i, 0)
    k = max(k, 0)
    for j in range(m.shape[1]):
        m[k, j], m[i, j] = m[i, j], m[k, j]


@njit
def eliminate_block(m, right, first, last):
    """Columns first:last below the diagonal, which hold factors then; -1 or 1 by the exchanges, 0 for a singular matrix."""
    rows = len(m)
    sign = 1
    for k in range(max(first, 0), last):
        best = k
        for i in range(k + 1, rows):
            if abs(m[i, k]) > abs(m[best, k]):
                best = i
        if m[best, k] == 0:
            return 0
        if best != k:
            sign = -sign
            exchange(m, best, k)
            exchange(right, best, k)
        for i in range(k + 1, rows):
            factor = m[i, k] / m[k, k]
            m[i, k] = factor
            for j in range(k + 1, last):
                m[i, j] -= factor * m[k, j]
    return sign


@njit
def eliminate_rows(m, factors, first, last, column):
    """What the factors of columns first:last do to their own rows, from `column` on."""
    first = max(first, 0)
    for i in range(first + 1, last):
        for k in range(first, i):
            factor = factors[i, k]
            for j in range(max(column, 0), m.shape[1]):
                m[i, j] -= factor * m[k, j]


@njit
def eliminate(m, right):
    """Makes `m` upper triangular, factors below, and does the same to `right`; -1 or 1 by the exchanges, 0 for a singular one."""
    rows = len(m)
    check_square(m)
    sign = 1
    for first in range(0, rows, BLOCK):
        last = min(first + BLOCK, rows)
        sign *= eliminate_block(m, right, first, last)
        if sign == 0:
            return 0
        eliminate_rows(m, m, first, last, last)
        eliminate_rows(right, m, first, last, 0)
        if last < rows:
            factors = m[last:, first:last].copy()
            subtract_product(m, last, last, factors, m[first:last, last:].copy())
            subtract_product(right, last, 0, factors, right[first:last].copy())
    return sign


@njit
def solved(m, right):
    if eliminate(m, right) == 0:
        raise np.linalg.LinAlgError("Matrix is singular to machine precision.")
    columns = right.shape[1]
    last = len(m)
    while last > 0:
        # Of a few columns all rows below, each of which is then a sum.
        first = max(last - BLOCK, 0) if columns >= 8 else 0
        for i in range(last - 1, first - 1, -1):
            if columns >= 8:
                for k in range(i + 1, last):
                    factor = m[i, k]
                    for j in range(columns):
                        right[i, j] -= factor * right[k, j]
            else:
                for j in range(columns):
                    for k in range(i + 1, last):
                        right[i, j] -= m[i, k] * right[k, j]
            for j in range(columns):
                right[i, j] /= m[i, i]
        if first > 0:
            subtract_product(right, 0, 0, m[:first, first:last].copy(), right[first:last].copy())
        last = first
    return right


@njit
def linalg_det(a):
    m = as_floats(a)
    sign = eliminate(m, m[:, :0].copy())
    determinant = m[:0, :0].sum() + sign
    if sign != 0:
        for k in range(len(m)):
            determinant *= m[k, k]
    return determinant


@njit
def linalg_slogdet(a):
    check_square(a)
    check_finite(a)
    m = as_floats(a)
    parity = eliminate(m, m[:, :0].copy())
    sign = m[:0, :0].sum() + parity
    log = np.abs(m[:0, :0]).sum()
    if parity == 0:
        log -= np.inf
        return sign, log
    for k in range(len(m)):
        size = abs(m[k, k])
        sign *= m[k, k] / size
        log += np.log(size)
    return sign, log


@njit
def linalg_inv(a):
    check_square(a)
    check_finite(a)
    m = as_floats(a)
    right = np.zeros_like(m)
    for k in range(len(right)):
        right[k, k] = 1
    return solved(m, right)


@njit
def linalg_solve(a, b):
    if len(a) != len(b):
        raise ValueError("Incompatible array sizes, system is not dimensionally valid.")
    if b.ndim == 1:
        return solved(as_floats(a), as_floats(b).reshape((len(b), 1))).reshape(len(b))
    return solved(as_floats(a), as_floats(b))


@njit
def linalg_cholesky(a):
    check_square(a)
    n = len(a)
    out = np.zeros((n, n), dtype=a.dtype)
    for i in range(n):
        for j in range(i + 1):
            out[i, j] = a[i, j]
    column = np.zeros(n, dtype=a.dtype)
    for first in range(0, n, BLOCK):
        last = min(first + BLOCK, n)
        for k in range(first, last):
            pivot = out[k, k].real
            if not pivot > 0:
                raise np.linalg.LinAlgError("Matrix is not positive definite.")
            root = np.sqrt(pivot)
            out[k, k] = root
            for i in range(k + 1, n):
                out[i, k] /= root
                column[i] = out[i, k]
            for i in range(k + 1, n):
                for j in range(k + 1, min(i + 1, last)):
                    out[i, j] -= column[i] * np.conj(column[j])
        if last < n:
            panel = out[last:, first:last].copy()
            subtract_product(out, last, last, panel, adjoint(panel))  # above the diagonal too, where nobody asks
    for i in range(n):
        for j in range(i + 1, n):
            out[i, j] = 0
    return out


@njit
def linalg_matrix_power(a, n):
    if n == 0:
        out = np.zeros(a.shape, dtype=a.dtype)
        for k in range(min(a.shape)):
            out[k, k] = 1
        return out
    if a.shape[0] != a.shape[1]:
        raise ValueError("input must be a square array")
    base = a.copy()
    left = n
    if n < 0:
        base = linalg_inv(a)
        left = -n
    while left % 2 == 0:
        base = base @ base
        left //= 2
    out = base.copy()
    left //= 2
    while left > 0:
        base = base @ base
        if left % 2:
            out = out @ base
        left //= 2
    return out


# ---- Householder's reflections ------------------------------------------------------------------


@njit
def reflected(x):
    """Makes x[0] the length of `x`, with a sign, and x[1:] the rest of the vector v whose reflection
    I - conj(tau) v v* takes x there; v[0] is 1. The result is tau."""
    head = x[0]
    most = 0.0
    for item in x[1:]:
        most = max(most, abs(item))
    if most == 0 and head.imag == 0:
        return head * 0
    most = max(most, abs(head))
    squares = 0.0
    for item in x:
        squares += abs(item / most) ** 2
    length = most * np.sqrt(squares)
    if head.real > 0:
        length = -length
    scale = head - length
    for k in range(1, len(x)):
        x[k] /= scale
    x[0] = length
    return (length - head) / length


@njit
def triangular(columns):
    """Of a matrix whose columns are the rows of `columns`: reflections below its diagonal, R above; the taus."""
    count, rows = columns.shape
    taus = np.zeros(min(count, rows), dtype=columns.dtype)
    m = columns.T.copy()  # sums of rows go over contiguous items
    sums = np.zeros(count, dtype=columns.dtype)
    for k in range(len(taus)):
        v = m[k:, k].copy()
        taus[k] = reflected(v)
        m[k:, k] = v
        reflect_rows(m, sums, v, np.conj(taus[k]), k, k + 1)
    columns[:] = m.T
    return taus


@njit
def reflect_rows(m, sums, v, tau, first, left):
    """Of the rows from `first` on and the columns from `left` on: m -= tau v v* m, where v[0] stands for 1."""
    rows, columns = m.shape
    for j in range(left, columns):
        sums[j] = m[first, j]
    for i in range(1, rows - first):
        for j in range(left, columns):
            sums[j] += np.conj(v[i]) * m[first + i, j]
    for j in range(left, columns):
        m[first, j] -= tau * sums[j]
    for i in range(1, rows - first):
        for j in range(left, columns):
            m[first + i, j] -= tau * v[i] * sums[j]


@njit
def basis_of(columns, taus, count):
    """The first `count` columns, as rows, of the Q that triangular() left in `columns`."""
    out = np.zeros((columns.shape[1], count), dtype=columns.dtype)
    sums = np.zeros(count, dtype=columns.dtype)
    for k in range(count):
        out[k, k] = 1
    for k in range(len(taus) - 1, -1, -1):
        reflect_rows(out, sums, columns[k, k:], taus[k], k, k)
    return out.T.copy()


@njit
def upper_of(columns):
    """The R that triangular() left in `columns`."""
    count, rows = columns.shape
    out = np.zeros((min(count, rows), count), dtype=columns.dtype)
    for i in range(len(out)):
        for j in range(i, count):
            out[i, j] = columns[j, i]
    return out


@njit
def linalg_qr(a):
    check_not_empty(a)
    check_finite(a)
    columns = widened(a.T)
    taus = triangular(columns)
    q = basis_of(columns, taus, len(taus))
    return narrowed(q.T, a), narrowed(upper_of(columns), a)


# ---- singular values: one-sided Jacobi ----------------------------------------------------------


@njit
def rotate(p, q, phase, c, s):
    for k in range(len(p)):
        turned = phase * q[k]
        q[k] = s * p[k] + c * turned
        p[k] = c * p[k] - s * turned


@njit
def squares_of(rows):
    out = np.empty(len(rows))
    for k in range(len(rows)):
        out[k] = np.sum(np.abs(rows[k]) ** 2)
    return out


@njit
def orthogonalize(columns, turns):
    """Turns pairs of rows of `columns` until all are orthogonal; `turns` goes with them."""
    count = len(columns)
    least = max(1e-15, 2.220446049250313e-16 * np.sqrt(columns.shape[1]))
    for _ in range(60):
        done = True
        squares = squares_of(columns)
        for i in range(count - 1):
            for j in range(i + 1, count):
                both = np.sum(np.conj(columns[i]) * columns[j])
                size = abs(both)
                if size <= 1e-280 or size <= least * np.sqrt(squares[i]) * np.sqrt(squares[j]):
                    continue
                done = False
                slope = (squares[j] - squares[i]) / (2 * size)
                t = 1 / (abs(slope) + np.sqrt(1 + slope * slope))
                if slope < 0:
                    t = -t
                squares[i] = max(squares[i] - t * size, 0.0)
                squares[j] += t * size
                c = 1 / np.sqrt(1 + t * t)
                phase = np.conj(both) / size
                rotate(columns[i], columns[j], phase, c, c * t)
                rotate(turns[i], turns[j], phase, c, c * t)
        if done:
            return
    raise ValueError("Internal algorithm failed to converge.")


@njit
def completed(rows, known):
    """Rows from `known` on become an orthonormal basis of what the others, which are one, leave."""
    columns = rows[:known].copy()
    taus = triangular(columns)
    rows[known:] = basis_of(columns, taus, len(rows))[known:]


@njit
def tall_svd(a, count):
    """Of a matrix, finite and no wider than tall: `count` of U's columns as rows, the singular values, V's columns as rows.
    `count` is 0 (the rows of V are of no use then), the number of columns, or that of rows."""
    m, n = a.shape
    most = 0.0
    for x in a.flat:
        most = max(most, abs(x))
    if most == 0:
        most = 1.0
    columns = widened(a.T)
    columns /= most
    taus = triangular(columns)
    basis = basis_of(columns, taus, count)
    left = np.zeros((count, m), dtype=columns.dtype)
    inner = np.conj(upper_of(columns))  # columns of R* as rows
    turns = np.zeros((n, min(n, count)), dtype=columns.dtype)
    for k in range(turns.shape[1]):
        turns[k, k] = 1
    orthogonalize(inner, turns)
    sizes = np.empty(n)
    for k in range(n):
        sizes[k] = np.sqrt(np.sum(np.abs(inner[k]) ** 2))
    order = np.argsort(-sizes)
    right = np.zeros_like(inner)
    if count > 0:
        rank = 0
        for k in range(n):
            left[k] = turns[order[k]] @ basis[:n]
            if sizes[order[k]] > 0:
                right[k] = inner[order[k]] / sizes[order[k]]
                rank += 1
        completed(right, rank)
        left[n:] = basis[n:]
    return left, sizes[order] * most, right


@njit
def svd_of(a, has_vectors, full):
    """U's columns as rows, the singular values, V's columns as rows; `full`: all of them, else as many as values."""
    check_not_empty(a)
    check_finite(a)
    count = (max(a.shape) if full else min(a.shape)) if has_vectors else 0
    if a.shape[0] >= a.shape[1]:
        return tall_svd(a, count)
    right, sizes, left = tall_svd(adjoint(a), count)
    return left, sizes, right


@njit
def linalg_svd(a, full_matrices=True):
    left, sizes, right = svd_of(a, True, bool(full_matrices))
    return narrowed(left.T, a), narrowed_reals(sizes, a), narrowed(np.conj(right), a)


@njit
def singular_values(a):
    _, sizes, _ = svd_of(a, False, False)
    return narrowed_reals(sizes, a)


@njit
def linalg_pinv(a, rcond=1e-15):
    check_finite(a)
    if a.size == 0:
        return np.empty((a.shape[1], a.shape[0]), dtype=a.dtype)
    left, sizes, right = svd_of(a, True, False)
    rank = 0
    while rank < len(sizes) and sizes[rank] > sizes[0] * rcond:
        rank += 1
    shares = right[:rank].T.copy()
    for k in range(rank):
        if sizes[k] == 0:  # below `rcond`, which may be less than 0
            shares[:, k] = 0
            continue
        for i in range(len(shares)):
            shares[i, k] /= sizes[k]
    return narrowed(shares @ np.conj(left[:rank]), a)


@njit
def rank_of(sizes, least):
    rank = 0
    while rank < len(sizes) and sizes[rank] > least:
        rank += 1
    return rank


@njit
def precision_of(a):
    return np.spacing(narrowed_reals(np.ones(1), a)[0])


@njit
def linalg_matrix_rank(A, tol=None):
    if A.ndim == 1:
        for x in A:
            if x != 0:
                return 1
        return 0
    sizes = singular_values(A)
    if tol is None:
        return rank_of(sizes, sizes[0] * max(A.shape) * precision_of(A))
    else:
        return rank_of(sizes, tol)


@njit
def least_squares(a, b, rcond):
    """Of a matrix `b`: x, the squares of what is left, rank, singular values."""
    check_finite(a)
    check_finite(b)
    check_not_empty(a)
    check_not_empty(b)
    if len(a) != len(b):
        raise np.linalg.LinAlgError("Incompatible array sizes, system is not dimensionally valid.")
    left, sizes, right = svd_of(a, True, False)
    rank = rank_of(sizes, sizes[0] * (rcond if rcond >= 0 else precision_of(a)))
    x = np.zeros((a.shape[1], b.shape[1]), dtype=left.dtype)
    for k in range(rank):
        for j in range(b.shape[1]):
            part = np.sum(np.conj(left[k]) * b[:, j]) / sizes[k]
            x[:, j] += part * right[k]
    rest = np.empty(b.shape[1] if rank == a.shape[1] and len(a) > rank else 0)
    for j in range(len(rest)):
        rest[j] = np.sum(np.abs(b[:, j] - widened(a) @ x[:, j].copy()) ** 2)
    return x, rest, rank, sizes


@njit
def linalg_lstsq(a, b, rcond=-1.0):
    if b.ndim == 1:
        x, rest, rank, sizes = least_squares(a, b.copy().reshape((len(b), 1)), rcond)
        return narrowed(x[:, 0], a), narrowed_reals(rest, a), rank, narrowed_reals(sizes, a)
    x, rest, rank, sizes = least_squares(a, b, rcond)
    return narrowed(x, a), narrowed_reals(rest, a), rank, narrowed_reals(sizes, a)


# ---- eigenvalues of Hermitian matrices: a tridiagonal form, QL steps -----------------------------


@njit
def mirrored(a):
    """A copy of which the upper triangle is made from the lower."""
    out = widened(a)
    for i in range(len(out)):
        out[i, i] = out[i, i].real
        for j in range(i):
            out[j, i] = np.conj(out[i, j])
    return out


@njit
def tridiagonal(m, has_vectors):
    """Leaves a real tridiagonal matrix in `m`; the rows of Q, of which m was Q T Q*, come back as columns: none, where
    nobody asks for vectors."""
    n = len(m)
    columns = np.zeros((max(n - 1, 0), n), dtype=m.dtype)
    taus = np.zeros(max(n - 1, 0), dtype=m.dtype)
    for k in range(n - 1):
        v = m[k + 1:, k].copy()
        taus[k] = reflected(v)
        m[k + 1, k] = v[0]
        v[0] = 1
        columns[k, k + 1:] = v
        rest = n - k - 1
        x = np.zeros_like(v)
        for i in range(rest):
            for j in range(rest):
                x[j] += np.conj(m[k + 1 + i, k + 1 + j]) * v[i]
        x *= taus[k]
        x -= 0.5 * taus[k] * np.sum(np.conj(x) * v) * v
        for i in range(rest):
            for j in range(rest):
                m[k + 1 + i, k + 1 + j] -= v[i] * np.conj(x[j]) + x[i] * np.conj(v[j])
    out = np.zeros((n, n if has_vectors else 0), dtype=m.dtype)
    if not has_vectors:
        return out
    for k in range(n):
        out[k, k] = 1
    sums = np.zeros(n, dtype=m.dtype)
    for k in range(n - 2, -1, -1):
        sums[:] = 0
        for i in range(k + 1, n):
            for j in range(k + 1, n):
                sums[j] += np.conj(columns[k, i]) * out[i, j]
        for i in range(k + 1, n):
            for j in range(k + 1, n):
                out[i, j] -= taus[k] * columns[k, i] * sums[j]
    return out.T.copy()


@njit
def length_of(f, g):
    squares = f * f + g * g
    return np.sqrt(squares) if 1e-290 < squares < 1e290 else np.hypot(f, g)


@njit
def ql_steps(d, e, vectors):
    """Makes `d` the eigenvalues of the matrix with the diagonal `d` and `e` beside it; rows of `vectors` are turned along."""
    n = len(d)
    size = 0.0
    for k in range(n):
        size = max(size, max(abs(d[k]), abs(e[k])))
    for low in range(n):
        for turn in range(61):
            m = low
            rest = size if turn >= 10 else 0.0  # items that are rounding of larger ones may keep on turning
            while m < n - 1 and abs(e[m]) > 2.220446049250313e-16 * (abs(d[m]) + abs(d[m + 1]) + rest):
                m += 1
            if m == low:
                break
            if turn == 60:
                raise ValueError("Internal algorithm failed to converge.")
            g = (d[low + 1] - d[low]) / (2.0 * e[low])
            r = np.hypot(g, 1.0)
            g = d[m] - d[low] + e[low] / (g + (r if g >= 0 else -r))
            s, c, p = 1.0, 1.0, 0.0
            for i in range(m - 1, low - 1, -1):
                f, b = s * e[i], c * e[i]
                r = length_of(f, g)
                e[i + 1] = r
                if r == 0.0:
                    d[i + 1] -= p
                    e[m] = 0.0
                    break
                s, c = f / r, g / r
                g = d[i + 1] - p
                r = (d[i] - g) * s + 2.0 * c * b
                p = s * r
                d[i + 1] = g + p
                g = c * r - b
                for k in range(vectors.shape[1]):
                    upper = vectors[i + 1, k]
                    vectors[i + 1, k] = s * vectors[i, k] + c * upper
                    vectors[i, k] = c * vectors[i, k] - s * upper
            else:
                d[low] -= p
                e[low] = g
                e[m] = 0.0


@njit
def hermitian(a, has_vectors):
    """Eigenvalues, ascending; eigenvectors as rows."""
    check_square(a)
    check_finite(a)
    m = mirrored(a)
    most = 0.0
    for x in m.flat:
        most = max(most, abs(x))
    if most == 0:
        most = 1.0
    m /= most
    vectors = tridiagonal(m, has_vectors)
    n = len(m)
    d, e = np.zeros(n), np.zeros(n)
    for k in range(n):
        d[k] = m[k, k].real
        if k + 1 < n:
            e[k] = m[k + 1, k].real
    if n > 1 and abs(d[0]) > abs(d[n - 1]):  # the steps begin where items are small
        d = d[::-1].copy()
        e[:n - 1] = e[:n - 1][::-1].copy()
        vectors = vectors[::-1].copy()
    ql_steps(d, e, vectors)
    order = np.argsort(d)
    return d[order] * most, vectors[order]


@njit
def linalg_eigh(a):
    values, vectors = hermitian(a, True)
    return narrowed_reals(values, a), narrowed(vectors.T, a)


@njit
def linalg_eigvalsh(a):
    values, _ = hermitian(a, False)
    return narrowed_reals(values, a)


# ---- eigenvalues of others: Hessenberg's form, QR steps ------------------------------------------


@njit
def balanced(m):
    """Scales rows and columns of `m` by powers of two until they are about as large; the scales of the rows."""
    n = len(m)
    scales = np.ones(n)
    done = False
    while not done:
        done = True
        for i in range(n):
            column = np.sum(np.abs(m[:, i])) - abs(m[i, i])
            row = np.sum(np.abs(m[i])) - abs(m[i, i])
            if column == 0 or row == 0:
                continue
            factor, both = 1.0, column + row
            while column < row / 2:
                factor *= 2
                column *= 4
            while column >= row * 2:
                factor /= 2
                column /= 4
            if (column + row) / factor < 0.95 * both and 1e-100 < scales[i] * factor < 1e100:
                done = False
                scales[i] *= factor
                m[i] /= factor
                m[:, i] *= factor
    return scales


@njit
def hessenberg(h):
    """Leaves Hessenberg's form in `h`; Q, of which h was Q H Q*."""
    n = len(h)
    q = np.zeros_like(h)
    for k in range(n):
        q[k, k] = 1
    for k in range(n - 2):
        v = h[k + 1:, k].copy()
        tau = reflected(v)
        h[k + 1, k] = v[0]
        h[k + 2:, k] = 0
        v[0] = 1
        part = np.conj(tau) * (np.conj(v) @ h[k + 1:, k + 1:].copy())
        for i in range(len(v)):
            h[k + 1 + i, k + 1:] -= v[i] * part
        for i in range(n):
            h[i, k + 1:] -= tau * np.sum(h[i, k + 1:] * v) * np.conj(v)
            q[i, k + 1:] -= tau * np.sum(q[i, k + 1:] * v) * np.conj(v)
    return q


@njit
def nearly_equal(p, b, c):
    """Are the eigenvalues of [[p, b], [c, -p]] equal but for rounding, or complex?"""
    most, least = max(abs(b), abs(c)), min(abs(b), abs(c))
    scale = max(abs(p), most)
    if (b < 0) != (c < 0):
        least = -least
    return scale > 0 and p / scale * p + most / scale * least < 8.9e-16 * scale


@njit
def equalize(h, q, n):
    """A rotation makes the two items on the diagonal equal: whether the pair is real is then for the signs beside it to say, as in LAPACK's dlanv2."""
    apart, beside = h[n - 1, n - 1] - h[n, n], h[n - 1, n] + h[n, n - 1]
    r = np.hypot(beside, apart)
    if r > 0:
        c = np.sqrt((1.0 + abs(beside) / r) / 2.0)
        s = apart / (2.0 * r * c)
        turn_pair(h, q, n, c, s if beside < 0 else -s)
    middle = (h[n - 1, n - 1] + h[n, n]) / 2.0
    h[n - 1, n - 1] = middle
    h[n, n] = middle


@njit
def turn_pair(h, q, n, c, s):
    """Rows and columns n - 1 and n of h, columns of q."""
    for j in range(n - 1, len(h)):
        above = h[n - 1, j]
        h[n - 1, j] = c * above + s * h[n, j]
        h[n, j] = c * h[n, j] - s * above
    turn_columns(h, n, n + 1, c, s)
    turn_columns(q, n, len(q), c, s)


@njit
def split_pair(h, q, n, shift):
    """Two eigenvalues at n - 1 and n: a rotation makes the block triangular. Complex ones are refused by the caller."""
    p = (h[n - 1, n - 1] - h[n, n]) / 2.0
    if nearly_equal(p, h[n - 1, n], h[n, n - 1]):
        equalize(h, q, n)
        p = 0.0
    w = h[n, n - 1] * h[n - 1, n]
    square = p * p + w
    if square < 0:
        largest = max(max(abs(h[n - 1, n - 1] + shift), abs(h[n, n] + shift)), max(abs(h[n - 1, n]), abs(h[n, n - 1])))
        if -square > (2.220446049250313e-16 * largest) ** 2:
            return False
        square = 0.0  # what is left of rounding, which dlanv2 leaves complex
    z = p + np.sqrt(square) if p >= 0 else p - np.sqrt(square)
    h[n, n] += shift
    h[n - 1, n - 1] += shift
    x = h[n, n]
    below = h[n, n - 1]
    r = np.hypot(below, z)
    if r > 0:
        turn_pair(h, q, n, z / r, below / r)
    h[n, n - 1] = 0.0
    h[n - 1, n - 1] = x + z
    h[n, n] = x - w / z if z != 0 else x + z
    return True


@njit
def turn_columns(m, n, rows, c, s):
    for i in range(rows):
        left = m[i, n - 1]
        m[i, n - 1] = c * left + s * m[i, n]
        m[i, n] = c * m[i, n] - s * left


@njit
def francis_start(h, low, n, x, y, w):
    """The row where a double step may begin, and its first column."""
    p, q, r = 0.0, 0.0, 0.0
    m = n - 2
    while True:
        z = h[m, m]
        p = ((x - z) * (y - z) - w) / h[m + 1, m] + h[m, m + 1]
        q = h[m + 1, m + 1] - z - (x - z) - (y - z)
        r = h[m + 2, m + 1]
        s = abs(p) + abs(q) + abs(r)
        p, q, r = p / s, q / s, r / s
        if m == low:
            break
        around = abs(h[m - 1, m - 1]) + abs(z) + abs(h[m + 1, m + 1])
        if abs(h[m, m - 1]) * (abs(q) + abs(r)) < 2.220446049250313e-16 * abs(p) * around:
            break
        m -= 1
    return m, p, q, r


@njit
def francis_step(h, v, low, n, x, y, w):
    """One double QR step on rows low to n."""
    m, p, q, r = francis_start(h, low, n, x, y, w)
    for i in range(m + 2, n + 1):
        h[i, i - 2] = 0.0
        if i > m + 2:
            h[i, i - 3] = 0.0
    for k in range(m, n):
        three = k != n - 1
        size = 1.0
        if k != m:
            p, q = h[k, k - 1], h[k + 1, k - 1]
            r = h[k + 2, k - 1] if three else 0.0
            size = abs(p) + abs(q) + abs(r)
            if size == 0:
                break
            p, q, r = p / size, q / size, r / size
        s = np.sqrt(p * p + q * q + r * r)
        if p < 0:
            s = -s
        if s == 0:
            continue
        if k != m:
            h[k, k - 1] = -s * size
        elif low != m:
            h[k, k - 1] = -h[k, k - 1]
        p += s
        a, b, c = p / s, q / s, r / s
        q, r = q / p, r / p
        for j in range(k, len(h)):
            part = h[k, j] + q * h[k + 1, j]
            if three:
                part += r * h[k + 2, j]
                h[k + 2, j] -= part * c
            h[k, j] -= part * a
            h[k + 1, j] -= part * b
        reflect_columns(h, k, min(n, k + 3) + 1, three, a, b, c, q, r)
        reflect_columns(v, k, len(v), three, a, b, c, q, r)


@njit
def reflect_columns(m, k, rows, three, a, b, c, q, r):
    for i in range(rows):
        part = a * m[i, k] + b * m[i, k + 1]
        if three:
            part += c * m[i, k + 2]
            m[i, k + 2] -= part * r
        m[i, k] -= part
        m[i, k + 1] -= part * q


@njit
def first_of_block(h, n):
    """Above which row of the block that ends at n the entry beside the diagonal is nothing."""
    low = n
    while low > 0:
        s = abs(h[low - 1, low - 1]) + abs(h[low, low])
        if s == 0 and low > 1:
            s += abs(h[low - 1, low - 2])
        if s == 0 and low < n:
            s += abs(h[low + 1, low])
        if abs(h[low, low - 1]) <= 2.220446049250313e-16 * s:
            break
        low -= 1
    return low


@njit
def real_schur(h, v):
    """Francis's steps make `h` triangular; whether all eigenvalues are real: they then stand on the diagonal."""
    n = len(h) - 1
    shift = 0.0
    turns = 0
    while n >= 0:
        low = first_of_block(h, n)
        if low == n:
            h[n, n] += shift
            if n > 0:
                h[n, n - 1] = 0.0
            n -= 1
            turns = 0
            continue
        if low == n - 1:
            if low > 0:
                h[low, low - 1] = 0.0
            if not split_pair(h, v, n, shift):
                return False
            n -= 2
            turns = 0
            continue
        x, y, w = h[n, n], h[n - 1, n - 1], h[n, n - 1] * h[n - 1, n]
        if turns % 20 == 10:
            shift += x
            for i in range(n + 1):
                h[i, i] -= x
            s = abs(h[n, n - 1]) + abs(h[n - 1, n - 2])
            x, y, w = 0.75 * s, 0.75 * s, -0.4375 * s * s
        turns += 1
        if turns > 60:
            raise ValueError("Internal algorithm failed to converge.")
        francis_step(h, v, low, n, x, y, w)
    return True


@njit
def corner_shift(h, n):
    """The eigenvalue of the last two rows that is nearer to the last item."""
    half = (h[n - 1, n - 1] - h[n, n]) / 2.0
    w = h[n, n - 1] * h[n - 1, n]
    root = np.sqrt(half * half + w)
    if half.real * root.real + half.imag * root.imag < 0:
        root = -root
    beside = half + root
    return h[n, n] - w / beside if abs(beside) > 0 else h[n, n]


@njit
def complex_step(h, v, low, n, shift):
    """One QR step on rows low to n."""
    turns = np.empty((n - low, 2), dtype=h.dtype)
    for k in range(low, n + 1):
        h[k, k] -= shift
    for k in range(low, n):
        a, b = h[k, k], h[k + 1, k]
        r = np.hypot(abs(a), abs(b))
        if r > 0:
            a, b = a / r, b / r
        else:
            a = a * 0 + 1
        turns[k - low, 0] = a
        turns[k - low, 1] = b
        for j in range(k, len(h)):
            above, below = h[k, j], h[k + 1, j]
            h[k, j] = np.conj(a) * above + np.conj(b) * below
            h[k + 1, j] = a * below - b * above
    for k in range(low, n):
        turn_complex(h, k, k + 2, turns[k - low, 0], turns[k - low, 1])
        turn_complex(v, k, len(v), turns[k - low, 0], turns[k - low, 1])
    for k in range(low, n + 1):
        h[k, k] += shift


@njit
def turn_complex(m, k, rows, a, b):
    for i in range(rows):
        left, right = m[i, k], m[i, k + 1]
        m[i, k] = left * a + right * b
        m[i, k + 1] = right * np.conj(a) - left * np.conj(b)


@njit
def complex_schur(h, v):
    n = len(h) - 1
    turns = 0
    while n > 0:
        low = first_of_block(h, n)
        if low > 0:
            h[low, low - 1] = 0
        if low == n:
            n -= 1
            turns = 0
            continue
        turns += 1
        if turns > 60:
            raise ValueError("Internal algorithm failed to converge.")
        shift = corner_shift(h, n)
        if turns % 20 == 10:
            shift = h[n, n] + abs(h[n, n - 1])
        complex_step(h, v, low, n, shift)
    return True


@njit
def schur(h, v):
    if isinstance(h[0, 0], complex):
        return complex_schur(h, v)
    return real_schur(h, v)


@njit
def vectors_of(t, q, scales):
    """Eigenvectors, as columns, of D Q T Q* / D for a triangular T; of length 1."""
    n = len(t)
    out = np.empty_like(q)
    size = np.max(np.abs(t))
    if size == 0:
        size = 1.0
    for k in range(n):
        x = np.zeros(n, dtype=t.dtype)
        x[k] = 1
        for i in range(k - 1, -1, -1):
            apart = t[k, k] - t[i, i]
            if abs(apart) < 2.220446049250313e-16 * size:
                apart = apart * 0 + 2.220446049250313e-16 * size
            x[i] = np.sum(t[i, i + 1:k + 1] * x[i + 1:k + 1]) / apart
            most = np.max(np.abs(x))
            if most > 1e100:
                x /= most
        column = scales * (q @ x)
        column /= np.max(np.abs(column))
        column /= np.sqrt(np.sum(np.abs(column) ** 2))
        greatest = column[np.argmax(np.abs(column))]
        if greatest.imag != 0:
            column *= np.conj(greatest) / abs(greatest)
        out[:, k] = column
    return out


@njit
def scaled(h):
    """Divides by the largest entry, so that products neither overflow nor vanish; which that is."""
    scale = np.max(np.abs(h))
    if scale == 0:
        return 1.0
    h /= scale
    return scale * 1.0


@njit
def linalg_eig(a):
    check_square(a)
    check_finite(a)
    if a.size == 0:
        return np.empty(0, dtype=a.dtype), np.empty((0, 0), dtype=a.dtype)
    h = widened(a)
    scale = scaled(h)
    scales = balanced(h)
    q = hessenberg(h)
    if not schur(h, q):
        raise ValueError("eig() argument must not cause a domain change.")
    values = np.empty(len(a), dtype=a.dtype)
    for k in range(len(a)):
        values[k] = h[k, k] * scale
    return values, narrowed(vectors_of(h, q, scales), a)


@njit
def linalg_eigvals(a):
    check_square(a)
    check_finite(a)
    values = np.empty(len(a), dtype=a.dtype)
    if a.size == 0:
        return values
    h = widened(a)
    scale = scaled(h)
    balanced(h)
    q = hessenberg(h)
    if not schur(h, q):
        raise ValueError("eigvals() argument must not cause a domain change.")
    for k in range(len(a)):
        values[k] = h[k, k] * scale
    return values


# ---- norms --------------------------------------------------------------------------------------


@njit
def vector_norm(x, ord):
    if len(x) == 0:
        return 0.0
    if ord == 2:
        return np.linalg.norm(x) * 1.0
    if ord == np.inf:
        return np.max(np.abs(x)) * 1.0
    if ord == -np.inf:
        return np.min(np.abs(x)) * 1.0
    total = 0.0
    for item in x:
        if ord == 0:
            total += item != 0
        elif ord == 1:
            total += abs(item)
        else:
            total += abs(item) ** ord
    return total if ord == 0 or ord == 1 else total ** (1.0 / ord)


@njit
def sums_of_rows(x):
    out = np.zeros(len(x))
    for i in range(len(x)):
        out[i] = np.sum(np.abs(x[i]))
    return out


@njit
def matrix_norm(x, ord):
    if x.size == 0:
        return 0.0
    if ord == np.inf:
        return np.max(sums_of_rows(x))
    if ord == -np.inf:
        return np.min(sums_of_rows(x))
    if ord == 1:
        return np.max(sums_of_rows(x.T))
    if ord == -1:
        return np.min(sums_of_rows(x.T))
    if ord == 2:
        return singular_values(x)[0] * 1.0
    if ord == -2:
        return singular_values(x)[-1] * 1.0
    raise ValueError("Invalid norm order for matrices.")


@njit
def linalg_norm_2(x, ord):
    if ord is None:
        return np.linalg.norm(x)
    return vector_norm(x, ord) if x.ndim == 1 else matrix_norm(x, ord)


@njit
def linalg_cond(x, p=None):
    ratio = 0.0
    if p is None:
        sizes = singular_values(x)
        ratio = np.divide(sizes[0], sizes[-1])
    elif p == 2:
        sizes = singular_values(x)
        ratio = np.divide(sizes[0], sizes[-1])
    elif p == -2:
        sizes = singular_values(x)
        ratio = np.divide(sizes[-1], sizes[0])
    else:
        ratio = matrix_norm(x, p) * matrix_norm(linalg_inv(x), p)
    return np.inf if np.isnan(ratio) else ratio
