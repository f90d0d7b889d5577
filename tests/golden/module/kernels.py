"""Kernels, a device function, and a host function beside them."""
import math

from numba import cuda, njit

SCALE = 0.5


@cuda.jit(device=True)
def wave(x, phase):
    return math.sin(x + phase) * SCALE


@cuda.jit("void(float32[:,:], float32)")
def fill(image, phase=0.0):
    """Fills an image with waves."""
    i, j = cuda.grid(2)
    if i < image.shape[0] and j < image.shape[1]:
        image[i, j] = wave(i + j, phase)


@cuda.jit(["void(float32[::1], float32[::1])", "void(int32[::1], int32[::1])"])
def add_to(a, b):
    for i in range(cuda.grid(1), len(a), cuda.gridsize(1)):
        a[i] += b[i]


@njit("float64(float64)")
def on_the_host(x):
    return x * SCALE
