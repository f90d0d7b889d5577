"""A stencil: a function of one point, and one that calls it for all that have their neighbours."""
from numba import njit, stencil


@stencil(cval=1.0)
def smooth(a, scale):
    return scale * (a[0, -1] + a[0, 0] + a[1, 0])


@njit("float64[:, :](float32[:, ::1], float64[:, ::1])")
def run(a, out):
    smooth(a, 0.5, out=out)
    return smooth(a, 0.25)
