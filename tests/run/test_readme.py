"""What README and pages show is what the compiler prints and makes."""
import json
import re

from conftest import ROOT, run_pyk2cu

# What the pages of rules show, from somewhere in the middle of a function.
SHOWN = '''import math
import numpy as np
from numba import njit


# ---- emission.md ----
@njit("float64(float64)")
def half(x):
    return x / 2


@njit("float64(float64, float64)")
def ratio(x, y):
    return x / y


@njit("int64(int32, uint8, int64)")
def sums(i, u, n):
    a = n + 1
    b = i * i + u
    return a ^ b

@njit("void(float64[::1], float64)")
def scale(a, factor):
    for i in range(len(a)):
        a[i] *= factor

@njit
def moved(x, v, dt):
    y = np.empty(3)
    for k in range(3):
        y[k] = x[k] + dt * v[k]
    return y

@njit("float64[::1](float64[::1], float64[::1], int64)")
def path(x, v, n):
    for _ in range(n):
        x = moved(x, v, 0.5)
    return x

@njit("void(float64[:, ::1], float64[::1])")
def totals(a, out):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            out[i] += a[i, j]

@njit("void(float64[::1], float64)")
def turned(a, angle):
    for i in range(len(a)):
        a[i] *= math.cos(angle)

@njit("int64(float64[::1])")
def place(a):
    best = 0
    for i in range(1, len(a)):
        if a[i] > a[best]:
            best = i
    return best

@njit("void(uint8[:, ::1], uint8[:, ::1])")
def crest(image, out):
    n, m = image.shape
    for i in range(n):
        for j in range(m):
            count = 0
            for di in range(-1, 2):
                if image[(i + di) % n, j] > image[i, j]:
                    count += 1
            out[i, j] = count

@njit("int64(float64[::1], float64)")
def streak(x, limit):
    run = best = 0
    for i in range(len(x)):
        if x[i] > limit:
            run += 1
            best = max(best, run)
        else:
            run = 0
    return best

@njit("float64(float64[:], boolean[:], float64)")
def decay(x, seen, a):
    mean = 0.0
    for i in range(len(x)):
        if seen[i]:
            mean = a * x[i] + (1 - a) * mean
    return mean

@njit("void(float64[:, ::1], float64[::1], float64[:, ::1])")
def weighed(a, w, out):
    for i in range(a.shape[0]):
        s = 0.0
        for j in range(a.shape[1]):
            s += a[i, j] * w[j]
        out[i, 0] = s

@njit("int64(uint8[:])")
def total(image):
    s = 0
    for v in image:
        s += v
    return s

@njit("void(float64[::1], float64[::1])")
def orders(a, out):
    for i in range(a.size - 1):
        x = a[i]
        y = a[i + 1]
        if x > y:
            x, y = y, x
        if y > 9.0:
            y = x
        out[i] = x - y

@njit("void(float64[::1], uint8[::1])")
def clips(a, out):
    for i in range(a.size):
        x = a[i] * 1.5
        out[i] = max(0, min(255, int(x)))


@njit("float64(float64[::1], float64[::1])")
def product(x, y):
    return x @ y


@njit("float64[:,:](float64[:,::1], float64[:,::1])")
def matrices(a, b):
    return a @ b


@njit("float64[:](float64[::1], float64[::1])")
def squares_apart(a, b):
    sum = a + b
    difference = a - b
    return sum * difference


@njit
def weight(x):
    if x < 0.0:
        return 0.0
    if x < 1.0:
        return x
    return 1.0


@njit("void(float64[::1], float64[::1])")
def weights(values, out):
    for i in range(len(values)):
        out[i] = weight(values[i])


@njit("float64[:](float64[::1], float64)")
def above(x, t):
    out = np.empty(x.size)
    k = 0
    for i in range(x.size):
        if x[i] > t:
            out[k] = x[i]
            k += 1
    return out[:k]
'''


def blocks_of(page, language):
    found = re.findall(r"^```(\w*)\n(.*?)^```$", (ROOT / page).read_text(), re.M | re.S)
    return [text for what, text in found if what == language]


