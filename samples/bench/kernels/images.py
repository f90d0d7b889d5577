"""Filters of images of bytes."""
from numba import njit, prange


@njit
def sort2(a, b):
    """The smaller, then the larger."""
    return min(a, b), max(a, b)


@njit("void(uint8[:,:], uint8[:,:])", parallel=True)
def median3x3(image, out):
    """The median of the 3 x 3 pixels around each, by a network of exchanges; the border stays."""
    height, width = image.shape
    for y in prange(height):
        for x in range(width):
            if y == 0 or x == 0 or y == height - 1 or x == width - 1:
                out[y, x] = image[y, x]
                continue
            a, b, c = image[y - 1, x - 1], image[y - 1, x], image[y - 1, x + 1]
            d, e, f = image[y, x - 1], image[y, x], image[y, x + 1]
            g, h, i = image[y + 1, x - 1], image[y + 1, x], image[y + 1, x + 1]
            b, c = sort2(b, c)
            e, f = sort2(e, f)
            h, i = sort2(h, i)
            a, b = sort2(a, b)
            d, e = sort2(d, e)
            g, h = sort2(g, h)
            b, c = sort2(b, c)
            e, f = sort2(e, f)
            h, i = sort2(h, i)
            d = max(a, d)
            f = min(f, i)
            e, h = sort2(e, h)
            e = max(b, e)
            c = min(c, f)
            g = max(d, g)
            e = min(e, h)
            e, c = sort2(e, c)
            e = max(g, e)
            out[y, x] = min(e, c)


@njit("void(uint8[:,::1], uint8[:,::1], int64)")
def erode(image, out, radius):
    """The smallest value in the square around each pixel, which ends at the border."""
    height, width = image.shape
    for y in range(height):
        for x in range(width):
            smallest = 255
            for yy in range(max(0, y - radius), min(height, y + radius + 1)):
                for xx in range(max(0, x - radius), min(width, x + radius + 1)):
                    if image[yy, xx] < smallest:
                        smallest = image[yy, xx]
            out[y, x] = smallest


@njit("void(uint8[:,:,:], uint8[:,:,:])")
def resize_bilinear(image, out):
    """The image in another size, colours mixed from the four nearest pixels."""
    height, width, channels = image.shape
    rows, columns = out.shape[0], out.shape[1]
    for r in range(rows):
        y = (r + 0.5) * height / rows - 0.5
        y = min(max(y, 0.0), height - 1.0)
        y0 = int(y)
        y1 = min(y0 + 1, height - 1)
        fy = y - y0
        for c in range(columns):
            x = (c + 0.5) * width / columns - 0.5
            x = min(max(x, 0.0), width - 1.0)
            x0 = int(x)
            x1 = min(x0 + 1, width - 1)
            fx = x - x0
            for k in range(channels):
                top = image[y0, x0, k] * (1.0 - fx) + image[y0, x1, k] * fx
                bottom = image[y1, x0, k] * (1.0 - fx) + image[y1, x1, k] * fx
                out[r, c, k] = int(top * (1.0 - fy) + bottom * fy + 0.5)


@njit("void(uint8[:,::1], uint8[:,::1])", parallel=True)
def sobel(image, out):
    """The size of the gradient, at most 255; the border is 0."""
    height, width = image.shape
    for y in prange(1, height - 1):
        for x in range(1, width - 1):
            gx = (int(image[y - 1, x + 1]) + 2 * int(image[y, x + 1]) + int(image[y + 1, x + 1])
                  - int(image[y - 1, x - 1]) - 2 * int(image[y, x - 1]) - int(image[y + 1, x - 1]))
            gy = (int(image[y + 1, x - 1]) + 2 * int(image[y + 1, x]) + int(image[y + 1, x + 1])
                  - int(image[y - 1, x - 1]) - 2 * int(image[y - 1, x]) - int(image[y - 1, x + 1]))
            size = abs(gx) + abs(gy)
            if size > 255:
                size = 255
            out[y, x] = size


@njit("void(uint8[:,:], uint8[:,:], int64[:])")
def equalize(image, out, counts):
    """Spreads the brightness evenly; `counts` has room for 256 numbers."""
    for k in range(256):
        counts[k] = 0
    for y in range(image.shape[0]):
        for x in range(image.shape[1]):
            counts[image[y, x]] += 1
    darkest = 0
    while counts[darkest] == 0:
        darkest += 1
    below = counts[darkest]
    total = image.shape[0] * image.shape[1]
    seen = 0
    for k in range(256):
        seen += counts[k]
        counts[k] = max(0, (seen - below) * 255 // max(1, total - below))
    for y in range(image.shape[0]):
        for x in range(image.shape[1]):
            out[y, x] = counts[image[y, x]]


@njit("void(uint8[:,:], uint8[:,:], int64)", parallel=True)
def box_blur(image, out, radius):
    """The mean of the square around each pixel; the image repeats its border."""
    height, width = image.shape
    area = (2 * radius + 1) ** 2
    for y in prange(height):
        for x in range(width):
            total = 0
            for dy in range(-radius, radius + 1):
                yy = min(max(y + dy, 0), height - 1)
                for dx in range(-radius, radius + 1):
                    xx = min(max(x + dx, 0), width - 1)
                    total += image[yy, xx]
            out[y, x] = (total + area // 2) // area


@njit("void(uint8[:,:,::1], uint8[:,:,::1])")
def rgb_to_hsv(rgb, hsv):
    """Hue, saturation and value, each from 0 to 255."""
    for y in range(rgb.shape[0]):
        for x in range(rgb.shape[1]):
            r = int(rgb[y, x, 0])
            g = int(rgb[y, x, 1])
            b = int(rgb[y, x, 2])
            value = max(r, max(g, b))
            span = value - min(r, min(g, b))
            hue = 0
            saturation = 0
            if span > 0:
                saturation = 255 * span // value
                if value == r:
                    hue = 43 * (g - b) // span
                    if hue < 0:
                        hue += 256
                elif value == g:
                    hue = 85 + 43 * (b - r) // span
                else:
                    hue = 171 + 43 * (r - g) // span
            hsv[y, x, 0] = hue
            hsv[y, x, 1] = saturation
            hsv[y, x, 2] = value


@njit("void(uint8[:,:,:], uint8[:,:,:], uint8[:,:,:])", parallel=True)
def alpha_blend(front, back, out):
    """The front (red, green, blue, alpha) laid over the back (red, green, blue)."""
    for y in prange(front.shape[0]):
        for x in range(front.shape[1]):
            alpha = front[y, x, 3]
            for k in range(3):
                mixed = alpha * front[y, x, k] + (255 - alpha) * back[y, x, k] + 127
                out[y, x, k] = mixed // 255
