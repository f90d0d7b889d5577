"""Defaults of inner functions are evaluated where the function is defined, as in CPython."""
import re
import types

import numpy as np
import pytest

from conftest import Batch

batch = Batch("closure_defaults")
batch.add('''
K = 1000


@njit("int64(int64)")
def of_a_loop_variable(n):
    s = 0
    for i in range(n):
        def g(x, k=i):
            return x * k
        s += g(10) + g(1, 2) + g(1, k=3)
    return s


@njit("int64(int64)")
def keyword_only(n):
    k = n * 2
    def g(x, k=k, *, m=n + 1):
        return x * k + m
    k = 100
    return g(10) + g(1, 2) + g(1, m=3)


@njit("float64(float64[:])")
def of_a_lambda(a):
    s = 0.0
    for x in a:
        f = lambda y, x=x: y + x
        h = f
        x = 100.0
        s += h(1.0)
    return s


@njit("int64(int64)")
def hides_a_module_constant(n):
    K = n + 1
    def g(x, K=K):
        return x * K
    K = 7
    return g(3)


@njit("int64(int64)")
def nested(n):
    def outer(y, a=n):
        def inner(z, b=y + a):
            return z + b
        return inner(1) + inner(1, 5)
    return outer(2) + outer(2, 3)


@njit
def call(f, x):
    return f(x)


@njit("int64(int64)")
def passed_on(n):
    f = lambda x, k=n: x * k
    return call(f, 5)


@njit
def add_twice(g, x):
    y = x * 2
    k = lambda t: g(t) + y
    return k(1)


@njit("int64(int64)")
def captures_of_the_caller(n):
    y = n
    return add_twice(lambda t: t + y, n)


@njit("int64(int64)")
def repeats_a_tuple(n):
    return len((n, 1) * 1500)


@njit("int64(int64)")
def of_a_tuple(n):
    f = lambda x, k=(n, 2.5, None, "a"): x * k[0]
    n = 0
    return f(3) + n


@njit("int64(int64[:])")
def with_an_effect(a):
    def bump():
        a[0] += 1
        return a[0]
    def g(x, k=bump()):
        return x + k
    return g(10) + g(10) * 100
''')
NUMBERS = [0, 1, 5, -3]


plain = types.ModuleType("plain")  # the same functions as CPython runs them
exec(re.sub("(?m)^@njit.*$", "", batch.source), vars(plain))




@pytest.mark.parametrize("n", NUMBERS)
@pytest.mark.parametrize("name", ["of_a_loop_variable", "keyword_only", "hides_a_module_constant", "nested",
                                  "passed_on", "of_a_tuple", "captures_of_the_caller",
                                  "repeats_a_tuple"])
def test_defaults_are_those_of_the_definition(name, n):
    assert getattr(batch, name)(n) == getattr(plain, name)(n)


def test_defaults_of_lambdas():
    for a in (np.arange(4.0), np.zeros(0)):
        assert batch.of_a_lambda(a) == plain.of_a_lambda(a)


def test_a_default_is_evaluated_once():
    a, b = np.zeros(1, np.int64), np.zeros(1, np.int64)
    assert batch.with_an_effect(a) == plain.with_an_effect(b)
    assert a[0] == b[0] == 1
