"""Random straight loops over arrays, with divisions, `raise` and helpers that store, compared with Numba: values,
exceptions, and what was stored before the exception.

    python tests/fuzz/loops.py --count 500 --seed 1

These are the loops that pyk2cu turns into strips and vector math. Arrays are of sizes around a strip, contiguous,
strided, and overlapping ones; zeros and values that raise lie at random places. In a `prange` loop an iteration, with
all that it calls, touches its own elements only.
"""
import random
import re
import sys

import numpy as np

import harness
import oracle
from helpers import Names, pruned

DTYPES = ["float64", "float64", "float64", "float32", "int32", "uint8", "int64"]
SIZES = [0, 1, 5, 255, 256, 257, 700]
ARRAYS = ["a", "b", "out", "more"]
HELPER = '''
@njit("float64(float64)")
def helper(x):
    y = abs(x) + 1.0
    if x > 2.0:
        y = 1.0 / y
    return y * math.exp(-y)
'''
# What a helper does to element i of its array x, beside another array y and a value v.
WHOLE = ["x[i] = (x[i] + 1) % 100", "x[i] = x[i] // 2", "if v > 20.0:\n    x[i] = 3"]  # also where x holds integers
OWN = ["x[i] += v", "x[i] = x[i] * 0.5 + v", "x[i] -= y[i]", "if x[i] > v:\n    x[i] -= v", "x[i] = v / y[i]",
       "for j in range(3):\n    x[i] += v * j", "x[i] = v if y[i] > 9 else x[i]", "w = x[i:i + 1]\nw[0] = w[0] * 0.25 + v",
       "x[i] = max(x[i], v)", "t = x[i]\nx[i] = t + 1.0\nv = t", "x[i] = math.exp(-abs(v))", "x[i] /= v"]
CARRIED = ["if i > 0:\n    x[i] += x[i - 1] * 0.5", "if i + 1 < len(x):\n    x[i + 1] = x[i] * 0.5", "x[0] += v * 0.125",
           "x[len(x) - 1 - i] = v", "if i + 1 < len(x):\n    x[i], x[i + 1] = x[i + 1], x[i]", "x[i // 2] = v"]
RAISE = ['if x[i] > 60.0:\n    raise ValueError("high", i)', "if v > 60.0:\n    raise IndexError()",
         'if y[i] < 2:\n    raise ValueError("low")']
RESULTS = {"f": ["x[i]", "x[i] + v", "v * 0.5", "y[i] - x[i]", "x[i] / y[i]", "helper(v)"], "b": ["x[i] > v", "v > 9.0 or x[i] < 4"],
           "i": ["i", "(i + 3) % len(x)", "len(x) - 1 - i"], "t": ["(x[i], v)", "x[i], i"], "v": ["x[i:i + 1]"], "": [""]}
FORMS = ["@njit", "@njit", "@register_jitable", "@njit(inline='always')", "inner", "inner", "inside", "lambda"]


class Called:
    """A function that the loop calls as `name(x, y, i, v)`; a closure has the arrays x and y from outside."""

    def __init__(self, loop):
        rng = loop.rng
        self.form = rng.choice(FORMS)
        self.name = loop.names.of_module("h") if self.form[0] == "@" else loop.names.local("g")
        self.result = rng.choice("ffffbbitv") if not loop.parallel else rng.choice("fffffbt")
        self.whole = rng.random() < 0.2
        self.x, self.y = loop.array(self.whole), rng.choice(ARRAYS)
        parts = [rng.choice(WHOLE if self.whole else OWN)] if rng.random() < 0.8 else []
        if (loop.rank == 2 or not loop.parallel) and not self.whole and rng.random() < 0.3:  # rows are the iteration's own
            parts.insert(rng.randint(0, 1), rng.choice(CARRIED))
        if rng.random() < 0.2:
            parts.append(rng.choice(RAISE))
        self.lines = [line for part in parts for line in part.split("\n")]
        self.returned = rng.choice(RESULTS[self.result])
        if self.result == "f" and rng.random() < 0.15:
            self.lines += ["if v > 30.0:", f"    return {rng.choice(RESULTS['f'])}"]
        if self.form == "lambda" and self.result == "v":
            self.returned, self.result = "x[i]", "f"
        self.defined = False

    def text(self, loop):
        """The lines of the definition."""
        if self.form == "lambda":
            return self.captured([f"{self.name} = lambda i, v: {self.returned}"], loop)
        if self.form[0] == "@":
            return [self.form, f"def {self.name}(x, y, i, v):", *self.body()]
        head = f"def {self.name}(i, v):" if self.form == "inner" else f"def {self.name}(v):"
        return self.captured([head, *self.body()], loop)

    def body(self):
        return ["    " + line for line in [*self.lines, f"return {self.returned}".strip()]]

    def captured(self, lines, loop):
        row = "[k]" if loop.rank == 2 else ""
        words = {"x": f"{self.x}{row}", "y": f"{self.y}{row}"}
        return [re.sub(r"\b[xy]\b(?=[\[)]|$)", lambda m: words[m[0]], line) for line in lines]

    def call(self, loop, index, value):
        row = "[k]" if loop.rank == 2 else ""
        x, y = self.x + row, self.y + row
        if self.form[0] == "@" and loop.rng.random() < 0.3:  # another instance
            x = loop.array(self.whole) + row
        return {"inner": f"{self.name}({index}, {value})", "lambda": f"{self.name}({index}, {value})",
                "inside": f"{self.name}({value})"}.get(self.form, f"{self.name}({x}, {y}, {index}, {value})")


