"""Compares many generated cases with Numba, whatever goes wrong in one of them.

    differences, stats = harness.compare(cases, ulp=4)
    harness.main(cases_of, "what it is")        # the command line of a generator

A batch of cases becomes one module. A diagnostic, a C++ error, a crash of the compiler or of the module, and a hang
are charged to the case that caused them; the others are compared all the same. Both sides are called in a process of
their own, with arrays that overlap as the generator made them: the result, its type, the class and the arguments of
an exception, and every array afterwards (also after an exception) must be equal.
"""
import argparse
import collections
import concurrent.futures
import dataclasses
import importlib
import json
import os
import pathlib
import pickle
import re
import subprocess
import sys
import tempfile
import time
import types
import warnings

import numpy as np

import building
import oracle

STALLED = 90  # seconds without a result before a call counts as hanging
STEPS = ("begins", "calls ours", "calls Numba", "compares")


@dataclasses.dataclass
class Difference:
    case: oracle.Case
    kind: str               # "refused", "c++", "crash", "type", "value", "exception", "arrays", …
    what: str

    def __str__(self):
        return f"--- {self.case.name}: {self.kind}: {self.what}\n{oracle.HEADER}\n\n{self.case.decorated()}"

    def bucket(self):
        """What failures of one cause share, as far as the message tells."""
        text = self.what.splitlines()[0] if self.kind in ("refused", "c++", "crash", "type") else ""
        return f"{self.kind}: {re.sub(r'[`‘][^`’]*[`’]|[0-9]+', '_', text)}"[:150]


# ---- calling, in a process of its own

def copies(arguments):
    """Copies that overlap as the arguments do."""
    bases, out = {}, []
    for a in arguments:
        if not isinstance(a, np.ndarray):
            out.append(a)
            continue
        base = a
        while isinstance(base.base, np.ndarray):
            base = base.base
        if base is a or a.size == 0:
            out.append(bases.setdefault(id(base), base.copy(order="K")) if a.size else a.copy())
            continue
        copy = bases.setdefault(id(base), base.copy(order="K"))
        offset = a.__array_interface__["data"][0] - base.__array_interface__["data"][0]
        out.append(np.ndarray(a.shape, a.dtype, copy, offset, a.strides))
    return out


def outcome(function, arguments):
    """("ok" or the exception's class, result or the exception's arguments, arrays afterwards, what the result shares)."""
    arguments = copies(arguments)
    arrays = [a for a in arguments if isinstance(a, np.ndarray)]
    try:
        value = function(*arguments)
    except Exception as error:  # noqa: BLE001 — the class is what is compared
        return type(error).__name__, error.args, arrays, None
    shares = [np.shares_memory(value, a) for a in arrays] if isinstance(value, np.ndarray) else None
    return "ok", value, arrays, shares


def exact(case, arguments, mine, his, ulp):
    """What differs between two outcomes, or None."""
    if mine[0] != his[0] or (his[0] != "ok" and not same_message(case, arguments, mine, his, ulp)):
        return "exception"
    if his[0] == "ok" and not oracle.close(mine[1], his[1], ulp):
        return "value"
    return None if oracle.close(mine[2], his[2], ulp) and mine[3] == his[3] else "arrays"


def same_message(case, arguments, mine, his, ulp):
    """Whether two exceptions have equal arguments. Where a closure raises, Numba may put None for what it captures;
    CPython then tells what stands there."""
    if None in his[1] and re.search(r"^ +def ", case.source, re.M):
        his = in_python(case, arguments)
    return oracle.close(mine[1], his[1], ulp)


def plain(case):
    """The function as CPython runs it, without Numba's types: a hint beside a difference."""
    decorator = lambda *args, **_: args[0] if args and callable(args[0]) else lambda f: f  # noqa: E731
    module = types.SimpleNamespace(njit=decorator, prange=range, types=None, register_jitable=decorator)
    space = {}
    text = re.sub(r"^from numba.*\n", "", oracle.HEADER, flags=re.M)
    exec(compile(text, "<header>", "exec"), space)
    space.update(vars(module))
    exec(compile(case.decorated(), f"<{case.name}>", "exec"), space)
    return space[case.name]


