from numba import njit


@njit("float64(float64, float64, float64)")
def parentheses(a, b, c):
    x = (a + b) * c - a / (b * c) - (a - (b - c))
    y = -(-a) + -b * c
    return x if a < b and b < c or not (a == c) else y
