"""The same tests for compiled kernels and for the source."""
import pickle
import traceback

import numpy as np
import pytest

import geodist
from geodist import track

BERLIN, PARIS, ROME = (52.52, 13.405), (48.8566, 2.3522), (41.9028, 12.4964)
LAT, LON = np.array([BERLIN, PARIS, ROME]).T


def test_distances():
    assert geodist.haversine(*BERLIN, *PARIS) == pytest.approx(877.46, abs=0.1)
    assert geodist.haversine(*ROME, *ROME) == 0.0
    out = np.empty((3, 3))
    geodist.pairwise(LAT, LON, out)
    assert (out == out.T).all() and (out.diagonal() == 0).all()
    assert out[0, 1] == pytest.approx(geodist.haversine(*BERLIN, *PARIS))


def test_nearest():
    assert geodist.nearest(LAT, LON, 50.0, 8.0) == 1
    assert geodist.nearest(LAT[::-1], LON[::-1], 50.0, 8.0) == 1  # strided
    assert geodist.nearest(LAT[:0], LON[:0], 50.0, 8.0) == -1


def test_python_calls_the_kernels_of_its_file():
    found = geodist.summary([BERLIN, PARIS, ROME])
    assert found["points"] == 3 and found["box"] == ((41.9028, 2.3522), (52.52, 13.405))
    assert found["length"] == track.length(LAT, LON) == geodist.length(LAT, LON) > 1900
    assert geodist.summary([])["length"] == 0.0


def test_errors_show_the_source():
    with pytest.raises(ValueError, match="as many latitudes as longitudes") as caught:
        geodist.length(LAT, LON[1:])
    last = traceback.extract_tb(caught.value.__traceback__)[-1]
    assert last.filename.endswith("track.py") and last.line.startswith("raise ValueError")


@pytest.mark.parametrize("function", [geodist.haversine, geodist.length])
def test_functions_are_pickled_by_name(function):
    assert pickle.loads(pickle.dumps(function)) is function
    assert function.__module__.startswith("geodist.") and function.__doc__
