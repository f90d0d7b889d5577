"""The functions that test_module.py and test_leaks.py call, compiled once for both."""
from conftest import Batch

# Function: the first and the second parameter of each overload. An overload is told by what becomes of WIDE in its result type.
OVERLOADS = {
    "by_number": [("int32", "int64"), ("uint64", "int64"), ("float32", "int64"), ("int64", "int64"), ("float64", "int64")],
    "by_rest": [("float64[:]", "int64"), ("int64", "int64"), ("float64", "int64"), ("optional(float64)", "int64")],
    "by_rank": [("float64[:, ::1]", "int64"), ("float64[:, :]", "int64"), ("int64[:]", "int64"), ("float64[:]", "int64")],
    "by_second": [("float64", "int64"), ("float64", "float64"), ("float64", "float32"), ("float64", "complex128")],
}
WIDE = 0x123456789ABCDEF1
RESULTS = ("int8", "uint8", "int16", "uint16", "int32")

batch = Batch("module_kernels", every_processor=True)
batch.add('''
@njit("float64(float64, float64)")
def product(x, y=2.5):
    """The product, plus one."""
    return x * y + 1.0


@njit("float64(float32, int32, boolean, complex64)")
def mixed(x, n, flag, z):
    r = x * n + z.imag
    if flag:
        return r
    return -r


@njit("int8(int8)")
def small(n):
    return n


@njit("uint64(uint64)")
def large(n):
    return n


@njit("complex128(complex128)")
def conjugate(z):
    return complex(z.real, -z.imag)


@njit("boolean(boolean)")
def invert(flag):
    return not flag


@njit("float64(float64[:])")
def total(a):
    t = 0.0
    for i in range(a.shape[0]):
        t += a[i]
    return t


@njit("void(float64[:,:], float64[:,:], float64)")
def scale(a, out, factor):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            out[i, j] = a[i, j] * factor


@njit("float64(float64[:,::1], float32[::1])")
def contiguous(a, b):
    return a[0, 0] + b[0]


@njit(["int64(int64, int64)", "float64(float64, float64)", "float32(float32, float32)"])
def plus(x, y):
    return x + y


@njit(["float64(float64[:])", "int64(int64[:])", "float32(float32[:])"])
def last(a):
    return a[-1]
''')
batch.add('''
@njit("Tuple((int64, float64, boolean))(int64, float64)")
def triple(n, x):
    return n, x, x > 0.0


@njit("float64(UniTuple(float64, 3))")
def norm2(v):
    return v[0] * v[0] + v[1] * v[1] + v[2] * v[2]


@njit("optional(float64)(optional(float64))")
def maybe(x):
    if x is None:
        return None
    return x + 1.0


@njit("float64[::1](int64)")
def squares(n):
    out = np.empty(n)
    for i in range(n):
        out[i] = i * i
    return out


@njit("float64[:](float64[:], int64)")
def tail(a, k):
    return a[k:]


@njit("float64[:](float64[:], float64[:], boolean)")
def either(a, b, first):
    if first:
        return a
    return b


@njit("float64(float64, float64)")
def divide(x, y):
    return x / y


@njit("void(int64)")
def check(n):
    if n < 0:
        raise ValueError("negative", 2, 2.5)
    if n > 100:
        raise IndexError


@njit("float64(int64)")
def long_loop(n):
    t = 0.0
    for i in range(n):
        t += (i % 7) * 0.5
    return t


@njit("float64(float64[:])", parallel=True)
def parallel_total(a):
    t = 0.0
    for i in prange(a.shape[0]):
        t += a[i]
    return t


@cuda.jit("void(float32[:], float32)")
def fill(out, value):
    i = cuda.grid(1)
    if i < out.shape[0]:
        out[i] = value + i


@cuda.jit("void(int32[:,:])")
def grid2(out):
    i, j = cuda.grid(2)
    if i < out.shape[0] and j < out.shape[1]:
        out[i, j] = i * 100 + j
''')

for name, overloads in OVERLOADS.items():
    signatures = [f"{result}({x}, {y})" for result, (x, y) in zip(RESULTS, overloads)]
    batch.add(f"""
@njit({signatures})
def {name}(x, y):
    return {WIDE}
""")


tuples = Batch("module_tuples")
tuples.add('''
@njit("Tuple((float64[:], int64))(float64[:])")
def with_size(a):
    return a, a.shape[0]


@njit("Tuple((int64, optional(float64)))(int64)")
def nothing(n):
    return n, None
''')
