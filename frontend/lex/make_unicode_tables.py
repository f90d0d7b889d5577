#!/usr/bin/env python3
"""Writes unicode_tables.inc from this Python's unicodedata (run it with CPython 3.13).

Every table is a sequence of unsigned numbers, each as base-32 digits of ASCII text: the last digit of
a number is one of A-Z 0-5, the digits before it one of a-z 6-9 @ # . So most numbers take one or two
letters, and the file stays small. unicode.cpp explains what each table holds.
"""
import sys
import unicodedata
from pathlib import Path

LAST = "ABCDEFGHIJKLMNOPQRSTUVWXYZ012345"
MORE = "abcdefghijklmnopqrstuvwxyz6789@#"
ALL = range(sys.maxunicode + 1)


def number(n):
    text = LAST[n % 32]
    while n := n // 32:
        text = MORE[n % 32] + text
    return text


def signed(n):
    return number(n * 2 if n >= 0 else -n * 2 - 1)


def ranges(test):
    out, at, inside = [], 0, False
    for c in ALL:
        if test(chr(c)) != inside:
            out.append(number(c - at))
            at, inside = c, not inside
    return "".join(out)


def decompositions():
    out, last, last_first = [], 0, 0
    for c in ALL:
        if 0xAC00 <= c < 0xD7A4 or not ("a" + chr(c)).isidentifier():
            continue
        text = unicodedata.normalize("NFKD", chr(c))
        if text == chr(c):
            continue
        out += [number(c - last), number(len(text)), signed(ord(text[0]) - last_first)]
        out += [number(ord(x)) for x in text[1:]]
        last, last_first = c, ord(text[0])
    return "".join(out)


def compositions():
    out, last = [], 0
    for c in ALL:
        parts = unicodedata.decomposition(chr(c)).split()
        canonical = len(parts) == 2 and parts[0][0] != "<"
        if canonical and unicodedata.normalize("NFC", chr(c)) == chr(c):
            out += [number(c - last), number(int(parts[0], 16)), number(int(parts[1], 16))]
            last = c
    return "".join(out)


def combining_classes():
    out, last = [], 0
    for c in ALL:
        if k := unicodedata.combining(chr(c)):
            out += [number(c - last), number(k)]
            last = c
    return "".join(out)


def write(file, name, text):
    file.write(f"constexpr std::string_view {name} =\n")
    for i in range(0, len(text), 92):
        file.write(f'    "{text[i:i + 92]}"\n')
    file.write("    \"\";\n")


if __name__ == "__main__":
    with open(Path(__file__).with_name("unicode_tables.inc"), "w") as f:
        f.write("// Written by make_unicode_tables.py from Unicode "
                f"{unicodedata.unidata_version}; do not edit.\n")
        write(f, "kXidStart", ranges(lambda c: c.isidentifier()))
        write(f, "kXidContinue", ranges(lambda c: ("a" + c).isidentifier()))
        write(f, "kPrintable", ranges(str.isprintable))
        write(f, "kDecompositions", decompositions())
        write(f, "kCompositions", compositions())
        write(f, "kCombiningClasses", combining_classes())
