"""Differential fuzzing against Numba with a fixed seed: the part of `cmd/dev soak` that fits into CI."""
import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "fuzz"))
pytest.importorskip("numba", reason="Numba is the oracle of these tests")
import conversions  # noqa: E402
import effects  # noqa: E402
import functions  # noqa: E402
import harness  # noqa: E402
import loops  # noqa: E402
import operators  # noqa: E402
import oracle  # noqa: E402
import shrink  # noqa: E402


def check(cases, **options):
    differences, stats = oracle.compare(cases, **options)
    assert stats["compared"] > 0.5 * len(cases), stats
    assert not differences, f"{len(differences)} differences\n" + "\n".join(map(str, differences[:5]))


@pytest.mark.parametrize("part", range(2))
def test_every_operator_on_every_pair_of_types(part):
    """In one order of the two; `python tests/fuzz/operators.py` takes both."""
    check(list(operators.pair_cases(operators.unordered))[part::2], tolerate=operators.deliberate, ulp=4)


@pytest.mark.parametrize("part", range(2))
def test_every_operator_with_literals(part):
    check(list(operators.literal_cases(every=2))[part::2], tolerate=operators.deliberate, ulp=4)


def test_every_math_function_on_every_type():
    check(list(operators.function_cases(operators.unordered)), ulp=16, tolerate=operators.deliberate)


def check_generated(cases, accepted, **options):
    """The first failures are shown as small programs, all others by their kind."""
    differences, stats = harness.compare(cases, **options)
    told = [str(shrink.smaller(d, seconds=15, **options)) for d in differences[:2]] if differences else []
    told += [f"{d.case.name}: {d.bucket()}" for d in differences[2:]]
    assert not differences, f"{len(differences)} differences\n" + "\n".join(told)
    assert stats["compared"] >= accepted * len(cases), stats
    return stats


@pytest.mark.parametrize("part", range(2))
def test_generated_functions(part):
    check_generated(functions.cases(160, seed=2026)[part::2], 0.6, ulp=64)


@pytest.mark.parametrize("part", range(2))
def test_generated_functions_with_effects(part):
    stats = check_generated(effects.cases(24, seed=2026, first=24 * part), 0.6, ulp=8)
    assert stats["raised"] > 12, stats


def test_generated_conversions():
    check_generated(conversions.cases(80, seed=2026), 0.9)


@pytest.mark.parametrize("part", range(2))
def test_generated_loops(part):
    stats = check_generated(loops.cases(60, seed=2026)[part::2], 0.9, same="loops:same")
    assert stats["raised"] > 50, stats
