"""Random loops whose iterations part: nested branches, loops of different lengths, breaks, early returns, gathers,
exceptions, overlapping arrays. Compiled in lanes and without (--no-lanes), compared bit for bit, but for
which NaN it is.

    [CXX=clang++] python tests/fuzz/gangs.py --count 300 --seed 1 [--keep DIR] [--sanitize] [-- --gang=4 --march=native]

Every loop variable is bounded, so that each program ends. With `prange` an iteration touches its own elements only.
"""
import argparse
import importlib.util
import os
import pathlib
import random
import subprocess
import sys
import tempfile

import numpy as np
import sanitizers

ROOT = pathlib.Path(__file__).resolve().parents[2]
SIZES = [0, 1, 3, 15, 16, 17, 33, 64, 65, 130]
FLOATS, INTS = ["x", "y", "acc"], ["c", "t"]
DTYPES = ["float64", "float64", "float32", "int64", "int32", "uint8"]


class Writer:
    def __init__(self, rng, number):
        self.rng, self.number = rng, number
        self.types = {name: rng.choice(DTYPES) for name in ("a", "b", "out")}
        self.parallel = rng.random() < 0.35
        self.raises = rng.random() < 0.25
        self.helper, self.pair, self.rows = rng.random() < 0.5, rng.random() < 0.4, rng.random() < 0.4
        self.total = rng.choice(["", "", "total += {}", "total = max(total, {})", "count += 1", "total < ", "total > "])
        self.borders = rng.random() < 0.4
        self.points = rng.choice([0, 0, 3, 4, 4])  # of the four columns of m, those that it names
        self.own = rng.choice(["", "", "zeros(n + 3)", "full(n + 1, s)", "full(5, float(i))", "ones(4, np.float32)", "zeros(n + 2, np.int32)"])
        self.loops = self.depth = 0

    # ---- expressions ------------------------------------------------------------------------------------------
    def number_(self):
        return self.rng.choice(["0.5", "2.0", "-1.5", "3.0", "s", "float(n)", "0.0", "1e-3"])

    def float_(self, depth=2):
        rng = self.rng
        if depth == 0 or rng.random() < 0.3:
            return rng.choice(FLOATS + [self.number_(), "float(i)", "float(c)", "b[n % len(b)]" if rng.random() < 0.3 else "x"])
        a, b = self.float_(depth - 1), self.float_(depth - 1)
        return rng.choice([f"({a} + {b})", f"({a} - {b})", f"({a} * {b})", f"min({a}, {b})", f"max({a}, {b})", f"abs({a})",
                           f"math.sqrt(abs({a}))", f"({a} if {self.test(0)} else {b})", f"({a} / (1.0 + abs({b})))"])

    def int_(self, depth=2):
        rng = self.rng
        if depth == 0 or rng.random() < 0.3:
            return rng.choice(INTS + ["i", "n", "1", "7", "-3", "idx[i]"])
        a, b = self.int_(depth - 1), self.int_(depth - 1)
        return rng.choice([f"({a} + {b})", f"({a} - {b})", f"({a} * {b})", f"({a} & {b})", f"({a} ^ {b})", f"({a} % 7)", f"({a} >> 2)",
                           f"({a} // 3)", f"({a} % ({b} * {b} + 1))", f"({a} // (abs({b} % 5) + 1))", f"min({a}, {b})", f"({a} << 1)"])

    def test(self, depth=2):
        rng = self.rng
        if depth > 0 and rng.random() < 0.35:
            return rng.choice([f"({self.test(depth - 1)} and {self.test(depth - 1)})", f"({self.test(depth - 1)} or {self.test(depth - 1)})",
                               f"(not {self.test(depth - 1)})"])
        op = rng.choice(["<", "<=", ">", ">=", "==", "!="])
        pick = rng.random()
        inner = min(depth, 1)
        if pick < 0.2:
            return rng.choice(["n > 3", "s > 0.5", "len(b) > 2", "n % 2 == 0"])  # the same for all
        if pick < 0.3:
            return rng.choice([f"{self.int_(1)} % 2 == {rng.choice([0, 1])}", f"{self.int_(1)} & 1", f"{self.int_(1)} % 2 != 0"])
        return f"{self.float_(inner)} {op} {self.float_(inner)}" if pick < 0.65 else f"{self.int_(inner)} {op} {self.int_(inner)}"

    # ---- statements -------------------------------------------------------------------------------------------
    def block(self, pad, depth, inside):
        return [line for _ in range(self.rng.randint(1, 3)) for line in self.statement(pad, depth, inside)]

    def statement(self, pad, depth, inside):
        rng = self.rng
        if self.borders and rng.random() < 0.4:
            return self.border(pad)
        if self.own and rng.random() < 0.25:
            return self.own_array(pad)
        if self.points and rng.random() < 0.3:
            return self.point(pad)
        pick = rng.random()
        if depth > 0 and pick < 0.28:
            lines = [f"{pad}if {self.test()}:"] + self.block(pad + "    ", depth - 1, inside)
            if rng.random() < 0.4:
                lines += [f"{pad}else:"] + self.block(pad + "    ", depth - 1, inside)
            return lines
        if depth > 0 and pick < 0.45:
            self.loops += 1
            j = f"j{self.loops}"
            if rng.random() < 0.4:
                lines = [f"{pad}{j} = 0", f"{pad}while {j} < {rng.choice(['9', 'n', 'c % 6', '12'])} and {self.test(1)}:", f"{pad}    {j} += 1"]
            else:
                bounds = rng.choice(["5", "n", "c % 5", "t % 4, 6", "2, c % 9", "i % 7", "8, t % 6, -1", "n % 3, 9, 2"])
                lines = [f"{pad}for {j} in range({bounds}):"]
            body = self.block(pad + "    ", depth - 1, True)
            if rng.random() < 0.5:
                body.insert(rng.randint(0, len(body)) if rng.random() < 0.5 else 0, f"{pad}    {rng.choice(['x', 'acc'])} += {j} * 0.5")
            return lines + self.fix(body, pad + "    ")
        if inside and pick < 0.55:
            return [f"{pad}if {self.test()}:", f"{pad}    {rng.choice(['break', 'continue', 'break'])}"]
        if pick < 0.62:
            return [f"{pad}if 0 <= {(k := self.int_(1))} < len(b):", f"{pad}    {rng.choice(FLOATS)} = float(b[{k}])"]
        if pick < 0.66 and self.helper:
            return [f"{pad}{rng.choice(FLOATS)} = helper{self.number}({self.float_(1)}, {self.int_(1)} % 8, b)"]
        if pick < 0.70 and self.pair:
            text = f"pair{self.number}({self.float_(1)}, {self.int_(1)})"
            return [rng.choice([f"{pad}{rng.choice(FLOATS)}, {rng.choice(INTS)} = {text}",
                                f"{pad}p = {text}\n{pad}if p[1] > {self.int_(0)}:\n{pad}    p = (p[0] * 0.5, p[1] - 1)\n"
                                f"{pad}{rng.choice(FLOATS)} = p[0] + p[1]"])]
        if pick < 0.74 and self.rows:
            set_ = f"{pad}row = m[{rng.choice(['i', 'i', f'{self.int_(1)} % len(m)', '-1 - i', '0'])}]"
            use = f"{pad}{rng.choice(FLOATS)} = row[{rng.choice(['0', '1', '-1', f'{self.int_(1)} % len(row)'])}] + row[2]"
            return rng.choice([[set_, use], [set_, use], [set_], [use]])
        if pick < 0.83:
            name = rng.choice(FLOATS)
            return [rng.choice([f"{pad}{name} = {self.float_()}", f"{pad}{name} += {self.float_(1)}", f"{pad}{name} *= 0.5"])]
        name = rng.choice(INTS)
        return [rng.choice([f"{pad}{name} = {self.int_()}", f"{pad}{name} += 1", f"{pad}{name} = {name} ^ {self.int_(1)}"])]

    # Of a row of a few numbers, the iteration's own.
    def point(self, pad):
        rng, name, last = self.rng, self.rng.choice(FLOATS), self.points - 1
        column = rng.choice([0, last, rng.randint(0, last)])
        reads = [[f"{pad}{name} = m[i, {column}] * 0.5 + m[i, {last}]"], [f"{pad}for q in range({self.points}):", f"{pad}    {name} += m[i, q] * 0.25"]]
        if self.parallel and self.rows:  # which are those of other iterations too
            return rng.choice(reads)
        return rng.choice(reads + [
            [f"{pad}m[i, {column}] = {self.float_(1)}"],
            [f"{pad}if {self.test(1)}:", f"{pad}    m[i, {column}] += {rng.choice(FLOATS)}"],
            [f"{pad}for q in range({min(2, last)}, {self.points}):", f"{pad}    if m[i, q] > {self.float_(0)}:", f"{pad}        m[i, q] = -{name}",
             f"{pad}        {rng.choice(['c', 't'])} += q"]])

    # An array that every iteration makes.
    def own_array(self, pad):
        rng, name = self.rng, self.rng.choice(FLOATS)
        at = rng.choice(["0", "-1", "n", f"j{self.loops}" if self.loops else "1", f"({self.int_(1)}) % len(tmp)", "len(tmp) - 1", "i % len(tmp)"])
        at = at if "%" in at or at in ("0", "-1") else f"({at}) % len(tmp)"
        value = f"{rng.choice(FLOATS)} % 100.0" if "int" in self.own else rng.choice(FLOATS)
        value = f"int({value}) if {value} == {value} else 1" if "int" in self.own else value
        return rng.choice([[f"{pad}tmp[{at}] = {value}"], [f"{pad}{name} = tmp[{at}] * 0.5"], [f"{pad}tmp[{at}] += 1"],
                           [f"{pad}tmp, other = other, tmp"], [f"{pad}put{self.number}(tmp, n, {value})"],
                           [f"{pad}for w in range(1, len(tmp)):", f"{pad}    tmp[w] = tmp[w - 1] + {value}", f"{pad}{name} = tmp[-1]"],
                           [f"{pad}{name} = tmp[n] if n < len(tmp) and tmp[n] > 0 else 1.0"]])

    # What is special at both ends of the loop.
    def border(self, pad):
        rng, d = self.rng, self.rng.randint(0, 3)
        self.loops += 1
        w, name = f"w{self.loops}", rng.choice(FLOATS)
        array = rng.choice(["a", "a", "a", "b"])
        if not self.parallel and rng.random() < 0.15:  # handed on, or given by one iteration
            return rng.choice([[f"{pad}if i == {rng.choice(['0', 'len(a) - 1'])}:", f"{pad}    {rng.choice(['prev', 'x'])} = prev * 0.5 + {name}"],
                               [f"{pad}if i > {d}:", f"{pad}    {name} += prev"], [f"{pad}prev = {name} * 0.25"]])
        if (pick := rng.random()) < 0.4:
            at = rng.choice([f"max(i - {d}, 0)", f"min(i + {d}, len({array}) - 1)", f"(i + {d}) % len({array})", f"(i - {d}) % len({array})",
                             "max(i - n, 0)", f"min(max(i + {d} - n, 0), len({array}) - 1)", f"i - {min(d, 1)}"])
            return [f"{pad}{name} = float({array}[{at}])"]
        if pick < 0.7:
            test = rng.choice([f"i >= {d} and i < len({array}) - {d}", f"not (i < {d} or i + {d} >= len({array}))", f"i - {d} >= 0 and i + {d} < len({array})"])
            return [f"{pad}if {test}:", f"{pad}    {name} = {array}[i - {d}] - {array}[i + {d}]",
                    *([f"{pad}else:", f"{pad}    {rng.choice(INTS)} += 1"] if rng.random() < 0.4 else [])]
        if pick < 0.85:
            return [f"{pad}for {w} in range(max(0, i - {rng.choice([d, 'n'])}), min(len({array}), i + {d})):",
                    f"{pad}    {rng.choice(['acc', 'x'])} += {array}[{w}] * 0.5"]
        if pick < 0.92:
            low, high = rng.choice([f"i - {d}", "i - n", "i"]), rng.choice([f"i + {d}", "i + 1", "i + n", "i"])
            test = [f"{pad}    if {array}[{w} % len({array})] > {rng.choice(FLOATS)}:", f"{pad}        {rng.choice(['break', 'continue', 'c += 1'])}"]
            return [f"{pad}for {w} in range({low}, {high}):", *(test if rng.random() < 0.4 else []),
                    f"{pad}    {rng.choice(['acc', 'x'])} += {array}[{w} % len({array})] * 0.5"]
        at = rng.choice([f"min(max(i + {w}, 0), len({array}) - 1)", f"(i + {w}) % len({array})"])
        return [f"{pad}for {w} in range({rng.choice([-d, '-n'])}, {d + 1}):", f"{pad}    {rng.choice(['acc', 'x'])} += {array}[{at}]"]

    # An inserted line must not part a header from its body.
    def fix(self, body, pad):
        out = []
        for k, line in enumerate(body):
            before = body[k - 1] if k else ""
            if before.rstrip().endswith(":") and len(line) - len(line.lstrip()) <= len(before) - len(before.lstrip()):
                line = " " * (len(before) - len(before.lstrip()) + 4) + line.lstrip()
            out.append(line)
        return out

    def text(self):
        rng, n = self.rng, self.number
        out = []
        if self.helper:
            out += [f"@njit\ndef helper{n}(z, m, b):", "    k = 0", "    while k < 10:", f"        if z > {rng.choice(['3.0', '0.5', '-1.0'])}:",
                    f"            return {rng.choice(['z * 0.5', 'float(k)', '-z'])}", "        if k > m:",
                    f"            {rng.choice(['return 1.0', 'break', 'return z'])}", f"        z = z * {rng.choice(['1.5', '0.9', '-1.1'])} + 0.25",
                    "        k += 1", f"    return z - {rng.choice(['1.0', 'float(m)', 'float(k)'])}", ""]
        if self.pair:
            out += [f"@njit\ndef pair{n}(z, m):", "    for k in range(4):", "        if z > m:", "            return z * 0.5, k",
                    "        z = z * 1.5 + 1.0", "    return z, m", ""]
        if self.own:
            out += [f"@njit\ndef put{n}(to, k, value):", "    if k < len(to):", "        to[k] = value", ""]
        args = ", ".join([f"{self.types['a']}[:]", f"{self.types['b']}[:]", "int64[:]", f"{self.types['out']}[:]", "int64", "float64", "float64[:, :]"])
        option = ", parallel=True" if self.parallel else ""
        out += [f'@njit("float64({args})"{option})', f"def f{n}(a, b, idx, out, n, s, m):", "    total = 0.0", "    count = 0"]
        if self.borders and not self.parallel:
            out += ["    prev = 0.5"]
        if self.rows and not self.parallel:
            out += ["    row = m[0]"]
        end = "len(a)" if self.borders else rng.choice(["len(out)", "len(out)", "len(out)", "int(m[0, 3] * 0) + len(out)", "min(len(a), len(out))"])
        out += [f"    for i in {'prange' if self.parallel else 'range'}({end}):",
                *(["        row = m[i]"] if self.rows and (self.parallel or rng.random() < 0.5) else []),
                "        x = float(a[i])", "        y = s", "        acc = 0.0", "        c = idx[i]", "        t = i"]
        if self.own:
            out += [f"        tmp = np.{self.own}", f"        other = np.{self.own}"]
        body = self.block("        ", 2 if self.borders else 3, False)
        if self.raises:
            body.insert(rng.choice([0, len(body)]), f"        if {self.test(1)} and {self.test(1)}:\n            raise ValueError('no', i)")
        out += body
        if self.total.endswith(" "):
            extreme = self.float_(1)
            out += [f"        if {self.test(1)}:", f"            if {self.total}{extreme}:", f"                total = {extreme}"]
        elif self.total:
            line = self.total.format(self.float_(1))
            out += [f"        if {self.test(1)}:", f"            {line}"] if rng.random() < 0.5 else [f"        {line}"]
        value = rng.choice(["x + acc", "acc", "x if c > 2 else y", "y * 0.5"]) if self.types["out"].startswith("f") else \
            rng.choice(["c + t", "c", "t ^ c"])
        at = rng.choice(["i", "i", "i", "i - len(out)", "len(out) - 1 - i"])
        if rng.random() < 0.3:
            out += [f"        if {self.test(1)}:", f"            out[{at}] {rng.choice(['=', '+='])} {value}"]
        else:
            out += [f"        out[{at}] = {value}"]
        out += ["    return total + count", ""]
        return "\n".join(out)


