from numba import njit, types

ROW = types.UniTuple(types.float64, 1000)
TABLE = types.UniTuple(ROW, 1000)


@njit(types.float64(types.UniTuple(TABLE, 1000)))
def first(t):
    return t[0][0][0]
