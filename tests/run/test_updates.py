"""Updates and assignments: `x += e`, `a[i] = np.int8(a[i]) + y`, … for every dtype and operator against Numba; helpers
that write arrays, called in the value, the subscript and the bounds, against CPython.
"""
import inspect
import pathlib
import re
import sys

import numpy as np
import pytest

from conftest import PROLOGUE, build, load_module, plain_python, run_pyk2cu

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "fuzz"))
pytest.importorskip("numba", reason="Numba is the oracle of these tests")
import updates  # noqa: E402

EFFECTS = pathlib.Path(__file__).parent / "kernels/effects.py"
PLAIN = plain_python.load(EFFECTS)
NAMES = [name for name, f in vars(PLAIN).items() if inspect.isfunction(f) and list(inspect.signature(f).parameters) == ["a", "b"]]


@pytest.mark.parametrize("part", range(2))
def test_every_dtype_operator_and_form(part):
    """A seeded sample; `python tests/fuzz/updates.py` takes every row."""
    cases = updates.cases(sample=1400, seed=2026)[part::2]
    differences, stats = updates.compare(cases)
    assert stats["functions"] == len(cases), stats
    assert not differences, f"{len(differences)} differences\n" + "\n".join(differences[:20])


@pytest.fixture(scope="module")
def effects():
    return load_module(next(build(EFFECTS.read_text(), "effects").glob("effects.*.so")))


@pytest.mark.parametrize("name", NAMES)
def test_effects_happen_in_the_order_of_the_source(effects, name):
    def run(function):
        a = np.arange(1, 9)
        b = 10 * a
        return function(a, b), a.tolist(), b.tolist()

    assert run(getattr(effects, name)) == run(getattr(PLAIN, name))


RACES = {"a[0] = b[i]": "PK7010", "a[b[i]] = i": "PK7010", "b[0] = bump(b, i)": "PK7010", "a[bump(b, i)] = i": "PK7010",
         "a[bump(b, 1)] = i": "PK5111", "a[b[i]] = a[b[i]] // 2 + a[b[i]]": "PK7011", "a[b[i]] //= 2": "PK7011", "a[0] //= 2": "PK5111", "bump(b, a[i])": "PK7010",
         "a[b[i]] += 1 - a[b[i]]": "PK7011", "a[b[i]] += a[b[i - 1]]": "PK7011", "old = a[b[i]]; a[b[i]] = old * 2": "PK7011",
         "k = 3; a[k] = a[k] // 2 + i": "PK5111", "t = a[0]; a[0] = t // 2 + i": "PK5111", "r = a[b[i]:]; r[0] = r[0] // 2 + i": "PK7011",
         "a[i] = a[i - 1] + 1": "PK7011", "a[i + 2] = a[i] * 2": "PK7011", "s = a[i] - s": "PK5110", "s += b[i]; a[i] = s": "PK5110", "s = s * 2 + bump(b, i)": "PK5110"}


@pytest.mark.parametrize("body", RACES)
def test_a_race_is_named(body, tmp_path):
    """Iterations of a prange that meet in one element or one local: an error, or a warning where they may not meet."""
    helpers = EFFECTS.read_text().split('@njit("float64')[0].partition("from numba")[2].partition("\n")[2]
    (tmp_path / "race.py").write_text(f"""{PROLOGUE}{helpers}
@njit("int64(int64[:], int64[:])", parallel=True)
def race(a, b):
    s = 0
    for i in prange(len(b)):
        {body}
    return s
""")
    done = run_pyk2cu("race.py", "-o", "out", cwd=tmp_path)
    codes = re.findall(r"(?:error|warning)\[(PK\d+)", done.stderr)
    assert RACES[body] in codes and len(codes) == 1 + (body == "a[bump(b, 1)] = i") and done.returncode == (RACES[body] < "PK7"), done.stderr


NO_RACES = ["a[i] = a[i] // 2", "a[2 * i] = a[2 * i + 1]", "a[b[i]] += 1", "a[i] += a[i]", "if i % 2 == 0: a[i] = a[i - 1] + 1", "a[i] = b[i - 1]",
            "b[get_thread_id()] = max(b[get_thread_id()], a[i])", "t = get_thread_id(); b[t] = b[t] // 2 + a[i]",
            "r = b[get_thread_id():]; s += r[0]"]