def arguments(types, rng, size, shape):
    def array(dtype, count):
        values = rng.integers(-20, 90, count) / (1 if dtype[0] in "iu" else 4)
        if dtype[0] == "f" and count > 3 and shape == "odd":
            values[rng.integers(0, count, 2)] = [np.nan, np.inf]
        made = values.astype("int64").astype(dtype) if dtype[0] in "iu" else values.astype(dtype)
        return np.repeat(made, 2)[::2] if shape == "strided" else made[::-1] if shape == "reversed" else made
    a, b, out = array(types["a"], size), array(types["b"], max(size, 3)), array(types["out"], size)
    if shape == "same" and types["a"] == types["out"]:
        a = out
    if shape == "same" and types["b"] == types["out"] and size >= 3:
        b = out
    if shape == "shifted" and types["a"] == types["out"]:
        whole = array(types["a"], size + 1)
        a, out = whole[:size], whole[1:]
    m = rng.integers(-9, 9, (max(size, 1), 4)) * 0.5
    return a, b, rng.integers(-5, max(size, 1) + 5, size), out, int(rng.integers(0, 12)), float(rng.normal()), m


def load(directory, name):
    path = next(directory.glob(f"{name}*.so"))
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def bits(array):
    """Which of two NaNs a sum is, sign and all, is the C++ compiler's to choose."""
    return np.where(np.isnan(array), np.array(np.nan, array.dtype), array).tobytes() if array.dtype.kind == "f" else array.tobytes()