def judge_case(case, ours, results, options, report):
    """Compares one case and calls report(status, text) once."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a prange that Numba runs serially
            theirs = oracle.compile_numba(case)
    except Exception:  # noqa: BLE001 — Numba has many classes for "does not compile"
        return report("numba_refuses", "")
    if ours is None:
        return report("different", "left out", "no diagnostic says why")
    expected = str(theirs.nopython_signatures[0].return_type)
    got = (results.get(case.name) or ["nothing in the manifest"])[0]
    if oracle.normal_type(got) != oracle.normal_type(expected):
        if oracle.copied_returns(case, theirs):
            return report("copied_returns", "")
        if not (expected == "none" and oracle.never_returns(theirs)):  # then the calls raise, and are compared
            return report("different", "type", f"result type {got}, Numba has {expected}")
    raised = 0
    for arguments in case.inputs:
        report("calls ours", "")
        mine = outcome(ours, arguments)
        report("calls Numba", "")
        his = outcome(theirs, arguments)
        report("compares", "")
        raised += his[0] != "ok"
        wrong = options["same"](case, arguments, mine, his, options["ulp"])
        if wrong:
            return report("different", wrong, told(case, arguments, mine, his))
    return report("same", f"{len(case.inputs)} {raised}")


def in_python(case, arguments):
    """The outcome in CPython."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return outcome(plain(case), arguments)
    except Exception as error:  # noqa: BLE001
        return type(error).__name__, error.args, [], None


def told(case, arguments, mine, his):
    with np.printoptions(threshold=40):
        return (f"{arguments!r}\n  ours   {mine!r}\n  Numba  {his!r}\n  Python {in_python(case, arguments)!r}")


def work(job_path, log_path):
    """The child: compares the cases of a job, a line of the log for every step."""
    job = pickle.loads(pathlib.Path(job_path).read_bytes())
    module_name, function_name = job["same"].split(":")
    options = {"ulp": job["ulp"], "same": getattr(importlib.import_module(module_name), function_name)}
    with open(log_path, "a", buffering=1) as log:
        library = pathlib.Path(job["library"])
        spec = importlib.util.spec_from_file_location(library.name.split(".")[0], library)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        for case in job["cases"]:
            def report(status, *texts, name=case.name):
                log.write(json.dumps([name, status, *texts]) + "\n")
            report("begins")
            judge_case(case, getattr(module, case.name, None), job["results"], options, report)


def call_all(part, directory, options):
    """Yields (case, status, texts) for each case of a part; who kills the process or hangs is told from the log."""
    library, results, cases = part
    cases = list(cases)
    for attempt in range(len(cases)):
        job, log = directory / f"job{attempt}", directory / f"log{attempt}"
        job.write_bytes(pickle.dumps({"library": str(library), "results": results, "cases": cases, **options}))
        log.write_text("")
        with open(directory / "stderr", "w") as stderr:
            child = subprocess.Popen([sys.executable, __file__, "--work", str(job), str(log)], stdout=stderr,
                                     stderr=stderr, env={**os.environ, "PYTHONPATH": str(pathlib.Path(__file__).parent)})
            state = wait(child, log)
        steps = [json.loads(line) for line in log.read_text().splitlines() if line.endswith("]")]
        by_name, done = {case.name: case for case in cases}, set()
        for name, status, *texts in steps:
            if status not in STEPS:
                done.add(name)
                yield by_name[name], status, texts
        cases = [case for case in cases if case.name not in done]
        if not cases:
            return
        status = steps[-1][1] if steps and steps[-1][0] == cases[0].name else ""
        if status in ("begins", "calls Numba"):
            yield cases.pop(0), "numba_refuses", [""]
        elif status == "calls ours":
            yield cases.pop(0), "different", ["dies", f"the call {state}"]
        else:
            last = ((directory / "stderr").read_text().strip().splitlines() or ["no message"])[-1]
            for case in cases:
                yield case, "different", ["harness", f"cannot import the module or compare: {last}"]
            return


