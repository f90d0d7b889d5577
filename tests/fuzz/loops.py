"""Random straight loops over arrays, with divisions and `raise`, compared with Numba: values, exceptions, and what
was stored before the exception.

    python tests/fuzz/loops.py --count 500 --seed 1

These are the loops that pyk2cu turns into strips and vector math. Arrays are of sizes around a strip, contiguous,
strided, and overlapping ones; zeros and values that raise lie at random places.
"""
import argparse
import random
import sys
import tempfile
import warnings

import numpy as np

import oracle

DTYPES = ["float64", "float64", "float64", "float32", "int32", "uint8", "int64"]
SIZES = [0, 1, 5, 255, 256, 257, 700]
ARRAYS = ["a", "b", "out", "more"]


class Loop:
    """Writes one function `name(a, b, out, more, s)`: 1-d arrays, or 2-d ones whose last axis the loop runs over."""

    def __init__(self, rng, name):
        self.rng, self.name, self.temps = rng, name, []
        self.rank = 2 if rng.random() < 0.25 else 1
        self.parallel = rng.random() < 0.3
        self.reduces = self.parallel and self.rank == 1 and rng.random() < 0.5
        self.checked = not self.parallel and rng.random() < 0.25
        self.dtypes = {array: rng.choice(DTYPES if array < "c" else DTYPES[:4]) for array in ARRAYS}
        self.head = rng.choice(["range(n)", "range(n)", "range(1, n)"])
        if self.parallel and self.rank == 1:
            self.head = "p" + self.head

    def element(self, array):
        offset = " - 1" if "(1" in self.head and self.rng.random() < 0.1 and not self.parallel else ""
        index = f"i{offset}"
        if self.checked and self.rng.random() < 0.2:
            index = self.rng.choice(["i + 1", "i - 1", "n - i", "i - 3", "n - 1 - i", "-i", "i % 5"])
        return f"{array}[{'k, ' if self.rank == 2 else ''}{index}]"

    def expr(self, depth=3):
        rng = self.rng
        if depth == 0 or rng.random() < 0.25:
            return rng.choice([self.element("a"), self.element("b"), self.element("b"), "s", "0.5", "3.0",
                               *self.temps, *([self.element("out")] if not self.parallel else [])])
        left, right = self.expr(depth - 1), self.expr(depth - 1)
        return rng.choice([
            f"({left} + {right})", f"({left} - {right})", f"({left} * {right})", f"({left} / {right})",
            f"({left} / {right})", f"abs({left})", f"math.sqrt(abs({left}))", f"math.exp(-abs({left}))",
            f"math.log(abs({left}) + 1.0)", f"({left} if {right} > s else {right})", f"helper({left})"])

    def statement(self):
        rng, what = self.rng, self.rng.random()
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
            return [f"if {self.expr(1)} > {self.expr(1)}:", f"    {name} = {self.expr(1)}"]
        return [f"{self.element(rng.choice(['out', 'out', 'more']))} = {self.expr()}"]

    def case(self):
        lines = [line for _ in range(self.rng.randint(1, 4)) for line in self.statement()]
        lines.append(f"{self.element('out')} = {self.expr()}")
        body = [f"n = out.shape[{self.rank - 1}]"]
        if self.reduces:
            body.append("acc = 0.0")
            lines.append(self.rng.choice(["acc += {}", "acc = max(acc, {})", "acc += {}"]).format(self.expr()))
        if self.rank == 2:
            body.append(f"for k in {'prange' if self.parallel else 'range'}(out.shape[0]):")
        indent = "    " * (self.rank - 1)
        body += [f"{indent}for i in {self.head}:", *(f"{indent}    {line}" for line in lines)]
        if self.reduces:
            body.append("return acc")
        dims = ",".join(":" * self.rank)
        types = ", ".join(f"{self.dtypes[array]}[{dims}]" for array in ARRAYS)
        source = f"def {self.name}({', '.join(ARRAYS)}, s):\n" + "\n".join("    " + line for line in body)
        options = ", parallel=True" if self.parallel else ", boundscheck=True" if self.checked else ""
        return oracle.Case(self.name, f"{'float64' if self.reduces else 'void'}({types}, float64)", source, list(self.inputs()), options)

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


