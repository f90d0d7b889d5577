"""docs/SUPPORTED.md: what the registries hold, and what the compiler says of one example of everything else.

Functions, decorators and options come from their tables; of every kind of syntax node and type, an example is compiled.
`cmd/dev update supported` rewrites the page.
"""
import os
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor

from conftest import PYK2CU, ROOT, run_pyk2cu

PAGE = ROOT / "docs/SUPPORTED.md"
HEAD = """# What is supported

Made by `tests/run/test_supported.py`: functions, decorators and options from their tables; of every kind of syntax and type, an example was
compiled, in a function of the CPU. What has a code instead of "yes" is refused with that diagnostic: `pyk2cu --explain PKnnnn`.
"""
# A body of `def f(a, x, n)`, typed float64(float64[:], float64, int64), for each kind of node.
SYNTAX = {
    "FunctionDef": "def g(y): return y + 1.0\nreturn g(x)", "AsyncFunctionDef": "async def g(): pass\nreturn x",
    "ClassDef": "class K: pass\nreturn x", "Return": "return x", "Delete": "del n\nreturn x", "Assign": "y = z = x\nreturn y + z",
    "TypeAlias": "type T = int\nreturn x", "AugAssign": "x += 1.0\nreturn x", "AnnAssign": "y: float = x\nreturn y",
    "For": "for v in a: x += v\nelse: x += 1.0\nreturn x", "AsyncFor": "async for v in a: pass\nreturn x",
    "While": "while x < 1.0: x += 0.5\nreturn x", "If": "if x > 1.0: return 1.0\nelse: return x", "With": "with a: pass\nreturn x",
    "AsyncWith": "async with a: pass\nreturn x", "Match": "match n:\n    case 1: return x\nreturn 2.0",
    "Raise": "if n < 0: raise ValueError('negative', n)\nreturn x", "Try": "try: x += 1.0\nexcept Exception: pass\nreturn x",
    "TryStar": "try: x += 1.0\nexcept* ValueError: pass\nreturn x", "Assert": "assert n > 0, 'n'\nreturn x",
    "Import": "import math\nreturn math.sin(x)", "ImportFrom": "from math import sin\nreturn sin(x)", "Global": "global G\nG = 1\nreturn x",
    "Nonlocal": "y = x\ndef g():\n    nonlocal y\n    y = 1.0\ng()\nreturn y", "ExprStmt": "'text'\nreturn x", "Pass": "pass\nreturn x",
    "Break": "for v in a: break\nreturn x", "Continue": "for v in a: continue\nreturn x",
    "BoolOp": "return 1.0 if n > 0 and x > 0 else x", "NamedExpr": "return y if (y := x) > 0 else -y", "BinOp": "return x * n - x ** 2 / n",
    "UnaryOp": "return -x", "Lambda": "g = lambda y: y * 2\nreturn g(x)", "IfExp": "return x if n else 0.0",
    "Dict": "d = {1: x}\nreturn x", "Set": "s = {1, 2}\nreturn x", "ListComp": "l = [v for v in a]\nreturn x",
    "SetComp": "s = {v for v in a}\nreturn x", "DictComp": "d = {i: x for i in range(n)}\nreturn x",
    "GeneratorExp": "return sum(v for v in a)", "Await": "await x\nreturn x", "Yield": "def g(y): yield y\nfor v in g(x): x += v\nreturn x",
    "YieldFrom": "def g(): yield from a\nfor v in g(): x += v\nreturn x",
    "Compare": "return 1.0 if 0 < n <= 3 else x", "Call": "return abs(x)", "FormattedValue": "s = f'{x}'\nreturn x",
    "JoinedStr": "s = f'text'\nreturn x", "Constant": "return 1.5", "Attribute": "return x * a.size",
    "Subscript": "return a[-1] + a[n]", "Starred": "g = lambda y, z: y + z\nreturn g(*(x, 1.0))", "Name": "return x", "List": "l = [1, 2]\nreturn x",
    "Tuple": "y, z = x, n\nreturn y * z", "Slice": "b = a[1:n:2]\nreturn b[0]",
    "MatchValue": "match n:\n    case 1: return x\nreturn 2.0", "MatchSingleton": "match n:\n    case None: return x\nreturn 2.0",
    "MatchSequence": "match (n, n):\n    case (1, m): return x\nreturn 2.0", "MatchMapping": "match n:\n    case {1: m}: return x\nreturn 2.0",
    "MatchClass": "match n:\n    case int(): return x\nreturn 2.0", "MatchStar": "match (n, n):\n    case [1, *m]: return x\nreturn 2.0",
    "MatchAs": "match n:\n    case 1 as m: return x\n    case _: return 2.0", "MatchOr": "match n:\n    case 1 | 2: return x\nreturn 2.0",
}
TYPES = ("boolean int8 int16 int32 int64 uint8 uint16 uint32 uint64 intp float16 float32 float64 complex64 complex128 void none float64[:] "
         "float64[::1] float64[:,:] float64[:,::1] float64[::1,:] boolean[:] complex128[:] float16[:] UniTuple(float64,3) "
         "Tuple((int64,float64[:])) optional(float64) optional(float64[:]) unicode_type "
         "ListType(float64) List(float64) Set(int64) DictType(int64,float64) CPointer(float64) voidptr NPDatetime('s') NPTimedelta('s') "
         "pyobject deferred_type()").split()
