"""Products beside one another are rounded before they are added to, in every body: g++ 12 contracts a * b - c beside d * e + f."""
import re
import subprocess

import numpy as np
import pytest
from conftest import Batch

TEXT = '''
@njit("void(float64[:, ::1], float64, float64)")
def turned(p, c, s):
    for i in range(p.shape[0]):
        x = p[i, 0]
        y = p[i, 1]
        p[i, 0] = c * x - s * y
        p[i, 1] = s * x + c * y

@njit("void(float32[::1], float32[::1], float32[::1])")
def pairs(a, b, out):
    for i in range(len(a) // 2):
        out[2 * i] = a[2 * i] * b[2 * i] - a[2 * i + 1] * b[2 * i + 1]
        out[2 * i + 1] = a[2 * i] * b[2 * i + 1] + a[2 * i + 1] * b[2 * i]

@njit("void(complex128[::1], complex128[::1], complex128[::1])")
def products(a, b, out):
    for i in range(len(a)):
        out[i] = a[i] * b[i] + out[i]

@njit("void(complex64[::1], complex64[::1], complex64[::1])")
def quotients(a, b, out):
    for i in range(len(a)):
        out[i] = a[i] / b[i] - out[i] * a[i]

@njit("void(complex128[:, ::1], complex128[:, ::1], complex128[:, ::1])")
def matrices(a, b, c):
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            s = 0j
            for k in range(a.shape[1]):
                s += b[k, j] * a[i, k]
            c[i, j] = s

@njit("void(complex128[::1], complex128, complex128[::1])")
def turns(z, c, out):
    for i in range(len(z)):
        x = z[i]
        n = 0
        while x.real * x.real + x.imag * x.imag < 4 and n < 20:
            x = x * x + c
            n += 1
        out[i] = x

@njit
def difference(a, b, c):
    return a * b - c * c

@njit("void(float64[::1], float64[::1])")
def by_helper(a, out):
    for i in range(len(out) // 2):
        out[2 * i] = difference(a[2 * i], a[2 * i + 1], a[i])
        out[2 * i + 1] = a[2 * i] * a[i] + a[2 * i + 1]

@njit("float64(float64[:, ::1])")
def sums(v):
    even, odd = 0.0, 0.0
    for i in range(v.shape[0]):
        even += v[i, 0] * v[i, 1]
        odd -= v[i, 1] * v[i, 2]
    return even - odd
'''
# How the products p of one element, q of its neighbour come to c: the compiler sees through all of these.
FORMS = {
    "named": "p = a[2 * i] * b[2 * i]; q = a[2 * i + 1] * b[2 * i + 1]; out[2 * i] = p - c[2 * i]; out[2 * i + 1] = q + c[2 * i + 1]",
    "updated": "p = a[2 * i] * b[2 * i]; p -= c[2 * i]; q = a[2 * i + 1] * b[2 * i + 1]; q += c[2 * i + 1]; out[2 * i] = p; out[2 * i + 1] = q",
    "multiplied": "p = a[2 * i]; p *= b[2 * i]; q = a[2 * i + 1]; q *= b[2 * i + 1]; out[2 * i] = p - c[2 * i]; out[2 * i + 1] = q + c[2 * i + 1]",
    "called": "out[2 * i] = mul(a[2 * i], b[2 * i]) - c[2 * i]; out[2 * i + 1] = mul(a[2 * i + 1], b[2 * i + 1]) + c[2 * i + 1]",
    "in_tuple": "t = (a[2 * i] * b[2 * i], a[2 * i + 1] * b[2 * i + 1]); out[2 * i] = t[0] - c[2 * i]; out[2 * i + 1] = t[1] + c[2 * i + 1]",
    "subscripts": "k = 2 * i; l = k + 1; out[k] = a[k] * b[k] - c[k]; out[l] = a[l] * b[l] + c[l]",
    "left_constant": "out[2 * i] = a[2 * i] * b[2 * i] - c[2 * i]; out[1 + 2 * i] = a[1 + 2 * i] * b[1 + 2 * i] + c[1 + 2 * i]",
    "unrolled": "for s in range(2): p = a[2 * i + s] * b[2 * i + s]; out[2 * i + s] = p - c[2 * i + s] if s == 0 else p + c[2 * i + s]",
    "negated": "out[2 * i] = a[2 * i] * b[2 * i] - c[2 * i]; out[2 * i + 1] = a[2 * i + 1] * b[2 * i + 1] - -c[2 * i + 1]",
    "added": "out[2 * i] = a[2 * i] * b[2 * i] + -c[2 * i]; out[2 * i + 1] = a[2 * i + 1] * b[2 * i + 1] + c[2 * i + 1]",
    "absolute": "out[2 * i] = abs(a[2 * i] ** 2) - c[2 * i]; out[2 * i + 1] = abs(a[2 * i + 1] ** 2) + c[2 * i + 1]",
    "angles": "out[2 * i] = np.radians(a[2 * i]) - c[2 * i]; out[2 * i + 1] = np.radians(a[2 * i + 1]) + c[2 * i + 1]",
    "stored_first": "out[2 * i] = a[2 * i] * b[2 * i]; out[2 * i + 1] = a[2 * i + 1] * b[2 * i + 1]; out[2 * i] -= c[2 * i]; out[2 * i + 1] += c[2 * i + 1]",
}
LINES = {  # of several lines: subscripts that change where the text does not
    "turned_in_while": """j = 0
        while j < 2:
            s, t = a[2 * i + j] * b[2 * i + j], c[2 * i + j] * b[2 * i + j]
            out[2 * i + j] = s - t if j == 0 else s + t
            j += 1""",
    "by_name": """for j in range(2):
            k = 1 - j
            k = 2 * i + 1 - k
            s, t = a[k] * b[k], c[k] * b[k]
            if j == 0:
                out[k] = s - t
            else:
                out[k] = s + t""",
    "moved_on": """k = 2 * i
        out[k] = a[k] * b[k] - c[k] * b[k]
        k += 1
        out[k] = a[k] * b[k] + c[k] * b[k]""",
}
FORMS.update(LINES)
TEXT += """
@njit
def mul(x, y):
    return x * y
""" + "".join(f"""
@njit("void(float64[::1], float64[::1], float64[::1], float64[::1])")
def form_{name}(a, b, c, out):
    for i in range(len(out) // 2):
        {form}
""" for name, form in FORMS.items())
OPTIONS = {"v1": ["--no-lanes", "--march=x86-64"], "default": [], "strict": ["--fp=strict"], "plain": ["--no-lanes"],
           "v3": ["--march=x86-64-v3"], "v4": ["--march=x86-64-v4"], "eight": ["--gang=8"]}
