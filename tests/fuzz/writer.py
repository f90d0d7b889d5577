"""Writes the statements of effects.py, one function body after another."""
import definitions
from expressions import Array, Expressions

CASTS = {"i": ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32"], "f": ["float32", "float64"]}


class Writer(Expressions):
    """One function body."""

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
        """A part of an array, or another array under an old name: closures see it at once."""
        kind = self.pick([a.kind for a in self.arrays.values()] or "f")
        own = [n for n, a in self.arrays.items() if a.rebinds and a.kind == kind]
        if self.chance(0.2):
            name = self.new("w")
            self.line(indent, f"{name} = np.{self.pick(['zeros', 'ones'])}({self.rng.randint(3, 4)})")
            self.arrays[name] = Array("f", 1, 3, "float64")
            return
        name = self.pick(own) if own and self.chance(0.5) else self.new("w")
        least = self.arrays[name].least if name in own else self.rng.randint(1, 2)
        text = self.array(kind, least)
        if text is None:
            return self.do_assign(indent, _)
        self.line(indent, f"{name} = {text}")
        if name not in own:
            dtype = next((a.dtype for n, a in self.arrays.items() if text.startswith(n)), "")
            self.arrays[name] = Array(kind, 1, least, dtype, rebinds=True)

    def do_named(self, indent, _):
        helpers = [h for h in self.callables if isinstance(h.result, tuple) and h.result[0] == "P"]
        text = self.call_of(helper := self.pick(helpers)) if helpers and self.chance(0.6) else None
        if text is None and not self.program.named:
            return self.do_tuple(indent, _)
        name = self.new("q")
        fields, kinds = helper.result[1:] if text else self.program.named[-1][1:]
        self.line(indent, f"{name} = {text or self.argument(('P', fields, kinds))}")
        self.named[name] = fields, kinds

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
            self.block(indent + 1, 1)
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
        definitions.define_lambda(self, indent)

    def do_inner(self, indent, _):
        if self.inner < 2 and sum(h.form == "inner" for h in self.callables) < 3:
            definitions.define(self, module=False, indent=indent)
        else:
            self.do_augment_element(indent, _)