TYPES += ["types.NamedTuple((types.float64, types.float64), Point)", "numba.from_dtype(np.dtype([('x', 'f8')]))"]  # no strings
OPERATORS = {
    "+ - * / // % **": "return x + n - x * 2 / 3 // 1 % 5 ** n", "<< >> & | ^ ~": "return x + ((n << 1) >> 2 & 7 | 1 ^ ~n)",
    "< <= > >= == !=": "return 1.0 if x < n else 2.0 if x == n else 0.0", "and or not": "return 1.0 if not (n and x or n) else 0.0",
    "is, is not": "return 1.0 if x is None else 0.0", "in, not in": "return 1.0 if n in (1, 2) else 0.0", "@": "return a @ a",
    "array + array": "b = a + a\nreturn b[0]", "a[mask]": "b = a[a > 0.0]\nreturn b[0]", 
    "np.sum prod mean min max any all argmin argmax": "return np.sum(a) + np.prod(a) + np.mean(a) + np.min(a) + a.max() + "
    "np.any(a) + np.all(a) + np.argmin(a) + a.argmax()", "np.sum(a, axis=0)": "return np.sum(a, axis=0)",
    "np.array([[x, y], [z, w]])": "b = np.array([[x, 1.0], [2.0, x]])\nreturn b[0, 0]",
    "np.var std count_nonzero linalg.norm interp, x in a":
        "if x in a:\n    return np.std(a) + np.var(a)\nreturn np.linalg.norm(a) + np.interp(x, a, a) + np.count_nonzero(a)",
    "np.eye identity ndindex ndenumerate, a.flatten()":
        "for i, j in np.ndindex(2, 2):\n    x += np.eye(2)[i, j]\nfor k, v in np.ndenumerate(a):\n    x += v\nreturn x + a.flatten()[0]",
    "np.searchsorted sort argsort cumsum cumprod": "b = np.sort(a)\nreturn np.searchsorted(b, x) + np.argsort(a)[0] + "
    "np.cumsum(a)[0] + np.cumprod(a)[0]", "np.arange linspace": "return np.arange(n)[0] + np.linspace(x, 1.0, n)[0]",
    "np.linalg.cholesky qr svd eigh eigvalsh eig eigvals pinv lstsq slogdet det inv solve matrix_rank cond matrix_power norm(ord)":
        "m = np.eye(3)\nq, r = np.linalg.qr(m)\nu, s, v = np.linalg.svd(m)\nw, e = np.linalg.eigh(m)\nw, e = np.linalg.eig(m)\n"
        "y, rest, rank, s = np.linalg.lstsq(m, a)\nsign, log = np.linalg.slogdet(m)\n"
        "m = np.linalg.cholesky(m) + np.linalg.pinv(m) + np.linalg.inv(m) + np.linalg.matrix_power(m, n)\n"
        "return np.linalg.eigvalsh(m)[0] + np.linalg.eigvals(m)[0] + np.linalg.det(m) + np.linalg.solve(m, a)[0] + np.linalg.matrix_rank(m) + "
        "np.linalg.cond(m) + np.linalg.norm(m, 1) + np.linalg.norm(a, np.inf)",
    "np.argmax argmin cumsum cumprod count_nonzero(a, axis)": "m = np.ones((2, 3))\nreturn np.argmax(m, axis=0)[0] + m.argmin(axis=1)[0] + "
    "np.cumsum(m, axis=1)[0, 0] + np.cumprod(m, 0)[0, 0] + np.count_nonzero(m, axis=0)[0]",
    "np.concatenate stack append take(axis=), dstack array_split": "m = np.ones((2, 3))\nb = np.concatenate((m, m), axis=1)\nb = np.stack((a, a), axis=1)\n"
    "b = np.append(m, m, axis=0)\nb = np.take(m, 1, axis=1)\nc = np.dstack((m, m))\nreturn np.array_split(a, 3)[0][0] + c[0, 0, 0]",
    "np.transpose swapaxes moveaxis rot90 expand_dims broadcast_to": "m = np.ones((2, 3))\nm = np.transpose(m, (1, 0))\nm = np.swapaxes(m, 0, 1)\n"
    "m = np.moveaxis(m, 0, 1)\nm = np.rot90(m, n)\nm = np.expand_dims(a, 1)\nreturn np.broadcast_to(a, (3, n))[0, 0]",
    "np.percentile quantile(a, array) cov corrcoef histogram(a, edges)": "return np.percentile(a, a)[0] + np.nanquantile(a, a)[0] + np.cov(a) + "
    "np.corrcoef(a, a)[0, 0] + np.histogram(a, a)[0][0]",
    "np.isin unique union1d intersect1d setdiff1d setxor1d": "return np.isin(a, a)[0] + np.unique(a)[0] + np.union1d(a, a)[0] + np.intersect1d(a, a)[0] + "
    "np.setdiff1d(a, a)[0] + np.setxor1d(a, a)[0]",
    "np.random.choice permutation shuffle binomial, sizes": "np.random.shuffle(a)\nreturn np.random.choice(a) + np.random.permutation(n)[0] + "
    "np.random.binomial(n, x) + np.random.normal(x, 1.0, size=(2, n))[0, 0]",
    "random.shuffle": "random.shuffle(a)\nreturn a[0]",
    "a.fill(x) a.sort()": "b = np.zeros(n)\nb.fill(x)\nb.sort()\nreturn b[0]",
    "print(…)": "print(x)\nreturn x",
}


