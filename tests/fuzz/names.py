"""Every name that C++, its headers or our own text also use, as each thing that a Python name can be, against Numba.

    python tests/fuzz/names.py

Roles: the exported function, a helper, parameters and locals, a closure, a lambda, a module's array and number, the
fields of a named tuple and the tuple itself.
"""
import random
import sys

import numpy as np

import harness
import oracle
from helpers import NAMES

ARRAY = "(float64[:], int64)"
ROLES = {
    "function": ("", "def {x}(a, t):\n    a[0] += t\n    return a[0] / t"),
    "helper": ("@njit\ndef {x}(a, t):\n    a[0] += 1\n    return a[t] / a[1]",
               "def {f}(a, t):\n    s = 1.0\n    s += {x}(a, t)\n    return s + a[0]"),
    "shared": ("@register_jitable\ndef {x}(a, t):\n    if t > 5:\n        raise ValueError('{x}', t)\n    return a[t]",
               "def {f}(a, t):\n    return {x}(a, t) + {x}(a, t + 3)"),
    "parameter": ("@njit\ndef h_{f}({x}, t):\n    {x}[t] += 1\n    return {x}[0]",
                  "def {f}({x}, t):\n    for i in range(len({x})):\n        {x}[i] += h_{f}({x}, t)\n    return {x}[t]"),
    "scalar": ("@njit\ndef h_{f}(a, {x}=2):\n    {x} += 1\n    return {x} * 2",
               "def {f}(a, {x}):\n    a[{x}] = h_{f}(a, {x}) / {x}\n    {x} -= 1\n    return {x}"),
    "local": ("", "def {f}(a, t):\n    {x} = 0\n    for i in range(t):\n        {x} += i\n    {x} = {x} + 0.5\n    a[0] += {x}\n"
                  "    return {x}, a[t] / {x}"),
    "index": ("", "def {f}(a, t):\n    s = 0.0\n    for {x} in range(len(a)):\n        s += a[{x}] / t\n    for {x} in a:\n"
                  "        s += {x}\n    return s"),
    "closure": ("", "def {f}(a, t):\n    k = a[0] + t\n\n    def {x}(i):\n        a[i] += k\n        return a[i]\n"
                    "    return {x}(t) + {x}(0)"),
    "lambda": ("", "def {f}(a, t):\n    {x} = lambda i: a[i] * t\n    return {x}(t) + {x}(0)"),
    "captured": ("", "def {f}(a, t):\n    {x} = a[0] + t\n\n    def g(i):\n        a[i] += {x}\n        return {x} / t\n"
                     "    {x} = g(0) + 1\n    return g(1) + {x}"),
    "array": ("{x} = np.array([1.5, 2.5, 4.0, 8.0])", "def {f}(a, t):\n    a[0] += {x}[t]\n    return {x}[1] / a[t]"),
    "number": ("{x} = 3", "def {f}(a, t):\n    return a[0] / {x} + t"),
    "tuple": ("{x} = namedtuple('{x}', 'p q')", "def {f}(a, t):\n    v = {x}(a[t], t)\n    return v.p / v.q"),
    "field": ("T_{f} = namedtuple('T_{f}', '{x} other')",
              "def {f}(a, t):\n    v = T_{f}(a[t], t)\n    return v.{x} / v.other"),
    "parallel": ("", "def {f}(a, t):\n    {x} = 0.0\n    for i in prange(len(a)):\n        {x} += a[i] / t\n    return {x}"),
}


def case(role, name, number):
    prelude, source = ROLES[role]
    function = name if role == "function" else f"f{number}_{role}"
    inputs = [(np.arange(6.0) + 0.5, 2), (np.arange(6.0), 1), (np.arange(5.0) + 1, 3)]
    return oracle.Case(function, ARRAY, source.format(x=name, f=function), inputs,
                       ", parallel=True" if role == "parallel" else "", prelude.format(x=name, f=function))


def cases(count, seed, first=0):
    """All pairs of a role and a name that may have it; a seed other than 0 shuffles the names."""
    names = list(NAMES)
    if seed:
        random.Random(f"names-{seed}").shuffle(names)
    every = [case(role, name, number) for role in ROLES for number, name in enumerate(names)
             if not (role in ("field", "tuple") and (name[0] == "_" or name in ("index", "count")))]
    every = every[::1 + len(every) // count] if count < len(every) else every
    return every[first:first + count]


if __name__ == "__main__":
    sys.exit(harness.main(cases, __doc__, count=10 ** 6))
