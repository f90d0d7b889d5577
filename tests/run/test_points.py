"""Rows of a few numbers in lanes: what one by one gives, however many numbers there are to a row."""
import shutil
import subprocess

import numpy as np
import pytest
from conftest import Batch, assert_same_effects, run_pyk2cu

FLOATS = ["float32", "float64"]
NUMBERS = FLOATS + ["int16", "int32", "int64", "uint64"]
TEXT = "".join(f'''
@njit("void({t}[:, ::1], {t}[:, ::1], {t}[:, ::1])")
def turned_{t}(quaternions, vectors, out):
    for i in range(vectors.shape[0]):
        w, x, y, z = quaternions[i, 0], quaternions[i, 1], quaternions[i, 2], quaternions[i, 3]
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

@njit("void({t}[:, ::1], {t}[::1])")
def angles_{t}(v, out):
    for i in range(v.shape[0]):
        length = math.sqrt(v[i, 0] * v[i, 0] + v[i, 1] * v[i, 1])
        if length > 0:
            out[i] = max(-1.0, min(1.0, v[i, 0] / length)) / math.sqrt(length + 1.0)

@njit("void({t}[:, ::1])")
def normalised_{t}(v):
    for i in range(v.shape[0]):
        total = 0.0
        for k in range(3):
            total += v[i, k] * v[i, k]
        if total > 0.5:
            for k in range(3):
                v[i, k] = v[i, k] / math.sqrt(total)

@njit("void({t}[:, ::1], {t}[:, ::1])")
def sizes_named_{t}(a, out):
    n, m = a.shape
    for i in range(n):
        x, y, z = a[i, 0], a[i, 1], a[i, 2]
        turns = 0
        while x * x + y * y + z * z > m and turns < 20:
            x, y, z = y * 0.5, z * 0.5, x * 0.5
            turns += 1
        out[i, 0] = x
        out[i, 1] = y + m
        out[i, 2] = z

@njit("float64({t}[:, ::1], int64)")
def energy_{t}(points, turns):
    total = 0.0
    for i in range(points.shape[0]):
        x = points[i, 0]
        y = points[i, 1]
        steps = 0
        while x * x + y * y > 0.01 and steps < turns:
            x, y = 0.6 * x - 0.5 * y, 0.5 * x + 0.6 * y
            steps += 1
        total += x * y + steps
    return total

@njit("float64({t}[:, ::1], int64[::1])")
def by_index_{t}(points, order):
    best = 0.0
    for i in range(order.shape[0]):
        k = order[i]
        d = math.sqrt(abs(points[k, 0])) + points[k, 1] / (1.5 + points[i, 1])
        best = max(best, d)
    return best

@njit("void({t}[:, :, ::1], {t}[:, :, ::1], int64)")
def channels_{t}(image, out, radius):
    for y in range(image.shape[0]):
        for x in range(radius, image.shape[1] - radius):
            for c in range(3):
                total = 0.0
                for d in range(-radius, radius + 1):
                    total += image[y, x + d, c]
                    if total > 4:
                        break
                out[y, x, c] = total
            for c in range(2):
                for k in range(3):
                    out[y, x, k] += image[y, x, c] * (k - c)
''' for t in FLOATS) + "".join(f'''
@njit("void({t}[:, ::1], {t}[:, ::1], int64)")
def mixed_{t}(a, b, by):
    for i in range(a.shape[0] - by):
        x = a[i + by, 0]
        turns = 0
        while x > 1 and turns < 9:
            x = x // 2
            turns += 1
        b[i, 0] = a[i + by, 2] + turns
        if turns > 2:
            b[i, 2] = a[i + by, 0] - a[i + by, 1]
        b[i, 1] = x

@njit("void({t}[:, ::1], {t}[:, ::1])", parallel=True)
def sorted_{t}(a, b):
    for i in prange(a.shape[0]):
        x, y, z = a[i, 0], a[i, 1], a[i, 2]
        if y < x:
            x, y = y, x
        if z < y:
            y, z = z, y
            if y < x:
                x, y = y, x
        for k in range(2):
            b[i, k] = x if k == 0 else y
        b[i, 2] = z
''' for t in NUMBERS)
OPTIONS = {"plain": ["--no-lanes"], "default": [], "checked": ["--boundscheck"], "v2": ["--march=x86-64-v2", "--gang=8"]}
MODULES = {name: Batch("points_" + name, options) for name, options in OPTIONS.items()}
for module in MODULES.values():
    module.add(TEXT)