def outcome(function, args):
    try:
        with np.errstate(all="ignore"):
            return "value", bits(np.float64(function(*args)))
    except Exception as error:
        return type(error).__name__, repr(error.args)


def build(source, out, extra):
    command = [os.environ.get("PYK2CU", str(ROOT / "build/pyk2cu")), str(source), "-o", str(out), "--build", "--keep-going",
               "--verify-ir", "--fp=strict", "--python", sys.executable, *extra]
    done = subprocess.run(command, capture_output=True, text=True, env=sanitizers.without())
    return done.stdout + done.stderr


def run(count, seed, extra, keep=None):
    """How many differ; prints each."""
    rng = random.Random(seed)
    writers = [Writer(rng, k) for k in range(count)]
    texts = [w.text() for w in writers]
    bad = compared = gangs = 0
    with tempfile.TemporaryDirectory() as directory:
        place = pathlib.Path(keep or directory)
        place.mkdir(exist_ok=True)
        header = "import math\nimport numpy as np\nfrom numba import njit, prange\n\n\n"
        (place / "lanes.py").write_text(header + "\n".join(texts))
        (place / "plain.py").write_text(header + "\n".join(texts))
        said = build(place / "lanes.py", place / "l", extra) + build(place / "plain.py", place / "p", ["--no-lanes", "--march=x86-64"])
        try:
            lanes, plain = load(place / "l", "lanes"), load(place / "p", "plain")
        except StopIteration:
            print(said[-3000:])
            return 1, 0, 0
        emitted = [place / "l/lanes.cpp", place / "l/lanes.lanes.h"]
        gangs = sum(p.read_text().count("const int32_t count") + p.read_text().count("const auto count") for p in emitted if p.exists())
        values = np.random.default_rng(seed)
        for w in writers:
            f, g = getattr(lanes, f"f{w.number}", None), getattr(plain, f"f{w.number}", None)
            if f is None or g is None:
                if (f is None) != (g is None):
                    bad += 1
                    print(f"f{w.number}: built in one only")
                continue
            for size in SIZES:
                shape = w.rng.choice(["plain", "odd", "strided", "reversed", "same", "shifted"])
                if w.parallel and shape in ("shifted", "same"):
                    shape = "plain"
                state = values.bit_generator.state
                ours = arguments(w.types, values, size, shape)
                values.bit_generator.state = state
                theirs = arguments(w.types, values, size, shape)
                first, second = outcome(f, ours), outcome(g, theirs)
                compared += 1
                loose = w.parallel and (first[0] != "value" or w.total.startswith("total +="))
                same = first[0] == second[0] and (loose or first[1] == second[1])
                if loose and first[0] != "value":
                    same = first == second
                elif same:
                    same = all(bits(ours[k]) == bits(theirs[k]) for k in (3, 6))
                if not same:
                    bad += 1
                    print(f"f{w.number} size {size} {shape}: {first} {second}\n{texts[w.number]}")
                    break
    return bad, compared, gangs


def sanitized():
    """This very command under AddressSanitizer and UBSan; what they report of a module, or another exit, is a failure."""
    environment = {**sanitizers.environment("address"), "CXX": sanitizers.compiler("address")}
    done = subprocess.run([sys.executable, *sys.argv], env=environment, capture_output=True, text=True)
    print(done.stdout, end="")
    reports = [r for r in done.stderr.split("\n\n") if "runtime error" in r or "AddressSanitizer" in r]
    print("\n\n".join(reports[:5]) or "nothing reported by the sanitizers")
    return bool(reports) or done.returncode


def main(run, found):
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep")
    parser.add_argument("--sanitize", action="store_true")
    parser.add_argument("extra", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    if options.sanitize and "LD_PRELOAD" not in os.environ:
        return sanitized()
    bad, compared, count = run(options.count, options.seed, [e for e in options.extra if e != "--"], options.keep)
    print(f"{options.count} functions, {count} {found}, {compared} calls compared, {bad} differ")
    return bad > 0


if __name__ == "__main__":
    sys.exit(main(run, "gangs"))
