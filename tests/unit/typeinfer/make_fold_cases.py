"""Writes fold_cases.txt: constant expressions and what CPython and NumPy make of them.

Run by a person when folding learns something new; fold_test.cpp reads the result. A line is
`expression ==> result`, where a result that is an exception reads `nothing`.
"""

import math
import pathlib
import random
import warnings

import numpy as np

warnings.simplefilter("ignore")
rng = random.Random(20240601)


def show(value):
    if isinstance(value, np.ndarray):
        items = " ".join(show(item) for item in value.ravel())
        return f"{value.dtype}{list(value.shape)} {items}".rstrip()
    if isinstance(value, np.generic):
        return f"{value.dtype}:{show(value.item())}"
    if value is None or isinstance(value, (bool, int)):
        return str(value)
    if isinstance(value, float):
        return "nan" if math.isnan(value) else value.hex()
    if isinstance(value, complex):
        return f"({show(value.real)} {show(value.imag)})"
    if isinstance(value, str):
        return f"'{value}'"
    if isinstance(value, tuple):
        return "(" + "".join(show(item) + ", " for item in value) + ")"
    raise TypeError(type(value))


INTS = ["0", "1", "2", "3", "7", "10", "255", "-1", "-5", "2**31", "2**53 + 1", "2**63", "-2**63", "10**18",
        "123456789012345678901234567890", "0x7f", "0b101", "1_000"]
FLOATS = ["0.0", "-0.0", "0.1", "0.5", "1.5", "2.5", "-3.7", "1e10", "1e-10", "1e308", "3.141592653589793", "1e22",
          "9007199254740993.0", "math.pi", "math.e", "math.inf"]
COMPLEX = ["1j", "2.5j", "(1+2j)", "(-0.5-3j)"]
BOOLS = ["True", "False"]
ARITHMETIC = ["+", "-", "*", "/", "//", "%", "**"]
BITS = ["&", "|", "^", "<<", ">>"]
COMPARE = ["<", "<=", "==", "!=", ">", ">="]


def number(depth):
    roll = rng.random()
    if depth == 0 or roll < 0.2:
        pool = rng.choice([INTS, INTS, FLOATS, FLOATS, BOOLS, COMPLEX if rng.random() < 0.3 else INTS])
        return rng.choice(pool)
    if roll < 0.6:
        op = rng.choice(ARITHMETIC)
        right = rng.choice(["2", "3", "0.5", "-1", "-2", "1.5"]) if op == "**" else number(depth - 1)
        return f"({number(depth - 1)} {op} {right})"
    if roll < 0.66:
        op = rng.choice(BITS)
        right = rng.choice(["1", "4", "13"]) if op in ("<<", ">>") else integer(depth - 1)
        return f"({integer(depth - 1)} {op} {right})"
    if roll < 0.72:
        return f"{rng.choice(['-', '+', 'abs', '-'])}({number(depth - 1)})"
    if roll < 0.8:
        function = rng.choice(["sqrt", "exp", "log", "sin", "cos", "floor", "ceil", "trunc", "fabs", "log2",
                               "log10", "degrees", "radians", "atan", "tanh"])
        return f"math.{function}({number(depth - 1)})"
    if roll < 0.86:
        function = rng.choice(["int", "float", "round", "bool", "abs"])
        return f"{function}({number(depth - 1)})"
    if roll < 0.9:
        return f"{rng.choice(['min', 'max'])}({number(depth - 1)}, {number(depth - 1)})"
    if roll < 0.95:
        return f"({number(depth - 1)} if {condition(depth - 1)} else {number(depth - 1)})"
    return f"({number(depth - 1)} {rng.choice(['and', 'or'])} {number(depth - 1)})"


def integer(depth):
    if depth <= 0 or rng.random() < 0.4:
        return rng.choice(INTS + BOOLS)
    return f"({integer(depth - 1)} {rng.choice(['+', '-', '*', '//', '%', '&', '|', '^'])} {integer(depth - 1)})"


def condition(depth):
    if depth <= 0 or rng.random() < 0.2:
        return rng.choice(BOOLS)
    roll = rng.random()
    if roll < 0.5:
        return f"({number(depth - 1)} {rng.choice(COMPARE)} {number(depth - 1)})"
    if roll < 0.6:
        return f"({number(0)} < {number(0)} <= {number(0)})"
    if roll < 0.8:
        return f"(not {condition(depth - 1)})"
    return f"({condition(depth - 1)} {rng.choice(['and', 'or'])} {condition(depth - 1)})"


DTYPES = ["int8", "int16", "int32", "int64", "uint8", "uint32", "uint64", "float16", "float32", "float64"]


def scalar():
    return f"np.{rng.choice(DTYPES)}({rng.choice(['0', '1', '3', '7', '100', '2.5', '0.1'])})"


def numpy_expression():
    weak = rng.choice(["2", "0.1", "3.0", "-1", "True"])
    left, right = rng.choice([(scalar(), scalar()), (scalar(), weak), (weak, scalar())])
    if rng.random() < 0.15:
        return f"{left} {rng.choice(COMPARE)} {right}"
    return f"{left} {rng.choice(['+', '-', '*', '/', '//', '%'])} {right}"


