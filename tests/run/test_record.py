"""`pyk2cu record`: what a program does under Numba becomes types in a sidecar, and nothing about the program changes."""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys

import pytest
from conftest import BUILD_PYTHON, PYK2CU, load_module, run_pyk2cu

HERE = pathlib.Path(__file__).parent / "record"
sys.path.insert(0, str(HERE))
import calls  # noqa: E402


def record(folder, *command, options=(), **env):
    return run_pyk2cu("record", *options, "--", *command, cwd=folder, env=env)


def log_of(*entries):
    """A program that notes what the recorder would: cheaper than Numba."""
    text = "".join(json.dumps(entry) + "\n" for entry in ({"python": 1}, {"numba": "0", "disabled": False}, *entries))
    return ["sh", "-c", 'printf %s "$0" >> "$PYK2CU_RECORD_LOG"', text]


def call(path, line, name, *types, key="1.1"):
    return {"key": key, "file": str(path.resolve()), "line": line, "name": name, "types": types}


# ---- a whole program ------------------------------------------------------------------------------
SIDECAR = """\
# Types that `pyk2cu record` saw. Lines may be added, changed, or made comments.

pk/kern.py:
  :160(float32)
  :160(int64)
  Circle.girth(float64)
  Shape.area(int64, float64)
  _halve(int64)
  # apply(Dispatcher(square), float64): `Dispatcher(square)` cannot be an argument yet
  # apply(Dispatcher(square), int64): `Dispatcher(square)` cannot be an argument yet
  clip(float64)
  clip(float64, float64, float64)
  column(float64[:,::1])
  counted(float64[::1], literal('float32'))
  counted(float64[::1], literal('int32'))
  factory.power(float64, int64)
  first(Tuple((int64, float64)))
  flag(float64)
  # flag(float64, unicode_type): `unicode_type` cannot be an argument yet
  gsum(float64[:], float64[:])
  inner_closure(int64)
  make_other.cube(int64)
  norm(NamedTuple((float64, float64), Point))
  or_zero(float64)
  or_zero(none)
  readonly_sum(Array(int64, 1, 'C', readonly=True))
  scale(float64[:,::1], int64)
  scale(float64[::1,:], float64)
  spread(UniTuple(int64, 2))
  spread_of(int64)
  square(float64)
  square(int64)
  total(float64[::1])
  total(int64[:])
  triple(int64)
  twice(int64)
  vec(float64, int64)
"""
COMPILED = {"area", "girth", "halve", "clip", "column", "counted", "power", "first", "inner_closure", "cube", "norm", "or_zero",
            "readonly_sum", "scale", "spread_of", "square", "total", "triple", "twice", "same", "eager"}


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    """The folder of a program that was recorded, and what its run was."""
    folder = tmp_path_factory.mktemp("program")
    (folder / "pk").mkdir()
    shutil.copy(HERE / "kern.py", folder / "pk")
    for name in ("app.py", "calls.py"):
        shutil.copy(HERE / name, folder)
    return folder, record(folder, sys.executable, "app.py")


def test_all_types_of_a_program_are_recorded(program):
    folder, done = program
    assert done.returncode == 7, done.stderr
    assert (folder / "kernels.sig").read_text() == SIDECAR
    assert "kernels.sig: 34 signatures of 25 functions, 34 new; 3 as comments" in done.stderr


def test_what_was_recorded_compiles_and_equals_numba(program):
    folder, done = program
    expected = json.loads(done.stdout)
    built = run_pyk2cu("pk/kern.py", "-o", "out", "--build", "--keep-going", "--python", BUILD_PYTHON, cwd=folder)
    kern = load_module(folder / "out/kern.abi3.so", "kern")
    assert COMPILED <= set(dir(kern)), built.stderr
    compared = set()
    for (name, arguments), wanted in zip(calls.CALLS, expected, strict=True):
        function = getattr(kern, name.split(".")[-1], None)
        if function is None:
            continue
        try:
            got = json.loads(json.dumps(calls.result(function, arguments(kern))))
        except TypeError as e:  # a string that Numba has as a value of unicode_type: a comment in the sidecar
            assert name == "flag" and "compiled for 'sum' only" in str(e)
            continue
        assert got == wanted, name
        compared.add(name.split(".")[-1])
    assert len(compared & COMPILED) == len(COMPILED) - 1  # `square` is called by others


