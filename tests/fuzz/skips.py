"""Random loops most of whose turns do nothing: with lanes and without, compared bit for bit.

    python tests/fuzz/skips.py --count 100 --seed 1 [--keep DIR] [--sanitize] [-- --march=x86-64-v2]

Filters, searches, places of extremes, sums of what is rare; elements that are there only behind a guard, what a turn
changes that others ask, ways out, loops inside, variables that are read behind the loop. Arrays may be one array.
"""
import pathlib
import random
import tempfile

import numpy as np

import gangs
import guards

SIZES = [1, 31, 33, 70, 300]
HELPERS = '''
@njit
def far(a, b):
    return abs(a - b) > 1.5


@njit
def noted(out, a):
    out[1] += 1
    return a + out[1]
'''
HEADER = 'f{0}(x, c, out, s, m)'


class Writer:
    def __init__(self, rng):
        self.rng = rng

    def pick(self, *choices):
        return self.rng.choice(choices)

    def value(self):
        return self.pick("x[i]", "x[i]", "d", "s", "t", "x[best]", "x[i] * 0.5", "1.5", "-0.0", "float(c[i])", "abs(x[i])")

    def test(self, depth=2):
        if depth and self.rng.random() < 0.35:
            joint = self.pick("and", "and", "or")
            return f"({self.test(depth - 1)} {joint} {self.test(depth - 1)})"
        one = self.pick("x[i] > s", "x[i] > 1.5", "x[i] < -t", "x[i] > x[best]", "c[i] == 3", "c[i] > c[best]", "d > 1.0", "x[i] != x[i]",
                        "x[i] != 1.0", "c[i] & 4", "far(x[i], s)", "np.isnan(x[i])", "x[i] == x[0]", "c[i] % 7 == 3", "x[i] + s > t + 2.0",
                        "(i > 0 and x[i] != x[i - 1])", "(i + 1 < len(x) and x[i + 1] < x[i])", "(i >= 3 and c[i - 3] > 4)", "(i == 0 or c[i] < c[i - 1] - 5)",
                        "c[k] > 3", "(x[i] > 1.5) & (noted(out, s) > t)", "noted(out, x[i]) > s", "min(x[i], 2.0) > t", "i == m", "x[-1] < x[i]", "c[i] > q")
        return f"not ({one})" if self.rng.random() < 0.1 else one

    def statement(self):
        s = self.pick("s", "t")
        return self.pick([f"{s} += {self.value()}"], [f"{s} = {self.value()}"], ["best = i"], ["k = (k + 1) % len(c)"], ["if q < len(out):", "    out[q] = i", "    q += 1"],
                         ["out[c[i] % len(out)] += 1.0"], [f"x[i] = {self.value()}"], ["x[(i + 1) % len(x)] = 2.0"], ["c[i] = -2"], ["k = c[i] % len(c)"],
                         [f"{s} = noted(out, {self.value()})"], [f"for j in range(i % 4):", f"    {s} -= x[j]", "    if x[j] > 1.0:", f"        {self.pick('break', 'continue')}"],
                         [f"{s} = 1.0 / (x[i] + 2.5)"], ["break"], ["continue"], [f"return {self.value()}"], [f"{s} -= 0.25", "best = i"])

    def block(self, pad, depth):
        lines = []
        for _ in range(self.rng.randint(1, 2)):
            if depth and self.rng.random() < 0.35:
                lines += self.branch(pad, depth - 1)
            else:
                lines += [pad + line for line in self.statement()]
        return lines

    def branch(self, pad, depth):
        lines = [f"{pad}if {self.test()}:", *self.block(pad + "    ", depth)]
        while self.rng.random() < 0.25:
            lines += [f"{pad}elif {self.test()}:", *self.block(pad + "    ", depth)]
        if self.rng.random() < 0.1:
            lines += [f"{pad}else:", *self.block(pad + "    ", 0)]
        return lines

    def text(self, number):
        kind = self.pick("int64", "uint8", "int16", "int32")
        real = self.pick("float64", "float64", "float32")
        layout = self.pick("::1", "::1", "::1", ":")
        ends = self.pick("len(x)", "len(x)", "0, len(x)", "1, len(x)", "m", "len(x) - 1")
        own = self.pick([], ["d = x[i] - s"], ["d = x[i] * 2.0", "if d < 0.0:", "    d = -d"], ["d = abs(x[i])", "v = i"], ["v = c[i]"])
        body = [f"        {line}" for line in own]
        for _ in range(self.rng.randint(1, 3)):
            body += self.branch("        ", 1)
        if self.rng.random() < 0.1:
            body.insert(0, "        k = (k + 1) % len(c)")
        if self.rng.random() < 0.15:  # behind the end
            ends = "m * 3"
            body[:0] = ["        if i >= len(c):", f"            {self.pick('break', 'continue')}"]
        return "\n".join([f'@njit("float64({real}[{layout}], {kind}[{layout}], float64[:], float64, int64)")', f"def {HEADER.format(number)}:",
                          "    best = k = q = v = i = 0", "    d = t = 0.5", f"    for i in range({ends}):", *body,
                          "    out[0] += t + best * 3 + k * 5 + q", "    return s + d * 0.25 + v + i * 7", ""])


