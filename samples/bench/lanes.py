"""pyk2cu beside Numba, Pythran and NumPy on forty kernels that nobody tuned for a compiler, and on rows of the goal.

    python samples/bench/lanes.py [NAME …]           the forty kernels, or those named
    python samples/bench/lanes.py --goal [NAME …]    the rows of the goal; --all: both

First the results have to be the same as Numba's, then all are called in turn; a table of medians follows. Pythran gets
a copy of each kernel without what is Numba's, with `# pythran export` lines made from the signatures and OpenMP
directives where there was a prange; what it built is kept in --cache. Numba and NumPy have to be installed, Pythran and
matplotlib may be.
"""
import argparse
import ast
import concurrent.futures
import copy
import hashlib
import importlib.util
import json
import os
import pathlib
import platform
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
PYTHRAN_FLAGS = ["-march=native", "-DUSE_XSIMD", "-fopenmp", "-O3"]
PEERS = ("Numba", "Pythran", "NumPy")


def load(path, name):
    """The module of a file, under the name."""
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def source_of(module):
    """The file of a module of kernels, or of a sample."""
    path = HERE / f"kernels/{module}.py"
    return path if path.exists() else HERE.parent / f"{module}.py"


def build(modules, out):
    """Compiles modules with pyk2cu as a user does who says nothing about the machine."""
    compiler = os.environ.get("PYK2CU", str(HERE.parents[1] / "build/pyk2cu"))
    subprocess.run([compiler, *(str(source_of(m)) for m in modules), "-o", str(out), "--build", "--quiet",
                    "--python", sys.executable], check=True)
    return {m: load(next(out.glob(f"{m}.*so")), m) for m in modules}


# ---- Pythran: a kernel as it takes it ---------------------------------------------------------------------------
def export_type(text):
    """float64[:,::1] -> float64[:,:] order(C)"""
    text = text.replace("::1", ":").replace("boolean", "bool").replace(" ", "")
    return text + " order(C)" if text.endswith("[:,:]") else text


def exports(function):
    """The `# pythran export` lines of a function by the signatures of its decorator, `int64(float64[:])`."""
    for decorator in function.decorator_list:
        strings = [n.value for n in ast.walk(decorator) if isinstance(n, ast.Constant) and isinstance(n.value, str)]
        for signature in strings:
            types = re.split(r",(?![^\[]*\])", signature[signature.index("(") + 1:-1])
            yield f"# pythran export {function.name}({', '.join(export_type(t) for t in types)})"


def signature_names(module):
    """Names of the module that stand for signatures, and what they are."""
    return {n.targets[0].id: n.value for n in module.body if isinstance(n, ast.Assign)
            and any(isinstance(c, ast.Constant) and isinstance(c.value, str) for c in ast.walk(n.value))}


def assigned(body):
    """Names that plain assignments in these statements give a value."""
    stores = (n for s in body for n in ast.walk(s) if isinstance(n, ast.Assign))
    return {n.id for s in stores for t in s.targets for n in ast.walk(t) if isinstance(n, ast.Name)}


def reductions(loop):
    """` reduction(+ : total)` for what a prange adds up, ` reduction(max : error)` for x = max(x, …)."""
    plain, found = assigned(loop.body), {}
    for node in (n for s in loop.body for n in ast.walk(s)):
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name) and node.target.id not in plain:
            found[node.target.id] = "+"
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call) and \
                ast.unparse(node.value).startswith(("max(", "min(")) and isinstance(node.targets[0], ast.Name):
            name = node.targets[0].id
            stores = sum(isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Store)
                         for s in loop.body for n in ast.walk(s))
            if stores == 1 and ast.unparse(node.value.args[0]) == name:
                found[name] = node.value.func.id
    return "".join(f" reduction({how} : {name})" for name, how in found.items())


