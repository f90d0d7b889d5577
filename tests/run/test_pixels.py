"""Rows of a few bytes in lanes: what one by one gives, however many bytes there are to a row."""
import numpy as np
import pytest
from conftest import Batch, assert_same_effects, run_pyk2cu

TEXT = '''
@njit("void(uint8[:, :, :], uint8[:, :, :], uint8[:, :, :])", parallel=True)
def blended(front, back, out):
    for y in prange(front.shape[0]):
        for x in range(front.shape[1]):
            alpha = front[y, x, 3]
            for k in range(3):
                out[y, x, k] = (alpha * front[y, x, k] + (255 - alpha) * back[y, x, k] + 127) // 255

@njit("void(uint8[:, :, ::1], uint8[:, :, ::1])")
def coloured(rgb, hsv):
    for y in range(rgb.shape[0]):
        for x in range(rgb.shape[1]):
            r, g, b = int(rgb[y, x, 0]), int(rgb[y, x, 1]), int(rgb[y, x, 2])
            value = max(r, max(g, b))
            span = value - min(r, min(g, b))
            hue, saturation = 0, 0
            if span > 0:
                saturation = 255 * span // value
                if value == r:
                    hue = 43 * (g - b) // span
                    if hue < 0:
                        hue += 256
                elif value == g:
                    hue = 85 + 43 * (b - r) // span
                else:
                    hue = 171 + 43 * (r - g) // span
            hsv[y, x, 0] = hue
            hsv[y, x, 1] = saturation
            hsv[y, x, 2] = value

@njit("void(int8[:, ::1], int8[:, ::1], int64)")
def shifted(a, b, by):
    for i in range(len(a) - by):
        for k in range(2):
            b[i, k] = (3 * a[i + by, k] - a[i + by, 1]) // (1 + abs(a[i + by, 0]) % 7)

@njit("void(uint8[:, ::1], uint8[:, ::1])")
def far_turns(a, b):
    for i in range(len(a)):
        for k in range(-9223372036854775807, -9223372036854775805):
            b[i, 0] = a[i, k + 9223372036854775807] // 3 + a[i, 1] % 5

@njit("void(uint8[:, ::1], uint8[:, ::1])")
def written_out(a, b):
    for i in range(len(a)):
        x, y, z = a[i, 0], a[i, 1], a[i, 2]
        b[i, 2] = (x * 77 + y * 151 + z * 28) >> 8
        b[i, 0] = max(x, y) - min(y, z) if x > z else (x ^ y) // 3
        b[i, 1] = z

@njit("void(uint8[:, ::1], uint8[:, ::1])")
def swapped(a, b):
    for i in range(len(a)):
        total = 0
        for k in range(4):
            total += (a[i, k] * (k + 1)) % 11
            b[i, 3 - k] = a[i, k] ^ total
'''
OPTIONS = {"plain": ["--no-lanes"], "default": [], "checked": ["--boundscheck"], "v2": ["--march=x86-64-v2"], "eight": ["--gang=8"]}
MODULES = {name: Batch("pixels_" + name, options) for name, options in OPTIONS.items()}
for module in MODULES.values():
    module.add(TEXT)
PLAIN = MODULES["plain"]


@pytest.fixture(params=["default", "checked", "v2", "eight"])
def built(request):
    return MODULES[request.param]


def equal(made, function, *arrays):
    assert_same_effects(made, PLAIN, function, *arrays)


def bytes_of(rng, *shape):
    return rng.integers(0, 256, shape).astype(np.uint8)


@pytest.mark.parametrize("width", [0, 1, 31, 64, 65, 200])
@pytest.mark.parametrize("channels", [3, 4, 5])
def test_images(built, width, channels):
    """Rows of as many bytes as are named, and of more."""
    rng = np.random.default_rng(width)
    front, back, out = bytes_of(rng, 3, width, max(4, channels)), bytes_of(rng, 3, width, channels), bytes_of(rng, 3, width, channels)
    equal(built, "blended", front, back, out)
    equal(built, "coloured", back, out)
    equal(built, "swapped", bytes_of(rng, width, max(4, channels)), bytes_of(rng, width, 4))
    equal(built, "far_turns", bytes_of(rng, width, channels), bytes_of(rng, width, channels))
    equal(built, "written_out", bytes_of(rng, width, channels), bytes_of(rng, width, channels))
    for by in (0, 1, 7):
        equal(built, "shifted", bytes_of(rng, width, channels - 1).view(np.int8), bytes_of(rng, width, channels - 1).view(np.int8), by)
    grey = np.repeat(bytes_of(rng, 3, width, 1), 3, axis=2)
    equal(built, "coloured", np.ascontiguousarray(grey), np.zeros_like(grey))
    equal(built, "coloured", np.zeros_like(grey), grey)


def test_other_layouts_and_one_memory(built):
    rng = np.random.default_rng(1)
    image = bytes_of(rng, 5, 90, 4)
    results = []
    for made in (built, PLAIN):
        one, whole = image.copy(), image.copy()
        made.blended(one, one, one)
        made.blended(whole[:, ::-1][:, :45], whole[:, ::2], whole[:, 45:])
        rows = image.reshape(-1, 4).copy()
        made.swapped(rows[:-1], rows[1:])
        results.append((one.tolist(), whole.tolist(), rows.tolist()))
    assert results[0] == results[1]


def test_they_are_in_lanes(tmp_path):
    (tmp_path / "pixels.py").write_text("from numba import njit, prange\nimport numpy as np\n" + TEXT)
    said = run_pyk2cu("explain", tmp_path / "pixels.py").stdout
    lanes = {part.split("(")[0].split()[-1] for part in said.split("\n\n") if "where a row of" in part}
    assert lanes >= {"blended", "coloured", "shifted", "written_out"}, lanes
