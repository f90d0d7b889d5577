"""Rays, polygons, the globe and rotations."""
import math

import numpy as np
from numba import njit, prange


@njit("float32(float32, float32, float32)")
def scene(x, y, z):
    """The distance to a torus with a ball in it, above a floor."""
    ring = math.sqrt(x * x + z * z) - np.float32(1.0)
    torus = math.sqrt(ring * ring + y * y) - np.float32(0.3)
    ball = math.sqrt(x * x + y * y + z * z) - np.float32(0.5)
    floor = y + np.float32(0.6)
    return min(torus, min(ball, floor))


@njit("void(float32[:,:], int64)", parallel=True)
def sphere_trace(depth, limit):
    """How far the ray of every pixel goes before it meets the scene."""
    height, width = depth.shape
    for row in prange(height):
        for column in range(width):
            dx = np.float32(2.0 * column / width - 1.0)
            dy = np.float32(0.6 - 1.6 * row / height)
            dz = np.float32(1.5)
            length = math.sqrt(dx * dx + dy * dy + dz * dz)
            dx /= length
            dy /= length
            dz /= length
            t = np.float32(0.0)
            for _ in range(limit):
                distance = scene(t * dx, np.float32(0.8) + t * dy, t * dz - np.float32(3.0))
                if distance < np.float32(1e-3) or t > np.float32(20.0):
                    break
                t += distance
            depth[row, column] = t


@njit
def is_left(ax, ay, bx, by, px, py):
    """Above 0 where p lies left of the line from a to b."""
    return (bx - ax) * (py - ay) - (px - ax) * (by - ay)


@njit("void(float64[:,:], float64[:,:], boolean[:])")
def points_in_polygon(polygon, points, inside):
    """Which points the polygon winds around?"""
    n = polygon.shape[0]
    for p in range(points.shape[0]):
        x = points[p, 0]
        y = points[p, 1]
        winding = 0
        for i in range(n):
            j = (i + 1) % n
            if polygon[i, 1] <= y:
                if polygon[j, 1] > y:
                    if is_left(polygon[i, 0], polygon[i, 1], polygon[j, 0], polygon[j, 1], x, y) > 0:
                        winding += 1
            elif polygon[j, 1] <= y:
                if is_left(polygon[i, 0], polygon[i, 1], polygon[j, 0], polygon[j, 1], x, y) < 0:
                    winding -= 1
        inside[p] = winding != 0


@njit("float64(float64, float64, float64, float64)")
def haversine(lat1, lon1, lat2, lon2):
    """The distance in km between two points on the globe, in radians."""
    a = math.sin((lat2 - lat1) / 2) ** 2 + math.cos(lat1) * math.cos(lat2) * math.sin((lon2 - lon1) / 2) ** 2
    return 2 * 6371.0 * math.asin(math.sqrt(min(1.0, a)))


@njit("void(float64[:], float64[:], float64[:,:])", parallel=True)
def haversine_matrix(lat, lon, out):
    """The distances between all points."""
    for i in prange(len(lat)):
        for j in range(len(lat)):
            out[i, j] = haversine(lat[i], lon[i], lat[j], lon[j])


@njit("void(float32[:,::1], float32[:,::1], float32[:,::1])")
def rotate_vectors(quaternions, vectors, out):
    """Every vector rotated by its quaternion (w, x, y, z)."""
    for i in range(vectors.shape[0]):
        w = quaternions[i, 0]
        x = quaternions[i, 1]
        y = quaternions[i, 2]
        z = quaternions[i, 3]
        norm = math.sqrt(w * w + x * x + y * y + z * z)
        if norm > 0:
            w, x, y, z = w / norm, x / norm, y / norm, z / norm
        vx, vy, vz = vectors[i]
        tx = 2 * (y * vz - z * vy)
        ty = 2 * (z * vx - x * vz)
        tz = 2 * (x * vy - y * vx)
        out[i, 0] = vx + w * tx + y * tz - z * ty
        out[i, 1] = vy + w * ty + z * tx - x * tz
        out[i, 2] = vz + w * tz + x * ty - y * tx
