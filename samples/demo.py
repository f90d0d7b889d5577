"""Compiles the samples, runs them beside CPython and NumPy, prints a table, writes pictures.

    cmd/dev demo [OUT]          pictures and modules go to samples/out unless OUT says otherwise

CPython runs each sample at a small size, the compiled one at the small size (compared: largest error) and at a
large one; CPython's time at the large size is its small time scaled by the time that the compiled code needed.
"""
import copy
import importlib
import os
import pathlib
import subprocess
import sys
import time

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
from support import cases, plain  # noqa: E402


def compile_samples(out):
    """Builds every sample; returns the seconds it took."""
    start = time.perf_counter()
    compiler = os.environ.get("PYK2CU", str(HERE.parent / "build/pyk2cu"))
    files = sorted({str(HERE / f"{case.module}.py") for case in cases.CASES})
    done = subprocess.run([compiler, *files, "-o", str(out), "--build", "--march=native", "--python", sys.executable])
    if done.returncode:
        sys.exit(done.returncode)
    return time.perf_counter() - start


def seconds(function, repeat=5):
    """The best of some runs: the demo shows what is possible, the benchmarks show medians."""
    best = float("inf")
    for _ in range(repeat):
        start = time.perf_counter()
        function()
        best = min(best, time.perf_counter() - start)
        if best > 1.0:
            break
    return best


def row(case, compiled, python):
    small = case.make(case.small)
    expected_arguments, arguments = copy.deepcopy(small), copy.deepcopy(small)
    start = time.perf_counter()
    expected = case.call(python, expected_arguments)
    python_time = time.perf_counter() - start
    error = cases.largest_error(case.call(compiled, arguments), expected)
    small_time = max(seconds(lambda: case.call(compiled, arguments)), 1e-7)
    large = case.make(case.large)
    numpy_time = seconds(lambda: case.numpy(*large)) if case.numpy else None
    large_time = seconds(lambda: case.call(compiled, large))
    return error, python_time / small_time, numpy_time, large_time, large


def picture(case, arguments, out):
    from PIL import Image
    data = np.asarray(arguments[case.picture])
    if data.dtype == bool:
        image = np.where(data, 255, 30).astype(np.uint8)
    else:
        image = (255 * np.sqrt(data / data.max())).astype(np.uint8)
    path = out / f"{case.module}.png"
    Image.fromarray(image).save(path)
    return path


def milliseconds(value):
    return "-" if value is None else f"{value * 1e3:,.3g}" if value < 1 else f"{value * 1e3:,.0f}"


def main():
    out = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / "out"
    out.mkdir(parents=True, exist_ok=True)
    print("compiling the samples …", flush=True)
    print(f"done in {compile_samples(out):.1f} s\n")
    sys.path.insert(0, str(out))
    print(f"{'sample':<42}{'size':>11}{'NumPy ms':>10}{'pyk2cu ms':>11}{'vs CPython':>12}{'largest error':>15}")
    failed, pictures = 0, []
    for case in cases.CASES:
        compiled = importlib.import_module(case.module)
        python = plain.load(HERE / f"{case.module}.py")
        error, speedup, numpy_time, time_large, large = row(case, compiled, python)
        wrong = not error <= case.tolerance
        failed += wrong
        print(f"{case.module + '.' + case.function:<42}{case.large:>11,}{milliseconds(numpy_time):>10}"
              f"{milliseconds(time_large):>11}{speedup:>11,.0f}x{error:>15.1e}{'  WRONG' if wrong else ''}", flush=True)
        if case.picture is not None:
            pictures.append(picture(case, large, out))
    print("\nvs CPython: at the size that CPython manages in about a second, results compared there")
    print("pictures: " + ", ".join(str(p) for p in pictures))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
