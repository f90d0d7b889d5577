"""One mistake, one diagnostic: what a refused statement or expression would have bound is known, and silent.

Every snippet is a body of `f(x)` with exactly one mistake; names that it binds are read later, in every way that
Python allows. It stands in a root, in a helper of one, in an inner function and in a kernel.
"""
import re
import textwrap

import pytest

from conftest import run_pyk2cu

SNIPPETS = {
    "try": """
        try:
            a = x
        except ValueError:
            a = 2.0
        return a + 1""",
    "try_as": """
        try:
            a = x
        except ValueError as e:
            a = 2.0
            b = e
        else:
            c = 1
        finally:
            d = 2
        return a + b + c + d""",
    "try_return": """
        try:
            return x
        except ValueError:
            a = 2.0
        return a""",
    "try_return2": """
        try:
            a = 1
            return x
        finally:
            pass
        return a""",
    "try_raise": """
        try:
            a = 1
            raise ValueError
        except:
            a = 3
        return a""",
    "try_in_loop": """
        for i in range(3):
            try:
                a = i
                continue
            except ValueError:
                break
        return a""",
    "try_loop_in": """
        try:
            for i in range(3):
                a = i
        except ValueError:
            pass
        return a + i""",
    "trystar": """
        try:
            a = x
        except* ValueError as g:
            a = 2.0
        return a""",
    "with": """
        with open('f') as f:
            a = x
        return a + f""",
    "with_tuple": """
        with open('f') as (f, g), k as h:
            a = x
        return a + f + g + h""",
    "with_sub": """
        with open('f') as x[0]:
            a = 1
        return a""",
    "with_ret": """
        with open('f') as f:
            return x
        return 3.0""",
    "import": """
        import math
        return math.sqrt(x)""",
    "import_dotted": """
        import os.path
        return os.path.sep""",
    "import_as": """
        import numpy as npp
        return npp.sqrt(x)""",
    "from_import": """
        from math import sqrt, sin as s
        return sqrt(x) + s(x)""",
    "import_star": """
        from math import *
        return sqrt(x)""",
    "class": """
        class A:
            y = 1
        return A.y + x""",
    "class_inst": """
        class A:
            def f(self): return 1
        a = A()
        return a.f()""",
    "global": """
        global gg
        gg = 1
        return gg + x""",
    "nonlocal": """
        nonlocal gg
        gg = 1
        return gg + x""",
    "del": """
        a = x
        del a
        return x""",
    "async_def": """
        async def g():
            return 1
        return g()""",
    "async_for": """
        async for i in x:
            a = i
        return a + i""",
    "async_with": """
        async with x as f:
            a = f
        return a + f""",
    "type_alias": """
        type T = int
        return T(x)""",
    "decorated_def": """
        @foo
        def g(y):
            return y
        return g(x)""",
    "nested_try": """
        if x > 1:
            try:
                a = 1
            except ValueError:
                a = 2
        else:
            a = 3
        return a""",
    "listcomp": """
        a = [i * x for i in 3.5]
        return a[0]""",
    "listcomp_walrus": """
        a = [(b := i) for i in range(3)]
        return a[0] + b""",
    "genexp": """
        return sum(i for i in range(3))""",
    "dictcomp": """
        d = {str(i): x for i in range(3)}
        return d[0]""",
    "dict": """
        d = {'a': x}
        d['b'] = 1
        for k in d:
            x += d[k]
        return d['a']""",
    "list": """
        a = [x, None]
        a.append(x)
        for y in a:
            x += y
        return a[0]""",
    "fstr": """
        s = f'{x}'
        return len(s)""",
    "yield": """
        a = yield x
        return a""",
    "yieldfrom": """
        a = yield from x
        return a""",
    "await": """
        a = await x
        return a""",
    "starred": """
        a, *b = (1, 2, 3)
        return a + b[0]""",
    "starred2": """
        *b, a = (1, 2, 3)
        for q in b:
            x += q
        return a""",
    "attr_assign": """
        x.y = 3
        return x""",
    "attr_aug": """
        x.y += 3
        return x""",
    "match_star": """
        match (1, x):
            case [a, *r]:
                z = a + r[0]
        return z""",
    "match_map": """
        match x:
            case {'k': v, **r}:
                z = v
        return z + v""",
    "match_class": """
        match x:
            case complex(real=re):
                z = re
        return z + re""",
    "match_guard": """
        match (x, 1):
            case (a, b) if a > foo(b):
                z = a
            case _:
                z = 1.0
        return z""",
    "loop_bad_iter": """
        for i in x:
            a = i
            b = a + 1
        return b + i""",
    "loop_bad_iter_else": """
        for i in x:
            a = i
        else:
            b = 1.0
        return b""",
    "loop_dict": """
        for k, v in {'a': 1}.items():
            a = v
        return a""",
    "while_bad": """
        while undefined_thing(x):
            a = 1
        return a""",
    "if_bad": """
        if undefined_thing(x):
            a = 1
        else:
            a = 2.0
        return a""",
    "lambda_bad": """
        f = lambda y: {y}
        return f(x)[0]""",
    "bytes": """
        a = b'x'
        return a[0]""",
    "aug_undefined": """
        b = undefined_thing + 1
        b += 1
        c = b * 2
        return c""",
    "raise_bare": """
        if x > 1:
            raise
        return x""",
    "tuple_loop_break": """
        for v in (1, 2.5, x):
            if v > 2:
                break
            a = v
        return a""",
    "closure_over_refused": """
        try:
            a = x
        except ValueError:
            a = 1.0
        g = lambda: a + 1
        return g()""",
    "closure_def_over": """
        import math
        def g(y):
            return math.sqrt(y)
        return g(x)""",
    "try_def": """
        try:
            def g(y):
                return y
        except ValueError:
            pass
        return g(x)""",
    "star_call": """
        return f2(*[1, 2])""",
    "unpack_count": """
        a, b = (1, 2, 3)
        return a + b""",
    "walrus_in_refused": """
        a = {'k': (b := 3)}
        return b""",
    "with_in_while": """
        while x > 0:
            with open('f') as f:
                x -= 1
                y = f
        return x""",
    "assign_try_shadow": """
        a = 1.0
        try:
            a = 2.0
        except ValueError:
            pass
        return a""",
    "slice_only": """
        a = x[1:2]
        return a""",
}
CONTEXTS = {
    "root": """
        @njit("float64(float64)")
        def f(x):
        BODY
    """,
    "helper": """
        def f(x):
        BODY


        @njit("float64(float64)")
        def root(x):
            y = f(x)
            return y + f(x + y)
    """,
    "inner": """
        @njit("float64(float64)")
        def root(x):
            def f(x):
            BODY
            y = f(x)
            return y * 2
    """,
    "kernel": """
        @cuda.jit("void(float64[:])")
        def root(a):
            a[0] = f(a[0])


        def f(x):
        BODY
    """,
}


