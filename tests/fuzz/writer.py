"""Writes the statements and expressions of effects.py: what may stand where, and what is in scope.

Every choice keeps the program well-typed as far as possible and inside its arrays; what Numba refuses all the same is
not compared.
"""
import dataclasses

import functions
from helpers import MODULE_FORMS, Helper

CASTS = {"i": ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32"], "f": ["float32", "float64"]}


@dataclasses.dataclass
class Array:
    kind: str
    rank: int
    least: int              # elements along each axis, at least
    dtype: str = ""         # "" is unknown
    writes: bool = True
    rebinds: bool = False   # a local that may be assigned again


class Writer(functions.Generator):
    """One function body. Kinds of values are those of helpers.Helper."""

    def __init__(self, program, outer=None):
        super().__init__(program.rng, "")
        self.program, self.outer, self.results = program, outer, []
        self.named, self.maybes, self.callables, self.valid = {}, {}, [], {}
        self.effects, self.inner, self.plain = 2, 0, False
        self.maths = ["sqrt", "fabs", "sin", "tanh"]
        if outer:  # captured: read, but not assigned
            self.vars, self.arrays, self.tuples = dict(outer.vars), dict(outer.arrays), dict(outer.tuples)
            self.named = dict(outer.named)  # closures of closures are rarely accepted by Numba
            self.callables = [h for h in outer.callables if h.form[0] == "@" or self.chance(0.05)]
            self.frozen = set(self.vars)
            self.inner = outer.inner + 1

    def chance(self, p):
        return self.rng.random() < p

    def new(self, prefix="v"):
        return self.program.names.local(prefix)

    # ---- expressions
    def atom(self, kind):
        if self.chance(0.3 if kind != "b" else 0.15):
            text = self.call(kind)
            if text:
                return text
        own = self.assignable(kind)
        if len(own) > 1 and self.chance(0.03) and not self.plain:  # Numba takes `:=` of a variable only
            return f"({self.pick(own)} := {self.pick(own)})"
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

    # ---- statements
    def assignable(self, *kinds):
        return [n for n, k in self.vars.items() if k in kinds and n not in self.frozen]

    def line(self, indent, text):
        super().line(indent, text)

    def block(self, indent, budget):
        state = [dict(x) for x in (self.vars, self.tuples, self.named, self.maybes, self.arrays)], list(self.callables)
        for _ in range(self.rng.randint(1, max(1, budget))):
            self.statement(indent, budget - 1)
        if indent > 1:  # what is first assigned inside may be unbound afterwards
            old = [{n: k for n, k in now.items() if n in before} for now, before in
                   zip((self.vars, self.tuples, self.named, self.maybes, self.arrays), state[0])]
            self.vars, self.tuples, self.named, self.maybes, self.arrays = old
            self.callables = state[1]

    STATEMENTS = (["assign"] * 4 + ["augment"] * 4 + ["store"] * 3 + ["augment_element"] * 4 + ["tuple", "unpack", "swap",
                  "convert", "convert", "call", "view", "named", "maybe", "lambda_", "chain", "inner"])
    COMPOUND = ["branch"] * 2 + ["if_"] * 3 + ["for_"] * 3 + ["while_"] * 2 + ["array_loop", "flag", "match"]

    def statement(self, indent, budget):
        self.effects = self.rng.randint(1, 3)
        options = self.STATEMENTS + (self.COMPOUND if budget > 0 else [])
        if self.loops:
            options = options + ["break"]
        if indent > 1 and self.results:
            options = options + ["return_", "raise_"]
        getattr(self, "do_" + self.pick(options))(indent, budget)

    def target(self, kind):
        own = self.assignable(kind)
        return self.pick(own) if own and self.chance(0.6) else self.new()

    def do_assign(self, indent, _):
        kind = self.pick("niiffbc")
        text = self.expr(kind)
        name = self.target(kind)
        self.line(indent, f"{name} = {text}")
        self.vars[name] = kind

    def do_augment(self, indent, _):
        own = self.assignable("i", "f")
        if not own:
            return self.do_assign(indent, _)
        name = self.pick(own)
        kind = self.vars[name]
        value = self.call(kind) if self.chance(0.5) else None
        if kind == "i":
            self.line(indent, f"{name} {self.pick(['+=', '-=', '^=', '|=', '&=', '+='])} {value or self.expr('i', 2)}")
            if self.loops:
                self.line(indent, f"{name} = {name} % 10007")
        else:
            self.line(indent, f"{name} {self.pick(['+=', '-=', '*=', '/=', '+='])} {value or self.expr('f', 2)}")

    def place(self):
        """An element that may be stored to: (text, kind)."""
        names = [n for n, a in self.arrays.items() if a.writes]
        if not names:
            return None, None
        kind = self.arrays[name := self.pick(names)].kind
        calls = [h for h in self.callables if h.result == ("A", kind)]
        if calls and self.chance(0.1) and (text := self.call_of(self.pick(calls))):
            return f"{text}[0]", kind
        return self.element(name), kind

    def stored(self, kind):
        value = self.call(kind) if self.chance(0.4) else None
        value = value or self.expr(kind, 2)
        return f"({value}) % 100" if kind == "i" else value

    def do_store(self, indent, _):
        place, kind = self.place()
        if place is None:
            return self.do_assign(indent, _)
        self.line(indent, f"{place} = {self.stored(kind)}")

    def do_augment_element(self, indent, _):
        place, kind = self.place()
        if place is None or kind == "b":
            return self.do_store(indent, _)
        if kind == "i" and self.loops:
            return self.line(indent, f"{place} = ({place} {self.pick('+-^')} {self.stored('i')}) % 100")
        ops = {"i": ["+=", "-=", "^=", "|=", "&=", "+="], "f": ["+=", "-=", "*=", "/=", "+="], "c": ["+=", "-=", "*="]}
        self.line(indent, f"{place} {self.pick(ops[kind])} {self.stored(kind)}")

    def do_convert(self, indent, _):
        """x = T(x) op y in all its orders, on variables and elements."""
        own = [(n, self.vars[n]) for n in self.assignable("i", "f")]
        own += [(self.element(n), a.kind) for n, a in self.arrays.items() if a.writes and a.kind in "if"]
        if not own:
            return self.do_assign(indent, _)
        place, kind = self.pick(own)
        cast, value = f"np.{self.pick(CASTS[kind])}", self.expr(kind, 1)
        op = self.pick("+-&|^" if kind == "i" else "+-*/")
        self.line(indent, f"{place} = " + self.pick([
            f"{cast}({place}) {op} {value}", f"{value} {op} {cast}({place})", f"{cast}({place} {op} {value})",
            f"{place} {op} {cast}({value})", f"{cast}({place}) {op} {self.rng.randint(1, 5)}", f"{cast}({value})"]))

    def do_chain(self, indent, _):
        place, kind = self.place()
        if place is None:
            return self.do_assign(indent, _)
        name = self.target(kind)
        value = self.stored(kind)
        self.line(indent, self.pick([f"{name} = {place} = {value}", f"{place} = {name} = {value}"]))
        self.vars[name] = kind

    def do_tuple(self, indent, _):
        kinds = [self.pick("nif") for _ in range(self.rng.randint(2, 3))]
        helpers = [h for h in self.callables if isinstance(h.result, tuple) and h.result[0] == "T"]
        text = None
        if helpers and self.chance(0.5):
            helper = self.pick(helpers)
            kinds, text = list(helper.result[1]), self.call_of(helper)
        text = text or f"({', '.join(self.expr(k, 1) for k in kinds)})"
        name = self.new("t")
        self.line(indent, f"{name} = {text}")
        self.tuples[name] = kinds

    def do_unpack(self, indent, _):
        """Targets may be elements, whose subscripts are evaluated after the right side, one after the other."""
        helpers = [h for h in self.callables if isinstance(h.result, tuple) and h.result[0] == "T"]
        if helpers and self.chance(0.5):
            helper = self.pick(helpers)
            kinds, text = list(helper.result[1]), self.call_of(helper)
        else:
            kinds, text = [self.pick("nif") for _ in range(self.rng.randint(2, 3))], None
        text = text or ", ".join(self.expr(k, 1) for k in kinds)
        targets, made = [], {}
        for kind in kinds:
            elements = [n for n, a in self.arrays.items() if a.writes and a.kind == ("i" if kind == "n" else kind)]
            if elements and self.chance(0.5):
                targets.append(self.element(self.pick(elements)))
            else:
                name = self.new()
                made[name] = kind
                targets.append(name)
        self.line(indent, f"{', '.join(targets)} = {text}")
        self.vars.update(made)

    def do_swap(self, indent, _):
        names = [n for n, a in self.arrays.items() if a.writes]
        if names and self.chance(0.6):
            name = self.pick(names)
            a, b = self.element(name), self.element(name)
            return self.line(indent, f"{a}, {b} = {b}, {a}")
        for kind in "nif":
            own = self.assignable(kind)
            if len(own) >= 2:
                a, b = self.rng.sample(own, 2)
                return self.line(indent, f"{a}, {b} = {b}, {self.pick([a, self.expr(kind, 1)])}")
        self.do_assign(indent, _)

    def do_call(self, indent, _):
        helpers = [h for h in self.callables if h.form != "parameter"]
        text = self.call_of(self.pick(helpers)) if helpers else None
        if text is None:
            return self.do_assign(indent, _)
        self.line(indent, text)

    def do_view(self, indent, _):
        kind = self.pick([a.kind for a in self.arrays.values()] or "f")
        own = [n for n, a in self.arrays.items() if a.rebinds and a.kind == kind]
        fresh = self.chance(0.2)
        text = f"np.{self.pick(['zeros', 'ones'])}({self.rng.randint(3, 4)})" if fresh else self.array(kind, 1)
        if text is None:
            return self.do_assign(indent, _)
        if fresh:
            kind, dtype = "f", "float64"
        else:
            dtype = next((a.dtype for n, a in self.arrays.items() if text.startswith(n)), "")
        name = self.pick(own) if own and self.chance(0.4) and not fresh else self.new("w")
        self.line(indent, f"{name} = {text}")
        writes = all(a.writes for n, a in self.arrays.items() if text.startswith(n))
        self.arrays[name] = Array(kind, 1, 3 if fresh else 1, dtype, writes, rebinds=True)

    def do_named(self, indent, _):
        helpers = [h for h in self.callables if isinstance(h.result, tuple) and h.result[0] == "P"]
        text = self.call_of(helper := self.pick(helpers)) if helpers else None
        if text is None:
            return self.do_tuple(indent, _)
        name = self.new("q")
        self.line(indent, f"{name} = {text}")
        self.named[name] = helper.result[1:]

    def do_maybe(self, indent, budget):
        helpers = [h for h in self.callables if isinstance(h.result, tuple) and h.result[0] == "O"]
        text = self.call_of(helper := self.pick(helpers)) if helpers else None
        if text is None:
            return self.do_augment_element(indent, budget)
        name = self.new("o")
        self.line(indent, f"{name} = {text}")
        test = self.pick([f"if {name} is not None:", f"if {name} is None:"])
        kind = helper.result[1]
        self.line(indent, test)
        for part in ("first", "second"):
            if (part == "first") == ("not" in test):
                out = self.assignable(kind)
                self.line(indent + 1, f"{self.pick(out)} = {name} {'+' if kind in 'if' else 'and'} {self.expr(kind, 1)}"
                          if out and kind in "if" else "pass")
            else:
                self.block(indent + 1, 1)
            if part == "first":
                self.line(indent, "else:")

    def do_if_(self, indent, budget):
        self.line(indent, f"if {self.condition()}:")
        self.block(indent + 1, budget)
        if self.chance(0.3):
            self.effects = 2
            self.line(indent, f"elif {self.condition()}:")
            self.block(indent + 1, budget - 1)
        if self.chance(0.5):
            self.line(indent, "else:")
            self.block(indent + 1, budget)

    def do_branch(self, indent, budget):
        """A variable that both branches make, and that a call takes next."""
        kind, name = self.pick("nnif"), self.new()
        self.line(indent, f"if {self.condition()}:")
        self.line(indent + 1, f"{name} = {self.expr(kind, 1)}")
        if self.chance(0.3):
            self.statement(indent + 1, 0)
        self.line(indent, "else:")
        self.line(indent + 1, f"{name} = {self.expr(kind, 1)}")
        self.vars[name] = kind
        self.effects = 2
        out = self.assignable("i", "f")
        if out and (text := self.call(self.vars[target := self.pick(out)])):
            self.line(indent, f"{target} {'=' if self.loops and self.vars[target] == 'i' else '+='} {text}")

    def condition(self):
        kind = self.pick("nif")
        call = self.call(kind)
        if call and self.chance(0.5):
            return self.pick([f"{call} {self.pick(['<', '>', '==', '!=', '>='])} {self.expr(kind, 1)}",
                              f"{self.expr(kind, 1)} < {call} <= {self.expr(kind, 1)}", f"not {call}", call,
                              f"{self.expr('b', 1)} and {call} > {self.literal(kind)}",
                              f"{call} in ({self.expr(kind, 1)}, {self.expr(kind, 1)})"])
        return self.expr("b", 2)

    def looped(self, indent, budget, head, index=None, array=None):
        self.line(indent, head)
        self.loops += 1
        if index:
            self.vars[index] = "n"
            self.frozen.add(index)
            if array:
                self.valid[index] = array
        self.block(indent + 1, min(budget, 3))
        self.loops -= 1
        self.valid.pop(index, None)
        self.frozen.discard(index)
        self.vars.pop(index, None)
        if self.chance(0.2):
            self.line(indent, "else:")
            self.block(indent + 1, 1)

    def do_for_(self, indent, budget):
        name = self.new("i")
        arrays = [n for n, a in self.arrays.items() if a.rank == 1 and not a.rebinds]
        if arrays and self.chance(0.4):
            array = self.pick(arrays)
            return self.looped(indent, budget, f"for {name} in range(len({array})):", name, array)
        n = self.expr("n", 1)
        bounds = self.pick([f"{self.rng.randint(0, 4)}", f"({self.call('n') or n}) % 5", f"({n}) % 3, ({n}) % 6",
                            f"({self.call('n') or n}) % 6, 0, -{self.rng.randint(1, 2)}", f"1, ({n}) % 7, 2"])
        self.looped(indent, budget, f"for {name} in range({bounds}):", name if "-" not in bounds else name)

    def do_while_(self, indent, budget):
        name, most = self.new("w"), self.rng.randint(1, 4)
        self.line(indent, f"{name} = 0")
        self.vars[name] = "n"
        self.frozen.add(name)
        test = self.condition()
        fixed = f"{name} < {most}"
        form = self.rng.randrange(4)
        self.line(indent, [f"while {fixed} and {test}:", f"while {test} and {fixed}:" if " or " not in test else
                           f"while ({test}) and {fixed}:", "while True:", f"while {fixed}:"][form])
        self.loops += 1
        self.line(indent + 1, f"{name} += 1")
        if form == 2:
            self.line(indent + 1, f"if {name} > {most} or {test}:")
            self.line(indent + 2, "break")
        self.block(indent + 1, min(budget, 3))
        self.loops -= 1
        if self.chance(0.2) and form != 2:
            self.line(indent, "else:")
            self.block(indent + 1, 1)
        self.frozen.discard(name)
        self.vars.pop(name, None)

    def do_array_loop(self, indent, budget):
        kind = self.pick([a.kind for a in self.arrays.values()] or "f")
        array = self.array(kind, 1, writes=False)
        if array is None:
            return self.do_for_(indent, budget)
        name, other = self.new("e"), self.new("j")
        second = self.array(kind, 1, writes=False)
        head = self.pick([f"for {name} in {array}:", f"for {other}, {name} in enumerate({array}):",
                          f"for {name}, {other} in zip({array}, {second}):",
                          f"for {name} in ({self.expr(kind, 1)}, {self.expr(kind, 1)}):"])
        made = {name: kind, **({other: "n" if "enumerate" in head else kind} if other in head else {})}
        self.vars.update(made)
        self.frozen |= set(made)
        self.looped(indent, budget, head)
        self.frozen -= set(made)
        for one in made:
            self.vars.pop(one, None)

    def do_flag(self, indent, budget):
        """Loops that end an outer loop by a flag."""
        flag, i, j = self.new("flag"), self.new("i"), self.new("j")
        self.line(indent, f"{flag} = False")
        self.line(indent, f"for {i} in range({self.rng.randint(1, 3)}):")
        self.vars[i] = "n"
        self.frozen |= {i, j}
        self.loops += 1
        self.line(indent + 1, f"for {j} in range(({self.expr('n', 1)}) % 4):")
        self.vars[j] = "n"
        self.line(indent + 2, f"if {self.condition()}:")
        self.line(indent + 3, f"{flag} = True")
        self.line(indent + 3, self.pick(["break", "break", "continue"]))
        self.block(indent + 2, 2)
        self.vars.pop(j, None)
        self.line(indent + 1, f"if {flag}:")
        self.line(indent + 2, self.pick(["break", "continue"]))
        self.block(indent + 1, 1)
        self.loops -= 1
        self.vars.pop(i, None)
        self.frozen -= {i, j}

    def do_match(self, indent, budget):
        self.line(indent, f"match {self.call('n') or self.expr('n', 1)}:")
        for pattern in self.pick([["0", "1 | 2", "_"], ["3", "_"], ["0", "1"]]):
            self.line(indent + 1, f"case {pattern}:")
            self.block(indent + 2, 1)

    def do_break(self, indent, _):
        self.line(indent, f"if {self.condition()}:")
        self.line(indent + 1, self.pick(["break", "continue"]))

    def do_raise_(self, indent, _):
        if not self.chance(0.5):
            return self.do_augment_element(indent, _)
        error = self.pick(["ValueError", "IndexError", "RuntimeError", "KeyError"])
        what = self.pick(["", "()", '("bad")', f'("bad", {self.expr("n", 1)})'])
        text = self.pick([f"if {self.condition()} and {self.expr('n', 1)} == {self.rng.randint(0, 3)}:"])
        self.line(indent, text)
        self.line(indent + 1, f"raise {error}{what}")

    def do_return_(self, indent, _):
        if not self.chance(0.3):
            return self.do_augment_element(indent, _)
        self.line(indent, f"if {self.condition()}:")
        self.final(indent + 1)

    def final(self, indent):
        """The return statement: the kinds of results are those of every other return."""
        self.effects = 3
        if self.results == ["A"]:
            first = next(n for n, a in self.arrays.items() if a.writes)
            return self.line(indent, f"return {first}")
        parts = [self.call(k) if self.chance(0.3) else None for k in self.results]
        parts = [part or self.expr(k, 2) for part, k in zip(parts, self.results)]
        self.line(indent, f"return {', '.join(parts)}")

    def do_lambda_(self, indent, _):
        define_lambda(self, indent)

    def do_inner(self, indent, _):
        if self.inner < 2 and sum(h.form == "inner" for h in self.callables) < 3:
            define(self, module=False, indent=indent)
        else:
            self.do_augment_element(indent, _)


# ---- helpers

def kinds_of_parameters(w, module):
    rng = w.rng
    kinds = [("A", rng.choice([k for k, _ in w.program.dtypes])) for _ in range(rng.choice([1, 1, 2] if module else [0, 0, 1]))]
    kinds += [rng.choice("nnnif") for _ in range(rng.randint(0, 2))]
    if rng.random() < 0.15:
        kinds.append(("T", tuple(rng.choice("nif") for _ in range(2))))
    functions_ = [h for h in w.callables if h.form.startswith("@njit") and len(h.params) < 4]
    if module and functions_ and rng.random() < 0.2:
        kinds.append(("F", rng.choice(functions_).shape()))
    return kinds


def choose_result(w, kinds):
    rng = w.rng
    arrays = [k for k in kinds if k[0] == "A"]
    options = ["n", "n", "n", "i", "i", "f", "f", "b", None, ("T", [rng.choice("nif") for _ in range(2)]),
               ("P", rng.choice([["x", "y"], ["first", "last"], ["data", "size"]]), [rng.choice("nif") for _ in range(2)]),
               ("O", rng.choice("if"))]
    options += [k for k, _ in w.program.dtypes if k in "if"] * 2 + [k for k in arrays] * 2
    return rng.choice(options)


def define(w, module, indent=1):
    """Writes a helper beside the case's function or, with access to its variables, inside of it."""
    rng, program = w.rng, w.program
    form = rng.choice(MODULE_FORMS) if module else "inner"
    name = program.names.of_module("h") if module else w.new("g")
    kinds = kinds_of_parameters(w, module)
    result = choose_result(w, kinds)
    body = Writer(program, outer=w)
    if module:
        body.inner = 2
    params, dtypes = [], {}
    for kind in kinds:
        pname = program.names.local({"A": "x", "T": "t", "F": "fn"}.get(kind[0], "k"))
        default = {"n": "2", "i": "3", "f": "0.5"}.get(kind) if rng.random() < 0.2 else None
        if params and params[-1][2] is not None and default is None:
            default = {"n": "1", "i": "7", "f": "1.5"}.get(kind)
            if default is None:
                params = [(n, k, None) for n, k, _ in params]
        params.append((pname, kind, default))
        bind(body, pname, kind, w)
    helper = Helper(name, params, result, form)
    if form == "@njit" and rng.random() < 0.2:
        helper.form = explicit(program, helper, dtypes)
        helper.dtypes = dtypes
    if isinstance(result, tuple) and result[0] == "P":
        tuple_name = program.names.of_module("P", odd=0)
        program.prelude.append(f"{tuple_name} = namedtuple('{tuple_name}', '{' '.join(result[1])}')")
        body.tuple_name = tuple_name
    recursive = form == "@njit" and helper.form == "@njit" and isinstance(result, str) and rng.random() < 0.2
    if recursive:
        recursion(body, helper)
    write_body(body, helper)
    heads = [n if d is None else f"{n}={d}" for n, _, d in helper.params]
    lines = ([helper.form] if module else []) + [f"def {name}({', '.join(heads)}):"] + body.lines
    if module:
        program.prelude += lines + [""]
    else:
        for line in lines:
            w.line(indent, line)
    w.callables.append(helper)


def bind(body, name, kind, w):
    body.frozen.discard(name)
    if isinstance(kind, str):
        body.vars[name] = kind
    elif kind[0] == "A":
        body.arrays[name] = Array(kind[1], 1, 2)
    elif kind[0] == "T":
        body.tuples[name] = kind[1]
    else:
        original = next(h for h in w.callables if h.shape() == kind[1])
        body.callables.append(dataclasses.replace(original, name=name, form="parameter",
                                                  params=[(n, k, None) for n, k, _ in original.params]))


def explicit(program, helper, dtypes):
    """An eager signature: arguments are converted to its types."""
    types = []
    for name, kind, _ in helper.params:
        if isinstance(kind, tuple) and kind[0] == "A":
            dtypes[name] = program.rng.choice([d for k, d in program.dtypes if k == kind[1]])
            types.append(f"{dtypes[name]}[:]")
        elif kind in ("n", "i", "f"):
            types.append({"n": "int64", "i": program.rng.choice(["int64", "int32", "int16"]), "f": "float64"}[kind])
        else:
            return "@njit"
    return f"@njit('({', '.join(types)},)')" if types else "@njit"


def recursion(body, helper):
    depth = body.program.names.local("d", odd=0)
    helper.params.insert(0, (depth, "n", None))
    helper.params = [(n, k, None) for n, k, _ in helper.params]
    body.vars[depth] = "n"
    body.frozen.add(depth)
    body.line(1, f"if {depth} <= 0:")
    body.effects = 1
    body.line(2, f"return {body.expr(helper.result, 1)}")
    itself = dataclasses.replace(helper, form="itself", params=helper.params[1:])
    body.itself = itself, depth


def write_body(body, helper):
    rng, result = body.rng, helper.result
    body.results = [result] if isinstance(result, str) else []
    arrays = [n for n, a in body.arrays.items() if a.writes]
    if arrays and rng.random() < 0.85:
        body.effects = 1
        body.do_store(1, 0) if rng.random() < 0.3 else body.do_augment_element(1, 0)
    if rng.random() < 0.25:
        body.effects = 1
        body.line(1, f"if {body.expr('b', 1)}:")
        body.line(2, f"raise {rng.choice(['ValueError', 'IndexError'])}('{helper.name}', {body.expr('n', 0)})")
    body.block(1, rng.choice([1, 1, 2, 3]))
    body.effects = 1
    returns(body, helper)


def returns(body, helper):
    rng, result = body.rng, helper.result
    if hasattr(body, "itself"):
        itself, depth = body.itself
        arguments = [body.argument(kind) if kind == "n" else name for name, kind, _ in itself.params]
        call = f"{helper.name}({', '.join([f'{depth} - 1', *arguments])})"
        again = body.expr(result, 1)
        op = {"n": "%", "b": "or"}.get(result, "+")
        return body.line(1, f"return {call} % 7" if result == "n" else f"return {call} {op} {again}")
    if result is None:
        if rng.random() < 0.3:
            body.line(1, "return")
    elif result == "n":
        body.line(1, f"return {rng.choice([body.expr('n', 1), f'np.int64({body.expr(chr(105), 1)}) % 6'])}")
    elif isinstance(result, str):
        body.line(1, f"return {body.expr(result, 1)}")
    elif result[0] == "T":
        body.line(1, f"return {', '.join(body.expr(k, 1) for k in result[1])}")
    elif result[0] == "P":
        body.line(1, f"return {body.tuple_name}({', '.join(body.expr(k, 1) for k in result[2])})")
    elif result[0] == "O":
        body.line(1, f"if {body.expr('b', 1)}:")
        body.line(2, "return None")
        body.line(1, f"return {body.expr(result[1], 1)}")
    else:
        return_array(body, helper)


def return_array(body, helper):
    rng, kind = body.rng, helper.result[1]
    names = [n for n, k, _ in helper.params if k == ("A", kind)]
    form = rng.randrange(4)
    if form == 0 and len(names) > 1:
        helper.same = True
        body.line(1, f"if {body.expr('b', 1)}:")
        body.line(2, f"return {names[1]}")
        body.line(1, f"return {names[0]}")
        helper.least = 2
    elif form == 1:
        fresh = body.new("r")
        body.line(1, f"{fresh} = {rng.choice([f'np.zeros_like({names[0]})', f'{names[0]}.copy()', f'np.empty_like({names[0]})'])}")
        body.line(1, f"for {fresh}_i in range(len({fresh})):")
        body.line(2, f"{fresh}[{fresh}_i] = {names[0]}[{fresh}_i]")
        body.line(1, f"{fresh}[0] = {body.stored(kind)}")
        body.line(1, f"return {fresh}")
        helper.least = 2
    else:
        body.line(1, f"return {rng.choice([names[0], f'{names[0]}[1:]', f'{names[0]}[::-1]', f'{names[0]}[:1]'])}")


def define_lambda(w, indent):
    rng = w.rng
    body = Writer(w.program, outer=w)
    body.plain, body.effects = True, 2
    kinds = [rng.choice("nif") for _ in range(rng.randint(0, 2))]
    params = []
    for kind in kinds:
        pname = w.program.names.local("k")
        params.append((pname, kind, None))
        body.vars[pname] = kind
    result = rng.choice("niffb")
    name = w.new("g")
    text = (body.call(result) if rng.random() < 0.5 else None) or body.expr(result, 2)
    w.line(indent, f"{name} = lambda {', '.join(n for n, _, _ in params)}: {text}")
    w.callables.append(Helper(name, params, result, "lambda"))