class PrangeToOmp(ast.NodeTransformer):
    """for i in prange(n): … -> 'omp parallel for' and for i in range(n): …"""

    def visit_For(self, loop):
        self.generic_visit(loop)
        call = loop.iter
        if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "prange"):
            return loop
        call.func.id = "range"
        return [ast.Expr(ast.Constant(f"omp parallel for{reductions(loop)}")), loop]


def needed(module, name):
    """The function and all that it calls, by name."""
    functions = {n.name: n for n in module.body if isinstance(n, ast.FunctionDef)}
    found, waiting = set(), [name]
    while waiting:
        one = waiting.pop()
        if one in functions and one not in found:
            found.add(one)
            waiting += [n.id for n in ast.walk(functions[one]) if isinstance(n, ast.Name)]
    return found


def pythran_source(path, name):
    """The kernel of a file as Pythran takes it."""
    module = ast.parse(path.read_text())
    signatures, keep = signature_names(module), needed(module, name)
    lines, body = [], []
    for node in module.body:
        numba = isinstance(node, ast.ImportFrom) and node.module == "numba"
        named = isinstance(node, ast.Assign) and node.targets[0].id in signatures
        if numba or named or isinstance(node, ast.FunctionDef) and node.name not in keep:
            continue
        if isinstance(node, ast.FunctionDef):
            for decorator in node.decorator_list:
                if isinstance(decorator, ast.Call):
                    decorator.args = [signatures.get(getattr(a, "id", None), a) for a in decorator.args]
                    decorator.keywords = []
            lines += exports(node) if node.name == name else []
            node.decorator_list = []
            node = PrangeToOmp().visit(node)
        body.append(node)
    module.body = body
    text = ast.unparse(ast.fix_missing_locations(module))
    return "\n".join(lines) + "\n" + re.sub(r"^( *)'(omp [^']*)'$", r"\1#\2", text, flags=re.M) + "\n"


def build_pythran(case, cache):
    """The function as Pythran makes it, or None where it refuses."""
    text = pythran_source(source_of(case.module), case.function)
    digest = hashlib.sha256((text + repr(PYTHRAN_FLAGS) + sys.version).encode()).hexdigest()[:16]
    name = f"pythran_{case.module}_{case.function}"
    directory = cache / f"{name}-{digest}"
    built = directory / f"{name}.so"
    if not directory.exists():
        directory.mkdir(parents=True)
        (directory / f"{name}.py").write_text(text)
        tool = shutil.which("pythran", path=str(pathlib.Path(sys.executable).parent)) or shutil.which("pythran")
        done = subprocess.run([tool, *PYTHRAN_FLAGS, f"{name}.py", "-o", built.name], cwd=directory,
                              capture_output=True, text=True)
        (directory / "log.txt").write_text(done.stdout + done.stderr)
    return built if built.exists() else None


def load_pythran(cases, cache):
    """What Pythran made of the cases, by module and function, two compilers at a time."""
    wanted = {(c.module, c.function): c for c in cases}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        built = dict(zip(wanted, pool.map(lambda c: build_pythran(c, cache), wanted.values())))
    return {key: getattr(load(path, path.stem), key[1]) for key, path in built.items() if path}


# ---- measuring --------------------------------------------------------------------------------------------------
def medians(functions, case, arguments, seconds):
    """The median time of every function in ms, called in turn: 7 rounds and `seconds` for each, or fewer long ones."""
    own = {name: copy.deepcopy(arguments) for name in functions}
    times = {name: [] for name in functions}
    start = time.perf_counter()
    rounds = -1  # the first warms up
    while True:
        for name, function in functions.items():
            for i in case.restore:
                own[name][i][...] = arguments[i]
            before = time.perf_counter()
            function(*own[name])
            times[name].append(time.perf_counter() - before)
        rounds += 1
        elapsed = time.perf_counter() - start
        enough = rounds >= 7 and elapsed > seconds * len(functions) or rounds >= 3 and elapsed > 12 * seconds
        if enough or rounds >= 1 and elapsed > 30 * seconds:
            return {name: 1e3 * statistics.median(t[1:]) for name, t in times.items()}


