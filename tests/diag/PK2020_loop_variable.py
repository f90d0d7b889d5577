from numba import njit

for signature in ["float64(float64)", "int64(int64)"]:
    half = njit(signature)(lambda x: x / 2)