def rows_of(path, pattern):
    return re.findall(pattern, (ROOT / path).read_text(), re.M)


def verdict(folder, name, source):
    """"yes", or the code and the words with which the compiler refuses."""
    (folder / f"{name}.py").write_text(source)
    done = run_pyk2cu(f"{name}.py", "-o", name, cwd=folder)
    said = re.findall(r"(?:error|warning)\[(PK\d+)\]: (.*)", done.stderr)
    return "yes" if done.returncode == 0 and not said else f"{said[0][0]}: {said[0][1]}"


def kernel(body):
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    return f'import random\n\nimport numpy as np\nfrom numba import njit\n\n\n@njit("float64(float64[:], float64, int64)")\ndef f(a, x, n):\n{lines}'


def typed(spelled):
    first = ("from collections import namedtuple\nimport numba\nimport numpy as np\nfrom numba import njit, types\n"
             "Point = namedtuple('Point', 'x y')\n")
    if spelled in ("void", "none"):
        return f'{first}\n\n@njit("{spelled}()")\ndef f():\n    pass\n'
    signature = f"types.void({spelled})" if "." in spelled else f'"void({spelled})"'
    return f"{first}\n\n@njit({signature})\ndef f(x):\n    pass\n"


def cell(text):
    return text.replace("|", "\\|").replace("\n", "; ").replace("    ", " ")


