"""Writes the expressions of effects.py: values, elements, calls of helpers, arrays; and knows what is in scope.

Every choice keeps the program well-typed as far as possible and inside its arrays; what Numba refuses all the same is
not compared.
"""
import dataclasses

import functions


@dataclasses.dataclass
class Array:
    kind: str
    rank: int
    least: int              # elements along each axis, at least
    dtype: str = ""         # "" is unknown
    writes: bool = True
    rebinds: bool = False   # a local that may be assigned again


class Expressions(functions.Generator):
    """What may stand in one function body. Kinds of values are those of helpers.Helper."""

    def __init__(self, program, outer=None):
        super().__init__(program.rng, "")
        self.program, self.outer, self.results = program, outer, []
        self.named, self.maybes, self.callables, self.valid = {}, {}, [], {}
        self.effects, self.inner, self.plain = 2, 0, False
        self.maths = ["sqrt", "fabs", "sin", "tanh"]
        if outer:  # captured: read, but not assigned
            self.vars, self.tuples = dict(outer.vars), dict(outer.tuples)
            self.arrays = {n: dataclasses.replace(a, rebinds=False) for n, a in outer.arrays.items()}
            self.named = dict(outer.named)  # closures of closures are rarely accepted by Numba
            self.callables = [h for h in outer.callables if h.form[0] == "@" or self.chance(0.05)]
            self.frozen = set(self.vars)
            self.inner = outer.inner + 1

    def chance(self, p):
        return self.rng.random() < p

    def new(self, prefix="v"):
        return self.program.names.local(prefix)

    def assignable(self, *kinds):
        return [n for n, k in self.vars.items() if k in kinds and n not in self.frozen]

    # ---- expressions
    def atom(self, kind):
        if self.chance(0.3 if kind != "b" else 0.15):
            text = self.call(kind)
            if text:
                return text
        own = self.assignable(kind)
        if own and self.chance(0.04) and not self.plain:
            return f"({self.pick(own)} := {(self.call(kind) if self.chance(0.5) else None) or self.expr(kind, 1)})"
        options = [n for n, k in self.vars.items() if k == kind or (kind == "i" and k == "n")]
        for name, array in self.arrays.items():
            if array.kind == kind:
                options.append(self.element(name))
            if kind in "in" and array.rank == 1 and self.chance(0.25):
                options.append(f"len({name})")
        for name, kinds in self.tuples.items():
            options += [f"{name}[{n}]" for n, k in enumerate(kinds) if k == kind]
        for name, (fields, kinds) in self.named.items():
            options += [f"{name}.{field}" for field, k in zip(fields, kinds) if k == kind]
        if options and self.chance(0.85):
            return self.pick(options)
        return self.literal(kind)

    def literal(self, kind):
        if kind == "b" and self.arrays and self.chance(0.9):  # constant conditions make Numba drop code before typing
            return f"(len({self.pick(self.arrays)}) {self.pick('<>')} {self.rng.randint(3, 4)})"
        return str(self.rng.randint(0, 4)) if kind == "n" else super().literal(kind)

    def expr(self, kind, depth=2):
        if depth <= 0 or self.chance(0.3):
            return self.atom(kind)
        return getattr(self, "expr_" + kind)(depth - 1)

    def expr_n(self, d):
        choice = self.rng.randrange(8)
        if choice < 2:
            return f"({self.expr('n', d)} + {self.expr('n', d)}) % {self.rng.randint(2, 7)}"
        if choice < 4:
            return f"np.int64({self.expr('i', d)}) % {self.rng.randint(2, 6)}"
        if choice == 4:
            return f"({self.expr('n', d)} if {self.expr('b', d)} else {self.expr('n', d)})"
        if choice == 5:
            return f"min({self.expr('n', d)}, {self.expr('n', d)})"
        return self.pick([f"abs({self.expr('n', d)} - {self.expr('n', d)})", f"int({self.expr('b', d)})",
                          f"({self.expr('n', d)}) // 2", f"({self.expr('n', d)} and {self.expr('n', d)})"])

    def index(self, axis_length, least, name):
        choice = self.rng.randrange(8)
        if choice < 2:
            return str(self.rng.randrange(least))
        if choice == 2:
            return str(-1 - self.rng.randrange(least))
        valid = [n for n, array in self.valid.items() if array == name and n in self.vars]
        if valid and self.chance(0.7):
            return self.pick(valid)
        if choice == 3:
            return f"-(({self.expr('n', 1)}) % {axis_length})"
        return f"({self.expr('n', 1)}) % {axis_length}"

    def element(self, name):
        array = self.arrays[name]
        parts = [self.index(f"len({name})" if array.rank == 1 else f"{name}.shape[{axis}]", array.least, name)
                 for axis in range(array.rank)]
        return f"{name}[{', '.join(parts)}]"

    # ---- calls
    def call(self, kind):
        if self.effects <= 0:
            return None
        options = [(h, path) for h in self.callables for path in h.reads(kind)]
        options += [(h, None) for h in self.callables if h.result == ("A", kind)]
        if not options:
            return None
        helper, path = self.pick(options)
        text = self.call_of(helper)
        if text and path is None:
            path = f"[{self.rng.randrange(helper.least)}]"
        return text and text + path

    def call_of(self, helper):
        """The text of a call, or None when nothing in scope fits its arrays."""
        self.effects -= 1
        positional, keywords, last = [], [], False
        dtype = self.pick([a.dtype for a in self.arrays.values()] or [""]) if helper.same else ""
        for name, kind, default in helper.params:
            if default is not None and self.chance(0.4):
                last = True
                continue
            value = self.argument(kind, helper.dtypes.get(name, dtype))
            if value is None:
                return None
            if last or (keywords and helper.form[0] == "@") or (helper.form == "@njit" and self.chance(0.08)):
                if helper.form[0] != "@":
                    return None
                keywords.append(f"{name}={value}")
                last = True
            else:
                positional.append(value)
        return f"{helper.name}({', '.join(positional + keywords)})"

    def argument(self, kind, dtype=""):
        if isinstance(kind, str):
            return self.expr(kind, 1)
        if kind[0] == "A":
            return self.array(kind[1], dtype=dtype)
        if kind[0] == "T":
            fitting = [n for n, kinds in self.tuples.items() if list(kinds) == list(kind[1])]
            return self.pick(fitting) if fitting and self.chance(0.5) else \
                f"({', '.join(self.expr(k, 1) for k in kind[1])},)"
        if kind[0] == "P":
            fitting = [n for n, (fields, kinds) in self.named.items() if (fields, kinds) == kind[1:]]
            made = next(n for n, fields, kinds in self.program.named if (fields, kinds) == kind[1:])
            return self.pick(fitting) if fitting and self.chance(0.5) else \
                f"{made}({', '.join(self.expr(k, 1) for k in kind[2])})"
        fitting = [h.name for h in self.callables if h.shape() == kind[1] and h.form.startswith("@njit")]
        return self.pick(fitting) if fitting else None

    def array(self, kind, least=2, dtype="", writes=True):
        """An array of rank 1 as an expression: a name, a part, a row, what a helper returns."""
        options = []
        for name, array in self.arrays.items():
            if array.kind != kind or (dtype and array.dtype != dtype) or (writes and not array.writes):
                continue
            if array.rank == 2:
                options += [f"{name}[{self.index(f'{name}.shape[0]', array.least, name)}]",
                            f"{name}[:, {self.rng.randrange(array.least)}]"]
                continue
            options += [name] * 4
            if array.least > least:
                options += [f"{name}[1:]", f"{name}[:-1]", f"{name}[::-1]", f"{name}[({self.expr('n', 1)}) % 2:]"]
        calls = [h for h in self.callables if h.result == ("A", kind) and h.least >= least and not dtype]
        if calls and self.effects > 0 and self.chance(0.2):
            return self.call_of(self.pick(calls))
        return self.pick(options) if options else None
