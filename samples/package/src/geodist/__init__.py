"""Distances on the Earth."""
from .kernels import haversine, nearest, pairwise
from .track import length, summary

__all__ = ["haversine", "length", "nearest", "pairwise", "summary"]
