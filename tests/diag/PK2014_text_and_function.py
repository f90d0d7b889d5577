from numba import njit, types


@njit(types.float64(types.float64, types.unicode_type))
def by_name(x, kind):
    return x if kind == "sum" else -x


@njit(types.float64(types.FunctionType(types.float64(types.float64)), types.float64))
def apply(f, x):
    return f(x)


@njit("float64(literal(3))")
def by_number(n):
    return n


@njit("literal('a')(float64)")
def named(x):
    return "a"
