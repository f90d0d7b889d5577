import PK1001_missing_comma as other
from numba import njit
from PK1001_invalid_syntax import LIMIT, UNUSED


@njit("int64(int64)")
def capped(n):
    return min(n, LIMIT) + other.shift
