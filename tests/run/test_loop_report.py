"""`pyk2cu explain`: what each loop has become, and what keeps it from more."""
import textwrap

import pytest
from conftest import run_pyk2cu

TEXT = '''
import math
import numpy as np
from numba import njit, prange

@njit("void(float64[::1], float64[::1])", parallel=True)
def halves(x, out):
    for i in prange(len(x)):
        value = x[i]
        while value > 1.0:
            value *= 0.5
        out[i] = math.exp(value)

@njit("void(float64[::1], float64[::1])")
def straight(x, out):
    for i in range(len(x)):
        out[i] = x[i] + 1.0

@njit("void(float64[::1], float64[::1])")
def divides(x, out):
    for i in range(len(x)):
        out[i] = 1.0 / x[i]

@njit("float64(float64[::1])")
def hands_on(x):
    last = 0.0
    for i in range(len(x)):
        last = last * 0.5 + math.sin(x[i])
    return last

@njit("int64(float64[::1], float64)")
def find(x, wanted):
    for i in range(len(x)):
        if x[i] == wanted:
            return i
    return -1

@njit("void(float64[:])")
def smooth(x):
    for i in range(1, len(x)):
        x[i] = x[i - 1] * 0.5 if x[i] > 0.0 else math.exp(x[i])

@njit("void(float64[::1], float64[:, ::1])")
def own_arrays(x, out):
    for i in range(len(x)):
        row = np.zeros(int(x[i]) + 4)
        row[int(x[i]) % 4] = 1.0
        out[i, 0] = row[1] if x[i] > 0.0 else row[2]

@njit("float64(float64[::1])")
def several(x):
    total = 0.0
    for i in range(len(x)):
        k = 0.0
        while k < x[i]:
            total += math.exp(x[i] * k)
            k += 1.0
    return total

@njit("void(float64[:, ::1], float64[:, ::1], float64[:, ::1])")
def products(a, b, c):
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            c[i, j] = 0.0
        for k in range(b.shape[0]):
            for j in range(c.shape[1]):
                c[i, j] += a[i, k] * b[k, j]

@njit("int64(int64)")
def no_loop(n):
    return n + 1
'''


@pytest.fixture
def explain(tmp_path):
    (tmp_path / "kernels.py").write_text(TEXT)

    def run(function, *options):
        done = run_pyk2cu("explain", f"kernels.py:{function}", *options, cwd=tmp_path)
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout

    return run


def test_the_report_of_a_function(explain):
    assert explain("halves") == textwrap.dedent("""\
        kernels.py:7  halves(float64[::1], float64[::1])
             8  for i in prange(len(x)):                16 iterations side by side, on all cores
                where there are 8 iterations or more; exp in vectors
            10      while value > 1.0:                  in these lanes
        """)


def test_the_report_of_a_nest(explain):
    assert explain("products") == textwrap.dedent("""\
        kernels.py:61  products(float64[:,::1], float64[:,::1], float64[:,::1])
            62  for i in range(c.shape[0]):             4 iterations at a time
                they share what lanes load
            63      for j in range(c.shape[1]):         left to the C++ compiler
                straight code, which C++ compilers vectorise where elements lie side by side
            65      for k in range(b.shape[0]):         in these lanes
            66          for j in range(c.shape[1]):     32 iterations side by side
                where no array that it writes shares memory with another; rows of `b` side by side where 32 iterations or more load them
        """)


@pytest.mark.parametrize("function, said", [
    ("straight", ["vectors\n", "straight code, which C++ compilers vectorise"]),
    ("divides", ["vectors\n", "what may raise is checked for 256 iterations ahead"]),
    ("hands_on", ["one by one\n", "`last` is handed from one iteration to the next: line 28, `last = last * 0.5 + math.sin(x[i])`"]),
    ("find", ["one by one, 32 at once where none does anything\n", "it may be left early", "line 35, `return i`"]),
    ("smooth", ["one by one\n", "an iteration may touch elements of `x` that another one writes", "help: where it does not, say so: `prange`"]),
    ("own_arrays", ["one by one\n", "every iteration makes an array of its own, whose size is not known in front of the loop: line 46, `row = np.zeros(int(x[i]) + 4)`", "help: keep its items"]),
    ("several", ["`total` adds up numbers whose order counts, several in an iteration", "`fastmath=True` allow another order"])])
def test_what_stands_in_the_way(explain, function, said):
    text = explain(function)
    assert [one for one in said if one not in text] == []


def test_the_emitted_code_is_what_it_says(tmp_path, explain):
    """The report comes from the passes themselves; the text shows the same."""
    assert run_pyk2cu("kernels.py", "-o", "out", cwd=tmp_path).returncode == 0
    emitted = (tmp_path / "out/kernels.lanes.h").read_text()
    for function in ("halves", "straight", "divides", "hands_on", "smooth", "own_arrays", "several"):
        body = emitted.split(f"\n// kernels.py:{TEXT[:TEXT.index(f'def {function}')].count(chr(10)) + 1}  def {function}(")[1].split("\n}\n")[0]
        assert ("pyk::any(" in body or "pyk::lane<" in body) == ("iterations side by side" in explain(function)), function


