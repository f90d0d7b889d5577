"""Random functions with statements, tuples, loops and arrays, compared with Numba: types and values.

    python tests/fuzz/functions.py --count 5000 --seed 1

Every function is well-typed by construction as far as possible; what Numba itself refuses is not counted. Kept out
are the deliberate differences: signed overflow that LLVM may exploit, conversions of floats out of range.
"""
import random
import sys

import numpy as np

import harness
import oracle

INTS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
FLOATS = ["float32", "float64"]
COMPLEX = ["complex64", "complex128"]
MATH = ["sqrt", "sin", "cos", "exp", "atan", "tanh", "fabs", "log1p", "erf"]


class Generator:
    """Writes one function; kinds are "b", "i", "f", "c" (bool, int, float, complex)."""

    def __init__(self, rng, name):
        self.rng, self.name = rng, name
        self.vars, self.arrays, self.tuples, self.lines = {}, {}, {}, []
        self.loops, self.fresh, self.frozen, self.maths = 0, 0, set(), MATH

    def pick(self, items):
        return self.rng.choice(list(items))

    # ---- expressions
    def literal(self, kind):
        return {"b": lambda: self.pick(["(0 < 1)", "(1 < 0)"]), "i": lambda: str(self.rng.randint(0, 9)),
                "f": lambda: self.pick(["0.5", "1.5", "2.0", "0.25", "3.0"]),
                "c": lambda: self.pick(["1j", "0.5j", "2j"])}[kind]()

    def atom(self, kind):
        options = [n for n, k in self.vars.items() if k == kind]
        if kind == "i":
            options += [f"{a}.shape[{self.rng.randrange(r)}]" for a, (_, r) in self.arrays.items()]
            options += [f"len({t})" for t in self.tuples]
        for name, (k, rank) in self.arrays.items():
            if k == kind:
                options.append(self.element(name, rank))
        for name, kinds in self.tuples.items():
            options += [f"{name}[{i}]" for i, k in enumerate(kinds) if k == kind]
        if options and self.rng.random() < 0.8:
            return self.pick(options)
        return self.literal(kind)

    def element(self, name, rank):
        loops = [n for n in self.frozen if self.vars.get(n) == "i"]
        parts = [f"{self.pick(loops)} % {name}.shape[{axis}]" if loops and self.rng.random() < 0.5
                 else self.pick(["0", "-1"]) for axis in range(rank)]
        return f"{name}[{', '.join(parts)}]"

    def expr(self, kind, depth=3):
        if depth <= 0 or self.rng.random() < 0.25:
            return self.atom(kind)
        return getattr(self, "expr_" + kind)(depth - 1)

    def expr_b(self, d):
        choice = self.rng.randrange(5)
        if choice == 0:
            return f"({self.expr('b', d)} {self.pick(['and', 'or'])} {self.expr('b', d)})"
        if choice == 1:
            return f"(not {self.expr('b', d)})"
        k = self.pick("iff")
        if choice == 2:
            return f"({self.expr(k, d)} < {self.expr(k, d)} <= {self.expr(k, d)})"
        return f"({self.expr(k, d)} {self.pick(['<', '<=', '>', '>=', '==', '!='])} {self.expr(self.pick('if'), d)})"

    def expr_i(self, d):
        choice = self.rng.randrange(10)
        a, b = self.expr("i", d), self.expr("i", d)
        if choice < 3:
            return f"({a} {self.pick('+-')} {b})"
        if choice == 3:
            return f"(({a}) % 101 * (({b}) % 11))"
        if choice == 4:
            return f"({a} {self.pick(['//', '%'])} {self.pick([b, str(self.rng.randint(1, 9)), '-3'])})"
        if choice == 5:
            return f"({a} {self.pick('&|^')} {b})"
        if choice == 6:
            return f"({a} {self.pick(['>>', '<<'])} {self.rng.randint(0, 5)})"
        if choice == 7:
            return f"({a} if {self.expr('b', d)} else {b})"
        if choice == 8:
            x = self.expr("f", d)
            return f"(int({x}) if abs({x}) < 1e6 else {self.rng.randint(0, 3)})"
        return self.pick([f"abs({a})", f"min({a}, {b})", f"max({a}, {b})", f"(-{a})", f"(~{a})",
                          f"int({a})", f"(({a}) % 7) ** {self.rng.randint(0, 4)}", f"np.int32(({a}) % 1000)",
                          f"int({self.expr('b', d)})"])

    def expr_f(self, d):
        choice = self.rng.randrange(10)
        a, b = self.expr("f", d), self.expr(self.pick("ffi"), d)
        if choice < 4:
            return f"({a} {self.pick('+-*')} {b})"
        if choice == 4:
            return f"({a} / {b})"
        if choice == 5:
            return f"({a} {self.pick(['//', '%'])} {b})"
        if choice == 6:
            return f"math.{self.pick(self.maths)}({self.pick([a, b])})"
        if choice == 7:
            return f"({a} if {self.expr('b', d)} else {b})"
        if choice == 8:
            return f"({a}) ** {self.rng.randint(0, 3)}"
        return self.pick([f"abs({a})", f"min({a}, {b})", f"max({b}, {a})", f"(-{a})", f"float({b})",
                          f"np.float32({a})", f"math.atan2({a}, {b})", f"(math.floor({a}) * 1.0 if abs({a}) < 1e6 else 0.5)"])

    def expr_c(self, d):
        choice = self.rng.randrange(4)
        a, b = self.expr("c", d), self.expr(self.pick("cfi"), d)
        if choice < 2:
            return f"({a} {self.pick('+-*')} {b})"
        if choice == 2:
            return f"({a} if {self.expr('b', d)} else {self.expr('c', d)})"
        return self.pick([f"(-{a})", f"{a}.conjugate()", f"complex({self.expr('f', d)}, {self.expr('f', d)})"])

    # ---- statements
    def line(self, indent, text):
        self.lines.append("    " * indent + text)

    def target(self, kind):
        own = [n for n, k in self.vars.items() if k == kind and n not in self.frozen]
        if own and self.rng.random() < 0.6:
            return self.pick(own)
        self.fresh += 1
        return f"v{self.fresh}"

    def block(self, indent, budget):
        before = dict(self.vars), dict(self.tuples)
        for _ in range(self.rng.randint(1, budget)):
            self.statement(indent, budget - 1)
        if indent > 1:  # what is first assigned inside may be unbound afterwards
            self.vars = {n: k for n, k in self.vars.items() if n in before[0]}
            self.tuples = {n: k for n, k in self.tuples.items() if n in before[1]}

    def statement(self, indent, budget):
        options = ["assign"] * 4 + ["augment"] * 3 + ["tuple", "store", "swap"]
        if budget > 0:
            options += ["if", "if", "for", "for", "while", "array_loop"]
        if self.loops:
            options += ["break"]
        getattr(self, "do_" + self.pick(options))(indent, budget)

    def do_assign(self, indent, _):
        kind = self.pick("iiffbc") if self.rng.random() < 0.9 else "i"
        text = self.expr(kind)
        name = self.target(kind)
        self.line(indent, f"{name} = {text}")
        self.vars[name] = kind

    def do_augment(self, indent, _):
        own = [n for n, k in self.vars.items() if k in "if" and n not in self.frozen]
        if not own:
            return self.do_assign(indent, _)
        name = self.pick(own)
        if self.vars[name] == "i":
            self.line(indent, f"{name} {self.pick(['+=', '-=', '^=', '|='])} {self.expr('i', 2)}")
            if self.loops:
                self.line(indent, f"{name} = {name} % 10007")
        else:
            self.line(indent, f"{name} {self.pick(['+=', '-=', '*='])} {self.expr(self.pick('fi'), 2)}")

    def do_tuple(self, indent, _):
        kinds = [self.pick("if") for _ in range(self.rng.randint(2, 3))]
        self.fresh += 1
        name = f"t{self.fresh}"
        if self.rng.random() < 0.5:
            self.line(indent, f"{name} = ({', '.join(self.expr(k, 2) for k in kinds)})")
            self.tuples[name] = kinds
        else:
            names = [f"{name}_{i}" for i in range(len(kinds))]
            self.line(indent, f"{', '.join(names)} = {', '.join(self.expr(k, 2) for k in kinds)}")
            self.vars.update(zip(names, kinds))

    def do_swap(self, indent, _):
        for kind in "if":
            own = [n for n, k in self.vars.items() if k == kind and n not in self.frozen]
            if len(own) >= 2:
                a, b = self.rng.sample(own, 2)
                return self.line(indent, f"{a}, {b} = {b}, {a}")
        self.do_assign(indent, _)

    def do_store(self, indent, _):
        if not self.arrays:
            return self.do_assign(indent, _)
        name = self.pick(self.arrays)
        kind, rank = self.arrays[name]
        value = self.expr(kind, 2)
        if kind == "i":
            value = f"({value}) % 100"
        self.line(indent, f"{self.element(name, rank)} {self.pick(['=', '=', '+='])} {value}")

    def do_if(self, indent, budget):
        self.line(indent, f"if {self.expr('b', 2)}:")
        self.block(indent + 1, budget)
        if self.rng.random() < 0.5:
            self.line(indent, "else:")
            self.block(indent + 1, budget)

    def loop(self, indent, budget, head, index=None):
        self.line(indent, head)
        self.loops += 1
        if index:
            self.frozen.add(index)
        self.block(indent + 1, budget)
        self.loops -= 1
        if index:
            self.frozen.discard(index)
            self.vars.pop(index, None)

    def do_for(self, indent, budget):
        self.fresh += 1
        name = f"i{self.fresh}"
        bounds = self.pick([f"{self.rng.randint(0, 6)}", f"{self.rng.randint(0, 3)}, {self.rng.randint(2, 7)}",
                            f"{self.rng.randint(3, 7)}, 0, -{self.rng.randint(1, 2)}",
                            f"({self.expr('i', 1)}) % 5"])
        self.vars[name] = "i"
        self.loop(indent, budget, f"for {name} in range({bounds}):", name)

    def do_array_loop(self, indent, budget):
        flat = [n for n, (k, r) in self.arrays.items() if r == 1]
        if not flat:
            return self.do_for(indent, budget)
        array = self.pick(flat)
        self.fresh += 1
        name, index = f"e{self.fresh}", f"j{self.fresh}"
        self.vars[name] = self.arrays[array][0]
        self.vars[index] = "i"
        self.frozen.add(name)
        if self.rng.random() < 0.5:
            self.vars.pop(index)
            self.loop(indent, budget, f"for {name} in {array}:")
        else:
            self.loop(indent, budget, f"for {index}, {name} in enumerate({array}):", index)
        self.frozen.discard(name)
        self.vars.pop(name, None)

    def do_while(self, indent, budget):
        self.fresh += 1
        name = f"w{self.fresh}"
        self.line(indent, f"{name} = 0")
        self.line(indent, f"while {name} < {self.rng.randint(1, 5)}:")
        self.loops += 1
        self.vars[name] = "i"
        self.frozen.add(name)
        self.line(indent + 1, f"{name} += 1")
        self.block(indent + 1, budget)
        self.loops -= 1
        self.frozen.discard(name)

    def do_break(self, indent, _):
        self.line(indent, f"if {self.expr('b', 1)}:")
        self.line(indent + 1, self.pick(["break", "continue"]))

    # ---- the function
    def function(self):
        params, types = [], []
        for position in range(self.rng.randint(1, 4)):
            name = "abcd"[position]
            group = self.rng.random()
            if group < 0.35:
                kind, dtype = "i", self.pick(INTS)
            elif group < 0.65:
                kind, dtype = "f", self.pick(FLOATS)
            elif group < 0.72:
                kind, dtype = "c", self.pick(COMPLEX)
            elif group < 0.78:
                kind, dtype = "b", "boolean"
            else:
                kind, dtype, rank = *self.pick([("i", self.pick(INTS)), ("f", self.pick(FLOATS))]), self.pick([1, 1, 2])
                self.arrays[name] = (kind, rank)
                types.append(f"{dtype}[{', '.join([':'] * (rank - 1) + [self.pick([':', '::1'])])}]")
                params.append(name)
                continue
            self.vars[name] = kind
            params.append(name)
            types.append(dtype)
        self.block(1, 4)
        result = [self.expr(self.pick("iffb"), 2)]
        if self.rng.random() < 0.4:
            result.append(self.expr(self.pick("ifc"), 2))
        self.line(1, f"return {', '.join(result)}")
        source = f"def {self.name}({', '.join(params)}):\n" + "\n".join(self.lines)
        return oracle.Case(self.name, f"({', '.join(types)},)", source,
                           [tuple(value(self.rng, t) for t in types) for _ in range(4)])


