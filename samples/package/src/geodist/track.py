"""Tracks: a kernel, and a function of ordinary Python that calls it.

A file that holds more than kernels keeps its name. Its kernels are compiled into `_track`, and the last lines put them
over the definitions above, as Python's own `heapq` does with `_heapq`. The types stand in comments: Numba, where it
runs this file, compiles at the first call, so what is replaced costs nothing.
"""
import numpy as np

from ._jit import njit
from .kernels import haversine


# pyk2cu: sig length(float64[:], float64[:])
@njit
def length(lat, lon):
    """The length of the way through the points, km."""
    if lat.shape[0] != lon.shape[0]:
        raise ValueError("as many latitudes as longitudes")
    total = 0.0
    for i in range(1, lat.shape[0]):
        total += haversine(lat[i - 1], lon[i - 1], lat[i], lon[i])
    return total


def summary(points):
    """{"points": n, "length": km, "box": ((south, west), (north, east))} of [(latitude, longitude), ...]."""
    lat, lon = np.array(points, dtype=float).reshape(-1, 2).T
    box = ((lat.min(), lon.min()), (lat.max(), lon.max())) if len(lat) else None
    return {"points": len(lat), "length": length(lat, lon), "box": box}


try:
    from ._track import *  # noqa: F403
except ModuleNotFoundError:
    pass
