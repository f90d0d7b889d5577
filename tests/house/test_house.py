"""The house test: what every file of the project must obey.

Include direction between rooms, file length, function length, line length, the opening comment, that every
row of a .def table is covered by a test, and that comments and docs name what exists. Exemptions stand in
exemptions.txt, a reason each.
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


def without_comments_and_strings(text):
    """The text with comments, preprocessor lines, strings and characters emptied."""
    return re.sub(r'//[^\n]*|/\*.*?\*/|^[ \t]*#(?:\\\n|[^\n])*|R"\(.*?\)"|"(?:\\.|[^"\\\n])*"|(?<!\w)\'(?:\\.|[^\'\\\n])+\'',
                  lambda m: '""' if m[0][0] in "R\"'" else "", text, flags=re.S | re.M)


def block_end(text, start):
    """The position after the brace that closes the one at `start`."""
    depth = 0
    for at in range(start, len(text)):
        depth += (text[at] == "{") - (text[at] == "}")
        if depth == 0:
            return at + 1
    return len(text)


def without(brackets, text):
    """The text without what stands in brackets of this kind, however deep."""
    opens, closes = map(re.escape, brackets)
    while (shorter := re.sub(f"{opens}[^{opens}{closes};]*{closes}", " ", text)) != text:
        text = shorter
    return text


def declarations(body):
    """The declarations of a class, in order, without what stands in their braces."""
    found, text, at = [], "", 0
    while at < len(body):
        if body[at] == "{":
            at = block_end(body, at)
            text += "{}"
            if not re.match(r"\s*[;,={()]", body[at:]):  # the body of a function ends it
                found.append(text)
                text = ""
            continue
        if body[at] == ";":
            found.append(text)
            text = ""
        else:
            text += body[at]
        at += 1
    plain = (re.sub(r"\b(public|private|protected)\s*:", " ", one).strip() for one in found)
    return [one for one in plain if one]


def member_count(body):
    """How many names a class declares: functions, types, friends, variables (two for `int a, b;`)."""
    count = 0
    for text in declarations(body):
        text = without("<>", text)
        is_function = re.match(r"[^=]*(\(|\boperator\b)", text)
        count += 1 if is_function else 1 + without("()", without("[]", text)).count(",")
    return count


def classes(text):
    """Name and member count of every class and struct in the text, those inside others too."""
    for found in re.finditer(r"\b(?:class|struct)\s+([A-Z]\w*)[^;{}()=]*\{", text):
        if re.search(r"\benum\s*$", text[:found.start()]):
            continue
        yield found[1], member_count(text[found.end():block_end(text, found.end() - 1) - 1])


def large_classes(path):
    if path.relative_to(ROOT).parts[0] not in ("typeinfer", "emit"):
        return []
    return [f"{relative(path)}: {name}: {count} members"
            for name, count in classes(without_comments_and_strings(path.read_text())) if count > 40]


RULES = {"lines": long_files, "columns": long_lines, "function": long_functions, "members": large_classes,
         "comment": without_comment}


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


def test_every_source_file_opens_with_a_comment():
    wrong = [relative(p) for p in SOURCES if not p.read_text().startswith(("//", "/*")) and not exempt(p, "comment")]
    assert not wrong, "\n".join(wrong)


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


# ---- what comments and docs refer to ------------------------------------------------------------------
PAGES_OF_RULES = [ROOT / f"docs/{name}.md" for name in ("typing", "values", "emission")]
TEXTS = [p for p in FILES if p.suffix in (".cpp", ".h", ".cu", ".def", ".py", ".md") and p.exists()
         and not {"golden", "diag", "corpus", "samples"} & set(p.parts)]


def read(path):
    return path.read_text(errors="replace")


def anchors(text):
    """The anchors of a page's headings, as GitHub makes them."""
    return {re.sub(r"[^\w -]", "", line.lstrip("# ")).lower().replace(" ", "-")
            for line in text.splitlines() if line.startswith("#")}


def exists(reference):
    """A file or folder, a glob of them, `file::test` or `file.cpp::name of a TEST_CASE`."""
    path, _, name = reference.partition("::")
    if not name:
        return any(ROOT.glob(path))
    text = read(ROOT / path) if (ROOT / path).is_file() else ""
    return f"def {name}(" in text or f'TEST_CASE("{name}"' in text


def sections(page):
    return re.findall(r"^## (.+?)\n(.*?)(?=^## |\Z)", read(page), re.M | re.S)


@pytest.mark.parametrize("page", PAGES_OF_RULES, ids=lambda p: p.stem)
def test_every_rule_names_tests_that_exist(page):
    """A name in parentheses after a test is a row of it."""
    run_tests = "\n".join(read(p) for p in (ROOT / "tests/run").rglob("*.py"))
    wrong = []
    for heading, text in sections(page):
        tested = text.partition("Tested by ")[2]
        references = re.findall(r"`(tests/[^`]+)`", tested)
        wrong += [f"{heading}: no test"] if not references else []
        wrong += [f"{heading}: {r}" for r in references if not exists(r)]
        rows = [row for group in re.findall(r"\(((?:`\w+`(?:, )?)+)\)", tested) for row in re.findall(r"\w+", group)]
        wrong += [f"{heading}: {row}" for row in rows if not re.search(rf"\b{row}\b", run_tests)]
    assert not wrong, "\n".join(wrong)


def test_references_to_the_docs_have_their_heading():
    wrong = []
    for path in TEXTS:
        links = re.findall(r"docs/(\w+\.md)#([\w-]+)", read(path))
        if path.parent == ROOT / "docs":
            links += [(page or path.name, anchor) for page, anchor in re.findall(r"\]\((\w+\.md)?#([\w-]+)\)", read(path))]
        wrong += [f"{relative(path)}: {page}#{anchor}" for page, anchor in links
                  if not (ROOT / "docs" / page).is_file() or anchor not in anchors(read(ROOT / "docs" / page))]
    assert not wrong, "\n".join(wrong)


def header(path):
    """The opening comment of a file, as one line."""
    lines = []
    for line in read(path).splitlines():
        if not line.startswith(("//", "#")):
            break
        lines.append(line.lstrip("/# "))
    return " ".join(lines)


def test_what_headers_name_as_tests_exists():
    wrong = []
    for path in TEXTS:
        if path.suffix not in (".cpp", ".h", ".cu", ".def"):
            continue
        for name in re.findall(r"tests/[\w/.*-]+|\b\w+_test\.cpp|\btest_\w+\.py", header(path).partition("Tested by")[2]):
            name = name.rstrip(".")
            if not any(ROOT.glob(name if name.startswith("tests/") else f"tests/**/{name}")) \
                    and not any(ROOT.glob(f"{name}*")):
                wrong.append(f"{relative(path)}: {name}")
    assert not wrong, "\n".join(wrong)


def test_comments_cite_nothing_outside_of_the_repository():
    """Rules have words and headings, not numbers of pages that readers do not have."""
    code = r"\b(?!C99\b|C11\b|C17\b|C23\b)[SCDTVE]\d{1,2}\b"
    page = r"\bspec/\w+|\b(?:decisions|cuda|cpu|cpu_twin|lanes|module|dialects)\.md\b|\bDESIGN" + r"\b"
    wrong = []
    for path in TEXTS:
        for number, line in enumerate(read(path).splitlines(), 1):
            comment = re.search(r"(?://|#) .*", line)
            if re.search(page, line) or (path.suffix != ".md" and comment and re.search(code, comment[0])):
                wrong.append(f"{relative(path)}:{number}: {line.strip()}")
    assert not [w for w in wrong if not w.startswith("tests/house/")], "\n".join(wrong)