def table(head, rows):
    return "\n".join([f"| {' | '.join(head)} |", "|" + "---|" * len(head), *(f"| {' | '.join(map(cell, row))} |" for row in rows)])


def probe(folder, prefix, examples, make):
    with ThreadPoolExecutor(2) as pool:
        said = pool.map(lambda k: verdict(folder, f"{prefix}{k}", make(examples[k])), range(len(examples)))
        return list(said)


def functions():
    text = subprocess.run([PYK2CU, "--list-builtins"], capture_output=True, text=True, check=True).stdout
    legend, rest = text.split("\n\n", 1)
    rows = [line.split(None, 1) for line in rest.splitlines() if line.strip()]
    return legend + "\n\n" + table(("function", "types"), [(f"`{row[0]}`", row[1] if len(row) > 1 else "") for row in rows])


def decorators(folder):
    paths = [path for path, _ in rows_of("typeinfer/decorators/makers.def", r'^MAKER\( "([\w.]+)", +(\w+) \)')]

    def source(path):
        module, _, name = path.rpartition(".")
        use = {"numba.pycc.CC": "cc = CC('made')\n\n\n@cc.export('f', 'float64(float64)')"}.get(path)
        is_kernel = "cuda" in path and name.endswith("jit")
        types = "['void(float64[:], float64[:])'], '(n)->(n)'" if name == "guvectorize" else \
            "'void(float64)'" if is_kernel else "'float64(float64)'"
        types = "" if name in ("register_jitable", "stencil") else f"({types})"
        body = "def f(x, y):\n    y[0] = x[0]\n" if name == "guvectorize" else \
            "def f(x):\n    pass\n" if is_kernel else "def f(x):\n    return x[0]\n" if name == "stencil" else \
            "def f(x):\n    return x\n"
        called = {"stencil": "'float64[:](float64[:])'", "register_jitable": "'float64(float64)'"}.get(name)
        more = f"\n\n@njit({called})\ndef g(x):\n    return f(x)\n" if called else ""
        return f"from numba import njit\nfrom {module} import {name}\n\n\n{use or '@' + name + types}\n{body}{more}"

    said = probe(folder, "decorator", paths, source)
    return table(("decorator", ""), [(f"`{path}`", one) for path, one in zip(paths, said, strict=True)])


def options():
    meaning = {"kIgnore": "accepted: means nothing ahead of time", "kLater": "PK2045: ignored, with a warning"}
    rows = rows_of("typeinfer/decorators/options.def", r'^OPTION\( "(\w+)", +(\w), (\w+) \)')
    return table(("option", ""), [(f"`{name}`", meaning.get(action, "acted upon")) for name, _, action in rows])


def page(folder):
    nodes = [name for name, group in rows_of("frontend/ast/nodes.def", r"^PYK_NODE\( (\w+), +(\w+),") if group != "TypeParam"]
    assert sorted(nodes) == sorted(SYNTAX), "an example for every kind of node"
    syntax = probe(folder, "syntax", [SYNTAX[node] for node in nodes], kernel)
    operators = probe(folder, "operator", list(OPERATORS.values()), kernel)
    types = probe(folder, "type", TYPES, typed)
    return "\n\n".join([
        HEAD.rstrip(), "## Syntax", table(("node", "example", ""), [(node, f"`{SYNTAX[node]}`", said) for node, said in zip(nodes, syntax)]),
        "## Operators and more", table(("", ""), [(f"`{name}`", said) for name, said in zip(OPERATORS, operators)]),
        "## Types", table(("type", ""), [(f"`{name}`", said) for name, said in zip(TYPES, types)]),
        "## Decorators", decorators(folder), "## Options of decorators", options(), "## Functions", functions()]) + "\n"


def test_the_page_says_what_the_compiler_does(tmp_path):
    text = page(tmp_path)
    if os.environ.get("PYK2CU_UPDATE"):
        PAGE.write_text(text)
    assert PAGE.read_text() == text, "cmd/dev update supported"