@pytest.mark.parametrize("body", NO_RACES)
def test_what_is_no_race_is_not_named(body, tmp_path):
    (tmp_path / "fine.py").write_text(f"""{PROLOGUE}
from numba import get_thread_id
@njit("int64(int64[:], int64[:])", parallel=True)
def fine(a, b):
    s = 0
    for i in prange(len(b)):
        {body}
    return s
""")
    done = run_pyk2cu("fine.py", "-o", "out", cwd=tmp_path)
    assert done.returncode == 0 and "PK" not in done.stderr, done.stderr


@pytest.mark.parametrize("other", ["b[0] += a[i]", "r = b[1:]; r[0] += a[i]", "r = b[1:]; r[get_thread_id()] += a[i]", "q[get_thread_id()] += a[i]"])
def test_what_others_come_to_is_not_a_threads_own(other, tmp_path):
    """b[get_thread_id()] is the thread's own only where no place of b is anybody else's: else both are atomic."""
    (tmp_path / "mixed.py").write_text(f"""{PROLOGUE}
from numba import get_thread_id
@njit("void(int64[:], int64[:])", parallel=True)
def mixed(a, b):
    q = b[::-1]
    for i in prange(len(a)):
        b[get_thread_id()] += a[i]
        {other}
""")
    done = run_pyk2cu("mixed.py", "-o", "out", cwd=tmp_path)
    emitted = "".join(f.read_text() for f in (tmp_path / "out").glob("mixed*.lanes.h"))
    assert done.returncode == 0 and emitted.count("omp atomic") == emitted.count(" += ") >= 2, emitted


MADE_IN = {"[[0] for _ in range(n)]": "", "[{0: 1} for _ in range(n)]": "", "[set([1]) for _ in range(n)]": "", "[[0]] * n": "PK5111",
           "[{0: 1}] * n": "PK5111", "[d for _ in range(n)]": "PK5111"}


@pytest.mark.parametrize("made", MADE_IN)
def test_containers_in_a_list_may_be_one(made, tmp_path):
    """Two threads may not make one of them longer: an error where the items are not surely each another one."""
    turns = "n"
    grows = "g[i][i] = 1" if ":" in made or made[1] == "d" else "g[i].add(i)" if "set" in made else "g[i].append(i)"
    (tmp_path / "one.py").write_text(f"""{PROLOGUE}
@njit("int64(int64)", parallel=True)
def f(n):
    d = {{0: 0}}
    g = {made}
    for i in prange({turns}):
        {grows}
    return len(g) + len(g[0]) + len(d)
""")
    done = run_pyk2cu("one.py", "-o", "out", cwd=tmp_path)
    assert re.findall(r"(?:error|warning)\[(PK\d+)", done.stderr) == [MADE_IN[made]] * bool(MADE_IN[made]), done.stderr


@pytest.mark.parametrize("turns, body, fine", [
    ("n", "y = g[i]; y.append(i)", True), ("n", "g[i] += [i]; g[i].append(len(g))", True), ("1, n", "g[i].append(i)", True), ("n", "g[n - 1 - i].append(i)", False),
    ("-n, n", "g[i].append(i)", False), ("n", "g[i].append(i); g[n - 1 - i].append(i)", False), ("n", "g[i].append(g[0][0])", False),
    ("n", "g[i].extend(g[0])", False), ("n", "g[i].append(len(x))", False), ("n", "y = h[i]; y.append(i)", False), ("n", "h[i] += [1]", False)])
def test_an_iteration_comes_to_its_own_container_alone(turns, body, fine, tmp_path):
    (tmp_path / "own.py").write_text(f"""{PROLOGUE}
@njit("int64(int64)", parallel=True)
def f(n):
    x = [1]
    g = [[0] for _ in range(n)]
    {"h = [x for _ in range(n)]" if "h" in body else "pass"}
    for i in prange({turns}):
        {body}
    return len(g) + len(x)
""")
    done = run_pyk2cu("own.py", "-o", "out", cwd=tmp_path)
    assert ("error[PK5111]" not in done.stderr) == fine == (done.returncode == 0), done.stderr


def test_complex_elements_are_added_to_one_at_a_time():
    module = load_module(next(build(f"""{PROLOGUE}
@njit("void(complex128[:], complex64[:], int64[:])", parallel=True)
def add(a, b, at):
    for i in prange(len(at)):
        a[at[i]] += 1 + 2j
        a[at[i]] -= 2
        b[at[i]] += np.complex64(1j)
""", "complex_updates").glob("complex_updates.*.so")))
    a, b, at = np.zeros(3, complex), np.zeros(3, np.complex64), np.arange(400000) % 3
    module.add(a, b, at)
    counts = np.bincount(at)
    assert np.array_equal(a, counts * (-1 + 2j)) and np.array_equal(b, counts * 1j)
