"""The worst error of every function of pyk/lanes, against libm in the next wider type.

    python tests/fuzz/vector_math.py [COUNT] [every]     COUNT float64 arguments and pairs of each (1e7); `every`: all floats
    python tests/fuzz/vector_math.py time                ns per element

Builds vector_math.cpp with CXX (g++) for x86-64, -v3 and -v4, and runs what this processor has. `cmd/dev soak` runs it.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
HEADERS = HERE.parents[1] / "runtime_headers"
CXX = os.environ.get("CXX", "g++")
FLAGS = ["-O3", "-std=c++17", "-fno-math-errno", "-fno-trapping-math", "-ffp-contract=off", "-fopenmp", f"-I{HEADERS}"]
SETS = {"plain": "x86-64", "v3": "x86-64-v3", "v4": "x86-64-v4"}


def build(folder):
    objects = [folder / f"{name}.o" for name in SETS]
    for path, (name, march) in zip(objects, SETS.items()):
        kernels = [HERE / "vector_math_kernels.cpp", f"-DSET={name}", f"-march={march}", "-c", "-o", path]
        subprocess.run([CXX, *FLAGS, *kernels], check=True)
    program = folder / "vector_math"
    subprocess.run([CXX, "-O2", "-std=c++17", f"-I{HEADERS}", HERE / "vector_math.cpp", *objects, "-o", program],
                   check=True)
    return program


def main(arguments):
    functions = re.findall(r"^PYK_(ONE|ANGLE|TWO)\((\w+)\)", (HEADERS / "pyk/lanes/functions.h").read_text(), re.M)
    counts = [a for a in arguments if a.isdigit()]
    count = counts[0] if counts else "10000000"
    with tempfile.TemporaryDirectory() as folder:
        program = build(pathlib.Path(folder))
        if "time" in arguments:
            return subprocess.run([program, "time"]).returncode
        failed = 0
        for kind, name in functions:
            floats = "0" if kind != "TWO" and "every" in arguments else count
            for what in (["float", name, floats], ["double", name, count]):
                failed |= subprocess.run([program, *what]).returncode
        return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