def test_the_simulator_of_cuda_kernels_is_recorded(tmp_path):
    (tmp_path / "k.py").write_text("""\
import numpy as np
from numba import cuda


@cuda.jit
def add(a, s):
    i = cuda.grid(1)
    if i < a.size:
        a[i] += s


a = np.zeros(4, np.float32)
add[1, 4](a, 2)
print(a)
""")
    done = record(tmp_path, sys.executable, "k.py", options=("-o", "k.sig"), NUMBA_ENABLE_CUDASIM="1")
    assert (done.returncode, done.stdout) == (0, "[2. 2. 2. 2.]\n"), done.stderr
    assert (tmp_path / "k.sig").read_text().endswith("\nadd(float32[::1], int64)\n")
    assert run_pyk2cu("k.py", "-o", "out", cwd=tmp_path).returncode == 0


# ---- the sidecar ------------------------------------------------------------------------------------
@pytest.fixture
def project(tmp_path):
    (tmp_path / "a.py").write_text("from numba import njit\n\n\n@njit\ndef f(x):\n    return x\n\n\n@njit\ndef g(x):\n"
                                   "    return x\n")
    (tmp_path / "b.py").write_text("from numba import njit\n\n\n@njit\ndef f(x):\n    return x\n")
    return tmp_path


def test_a_second_run_adds_and_keeps_what_is_there(project):
    a, b = project / "a.py", project / "b.py"
    (project / "kernels.sig").write_text("""\
# mine
a.py:
  # the fast one
  f = float64( float64 )
  # f(complex64)
  # g is next
  g(float32)  # as before

# of b
b.py: f(int32)
""")
    entries = [call(a, 4, "f", "float64"), call(a, 4, "f", "complex64"), call(a, 4, "f", "int64"),
               call(a, 9, "g", "float64"), call(b, 4, "f", "int32"), call(b, 4, "f", "int8", key="1.2"),
               {"eager": "1.2"}]
    done = record(project, *log_of(*entries))
    assert (done.returncode, "2 new" in done.stderr) == (0, True), done.stderr
    text = (project / "kernels.sig").read_text()
    assert text == """\
# mine
a.py:
  # the fast one
  f = float64( float64 )
  # f(complex64)
  f(int64)
  # g is next
  g(float32)  # as before
  g(float64)

# of b
b.py: f(int32)
"""
    assert "0 new" in record(project, *log_of(*entries)).stderr
    assert (project / "kernels.sig").read_text() == text
    record(project, *log_of(call(b, 4, "f", "int16")))
    assert (project / "kernels.sig").read_text() == text + "\nb.py:\n  f(int16)\n"
    assert run_pyk2cu("a.py", "b.py", "-o", "out", cwd=project).returncode == 0
    assert "int16" in (project / "out/b.json").read_text() and "int16" not in (project / "out/a.json").read_text()


def test_the_sidecar_of_a_file_needs_no_path(project):
    (project / "a.sig").write_text("# types\ng(int64)\n")
    record(project, *log_of(call(project / "a.py", 4, "f", "int64"), call(project / "b.py", 4, "f", "int64")),
           options=("-o", "a.sig", "-q"))
    assert (project / "a.sig").read_text() == "# types\nf(int64)\ng(int64)\n\nb.py:\n  f(int64)\n"


def test_what_cannot_be_written_as_a_type_is_a_comment(project):
    entries = [call(project / "a.py", 4, "f", text) for text in ("reflected list(int64)<iv=None>", "float16", "Nope")]
    record(project, *log_of(*entries, call(project / "a.py", 40, "made", "int64")))
    lines = (project / "kernels.sig").read_text().splitlines()
    assert lines[-4:] == [
        "  # f(Nope): `Nope` cannot be an argument yet", "  # f(float16): `float16` cannot be an argument yet",
        "  # f(reflected list(int64)<iv=None>): `reflected list(int64)<iv=None>` cannot be an argument yet",
        "  # made(int64): line 40 has no such function"]
    again = record(project, *log_of(*entries))
    assert "0 new" in again.stderr