PLAIN = MODULES["plain"]


@pytest.fixture(params=["default", "checked", "v2"])
def built(request):
    return MODULES[request.param]


def equal(made, function, *arrays):
    assert_same_effects(made, PLAIN, function, *arrays)


def rows(dtype, count, columns, seed=0):
    rng = np.random.default_rng(100 * count + columns + seed)
    if dtype.startswith("float"):
        return rng.standard_normal((count, columns)).astype(dtype)
    return rng.integers(0, 1000, (count, columns)).astype(dtype)


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("count", [0, 1, 15, 32, 33, 64, 100])
@pytest.mark.parametrize("columns", [3, 4, 7])
def test_points(built, dtype, count, columns):
    """Rows of as many numbers as are named, and of more."""
    equal(built, "turned_" + dtype, rows(dtype, count, max(4, columns)), rows(dtype, count, 3), rows(dtype, count, columns))
    wide = rows(dtype, count, columns)
    wide[::5] = 0
    equal(built, "angles_" + dtype, wide, np.zeros(count, dtype))
    equal(built, "angles_" + dtype, np.ascontiguousarray(wide[:, :2]), np.zeros(count, dtype))
    equal(built, "normalised_" + dtype, wide)
    equal(built, "sizes_named_" + dtype, 4 * wide, wide)
    for radius in (0, 1, 3):
        image = rows(dtype, 2 * count, columns).reshape(2, count, columns)
        equal(built, "channels_" + dtype, image, np.ones((2, count, 3), dtype), radius)
    for points in (wide, np.ascontiguousarray(wide[:, :2])):
        equal(built, "energy_" + dtype, points, 12)
        equal(built, "by_index_" + dtype, points, np.random.default_rng(count).permutation(count) - count // 3)


@pytest.mark.parametrize("dtype", NUMBERS)
@pytest.mark.parametrize("count", [0, 1, 31, 32, 65, 130])
@pytest.mark.parametrize("columns", [3, 5])
def test_numbers(built, dtype, count, columns):
    for by in (0, 1, 9):
        equal(built, "mixed_" + dtype, rows(dtype, count, columns), rows(dtype, count, 3), by)
    equal(built, "sorted_" + dtype, rows(dtype, count, columns), rows(dtype, count, 3))


def test_a_row_that_is_too_short_or_too_long_raises(built):
    for columns in (2, 4):
        messages = []
        for made in (built, PLAIN):
            out = np.full((70, 3), 7.0)
            with pytest.raises(ValueError) as raised:
                made.turned_float64(rows("float64", 70, 4), rows("float64", 70, columns), out)
            messages.append((str(raised.value), out.tolist()))
        assert messages[0] == messages[1]


def test_one_memory(built):
    results = []
    for made in (built, PLAIN):
        v = rows("float64", 101, 3)
        made.turned_float64(rows("float64", 100, 4), v[:-1], v[1:])
        made.mixed_float64(v, v, 2)
        results.append(v)
    np.testing.assert_array_equal(*results)


@pytest.mark.skipif(not shutil.which("clang++"), reason="needs clang++")
def test_clang_takes_it(tmp_path):
    (tmp_path / "points.py").write_text("import math\n\nfrom numba import njit, prange\nimport numpy as np\n" + TEXT)
    assert run_pyk2cu(tmp_path / "points.py", "-o", tmp_path).returncode == 0
    done = subprocess.run(["clang++", "-std=c++17", "-fopenmp", "-march=x86-64-v3", "-fsyntax-only", tmp_path / "points.v3.cpp"],
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_it_is_said(tmp_path):
    (tmp_path / "points.py").write_text("import math\n\nfrom numba import njit, prange\nimport numpy as np\n" + TEXT)
    said = run_pyk2cu("explain", tmp_path / "points.py").stdout
    lanes = {part.split("(")[0].split()[-1] for part in said.split("\n\n") if "faster where a row of" in part}
    assert lanes >= {"turned_float32", "turned_float64", "mixed_int32"}, lanes