MODULES = {name: Batch("products_" + name, options) for name, options in OPTIONS.items()}
for module in MODULES.values():
    module.add(TEXT)


def arguments(rng, name, n):
    if name.startswith("form_"):
        return list(rng.standard_normal((4, 2 * n)))

    def complexes(*shape):
        return rng.standard_normal(shape) + 1j * rng.standard_normal(shape)
    return {"turned": lambda: [rng.standard_normal((n, 2)), 0.8, 0.6], "pairs": lambda: list(rng.standard_normal((3, 2 * n)).astype("float32")),
            "products": lambda: list(complexes(3, n)), "quotients": lambda: list(complexes(3, n).astype("complex64")),
            "matrices": lambda: [complexes(5, n), complexes(n, 33), complexes(5, 33)], "turns": lambda: [complexes(n), 0.1 + 0.2j, complexes(n)],
            "by_helper": lambda: [rng.standard_normal(2 * n), np.zeros(2 * n)], "sums": lambda: [rng.standard_normal((n, 3))]}[name]()


NAMES = ["turned", "pairs", "products", "quotients", "matrices", "turns", "by_helper", "sums"] + ["form_" + name for name in FORMS]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("option", [o for o in OPTIONS if o != "v1"])
def test_values(name, option):
    """What a processor without fused operations computes."""
    if option == "v4" and "avx512bw" not in open("/proc/cpuinfo").read():
        pytest.skip("no such processor")
    for n in (0, 1, 3, 16, 65):
        results = []
        for module in (MODULES["v1"], MODULES[option]):
            args = arguments(np.random.default_rng(n), name, n)
            with np.errstate(all="ignore"):
                returned = getattr(module, name)(*args)
            results.append([returned] + [a.tobytes() for a in args if isinstance(a, np.ndarray)])
        assert results[0] == results[1], (name, n)


def test_no_body_holds_fused_operations():
    batch = MODULES["strict"]
    batch.turned  # builds it
    path = next(batch.directory.glob("*.so"))
    text = subprocess.run(["objdump", "-d", path], capture_output=True, text=True, check=True).stdout
    assert not re.findall(r"vfm(?:addsub|subadd)\w+", text)