def array_expression():
    dtype = rng.choice(DTYPES)
    made = rng.choice([
        f"np.array([1, 2, 3], dtype=np.{dtype})", f"np.zeros((2, 3), dtype='{dtype}')", "np.ones(4)",
        f"np.full((2, 2), {rng.choice(['7', '2.5', 'True', 'np.float32(0.1)'])})", "np.arange(6).reshape(2, 3)",
        f"np.arange({rng.choice(['5', '1, 7, 2', '0.0, 1.0, 0.1', '3.0', '5, 1, -1'])})",
        f"np.linspace({rng.choice(['0, 1, 5', '0, 10, 7', '-1.0, 1.0, 4', '2, 3, 1', '0, 1, 5, False'])})",
        "np.eye(3)", f"np.array([[1, 2], [3, 4.5]])", "np.array((1, 2, True))", "np.array([i * i for i in range(5)])",
        f"np.arange(4).astype(np.{dtype})", "np.array([0.1, 0.2], dtype=np.float32)", "np.array([[1, 2], [3, 4]])[1]",
        "np.array([[1, 2], [3, 4]])[1, -1]", "np.array([1, 2]) + np.array([[10], [20]])",
    ])
    if rng.random() < 0.5:
        return made
    return f"{made} {rng.choice(['+', '-', '*', '/'])} {rng.choice(['2', '0.5', 'np.float32(3)', 'np.int8(2)'])}"


FIXED = """
'abc' + 'd'    'ab' * 3    3 * (1, 2)    (1, 2) + (3,)    (1, 2.5, 'x')[1]    (1, 2, 3, 4)[1:3]    (1, 2, 3, 4)[::-1]
'hello'[1:4]    'hello'[-1]    len((1, 2, 3))    len('abc')    sum((1, 2, 3))    sum([0.1] * 10)    sum((0.1, 0.2, 0.3))
sum(range(10))    tuple(range(2, 10, 3))    tuple(i * 2 for i in range(4) if i != 2)    max((3, 1, 2))    min([4, 2, 8])
round(1e300, 5)    round(-2.5e300, -300)    round(15, -1)    round(25, -1)    round(-15.0, -1)    round(0.5, 0)    round(99.5, 0)
round(0.05, -1)    round(5.0, -1)    round(5e-324, 323)    round(1e22, 1)    round(1.5, 400)    round(1.7e308, -308)    round(-1e-9, 3)
round(2.5)    round(3.5)    round(2.675, 2)    round(-0.5)    round(1234.5678, 1)    int(-2.7)    int('0x10', 16)
int('12')    int('-7')    float('1.5')    float('inf')    float('-inf')    complex(1, 2)    complex(1.5)    divmod(7, -2)
divmod(-7.5, 2)    pow(2, 10)    pow(2, -1)    (-8) ** (1/3)    (-8.0) ** 2    2 ** 0.5    0 ** 0    0.0 ** 0    2 ** 100
2 ** 126    True + True    True & False    True ^ 1    ~5    not 0    1 in (1, 2)    3 not in (1, 2)    'a' in 'abc'
None is None    1 == 1.0    (1, 2) == (1, 2)    (1, 2) < (1, 3)    'a' < 'b'    2**53 + 1 == 2.0**53    (1+2j) * (3-1j)
(1+2j) ** 2    (1+2j) / (3-1j)    (1+2j) ** 0.5    (1+2j) ** -3    abs(3+4j)    (1+2j).real    (1+2j).imag    (5).real
1e308 * 10    math.gcd(12, 18)    math.lcm(4, 6)    math.factorial(20)    math.comb(10, 3)    math.isqrt(99)    math.log(8, 2)
math.atan2(1, 2)    math.copysign(3, -0.0)    math.fmod(-7, 3)    math.ldexp(0.5, 10)    math.tau    np.pi    np.e    np.inf
np.float32(0.1) * 3    np.float32(0.1) + np.float64(0.1)    np.int8(100) + np.int8(100)    np.uint8(3) - np.uint8(5)
np.float32(2)    np.int64(3) / 2    -np.int8(5)    ~np.uint8(5)    np.sqrt(2)    np.sqrt(np.float32(2))    np.floor(2.7)
np.finfo(np.float32).eps    np.finfo(float).max    np.iinfo(np.int32).max    np.iinfo(np.uint8).min    np.int16(5) ** 3
np.array([1, 2, 3]).shape    np.zeros((3, 4)).size    np.eye(2).ndim    np.array([1.5]).dtype.itemsize    int(np.int8(5))
float(np.float32(0.1))    math.sqrt(np.float32(2))    np.abs(-3)    np.array([1, -2]).sum    np.array([True, False])
-np.array([1, 2])    np.array([1, 2]) < 2    np.array([1, 2], dtype=float)    np.array([3, 4], dtype='f4')    np.float16(0.1)
np.float16(1e-7)    np.array([0.1, 65504, 1e-8], dtype=np.float16)    (1 if 2 > 1 else 0)    0 or 'x'    1 and 0.0    1 < 2 < 3
1 < 3 < 2    7 // 2    -7 // 2    -7 % 3    7.5 // -2    7.5 % -2    1 << 70    -1 >> 3    (1 << 70) / 3    2**64 // 3
10**30 / 10**10    123456789012345678901 / 7    1 / 3    min(1, 1.0)    max(True, 1)    bool('')    bool((0,))    ord('a')
"""

lines = []
seen = set()


def add(expression):
    if expression in seen:
        return
    seen.add(expression)
    try:
        text = show(eval(expression, {"math": math, "np": np}))
    except Exception:
        text = "nothing"
    lines.append(f"{expression} ==> {text}")


for line in FIXED.strip().splitlines():
    for expression in line.split("    "):
        add(expression.strip())
while len(lines) < 900:
    add(number(3))
while len(lines) < 1100:
    add(condition(3))
while len(lines) < 1350:
    add(numpy_expression())
for _ in range(300):
    add(array_expression())
path = pathlib.Path(__file__).with_name("fold_cases.txt")
path.write_text("\n".join(line for line in lines if len(line) < 2000) + "\n")
