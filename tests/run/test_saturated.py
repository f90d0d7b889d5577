"""Clips in front of conversions to small integers: the same values with them and without, NaN and what is far beyond included."""
import math

import numpy as np
import pytest
from conftest import Batch

FORMS = {
    "by_ifs": """
        v = a[i] * 1.5
        if v < {lo}:
            v = {lo}
        if v > {hi}:
            v = {hi}
        out[i] = v""",
    "by_elif": """
        v = a[i] * 1.5
        if v >= {hi}:
            v = {hi}
        elif v <= {lo}:
            v = {lo}
        out[i] = v""",
    "by_sides": """
        v = a[i] * 1.5
        if v < {lo}:
            out[i] = {lo}
        elif v > {hi}:
            out[i] = {hi}
        else:
            out[i] = v""",
    "by_calls": """
        out[i] = min(max(a[i] * 1.5, {lo}), {hi})""",
    "by_calls_turned": """
        out[i] = max({lo}, min({hi}, a[i] * 1.5))""",
    "by_choices": """
        v = a[i] * 1.5
        out[i] = {lo} if v < {lo} else {hi} if v > {hi} else v""",
    "whole": """
        v = int(a[i] * 1.5)
        if v < {lo}:
            v = {lo}
        elif v > {hi}:
            v = {hi}
        out[i] = v""",
    "whole_by_calls": """
        out[i] = max({lo}, min({hi}, int(a[i] * 1.5)))""",
    "step_by_step": """
        v = a[i] * 1.5
        v = max(v, {lo})
        v = min(v, {hi})
        out[i] = v""",
    "narrower": """
        v = a[i] * 1.5
        if v < {lo} + 3:
            v = {lo} + 3
        if v > {hi} - 3:
            v = {hi} - 3
        out[i] = v""",
    "read_besides": """
        v = a[i] * 1.5
        if v < {lo}:
            v = {lo}
        if v > {hi}:
            v = {hi}
        out[i] = v
        if v == {hi}:
            out[i] = 7""",
    "below_alone": """
        v = int(a[i] * 1.5)
        if v < {lo}:
            v = {lo}
        if v > 2 * {hi}:
            v = 2 * {hi}
        out[i] = v""",
    "beyond": """
        v = int(a[i] * 1.5)
        if v < {lo} - 5:
            v = {lo}
        if v > {hi} + 45:
            v = {hi}
        out[i] = v""",
    "beyond_by_choices": """
        v = a[i] * 1.5
        out[i] = int({lo} if v < {lo} - 5 else {hi} if v > {hi} + 45 else v)""",
    "floats_beyond": """
        v = a[i] * 1.5
        if v < {lo} - 5:
            v = {lo}
        if v > {hi} + 45:
            v = {hi} + 1.0
        out[i] = v""",
    "choice_inside": """
        v = a[i] * 1.5
        out[i] = max({lo}, int({hi} * 3.0 if i % 2 == 1 else min(v, {hi})))""",
    "again": """
        v = int(a[i] * 1.5)
        if v < {lo}:
            v = {lo}
        if v > {hi}:
            v = {hi}
        if v >= {hi}:
            v = {hi} + 45
        out[i] = v""",
}
KINDS = ["uint8", "int8", "uint16", "int16", "int32", "uint32"]
MADE = Batch("saturated")
for name, form in FORMS.items():
    for kind in KINDS:
        ends = np.iinfo(kind)
        for real in ("float64", "float32"):
            MADE.add(f"""
@njit("void({real}[:], {kind}[:])")
def {name}_{kind}_{real}(a, out):
    for i in range(a.size):{form.format(lo=ends.min, hi=ends.max)}
""")


def converted(x, kind):
    """A Python number as an element: an integer wraps, a float is clipped."""
    ends = np.iinfo(kind)
    if isinstance(x, int):
        return (x - ends.min) % 2**ends.bits + ends.min
    return 0 if math.isnan(x) else int(max(min(x, ends.max), ends.min))


def whole(x):
    return converted(x, "int64")


class Converts(list):
    """out[i] = x as an array of the type does it."""
    def __init__(self, n, kind):
        super().__init__([0] * n)
        self.kind = kind

    def __setitem__(self, i, x):
        super().__setitem__(i, converted(x, self.kind))


class Numbers(list):
    size = property(len)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", FORMS)
@pytest.mark.parametrize("real", ["float64", "float32"])
def test_clips(name, kind, real):
    ends = np.iinfo(kind)
    rng = np.random.default_rng(5)
    edges = [e + d for e in (0.0, float(ends.min), float(ends.max)) for d in (-4, -1, -0.75, -0.0, 0.25, 0.75, 1, 4)]
    given = np.array(edges + [math.nan, -math.nan, math.inf, -math.inf, 1e300, -1e300, 1e19, -1e19, 2.0**31, 2.0**32])
    with np.errstate(over="ignore"):
        a = np.concatenate([given / 1.5, rng.uniform(ends.min * 2 - 9.0, ends.max * 2 + 9.0, 60)]).astype(real)
        scaled = a.astype("float64") * 1.5  # float32 * 1.5 is float64 to Numba
    out = np.zeros(a.size, kind)
    getattr(MADE, f"{name}_{kind}_{real}")(a, out)
    source = FORMS[name].format(lo=ends.min, hi=ends.max).replace("a[i] * 1.5", "a[i]")
    scope = {"int": whole}
    exec(f"def f(a, out):\n    for i in range(a.size):{source}", scope)
    wanted = Converts(a.size, kind)
    scope["f"](Numbers(float(x) for x in scaled), wanted)
    assert out.tolist() == list(wanted), [(x, o, w) for x, o, w in zip(a, out, wanted) if o != w][:5]
