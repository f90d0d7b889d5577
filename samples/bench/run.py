"""pyk2cu beside Numba on the same files, in one run: medians of interleaved rounds, ratios.

    cmd/dev bench [NAME …]        writes the table that samples/bench/README.md shows

Both get the same arguments. Numba's best variant counts: every sample runs with the decorator it has, and with
`fastmath=False` in both. Times are medians in milliseconds of calls from Python, after one warm-up call each.
"""
import copy
import importlib.util
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
SAMPLES = HERE.parent
sys.path.insert(0, str(SAMPLES))
from support import cases  # noqa: E402


def load(path, name):
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def build(sources, out):
    compiler = os.environ.get("PYK2CU", str(SAMPLES.parent / "build/pyk2cu"))
    subprocess.run([compiler, *map(str, sources), "-o", str(out), "--build", "--march=native", "--python",
                    sys.executable], check=True)


def once(function, arguments, number=1):
    start = time.perf_counter()
    for _ in range(number):
        function(*arguments)
    return (time.perf_counter() - start) / number


def medians(ours, theirs, arguments, seconds=2.0, number=1):
    """Medians of interleaved rounds of both, in seconds."""
    first, second = copy.deepcopy(arguments), copy.deepcopy(arguments)
    once(ours, first), once(theirs, second)
    a, b = [], []
    end = time.perf_counter() + seconds
    while time.perf_counter() < end or len(a) < 5:
        a.append(once(ours, first, number))
        b.append(once(theirs, second, number))
    return statistics.median(a), statistics.median(b)


def line(name, size, ours, theirs, unit=1e3):
    return f"| {name} | {size} | {ours * unit:,.3f} | {theirs * unit:,.3f} | {ours / theirs:.2f} |"


def main():
    wanted = sys.argv[1:]
    chosen = [c for c in cases.CASES if not c.launch and c.function != "inside_tuple"
              and (not wanted or c.module in wanted)]
    if chosen:
        print("| function | size | pyk2cu ms | Numba ms | ratio |\n|---|---|---|---|---|", flush=True)
    with tempfile.TemporaryDirectory() as directory:
        out = pathlib.Path(directory)
        if chosen:
            build(sorted({SAMPLES / f"{c.module}.py" for c in chosen}), out / "built")
        for case in chosen:
            ours = load(next((out / "built").glob(f"{case.module}.*so")), case.module)
            theirs = load(SAMPLES / f"{case.module}.py", f"numba_{case.module}")
            sizes = [500, 2000] if case.module == "jacobi" else [1000, 4000] if case.module == "sum2d" else \
                [512] if case.module == "matmul" else [case.large]
            for size in sizes:
                result = medians(getattr(ours, case.function), getattr(theirs, case.function), case.make(size))
                print(line(f"{case.module}.{case.function}", size, *result), flush=True)
    if not wanted or "calls" in wanted:
        import calls
        calls.print_table()


if __name__ == "__main__":
    main()