def wait(child, log):
    """Waits for the end or for a standstill; how it ended."""
    size, since = 0, time.monotonic()
    while child.poll() is None:
        time.sleep(0.05)
        if log.stat().st_size != size:
            size, since = log.stat().st_size, time.monotonic()
        if time.monotonic() - since > STALLED:
            child.kill()
            child.wait()
            return "hangs"
    return f"ends the process with {child.returncode}"


# ---- comparing

def compare(cases, *, ulp=4, same="harness:exact", extra=(), batch=40, seconds=None, progress=None):
    """(differences, statistics) over the cases; the next batch is built while the last one is compared."""
    differences, stats = [], collections.Counter(compared=0, calls=0, raised=0, numba_refuses=0)
    deadline = time.monotonic() + seconds if seconds else None
    groups = [cases[start:start + batch] for start in range(0, len(cases), batch)]
    with tempfile.TemporaryDirectory(prefix="fuzz") as temporary, \
            concurrent.futures.ThreadPoolExecutor(1) as builder:
        root = pathlib.Path(temporary)
        builds = collections.deque()
        for number, group in enumerate(groups[:1]):
            builds.append(builder.submit(building.build_all, group, root / f"b{number}", extra))
        for number, group in enumerate(groups):
            parts, failures = builds.popleft().result()
            ended = deadline and time.monotonic() > deadline
            if number + 1 < len(groups) and not ended:
                builds.append(builder.submit(building.build_all, groups[number + 1], root / f"b{number + 1}", extra))
            compare_parts(group, parts, failures, root, {"ulp": ulp, "same": same}, differences, stats)
            done = sum(map(len, groups[:number + 1]))
            assert done == sum(stats[k] for k in ("compared", "refused", "numba_refuses", "copied_returns")), stats
            if progress:
                progress(done, differences, stats)
            if ended:
                break
    return differences, dict(stats)


def compare_parts(cases, parts, failures, root, options, differences, stats):
    by_name = {case.name: case for case in cases}
    for name, (kind, what) in failures.items():
        if accepted_by_numba(by_name[name]):
            stats["refused"] += 1
            differences.append(Difference(by_name[name], kind, what))
        else:
            stats["numba_refuses"] += 1
    for part in parts:
        for case, status, texts in call_all(part, root, options):
            if status in ("numba_refuses", "copied_returns"):
                stats[status] += 1
                continue
            stats["compared"] += 1
            if status == "same":
                calls, raised = map(int, texts[0].split())
                stats["calls"] += calls
                stats["raised"] += raised
            else:
                differences.append(Difference(case, *texts))


def accepted_by_numba(case):
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            oracle.compile_numba(case)
        return True
    except Exception:  # noqa: BLE001 — Numba has many classes for "does not compile"
        return False


# ---- the command line

def main(cases_of, what, count=300, **options):
    """cases_of(count, seed, first) makes the cases; exit status 1 when something differs."""
    import shrink
    parser = argparse.ArgumentParser(description=what)
    parser.add_argument("--count", type=int, default=count)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="number of the first case")
    parser.add_argument("--batch", type=int, default=40, help="cases per module")
    parser.add_argument("--seconds", type=float, default=None, help="no new batch after this time")
    parser.add_argument("--shrink", type=float, default=60, help="seconds for making each kind of failure smaller")
    parser.add_argument("--march", default="")
    chosen = parser.parse_args()
    extra = ["--march", chosen.march] if chosen.march else []
    seen = collections.Counter()

    def progress(done, differences, stats):
        for difference in differences[sum(seen.values()):]:
            seen[difference.bucket()] += 1
            print(difference, flush=True)
            alike = seen[difference.bucket()]
            if chosen.shrink and (alike == 1 or (alike < 6 and difference.bucket().endswith(": "))):
                print("=== smaller\n", shrink.smaller(difference, chosen.shrink, extra=extra, **options), sep="", flush=True)
        print(f"{chosen.first + done}: {dict(stats)}, {len(differences)} differences", flush=True)

    differences, _ = compare(cases_of(chosen.count, chosen.seed, chosen.first), extra=extra, batch=chosen.batch,
                             seconds=chosen.seconds, progress=progress, **options)
    for bucket, number in seen.most_common():
        print(f"{number:5} {bucket}")
    return 1 if differences else 0


if __name__ == "__main__":
    work(*sys.argv[2:])
