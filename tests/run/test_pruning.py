"""Which branches are typed: what Numba knows before it infers types drops the other one, what merely folds does not.

Each condition stands in a function whose result is an integer where one branch alone is typed and a float where both
are. Numba itself says which.
"""

import numba
import numpy as np
import pytest

from conftest import Batch, PROLOGUE

HEAD = """
DEBUG = False
LEVEL = 3
RATE = 0.0
SHAPE = (2, 3)
NAME = "fast"
NOTHING = None
"""
CONDITIONS = [
    "True", "DEBUG", "not DEBUG", "LEVEL", "RATE", "LEVEL > 2", "LEVEL < 2", "LEVEL & 4", "LEVEL & 1", "LEVEL + 1 > 3",
    "2 > 1", "1 + 1 == 2", "3 in (1, 2)", "NOTHING is None", "LEVEL is None", "LEVEL is not None",
    "NAME == 'fast'", "n > 2", "n is None", "n is not None", "b ** 0", "b == b", "n >= n", "n * 0",
    "np.float32(LEVEL)", "np.int64(LEVEL) > 2", "float(LEVEL)", "LEVEL > 2 and n > 1", "n > 1 and LEVEL > 5",
    "LEVEL > 5 or n > 1", "n > 1 or LEVEL > 2", "not (LEVEL > 2)", "1 < LEVEL < 5", "5 < LEVEL < n", "a.ndim == 1",
    "a.ndim == 2", "len(a) == 0", "len(t) == 2", "len(t) > 2", "isinstance(n, int)", "isinstance(b, int)",
    "isinstance(a, int) or DEBUG", "(1, 2)", "()", "LEVEL == 3.0", "DEBUG == 0", "LEVEL != RATE",
]
BODIES = {
    "if": "    if {0}:\n        x = 1\n    else:\n        x = 2.5\n    return x\n",
    "value": "    x = 1 if {0} else 2.5\n    return x\n",
    "name": "    k = {0}\n    if k:\n        x = 1\n    else:\n        x = 2.5\n    return x\n",
}
FUNCTIONS = {f"{kind}_{k}": f"def {kind}_{k}(a, n, b, t):\n" + body.format(condition)
             for k, condition in enumerate(CONDITIONS) for kind, body in BODIES.items()}


def of_numba(name):
    """(the result's type as a character, its value); None where Numba refuses the function."""
    space = {}
    exec(PROLOGUE + HEAD + FUNCTIONS[name], space)
    try:
        value = numba.njit(space[name])(*ARGUMENTS)
    except (numba.core.errors.NumbaError, NotImplementedError, AssertionError):
        return None
    return type(value).__name__, float(value)


ARGUMENTS = np.arange(3.0), 3, np.float32(2), (1, 2)
SIGNATURE = '@njit("(float64[:], int64, float32, UniTuple(int64, 2))")\n'
batch = Batch("pruning")
batch.add(HEAD)


@pytest.fixture(scope="module")
def expected():
    return {name: of_numba(name) for name in FUNCTIONS}


@pytest.fixture(scope="module")
def module(expected):
    for name, source in FUNCTIONS.items():
        if expected[name] is not None:
            batch.add(SIGNATURE + source)
    return batch


@pytest.mark.parametrize("kind", BODIES)
def test_the_branches_that_numba_types_are_typed(kind, expected, module):
    wrong = []
    compared = 0
    for name, theirs in expected.items():
        if not name.startswith(kind) or theirs is None:
            continue
        compared += 1
        value = getattr(module, name)(*ARGUMENTS)
        ours = type(value).__name__, float(value)
        if ours != theirs:
            wrong.append(f"{FUNCTIONS[name]}  Numba {theirs}, here {ours}")
    assert not wrong, "\n".join(wrong)
    assert compared > len(CONDITIONS) * 0.7