def value(rng, spelling):
    """An argument of the given type."""
    dtype = spelling.split("[")[0]
    if "[" in spelling:
        rank = spelling.count(":") if "::1" not in spelling else spelling.count(",") + 1
        shape = tuple(rng.randint(1, 4) for _ in range(rank))
        data = np.array([rng.randint(0, 20) if dtype[0] == "u" else rng.randint(-20, 20)
                         for _ in range(int(np.prod(shape)))], dtype=dtype).reshape(shape)
        if np.dtype(dtype).kind == "f":
            data = data + np.dtype(dtype).type(0.25)
        return data if "::1" in spelling or rng.random() < 0.7 else np.repeat(data, 2, axis=-1)[..., ::2]
    if dtype == "boolean":
        return rng.random() < 0.5
    if dtype[0] == "f":
        return rng.choice([0.0, 1.0, -2.5, 0.125, 7.75, 3.0])
    if dtype[0] == "c":
        return complex(rng.choice([0.0, 1.5, -2.0]), rng.choice([1.0, -0.5]))
    return rng.randint(0, 50) if dtype[0] == "u" else rng.randint(-50, 50)


def cases(count, seed, first=0):
    return [Generator(random.Random(f"{seed}-{n}"), f"f{n}").function() for n in range(first, first + count)]


if __name__ == "__main__":
    sys.exit(harness.main(cases, __doc__, ulp=64))
