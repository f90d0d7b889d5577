"""Random loops that pick elements into new arrays, compared with CPython bit for bit.

    python tests/fuzz/compactions.py --count 100 --seed 1 [--keep DIR] [--sanitize] [-- --boundscheck]

Arrays filled with zeros, ones or what the caller says, one or both sides of a branch, counters that are shared, begin below
0, anew in every row or are counted twice, arrays and counters that conditions and values read, views, loops that are left.
"""
import pathlib
import random
import tempfile

import numpy as np

import gangs
import guards

SIZES = [0, 1, 3, 40, 70, 300]
FILLS = ["np.zeros({n})", "np.ones({n})", "np.full({n}, 3.5)", "np.full({n}, t)", "np.zeros({n} + 3)"]
RANGES = ["x.size", "x.size", "1, x.size", "x.size - 1, -1, -1", "0, x.size, 2"]
TESTS = ["x[i] > t", "x[i] < t", "not x[i] > t", "x[i] > t and y[i] < t", "x[i] > t or y[i] < t", "w[i] % 2 == 0", "w[i] > 3", "x[i] != y[i]",
         "y[i] > t and k < 5", "x[i] < t - 1", "x[i] > z[0]", "np.isnan(x[i])", "x[i] > t and 0 <= w[i] < x.size", "k < m"]
VALUES = ["x[i]", "x[i]", "2 * x[i] + y[i]", "float(i)", "float(k)", "y[i] - t", "float(w[i])", "1.0", "x[i] - y[i] * t"]
OTHERS = ["x[i] / 4.0", "x[w[i] % x.size]", "x[w[i]]", "a[0]", "np.sqrt(x[i] * x[i])"]
COUNTERS = {"a": "k", "b": "m", "c": "q"}


class Writer:
    def __init__(self, rng):
        self.rng = rng

    def pick(self, *choices):
        return self.rng.choice(choices)

    def seldom(self, share):
        return self.rng.random() < share

    def value(self):
        return self.pick(*OTHERS) if self.seldom(0.1) else self.pick(*VALUES)

    def side(self, pad):
        array = self.pick(*"abc")
        k = COUNTERS[self.pick(*"abc") if self.seldom(0.1) else array]
        lines = [f"{array}[{k}] = {self.value()}"]
        if self.seldom(0.2):
            lines.append(f"{self.pick(*'abc')}[{self.pick(k, k, 'k', 'm')}] = {self.value()}")
        lines.append(f"{k} += {2 if self.seldom(0.05) else 1}")
        if self.seldom(0.05):
            lines.append(f"{self.pick('k', 'm')} += 1")
        if self.seldom(0.07):
            lines.append(self.pick("break", "continue"))
        return [pad + line for line in lines]

    def loop(self, pad):
        lines, inside = [f"{pad}for i in range({self.pick(*RANGES)}):"], pad + "    "
        if self.seldom(0.15):
            lines += [f"{inside}if y[i] > 8.5:", f"{inside}    {self.pick('break', 'continue')}"]
        for _ in range(self.pick(1, 1, 2)):
            lines += [f"{inside}if {self.pick(*TESTS)}:", *self.side(inside + "    ")]
            if self.seldom(0.4):
                lines += [f"{inside}else:", *self.side(inside + "    ")]
        if self.seldom(0.1):
            lines.append(f"{inside}s = {self.pick(*'abc')}[0]")
        return lines

    def text(self, number):
        fills = [self.pick(*FILLS).format(n="(2 * x.size + 4)") for _ in "abc"]
        lines = ['@njit("Tuple((float64[:], float64[:], float64[:], int64, int64, int64))(float64[:], float64[:], int64[:], float64)")',
                 f"def f{number}(x, y, w, t):", "    s = 0.0"]
        lines += ["    a, b, c = " + ", ".join(fills)] if self.seldom(0.3) else [f"    {name} = {fill}" for name, fill in zip("abc", fills)]
        lines += [f"    k = {self.pick(0, 0, 0, 1, 2, -1, 'int(t)')}", f"    m = {self.pick(0, 0, 1, 'k')}", "    q = 0",
                  f"    z = {self.pick('y', 'y', 'y', 'y', 'a', 'a[1:]')}"]
        if self.seldom(0.35):
            lines.append("    for _ in range(2):")
            lines += ["        k = 0"] * self.seldom(0.4) + ["        a = np.zeros(2 * x.size + 4)"] * self.seldom(0.3) + self.loop("        ")
            lines += ["        b[0] += a[1]"] * self.seldom(0.3)
            if self.seldom(0.2):
                lines += ["        if k > 3:", f"            {self.pick('break', 'continue', 'return b, a, c, m, k, q')}"]
        else:
            lines += self.loop("    ") + (self.loop("    ") if self.seldom(0.4) else [])
        return "\n".join([*lines, "    b[0] += s", "    return a, b, c, k, m, q", ""])


def arguments(rng, size, t):
    x, y = (rng.integers(-9, 9, size).astype(float) for _ in range(2))
    x[2:3] = np.nan
    return x, y, rng.integers(-3, 9, size), t


def outcome(function, given):
    """None: CPython refuses a subscript, which we take at its word."""
    try:
        with np.errstate(all="ignore"):
            a, b, c, *counters = function(*map(np.copy, given[:3]), given[3])
    except IndexError:
        return None
    return [guards.bits(array) for array in (a, b, c)], counters


def run(count, seed, extra, keep=None):
    """How many of the functions differ, how many calls were compared, how many stores have no branch; prints each function that differs."""
    rng = random.Random(seed)
    texts = [Writer(rng).text(k) for k in range(count)]
    text = "import numpy as np\nfrom numba import njit\n\n\n" + "\n\n".join(texts)
    plain = {}
    exec(text.replace("from numba import njit", "njit = lambda types: lambda f: f"), plain)  # as CPython runs it
    bad = compared = 0
    with tempfile.TemporaryDirectory() as directory:
        place = pathlib.Path(keep or directory)
        place.mkdir(exist_ok=True)
        (place / "picks.py").write_text(text)
        said = gangs.build(place / "picks.py", place / "picks", extra)
        try:
            made = gangs.load(place / "picks", "picks")
        except StopIteration:
            print(said[-3000:])
            return count, 0, 0
        picked = sum(f.read_text().count(".shape(0)) ") for f in (place / "picks").glob("picks*") if f.suffix in (".h", ".cpp"))
        values = np.random.default_rng(seed)
        for k in range(count):
            for size in SIZES:
                given = [arguments(values, size, t) for t in (-3.0, 0.0, 2.0)]
                expected = [outcome(plain[f"f{k}"], one) for one in given]
                differ = [one for one, e in zip(given, expected) if e is not None and outcome(getattr(made, f"f{k}"), one) != e]
                compared += sum(e is not None for e in expected)
                if differ:
                    bad += 1
                    print(f"f{k}, {size} elements, t = {differ[0][3]}\n{texts[k]}")
                    break
    return bad, compared, picked


if __name__ == "__main__":
    raise SystemExit(gangs.main(run, "stores without a branch"))
