"""Cells that depend on their neighbours."""
from numba import njit, prange


@njit("void(float64[:,:,:], float64[:,:,:], float64)", parallel=True)
def heat3d(u, out, rate):
    """One step of heat in a body, seven points; the border stays."""
    for i in prange(1, u.shape[0] - 1):
        for j in range(1, u.shape[1] - 1):
            for k in range(1, u.shape[2] - 1):
                out[i, j, k] = u[i, j, k] + rate * (u[i - 1, j, k] + u[i + 1, j, k] + u[i, j - 1, k] + u[i, j + 1, k]
                                                    + u[i, j, k - 1] + u[i, j, k + 1] - 6.0 * u[i, j, k])


@njit("void(uint8[:,:], uint8[:,:])", parallel=True)
def life(cells, out):
    """One generation of Conway's Life on a torus."""
    rows, columns = cells.shape
    for i in prange(rows):
        for j in range(columns):
            neighbours = 0
            for di in range(-1, 2):
                for dj in range(-1, 2):
                    if di != 0 or dj != 0:
                        neighbours += cells[(i + di) % rows, (j + dj) % columns]
            if neighbours == 3 or (neighbours == 2 and cells[i, j] == 1):
                out[i, j] = 1
            else:
                out[i, j] = 0


@njit("uint32(uint32)")
def mix(x):
    """A number that looks random."""
    x = x & 0xFFFFFFFF
    x = ((x >> 16) ^ x) * 0x45D9F3B & 0xFFFFFFFF
    x = ((x >> 16) ^ x) * 0x45D9F3B & 0xFFFFFFFF
    return (x >> 16) ^ x


@njit("void(uint8[:,::1], uint8[:,::1], int64, float64, float64)")
def forest_fire(forest, out, step, growth, lightning):
    """One step of a forest: 0 is empty, 1 a tree, 2 a fire."""
    rows, columns = forest.shape
    for i in range(rows):
        for j in range(columns):
            chance = mix((step * rows + i) * columns + j) / 4294967296.0
            state = forest[i, j]
            if state == 2:
                out[i, j] = 0
            elif state == 0:
                out[i, j] = 1 if chance < growth else 0
            else:
                burns = chance < lightning
                if i > 0 and forest[i - 1, j] == 2:
                    burns = True
                if i < rows - 1 and forest[i + 1, j] == 2:
                    burns = True
                if j > 0 and forest[i, j - 1] == 2:
                    burns = True
                if j < columns - 1 and forest[i, j + 1] == 2:
                    burns = True
                out[i, j] = 2 if burns else 1
