"""Integer arithmetic whose operands C++ would compute in another width than the source means, against Numba."""
import pathlib
import sys

import numpy as np
import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "fuzz"))
pytest.importorskip("numba", reason="Numba is the oracle of these tests")
import oracle  # noqa: E402

EXPRESSIONS = ["u - (7 << 1)", "1 << i", "u + ~5", "u - (-3)", "(u + 1) << 2", "u ^ (1 << 3)", "-u + 1", "~b - u",
               "-b * 2", "b - u", "u - 5000000000", "b - (3 << 2)", "(9 >> 1) - u", "u * -(4)", "b + (1 << 7) - u"]


def test_small_and_unsigned_integers_keep_their_width():
    cases = [oracle.Case(f"w{n}", "(int64, uint32, uint8)", f"def w{n}(i, u, b):\n    return {text}",
                         [(40, 2, 3), (3, 4294967295, 255), (0, 0, 0)]) for n, text in enumerate(EXPRESSIONS)]
    differences, stats = oracle.compare(cases)
    assert stats["compared"] == len(cases)
    assert not differences, "\n".join(map(str, differences))


def test_unsigned_integers_beside_literals_compare_as_float64():
    """As integers where that is the same: with what is below 2**53."""
    literals = ["0", "-1", "5", "9007199254740991", "9007199254740992", "9007199254740993", "9223372036854775807"]
    texts = [f"u {op} {literal}" for op in ("==", "!=", "<", "<=", ">", ">=") for literal in literals] + ["5 > u", "0 != u"]
    values = [0, 4, 5, 6, 2**53 - 1, 2**53, 2**53 + 1, 2**53 + 2, 2**63 - 1, 2**63, 2**64 - 1]
    cases = [oracle.Case(f"c{n}", "(uint64,)", f"def c{n}(u):\n    return {text}", [(value,) for value in values])
             for n, text in enumerate(texts)]
    differences, stats = oracle.compare(cases)
    assert stats["compared"] == len(cases)
    assert not differences, "\n".join(map(str, differences))


def test_narrow_subscripts_in_prange_meet_again(tmp_path):
    """uint8(i) takes every value many times: the update is atomic."""
    case = oracle.Case("fold", "(int64[:], int64[:])", """
        def fold(x, sums):
            for i in prange(len(x)):
                sums[np.uint8(i)] += x[i]
     """, [], ", parallel=True")
    module, _, _ = oracle.build([case], tmp_path)
    x = np.arange(400_000)
    expected = np.bincount(x % 256, x, 256).astype(np.int64)
    for _ in range(50):
        sums = np.zeros(256, np.int64)
        module.fold(x, sums)
        assert np.array_equal(sums, expected)