def errors(tmp_path, source):
    (tmp_path / "k.py").write_text("from numba import cuda, njit\n\n\ndef two(p, q):\n    return p\n\n\n" + source)
    done = run_pyk2cu("k.py", "-o", "out", cwd=tmp_path)
    return done, re.findall(r"^\S+: error\[.*$", done.stderr, re.M)


@pytest.mark.parametrize("context", CONTEXTS)
@pytest.mark.parametrize("snippet", SNIPPETS)
def test_one_mistake_is_one_diagnostic(snippet, context, tmp_path):
    body = textwrap.dedent(SNIPPETS[snippet]).strip()
    source = ""
    for line in textwrap.dedent(CONTEXTS[context]).strip().split("\n"):
        indent = " " * (len(line) - len(line.lstrip()) + 4)
        source += (textwrap.indent(body, indent) if line.strip() == "BODY" else line) + "\n"
    done, found = errors(tmp_path, source)
    assert done.returncode == 1 and "internal" not in done.stderr, done.stderr
    assert len(found) == 1, done.stderr


@pytest.mark.parametrize("name", ["value", "wrong"])
def test_what_a_comprehension_binds_is_its_own(name, tmp_path):
    """The name stays that of the module; one that it binds is not there outside."""
    done, found = errors(tmp_path, f"""value = 4

@njit("float64(float64)")
def f(x):
    a = [value + wrong for value in (1, 2) for wrong in (3, 4)]
    return x + {name}
""")
    assert done.returncode == len(found) == (0 if name == "value" else 1), done.stderr


def test_a_second_mistake_is_still_told(tmp_path):
    done, found = errors(tmp_path, """@njit("float64(float64)")
def f(x):
    try:
        a = x
    except ValueError:
        a = 1.0
    return a + missing
""")
    assert len(found) == 2 and "`missing` is not defined" in found[1], done.stderr
