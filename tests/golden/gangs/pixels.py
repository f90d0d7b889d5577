"""Rows of three and four bytes in lanes, where that is how many there are."""
from numba import njit, prange


@njit("void(uint8[:,:,::1], uint8[:,:,::1], uint8[:,:,::1])", parallel=True)
def blended(front, back, out):
    for y in prange(front.shape[0]):
        for x in range(front.shape[1]):
            alpha = front[y, x, 3]
            for k in range(3):
                out[y, x, k] = (alpha * front[y, x, k] + (255 - alpha) * back[y, x, k] + 127) // 255


@njit("void(uint8[:,::1], uint8[::1])")
def greys(rgb, out):
    for i in range(len(out)):
        value = (77 * rgb[i, 0] + 151 * rgb[i, 1] + 28 * rgb[i, 2]) >> 8
        while value > 200:
            value -= 13
        out[i] = value
