"""Thirty signatures for the tests of arguments, compiled into one module: scalars, arrays that are read, arrays that are
written, tuples, optionals, overloads, results that are views of arguments. SIGNATURES says which types each takes.
"""
from conftest import Batch

_SCALARS = ["float64", "float32", "int8", "int32", "int64", "uint8", "uint16", "uint64", "boolean", "complex128",
            "complex64"]
_READ = ["float64[:]", "float64[::1]", "float32[:]", "int64[:]", "uint8[:]", "boolean[:]", "complex128[:]", "int32[::1]",
         "float64[:,:]", "float64[:,::1]", "float64[::1,:]"]

SIGNATURES = {f"scalar{k}": [(t, "float64")] for k, t in enumerate(_SCALARS)}
SIGNATURES |= {f"read{k}": [(t, "int64")] for k, t in enumerate(_READ)}
SIGNATURES |= {
    "fill": [("float64[:]", "float64")], "copy": [("float64[:]", "float64[:]")], "count": [("int32[:,::1]",)],
    "pair": [("UniTuple(float64, 2)",)], "maybe": [("optional(float64)",)], "inside": [("Tuple((float64[:], int64))",)],
    "number": [("int64", "int64"), ("float64", "float64"), ("float32", "float32"), ("complex128", "complex128")],
    "array": [("float64[:]",), ("int64[:]",), ("float32[:,:]",), ("float64",)], "tail": [("float64[:]", "int64")]}
WRITTEN = {("fill", 0), ("copy", 1), ("count", 0)}  # function, parameter
NAMES = {"fill": "out value", "copy": "a out", "count": "out", "pair": "v", "maybe": "x", "inside": "v", "number": "x y",
         "array": "a", "tail": "a k"}
NAMES |= {name: "x y" if name.startswith("scalar") else "a k" for name in SIGNATURES if name not in NAMES}
DEFAULTS = {name: {"y": 2.0} if name.startswith("scalar") else {"k": 1} for name in SIGNATURES if name[-1].isdigit()}

batch = Batch("arguments", every_processor=True)
for name, [(kind, _)] in ((name, SIGNATURES[name]) for name in SIGNATURES if name.startswith("scalar")):
    batch.add(f'''
        @njit("Tuple(({kind}, float64))({kind}, float64)")
        def {name}(x, y=2.0):
            return x, y
    ''')
for name, [(kind, _)] in ((name, SIGNATURES[name]) for name in SIGNATURES if name.startswith("read")):
    result = "complex128" if "complex" in kind else "float64"
    loops = ("    for i in range(a.shape[0]):\n                t += a[i] * (i + 1)" if "," not in kind else
             "    for i in range(a.shape[0]):\n                for j in range(a.shape[1]):\n"
             "                    t += a[i, j] * (3 * i + j)")
    batch.add(f'''
        @njit("{result}({kind}, int64)")
        def {name}(a, k=1):
            t = {"0j" if "complex" in kind else "0.0"}
        {loops}
            return t + k
    ''')
batch.add('''
@njit("void(float64[:], float64)")
def fill(out, value):
    for i in range(out.shape[0]):
        out[i] = value + i


@njit("void(float64[:], float64[:])")
def copy(a, out):
    for i in range(min(a.shape[0], out.shape[0])):
        out[i] = a[i] + 1.0


@njit("void(int32[:,::1])")
def count(out):
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            out[i, j] += 1


@njit("float64(UniTuple(float64, 2))")
def pair(v):
    return v[0] - 2.0 * v[1]


@njit("optional(float64)(optional(float64))")
def maybe(x):
    if x is None:
        return None
    return x + 1.0


@njit("float64(Tuple((float64[:], int64)))")
def inside(v):
    t = 0.0
    for i in range(v[0].shape[0]):
        t += v[0][i] * v[1]
    return t


@njit(["int64(int64, int64)", "float64(float64, float64)", "float32(float32, float32)",
       "complex128(complex128, complex128)"])
def number(x, y):
    return x + y


@njit(["float64[:](float64[:])", "int64[:](int64[:])", "float32[:,:](float32[:,:])", "float64(float64)"])
def array(a):
    return a


@njit("float64[:](float64[:], int64)")
def tail(a, k):
    return a[k:]
''')
