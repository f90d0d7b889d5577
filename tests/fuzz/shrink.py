"""Makes a failing case smaller while it fails in the same way: statements go, blocks lose their head, expressions
become one of their parts.

    print(shrink.smaller(difference, seconds=60))

The candidates of a round are compiled together, so that a round costs a few seconds.
"""
import ast
import copy
import dataclasses
import pathlib
import re
import tempfile
import time
import warnings

import building
import harness
from helpers import pruned

TOGETHER = 24


def smaller(difference, seconds, **options):
    """A Difference of the same bucket with less text; the given one when nothing smaller fails."""
    deadline = time.monotonic() + seconds
    best, renames = difference, True
    if not failing([difference.case], difference, True, options):
        renames = False  # it fails under these names only: one candidate at a time
    tried = set()
    while time.monotonic() < deadline:
        found = step(best, tried, renames, options, deadline)
        if found is None:
            break
        best = found
    return best


def step(best, tried, renames, options, deadline):
    rest = [c for c in sorted(candidates(best.case), key=size) if text(c) not in tried]
    while rest and time.monotonic() < deadline:
        some, rest = rest[:TOGETHER], rest[TOGETHER:]
        tried.update(map(text, some))
        groups = [some] if renames else [[c] for c in some]
        for group in groups:
            found = failing(group, best, renames, options)
            if found:
                return min(found, key=lambda d: size(d.case))
            if time.monotonic() > deadline:
                return None
    return None


def text(case):
    return case.decorated() + repr(len(case.inputs))


def size(case):
    return len(case.decorated()) + 40 * len(case.inputs)


def failing(cases, difference, renames, options):
    """The differences among the cases that lie in the bucket, under their original names."""
    if difference.kind in ("refused", "c++", "crash"):
        return built_badly(cases, difference, renames, options.get("extra", ()))
    numbered = [renamed(case, number) for number, case in enumerate(cases)] if renames else cases
    original = {new.name: case for new, case in zip(numbered, cases)}
    differences, _ = harness.compare(numbered, batch=len(numbered), **options)
    found = [harness.Difference(original[d.case.name], d.kind, d.what) for d in differences]
    return [d for d in found if d.bucket() == difference.bucket() and well_defined(d.case)]


def built_badly(cases, difference, renames, extra):
    """The smallest case that the compiler or g++ fails on as on the first one; no module is made."""
    numbered = [renamed(case, number) if renames else case for number, case in enumerate(cases)]
    with tempfile.TemporaryDirectory() as directory:
        together = building.build_failures(numbered, pathlib.Path(directory) / "0", extra) if renames else None
        alone = [] if together is not None else list(enumerate(numbered, 1))
        failures = together or {}
        for number, case in alone:
            failures.update(building.build_failures([case], pathlib.Path(directory) / str(number), extra))
    for case, new in sorted(zip(cases, numbered), key=lambda pair: size(pair[0])):
        found = harness.Difference(case, *failures.get(new.name, ("", "")))
        if found.bucket() == difference.bucket() and harness.accepted_by_numba(case):
            return [found]
    return []


def well_defined(case):
    """No index leaves its array and no float an integer's range, as far as CPython tells."""
    for arguments in case.inputs:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error", RuntimeWarning)
                warnings.filterwarnings("ignore", "(divide|invalid value encountered in (?!cast)|overflow|underflow)")
                status, value, *_ = harness.outcome(harness.plain(case), arguments)
        except Exception:  # noqa: BLE001 — what CPython cannot run is no obstacle
            continue
        if status in ("OverflowError", "RuntimeWarning") or (status == "IndexError" and "out of bounds" in str(value)):
            return False
    return True


def renamed(case, number):
    """The case with other names for all that it defines at module level."""
    tree = ast.parse(case.prelude)
    names = {case.name}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            names.add(node.name)
        elif isinstance(node, ast.Assign):
            names.update(n.id for n in ast.walk(node.targets[0]) if isinstance(n, ast.Name))
    pattern = re.compile(rf"\b({'|'.join(map(re.escape, sorted(names)))})\b")
    new = lambda s: pattern.sub(lambda m: f"{m[1]}_z{number}", s)  # noqa: E731
    return dataclasses.replace(case, name=new(case.name), source=new(case.source), prelude=new(case.prelude))


def candidates(case):
    if len(case.inputs) > 1:
        for arguments in case.inputs:
            yield dataclasses.replace(case, inputs=[arguments])
    if case.options:
        yield dataclasses.replace(case, options="")
    prunes = pruned(case.prelude, case.source) == (ast.unparse(ast.parse(case.prelude)), ast.unparse(ast.parse(case.source)))
    for field in ("prelude", "source"):
        for new in reductions(getattr(case, field)):
            new = dataclasses.replace(case, **{field: new})
            if prunes:  # a function that nobody calls is another failure
                new.prelude, new.source = pruned(new.prelude, new.source)
            yield new


def reductions(source):
    """The text after each single reduction of its tree."""
    tree = ast.parse(source)
    for number, node in enumerate(ast.walk(tree)):
        for name, value in ast.iter_fields(node):
            if isinstance(value, list) and value and isinstance(value[0], ast.stmt):
                yield from shorter_blocks(tree, number, name, value)
            elif isinstance(value, ast.expr) and not isinstance(node, (ast.keyword, ast.NamedExpr)):
                yield from simpler(tree, number, name, value)
            elif isinstance(value, list) and value and isinstance(value[0], ast.expr) and name != "decorator_list":
                for at, item in enumerate(value):
                    yield from simpler(tree, number, (name, at), item)


def edited(tree, number, change):
    clone = copy.deepcopy(tree)
    change(list(ast.walk(clone))[number])
    try:
        result = ast.unparse(ast.fix_missing_locations(clone))
        ast.parse(result)
        return [result]
    except (SyntaxError, ValueError):
        return []


def shorter_blocks(tree, number, name, block):
    length = len(block)
    chunk = length
    while chunk:
        for start in range(0, length, chunk):
            def drop(node, start=start, chunk=chunk):
                items = getattr(node, name)
                del items[start:start + chunk]
                if not items and name == "body" and not isinstance(node, ast.Module):
                    items.append(ast.Pass())
            if not (length == 1 and isinstance(block[0], ast.Pass)):
                yield from edited(tree, number, drop)
        chunk //= 2
    for at, statement in enumerate(block):
        for part in ("body", "orelse"):
            if getattr(statement, part, None) and not isinstance(statement, ast.FunctionDef):
                def unwrap(node, at=at, part=part):
                    items = getattr(node, name)
                    items[at:at + 1] = getattr(items[at], part)
                yield from edited(tree, number, unwrap)


def simpler(tree, number, name, value):
    parts = [n for n in ast.iter_child_nodes(value) if isinstance(n, ast.expr)]
    parts += [n for part in parts for n in ast.iter_child_nodes(part) if isinstance(n, ast.expr)]
    if not isinstance(value, (ast.Constant, ast.Name)):
        parts += [ast.Constant(1), ast.Constant(0.5)]
    for part in parts:
        if isinstance(part, ast.expr):
            def put(node, part=part):
                if isinstance(name, tuple):
                    getattr(node, name[0])[name[1]] = copy.deepcopy(part)
                else:
                    setattr(node, name, copy.deepcopy(part))
            yield from edited(tree, number, put)
