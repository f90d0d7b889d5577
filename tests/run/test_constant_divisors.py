"""// and % by constants round down: every value of the small types, the ends of the large ones, in lanes and one by one."""
import numpy as np
import pytest
from conftest import Batch, assert_same_effects

KINDS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32"]  # uint64 // int64 is of floats
DIVISORS = [1, 2, 3, 7, 10, 64, 100, 127, 1000, 32767, 1000003, 2**31 - 1, 2**40 + 1, -1, -2, -7, -1000]
ONE = '''
@njit("void({K}[::1], {K}[::1], {K}[::1])")
def both_{K}_{k}(a, quotients, rests):
    for i in range(len(a)):
        quotients[i] = a[i] // {D}
        rests[i] = a[i] % {D}


@njit("int64({K}[::1])")
def in_turn_{K}_{k}(a):
    x = 1
    for i in range(len(a)):
        x = (x * 3 - a[i]) // {D} + (x + a[i]) % {D}
    return x
'''


def fits(kind, divisor):
    info = np.iinfo(kind)
    return info.min <= divisor <= info.max


CASES = [(kind, k) for kind in KINDS for k, divisor in enumerate(DIVISORS) if fits(kind, divisor)]
MODULES = {name: Batch("constant_divisors_" + name, options)
           for name, options in {"default": [], "v2": ["--march=x86-64-v2"], "plain": ["--no-lanes"]}.items()}
for module in MODULES.values():
    module.add("\n\n".join(ONE.format(K=kind, k=k, D=DIVISORS[k]) for kind, k in CASES))


def values(kind):
    info = np.iinfo(kind)
    if info.bits <= 16:
        return np.arange(info.min, info.max + 1, dtype=kind)
    near = np.arange(-300, 300)
    edges = [near, info.min + 300 + near, info.max - 300 + near if info.bits < 64 else np.arange(info.max - 600, info.max)]
    rng = np.random.default_rng(3)
    edges.append(rng.integers(info.min, info.max, 2000, dtype=kind))
    edges += [np.array([d * m + r for m in (-3, -1, 1, 2, 5) for r in (-1, 0, 1)]) for d in DIVISORS]
    return np.concatenate([e[(e >= info.min) & (e <= info.max)].astype(kind) for e in edges])


@pytest.mark.parametrize("kind, k", CASES)
@pytest.mark.parametrize("name", ["default", "v2", "plain"])
def test_quotients_and_rests(name, kind, k):
    a, divisor = values(kind), DIVISORS[k]
    quotients, rests = np.zeros_like(a), np.zeros_like(a)
    getattr(MODULES[name], f"both_{kind}_{k}")(a, quotients, rests)
    for ours, exact in ((quotients, [int(x) // divisor for x in a]), (rests, [int(x) % divisor for x in a])):
        np.testing.assert_array_equal(ours, np.array([x % 2**64 for x in exact], np.uint64).astype(kind))
    if name != "plain":
        assert_same_effects(MODULES[name], MODULES["plain"], f"in_turn_{kind}_{k}", a)
