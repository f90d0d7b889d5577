"""`pyk2cu DIR`: the files of a package become modules at their places, or one module."""
import subprocess
import sys

from conftest import BUILD_PYTHON, run_pyk2cu

KERNEL = 'from numba import njit\n\n\n@njit("float64(float64)")\ndef {}(x):\n    return x / 2\n'


def package(tmp_path):
    pkg = tmp_path / "pkg"
    (pkg / "sub").mkdir(parents=True)
    (pkg / "tests").mkdir()
    for path in (pkg / "__init__.py", pkg / "sub" / "__init__.py", pkg / "plain.py"):
        path.write_text("ANSWER = 42\n")
    (pkg / "a.py").write_text(KERNEL.format("half"))
    (pkg / "sub" / "b.py").write_text("from numba import njit\nfrom ..a import half\n\n\n@njit\ndef quarter(x):\n"
                                      "    return half(half(x))\n")
    (pkg / "sub" / "b.sig").write_text("quarter(float64)\n")
    (pkg / "tests" / "test_a.py").write_text(KERNEL.format("never"))
    return pkg


def test_modules_keep_their_places(tmp_path):
    package(tmp_path)
    done = run_pyk2cu("pkg", "-o", "out", "--build", "--python", BUILD_PYTHON, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    made = sorted(p.relative_to(tmp_path / "out").as_posix() for p in (tmp_path / "out").rglob("*.json"))
    assert made == ["pkg/a.json", "pkg/sub/b.json"]
    code = "import pkg.a, pkg.sub.b; print(pkg.a.half(3.0), pkg.sub.b.quarter(3.0))"
    check = subprocess.run([sys.executable, "-c", code], cwd=tmp_path / "out", capture_output=True, text=True)
    assert check.stdout == "1.5 0.75\n", check.stderr


def test_one_module(tmp_path):
    package(tmp_path)
    done = run_pyk2cu("pkg", "-o", "out", "--module", "fast", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert [p.name for p in (tmp_path / "out").glob("*.json")] == ["fast.json"]
    header = (tmp_path / "out" / "fast.h").read_text()
    assert "half" in header and "quarter" in header and "never" not in header


def test_a_directory_without_kernels(tmp_path):
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg" / "plain.py").write_text("ANSWER = 42\n")
    done = run_pyk2cu("pkg", "-o", "out", cwd=tmp_path)
    assert "PK2002" in done.stderr and not (tmp_path / "out").exists()


def test_the_working_directory(tmp_path):
    pkg = package(tmp_path)
    assert run_pyk2cu(".", "-o", "../out", cwd=pkg).returncode == 0
    assert (tmp_path / "out" / "pkg" / "sub" / "b.json").exists()