def test_all_functions_of_a_file_one_of_several_and_none(tmp_path, explain):
    done = run_pyk2cu("explain", "kernels.py", cwd=tmp_path)
    assert done.returncode == 0 and done.stdout.count("kernels.py:") == 9 and "no_loop" not in done.stdout
    for function in ("no_loop", "absent"):
        done = run_pyk2cu("explain", f"kernels.py:{function}", cwd=tmp_path)
        assert (done.returncode, done.stdout) == (1, "")
        assert f"no function `{function}` with a loop is compiled" in done.stderr
    (tmp_path / "plain.py").write_text('from numba import njit\n@njit("int64(int64)")\ndef f(n):\n    return n\n')
    done = run_pyk2cu("explain", "plain.py", cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "no loop in a function that is compiled\n", "")


def test_signatures_that_become_the_same_are_told_once(tmp_path):
    (tmp_path / "k.py").write_text(TEXT.replace('@njit("float64(float64[::1])")\ndef hands_on',
                                                '@njit(["float64(float64[:])", "float64(float32[::1])"])\ndef hands_on'))
    done = run_pyk2cu("explain", "k.py:hands_on", cwd=tmp_path)
    assert done.stdout.count("is handed from") == 1 and done.stdout.count("hands_on(float") == 3


def test_errors_are_shown_and_files_that_are_not_there(tmp_path):
    (tmp_path / "bad.py").write_text('from numba import njit\n@njit("int64(int64)")\ndef f(n):\n    return undefined\n')
    done = run_pyk2cu("explain", "bad.py", cwd=tmp_path)
    assert done.returncode == 1 and "bad.py:4" in done.stderr and done.stdout == ""
    done = run_pyk2cu("explain", "absent.py:f", cwd=tmp_path)
    assert done.returncode == 1 and "absent.py" in done.stderr
    assert run_pyk2cu("explain", cwd=tmp_path).returncode == 2


def test_colour_only_where_it_is_wanted(explain):
    assert "\033[" not in explain("halves")
    assert "\033[1m16 iterations" in explain("halves", "--color=always")


def test_loops_that_compilers_write_out_are_no_reason_for_lanes(tmp_path):
    """A blur of bytes in 64-bit lanes took seven times as long."""
    (tmp_path / "blur.py").write_text(textwrap.dedent("""\
        from numba import njit
        @njit("void(uint8[:, ::1], uint8[:, ::1])")
        def blur(image, out):
            for i in range(1, image.shape[0] - 1):
                for j in range(1, image.shape[1] - 1):
                    total = 0
                    for di in range(-1, 2):
                        for dj in range(-1, 2):
                            total += image[i + di, j + dj]
                    out[i, j] = total // 9
        """))
    said = run_pyk2cu("explain", "blur.py:blur", cwd=tmp_path).stdout
    assert "side by side" not in said.replace("where elements lie side by side", "")
    assert said.count("3 turns written out") == 2 and said.count("straight code, which C++ compilers vectorise") == 1


SEARCHES = '''
from numba import njit, prange
import math

@njit
def is_prime(n):
    if n < 2:
        return False
    for d in range(2, int(math.sqrt(n)) + 1):
        if n % d == 0:
            return False
    return True

@njit("void(boolean[::1])")
def primes(out):
    for i in range(len(out)):
        out[i] = is_prime(i)

@njit("void(int64[::1], int64[::1], int64[::1])")
def places(values, wanted, out):
    for i in range(len(wanted)):
        out[i] = -1
        for j in range(len(values)):
            if values[j] == wanted[i]:
                out[i] = j
                break

@njit("void(int64[::1])")
def steps(out):
    for i in range(len(out)):
        n, count = i + 1, 0
        while n != 1:
            if n % 2 == 0:
                n //= 2
            else:
                n = 3 * n + 1
            count += 1
        out[i] = count

@njit("int64(int64[:,:], int64, int64, int64)")
def runs(board, player, dx, dy):
    total = 0
    for n in range(board.shape[0]):
        for m in range(board.shape[1]):
            count = 0
            for i in range(1, 5):
                x, y = n + i * dx, m + i * dy
                if 0 <= x < board.shape[0] and 0 <= y < board.shape[1]:
                    if board[x, y] == player:
                        count += 1
                    else:
                        break
                else:
                    break
            if count >= 2:
                total += 1
    return total
'''


def test_searches_are_left_alone(tmp_path):
    """Most iterations find what they look for at once, some never: sixteen side by side took three times as long,
    with vectors of any length."""
    (tmp_path / "searches.py").write_text(SEARCHES)
    for name in ("primes", "places", "steps", "runs"):
        for march in ((), ("--march=x86-64-v3",), ("--march=x86-64-v4",)):
            said = run_pyk2cu("explain", f"searches.py:{name}", *march, cwd=tmp_path).stdout
            assert "lanes would not be faster" in said and "iterations side by side" not in said, (name, march)
