"""Random straight loops of guards (`continue`), branches by a value or at the loop's ends, and sums that only some
turns make, from 0.0, -0.0 or anything: compiled, and by the interpreter, compared bit for bit.

    python tests/fuzz/guards.py --count 300 --seed 1 [--keep DIR] [--sanitize] [-- --gang=8]

All numbers are multiples of 1/4 or zeros of either sign, NaN here and there; arrays may be one array.
"""
import pathlib
import random
import tempfile

import numpy as np

import gangs

SIZES = [2, 3, 8, 17, 33, 70]
HELPERS = '''
@njit
def helper(a, b):
    if b > 0.5:
        return a + b
    return a


@njit
def pick(a, b):
    t = a - b
    return t if b < 0.0 else a
'''


class Writer:
    def __init__(self, rng):
        self.rng = rng

    def operand(self):
        return self.rng.choice(["x[i]", "y[i]", "s", "t", "w", "0.5", "-1.0", "float(i)", "0.0", "-0.0"])

    def value(self, depth=2):
        if depth == 0 or self.rng.random() < 0.3:
            return self.operand()
        left, right = self.value(depth - 1), self.operand()
        return self.rng.choice([f"({left} + {right})", f"({left} - {self.value(depth - 1)})", f"({left} * {right})",
                                f"max({left}, {right})", f"abs({right})", f"(-{right})",
                                f"({left} if {self.test()} else {right})"])

    def test(self):
        of = self.rng.choice(["x[i]", "y[i]", "x[i]", "w"])
        test = self.rng.choice([f"{of} > 0.0", f"{of} <= 0.5", f"{of} == 0.0", f"{of} != {of}", "c[i] % 2 == 0", "c[i] & 1",
                                "c[i] > 2", "i > 0", "i == n - 1", "i < 3"])
        if self.rng.random() < 0.2:
            test = f"{test} and {self.test()}"
        return f"not ({test})" if self.rng.random() < 0.1 else test

    def statement(self, pad):
        s = self.rng.choice("sst")
        added = self.rng.choice(["x[i]", "y[i]", "w * x[i]", "x[i] * y[i]", "0.0", "-0.0", "0.25", self.value(1),
                                 f"helper({s}, x[i])", f"x[i] if {self.test()} else 0.0"])
        lines = self.rng.choice([
            [f"{s} += {added}"], [f"{s} += {added}"], [f"{s} -= {added}"], [f"{s} = {added} + {s}"],
            [f"{s} = {s} + x[i] if {self.test()} else {s}"], [f"{s} = pick({s}, y[i])"], [f"out[i] = {self.value()}"],
            [f"out[i] += {self.operand()}"], [f"k += {self.rng.choice(['1', 'c[i]', 'i'])}"],
            [f"q = {s} + {self.operand()}", f"if {self.test()}:", f"    {s} = q"],
            [f"{s} = {self.operand()} * {s} + {self.operand()}"], [f"{s} *= {self.operand()}"],
            [f"{s} = {s} * 0.5 - {self.operand()}", "k -= 2"], [f"r = {self.operand()} - 0.25", f"{s} -= r * 0.5"],
            [f"{s} += 1.0", f"{self.rng.choice('st')} -= {self.rng.choice('xy')}[i]"], [f"{s} = {self.operand()}"]])
        return [pad + line for line in lines]

    def side(self, pad, depth):
        return self.block(pad + "    ", depth - 1) if depth else self.statement(pad + "    ")

    def block(self, pad, depth):
        lines = []
        for _ in range(self.rng.randint(1, 3)):
            kind = self.rng.random()
            if kind < 0.4:
                lines += self.statement(pad)
                continue
            lines += [f"{pad}if {self.test()}:"]
            ends = [f"{pad}    continue"]
            if kind < 0.5:
                lines += ends
                continue
            lines += self.side(pad, depth) + (ends if self.rng.random() < 0.5 else [])
            if kind < 0.7:
                continue
            if self.rng.random() < 0.3:
                lines += [f"{pad}elif {self.test()}:", *self.statement(pad + "    ")]
            lines += [f"{pad}else:", *self.side(pad, depth), *(ends if self.rng.random() < 0.2 else [])]
        return lines

    def choice(self, pad):
        """A branch on data whose sides count and decay, without calls."""
        def test():
            return self.rng.choice(["x[i] > 0.0", "y[i] <= 0.5", "x[i] != x[i]", "x[i] > y[i]", "c[i] > 2", "bool(c[i])",
                                    "x[i] > 0.0 or y[i] > 0.5", "not (c[i] == 1 and y[i] > 0.0)"])

        def side(pad):
            lines = []
            for _ in range(self.rng.randint(1, 3)):
                s, a, b = self.rng.choice("sstq"), *self.rng.choices(["x[i]", "y[i]", "w", "s", "t", "0.5", "-1.0", "-0.0"], k=2)
                lines.append(self.rng.choice([
                    f"{s} += {a}", f"{s} -= {a}", f"{s} *= {a}", f"{s} = {a} * {s} + {b}", f"{s} = {s} * {a} - {b} * 0.5",
                    f"{s} = {a} - {s}", f"{s} = {a}", f"{s} = -{s}", f"r = {a} - {b}; {s} = r + {s}", "k += 1", "k -= c[i]",
                    f"{s} = ({s} - {a}) * 0.5", f"r = {a} + {b}", f"{s} += r"]))
            return [pad + line for line in lines]

        inner = pad + "    "
        lines = [f"{pad}if {test()}:", *side(inner)]
        kind = self.rng.random()
        if kind < 0.2:
            lines += [f"{inner}if {test()}:", *side(inner + "    ")]
        if kind < 0.1 or 0.6 < kind < 0.8:
            lines += [f"{pad}elif {test()}:", *side(inner)]
        lines += [f"{pad}else:", *side(inner)] if kind < 0.7 else []
        if self.rng.random() < 0.4:  # past what follows
            lines += [f"{pad}if {test()}:", f"{inner}{self.rng.choice(['continue', 'break'])}"]
        if self.rng.random() < 0.5:
            lines = [f"{pad}if w < 5.0:", *("    " + line for line in lines)]
        if self.rng.random() < 0.6:
            lines.append(f"{pad}{self.rng.choice('rtq')} = {self.rng.choice(['0.25', 'y[i]', 's'])}")
        return lines

    def text(self, number):
        layout = self.rng.choice(["::1", ":"])
        array = f"float64[{layout}]"
        loop = self.rng.choice([["    for i in range(n):"], ["    for i in range(n):"],
                                ["    i = -1", "    while i < n - 1:", "        i += 1"]])
        return "\n".join([
            f'@njit("float64({array}, {array}, int64[{layout}], {array}, float64, float64)")',
            f"def f{number}(x, y, c, out, s, w):", "    n = len(x)",
            f"    t = {self.rng.choice(['0.0', '-0.0', 's', '1.0', 'w'])}", "    q = r = s", "    k = 0", *loop,
            *(self.choice("        ") if self.rng.random() < 0.4 else self.block("        ", 1)),
            "    out[0] = t", "    out[1] = k",
            f"    return {self.rng.choice(['s', 's + t'])}", ""])


