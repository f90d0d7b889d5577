"""Modules that g++ builds with a sanitizer, in the usual Python: what that does itself is not judged."""
import os
import subprocess

FLAGS = {"thread": "-fsanitize=thread", "address": "-fsanitize=address,undefined -fno-sanitize=vptr"}
LIBRARIES = {"thread": ["libtsan.so"], "address": ["libasan.so", "libubsan.so"]}
OPTIONS = {"thread": {"TSAN_OPTIONS": "report_signal_unsafe=0 halt_on_error=0 exitcode=0 ignore_noninstrumented_modules=1"},
           "address": {"ASAN_OPTIONS": "detect_leaks=0 allocator_may_return_null=1", "PYTHONMALLOC": "malloc",
                       "UBSAN_OPTIONS": "print_stacktrace=1"}}


def compiler(kind):
    """For CXX."""
    return f"g++ -g {FLAGS[kind]}"


def environment(kind):
    """Of a Python that imports such modules."""
    libraries = [subprocess.run(["g++", f"-print-file-name={name}"], capture_output=True, text=True).stdout.strip() for name in LIBRARIES[kind]]
    return {**os.environ, **OPTIONS[kind], "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "LD_PRELOAD": " ".join(libraries)}


def without():
    """Of what such a Python calls."""
    return {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
