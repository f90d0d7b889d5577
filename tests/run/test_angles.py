"""Sine and cosine of one angle, computed at once: what stands between the two calls, and where."""
import math

import numpy as np
import pytest
from conftest import Batch

TEXT = '''
@njit("void(float64[:], float64[:], float64[:])")
def changed_between(theta, x, y):
    for i in range(len(theta)):
        angle = theta[i]
        x[i] = math.sin(angle)
        angle = angle * 0.5 + x[i]
        y[i] = math.cos(angle) + math.sin(angle)

@njit("void(float64[:], float64[:], float64[:])")
def changed_for_some(theta, x, y):
    for i in range(len(theta)):
        angle = theta[i]
        s = math.sin(angle)
        if s > 0.25:
            angle = angle + 1.0
        x[i] = s
        y[i] = math.cos(angle)

@njit("void(float64[:], float64[:], float64[:])", parallel=True)
def left_between(theta, x, y):
    for i in prange(len(theta)):
        angle, total = theta[i], 0.0
        for turn in range(6):
            s = math.sin(angle)
            if s < -0.5:
                break
            total += s
            angle = angle + math.cos(angle)
        x[i] = total
        y[i] = math.cos(angle)

@njit("void(float64[:], float64[:], float64[:])")
def of_one_side(theta, x, y):
    for i in range(len(theta)):
        angle = theta[i]
        x[i] = y[i] = 2.0
        if angle > 0.0:
            x[i] = math.cos(angle)
        y[i] = math.sin(angle)
        while angle > 3.0:
            angle -= 2.0 + 0.5 * math.sin(angle) * math.cos(angle)
            x[i] = angle

@njit("void(float64[:], float64[:], float64[:])")
def raising(theta, x, y):
    for i in range(len(theta)):
        angle = theta[i]
        s = math.sin(angle)
        x[i] = s
        while angle > 30.0:
            if angle > 90.0:
                raise ValueError("too far", i)
            angle = angle - 7.0
        y[i] = math.cos(angle) + s

@njit("void(float32[:], float32[:], float32[:])")
def narrow(theta, x, y):
    for i in range(len(theta)):
        x[i] = math.cos(theta[i]) - math.sin(theta[i])
        y[i] = math.sin(theta[i])
'''
LANES, EIGHT = Batch("angles"), Batch("angles_v2", ["--gang=8", "--march=x86-64-v2"])
for module in (LANES, EIGHT):
    module.add(TEXT)
RARE = [0.0, -0.0, math.inf, -math.inf, math.nan, 1e10, -1e300, 5e-324, 2.0 ** 27]


@pytest.fixture(params=["default", "eight"])
def built(request):
    return LANES if request.param == "default" else EIGHT


def angles(size, dtype=np.float64):
    x = np.random.default_rng(size).uniform(-20, 20, size)
    x[3::7] = np.resize(RARE, len(x[3::7]))
    with np.errstate(over="ignore"):
        return x.astype(dtype)


@pytest.mark.parametrize("size", [0, 1, 16, 63, 200])
@pytest.mark.parametrize("name", ["changed_between", "changed_for_some", "left_between", "of_one_side"])
def test_what_stands_between(built, name, size):
    theta = angles(size)
    theta[~np.isfinite(theta) | (np.abs(theta) > 1e3)] = 2.5  # the interpreter has no sine of those
    got, wanted = np.zeros((2, size)), np.zeros((2, size))
    getattr(built, name)(theta, *got)
    getattr(built.plain, name)(theta, *wanted)
    np.testing.assert_allclose(got, wanted, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_every_kind_of_angle(built, dtype):
    theta = angles(140, dtype)
    x, y = np.zeros((2, 140), dtype)
    with np.errstate(invalid="ignore"):
        if dtype == np.float32:
            built.narrow(theta, x, y)
            wanted = np.cos(theta.astype(float)) - np.sin(theta.astype(float)), np.sin(theta.astype(float))
            np.testing.assert_allclose(x, wanted[0], rtol=1e-5, atol=1e-6)
            np.testing.assert_allclose(y, wanted[1], rtol=1e-5, atol=1e-7)
        else:
            built.changed_for_some(theta, x, y)
            np.testing.assert_allclose(x, np.sin(theta), rtol=1e-13, atol=1e-15)
    assert math.copysign(1, x[theta == 0][0]) == 1 or dtype == np.float64


def test_exceptions_come_where_they_would(built):
    theta = np.linspace(-5, 60, 70)
    theta[41] = 97.0
    x, y = np.full((2, 70), 9.0)
    with pytest.raises(ValueError, match="too far") as error:
        built.raising(theta, x, y)
    assert error.value.args[1] == 41
    np.testing.assert_allclose(x[:42], np.sin(theta[:42]), rtol=1e-13)
    assert np.all(y[:41] != 9.0) and np.all(x[42:] == 9.0) and np.all(y[41:] == 9.0)
