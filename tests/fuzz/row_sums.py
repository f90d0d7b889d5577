"""Random loops over rows with sums along each: with lanes and without, compared bit for bit.

    python tests/fuzz/row_sums.py --count 100 --seed 1 [--keep DIR] [--sanitize] [-- --march=x86-64-v2]

Sums, products, filters and extremes along a row, in order; what follows stores, raises, returns, hands something on to
the next row, or reads what the rows before it wrote. Arrays may be one array, or overlap.
"""
import pathlib
import random
import tempfile

import numpy as np

import gangs
import guards

SHAPES = [(0, 5), (1, 1), (3, 0), (4, 9), (5, 2), (8, 16), (9, 33), (17, 12), (23, 10)]
HELPERS = '''
@njit
def scaled(a, b):
    return a * 0.5 + b


@njit
def noted(out, a):
    out[0] += 1.0
    return a


@njit
def inverse(a):
    return 1.0 / a
'''


class Writer:
    def __init__(self, rng):
        self.rng = rng

    def pick(self, *choices):
        return self.rng.choice(choices)

    def row(self):
        return self.pick(*self.rows)

    def load(self):
        return self.pick(f"x[{self.row()}, j]", "x[i, j]", "x[i, j]", "w[j]", "x[i, j] * w[j]", f"y[{self.row()}, j]", "x[i, c[j]]", "(x[i, j] - d)",
                         "scaled(x[i, j], w[j])", "c[j]", "abs(x[i, j])", "v[i]", "x[i, m - 1 - j]", "row[j]")

    def chain(self, s):
        load = self.load()
        return self.pick([f"{s} += {load}"], [f"{s} += {load}"], [f"{s} -= {load} * {load}"], [f"{s} = {s} * 0.5 + {load}"], [f"{s} *= 1.0 + {load} * 0.125"],
                         [f"d2 = {load} - {s}", f"{s} += d2 * d2 * 0.125"], [f"{s} += {load}", f"y[i, j] = {s}"], [f"if {load} > 0.5:", f"    {s} += {load}"],
                         [f"{s} = max({s}, {load})"], [f"h = h * 31 + c[j]", f"{s} += {load}"], [f"{s} += {load}", f"t += {self.load()}"],
                         [f"v[i] += {load}"], [f"{s} += 1.0 / {load}"], [f"if {load} > 3.5:", "    break", f"{s} += {load}"])

    def loop(self, s):
        ends = self.pick("m", "m", "m", "x.shape[1]", "1, m", "m - 1", "len(w)", "len(c)", "min(i % 3, m)")
        if self.rng.random() < 0.15:
            return [f"for k in range(2):", f"    for j in range({ends}):", *("        " + line for line in self.chain(s))]
        return [f"for j in range({ends}):", *("    " + line for line in self.chain(s))]

    def front(self):
        s = self.pick("s", "s", "t")
        return [self.pick(f"{s} = 0.0", f"{s} = 0.0", f"{s} = x[i, 0]", f"{s} = v[i]", f"{s} = -0.0", f"{s} = p"), *self.loop(s),
                *self.pick([], [], [f"d = {s} / m"], [f"d = {s} * 0.25"], [f"if {s} > 1.0:", "    d = 0.5", "else:", f"    d = {s}"], [f"d = inverse({s})"])]

    def behind(self):
        return self.pick(["v[i] = s"], ["v[i] = s"], ["for j in range(m):", f"    y[{self.row()}, j] = x[i, j] - s"], ["for j in range(m):", "    y[i, j] = x[i, j] / s"],
                         ["for j in range(m):", "    w[j] += s * x[i, j]"], ["if s < least:", "    least = s", "    best = i"], ["total += s * 0.5"], ["if s > 4.0:", "    return s"],
                         ["if s > 6.0:", f"    {self.pick('continue', 'break')}"], ["total += noted(v, s)"], ["p = s"], ["y[i, 0] = s", "x[i, 0] = d"], ["v[i // 2] = s"],
                         ["total = scaled(total, s)"], ["while 1.0 < s < 9.0:", "    s *= 0.25", "v[i] = s"], ["best += int(s > d)"], ["v[best] = s"], ["total -= 1.0 / s"])

    def text(self, number):
        real = self.pick("float64", "float64", "float32")
        layout = self.pick(":, ::1", ":, ::1", ":, ::1", ":, :", "::1, :")
        parallel = self.rng.random() < 0.15
        self.rows = ["i"] if parallel else ["i", "i", "i", "i", "i", "i", "i - 1", "0", "n - 1 - i"]
        body = []
        if not parallel and self.rng.random() < 0.2:
            body.append("row = x[i]")
        for _ in range(self.rng.randint(1, 2)):
            piece = self.front()
            while parallel and any(word in line for line in piece for word in ("break", "v[i] +=", "y[", "row", "h = ", "- d")):
                piece = self.front()
            body += piece
        pieces = [self.behind() for _ in range(self.rng.randint(1, 2))]
        if parallel:
            pieces = [["v[i] = s"], ["for j in range(m):", "    y[i, j] = x[i, j] - s"]][: len(pieces)]
        for piece in pieces:
            body += piece
        names = "x, y, w, v, c, p"
        kinds = f"{real}[{layout}], {real}[{layout}], {real}[::1], float64[::1], int64[::1], float64"
        ends = self.pick("n", "n", "n", "x.shape[0]", "1, n", "len(v)")
        spell = "prange" if parallel else "range"
        return "\n".join([f'@njit("float64({kinds})"{", parallel=True" if parallel else ""})', f"def f{number}({names}):", "    n, m = x.shape",
                          "    s = t = d = total = 0.0", "    least = 1e9", "    best = h = i = j = 0", "    row = x[0]" if "row = x[i]" in body else "    row = w",
                          f"    for i in {spell}({ends}):", *("        " + line for line in body),
                          "    return total + least * 2.0 + best * 3.0 + h" + ("" if parallel else " + s * 0.25 + d + i"), ""])


