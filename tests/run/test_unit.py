"""The C++ unit tests: every unit_<room> binary of the build directory."""
import os
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("PYK2CU_BUILD_DIR", ROOT / "build"))
ROOMS = sorted(p.name for p in (ROOT / "tests/unit").iterdir() if p.is_dir() and any(p.rglob("*_test.cpp")))


@pytest.mark.parametrize("room", ROOMS)
def test_unit(room):
    done = subprocess.run([BUILD / f"unit_{room}"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-1000:]
