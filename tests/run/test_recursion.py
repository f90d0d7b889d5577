"""Functions that call themselves, in loops and out of them, against the same source in CPython."""
import numpy as np
import pytest
from conftest import Batch

CASES = {
    "queens": ("""
        @njit
        def place(row, n, cols, up, down):
            if row == n:
                return 1
            s = 0
            for c in range(n):
                if cols[c] == 0 and up[row + c] == 0 and down[row - c + n - 1] == 0:
                    cols[c] = 1
                    up[row + c] = 1
                    down[row - c + n - 1] = 1
                    s += place(row + 1, n, cols, up, down)
                    cols[c] = 0
                    up[row + c] = 0
                    down[row - c + n - 1] = 0
            return s

        @njit("int64(int64)")
        def queens(n):
            return place(0, n, np.zeros(n, np.int64), np.zeros(2 * n, np.int64), np.zeros(2 * n, np.int64))
        """, lambda: (6,)),
    "sorted_parts": ("""
        @njit
        def quick(a, lo, hi):
            if lo >= hi:
                return
            p = a[(lo + hi) // 2]
            i, j = lo, hi
            while i <= j:
                while a[i] < p:
                    i += 1
                while a[j] > p:
                    j -= 1
                if i <= j:
                    a[i], a[j] = a[j], a[i]
                    i += 1
                    j -= 1
            quick(a, lo, j)
            quick(a, i, hi)

        @njit("void(float64[::1])")
        def sorted_parts(a):
            for k in range(0, a.size, 7):
                quick(a, k, min(k + 7, a.size) - 1)
        """, lambda: (np.random.default_rng(1).random(50),)),
    "permutations": ("""
        @njit
        def permute(a, k, out):
            if k == a.size:
                s = 0
                for i in range(a.size):
                    s = s * 10 + a[i]
                out[0] += 1
                out[1] ^= s
                return
            for i in range(k, a.size):
                a[k], a[i] = a[i], a[k]
                permute(a, k + 1, out)
                a[k], a[i] = a[i], a[k]

        @njit("void(int64, int64[::1])")
        def permutations(n, out):
            permute(np.arange(n), 0, out)
        """, lambda: (5, np.zeros(2, np.int64))),
    "integrals": ("""
        @njit
        def simpson(a, b, fa, fm, fb, whole, eps, depth):
            m = (a + b) / 2
            lm, rm = (a + m) / 2, (m + b) / 2
            flm, frm = lm * lm * lm * lm, rm * rm * rm * rm
            left = (m - a) / 6 * (fa + 4 * flm + fm)
            right = (b - m) / 6 * (fm + 4 * frm + fb)
            d = left + right - whole
            if depth <= 0 or abs(d) <= 15 * eps:
                return left + right + d / 15
            return (simpson(a, m, fa, flm, fm, left, eps / 2, depth - 1)
                    + simpson(m, b, fm, frm, fb, right, eps / 2, depth - 1))

        @njit("void(float64[::1], float64[::1])")
        def integrals(x, out):
            for i in range(x.size):
                b = x[i]
                fm, fb = b * b * b * b / 16, b * b * b * b
                out[i] = simpson(0.0, b, 0.0, fm, fb, b / 6 * (4 * fm + fb), 1e-6, 20)
        """, lambda: (np.linspace(0.0, 3.0, 40), np.zeros(40))),
    "each_other": ("""
        @njit("bool(int64)")
        def is_even(n):
            return True if n == 0 else is_odd(n - 1)

        @njit("bool(int64)")
        def is_odd(n):
            return False if n == 0 else is_even(n - 1)

        @njit("int64(int64[::1])", parallel=True)
        def each_other(a):
            c = 0
            for i in prange(a.size):
                if is_even(a[i]):
                    c += 1
            return c
        """, lambda: (np.arange(99) % 23,)),
    "raises": ("""
        @njit
        def down(a, k):
            if a[k] < 0:
                raise ValueError("negative", k)
            return a[k] if k == 0 else a[k] + down(a, k - 1)

        @njit("void(float64[::1], float64[::1])")
        def raises(a, out):
            for i in range(a.size):
                out[i] = down(a, i)
        """, lambda: (np.array([1.0, 2.0, 3.0, -1.0, 5.0]), np.zeros(5))),
}

batch = Batch("recursion")
for snippet, _ in CASES.values():
    batch.add(snippet)


def called(function, arguments):
    try:
        value = function(*arguments)
    except ValueError as error:
        value = (type(error).__name__, error.args)
    return value, [a.tolist() for a in arguments if isinstance(a, np.ndarray)]


@pytest.mark.parametrize("name", CASES)
def test_as_cpython(name):
    make = CASES[name][1]
    assert called(getattr(batch.module, name), make()) == called(getattr(batch.plain, name), make())
