"""One binary, several Pythons: the tests of modules, built by this Python and run by others.

    .venv/bin/python tests/run/pythons.py PYTHON… [-- FILE…]

Each PYTHON has pytest, hypothesis and a NumPy of its own; what needs Numba is left out where it has none, and what is left
out says why. Exit code 1 if a test fails anywhere; `abi3audit --strict` judges every module that was built where that tool
is on PATH.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
COMPILER = {"test_toolchain.py", "test_cli.py", "test_reproducible.py", "test_directory.py",  # of pyk2cu, not of modules
            "test_fuzz.py", "test_mutants.py"}  # thousands of modules, made anew each time: of what pyk2cu means
BUILDS = re.compile(r"BUILD_PYTHON|\bcompile_text\(|^from \w+_batch import|^from conftest import .*\b(Batch|build)\b|"
                    r"^import (oracle|mutants|updates)\b", re.M)  # what builds a module, itself or by its helper


def module_tests():
    return [p for p in sorted(HERE.glob("test_*.py")) if p.name not in COMPILER and BUILDS.search(p.read_text())]


def pytest(python, *options):
    environment = {**os.environ, "PYK2CU_BUILD_PYTHON": sys.executable, "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run([python, "-m", "pytest", "-q", "-p", "no:cacheprovider", *map(str, options)], cwd=ROOT,
                          env=environment, capture_output=True, text=True)


def run(python, files):
    version = subprocess.run([python, "-c", "import sys, numpy; print(sys.version.split()[0], numpy.__version__)"],
                             capture_output=True, text=True, check=True).stdout.split()
    collected = pytest(python, "--collect-only", *files).stdout
    broken = sorted(set(re.findall(r"^ERROR (\S+)", collected, re.M)))
    done = pytest(python, "-rfEs", *[f for f in files if str(f.relative_to(ROOT)) not in broken])
    said = re.findall(r"^(?:FAILED|ERROR|SKIPPED) .*", done.stdout, re.M)  # why something is left out, too
    print(f"CPython {version[0]}, NumPy {version[1]}: {done.stdout.strip().splitlines()[-1].strip('= ')}", flush=True)
    for line in said + [f"not collected: {b}" for b in broken]:
        print("   ", line)
    return done.returncode == 0


def audit():
    if not shutil.which("abi3audit"):
        return True
    build = pathlib.Path(os.environ.get("PYK2CU_BUILD_DIR", ROOT / "build"))
    modules = sorted((build / "run").glob("*/*.abi3.so"))
    command = ["abi3audit", "--strict", "--assume-minimum-abi3", "3.11"]  # a file's name does not say which
    wrong = [m.name for m in modules if subprocess.run([*command, m], capture_output=True).returncode]
    print(f"abi3audit --strict: {len(modules)} modules, {len(wrong)} with findings {' '.join(wrong)}")
    return not wrong


def main():
    arguments = sys.argv[1:]
    at = arguments.index("--") if "--" in arguments else len(arguments)
    files = [pathlib.Path(f).resolve() for f in arguments[at + 1:]] or module_tests()
    good = [run(python, files) for python in arguments[:at]]
    return 0 if all(good) and audit() else 1


if __name__ == "__main__":
    sys.exit(main())
