"""The polygon mask on the GPU: a two-dimensional grid, one thread per pixel."""
from numba import cuda


@cuda.jit(device=True)
def inside_polygon(vertices, px, py, border_value):
    counter = 0
    n = vertices.shape[0]
    x1 = vertices[n - 1, 0]
    y1 = vertices[n - 1, 1]
    for i in range(n):
        if x1 == px and y1 == py:
            return border_value
        x2 = vertices[i, 0]
        y2 = vertices[i, 1]
        if py > min(y1, y2):
            if py <= max(y1, y2):
                if px <= max(x1, x2):
                    if y1 != y2:
                        xinters = (py - y1) * (x2 - x1) / (y2 - y1) + x1
                        if x1 == x2 or px <= xinters:
                            counter += 1
        x1, y1 = x2, y2
    return counter % 2 != 0


@cuda.jit("void(float32[:,:], boolean[:,:], boolean)")
def polygon_mask(vertices, mask, border_value):
    x, y = cuda.grid(2)
    if y < mask.shape[0] and x < mask.shape[1]:
        mask[y, x] = inside_polygon(vertices, x, y, border_value)
