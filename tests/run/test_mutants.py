"""Mistakes that people make: mutants of the samples are refused well or compiled right (a seeded part of the soak)."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "fuzz"))
import mutants  # noqa: E402


def test_mutants_are_refused_with_a_code_or_equal_numba():
    complaints = mutants.hunt(count=180, values=8, seed=11)
    assert not complaints, "\n".join(complaints)
