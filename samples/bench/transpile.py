"""How long the compiler itself takes: kernels of several shapes, 1,000 to 100,000 lines of each.

    python samples/bench/transpile.py [--binary build/pyk2cu] [--lines 1000,10000,100000]

Prints a table: seconds and MiB (peak) per shape and size, best of three runs of the whole process.
"""
import argparse
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

HEADER = "import math\nimport numpy as np\nfrom numba import njit, prange\n\n\n"
ROOT = pathlib.Path(__file__).resolve().parents[2]


def one_long_function(lines):
    """Assignments that read one another, an `if` and a loop now and then."""
    body = []
    for k in range(0, lines, 10):
        body += [f"    x{k} = a[{k % 7}] * {k}.5 + y", f"    y = x{k} - y * 0.25", f"    z{k} = math.sqrt(abs(x{k}))",
                 f"    if y > z{k}:", f"        y -= z{k}", "    else:", "        y += 1.0",
                 f"    for i{k} in range(len(a)):", f"        a[i{k}] += y + x{k}", "        y *= 0.5"]
    return '@njit("float64(float64[:], float64)")\ndef f(a, y):\n' + "\n".join(body) + "\n    return y\n"


def many_functions(lines):
    return "\n".join(f'@njit("float64(float64[:], int64)")\ndef f{k}(a, n):\n    s = 0.0\n    for i in range(n):\n'
                     f"        if a[i] > {k}:\n            s += a[i] / (i + 1)\n        else:\n"
                     "            s -= math.exp(a[i])\n    return s\n" for k in range(lines // 10))


def deep_nesting(lines):
    """Loops and conditions 16 deep, again and again."""
    parts = []
    for k in range(lines // 20):
        body = [f'@njit("float64(float64[:], int64)")\ndef f{k}(a, n):', "    s = 0.0"]
        for depth in range(16):
            head = f"for i{depth} in range(n):" if depth % 2 == 0 else f"if a[i{depth - 1}] > s:"
            body.append("    " * (depth + 1) + head)
        body.append("    " * 17 + "s += a[i0] * a[i14]")
        body.append("    return s\n")
        parts.append("\n".join(body))
    return "\n".join(parts)


def many_divisions(lines):
    """A division that may raise in every line."""
    body = "\n".join(f"    x = {k}.0 / (y + x)" for k in range(lines))
    return '@njit("float64(float64, float64)")\ndef f(x, y):\n' + body + "\n    return x\n"


def two_divisions(lines):
    """Two of them in every line, and a subscript, whose function is made for two layouts."""
    body = "\n".join(f"    x = x + {k}.0 / (y + x) - a[{k % 5}] // y" for k in range(lines))
    return '@njit("float64(float64[:], float64, float64)")\ndef f(a, x, y):\n' + body + "\n    return x\n"


def many_calls(lines):
    """Helpers with effects that call one another, and a root that calls them all."""
    helpers = "\n".join(f"@njit\ndef h{k}(a, x):\n    a[{k % 3}] += x\n    return x * {k}.0"
                        + (f" + h{k - 1}(a, x)" if k % 50 else "") + "\n" for k in range(lines // 6))
    body = "\n".join(f"    x = h{k}(a, x) - x" for k in range(lines // 6))
    return helpers + '\n\n@njit("float64(float64[:], float64)")\ndef f(a, x):\n' + body + "\n    return x\n"


def many_strips(lines):
    """Parallel loops whose iterations may raise."""
    return "\n".join(f'@njit("void(float64[:], float64[:], float64[:])", parallel=True)\ndef f{k}(a, b, c):\n'
                     f"    for i in prange(len(a)):\n        c[i] = a[i] / b[i] + {k}\n"
                     "    for i in range(len(a)):\n        c[i] += b[i] / a[i]\n" for k in range(lines // 6))


SHAPES = [one_long_function, many_functions, deep_nesting, many_divisions, two_divisions, many_calls, many_strips]


def measure(binary, source):
    """Seconds (best of three) and MiB of the process, or what it said when it failed."""
    with tempfile.TemporaryDirectory() as directory:
        path = pathlib.Path(directory) / "kernels.py"
        path.write_text(source)
        best = float("inf")
        for _ in range(3):
            begin = time.perf_counter()
            done = subprocess.run([binary, str(path), "-o", directory + "/out"], capture_output=True, text=True)
            best = min(best, time.perf_counter() - begin)
            if done.returncode:
                return done.stderr.splitlines()[0]
            if best > 5:
                break
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
        return best, peak


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default=str(ROOT / "build/pyk2cu"))
    parser.add_argument("--lines", default="1000,10000,100000")
    parser.add_argument("--shapes", default=",".join(s.__name__ for s in SHAPES))
    options = parser.parse_args()
    sizes = [int(n) for n in options.lines.split(",")]
    print("| shape | " + " | ".join(f"{n:,} lines" for n in sizes) + " |\n|---|" + "---|" * len(sizes))
    for shape in SHAPES:
        if shape.__name__ not in options.shapes.split(","):
            continue
        cells = []
        for size in sizes:
            command = [sys.executable, __file__, "--one", shape.__name__, str(size), options.binary]
            cells.append(subprocess.run(command, capture_output=True, text=True).stdout.strip())
        print(f"| {shape.__name__.replace('_', ' ')} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:  # a process of its own: its peak of memory is that of one measurement
        shape = {s.__name__: s for s in SHAPES}[sys.argv[2]]
        result = measure(sys.argv[4], HEADER + shape(int(sys.argv[3])))
        print(result if isinstance(result, str) else f"{result[0] * 1000:.0f} ms, {result[1]:.0f} MiB")
    else:
        main()
