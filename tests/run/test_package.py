"""samples/package: built as its users build it, in a virtual environment that holds nothing else."""
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile

import pytest
from conftest import PYK2CU, ROOT

pytest.importorskip("setuptools")
BARE = {key: value for key, value in os.environ.items() if not key.startswith(("PYK2CU", "PYTHON", "VIRTUAL_ENV"))}
WITHOUT = {**BARE, "PYK2CU": "no-such-command"}
WITH = {**BARE, "PYK2CU": PYK2CU}


def run(*command, cwd, env=BARE):
    done = subprocess.run([str(word) for word in command], cwd=cwd, env=env, capture_output=True, text=True, timeout=300)
    if "No matching distribution found for" in done.stderr:
        pytest.skip("pip cannot reach an index")
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


class Environment:
    """A virtual environment without pip: ours installs into it."""

    def __init__(self, folder):
        self.folder = folder
        run(sys.executable, "-m", "venv", "--without-pip", folder, cwd="/")
        self.python = folder / "bin/python"

    def pip(self, *words, cwd="/", env=WITHOUT):
        run(sys.executable, "-m", "pip", "-q", "--python", self.python, *words, cwd=cwd, env=env)

    def files(self):
        return {path for path in self.folder.rglob("*") if "__pycache__" not in path.parts}

    def test(self, project, source=False):
        """The project's own tests, away from its sources unless these are meant."""
        env = {**BARE, "PYTHONPATH": str(project / "src")} if source else BARE
        say = "import geodist; print(type(geodist.haversine).__name__, type(geodist.length).__name__)"
        run(self.python, "-m", "pytest", "-q", "-p", "no:cacheprovider", project / "tests", cwd=self.folder, env=env)
        return run(self.python, "-c", say, cwd=self.folder, env=env).split()


def installed(environment):
    return next(environment.folder.glob("lib/python3*/site-packages"))


@pytest.fixture(scope="module")
def environment(tmp_path_factory):
    made = Environment(tmp_path_factory.mktemp("environment") / "v")
    made.pip("install", "numpy", "pytest")
    return made


@pytest.fixture
def project(tmp_path):
    return pathlib.Path(shutil.copytree(ROOT / "samples/package", tmp_path / "geodist",
                                        ignore=shutil.ignore_patterns("generated", "build", "dist", "*.so", "*.egg-info")))


def test_pip_installs_and_removes_it(environment, project):
    before = environment.files()
    environment.pip("install", ".", cwd=project, env=WITH)
    assert environment.test(project) == ["Function", "Function"]
    wheel = next(installed(environment).glob("geodist-*.dist-info/WHEEL")).read_text()
    assert "Tag: cp311-abi3-linux" in wheel
    names = {path.name for path in (installed(environment) / "geodist").iterdir()} - {"__pycache__"}
    assert names == {"__init__.py", "_jit.py", "kernels.py", "track.py", "py.typed", "kernels.abi3.so", "kernels.pyi",
                     "_track.abi3.so", "_track.pyi"}
    environment.pip("uninstall", "-y", "geodist")
    assert environment.files() == before


def test_an_sdist_needs_no_pyk2cu(environment, project):
    run(sys.executable, "setup.py", "-q", "sdist", cwd=project, env=WITH)
    archive = next((project / "dist").glob("*.tar.gz"))
    with tarfile.open(archive) as tar:
        names = {name.split("/", 1)[-1] for name in tar.getnames()}
    assert {"generated/kernels.cpp", "generated/pyk/python/module.h", "generated/setup.py", "src/geodist/track.py"} <= names
    environment.pip("install", "--no-deps", archive)
    assert environment.test(project) == ["Function", "Function"]
    environment.pip("uninstall", "-y", "geodist")


def test_the_source_serves_where_nothing_was_built(environment, project):
    assert environment.test(project, source=True) == ["function", "function"]
    with_numba = Environment.__new__(Environment)
    with_numba.folder, with_numba.python = project, sys.executable
    assert with_numba.test(project, source=True) == ["CPUDispatcher", "CPUDispatcher"]


def test_a_checkout_without_pyk2cu_says_what_it_needs(project):
    done = subprocess.run([sys.executable, "setup.py", "build_ext", "--inplace"], cwd=project, env=WITHOUT,
                          capture_output=True, text=True)
    assert done.returncode == 1 and "pyk2cu is needed to build from a checkout" in done.stderr


def test_built_in_place_and_in_part(project):
    """As `pip install -e .` does; then one of the two modules is taken away."""
    run(sys.executable, "setup.py", "-q", "build_ext", "--inplace", cwd=project, env=WITH)
    assert (project / "src/geodist/kernels.pyi").exists()
    say = ("import geodist; from geodist import track; print(type(geodist.haversine).__name__, type(track.length).__name__,"
           "track.summary([(0, 0), (0, 90)])['length'] > 1e4)")
    env = {**BARE, "PYTHONPATH": str(project / "src")}
    assert run(sys.executable, "-c", say, cwd=project, env=env).split() == ["Function", "Function", "True"]
    (project / "src/geodist/kernels.abi3.so").unlink()
    assert run(sys.executable, "-c", say, cwd=project, env=env).split() == ["CPUDispatcher", "Function", "True"]
