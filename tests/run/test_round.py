"""round(x, n) is CPython's for every x and n: of variables, of constants, folded from the text, of float32, of ints.

What CPython refuses as too large to represent is inf here: compiled code does not raise OverflowError.
"""
import math
import random
import struct

import numpy as np
import pytest

from conftest import Batch

LARGEST = 1.7976931348623157e308
EDGES = [0.0, -0.0, 5e-324, -5e-324, 2.2250738585072014e-308, LARGEST, -LARGEST, 1e22, 1e23, 1e300, 0.5, 1.5, 2.5, 0.285,
         2.675, 1e16, 2.0**52 + 0.5, 2.0**53 - 1, 2.0**53, 2.0**53 + 2, 0.1, 5e15 + 0.5, 1e-300, 1e-5, 5e307, 9.5e307,
         math.inf, -math.inf, math.nan]
DIGITS = [0, 1, 2, 5, 15, 16, 17, 21, 22, 23, 24, 100, 299, 300, 301, 307, 308, 309, 322, 323, 324, 1000, 2**62, 2**63 - 1,
          -1, -2, -5, -15, -16, -21, -22, -23, -24, -100, -299, -300, -301, -307, -308, -309, -1000, -2**62, -2**63]
FOLDED = ["round(1e300, 5)", "round(-1e300, 5)", "round(2.675, 2)", "round(1e22, 1)", "round(5e-324, 323)",
          "round(0.5, 0)", "round(1.5e300, -300)", "round(123456.789, -2)", "round(9007199254740993.0, 1)"]

batch = Batch("rounds")
batch.add('''
    @njit("float64(float64, int64)")
    def wide(x, n):
        return round(x, n)

    @njit("float32(float32, int64)")
    def narrow(x, n):
        return round(x, n)

    @njit("void(float64[::1], int64[::1], float64[::1])")
    def many(x, n, out):
        for i in range(x.size):
            out[i] = round(x[i], n[i])

    @cuda.jit("void(float64[::1], int64[::1], float64[::1])")
    def on_cuda(x, n, out):
        i = cuda.grid(1)
        if i < x.size:
            out[i] = round(x[i], n[i])

    # pythran export whole(int64, int64)
    def whole(x, n):
        return round(x, n)

    # pythran export byte(int8, int64)
    def byte(x, n):
        return round(x, n)
''')
for number, text in enumerate(FOLDED):
    batch.add(f'''
        @njit("float64()")
        def folded_{number}():
            return {text}
    ''')
for number, text in enumerate(FOLDED[:6]):
    batch.add(f'''
        K{number} = {text}

        @njit("float64()")
        def at_module_level_{number}():
            return K{number}
    ''')


def python_round(x, n):
    try:
        return round(x, n)
    except OverflowError:
        return math.copysign(math.inf, x)


def same(a, b):
    return (a == b and math.copysign(1, a) == math.copysign(1, b)) or (a != a and b != b)


def any_bits(rng):  # every exponent
    return struct.unpack("d", rng.randbytes(8))[0], rng.randint(-330, 340)


def ordinary(rng):
    return rng.uniform(-1e6, 1e6), rng.randint(-7, 24)


def decimals(rng):  # what people write, and what lies half way between what they round to
    exponent = rng.randint(-320, 300)
    return float(f"{rng.randint(-10**rng.randint(1, 17), 10**17)}e{exponent}"), -exponent + rng.randint(-4, 4)


def half_way(rng):  # exact ties: dyadic fractions, and integers that end in 5
    if rng.random() < 0.5:
        return (rng.randint(-2**40, 2**40) + 0.5) / 2.0 ** rng.randint(0, 12), rng.randint(-5, 14)
    zeros = rng.randint(0, 14)
    return float((rng.randint(-10**3, 10**3) * 10 + 5) * 10**zeros), -zeros - 1


def at_2_to_53(rng):  # where scaled values stop having a fraction
    n = rng.randint(-300, 300)
    x = rng.uniform(0.2, 5) * 2.0**53
    return (x / 10.0**n if n >= 0 else x * 10.0**-n), n


KINDS = [any_bits, ordinary, decimals, half_way, at_2_to_53]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_random_values_round_as_in_cpython(kind):
    rng = random.Random(kind.__name__)
    cases = [kind(rng) for _ in range(20_000)]
    out = np.empty(len(cases))
    batch.many(np.array([x for x, _ in cases]), np.array([n for _, n in cases]), out)
    wrong = [(x, n, float(got)) for (x, n), got in zip(cases, out) if not same(python_round(x, n), got)]
    assert not wrong, f"{len(wrong)} of {len(cases)}: {wrong[:5]}"


def test_edges_round_as_in_cpython():
    wrong = [(x, n, batch.wide(x, n)) for x in EDGES for n in DIGITS if not same(python_round(x, n), batch.wide(x, n))]
    assert not wrong


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_float32_rounds_its_exact_value_and_then_once_more_to_float32(kind):
    rng = random.Random(kind.__name__)
    wrong = []
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        for _ in range(5_000):
            x, n = kind(rng)
            x = np.float32(x)
            got, expected = batch.narrow(x, n), np.float32(python_round(float(x), n))
            if not same(float(got), float(expected)):
                wrong.append((x, n, got, expected))
    assert not wrong, f"{len(wrong)}: {wrong[:5]}"


def test_kernels_round_alike():
    rng = random.Random(3)
    cases = [kind(rng) for kind in KINDS for _ in range(200)]
    out = np.empty(len(cases))
    batch.on_cuda[(len(cases) + 63) // 64, 64](np.array([x for x, _ in cases]), np.array([n for _, n in cases]), out)
    assert all(same(python_round(x, n), float(got)) for (x, n), got in zip(cases, out))


@pytest.mark.parametrize("number", range(len(FOLDED)))
def test_constants_round_as_in_cpython(number):
    names = [f"folded_{number}", f"at_module_level_{number}"]
    for name in filter(lambda name: hasattr(batch.module, name), names):
        assert same(getattr(batch, name)(), eval(FOLDED[number])), name


def test_integers_round_as_in_cpython():
    rng = random.Random(5)
    for _ in range(5_000):
        x, n = rng.randint(-9 * 10**17, 9 * 10**17) // 10 ** rng.randint(0, 17), rng.randint(-22, 3)
        assert batch.whole(x, n) == round(x, n), (x, n)
    for x in range(-120, 121):
        for n in range(-30, 3):
            if -128 <= round(x, n) <= 127:
                assert batch.byte(x, n) == round(x, n), (x, n)
