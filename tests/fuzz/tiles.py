"""Random nests of two to five loops that add up products: every order, sums in variables and in elements, columns and rows,
batches, ends that hang on other loops, overlapping arrays. Compiled in tiles and without lanes, compared bit for bit.

    [CXX=clang++] python tests/fuzz/tiles.py --count 100 --seed 1 [--keep DIR] [--sanitize] [-- --gang=4 --march=native]
"""
import pathlib
import random
import sys
import tempfile

import numpy as np
from gangs import bits, build, load, main, outcome

DTYPES = ["float64", "float64", "float32", "float32", "int64", "int32", "uint8"]
SIZES = [0, 1, 2, 3, 4, 5, 7, 8, 9, 17, 33, 36, 40, 67]


class Writer:
    def __init__(self, rng, number):
        self.rng, self.number = rng, number
        self.own = ["i", "j"] + ["p"] * (rng.random() < 0.25)
        self.adding = ["k"] + ["l"] * (rng.random() < 0.2)
        self.types = {name: rng.choice(DTYPES) for name in ("a", "b", "out")}
        if rng.random() < 0.6:
            self.types["a"] = self.types["b"] = self.types["out"]
        self.kind = rng.choice(["element", "element", "scalar", "scalar", "two", "sunk", "branch", "other", "cleared", "before"])
        self.at = list(self.own)
        rng.shuffle(self.at)
        alike = rng.random() < 0.7  # a[i, k] and b[k, j]
        self.reads = {name: self.subscripts([n for n in self.own if n != other] if alike else None) for name, other in (("a", "j"), ("b", "i"))}
        self.parallel = rng.random() < 0.3
        self.layout = rng.choice(["C", "C", "C", "F", "any"])

    def subscripts(self, own):
        rng = self.rng
        names = (own or rng.sample(self.own, rng.randint(0, len(self.own) - 1))) + rng.sample(self.adding, rng.randint(1, len(self.adding)))
        rng.shuffle(names)
        return [rng.choice([n, n, n, n, f"{n} + 1", f"{n} - 1"]) for n in names]

    def bounds(self, name):
        rng = self.rng
        end = {"i": "n", "j": "m", "p": "3", "k": "q", "l": "2"}[name]
        if name == "k" and rng.random() < 0.1:
            return f"range({end}, {end} + n - 3)"  # may turn never
        if name == "k" and self.kind in ("scalar", "two") and rng.random() < 0.1:
            return "range(i)"
        return f"range({end})" if rng.random() < 0.85 else f"range(1, {end})"

    def text(self):
        rng = self.rng
        whole = self.types["out"][0] in "iu"
        a, b = (f"{name}[{', '.join(at)}]" for name, at in self.reads.items())
        if whole:
            a, b = (f"int({x})" if self.types[x[0]][0] == "f" else x for x in (a, b))
        out = f"out[{', '.join(self.at)}]"
        product = rng.choice([f"{a} * {b}", f"{a} * {b}", f"{b} - {a}", f"({a} - {b}) * ({a} - {b})", f"min({a}, {b})", f"{a} * {b} + {b}"])
        op = rng.choice(["+=", "+=", "+=", "-=", "*="])
        inner = list(self.adding)
        loops = self.own + inner
        lines, pad = [], "    "
        if self.kind in ("element", "sunk", "other"):
            outer = list(loops)
            rng.shuffle(outer)
            if self.adding == ["k", "l"] and outer.index("k") > outer.index("l") and rng.random() < 0.5:
                outer.remove("l"), outer.append("l")
            body = [f"{out} {op} {product}"]
            if self.kind == "sunk":
                last = outer[-1]
                body = [f"{out} {op} kept * {b if b.startswith('int') or not whole else b}"]
                free = last not in " ".join(self.reads["a"])
                head = f"kept = {a}"
                if not free:
                    body.insert(0, head)
                    head = None
            if self.kind == "other":
                body.append(f"{out} {rng.choice(['+=', '-='])} {b}")
            for depth, name in enumerate(outer):
                if self.kind == "sunk" and head and depth == len(outer) - 1:
                    lines.append(pad + head)
                bounds = self.bounds(name)
                if depth == 0 and self.parallel and name in self.own:
                    bounds = "p" + bounds
                lines.append(f"{pad}for {name} in {bounds}:")
                pad += "    "
            lines += [pad + line for line in body]
        elif self.kind == "before":  # a loop of its own that clears, or reads
            first = rng.choice(self.own)
            rest = [n for n in loops if n != first]
            rng.shuffle(rest)
            bounds = self.bounds(first)
            lines.append(f"{pad}for {first} in {'p' if self.parallel else ''}{bounds}:")
            for name in (n for n in self.own if n != first):
                pad += "    "
                lines.append(f"{pad}for {name} in {self.bounds(name)}:")
            lines.append(f"{pad}    {out} {rng.choice(['=', '=', '+='])} {rng.choice(['1', '0', '2', b if not set('kl') & set(b) else '3'])}")
            pad = "    "
            for name in rest:
                pad += "    "
                lines.append(f"{pad}for {name} in {self.bounds(name)}:")
            lines.append(f"{pad}    {out} {op} {product}")
        else:
            outer = list(self.own)
            rng.shuffle(outer)
            for depth, name in enumerate(outer):
                bounds = self.bounds(name)
                if depth == 0 and self.parallel:
                    bounds = "p" + bounds
                lines.append(f"{pad}for {name} in {bounds}:")
                pad += "    "
            zero = rng.choice(["0", "1", out]) if whole else rng.choice(["0.0", "1.0", out])
            lines.append(f"{pad}total = {zero}")
            if self.kind == "two":
                lines.append(f"{pad}other = {zero}")
            for name in inner:
                lines.append(f"{pad}for {name} in {self.bounds(name)}:")
                pad += "    "
            if self.kind == "cleared":
                lines[-len(inner) - 1] = f"{pad[:-4 * len(inner)]}{out} {rng.choice(['=', '+='])} {rng.choice(['0', '1', '5'])}"
                lines.append(f"{pad}{out} {op} {product}")
            elif self.kind == "branch":
                lines += [f"{pad}if {a} > {b}:", f"{pad}    total {op} {product}"]
            else:
                lines.append(f"{pad}total {op} {product}")
            if self.kind == "two":
                lines.append(f"{pad}other += {b}")
            pad = pad[:-4 * len(inner)]
            if self.kind != "cleared":
                lines.append(f"{pad}{out} = total{' - other' if self.kind == 'two' else ''}")
        ranks = {"a": len(self.reads["a"]), "b": len(self.reads["b"]), "out": len(self.at)}
        end = {"C": "::1", "F": ":", "any": ":"}[self.layout]
        first = "::1" if self.layout == "F" else ":"

        def array(name):
            rank = ranks[name]
            axes = [":"] * rank
            if rank == 1:
                axes = ["::1" if self.layout != "any" else ":"]
            else:
                axes[0], axes[-1] = first, end
            return f"{self.types[name]}[{', '.join(axes)}]"
        signature = f"void({array('a')}, {array('b')}, {array('out')}, int64, int64, int64)"
        self.ranks = ranks
        return "\n".join([f'@njit("{signature}", parallel={self.parallel})', f"def f{self.number}(a, b, out, n, m, q):", *lines, "    return", ""])


