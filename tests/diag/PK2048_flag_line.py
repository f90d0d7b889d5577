# args: --sig PK2048_flag_line.py:3=float64(float64) --sig Shape.aera(float64)
from numba import njit


class Shape:
    @staticmethod
    @njit("float64(float64)")
    def area(x):
        return x * x