def measure(case, ours, numba, pythran, seconds):
    """One row: who computes the same, and the medians of those."""
    arguments = case.arguments(case.size)
    expected = case.results(numba, copy.deepcopy(arguments))
    functions, wrong = {"ours": ours, "Numba": numba}, []
    if pythran:
        functions["Pythran"] = pythran
    if case.numpy:
        functions["NumPy"] = case.numpy
    for name in [n for n in functions if n != "Numba"]:
        try:
            same = case.same(case.results(functions[name], copy.deepcopy(arguments)), expected)
        except Exception as error:
            print(f"{case.name}: {name}: {error}", file=sys.stderr)
            same = False
        if not same:
            del functions[name]
            wrong.append(name)
    row = {"kernel": case.name, "size": case.size, "wrong": wrong,
           "ms": medians(functions, case, arguments, seconds)}
    best = min(ms for name, ms in row["ms"].items() if name != "ours")
    row["ratio"] = row["ms"]["ours"] / best if "ours" in row["ms"] else None
    return row


# ---- what comes out ---------------------------------------------------------------------------------------------
def table_line(row, peers):
    cells = [f"{row['ms'][p]:.3f}" if p in row["ms"] else "wrong" if p in row["wrong"] else "-"
             for p in ("ours", *peers)]
    ratio = f"{row['ratio']:.2f}" if row["ratio"] else "-"
    return f"| {row['kernel']} | {' | '.join(cells)} | {ratio} |"


def geometric_mean(values):
    return float(np.exp(np.mean(np.log(values)))) if len(values) else float("nan")


def summary(title, rows):
    """The geometric means and the worst rows, as text."""
    good = [r for r in rows if r["ratio"]]
    lines = [f"{title}: geometric mean to the best peer {geometric_mean([r['ratio'] for r in good]):.2f}"]
    for peer in PEERS:
        both = [r["ms"]["ours"] / r["ms"][peer] for r in good if peer in r["ms"]]
        if both:
            lines.append(f"- beside {peer} alone ({len(both)} rows): {geometric_mean(both):.2f}")
    if any("NumPy" in r["ms"] for r in good):
        loops = [r["ms"]["ours"] / min(r["ms"][p] for p in PEERS[:2] if p in r["ms"]) for r in good]
        lines.append(f"- beside the better of Numba and Pythran: {geometric_mean(loops):.2f}")
    worst = sorted(good, key=lambda r: -r["ratio"])[:8]
    lines.append("- worst: " + ", ".join(f"{r['kernel']} {r['ratio']:.2f}" for r in worst))
    for peer in ("ours", *PEERS):
        if wrong := [r["kernel"] for r in rows if peer in r["wrong"]]:
            lines.append(f"- other results than Numba, {peer}: {', '.join(wrong)}")
    return "\n".join(lines)


def plain_plot(rows, path):
    """Bars of ratios as SVG, 1 at the middle, logarithmic."""
    height, middle = 18 * len(rows) + 40, 520
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="900" height="{height}" font-family="sans-serif" '
             f'font-size="11"><rect width="100%" height="100%" fill="white"/>']
    for at, row in enumerate(rows):
        length = 100 * float(np.clip(np.log2(row["ratio"]), -3, 3))
        y = 30 + 18 * at
        parts.append(f'<text x="210" y="{y + 11}" text-anchor="end">{row["kernel"]}</text>'
                     f'<rect x="{min(middle, middle + length):.1f}" y="{y}" width="{abs(length):.1f}" height="14" '
                     f'fill="{"#b04a3a" if length > 0 else "#3a7ab0"}"/>'
                     f'<text x="840" y="{y + 11}">{row["ratio"]:.2f}</text>')
    parts.append(f'<path d="M{middle} 20V{height}" stroke="black"/>'
                 f'<text x="{middle}" y="15" text-anchor="middle">time / time of the best peer</text></svg>')
    pathlib.Path(path).write_text("\n".join(parts) + "\n")


