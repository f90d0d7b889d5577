"""Universal functions of every form: compiled by pyk2cu, and by Numba as the oracle."""
import math

from numba import boolean, float32, float64, guvectorize, int64, vectorize


@vectorize(["int64(int64, int64)", "float32(float32, float32)", "float64(float64, float64)",
            "complex128(complex128, complex128)"], identity=0)
def plus(x, y):
    """The sum."""
    return x + y


@vectorize(["uint8(uint8, uint8)", "int32(int32, int32)", "int64(int64, int64)", "float64(float64, float64)"],
           identity=1)
def times(x, y):
    return x * y


@vectorize([int64(int64, int64), float64(float64, float64)], identity="reorderable")
def larger(x, y):
    return x if x > y else y


@vectorize([boolean(int64, int64), boolean(float32, float32), boolean(float64, float64)])
def less(x, y):
    return x < y


@vectorize(["float32(float32)", "float64(float64)"])
def inverse(x):
    return 1.0 / x


@vectorize(["int16(int16, int16)", "int64(int64, int64)", "float64(float64, float64)"])
def quotient(x, y):
    return x // y


@vectorize(["float64(float64, float64, float64)", "complex64(complex64, complex64, complex64)"])
def fused(a, x, y):
    return a * x + y


@vectorize(["float64(float64, float64)"], target="parallel")
def hypotenuse(x, y):
    return math.sqrt(x * x + y * y)


@vectorize([float32(float32), float64(float64)], target="parallel", fastmath=True)
def bell(x):
    return math.exp(-0.5 * x * x) / math.sqrt(2.0 * math.pi)


@vectorize(["int64(float64, int32)"])
def mixed(x, n):
    if x > n:
        return 1
    return n


@vectorize(["float64(float64)"])
def positive(x):
    if x < 0:
        raise ValueError("negative", x)
    return math.sqrt(x)


@vectorize(["float64(float64)"], target="parallel")
def positive_in_parallel(x):
    if x < 0:
        raise ValueError("negative", x)
    return math.sqrt(x)


@vectorize(["boolean(boolean, boolean)"], identity=0)
def either(x, y):
    return x or y


@vectorize(["int64(int64)"])
def halvings(n):
    count = 0
    while n > 1:
        n //= 2
        count += 1
    return count


# ---- generalized -------------------------------------------------------------------------------

@guvectorize(["void(float64[:], float64[:], float64[:])", "void(complex128[:], complex128[:], complex128[:])"],
             "(n),(n)->()")
def inner(a, b, out):
    """Sum of products."""
    total = a[0] * 0
    for i in range(a.shape[0]):
        total += a[i] * b[i]
    out[0] = total


@guvectorize([(float64[:, :], float64[:, :], float64[:, :])], "(m,n),(n,p)->(m,p)", target="parallel")
def matmul(a, b, c):
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            total = 0.0
            for k in range(a.shape[1]):
                total += a[i, k] * b[k, j]
            c[i, j] = total


@guvectorize(["(int64[:], int64, int64[:])", "(float64[:], float64, float64[:])"], " ( n ) , () -> (n) ")
def shifted(x, by, out):
    for i in range(x.shape[0]):
        out[i] = x[i] + by


@guvectorize(["(float64[:], float64[:], float64[:])"], "(n)->(),()")
def extremes(x, low, high):
    low[0] = x[0]
    high[0] = x[0]
    for i in range(1, x.shape[0]):
        low[0] = min(low[0], x[i])
        high[0] = max(high[0], x[i])


@guvectorize(["(float64[:], float64[:])"], "(n)->(n)")
def running(x, out):
    total = 0.0
    for i in range(x.shape[0]):
        total += x[i]
        out[i] = total


@guvectorize(["(float64[:], float64[:], float64[:])"], "(n),()->(n)")
def clipped(x, top, out):
    for i in range(x.shape[0]):
        out[i] = min(x[i], top[0])


@guvectorize(["(int64[:], int64[:])"], "(n)->(n)")
def guarded(x, out):
    for i in range(x.shape[0]):
        if x[i] == 13:
            raise ValueError("thirteen")
        out[i] = x[i] * 2


@vectorize(["float64(float64)"])
def inverse_of_positive(x):
    if x < 0:
        raise ValueError("negative", x)
    return 1 / x


@vectorize(["float64(float64)"], target="parallel")
def inverse_of_positive_in_parallel(x):
    if x < 0:
        raise ValueError("negative", x)
    return 1 / x
