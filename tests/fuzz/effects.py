"""Random functions that call helpers and closures with effects everywhere an expression may stand, compared with Numba.

    python tests/fuzz/effects.py --count 5000 --seed 1

What is compared is Python's order of evaluation: helpers store to arrays that they get or capture and that may be one
array or overlap; values, types, exceptions and the contents of all arrays must be those of Numba. A quarter of the
names are also names of C++. Kept out, as in functions.py: sums that overflow, floats out of an integer's range.
"""
import dataclasses
import random
import sys

import definitions
import functions
import harness
import oracle
import writer
from expressions import Array
from helpers import Names, pruned

DTYPES = {"i": ["int64"] * 5 + ["int32"] * 3 + ["int8", "int16", "uint8", "uint16", "uint32", "uint64"],
          "f": ["float64"] * 3 + ["float32"] * 2, "c": ["complex128", "complex64"], "b": ["boolean"]}


@dataclasses.dataclass
class Program:
    """One case while it is written: its random numbers, its names, what stands at module level."""
    rng: random.Random
    names: Names
    prelude: list = dataclasses.field(default_factory=list)
    dtypes: list = dataclasses.field(default_factory=list)   # (kind, dtype) of the arrays of the case
    named: list = dataclasses.field(default_factory=list)    # named tuples: (name, fields, kinds)

    def dtype(self, kind):
        return self.rng.choice(DTYPES[kind])


def parameters(program, w):
    """Parameters of the exported function: arrays, half of them of one dtype, and scalars."""
    rng, types = program.rng, []
    shared = rng.choice("iiff")
    shared = shared, program.dtype(shared)
    for _ in range(rng.randint(1, 3)):
        kind, dtype = shared if rng.random() < 0.6 else (lambda k: (k, program.dtype(k)))(rng.choice("iiiifffcb"))
        rank = 2 if rng.random() < 0.2 else 1
        name = program.names.local("a")
        w.arrays[name] = Array(kind, rank, 3, dtype)
        program.dtypes.append((kind, dtype))
        types.append((name, f"{dtype}[{', '.join([':'] * (rank - 1) + [rng.choice([':', '::1'])])}]"))
    for _ in range(rng.randint(0, 3)):
        kind = rng.choice("iiifffb")
        name = program.names.local("p")
        w.vars[name] = kind
        types.append((name, program.dtype(kind)))
    rng.shuffle(types)
    return types


def constants(program, w):
    if program.rng.random() < 0.3:
        kind = program.rng.choice("if")
        name, dtype = program.names.of_module("G"), program.dtype(kind)
        values = [program.rng.choice(["1", "3", "7", "2.5"] if kind == "f" else ["1", "3", "7", "100"]) for _ in range(4)]
        program.prelude.append(f"{name} = np.array([{', '.join(values)}], dtype=np.{dtype})")
        w.arrays[name] = Array(kind, 1, 4, dtype, writes=False)
    if program.rng.random() < 0.2:
        kind = program.rng.choice("if")
        name = program.names.of_module("K")
        program.prelude.append(f"{name} = {'5' if kind == 'i' else '1.5'}")
        w.vars[name] = kind
        w.frozen.add(name)


def case(rng, number):
    program = Program(rng, Names(rng, number))
    name = f"f{number}"
    w = writer.Writer(program)
    types = parameters(program, w)
    own = dict(w.arrays), dict(w.vars)
    w.arrays, w.vars = {}, {}
    constants(program, w)
    for _ in range(rng.randint(1, 4)):
        definitions.define(w, module=True)
    w.arrays, w.vars = {**w.arrays, **own[0]}, {**w.vars, **own[1]}
    w.results = w.pick([["i"], ["f"], ["n"], ["b"], ["i", "f"], ["f", "i", "n"], ["f", "f"], ["c"], ["A"]])
    w.block(1, 4)
    for _ in range(2):
        w.statement(1, 1)
    w.final(1)
    source = f"def {name}({', '.join(n for n, _ in types)}):\n" + "\n".join(w.lines)
    inputs = [arguments(rng, [t for _, t in types], how)
              for how in ("distinct", "strided", "same", "overlapping", "mixed", "distinct")]
    options = rng.choice([""] * 12 + [", error_model='python'", ", nogil=True", ", cache=False"])
    prelude, source = pruned("\n".join(program.prelude), source)
    return oracle.Case(name, f"({', '.join(t for _, t in types)},)", source, inputs, options, prelude)


def arguments(rng, types, how):
    """One tuple of arguments; arrays of one type may be one array or parts of one."""
    bases, out = {}, []
    for spelling in types:
        if "[" not in spelling:
            out.append(functions.value(rng, spelling))
            continue
        dtype, dims = spelling[:-1].split("[")
        rank, strided = dims.count(":") if "::1" not in dims else dims.count(",") + 1, "::1" not in dims
        way = rng.choice(["distinct", "strided", "same", "overlapping"]) if how == "mixed" else how
        if way in ("same", "overlapping"):
            base = bases.setdefault((dtype, rank), data(rng, dtype, (8,) if rank == 1 else (6, 4)))
            first = rng.randint(0, 3) if way == "overlapping" else 0
            step = -1 if strided and way == "overlapping" and rng.random() < 0.3 else 1
            out.append(base[first:first + rng.choice([3, 4]) if way == "overlapping" else 5][::step])
        elif way == "strided" and strided:
            shape = (rng.randint(3, 5),) * rank
            wide = data(rng, dtype, shape[:-1] + (shape[-1] * 2,))
            out.append(wide[..., ::2] if rng.random() < 0.6 else wide[..., :shape[-1]][..., ::-1])
        else:
            out.append(data(rng, dtype, tuple(rng.randint(3, 5) for _ in range(rank))))
    return tuple(out)


def data(rng, dtype, shape):
    return functions.value(rng, dtype) if shape is None else filled(rng, dtype, shape)


def filled(rng, dtype, shape):
    import numpy as np
    array = np.empty(shape, dtype="bool" if dtype == "boolean" else dtype)
    for index in np.ndindex(shape):
        array[index] = element(rng, dtype)
    return array


def element(rng, dtype):
    if dtype == "boolean":
        return rng.random() < 0.5
    if dtype[0] == "f":
        return rng.choice([0.0, 1.0, -2.5, 0.125, 7.75, 3.0, -1.0, 12.5])
    if dtype[0] == "c":
        return complex(rng.choice([0.0, 1.5, -2.0]), rng.choice([1.0, -0.5]))
    return rng.randint(0, 20) if dtype[0] == "u" else rng.randint(-20, 20)


def cases(count, seed, first=0):
    return [case(random.Random(f"effects-{seed}-{n}"), n) for n in range(first, first + count)]


if __name__ == "__main__":
    sys.exit(harness.main(cases, __doc__, ulp=8))
