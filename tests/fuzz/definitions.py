"""Writes the functions that effects.py calls: helpers of module level, closures, lambdas.

Their bodies are written by writer.Writer as well; here stand their parameters, their results and their returns.
"""
import dataclasses

import writer
from expressions import Array
from helpers import MODULE_FORMS, Helper


def kinds_of_parameters(w, module):
    rng = w.rng
    kinds = [("A", rng.choice([k for k, _ in w.program.dtypes])) for _ in range(rng.choice([1, 1, 2] if module else [0, 0, 1]))]
    kinds += [rng.choice("nnnif") for _ in range(rng.randint(0, 2))]
    if rng.random() < 0.15:
        kinds.append(("T", tuple(rng.choice("nif") for _ in range(2))))
    if w.program.named and rng.random() < 0.3:
        kinds.append(("P", *rng.choice(w.program.named)[1:]))
    functions_ = [h for h in w.callables if h.form.startswith("@njit") and len(h.params) < 4]
    if module and functions_ and rng.random() < 0.2:
        kinds.append(("F", rng.choice(functions_).shape()))
    return kinds


def choose_result(w, kinds):
    rng = w.rng
    arrays = [k for k in kinds if k[0] == "A"]
    options = ["n", "n", "n", "i", "i", "f", "f", "b", None, ("T", [rng.choice("nif") for _ in range(2)]),
               ("P", rng.choice([("x", "y"), ("first", "last"), ("data", "size"), ("real", "struct")]),
                tuple(rng.choice("nif") for _ in range(2))),
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
    body = writer.Writer(program, outer=w)
    if module:
        body.inner = 2
    params, dtypes = [], {}
    for kind in kinds:
        pname = program.names.local({"A": "x", "T": "t", "F": "fn", "P": "q"}.get(kind[0], "k"))
        default = {"n": "2", "i": "3", "f": "0.5"}.get(kind) if rng.random() < 0.2 else None
        outside = [n for n, k in w.vars.items() if k == kind] if default and not module else []
        default = rng.choice(outside) if outside and rng.random() < 0.6 else default
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
        program.named.append((tuple_name, *result[1:]))
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
    elif kind[0] == "P":
        body.named[name] = kind[1:]
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
        condition = body.expr("b", 1)
        if not any(map(str.isalpha, condition)):  # Numba drops what follows a raise that it is sure of
            condition += f" and len({arrays[0]}) > 3" if arrays else " and False"
        body.line(1, f"if {condition}:")
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
    body = writer.Writer(w.program, outer=w)
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