def arguments(writer, values, sizes, same):
    room = {"i": sizes[0], "j": sizes[1], "p": 3, "k": sizes[2] + max(sizes[0], 3), "l": 2}

    def array(name, at):
        shape = [max(room[n[0]], 1 if name != "out" else 0) + 1 for n in at]
        made = values.integers(-9, 30, shape)
        made = made.astype(writer.types[name]) if writer.types[name][0] in "iu" else (made / 4).astype(writer.types[name])
        if writer.types[name][0] == "f" and made.size > 3 and values.random() < 0.3:
            made.flat[values.integers(0, made.size)] = values.choice([np.nan, np.inf, -0.0])
        return np.asarray(made, order="F" if writer.layout == "F" else "C")
    a, b, out = (array(name, at) for name, at in [*writer.reads.items(), ("out", writer.at)])
    if same == "same":
        for_a = writer.types["a"] == writer.types["out"] and a.ndim == out.ndim
        a = np.resize(out, a.shape) if for_a and a.shape != out.shape else out if for_a else a
        if for_a and a is not out and a.size <= out.size and writer.layout != "F":
            a = out.reshape(-1)[:a.size].reshape(a.shape)
    if same == "strided" and writer.layout == "any":
        a, b, out = (np.repeat(x, 2, axis=-1)[..., ::2] for x in (a, b, out))
    return [a, b, out, *sizes]


def run(count, seed, extra, keep=None):
    """How many differ, calls, tiles; prints each that differs."""
    rng = random.Random(seed)
    writers = [Writer(rng, k) for k in range(count)]
    texts = [w.text() for w in writers]
    bad = compared = 0
    with tempfile.TemporaryDirectory() as directory:
        place = pathlib.Path(keep or directory)
        place.mkdir(exist_ok=True)
        source = "import numpy as np\nfrom numba import njit, prange\n\n\n" + "\n".join(texts)
        for name, out, options in [("tiled", "l", extra), ("plain", "p", ["--no-lanes", "--march=x86-64"])]:
            (place / f"{name}.py").write_text(source)
            said = build(place / f"{name}.py", place / out, options)
            if not list((place / out).glob("*.so")):
                print(said[-3000:])
                return 1, 0, 0
        tiled, plain = load(place / "l", "tiled"), load(place / "p", "plain")
        emitted = [place / "l/tiled.cpp", place / "l/tiled.lanes.h"]
        tiles = sum(p.read_text().count("lanes::gang<") for p in emitted if p.exists())
        values = np.random.default_rng(seed)
        for w, text in zip(writers, texts):
            f, g = getattr(tiled, f"f{w.number}", None), getattr(plain, f"f{w.number}", None)
            if (f is None) != (g is None):
                bad += 1
                print(f"f{w.number}: built in one only\n{text}")
            if f is None or g is None:
                continue
            for _ in range(8):
                sizes = [rng.choice(SIZES) for _ in range(3)]
                same = rng.choice(["", "", "same", "strided"]) if not w.parallel else ""
                state = values.bit_generator.state
                ours = arguments(w, values, sizes, same)
                values.bit_generator.state = state
                theirs = arguments(w, values, sizes, same)
                first, second = outcome(f, ours), outcome(g, theirs)
                compared += 1
                if first != second or bits(ours[2]) != bits(theirs[2]):
                    bad += 1
                    print(f"f{w.number} sizes {sizes} {same}: {first} {second}\n{text}")
                    break
    return bad, compared, tiles


if __name__ == "__main__":
    sys.exit(main(run, "tiles"))
