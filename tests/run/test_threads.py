"""numba.get_num_threads, set_num_threads, get_thread_id and config.NUMBA_NUM_THREADS in compiled functions, beside Numba."""
import json
import os
import subprocess
import sys

import pytest
from conftest import Batch

FUNCTIONS = """
import numpy as np, numba
from numba import njit, prange
from numba import config
from numba.np.ufunc.parallel import _get_thread_id

@njit("float64(float64[:])", parallel=True)
def sum_by_threads(a):
    parts = np.zeros(numba.get_num_threads())
    for i in prange(a.size):
        parts[numba.get_thread_id()] += a[i]
    return parts.sum()

@njit("float64(float64[:])", parallel=True)
def greatest_by_threads(a):
    parts = np.zeros((config.NUMBA_NUM_THREADS, 2))
    for i in prange(a.size):
        t = numba.get_thread_id()
        own = parts[t]
        own[1] = own[1] + 1
        parts[t, 0] = max(parts[t, 0], a[i])
    return parts[:, 0].max() + parts[:, 1].sum()

@njit("int64[:](int64)", parallel=True)
def who_takes(n):
    taken = np.full(numba.config.NUMBA_NUM_THREADS, -1)
    for t in prange(n):
        taken[_get_thread_id()] = _get_thread_id()
    return taken

@njit("int64()")
def most():
    return config.NUMBA_NUM_THREADS

@njit("int64()")
def now():
    return numba.get_num_threads()

@njit("Tuple((int64, int64, int64))(int64)", parallel=True)
def asks_for(n):
    before = numba.get_num_threads()
    numba.set_num_threads(n)
    most = 0
    for t in prange(1000):
        most = max(most, numba.get_thread_id() + 1)
    return before, numba.get_num_threads(), most

@njit("int64()", parallel=True)
def puts_back():
    old = numba.get_num_threads()
    numba.set_num_threads(1)
    numba.set_num_threads(old)
    return numba.get_num_threads()

@njit("int64()")
def all_again():
    numba.set_num_threads(1)
    numba.set_num_threads(config.NUMBA_NUM_THREADS)
    return numba.get_num_threads()

@njit("int64[:](int64, int64)", parallel=True)
def by_thread(n, k):
    counts = np.zeros(config.NUMBA_NUM_THREADS, np.int64)
    numba.set_num_threads(k)
    for i in prange(n):
        counts[numba.get_thread_id()] += 1
    return counts

@njit("void(int64)")
def raises_behind(n):
    numba.set_num_threads(n)
    raise ValueError("behind")

@numba.guvectorize(["(float64[:], float64[:])", "(int64[:], int64[:])"], "(n)->(n)")
def second_alone_asks(x, out):
    for i in range(x.size):
        out[i] = x[i]
        if isinstance(x[i], int):
            out[i] += numba.get_num_threads()
"""
batch = Batch("threads")
batch.add(FUNCTIONS)
other = Batch("threads_too")
other.add(FUNCTIONS)
SCRIPT = """
import importlib, json, sys
import numpy as np
sys.path[:0] = sys.argv[2:]
t = importlib.import_module(sys.argv[1])
x = np.arange(1000.0)
said = [bool(t.sum_by_threads(x) == x.sum()), bool(t.greatest_by_threads(x) == 1999), t.second_alone_asks(np.ones(2, np.int64)).tolist()]

def ask(name, *args):
    try:
        answer = getattr(t, name)(*args)
    except ValueError as error:
        return "ValueError"
    return np.asarray(answer).tolist()

said += [sorted(ask("who_takes", 10**7)) == list(range(t.most())), ask("most"), ask("now")]
said += [ask("asks_for", 1)[:2], ask("now"), ask("most"), ask("puts_back"), ask("all_again"), ask("now"), ask("puts_back")]
said += [ask("asks_for", 2)[:2], ask("now"), ask("raises_behind", 1), ask("now"), sum(ask("by_thread", 10000, t.most())), ask("now")]
said += [ask("asks_for", n) for n in (0, -1, 10**9, t.most() + 1)]
print(json.dumps(said))
"""


def environment(**more):
    own = {k: v for k, v in os.environ.items() if not k.startswith(("OMP_", "NUMBA_", "GOMP_"))}
    return {**own, **{name: str(value) for name, value in more.items()}}


def said_by(*args, script=SCRIPT, **env):
    done = subprocess.run([sys.executable, "-c", script, *map(str, args)], capture_output=True, text=True, timeout=120, env=environment(**env))
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("threads", [None, 1, 2, 5])
def test_threads_are_numbas(threads, tmp_path):
    pytest.importorskip("numba")
    of_older_numbas = FUNCTIONS.replace("from numba.np.ufunc.parallel import _get", "from numba import get_thread_id as _get")
    (tmp_path / "by_numba.py").write_text(of_older_numbas)
    env = {} if threads is None else {"NUMBA_NUM_THREADS": threads}
    mine = said_by("threads", batch.directory, **env)
    assert mine[:2] == [True, True]
    assert mine == said_by("by_numba", tmp_path, **env)


def test_modules_have_one_number():
    script = """
import json, sys
sys.path[:0] = sys.argv[1:]
import threads as a
a.asks_for(1)
import threads_too as b
said = [b.now(), b.most()]
b.asks_for(2)
said += [a.now(), b.now()]
a.asks_for(3)
print(json.dumps(said + [a.now(), b.now()]))
"""
    assert said_by(batch.directory, other.directory, script=script, NUMBA_NUM_THREADS=3) == [1, 3, 2, 2, 3, 3]


def test_openmp_is_left_as_it_was():
    script = """
import ctypes, json, sys
sys.path[:0] = sys.argv[1:]
import threads as a
openmp = ctypes.CDLL("libgomp.so.1")
before = openmp.omp_get_max_threads()
a.asks_for(1)
print(json.dumps([openmp.omp_get_max_threads() - before, a.now()]))
"""
    assert said_by(batch.directory, script=script, NUMBA_NUM_THREADS=3) == [0, 1]


def test_a_forked_child_has_one_thread():
    script = """
import json, os, sys
sys.path[:0] = sys.argv[1:]
import threads as a
a.asks_for(2)
child = os.fork()
if child == 0:
    said = a.asks_for(2)
    os._exit(0 if said[1:] == (1, 1) else 1)
print(json.dumps(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])))
"""
    assert said_by(batch.directory, script=script, NUMBA_NUM_THREADS=2) == 0