def plot(rows, path):
    """Bars of ratios, the worst on top; with matplotlib if there is one."""
    rows = sorted((r for r in rows if r["ratio"]), key=lambda r: -r["ratio"])
    try:
        import matplotlib
        matplotlib.use("svg")
        from matplotlib import pyplot
    except ImportError:
        return plain_plot(rows, path)
    ratios = [r["ratio"] for r in rows]
    figure, axes = pyplot.subplots(figsize=(9, 0.22 * len(rows) + 1))
    axes.barh([r["kernel"] for r in rows], [r - 1 for r in ratios], left=1,
              color=["#b04a3a" if r > 1 else "#3a7ab0" for r in ratios])
    axes.set_xscale("log", base=2)
    axes.axvline(1, color="black", linewidth=0.8)
    axes.invert_yaxis()
    axes.set_xlabel("time / time of the best peer")
    axes.tick_params(labelsize=7)
    figure.tight_layout()
    figure.savefig(path)


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="kernels or modules; none: all of the list")
    parser.add_argument("--goal", action="store_true", help="the rows of the goal instead of the forty kernels")
    parser.add_argument("--all", action="store_true", help="both")
    parser.add_argument("--skip-pythran", action="store_true")
    parser.add_argument("--seconds", type=float, default=1.0, help="how long each is measured at least")
    parser.add_argument("--json", metavar="FILE")
    parser.add_argument("--plot", metavar="FILE.svg")
    parser.add_argument("--cache", type=pathlib.Path, default=pathlib.Path(tempfile.gettempdir()) / "pyk2cu-lanes",
                        help="where what Pythran built is kept")
    return parser.parse_args()


def run_list(title, chosen, args):
    """Builds and measures one list, prints its table; returns the rows."""
    peers = PEERS if any(c.numpy for c in chosen) else PEERS[:2]
    modules = sorted({c.module for c in chosen})
    with tempfile.TemporaryDirectory() as directory:
        ours = build(modules, pathlib.Path(directory) / "built")
        pythran = {} if args.skip_pythran else load_pythran(chosen, args.cache)
        theirs = {m: load(source_of(m), f"numba_{m}") for m in modules}
        print(f"| {title} | pyk2cu ms | {' | '.join(f'{p} ms' for p in peers)} | ratio to the best |\n"
              f"|{'---|' * (len(peers) + 3)}", flush=True)
        rows = []
        for case in chosen:
            rows.append(measure(case, getattr(ours[case.module], case.function),
                                getattr(theirs[case.module], case.function),
                                pythran.get((case.module, case.function)), args.seconds))
            print(table_line(rows[-1], peers), flush=True)
    print(f"\n{summary(title, rows)}\n", flush=True)
    return rows


def main():
    args = options()
    cases = load(HERE / "kernels/cases.py", "kernel_cases")
    lists = {"kernel": cases.KERNELS, "row of the goal": cases.GOAL}
    if not args.all:
        lists.pop("kernel" if args.goal else "row of the goal")
    rows = []
    for title, every in lists.items():
        chosen = [c for c in every if not args.names or {c.module, c.function, c.name} & set(args.names)]
        if chosen:
            rows += run_list(title, chosen, args)
    if args.json:
        record = {"date": time.strftime("%Y-%m-%d"), "machine": platform.platform(), "cores": os.cpu_count(),
                  "load": os.getloadavg(), "rows": rows}
        pathlib.Path(args.json).write_text(json.dumps(record, indent=1) + "\n")
    if args.plot:
        plot(rows, args.plot)
    sys.exit(any("ours" in row["wrong"] for row in rows))


if __name__ == "__main__":
    main()
