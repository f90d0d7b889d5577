"""Functions of modules that few programs use."""
import cmath
import math

import numpy as np
from numba import njit


@njit("complex128(complex128)")
def of_cmath(z):
    return cmath.sqrt(z)


@njit("float64(float64[:])")
def of_sums(a):
    return math.fsum(a)



@njit("void(float64[:], float64[:])")
def copies(a, b):
    a[:] = b
