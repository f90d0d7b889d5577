"""Floats chosen by what arrays hold, for which later iterations wait through memory: bit for bit as CPython does it."""
import numpy as np
import pytest
from conftest import Batch

built = Batch("diffusion")
for name in ("float32", "float64"):
    for how, new in {
        "of": f"np.{name}(1) if old >= np.{name}(0.5) else np.{name}(-0.0)",
        "most": f"old if old < np.{name}(0.75) else np.{name}(0.75)",
        "not": f"-old if old != np.{name}(0.25) else old",
    }.items():
        built.add(f'''
@njit("void({name}[:, :])")
def dither_{how}_{name}(image):
    """Floyd and Steinberg's, whose next pixel waits for this one's error."""
    h, w = image.shape
    for y in range(h):
        for x in range(w):
            old = image[y, x]
            new = {new}
            image[y, x] = new
            error = old - new
            if x + 1 < w:
                image[y, x + 1] += error * np.{name}(0.4375)
            if y + 1 < h and x > 0:
                image[y + 1, x - 1] += error * np.{name}(0.1875)
            if y + 1 < h:
                image[y + 1, x] += error * np.{name}(0.3125)
''')
    built.add(f'''
@njit("void({name}[:], {name})")
def overflow_{name}(x, most):
    """What one vessel cannot hold goes to the next one but one; by statements."""
    for i in range(len(x) - 2):
        level = x[i]
        if level > most:
            carry = level - most
        else:
            carry = np.{name}(0)
        x[i] = level - carry
        x[i + 2] += carry

@njit("void({name}[:], {name})")
def down_{name}(x, most):
    for i in range(len(x) - 1, 0, -1):
        level = x[i]
        carry = level * most if level == level else np.{name}(-1)
        x[i - 1] = x[i - 1] + carry

@njit("void({name}[:], {name}[:])")
def ahead_{name}(x, y):
    """No iteration waits for another: the element it reads was not stored yet."""
    for i in range(len(x) - 1):
        level = x[i + 1]
        kept = level if level > y[i] else y[i]
        x[i] = kept * np.{name}(0.5)

@njit("{name}({name}[:, :])")
def steepest_{name}(x):
    """By what two arrays hold, of a row that the next one reads."""
    total = np.{name}(0)
    for i in range(1, x.shape[0]):
        for j in range(1, x.shape[1]):
            over = x[i - 1, j] if x[i - 1, j] <= x[i, j - 1] else x[i, j - 1]
            x[i, j] = x[i, j] + over
            total = total + over
    return total
''')


def images(dtype):
    rng = np.random.default_rng(5)
    whole = rng.standard_normal((19, 33)).astype(dtype)
    odd = whole.copy()
    odd[rng.random(odd.shape) < 0.1] = np.nan
    odd[rng.random(odd.shape) < 0.1] = np.inf
    odd[rng.random(odd.shape) < 0.1] = -0.0
    return [whole, odd, whole[::-1, ::-2], odd.T, whole[:1], whole[:, :1], whole[:0], whole[:, :0]]


def bits(value):
    value = np.asarray(value)
    return np.where(np.isnan(value), 7, value).tobytes() + np.isnan(value).tobytes()


def agree(name, array, *args):
    ours, expected = array.copy(order="K"), array.copy(order="K")
    with np.errstate(all="ignore"):
        result, right = getattr(built, name)(ours, *args), getattr(built.plain, name)(expected, *args)
    assert bits(ours) == bits(expected), name
    if right is not None:
        assert bits(array.dtype.type(result)) == bits(right), name


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", ["dither_of", "dither_most", "dither_not", "steepest"])
def test_images(name, dtype):
    for image in images(dtype):
        agree(f"{name}_{dtype}", image)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", ["overflow", "down", "ahead"])
def test_lines(name, dtype):
    for image in images(dtype):
        for line in (image.ravel(), image.ravel()[::-3]):
            agree(f"{name}_{dtype}", line, line * line.dtype.type(0.5) if name == "ahead" else line.dtype.type(0.3))


def test_what_waits_has_no_branch():
    text = built.emitted
    assert text.count("pyk::blend(pyk::compared(old) ") == 6
    assert text.count("pyk::blend(pyk::compared(level) ") == 4
