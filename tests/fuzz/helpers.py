"""What the generators share about functions that generated code calls: their names, their forms, and how a call of
one is written.

A helper reads and writes elements of the arrays that it gets or captures, may raise, and returns a number, a tuple, an
array, something or None. Names are those that C++, its headers or our own emitted text use as well.
"""
import ast
import dataclasses

# Names a person may give in Python that mean something in C, C++, their headers or in what pyk2cu emits. Python's own
# builtins are not among them: the generated code uses those.
NAMES = ("""
    double long short unsigned signed char auto const static extern void struct union enum typedef volatile register
    inline restrict sizeof switch case default do goto new delete this template typename operator private public
    protected namespace using virtual friend explicit export mutable throw catch nullptr alignas alignof char8_t
    char16_t char32_t wchar_t concept requires co_await co_return co_yield decltype noexcept thread_local
    static_assert asm typeid dynamic_cast reinterpret_cast static_cast const_cast constexpr consteval constinit bitand
    bitor xor compl not_eq or_eq and_eq xor_eq int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t
    size_t ptrdiff_t intptr_t INFINITY NAN M_PI M_E M_SQRT2 EOF NULL INT_MAX INT64_MAX SIZE_MAX CHAR_BIT HUGE_VAL FLT_MAX
    DBL_MIN errno stdin stdout stderr printf puts malloc free memcpy memset strlen abort signal time clock rand
    y0 y1 yn j0 j1 jn gamma index rint fma nan ldexp frexp isnan signbit div ldiv labs remove rename read write open
    close wait link unlink pipe sleep select accept bind connect send environ daylight timezone unix linux i386 near
    far lane lanes launch status result error Index first last checked apart pyk array view layout ok C F A L T N D I E
    B R M site sites data shape strides stride self module std main Py_None PyObject PyInit TRUE FALSE True_ half
    float16 float32_t bfloat16 omp simd parallel begin end size swap move get pair string vector optional tie apply
    array_t numeric_limits kernel thread block grid warp device host global_ shared wrap mod floordiv convert add sub
    mul pow_ select_ clamp any_of total strip count loop body keep raise_ fail check finish arguments object value_
    größe π μ ñ _ __ _1 _a a_ a__ __a x_2 x__2 s_2 i_end n_end f__c bump__c abi3 complex_t is_real re im I_ J_ K_ _Bool
    _Complex _Imaginary __restrict__ __attribute__ __device__ __global__ __host__ __shared__ threadIdx blockIdx blockDim
    INT8_MIN INT64_C INT16_WIDTH UINT8_MAX RAND_MAX MAXFLOAT M_LN2 M_PI_2f32 FP_NAN SNAN BYTE_ORDER LITTLE_ENDIAN WNOHANG
    EXIT_SUCCESS FD_SET PYK_HD PYK_FN PYK_NOINLINE offsetof alloca htole32 le16toh issubnormal math_errhandling assert_
    gridDim warpSize float4 dim3 clock64 atomicAdd __syncthreads max_ min_ tuple_ list_ type_ string_view span
    """).split()
NAMES = list(dict.fromkeys(NAMES))

MODULE_FORMS = ["@njit", "@njit", "@njit", "@njit", "@register_jitable", "@register_jitable", "@njit(inline='always')"]


@dataclasses.dataclass
class Helper:
    """A function as its caller sees it. Kinds of parameters and results: "n" a small non-negative int64, "i", "f",
    "c", "b" any integer, float, complex, bool; ("A", kind) an array of rank 1, ("T", kinds) a tuple,
    ("F", helper) a function. Results also: ("O", kind) a value or None, ("P", fields, kinds) a named tuple, None."""
    name: str
    params: list                # (name, kind, default text or None)
    result: object
    form: str                   # a decorator, "inner", "lambda", "parameter"
    dtypes: dict = dataclasses.field(default_factory=dict)  # of array parameters that have one, by name
    least: int = 1              # elements of an array result, at least
    same: bool = False          # all array arguments need one dtype

    def reads(self, kind):
        """Suffixes that make a value of the kind of a call: "" or "[1]" or ".last"."""
        result = self.result
        if result == kind or (kind == "i" and result == "n"):
            return [""]
        if isinstance(result, tuple) and result[0] == "T":
            return [f"[{n}]" for n, k in enumerate(result[1]) if k == kind]
        if isinstance(result, tuple) and result[0] == "P":
            return [f".{field}" for field, k in zip(result[1], result[2]) if k == kind]
        return []

    def shape(self):
        """What two helpers share that can stand for one another."""
        return tuple(str(kind) for _, kind, _ in self.params), str(self.result)


class Names:
    """Names of one case, each given once. Names of module level are not given by cases beside it either."""

    def __init__(self, rng, number):
        self.rng, self.number, self.used, self.fresh, self.globals = rng, number, set(), 0, 0

    def local(self, prefix="v", odd=0.2):
        if self.rng.random() < odd:
            free = [name for name in NAMES if name not in self.used]
            if free:
                return self.take(self.rng.choice(free))
        self.fresh += 1
        return f"{prefix}{self.fresh}"

    def of_module(self, prefix="h", odd=0.3):
        """A batch may hold 60 cases with two odd names each."""
        if self.rng.random() < odd and self.globals < 2:
            self.globals += 1
            name = NAMES[(2 * self.number + self.globals) % len(NAMES)]
            if name not in self.used:
                return self.take(name)
        self.fresh += 1
        return f"{prefix}{self.fresh}_{self.number}"

    def take(self, name):
        self.used.add(name)
        return name


def pruned(prelude, source):
    """Both texts without functions that nobody else names: Numba refuses closures that are never called."""
    modules = [ast.parse(prelude), ast.parse(source)]
    while True:
        loaded = set().union(*map(names_in, modules))
        blocks = [modules[0], *(n for n in ast.walk(modules[1]) if hasattr(n, "body") and n is not modules[1])]
        if not any([drop(block, loaded) for block in blocks]):
            return ast.unparse(modules[0]), ast.unparse(modules[1])


def names_in(node):
    """The names that are read below a node; a function's own name does not count inside of it."""
    own = {node.id} if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) else set()
    own = own.union(*map(names_in, ast.iter_child_nodes(node)))
    return own - {node.name} if isinstance(node, ast.FunctionDef) else own


def drop(node, loaded):
    """Removes unnamed functions, lambdas and constants from each block of the node; whether there was one."""
    found = False
    for field in ("body", "orelse"):
        block = getattr(node, field, None)
        if not isinstance(block, list):
            continue
        keep = [s for s in block if not (isinstance(s, ast.FunctionDef) and s.name not in loaded or
                                         isinstance(s, ast.Assign) and isinstance(node, ast.Module) and
                                         s.targets[0].id not in loaded or
                                         isinstance(s, ast.Assign) and isinstance(s.value, ast.Lambda) and
                                         s.targets[0].id not in loaded)]
        found |= len(keep) < len(block)
        block[:] = keep or ([ast.Pass()] if block and not isinstance(node, ast.Module) and field == "body" else [])
    return found
