"""Constants of a module that NumPy makes of others: every form against NumPy, values, dtype and shape."""
import numpy as np
import pytest
from conftest import Batch

MADE = """
X = np.array([[-1.0, 0.0, 1.0], [-2.0, 0.0, 2.0], [-1.0, 0.0, 1.0]])
A = np.arange(12).reshape(3, 4)
F = np.array([0.3, 0.1, 0.2, 0.5], np.float32)
U = np.array([200, 3, 100], np.uint8)
V = np.linspace(0.0, 1.0, 6)
T3 = np.arange(24.0).reshape(2, 3, 4)
N = 3
KEEP = [0, 2]
"""
FORMS = """
X.T
X.T.copy()
np.ascontiguousarray(X.T)
X.transpose()
np.transpose(A)
np.transpose(T3, (1, 0, 2))
T3.transpose(2, 0, 1)
T3.T
A[::-1]
A[1:, ::2]
A[:, -1]
A[0, 1:]
A[:, [2, 0]]
A[[0, 2]]
A[KEEP]
A[-1::-1, 3:0:-2]
V[V > 0.3]
V[np.array([1, 1, 0])]
V[5:2]
T3[1]
T3[:, 1]
T3[..., 0] if False else T3[:, :, 0]
np.flip(A)
np.flip(A, 0)
np.flip(A, axis=-1)
np.fliplr(X)
np.flipud(A)
np.eye(3)[::-1].copy()
np.roll(V, 2)
np.roll(A, -1)
np.maximum(A, 5)
np.maximum(V, 0.5)
np.minimum(F, 0.25)
np.minimum(U, np.array([100, 100, 100], np.uint8))
np.maximum(X, X.T)
np.cumsum(np.log(np.maximum(np.arange(16), 1)))
np.cumsum(A)
np.cumsum(F)
np.cumsum(U)
np.cumprod(np.arange(1, 9))
A.cumsum()
np.diff(V)
np.diff(U)
np.diff(np.array([1, 4, 9, 16]))
np.outer(np.array([1, 2, 1]), np.array([1, 0, -1]))
np.outer([1, 2, 1], [1, 2, 1]) / 16 if False else np.outer(np.array([1, 2, 1]), np.array([1, 2, 1])) / 16
np.outer(V, F)
X @ X
A @ A.T
A.dot(A.T)
np.dot(np.arange(3), np.arange(3)) * np.ones(2)
np.array([1, 2]) @ np.array([[1, 2, 3], [4, 5, 6]])
np.where(A > 5, A, -1)
np.where(V > 0.5, 1.0, V)
np.where(F > 0.2, F, 0)
np.concatenate((V, [7.0, 8.0]))
np.concatenate([A, A + 1], axis=1)
np.concatenate((U, np.arange(3)))
np.stack((V, V + 1))
np.stack([V, V * 2], axis=1)
np.vstack((V, V)).ravel()
np.vstack([A, A[:1]])
np.hstack((V, F))
np.hstack([A, A])
np.column_stack((V, np.arange(6)))
np.meshgrid(V, np.arange(3))[0]
np.meshgrid(V, np.arange(3))[1].copy()
np.tile(V, 3)
np.repeat(np.array([1, 2]), 3)
np.repeat(A, 2)
V.repeat(2)
np.sort(F)
np.sort(np.array([3, 1, 3, 2]))
np.argsort(F)
np.triu(X)
np.tril(A, -1)
np.triu(A, 1)
np.diag(np.array([1.0, 2.0]))
np.diag(X)
V[:, None]
V[None]
np.arange(3)[:, np.newaxis] * V
A.sum(axis=0)
A.sum(1)
np.sum(A, axis=-1)
X.sum(axis=0)
T3.sum(axis=1)
T3.sum(0)
F[None].sum(axis=1)
(V[:, None] * V * 0.1).sum(axis=0)
(V[:, None] * V * 0.1).sum(axis=1)
A.mean(axis=0)
T3.mean(axis=2)
A.max(axis=1)
np.min(T3, axis=0)
np.clip(A, 2, 7)
V.clip(0.25, 0.5)
np.power(A, 2)
np.zeros_like(A)
np.ones_like(F)
np.full_like(V, 2.5)
np.zeros_like(A, dtype=np.float32) + 1
np.array([[1, 2], [3, 4]])[:, ::-1] * 2
(X * X)[1:, 1:] + N
"""
forms = [line for line in FORMS.splitlines() if line]
built = Batch("module_arrays")
built.add(MADE + "\n".join(f"C{k} = {form}" for k, form in enumerate(forms)))
for k in range(len(forms)):
    built.add(f'''
@njit
def table{k}():
    return C{k}.copy()


# pyk2cu: sig ()
@njit
def get{k}():
    return table{k}()
''')


@pytest.mark.parametrize("k", range(len(forms)), ids=forms)
def test_like_numpy(k):
    got, expected = getattr(built.module, f"get{k}")(), getattr(built.plain, f"get{k}")()
    assert got.dtype == expected.dtype and got.shape == expected.shape
    np.testing.assert_array_equal(got, expected)