def bits(values):
    """Of NaN only where it is: neither side says which one it gives."""
    values = np.array(values, np.float64)
    values[np.isnan(values)] = np.nan
    return np.where(np.isnan(values), 0.0, values).tobytes() + np.isnan(values).tobytes()


def arguments(rng, size, kind):
    x = rng.choice([0.0, -0.0, 1.0, -1.0, 0.25, 3.0], size) if kind else np.zeros(size)
    y = rng.choice([0.0, -0.0, 1.0, -1.0, 0.75], size) if kind > 1 else np.full(size, -0.0)
    if kind == 3:
        x[rng.integers(size)] = np.nan
    return x, y, rng.integers(-3, 6, size), np.full(size, -0.0)


def differs(f, plain, given, s, alias):
    """The calls' results, if they differ or leave other values behind; else None."""
    results = []
    for function, start in (f, s), (plain, np.float64(s)):
        x, y, c, out = (a.copy() for a in given)
        out = x if alias else out
        with np.errstate(all="ignore"):
            result = function(x, y, c, out, start, type(start)(-0.0))
        results.append((bits([result]), bits(x), bits(out), result))
    return None if results[0][:3] == results[1][:3] else (results[0][3], results[1][3])


def run(count, seed, extra, keep=None):
    """How many of the functions differ, how many calls were compared, how many values are chosen by bits; prints each
    function that differs."""
    rng = random.Random(seed)
    texts = [Writer(rng).text(k) for k in range(count)]
    text = "import numpy as np\nfrom numba import njit\n\n" + HELPERS + "\n\n" + "\n\n".join(texts)
    plain, bad, compared = {}, 0, 0
    exec(text.replace("from numba import njit", "njit = lambda f: (lambda g: g) if isinstance(f, str) else f"), plain)
    with tempfile.TemporaryDirectory() as directory:
        place = pathlib.Path(keep or directory)
        place.mkdir(exist_ok=True)
        (place / "guarded.py").write_text(text)
        said = gangs.build(place / "guarded.py", place / "out", extra)
        try:
            built = gangs.load(place / "out", "guarded")
        except StopIteration:
            print(said[-3000:])
            return count, 0, 0
        values = np.random.default_rng(seed)
        chosen = sum(f.read_text().count("pyk::blend(") for f in (place / "out").glob("guarded*") if f.suffix in (".h", ".cpp"))
        for k in range(count):
            found = None
            for size in SIZES:
                for kind in range(4):
                    given = arguments(values, size, kind)
                    for s in (-0.0, 0.0, 2.5):
                        compared += 1
                        found = found or differs(getattr(built, f"f{k}"), plain[f"f{k}"], given, s, compared % 2)
            if found:
                bad += 1
                print(f"f{k}: {found}\n{texts[k]}")
    return bad, compared, chosen


if __name__ == "__main__":
    raise SystemExit(gangs.main(run, "values chosen by bits"))