def test_every_path_can_be_said(tmp_path):
    for name in ("k#1.py", "it's (a copy)/[x=1] k.py", "été/k y.py"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("from numba import njit\n\n\n@njit\ndef f(x):\n    return x\n")
        record(tmp_path, *log_of(call(path, 4, "f", "float32")))
        assert f"\n{name}:\n  f(float32)\n" in (tmp_path / "kernels.sig").read_text()
    for path in [*tmp_path.rglob("*.py")]:
        done = run_pyk2cu(path, "-o", "out", "--module", "k", cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        assert "float32" in (tmp_path / "out/k.json").read_text()


def test_two_functions_on_one_line_are_not_mixed_up(tmp_path):
    path = tmp_path / "k.py"
    path.write_text("from numba import njit\n\nf, g = njit(lambda x: x), njit(lambda x: -x)\nh = njit(lambda x: x)\n")
    record(tmp_path, *log_of(call(path, 3, "<lambda>", "int64"), call(path, 4, "<lambda>", "int64")))
    lines = (tmp_path / "kernels.sig").read_text().splitlines()
    assert lines[-2:] == ["  # <lambda>(int64): line 3 has more than one such function", "  h(int64)"]


def test_the_form_of_the_sidecar_stays(project):
    sidecar = project / "kernels.sig"
    sidecar.write_bytes(b"# mine\r\na.py:\r\n  f(float32)\r\n")
    sidecar.chmod(0o600)
    record(project, *log_of(call(project / "a.py", 4, "f", "int64"), call(project / "b.py", 4, "f", "int64")))
    assert sidecar.read_bytes() == b"# mine\r\na.py:\r\n  f(float32)\r\n  f(int64)\r\n\r\nb.py:\r\n  f(int64)\r\n"
    assert sidecar.stat().st_mode & 0o777 == 0o600


def test_many_writers_lose_nothing(project):
    command = [[PYK2CU, "record", "-q", "--", *log_of(call(project / "a.py", 4, "f", f"UniTuple(int64, {n})"))]
               for n in range(1, 9)]
    for process in [subprocess.Popen(one, cwd=project) for one in command]:
        assert process.wait(timeout=60) == 0
    assert (project / "kernels.sig").read_text().count("UniTuple") == 8
    assert not list(project.glob(".*"))


# ---- the program is left alone -----------------------------------------------------------------------
@pytest.mark.parametrize("command, code", [(["sh", "-c", "exit 5"], 5), (["sh", "-c", "kill -TERM $$"], 143),
                                           (["no-such-program"], 127), (["./a.py"], 126)])
def test_the_exit_code_is_the_programs(project, command, code):
    done = record(project, *command)
    assert done.returncode == code
    assert ("PK6030" if code in (126, 127) else "PK6031") in done.stderr
    assert not (project / "kernels.sig").exists()


def test_input_and_output_are_the_programs(project):
    done = subprocess.run([PYK2CU, "record", "--", "sh", "-c", "cat; echo oops >&2"], cwd=project, input="text",
                          capture_output=True, text=True)
    assert done.stdout == "text" and done.stderr.startswith("oops\n")


def test_sigterm_reaches_the_program(project):
    process = subprocess.Popen([PYK2CU, "record", "--", "sh", "-c", "trap 'exit 9' TERM; echo up; while :; do sleep 0.1; done"],
                               cwd=project, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout.readline() == b"up\n"
    process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=60) == 9
    process.communicate()


HARD = """\
import os, resource, signal
from numba import njit, types
from numba.experimental import jitclass


@jitclass([("x", types.int64)])
class Grid:
    def __init__(self, x):
        self.x = x


@njit
def f(x):
    return 0


os.environ.clear()
f(1)
f(Grid(1))
resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
f(1.5)
os.write(1, b"done")
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_program_that_makes_it_hard(tmp_path):
    (tmp_path / "hard.py").write_text(HARD)
    for _ in range(2):  # the second run adds nothing: no address is noted
        done = record(tmp_path, sys.executable, "hard.py")
        assert (done.returncode, done.stdout) == (137, "done"), done.stderr
        assert (tmp_path / "kernels.sig").read_text().endswith("""
hard.py:
  # Grid.__init__(instance.jitclass.Grid<x:int64>, int64): `instance.jitclass.Grid<x:int64>` cannot be an argument yet
  # f(instance.jitclass.Grid<x:int64>): `instance.jitclass.Grid<x:int64>` cannot be an argument yet
  f(int64)
"""), (tmp_path / "kernels.sig").read_text()


def test_an_interrupt_is_the_programs(project):
    """The terminal sends it to both."""
    process = subprocess.Popen([PYK2CU, "record", "--", "sh", "-c", "trap 'exit 9' INT; echo up; while :; do sleep 0.1; done"],
                               cwd=project, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
    assert process.stdout.readline() == b"up\n"
    os.killpg(process.pid, signal.SIGINT)
    assert process.wait(timeout=60) == 9
    process.communicate()


@pytest.mark.parametrize("ignored", ["", "HUP", "INT", "TERM"])
def test_signals_are_as_the_program_finds_them(project, ignored):
    """What nohup and shells ignore stays ignored."""
    code = "import signal; print([signal.getsignal(s) for s in (1, 2, 3, 15)], signal.pthread_sigmask(0, []))"
    shell = ["sh", "-c", f'trap "" {ignored}; exec "$@"' if ignored else 'exec "$@"', "sh"]
    plain, recorded = (subprocess.run([*shell, *front, sys.executable, "-c", code], cwd=project, capture_output=True, text=True)
                       for front in ([], [PYK2CU, "record", "--"]))
    assert plain.stdout.startswith("[") and recorded.stdout == plain.stdout
    assert ("<Handlers.SIG_IGN: 1>" in plain.stdout) == bool(ignored)


OWN = """\
import sys
sys.path += ["../other", "site-packages"]
import dep, other
from numba import njit
from numba.extending import overload


def library(x):
    return x


@overload(library)
def library_impl(x):
    return lambda x: x + 1


@njit
def own(x):
    def inner(y):
        return y * x
    return inner(x) + library(x) + other.f(x) + dep.f(x)


own(1)
"""


def test_only_functions_of_the_project_are_recorded(tmp_path):
    for name, text in {"other/other.py": NAMES, "project/site-packages/dep.py": NAMES, "project/app.py": OWN}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text + "\nf = fast\n" * (text == NAMES))
    done = record(tmp_path / "project", sys.executable, "app.py")
    assert "1 signature of 1 function, 1 new" in done.stderr
    assert (tmp_path / "project/kernels.sig").read_text().endswith("\n\napp.py:\n  own(int64)\n")


SHOW = "import sys; m = sys.modules.get('sitecustomize'); print(getattr(m, 'mine', None), sys.path)"


@pytest.mark.parametrize("own", [False, True])
def test_a_sitecustomize_of_the_user_still_runs(project, own):
    (project / "site").mkdir()
    if own:
        (project / "site/sitecustomize.py").write_text("mine = 'ran'\n")
    env = {"PYTHONPATH": str(project / "site")}
    plain = subprocess.run([sys.executable, "-c", SHOW], cwd=project, env={**os.environ, **env}, capture_output=True,
                           text=True)
    done = record(project, sys.executable, "-c", SHOW, **env)
    assert done.stdout == plain.stdout and done.stdout.startswith("ran" if own else "None")


@pytest.mark.parametrize("command, why", [
    ([sys.executable, "-I", "-c", ""], "no Python process"), ([sys.executable, "-c", ""], "did not import Numba"),
    (log_of(), "no function in the files"), (log_of({"eager": "1.1"}), "no function without a signature")])
def test_nothing_recorded_says_why(project, command, why):
    done = record(project, *command)
    assert done.returncode == 0 and "PK6031" in done.stderr and why in done.stderr


def test_numba_switched_off_is_said(project):
    code = "import a; a.f(1)"
    done = record(project, sys.executable, "-c", code, NUMBA_DISABLE_JIT="1")
    assert done.returncode == 0 and "NUMBA_DISABLE_JIT" in done.stderr
    missing = record(project, sys.executable, "-c", "import sys; sys.modules['numba'] = None; import a")
    assert missing.returncode == 1 and "did not import Numba" in missing.stderr


def test_what_goes_wrong_in_the_recorder_is_said(project):
    done = record(project, *log_of({"error": "KeyError: 'x'"}))
    assert done.returncode == 0 and "PK6032" in done.stderr and "KeyError" in done.stderr


def test_a_sidecar_that_cannot_be_written_stops_before_the_program(project):
    (project / "file").write_text("")
    (project / "link.sig").symlink_to("elsewhere/kernels.sig")
    for target in ("file/kernels.sig", ".", "link.sig", "nowhere/kernels.sig", "/proc/kernels.sig"):
        done = record(project, "sh", "-c", "echo ran", options=("-o", target))
        assert (done.returncode, done.stdout) == (3, "") and "PK6002" in done.stderr
    assert sorted(path.name for path in project.iterdir() if not path.suffix) == ["file"]


@pytest.mark.parametrize("arguments", [[], ["--"], ["--project", "nowhere", "--", "true"], ["-x", "--", "true"]])
def test_wrong_usage(project, arguments):
    assert run_pyk2cu("record", *arguments, cwd=project).returncode == 2


# ---- notations ------------------------------------------------------------------------------------------
NAMES = """\
from numba import njit


class Shape:
    @staticmethod
    @njit
    def area(x):
        return x


def factory():
    @njit
    def inner(x):
        return x
    return inner


def _impl(x):
    return x


fast = njit(_impl)
"""


@pytest.mark.parametrize("sig, function", [
    ("Shape.area=float32(float32)", "area"), ("factory.inner(float32)", "inner"), ("mod.py:5=float32(float32)", "area"),
    ("mod.py:7(float32)", "area"), ("pkg/mod.py: factory.inner(float32)", "inner"), ("_impl(float32)", "fast"),
    ("mod.Shape.area(float32)", "area"), ("pkg.mod.fast = float32(float32)", "fast"), ("float32 mod.fast(float32)", "fast"),
    ("types.sig", "fast")])
def test_signatures_name_functions_by_place(tmp_path, sig, function):
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg/mod.py").write_text(NAMES)
    (tmp_path / "types.sig").write_text("pkg/mod.py:\n  :18(float32)\n")
    done = run_pyk2cu("pkg/mod.py", "-o", "out", "--keep-going", "--sig", sig, cwd=tmp_path)
    manifest = json.dumps(json.loads((tmp_path / "out/mod.json").read_text()))
    assert f'"{function}"' in manifest and "float32" in manifest, done.stderr  # others have no types


def test_one_sidecar_above_speaks_to_each_file(tmp_path):
    (tmp_path / "pkg/sub").mkdir(parents=True)
    for path in ("pkg/a.py", "pkg/sub/a.py"):
        (tmp_path / path).write_text("from numba import njit\n\n\n@njit\ndef f(x):\n    return x\n")
    (tmp_path / "kernels.sig").write_text("pkg/a.py:\n  f(float32)\npkg/sub/a.py:\n  f(int8)\n")
    assert run_pyk2cu("a.py", "-o", "out", cwd=tmp_path / "pkg/sub").returncode == 0
    assert "int8" in (tmp_path / "pkg/sub/out/a.json").read_text()
    assert run_pyk2cu("pkg/a.py", "-o", "out", cwd=tmp_path).returncode == 0
    assert "float32" in (tmp_path / "out/a.json").read_text()
