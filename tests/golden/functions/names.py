from numba import njit


@njit("float64(float64, int64)")
def names(new, int_):
    double = new
    class_ = double * 2
    status = class_
    result = status
    for i in range(int_):
        result += i
    for i in range(int_):
        result -= i
    if result == 0.0:
        raise ValueError("zero")
    return result
