from numba import cuda
from profiling import timed


@timed("scale")
@cuda.jit("void(float32[:], float32)")
def scale(a, x):
    a[cuda.grid(1)] *= x
