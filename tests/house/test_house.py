"""The house test: what every file of the project must obey.

Include direction between rooms, file length, function length, line length, the opening comment, and that every
row of a .def table is covered by a test. Exemptions stand in exemptions.txt, a reason each.
"""
import pathlib
import re
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
ROOMS = {"frontend": {"frontend"}, "typeinfer": {"frontend", "typeinfer"},
         "emit": {"emit", "typeinfer", "frontend"}, "cmd": {"cmd", "emit", "typeinfer", "frontend"}}
ALLOWED_TOP = {"CMakeLists.txt", "cmd", "frontend", "typeinfer", "emit", "runtime_headers", "tests", "samples",
               "README.md", "LICENSE", "pyproject.toml", "docs"}


def tracked():
    out = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True)
    if out.returncode == 0 and out.stdout:
        return [ROOT / p for p in out.stdout.splitlines() if (ROOT / p).exists()]
    return [p for p in ROOT.rglob("*") if p.is_file()]


FILES = tracked()
SOURCES = [p for p in FILES if p.suffix in (".cpp", ".h", ".cu") and "golden" not in p.parts
           and "expected" not in p.name]
EXEMPT = {tuple(line.split()[:2]) for line in (ROOT / "tests/house/exemptions.txt").read_text().splitlines()
          if line and not line.startswith("#")}


def relative(path):
    return str(path.relative_to(ROOT))


def test_top_level_holds_only_what_was_agreed():
    top = {p.relative_to(ROOT).parts[0] for p in FILES}
    assert {t for t in top if not t.startswith(".")} <= ALLOWED_TOP


def test_includes_point_one_way():
    wrong = []
    for path in SOURCES:
        room = path.relative_to(ROOT).parts[0]
        if room not in ROOMS:
            continue
        for include in re.findall(r'#include "([^"]+)"', path.read_text()):
            target = include.split("/")[0]
            if target in ROOMS and target not in ROOMS[room]:
                wrong.append(f"{relative(path)}: {include}")
            if room == "emit" and re.match(r"frontend/(lex|ast|parse)/|typeinfer/(infer|decorators|scope|fold)/", include):
                wrong.append(f"{relative(path)}: {include}")
            if room == "frontend" and include.startswith("frontend/base") is False and \
                    path.relative_to(ROOT).parts[1] == "base":
                wrong.append(f"{relative(path)}: {include}")
    assert not wrong


def test_runtime_headers_do_not_include_the_compiler():
    for path in SOURCES:
        if path.relative_to(ROOT).parts[0] == "runtime_headers":
            for include in re.findall(r'#include "([^"]+)"', path.read_text()):
                assert include.startswith("pyk/"), f"{relative(path)}: {include}"


# ---- rules with exemptions: what of a file breaks each ------------------------------------------
def long_files(path):
    count = len(path.read_text().splitlines())
    return [f"{relative(path)}: {count} lines"] if count > 600 else []


def long_lines(path):
    return [f"{relative(path)}:{n}: {len(line)} columns"
            for n, line in enumerate(path.read_text().splitlines(), 1) if len(line) > 100]


def head_start(lines, last):
    """The first line of the head that ends in `lines[last]`."""
    first = last
    while first > 0 and re.search(r"[^;{}:\s]$", lines[first - 1]) and not re.match(r"\s*(#|PYK_\w+\()", lines[first - 1]):
        first -= 1
    return first


def function_lengths(path):
    """Of every function that stands at column 0 or 2, with its head, which may be of several lines."""
    lines = [re.sub(r"\s*//.*", "", line) for line in path.read_text().splitlines()]
    end = 0
    for number, line in enumerate(lines):
        if number < end or not line.endswith("{"):
            continue
        first = head_start(lines, number)
        indent = re.match(" *", lines[first]).group()
        head = " ".join(text.strip() for text in lines[first:number + 1])
        head = re.sub(r"^(template <.*?> (requires .*?\) )?)+(?=\w)", "", head)
        known = re.match(r"(namespace|struct|class|enum|union|if|for|while|switch|do|else|return)\b", head)
        if len(indent) > 2 or known or not re.match(r"[\w~].*\).*\{$", head):
            continue
        end = next((k for k in range(number + 1, len(lines)) if lines[k].startswith(indent + "}")), number) + 1
        yield first + 1, end - first


def long_functions(path):
    return [f"{relative(path)}:{line}: {length} lines" for line, length in function_lengths(path) if length > 60]


def without_comment(path):
    return [] if path.read_text().startswith(("//", "/*")) else [relative(path)]


RULES = {"lines": long_files, "columns": long_lines, "function": long_functions, "comment": without_comment}


@pytest.mark.parametrize("rule", RULES)
def test_sources_keep_the_rule_or_are_exempt(rule):
    wrong = [text for path in SOURCES if (relative(path), rule) not in EXEMPT for text in RULES[rule](path)]
    assert not wrong, "\n".join(wrong)


def test_exemptions_are_needed():
    """A file that keeps the rule, or is gone, needs none; nor does a rule that is not one."""
    files = {relative(path): path for path in SOURCES}
    stale = [f"{name} {rule}" for name, rule in sorted(EXEMPT)
             if rule not in RULES or name not in files or not RULES[rule](files[name])]
    assert not stale, "\n".join(stale)


@pytest.mark.parametrize("text, expected", [
    ("int f(int x) {\n  return x;\n}\n", [(1, 3)]),
    ("std::string\nf(int x,\n  int y) {\n  return x;\n}\n", [(1, 5)]),
    ("int g();\n\ntemplate <class T>\n  requires std::is_same_v<T, int>\nauto f(T x) -> int {\n}\n", [(3, 4)]),
    ("class A {\n public:\n  A(int x,\n    int y)\n      : x_(x),\n        y_(y) {\n    f();\n  }\n};\n", [(3, 6)]),
    ("struct B\n    : A {\n  void f(int x) const override {\n  }\n};\n", [(3, 2)]),
    ("namespace a {\n\nconst int x[] = {\n  f(1),\n};\n}\n", []),
    ("void f() {\n  if (x) {\n  }\n  auto g = [&](int y,\n               int z) {\n  };\n}\n", [(1, 7)]),
])
def test_function_heads_are_found(tmp_path, text, expected):
    path = tmp_path / "one.cpp"
    path.write_text(text)
    assert list(function_lengths(path)) == expected


def test_every_diagnostic_code_has_a_test():
    rows = re.findall(r"^PYK_DIAG\(\s*(\d{4}),\s*\w+,\s*(\w+)",
                      (ROOT / "frontend/diag/diagnostics.def").read_text(), re.M)
    assert len({code for code, _ in rows}) == len(rows), "a code is used twice"
    covered = {p.name[2:6] for p in (ROOT / "tests/diag").glob("PK*")}
    # Toolchain and internal errors cannot be provoked by a Python file alone: tests/run covers them.
    missing = [f"PK{code} {slug}" for code, slug in rows if code not in covered and code[0] not in "69"]
    assert not missing, "\n".join(missing)


def test_nothing_is_left_for_later():
    words = ("TO" + "DO", "FIX" + "ME", "XX" + "X")
    wrong = [f"{relative(p)}: {w}" for p in SOURCES for w in words if re.search(rf"\b{w}\b", p.read_text())]
    assert not wrong, "\n".join(wrong)