def code_of(line):
    """Without the comment that explains it, and without the number of a line."""
    return re.sub(r"_\d+\)", "_N)", re.sub(r"\s*//.*", "", line)).strip()


def test_the_readme_shows_the_cpp_of_its_python(tmp_path):
    (python,), (cpp,) = blocks_of("README.md", "python"), blocks_of("README.md", "cpp")
    (tmp_path / "sum2d.py").write_text(python)
    done = run_pyk2cu(tmp_path / "sum2d.py", "-o", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    assert cpp in (tmp_path / "out/sum2d.lanes.h").read_text()


def test_the_readme_names_every_flag():
    said = run_pyk2cu("--help").stdout
    flags = set(re.findall(r"^  (?:-\w,)?(--?[\w-]+)", said, re.M)) - {"-h", "--help", "--version", "--indent"}
    shown = next(block for block in blocks_of("README.md", "") if block.startswith("pyk2cu FILES"))
    short = {"--out": "-o", "--quiet": "-q", "--verbose": "-v"}
    missing = [flag for flag in flags if not re.search(rf"(?<![\w-]){short.get(flag, flag)}\b", shown)]
    assert not missing
    said += run_pyk2cu("check", "--help").stdout + run_pyk2cu("record", "--help").stdout + \
        run_pyk2cu("explain", "--help").stdout
    unknown = [flag for flag in re.findall(r"(?<![\w-])--[\w-]+", shown) if flag not in said]
    assert not unknown


def test_the_readme_names_every_command_of_dev():
    script, page = (ROOT / "cmd/dev").read_text(), (ROOT / "README.md").read_text()
    commands = set(re.findall(r"^  (\w+)\) ", script, re.M)) - {"lint"}
    assert {name for name in commands if f"cmd/dev {name}" in page} == commands


def test_the_rules_of_emission_show_what_comes_out(tmp_path):
    (tmp_path / "k.py").write_text(SHOWN)
    done = run_pyk2cu("k.py", "-o", "out", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    emitted = {code_of(line) for name in ("k.cpp", "k.lanes.h") for line in (tmp_path / "out" / name).read_text().splitlines()}
    shown = [code_of(line) for block in blocks_of("docs/emission.md", "cpp") for line in block.splitlines()]
    assert len(shown) >= 6 and [line for line in shown if line not in emitted] == []


def test_the_page_on_shipping_shows_the_package(tmp_path):
    package = ROOT / "samples/package"
    (drop_in,) = blocks_of("docs/shipping.md", "python")
    assert (package / "src/geodist/track.py").read_text().replace("  # noqa: F403", "").endswith(drop_in)
    layout = blocks_of("docs/shipping.md", "")[0]
    assert 'requires = ["setuptools>=70.1", "numpy>=2.0.2"]' in layout
    assert 'requires = ["setuptools>=70.1", "numpy>=2.0.2"]' in (package / "pyproject.toml").read_text()
    (call,) = re.findall(r"setup\(\*\*.*\)", layout)
    assert f"\n{call}\n" in (package / "setup.py").read_text()
    assert (package / "MANIFEST.in").read_text().startswith("graft generated\n") and "graft generated\n" in layout


def test_the_page_on_shipping_names_every_key_of_a_manifest(tmp_path):
    (tmp_path / "k.py").write_text(SHOWN.replace("def half(x)", "def half(x=1.0)"))
    assert run_pyk2cu("k.py", "-o", "out", cwd=tmp_path).returncode == 0
    manifest = json.loads((tmp_path / "out/k.json").read_text())
    page = (ROOT / "docs/shipping.md").read_text()
    keys = {*manifest, *(key for entry in manifest["entries"] for key in entry),
            *(key for entry in manifest["entries"] for overload in entry["overloads"] for key in overload),
            *(key for source in manifest["sources"] for key in source)} - {"//"}
    assert [key for key in sorted(keys) if f"`{key}`" not in page] == []