HELPER = '''
@njit("float64(float64)")
def helper(x):
    y = abs(x) + 1.0
    if x > 2.0:
        y = 1.0 / y
    return y * math.exp(-y)
'''


def copies(arguments):
    """Copies that overlap as the arguments do."""
    bases, out = {}, []
    for a in arguments:
        if not isinstance(a, np.ndarray):
            out.append(a)
            continue
        base = a if a.base is None else a.base
        copy = bases.setdefault(id(base), base.copy())
        offset = a.__array_interface__["data"][0] - base.__array_interface__["data"][0]
        out.append(np.ndarray(a.shape, a.dtype, copy, offset, a.strides) if a.size else a.copy())
    return out


def outcome(function, arguments):
    arguments = copies(arguments)
    try:
        value, error = function(*arguments), None
    except Exception as raised:  # noqa: BLE001 — the class and the arguments are compared
        value, error = 0.0, (type(raised).__name__, raised.args)
    return error, [a for a in arguments if isinstance(a, np.ndarray)] + [np.float64(value or 0.0)]


def same(mine, his, case):
    parallel = "parallel" in case.options
    rtol = 1e-5 if "float32" in case.signature else 1e-9  # exp and log may differ in the last place
    if parallel and mine[0]:  # Numba loses a ZeroDivisionError in prange; which iterations ran is not defined
        return mine[0][0] == "ZeroDivisionError" or (his[0] and mine[0][0] == his[0][0])
    if mine[0] != his[0]:
        return False
    return all(np.allclose(x, y, rtol=rtol, atol=1e-7, equal_nan=True)
               for x, y in zip(mine[1], his[1]))


def compare(cases, extra=()):
    """(differences, statistics) over the cases, which all call `helper`."""
    differences, stats = [], {"compared": 0, "calls": 0, "raised": 0, "numba_refuses": 0}
    header = oracle.HEADER
    oracle.HEADER = header + HELPER
    try:
        with tempfile.TemporaryDirectory() as directory:
            module, _, refused = oracle.build(cases, directory, extra=extra)
            for case in cases:
                try:
                    with warnings.catch_warnings():
                        warnings.simplefilter("ignore")  # a prange that Numba runs serially
                        theirs = oracle.compile_numba(case)
                except Exception:  # noqa: BLE001 — Numba has many classes for "does not compile"
                    stats["numba_refuses"] += 1
                    continue
                if case.name in refused:
                    differences.append(oracle.Difference(case, f"refused: {refused[case.name]}"))
                    continue
                stats["compared"] += 1
                for number, arguments in enumerate(case.inputs):
                    mine, his = outcome(getattr(module, case.name), arguments), outcome(theirs, arguments)
                    stats["calls"] += 1
                    stats["raised"] += his[0] is not None
                    if not same(mine, his, case):
                        differences.append(oracle.Difference(
                            case, f"call {number}, {len(arguments[2])} elements: ours {mine[0]}, Numba {his[0]}"))
                        break
    finally:
        oracle.HEADER = header
    return differences, stats


def cases(count, seed, first=0):
    return [Loop(random.Random(f"{seed}-{n}"), f"f{n}").case() for n in range(first, first + count)]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--march", default="")
    options = parser.parse_args()
    total, found = {}, 0
    for start in range(options.first, options.first + options.count, 50):
        differences, stats = compare(cases(min(50, options.first + options.count - start), options.seed, start),
                                     ["--march", options.march] if options.march else [])
        found += len(differences)
        for key, number in stats.items():
            total[key] = total.get(key, 0) + number
        for difference in differences:
            print(difference, flush=True)
        print(f"{start + 50}: {total}, {found} differences", flush=True)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
