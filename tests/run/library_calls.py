"""Expressions of the library of NumPy's functions, each compiled for its lists of arguments and compared with NumPy.

    CALL = Calls("module")
    CALL("np.roll(a, b)", (FLOATS, 2), (WHOLE, -3))
    @pytest.mark.parametrize("name", CALL.cases)
    def test_as_numpy(name):
        CALL.check(name)
"""
import numpy as np
from conftest import Batch, outcome_of

KINDS = {"f8": "float64", "f4": "float32", "i8": "int64", "i4": "int32", "i2": "int16", "u1": "uint8", "u8": "uint64", "b1": "boolean",
         "c16": "complex128", "c8": "complex64"}


def kind(value):
    if isinstance(value, np.ndarray):
        rank = ", ".join(":" * value.ndim)
        return f"{KINDS[value.dtype.str[1:]]}[{rank}]"
    return {bool: "boolean", int: "int64", float: "float64"}[type(value)]


def parts(outcome):
    return outcome if isinstance(outcome, (tuple, list)) else [outcome]


class Calls:
    def __init__(self, module):
        self.made = Batch(module)
        self.cases = {}

    def __call__(self, expression, *lists):
        """An expression of a, b, c, for each of these lists of arguments."""
        for arguments in lists:
            name = f"f{len(self.cases)}"
            names = ", ".join("abc"[:len(arguments)])
            types = "".join(kind(one) + ", " for one in arguments)
            self.made.add(f'@njit("({types.rstrip()})")\ndef {name}({names}):\n    return {expression}')
            self.cases[name] = expression, arguments

    def check(self, name):
        expression, arguments = self.cases[name]
        theirs = outcome_of(getattr(self.made.plain, name), arguments)
        ours = outcome_of(getattr(self.made, name), arguments)
        if isinstance(theirs, Exception):
            assert type(ours) is type(theirs), (expression, ours)
            return
        assert not isinstance(ours, Exception), (expression, ours)
        assert isinstance(ours, tuple) == isinstance(theirs, tuple) and len(parts(ours)) == len(parts(theirs)), expression
        for mine, other in zip(parts(ours), parts(theirs)):
            single = np.asarray(other).dtype in (np.float32, np.complex64)
            np.testing.assert_allclose(mine, other, rtol=1e-6 if single else 1e-12, atol=1e-15, err_msg=expression)
            assert np.asarray(mine).shape == np.asarray(other).shape, expression
            assert np.asarray(mine).dtype == np.asarray(other).dtype or np.asarray(other).dtype == np.float32, expression
