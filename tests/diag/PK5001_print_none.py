from numba import njit
@njit("int64(int64)")
def g(n):
    print((None, n), ("a", (None,), "it's"))
    t = ((n, None), "x")
    print(t)
    return 0
