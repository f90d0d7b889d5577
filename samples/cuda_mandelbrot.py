"""The Mandelbrot set on the GPU, with a device function and a grid-stride loop."""
from numba import cuda


@cuda.jit(device=True)
def escape_time(x, y, limit):
    real = 0.0
    imag = 0.0
    for i in range(limit):
        squares = real * real - imag * imag + x
        imag = 2.0 * real * imag + y
        real = squares
        if real * real + imag * imag >= 4.0:
            return i
    return limit


@cuda.jit("void(uint16[:,:], float64, float64, float64, float64, int64)")
def mandelbrot(image, left, right, bottom, top, limit):
    height, width = image.shape
    dx = (right - left) / width
    dy = (top - bottom) / height
    start_x, start_y = cuda.grid(2)
    stride_x, stride_y = cuda.gridsize(2)
    for row in range(start_y, height, stride_y):
        for column in range(start_x, width, stride_x):
            image[row, column] = escape_time(left + column * dx, bottom + row * dy, limit)
