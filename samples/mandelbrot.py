"""The Mandelbrot set, one image row after the other and over all cores."""
from numba import njit, prange


@njit("int64(float64, float64, int64)")
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


@njit("void(uint16[:,:], float64, float64, float64, float64, int64)")
def mandelbrot(image, left, right, bottom, top, limit):
    height, width = image.shape
    dx = (right - left) / width
    dy = (top - bottom) / height
    for row in range(height):
        for column in range(width):
            image[row, column] = escape_time(left + column * dx, bottom + row * dy, limit)


@njit("void(uint16[:,:], float64, float64, float64, float64, int64)", parallel=True)
def mandelbrot_parallel(image, left, right, bottom, top, limit):
    height, width = image.shape
    dx = (right - left) / width
    dy = (top - bottom) / height
    for row in prange(height):
        for column in range(width):
            image[row, column] = escape_time(left + column * dx, bottom + row * dy, limit)
