#!/usr/bin/env python3
"""Writes names_words_N.inc and names_N.inc from this Python's unicodedata: characters for \\N{…}.

Numbers are written as in make_unicode_tables.py. Names are made of words. The words: how many letters
are shared with the word before, the other letters, a space; the commonest words first, so that they
have short numbers. The names, by code point: distance, how many leading words are shared with the
name before, how many follow, which. Ideographs and Hangul syllables have no entry: a rule names them.
"""
import collections
import unicodedata
from pathlib import Path

from make_unicode_tables import LAST, number

RULED = ("CJK UNIFIED IDEOGRAPH-", "CJK COMPATIBILITY IDEOGRAPH-", "HANGUL SYLLABLE ",
         "TANGUT IDEOGRAPH-", "NUSHU CHARACTER-", "KHITAN SMALL SCRIPT CHARACTER-")
# Control characters have no name, only these aliases.
ALIASES = """NULL,START OF HEADING,START OF TEXT,END OF TEXT,END OF TRANSMISSION,ENQUIRY,ACKNOWLEDGE,
ALERT,BACKSPACE,CHARACTER TABULATION,LINE FEED,LINE TABULATION,FORM FEED,CARRIAGE RETURN,
SHIFT OUT,SHIFT IN,DATA LINK ESCAPE,DEVICE CONTROL ONE,DEVICE CONTROL TWO,
DEVICE CONTROL THREE,DEVICE CONTROL FOUR,NEGATIVE ACKNOWLEDGE,SYNCHRONOUS IDLE,
END OF TRANSMISSION BLOCK,CANCEL,END OF MEDIUM,SUBSTITUTE,ESCAPE,INFORMATION SEPARATOR FOUR,
INFORMATION SEPARATOR THREE,INFORMATION SEPARATOR TWO,INFORMATION SEPARATOR ONE,DELETE,
NEXT LINE,BYTE ORDER MARK,HORIZONTAL TABULATION,NEW LINE,TAB,END OF LINE,BEL,NUL,ESC,DEL,
NBSP,ZWSP,ZWJ,ZWNJ,BOM,SHY,LF,CR,FF,NEL,LATIN CAPITAL LETTER GHA,LATIN SMALL LETTER GHA,
PADDING CHARACTER"""


def entries():
    for c in range(0x110000):
        name = unicodedata.name(chr(c), None)
        if name and not name.startswith(RULED):
            yield c, name.split(" ")
    for alias in ALIASES.replace("\n", "").split(","):
        yield ord(unicodedata.lookup(alias)), alias.split(" ")


names = sorted(entries())
used = collections.Counter(word for _, name in names for word in name)
common = [word for word, _ in used.most_common(32 * 33)]
words = common + sorted(set(used) - set(common))
index = {word: i for i, word in enumerate(words)}


def shared(a, b, most):
    n = 0
    while n < min(len(a), len(b), most) and a[n] == b[n]:
        n += 1
    return n


def word_table():
    last = ""
    for word in words:
        n = shared(last, word, 31)
        yield LAST[n] + word[n:] + " "
        last = word


def name_table():
    last_code, last = 0, []
    for code, name in names:
        n = shared(last, name, 99)
        rest = [index[word] for word in name[n:]]
        yield "".join(map(number, [code - last_code, n, len(rest), *rest]))
        last_code, last = code, name


def write(stem, variable, text):
    """As many files of at most 590 lines as it takes, one string each."""
    lines = [f'    "{text[i:i + 92]}"\n' for i in range(0, len(text), 92)]
    for part, i in enumerate(range(0, len(lines), 590), 1):
        with open(Path(__file__).with_name(f"{stem}_{part}.inc"), "w") as f:
            f.write("// Written by make_name_tables.py from Unicode "
                    f"{unicodedata.unidata_version}; do not edit.\n")
            f.write(f"constexpr std::string_view {variable}{part} =\n")
            f.write("".join(lines[i:i + 590]) + '    "";\n')


if __name__ == "__main__":
    write("names_words", "kWords", "".join(word_table()))
    write("names", "kNames", "".join(name_table()))
