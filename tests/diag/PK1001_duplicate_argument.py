from numba import njit
@njit("int64(int64,int64)")
def f(a, a): return a
