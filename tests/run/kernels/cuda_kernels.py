"""Kernels that show the indexing and the typing rules of the CUDA target (test_cuda.py)."""
import math

from numba import cuda


@cuda.jit("void(int64[:])")
def places(out):
    x = cuda.threadIdx.x + cuda.blockIdx.x * cuda.blockDim.x
    y = cuda.threadIdx.y + cuda.blockIdx.y * cuda.blockDim.y
    z = cuda.threadIdx.z + cuda.blockIdx.z * cuda.blockDim.z
    width = cuda.blockDim.x * cuda.gridDim.x
    height = cuda.blockDim.y * cuda.gridDim.y
    i = x + width * (y + height * z)
    if i < out.shape[0]:
        out[i] = 1 + x * 100 + y * 10 + z


@cuda.jit("void(float64[:], float64[:])")
def rules(x, out):
    out[0] = math.floor(x[0])
    out[1] = math.floor(x[1])
    out[2] = max(x[2], 1.0)
    out[3] = max(1.0, x[2])
    zero = int(x[0]) - 2
    out[4] = 7 // zero
    out[5] = 1.0 / zero
    out[6] = 1 << (64 + zero)
    out[7] = max(x[2], 1)
    out[8] = max(1, x[2])


@cuda.jit("void(float32[:])")
def some_return(out):
    i = cuda.grid(1)
    if i >= out.size:
        return
    if i % 2 == 0:
        return
    out[i] = i


@cuda.jit("void(int64[:], float32[:], uint8, boolean)")
def tells(a, x, u, flag):
    i = cuda.grid(1)
    if i < a.size:
        print("100%", i, a[i], x[i], u, flag, None, (i, x[i]), (a[0],), ((u, flag), 1.5))


@cuda.jit("void(int16[:], int64[:])")
def negated(a, out):
    i = cuda.grid(1)
    if i < a.size:
        out[2 * i] = -a[i]
        out[2 * i + 1] = abs(a[i])


@cuda.jit
def set_to(a, x):
    """A kernel for its callers on the host; a device function for kernels."""
    i = cuda.grid(1)
    if i < a.size:
        a[i] = x


@cuda.jit
def halved(x):
    return x * 0.5


@cuda.jit(device=True)
def even(n):
    if n == 0:
        return True
    return odd(n - 1)


@cuda.jit(device=True)
def odd(n):
    if n == 0:
        return False
    return even(n - 1)


@cuda.jit(device=True)
def row_of(a, i):
    return a[i]


@cuda.jit(device=True)
def both_rows(a, i):
    return a[i], a[i + 1]


@cuda.jit("void(float64[:, :], float64[:])")
def calls(a, out):
    i = cuda.grid(1)
    set_to(out, -1.0)
    if i + 1 < a.shape[0]:
        row = row_of(a, i)
        near, next_ = both_rows(a, i)
        out[i] = halved(row[0]) + (100.0 if even(i) else 0.0) + near[1] * next_[1]