class Loop:
    """Writes one function `name(a, b, out, more, s)`: 1-d arrays, or 2-d ones whose last axis the loop runs over."""

    def __init__(self, rng, number, effects):
        self.rng, self.name, self.temps = rng, f"f{number}", []
        self.names = Names(rng, number)
        self.rank = 2 if rng.random() < 0.25 else 1
        self.parallel = rng.random() < 0.3
        self.reduces = self.parallel and rng.random() < 0.5
        self.sums = not self.parallel and rng.random() < 0.3
        self.checked = not self.parallel and rng.random() < 0.25
        self.dtypes = {array: rng.choice(DTYPES if array < "c" else DTYPES[:4]) for array in ARRAYS}
        self.head = rng.choice(["range(n)", "range(n)", "range(1, n)"])
        if self.parallel and self.rank == 1:
            self.head = "p" + self.head
        self.called = [Called(self) for _ in range(rng.randint(1, 3))] if effects else []

    def array(self, whole):
        """An array that a helper may store to: floats do not go into integers."""
        return self.rng.choice([a for a in ARRAYS if whole or self.dtypes[a][0] == "f"])

    def element(self, array):
        offset = " - 1" if "(1" in self.head and self.rng.random() < 0.1 and not self.parallel else ""
        index = f"i{offset}"
        if self.checked and self.rng.random() < 0.2:
            index = self.rng.choice(["i + 1", "i - 1", "n - i", "i - 3", "n - 1 - i", "-i", "i % 5"])
        return f"{array}[{'k, ' if self.rank == 2 else ''}{index}]"

    def call(self, results, depth=1):
        fitting = [c for c in self.called if c.result and c.result in results]
        if not fitting:
            return None
        called = self.rng.choice(fitting)
        index = "i" if (self.parallel and self.rank == 1) or self.rng.random() < 0.8 else self.rng.choice(["n - 1 - i", "i // 2", "0"])
        text = called.call(self, index, self.expr(depth))
        return text + {"t": f"[{self.rng.randrange(2)}]", "v": "[0]"}.get(called.result, "")

    def expr(self, depth=3):
        rng = self.rng
        if rng.random() < 0.2 and (text := self.call("fftvi", depth - 1 if depth else 0)) and depth >= 0:
            return text
        if depth <= 0 or rng.random() < 0.25:
            return rng.choice([self.element("a"), self.element("b"), self.element("b"), "s", "0.5", "3.0",
                               *self.temps, *([self.element("out")] if not self.parallel else [])])
        left, right = self.expr(depth - 1), self.expr(depth - 1)
        return rng.choice([
            f"({left} + {right})", f"({left} - {right})", f"({left} * {right})", f"({left} / {right})",
            f"({left} / {right})", f"abs({left})", f"math.sqrt(abs({left}))", f"math.exp(-abs({left}))",
            f"math.log(abs({left}) + 1.0)", f"({left} if {right} > s else {right})", f"helper({left})"])

    def condition(self):
        call = self.call("fb")
        if call and self.rng.random() < 0.6:
            return self.rng.choice([f"{call} > {self.expr(1)}", f"s < {call} <= {self.expr(1)}", f"not {call}",
                                    f"{self.expr(1)} > 9.0 and {call}", f"{call} or {self.expr(0)} > 3.0"])
        return f"{self.expr(1)} > {self.expr(1)}"

    def statement(self):
        rng, what = self.rng, self.rng.random()
        if self.called and rng.random() < 0.5:
            return self.effect()
        if what < 0.4:
            name = f"t{len(self.temps)}"
            line = f"{name} = {self.expr()}"
            self.temps.append(name)
            return [line]
        if what < 0.55:
            raised = rng.choice(['ValueError("bad")', 'ValueError("bad", i)', "IndexError()"])
            return [f"if {self.expr(1)} {rng.choice(['>', '<'])} {rng.choice(['60.0', '-60.0', 's * 40.0'])}:",
                    f"    raise {raised}"]
        if what < 0.65 and self.temps:
            name = rng.choice(self.temps)
            return [f"if {self.condition()}:", f"    {name} = {self.expr(1)}"]
        return [f"{self.element(rng.choice(['out', 'out', 'more']))} = {self.expr()}"]

    def effect(self):
        """A statement around a call."""
        rng, name = self.rng, f"t{len(self.temps)}"
        call, place = self.call("fti"), self.element(rng.choice(["out", "out", "more"]))
        choice = rng.randrange(10)
        if choice == 0 and self.temps:
            return [f"{rng.choice(self.temps)} {rng.choice(['+=', '-=', '*='])} {call or self.expr(1)}"]
        if choice == 1:
            return [f"if {self.condition()}:", f"    {rng.choice(['continue', 'continue', 'break'] if not self.parallel else ['continue'])}"]
        if choice == 2:
            return [rng.choice(self.called).call(self, "i", self.expr(1))]
        if choice == 3:
            lines = [f"{name} = {self.expr(1)}", f"for j in range({rng.randint(1, 3)}):", f"    {name} += {call or self.expr(1)} * j"]
        elif choice == 4 and (index := self.call("i")) and not self.parallel and self.rank == 1:
            return [f"out[{index}] {rng.choice(['=', '+='])} {self.expr(1)}"]
        elif choice == 5 and self.rank == 1:
            lines = [f"w{name} = {rng.choice(['out', 'more'])}[i:i + 1]", f"w{name}[0] {rng.choice(['=', '+='])} {self.expr(1)}",
                     f"{name} = w{name}[0]"]
        elif choice == 6:
            lines = [f"{name} = {self.expr(1)} if {self.condition()} else {call or self.expr(1)}"]
        elif choice == 7:
            lines = [f"{name} = 0.0", f"if {self.condition()}:", f"    {name} = {self.expr(1)}", f"{name} += {call or self.expr(1)}"]
        else:
            return [f"{place} {rng.choice(['+=', '-=', '*=', '/=', '='])} {call or self.expr(2)}"]
        self.temps.append(name)
        return lines

    def reduction(self, acc):
        value = (self.call("f") if self.rng.random() < 0.6 else None) or self.expr()
        forms = [f"{acc} += {value}"] * 3 + [f"{acc} = max({acc}, {value})", f"{acc} = min({acc}, {value})", f"{acc} -= {value}"]
        if not self.parallel:
            forms += [f"{acc} = {acc} * 0.5 + {value}", f"{acc} = {value} + {acc}"]
        lines = [self.rng.choice(forms)]
        if acc == "acc" and self.called and self.rng.random() < 0.5:
            lines += self.rng.choice([[f"if {self.condition()}:", "    hits += 1"], [f"hits += 1 if {self.condition()} else 2"]])
        return lines

    def case(self):
        lines = [line for _ in range(self.rng.randint(1, 4)) for line in self.statement()]
        lines.append(f"{self.element('out')} = {self.expr()}")
        body = [f"n = out.shape[{self.rank - 1}]"]
        if self.reduces or self.sums:
            body += ["acc = 0.0", "hits = 0"]
            lines += self.reduction("acc")
        row = self.rank == 2 and self.rng.random() < 0.4
        lines += self.reduction("row") if row else []
        inside = [line for c in self.called if c.form == "inside" for line in c.text(self)]
        before = [line for c in self.called if c.form in ("inner", "lambda") for line in c.text(self)]
        if self.rank == 2:
            body.append(f"for k in {'prange' if self.parallel else 'range'}(out.shape[0]):")
        indent = "    " * (self.rank - 1)
        body += [f"{indent}{line}" for line in [*before, *(["row = 0.0"] if row else [])]]
        body += [f"{indent}for i in {self.head}:", *(f"{indent}    {line}" for line in inside + lines)]
        body += ["    if n > 0:", "        more[k, 0] += row"] if row else []
        if self.reduces or self.sums:
            body.append("return acc + hits")
        dims = ",".join(":" * self.rank)
        types = ", ".join(f"{self.dtypes[array]}[{dims}]" for array in ARRAYS)
        source = f"def {self.name}({', '.join(ARRAYS)}, s):\n" + "\n".join("    " + line for line in body)
        options = ", parallel=True" if self.parallel else ", boundscheck=True" if self.checked else ""
        prelude = "\n".join(line for c in self.called if c.form[0] == "@" for line in [*c.text(self), ""])
        prelude, source = pruned(HELPER + prelude, source)
        prelude, source = (re.sub(r"\bhelper\b", f"helper_{self.name}", text) for text in (prelude, source))
        result = "float64" if self.reduces or self.sums else "void"
        return oracle.Case(self.name, f"{result}({types}, float64)", source, list(self.inputs()), options, prelude)

    def inputs(self):
        for size in SIZES:
            shape = (3, size) if self.rank == 2 else (size,)
            yield from self.arguments(np.random.default_rng(self.rng.randrange(1 << 30)), shape)

    def arguments(self, rng, shape):
        for kind in ["contiguous", "strided", "zero", "overlapping"]:
            wide = shape[:-1] + (shape[-1] * 2 + 2,)
            data = {array: self.data(rng, wide, self.dtypes[array]) for array in ARRAYS}
            if kind == "overlapping":
                if self.parallel:
                    continue
                for array in ("a", "b", "more"):
                    if self.dtypes[array] == self.dtypes["out"] and rng.random() < 0.6:
                        data[array] = data["out"]
            if kind == "zero" and shape[-1]:
                data["b"][..., rng.integers(shape[-1])] = 0
            step = 2 if kind == "strided" else 1
            cut = {array: slice(start, start + shape[-1] * step, step) for array, start in
                   zip(ARRAYS, rng.integers(0, 2, 4) if kind == "overlapping" else [0] * 4)}
            views = [data[array][..., cut[array]] for array in ARRAYS]
            if kind in ("contiguous", "zero"):
                views = [np.ascontiguousarray(view) for view in views]
            yield (*views, float(rng.integers(1, 3)))

    @staticmethod
    def data(rng, shape, dtype):
        values = rng.integers(1, 40, shape) if dtype[0] in "iu" else rng.random(shape) * 40 + 0.5
        return values.astype(dtype)



def same(case, arguments, mine, his, ulp):
    """exp and log may differ in the last place. Which iterations of a `prange` ran before an exception is not defined;
    Numba loses exceptions there, so that CPython tells whether there is one."""
    rtol = 1e-5 if "float32" in case.signature else 1e-9
    if "parallel" in case.options and mine[0] != "ok":
        return None if mine[0] in (his[0], "ZeroDivisionError", harness.in_python(case, arguments)[0]) else "exception"
    if mine[0] != his[0] or (his[0] != "ok" and not harness.same_message(case, arguments, mine, his, ulp)):
        return "exception"
    if his[0] == "ok" and not np.allclose(mine[1] or 0.0, his[1] or 0.0, rtol=rtol, atol=1e-7, equal_nan=True):
        return "value"
    return None if all(np.allclose(x, y, rtol=rtol, atol=1e-7, equal_nan=True) for x, y in zip(mine[2], his[2])) else "arrays"


def cases(count, seed, first=0, effects=True):
    return [Loop(random.Random(f"{seed}-{n}"), n, effects and n % 4 > 0).case() for n in range(first, first + count)]


if __name__ == "__main__":
    sys.exit(harness.main(cases, __doc__, count=100, same="loops:same"))
