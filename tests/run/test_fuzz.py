"""Differential fuzzing against Numba with a fixed seed: the part of `cmd/dev soak` that fits into CI."""
import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "fuzz"))
pytest.importorskip("numba", reason="Numba is the oracle of these tests")
import functions  # noqa: E402
import loops  # noqa: E402
import operators  # noqa: E402
import oracle  # noqa: E402


def check(cases, **options):
    differences, stats = oracle.compare(cases, **options)
    assert stats["compared"] > 0.5 * len(cases), stats
    assert not differences, f"{len(differences)} differences\n" + "\n".join(map(str, differences[:5]))


@pytest.mark.parametrize("part", range(4))
def test_every_operator_on_every_pair_of_types(part):
    check(list(operators.pair_cases())[part::4], tolerate=operators.deliberate, ulp=4)


@pytest.mark.parametrize("part", range(3))
def test_every_operator_with_literals(part):
    check(list(operators.literal_cases())[part::3], tolerate=operators.deliberate, ulp=4)


@pytest.mark.parametrize("part", range(2))
def test_every_math_function_on_every_type(part):
    check(list(operators.function_cases())[part::2], ulp=16, tolerate=operators.deliberate)


@pytest.mark.parametrize("part", range(6))
def test_generated_functions(part):
    check(functions.cases(300, seed=2026)[part::6], ulp=64)


@pytest.mark.parametrize("part", range(2))
def test_generated_loops(part):
    differences, stats = loops.compare(loops.cases(60, seed=2026)[part::2])
    assert stats["compared"] == 30 and stats["raised"] > 50, stats
    assert not differences, f"{len(differences)} differences\n" + "\n".join(map(str, differences[:5]))
