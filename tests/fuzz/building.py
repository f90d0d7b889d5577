"""Builds modules of many cases with pyk2cu, and charges what fails to the case that caused it: a diagnostic, a C++
error, a crash of the compiler.
"""
import collections
import json
import re
import subprocess

import oracle


def text_of(cases):
    """The module's text, and the lines of each case."""
    text, ranges = oracle.HEADER + "\n\n", {}
    for case in cases:
        first = text.count("\n") + 1
        text += case.decorated() + "\n\n"
        ranges[case.name] = range(first, text.count("\n") + 1)
    return text, ranges


def name_at(ranges, line):
    return next((name for name, lines in ranges.items() if line in lines), None)


def build(cases, directory, extra=(), compiled=True):
    """One attempt: (library or None, result types by name, failures by name, who may be to blame for no library)."""
    directory.mkdir(parents=True)
    name = f"fuzzed_{directory.name}"
    source, out = directory / f"{name}.py", directory / "out"
    text, ranges = text_of(cases)
    source.write_text(text)
    command = [oracle.pyk2cu(), str(source), "-o", str(out), *(["--build"] if compiled else []), "--keep-going",
               "--diagnostics=json", "--python", oracle.build_python(), *oracle.for_this_processor(extra)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    except subprocess.TimeoutExpired:
        return None, {}, {}, {case.name: ("crash", "pyk2cu does not end") for case in cases}
    lines = (done.stdout + done.stderr).splitlines()
    messages = [json.loads(line) for line in lines if line.startswith("{")]
    errors = collections.defaultdict(list)
    for message in messages:
        if message.get("severity") == "error":
            errors[name_at(ranges, message.get("line", 0))].append(f"{message.get('code')}: {message.get('message')}")
    rejections = {n: ("c++", e.partition("`: ")[2]) for n, es in errors.items() for e in es if e.startswith("PK9002")}
    internal = [e for es in errors.values() for e in es if e.startswith("PK9001")]
    if done.returncode not in (0, 1, 70) or None in errors or internal or (done.returncode == 70 and not rejections):
        blamed = {n: ("c++", e) for n, e in rejected(out, ranges).items()}
        last = (internal or errors.get(None) or [line for line in lines if not line.startswith("{")] or [""])[-1]
        return None, {}, {}, blamed or {c.name: ("crash", f"exit {done.returncode}: {last[-300:]}") for c in cases}
    refused = {n: ("refused", "; ".join(dict.fromkeys(e))) for n, e in errors.items()} | rejections
    library = next(iter(out.glob(f"{name}*.so")), None)
    results = {}
    if library:
        manifest = json.loads((out / f"{name}.json").read_text())
        results = {e["name"]: [o.get("result") for o in e["overloads"]] for e in manifest.get("entries", [])}
    return library, results, refused, {}


def build_failures(cases, directory, extra=()):
    """What keeps each case out of a module, by name; nothing is linked. None where pyk2cu itself fails."""
    _, _, refused, blamed = build(cases, directory, extra, compiled=False)
    if blamed:
        return blamed if len(cases) == 1 else None
    ranges = text_of(cases)[1]
    return {**{name: ("c++", error) for name, error in rejected(directory / "out", ranges).items()}, **refused}


def rejected(out, ranges):
    """Compiler errors by case: g++ is asked again, because pyk2cu reports the first one only."""
    found = {}
    for path in out.glob("*.cpp"):
        if path.name.endswith("_module.cpp"):
            continue
        command = ["g++", "-std=c++17", "-fopenmp", "-fsyntax-only", "-fmax-errors=200", f"-I{out}", str(path)]
        done = subprocess.run(command, capture_output=True, text=True)
        lines = path.read_text().splitlines()
        for number, message in re.findall(rf"{re.escape(path.name)}:(\d+):\d+: error: (.*)", done.stderr):
            for line in reversed(lines[:int(number)]):
                place = re.match(r"// \w+\.py:(\d+)", line)
                if place:
                    found.setdefault(name_at(ranges, int(place[1])), message)
                    break
    found.pop(None, None)
    return found


def build_all(cases, directory, extra=()):
    """([(library, result types, cases)], failures by name); a batch that does not build is taken apart."""
    parts, failures, pending, number = [], {}, [list(cases)], 0
    while pending:
        group = pending.pop()
        number += 1
        library, results, refused, blamed = build(group, directory / str(number), extra)
        failures.update(refused)
        if blamed and len(group) == 1:
            failures.update(blamed)
        elif blamed and len(blamed) == len(group):
            pending += [group[:len(group) // 2], group[len(group) // 2:]]
        elif blamed:  # one error brings others with it, so that each is asked alone
            pending += [[case] for case in group if case.name in blamed]
            pending.append([case for case in group if case.name not in blamed])
        elif library:
            parts.append((library, results, [case for case in group if case.name not in refused]))
        else:
            failures.update({c.name: ("left out", "no diagnostic says why") for c in group if c.name not in refused})
    return parts, failures
