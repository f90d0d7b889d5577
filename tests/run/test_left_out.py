"""Decorated functions without types: left out with one note, or named as lacking a signature, and never both."""
import json
import re

import pytest

from conftest import PROLOGUE, run_pyk2cu

HEAD = PROLOGUE + "from numba.extending import register_jitable\n\nDEBUG = False\nLEVEL = 0\n\n\n"
TYPED = '@njit("float64(float64)")\ndef f(x):\n    return x + 1.0\n'


def helper(name, decorator="@njit"):
    return f"{decorator}\ndef {name}(x):\n    return x * 2.0\n\n\n"


def compile_text(tmp_path, source, *arguments):
    """Messages as (severity, code, text), what the module offers, the process."""
    (tmp_path / "k.py").write_text(HEAD + source)
    done = run_pyk2cu("k.py", "-o", "out", *arguments, cwd=tmp_path)
    assert "internal" not in done.stderr, done.stderr
    found = re.findall(r"^\S+ (\w+)\[(PK\d+)\]: (.*)$", done.stderr, re.M)
    names = None
    if (tmp_path / "out/k.json").exists():
        names = sorted({f["name"] for f in json.loads((tmp_path / "out/k.json").read_text())["entries"]})
    return found, names, done


NEVER = {  # bodies of f(x, n) in which Numba, too, drops the call of e before it types anything
    "if a constant": "if DEBUG:\n        return e(x)\n    return x",
    "if a comparison of constants": "if LEVEL > 1:\n        return e(x)\n    return x",
    "if False": "if False:\n        x = e(x)\n    return x",
    "else": "if not DEBUG:\n        return x\n    else:\n        return e(x)",
    "a local constant": "k = 3\n    if k > 5:\n        return e(x)\n    return x",
    "after return": "return x\n    return e(x)",
    "while": "while False:\n        x = e(x)\n    return x",
    "as an argument": "if DEBUG:\n        return apply(e, x)\n    return x",
    "in an inner function": "if DEBUG:\n        def g(y):\n            return e(y)\n        return g(x)\n    return x",
    "through another helper": "if DEBUG:\n        return between(x)\n    return x",
}


@pytest.mark.parametrize("decorator", ["@njit", "@njit(inline='always')", "@register_jitable", "@numba.jit"])
@pytest.mark.parametrize("body", NEVER)
def test_a_helper_that_only_dropped_code_calls_is_left_out(body, decorator, tmp_path):
    source = helper("e", decorator) + "def apply(g, x):\n    return g(x)\n\n\ndef between(x):\n    return e(x)\n\n\n" \
        f'@njit("float64(float64, int64)")\ndef f(x, n):\n    {NEVER[body]}\n'
    found, names, done = compile_text(tmp_path, source)
    assert [(severity, code) for severity, code, _ in found] == [("note", "PK2003")], done.stderr
    assert "`e` is left out" in found[0][2] and done.returncode == 0
    assert names == ["f"]


@pytest.mark.parametrize("decorator", ["@register_jitable", "@cuda.jit(device=True)",
                                       '@cuda.jit("float64(float64)", device=True)'])
def test_a_helper_that_nobody_calls_is_left_out(decorator, tmp_path):
    found, names, done = compile_text(tmp_path, helper("e", decorator) + TYPED)
    assert [(severity, code) for severity, code, _ in found] == [("note", "PK2003")], done.stderr
    assert (names, done.returncode) == (["f"], 0)


def test_functions_of_the_host_are_nobodys_business(tmp_path):
    found, names, done = compile_text(tmp_path, helper("e", "# plain") + TYPED)
    assert (found, names) == ([], ["f"]), done.stderr


@pytest.mark.parametrize("count, text", [(1, "`e0` is left out: no code that is compiled calls it"),
                                         (2, "`e0` and `e1` are left out"), (4, "`e0`, `e1`, `e2` and `e3` are left"),
                                         (20, "`e0`, `e1`, `e2` and 17 others are left out")])
def test_many_helpers_are_one_note(count, text, tmp_path):
    names = [f"e{k}" for k in range(count)]
    source = "".join(map(helper, names)) + '@njit("float64(float64)")\ndef f(x):\n    if DEBUG:\n' \
        f"        return {' + '.join(name + '(x)' for name in names)}\n    return x\n"
    found, offered, done = compile_text(tmp_path, source)
    assert len(found) == 1 and text in found[0][2], done.stderr
    assert offered == ["f"]


