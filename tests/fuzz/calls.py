"""Calls of compiled functions under sanitizers; what is found in a module of ours fails.

    python tests/fuzz/calls.py thread  [CALLS]     8 threads, each CALLS mixed calls (100,000), ThreadSanitizer
    python tests/fuzz/calls.py address [CALLS]     every entry and every error path CALLS times, AddressSanitizer and UBSan

The calls are those of tests/run/test_leaks.py and generated ones of tests/run/test_arguments.py. The modules are built with the
sanitizer by g++, the Python that runs them is the usual one: what it does itself is not judged. `cmd/dev soak` runs both.
"""
import os
import pathlib
import random
import subprocess
import sys
import threading

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests/run"), str(ROOT / "tests/fuzz")]

import sanitizers



def tried(call):
    try:
        return call()
    except Exception as error:
        return error


def own_calls(np, batch):
    """Calls that write only to arrays of the calling thread, some long enough to let go of the GIL."""
    a, big, out = np.arange(5.0), np.ones((200, 100)), np.zeros((200, 100))
    picture = np.zeros(20_000, "f4")
    return [lambda: batch.scale(big, out, 2.0), lambda: batch.total(big[0]), lambda: batch.total(np.ones(20_000)),
            lambda: batch.total(np.ones(20_000, "i4")), lambda: batch.fill[80, 256](picture, 1.0),
            lambda: batch.long_loop(1000), lambda: batch.tail(a, 2), lambda: batch.either(a, a, True),
            lambda: batch.fill.forall(100)(picture, value=0.5)]


def build_ufuncs():
    from conftest import build
    return next(build((ROOT / "tests/run/kernels/ufuncs.py").read_text(), "ufuncs").glob("ufuncs.*.so"))


def ufuncs():
    from conftest import load_module
    return load_module(build_ufuncs())


def ufunc_calls(np, module):
    a, raises = np.arange(300.0), np.arange(300.0) - 150
    return [lambda: module.plus(a, 1), lambda: module.plus.reduce(a), lambda: module.plus.accumulate(a[::2]),
            lambda: module.positive(raises), lambda: module.positive(a, out=np.empty(300)),
            lambda: module.inner(a.reshape(3, 100), a[:100]), lambda: module.guarded(np.arange(20)),
            lambda: module.hypotenuse(np.ones(5000), a[:1]), lambda: module.positive_in_parallel(np.full(5000, -1.0)),
            lambda: module.fused(2, a[::-1], a), lambda: module.plus("text", 1)]


def mixed(count):
    import numpy as np
    import test_leaks
    from module_batch import batch
    module = ufuncs()
    shared = [call for name, call in test_leaks.EVERY_CALL.items()
              if name not in ("parallel", "scale", "fill", "forall", "attributes")]

    def work(seed):
        calls = shared + own_calls(np, batch) + ufunc_calls(np, module)
        choose = random.Random(seed)
        for _ in range(count):
            tried(choose.choice(calls))

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    print(f"8 threads, {count} calls each")


def every(count):
    import test_arguments
    import test_leaks
    for name, call in test_leaks.EVERY_CALL.items():
        for _ in range(count if name not in test_leaks.FEW else count // 10):
            tried(call)
    rows = [(test_arguments.batch.read0, r[1]) for r in test_arguments.READ if isinstance(r[2], str)]
    rows += [(test_arguments.batch.fill, r[1]) for r in test_arguments.WRITES if r[2]]
    for f, value in rows:
        for _ in range(count):
            tried(lambda: f(value, 1))
    for seed in range(count):
        name, args, kwargs = test_arguments.Generator(seed).call()
        test_arguments.outcome(getattr(test_arguments.batch, name), args, kwargs)
    import numpy as np
    import test_ufunc
    module = ufuncs()
    for call in ufunc_calls(np, module):
        for _ in range(count):
            tried(call)
    names = test_ufunc.UNARY + test_ufunc.BINARY + ["fused"]
    for seed in range(count):
        f = getattr(module, names[seed % len(names)])
        test_ufunc.outcome(f, seed, f.nin)
    print(f"{len(test_leaks.EVERY_CALL) + len(rows)} calls, {count} times each, and as many generated ones")


def parent(kind, count):
    build = pathlib.Path(os.environ.get("PYK2CU_BUILD_DIR", ROOT / "build")).resolve()
    os.environ.setdefault("PYK2CU", str(build / "pyk2cu"))
    os.environ["PYK2CU_BUILD_DIR"] = str(build / f"sanitize-{kind}")
    os.environ["CXX"] = sanitizers.compiler(kind)
    import argument_batch
    import module_batch
    for batch in (module_batch.batch, module_batch.tuples, argument_batch.batch):
        print(batch.directory)
    build_ufuncs()
    done = subprocess.run([sys.executable, __file__, kind, str(count), "child"], env=sanitizers.environment(kind), capture_output=True, text=True)
    print(done.stdout, end="")
    reports = [r for r in done.stderr.split("\n\n") if ".abi3.so" in r or "runtime error" in r]
    print(*reports[:5], sep="\n\n")
    if done.returncode:
        print(f"exit {done.returncode}\n{done.stderr[-3000:]}")
    return 1 if reports or done.returncode else 0


def main():
    kind, count = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 100_000
    if len(sys.argv) > 3:
        return {"thread": mixed, "address": every}[kind](count)
    return parent(kind, count)


if __name__ == "__main__":
    sys.exit(main())
