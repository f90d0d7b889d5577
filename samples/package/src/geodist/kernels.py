"""Distances between points given in degrees.

Every name of this file is a compiled function, so `kernels.abi3.so` beside it stands in for the whole file: Python
takes an extension module before a source of the same name, and the source where nothing was built.
"""
import math

from ._jit import njit, prange

RADIUS = 6371.0088  # of the Earth, km


@njit("float64(float64, float64, float64, float64)")
def haversine(lat1, lon1, lat2, lon2):
    """The distance of two points on a great circle, km."""
    p1 = math.radians(lat1)
    p2 = math.radians(lat2)
    a = math.sin((p2 - p1) / 2) ** 2 + math.cos(p1) * math.cos(p2) * math.sin(math.radians(lon2 - lon1) / 2) ** 2
    return 2.0 * RADIUS * math.asin(math.sqrt(a))


@njit("void(float64[:], float64[:], float64[:,:])", parallel=True)
def pairwise(lat, lon, out):
    """Writes the distance of every two points into `out`."""
    n = lat.shape[0]
    if lon.shape[0] != n or out.shape[0] != n or out.shape[1] != n:
        raise ValueError("as many latitudes as longitudes, and a square of that size")
    for i in prange(n):
        for j in range(n):
            out[i, j] = haversine(lat[i], lon[i], lat[j], lon[j])


@njit("int64(float64[:], float64[:], float64, float64)")
def nearest(lat, lon, from_lat, from_lon):
    """The index of the point that is nearest to one; -1 where there is none."""
    best = -1
    shortest = math.inf
    for i in range(lat.shape[0]):
        distance = haversine(lat[i], lon[i], from_lat, from_lon)
        if distance < shortest:
            shortest = distance
            best = i
    return best