def test_the_help_of_a_note_can_be_pasted(tmp_path):
    source = helper("e") + '@njit("float64(float64)")\ndef f(x):\n    if DEBUG:\n        return e(x)\n    return x\n'
    found, _, done = compile_text(tmp_path, source)
    comment = re.search(r"`(# pyk2cu: sig [^`]*)`", done.stderr).group(1)
    found, names, done = compile_text(tmp_path, comment + "\n" + source)
    assert (found, names) == ([], ["e", "f"]), done.stderr


def test_a_note_is_no_warning(tmp_path):
    source = helper("e", "@register_jitable") + TYPED
    found, names, done = compile_text(tmp_path, source, "--werror")
    assert ([code for _, code, _ in found], names, done.returncode) == (["PK2003"], ["f"], 0)
    (tmp_path / "other").mkdir()
    found, names, done = compile_text(tmp_path / "other", source, "--diagnostics=json")
    assert json.loads(done.stderr)["severity"] == "note"
    silent = source.replace("def e(x):", "def e(x):  # pyk2cu: ignore[PK2003]")
    assert compile_text(tmp_path, silent)[0] == []


def test_a_helper_of_kernels_alone_is_compiled_for_them(tmp_path):
    source = helper("e") + '@cuda.jit("void(float64[:])")\ndef k(a):\n    a[0] = e(a[0])\n'
    found, names, done = compile_text(tmp_path, source)
    assert (found, names) == ([], ["k"]), done.stderr
    assert "e(" in (tmp_path / "out/k.cu").read_text()


def no_types(found):
    assert {code for _, code, _ in found} == {"PK2001"}, found
    return sorted(name for _, _, text in found for name in re.findall(r"`(\w+)`", text))


@pytest.mark.parametrize("source, named", [
    (helper("e") + TYPED, ["e"]),
    (helper("e") + helper("g") + TYPED, ["e", "g"]),
    (helper("e") + TYPED + "\n\nprint(e(3.0))\n", ["e"]),
    (helper("e") + TYPED + "\n\ndef main():\n    print(e(3.0))\n", ["e"]),
    (helper("e") + "@njit\ndef main(x):\n    return e(x)\n\n\n" + TYPED, ["main"]),
    (helper("e") + "def mid(x):\n    return e(x)\n\n\n@njit\ndef main(x):\n    return mid(x)\n", ["main"]),
    (helper("e", "@register_jitable") + "@njit\ndef main(x):\n    return e(x)\n", ["main"]),
    (helper("e", "@cuda.jit(device=True)") + "@cuda.jit\ndef main(x):\n    x[0] = e(x[0])\n", ["main"]),
    ("@njit\ndef main(n):\n    return 1 if n < 2 else n * main(n - 1)\n", ["main"]),
    ("@njit\ndef odd(n):\n    return n > 0 and even(n - 1)\n\n\n@njit\ndef even(n):\n    return n == 0 or odd(n - 1)\n\n\n"
     "@njit\ndef main(n):\n    return odd(n)\n", ["main"]),
    ("@njit\ndef odd(n):\n    return n > 0 and even(n - 1)\n\n\n@njit\ndef even(n):\n    return n == 0 or odd(n - 1)\n",
     ["odd"]),
])
def test_an_entry_point_without_types_is_named_and_what_it_calls_is_not(source, named, tmp_path):
    found, names, done = compile_text(tmp_path, source)
    assert no_types(found) == named, done.stderr
    assert (names, done.returncode) == (None, 1)


@pytest.mark.parametrize("mistake", ['@njit("float64(floot64)")\ndef f(x):\n    return e(x)\n',
                                     '@njit("float64(float64, int64)")\ndef f(x):\n    return e(x)\n',
                                     '@njit("float64(float64)")\ndef f(x):\n    y = wrong\n    return e(y)\n',
                                     '@njit("float64(float64)")\ndef f(x):\n    return wrong or e(x)\n'])
def test_what_a_function_with_a_mistake_calls_is_no_second_one(mistake, tmp_path):
    found, names, done = compile_text(tmp_path, helper("e") + mistake)
    assert len(found) == 1 and found[0][0] == "error" and found[0][1] != "PK2001", done.stderr


def test_a_helper_in_a_file_beside_is_left_out_silently(tmp_path):
    (tmp_path / "beside.py").write_text(HEAD + helper("e") + helper("g", "@register_jitable"))
    found, names, done = compile_text(tmp_path, "import beside\nfrom beside import g\n\n\n" + TYPED.replace(
        "return x", "if DEBUG:\n        return beside.e(x) + g(x)\n    return x"))
    assert (found, names) == ([], ["f"]), done.stderr
