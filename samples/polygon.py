"""Which pixels of an image lie inside a polygon?"""
from numba import njit, prange


@njit("boolean(float32[:,:], float32, float32, boolean)")
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


@njit("boolean(UniTuple(UniTuple(float64, 2), 4), float64, float64)")
def inside_tuple(vertices, px, py):
    counter = 0
    x1, y1 = vertices[3]
    for vertex in vertices:
        x2, y2 = vertex
        if min(y1, y2) < py <= max(y1, y2) and px <= max(x1, x2) and y1 != y2:
            xinters = (py - y1) * (x2 - x1) / (y2 - y1) + x1
            if x1 == x2 or px <= xinters:
                counter += 1
        x1, y1 = x2, y2
    return counter % 2 == 1


@njit("void(float32[:,:], boolean[:,:], boolean)")
def polygon_mask(vertices, mask, border_value):
    for y in range(mask.shape[0]):
        for x in range(mask.shape[1]):
            mask[y, x] = inside_polygon(vertices, x, y, border_value)


@njit("void(float32[:,:], boolean[:,:], boolean)", parallel=True)
def polygon_mask_parallel(vertices, mask, border_value):
    for y in prange(mask.shape[0]):
        for x in range(mask.shape[1]):
            mask[y, x] = inside_polygon(vertices, x, y, border_value)
