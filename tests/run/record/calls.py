"""Calls of kern.py, for Numba and for what pyk2cu makes of it."""
from collections import namedtuple

import numpy as np

Point = namedtuple("Point", "x y")


def matrix(order="C"):
    return np.arange(12.0).reshape(3, 4).copy(order)


def readonly():
    a = np.arange(4)
    a.flags.writeable = False
    return a


# name, arguments; arrays are made anew for each call, for some are written
CALLS = [
    ("total", lambda k: (np.arange(6.0),)),
    ("total", lambda k: (np.arange(6)[::2],)),
    ("scale", lambda k: (matrix(), 2)),
    ("scale", lambda k: (matrix("F"), 2.5)),
    ("clip", lambda k: (3.0,)),
    ("clip", lambda k: (2.0, 0.25, 0.5)),
    ("norm", lambda k: (Point(3.0, 4.0),)),
    ("first", lambda k: ((1, 2.5),)),
    ("or_zero", lambda k: (1.0,)),
    ("or_zero", lambda k: (None,)),
    ("spread_of", lambda k: (5,)),
    ("Shape.area", lambda k: (2, 3.0)),
    ("Circle.girth", lambda k: (1.5,)),
    ("power", lambda k: (2.0, 3)),
    ("cube", lambda k: (2,)),
    ("halve", lambda k: (3,)),
    ("triple", lambda k: (4,)),
    ("apply", lambda k: (k.square, 3.0)),
    ("twice", lambda k: (2,)),
    ("flag", lambda k: (2.0,)),
    ("flag", lambda k: (2.0, "product")),
    ("readonly_sum", lambda k: (readonly(),)),
    ("column", lambda k: (matrix(),)),
    ("vec", lambda k: (np.arange(6.0), 1)),
    ("gsum", lambda k: (np.arange(6.0), np.zeros(()))),
    ("eager", lambda k: (1.0,)),
    ("same", lambda k: (1,)),
    ("inner_closure", lambda k: (2,)),
    ("counted", lambda k: (np.arange(6.0), np.int32)),
    ("counted", lambda k: (np.arange(6.0), np.dtype("f4"))),
]


def result(function, arguments):
    """What a call returns and what it writes."""
    value = function(*arguments)
    return repr(value), [a.tolist() for a in arguments if isinstance(a, np.ndarray)]
