"""numba.get_num_threads, set_num_threads, get_thread_id and config.NUMBA_NUM_THREADS in compiled functions."""
import json
import os
import subprocess
import sys

import pytest
from conftest import Batch

batch = Batch("threads")
batch.add("""
from numba import config
from numba.np.ufunc.parallel import _get_thread_id

@njit("float64(float64[:])", parallel=True)
def sum_by_threads(a):
    parts = np.zeros(numba.get_num_threads())
    for i in prange(a.size):
        parts[numba.get_thread_id()] += a[i]
    return parts.sum()

@njit("int64[:](int64)", parallel=True)
def who_takes(n):
    taken = np.full(numba.config.NUMBA_NUM_THREADS, -1)
    for t in prange(n):
        taken[_get_thread_id()] = _get_thread_id()
    return taken

@njit("int64()")
def asked():
    return config.NUMBA_NUM_THREADS

@njit("Tuple((int64, int64, int64))(int64)", parallel=True)
def fewer(n):
    before = numba.get_num_threads()
    numba.set_num_threads(n)
    most = 0
    for t in prange(1000):
        most = max(most, numba.get_thread_id() + 1)
    return before, numba.get_num_threads(), most
""")
SCRIPT = """
import json, sys
import numpy as np
sys.path.insert(0, ".")
import threads as t
x = np.arange(1000.0)
said = [bool(t.sum_by_threads(x) == x.sum()), t.who_takes(10**7).tolist(), t.asked(), t.fewer(1), t.asked(), t.fewer(2)]
for n in (0, -1, 10**9):
    try:
        t.fewer(n)
    except ValueError as error:
        said.append(str(error))
print(json.dumps(said))
"""


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_threads(threads):
    env = {k: v for k, v in os.environ.items() if not k.startswith(("OMP_", "NUMBA_", "GOMP_"))}
    done = subprocess.run([sys.executable, "-c", SCRIPT], cwd=batch.directory, capture_output=True, text=True,
                          env={**env, "NUMBA_NUM_THREADS": str(threads)})
    assert done.returncode == 0, done.stderr
    right, taken, asked, fewer, now, more, *errors = json.loads(done.stdout)
    assert right and taken == list(range(threads)) and asked == threads
    assert fewer == [threads, 1, 1] and now == 1, "what set_num_threads says holds for the calls behind it"
    if threads > 1 or os.cpu_count() > 1:
        assert more[0] == 1 and more[1] == 2 and more[2] in (1, 2)
    assert errors == ["The number of threads must be between 1 and NUMBA_NUM_THREADS"] * 3