def arguments(rng, shape, text, meets):
    signature = text.split('"')[1]
    real = np.float32 if "float32" in signature.split("[")[0] else np.float64
    n, m = shape
    pool = rng.choice([0.5, -0.25, 1.0, 2.0, 0.125, 3.0, -1.5, -0.0], (2, 2 * n + 4, 2 * m + 4)).astype(real)
    if rng.random() < 0.1:
        pool[0, rng.integers(0, len(pool[0]))] = rng.choice([np.nan, np.inf, -np.inf])
    layout = signature.split("[")[1].split("]")[0]
    cut = {":, ::1": lambda a, k: np.ascontiguousarray(a[k:n + k, :m]), ":, :": lambda a, k: a[k:2 * n + k:2, 1:2 * m + 1:2], "::1, :": lambda a, k: np.asfortranarray(a[k:n + k, :m])}[layout]
    x = cut(pool[0], 0)
    y = x if meets == "same" else cut(pool[1], 0)
    if meets == "shifted" and layout == ":, ::1" and m:
        whole = pool[0].reshape(-1)[:n * m + m + 3]
        x, y = whole[:n * m].reshape(n, m), whole[m:n * m + m].reshape(n, m)
    w = x[0] if meets == "row" and n and layout == ":, ::1" else pool[1, 0, :m].copy()
    return x, y, w, pool[1, 1, :1].repeat(n + 1)[: n].astype("f8"), rng.integers(0, max(m, 1), m), 0.75


def outcome(function, given):
    try:
        with np.errstate(all="ignore"):
            result = float(function(*given))
    except ZeroDivisionError as error:
        result = np.inf, str(error)
    return (guards.bits([result]) if isinstance(result, float) else result), *(guards.bits(a) for a in given[:4])


def copied(given):
    """The same arguments in other memory, those that share some sharing it there."""
    made = {}

    def copy(a):
        base = a
        while isinstance(base.base, np.ndarray):
            base = base.base
        if id(base) not in made:
            made[id(base)] = base.copy(order="K")
        new = made[id(base)]
        at = a.__array_interface__["data"][0] - base.__array_interface__["data"][0]
        return np.ndarray(a.shape, a.dtype, new.data if new.flags.c_contiguous else new.T.data, at, a.strides)

    return [copy(a) if isinstance(a, np.ndarray) else a for a in given]


def run(count, seed, extra, keep=None):
    """How many of the functions differ, how many calls were compared, how many loops take rows together; prints each function that differs."""
    rng = random.Random(seed)
    texts = [Writer(rng).text(k) for k in range(count)]
    text = "import numpy as np\nfrom numba import njit, prange\n\n" + HELPERS + "\n\n" + "\n\n".join(texts)
    bad = compared = taken = 0
    with tempfile.TemporaryDirectory() as directory:
        place = pathlib.Path(keep or directory)
        place.mkdir(exist_ok=True)
        modules = []
        for name, options in ("together", extra), ("plain", ["--no-lanes"]):
            (place / f"{name}.py").write_text(text)
            said = gangs.build(place / f"{name}.py", place / name, options)
            try:
                modules.append(gangs.load(place / name, name))
            except StopIteration:
                print(said[-3000:])
                return count, 0, 0
        made, plain = modules
        taken = sum(f.read_text().count("_rest = ") for f in (place / "together").glob("together*") if f.suffix in (".h", ".cpp"))
        values = np.random.default_rng(seed)
        for k in range(count):
            found = None
            for shape in SHAPES:
                if (shape[1] == 0 and ", 0]" in texts[k]) or (shape[0] == 0 and "x[0]" in texts[k]):
                    continue  # there is no such element
                for meets in ("apart", "apart", "same", "shifted", "row")[: 3 if "prange" in texts[k] else 5]:
                    given = arguments(values, shape, texts[k], meets)
                    compared += 1
                    results = [outcome(getattr(m, f"f{k}"), copied(given)) for m in (made, plain)]
                    if "prange" in texts[k] and not isinstance(results[0][0], bytes):
                        results = [r[:1] for r in results]  # how far other iterations got is not said
                    found = found or (results if results[0] != results[1] else None)
            if found:
                bad += 1
                print(f"f{k}: {found[0][0]} {found[1][0]}\n{texts[k]}")
    return bad, compared, taken


if __name__ == "__main__":
    raise SystemExit(gangs.main(run, "loops that take rows together"))