def arguments(rng, size, types, rare):
    x = np.where(rng.integers(0, 1000, size) < rare, rng.choice([2.0, -3.0, -0.0, 9.0, -2.5, np.nan, 1.75], size), 1.0)
    c = np.where(rng.integers(0, 1000, size) < rare, rng.integers(0, 9, size), 1)
    return x.astype(types[0]), c.astype(types[1]), np.zeros(max(size // 2, 2)), float(rng.choice([1.25, 0.0, -1.0])), int(rng.integers(0, size + 1))


def outcome(function, given):
    args = [np.copy(a) if isinstance(a, np.ndarray) else a for a in given]
    try:
        with np.errstate(all="ignore"):
            result = float(function(*args))
    except ZeroDivisionError as error:
        result = np.inf, str(error)
    return (guards.bits([result]) if isinstance(result, float) else result), *(guards.bits(a) for a in args[:3])


def run(count, seed, extra, keep=None):
    """How many of the functions differ, how many calls were compared, how many loops ask ahead; prints each function that differs."""
    rng = random.Random(seed)
    texts = [Writer(rng).text(k) for k in range(count)]
    text = "import numpy as np\nfrom numba import njit\n\n" + HELPERS + "\n\n" + "\n\n".join(texts)
    bad = compared = asking = 0
    with tempfile.TemporaryDirectory() as directory:
        place = pathlib.Path(keep or directory)
        place.mkdir(exist_ok=True)
        modules = []
        for name, options in ("skipped", extra), ("plain", ["--no-lanes"]):
            (place / f"{name}.py").write_text(text)
            said = gangs.build(place / f"{name}.py", place / name, options)
            try:
                modules.append(gangs.load(place / name, name))
            except StopIteration:
                print(said[-3000:])
                return count, 0, 0
        made, plain = modules
        asking = sum(f.read_text().count("busy < 4 ? 32") for f in (place / "skipped").glob("skipped*") if f.suffix in (".h", ".cpp"))
        values = np.random.default_rng(seed)
        for k in range(count):
            types = [part.split("[")[0].split("(")[-1].strip() for part in texts[k].split('"')[1].split(",")[:2]]
            found = None
            for size in SIZES:
                for rare in (0, 15, 150, 900):
                    given = arguments(values, size, types, rare)
                    compared += 1
                    results = [outcome(getattr(m, f"f{k}"), given) for m in (made, plain)]
                    found = found or (results if results[0] != results[1] else None)
            if found:
                bad += 1
                print(f"f{k}: {found[0][0]} {found[1][0]}\n{texts[k]}")
    return bad, compared, asking


if __name__ == "__main__":
    raise SystemExit(gangs.main(run, "loops that ask ahead"))
