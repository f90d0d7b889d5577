"""The CPU kernels of the documents that this project was born from: unedited, apart from signatures given beside the file."""
import pathlib

import numpy as np
import pytest
from conftest import BUILD_PYTHON, load_module, run_pyk2cu

HERE = pathlib.Path(__file__).resolve().parent
FILES = {
    "sum2d": ["sum2d(float64[:,:])", "sum2d(int64[:,:])"],
    "hypot": ["hypot(float64, float64)", "hypot(float32, float32)", "hypot(int64, int64)"],
    "add": ["f1(float64[:], float64[:], float64[:], int64)", "add(float32[:], float32[:], float32[:], int64)"],
    "polygon": ["insidePolygon(float64[:,:], UniTuple(float64, 2), boolean)",
                "insidePolygon(UniTuple(UniTuple(int64, 2), 4), UniTuple(int64, 2), boolean)"],
}


@pytest.fixture(scope="module")
def modules(tmp_path_factory):
    out = tmp_path_factory.mktemp("documents")
    files = [str(HERE / f"kernels/documents/{name}.py") for name in FILES]
    signatures = [part for each in FILES.values() for s in each for part in ("--sig", s)]
    done = run_pyk2cu(*files, "-o", out, "--build", "--python", BUILD_PYTHON, *signatures)
    assert done.returncode == 0, done.stderr
    return {name: load_module(next(out.glob(f"{name}.*.so"))) for name in FILES}


def test_sum2d(modules):
    assert modules["sum2d"].sum2d(np.arange(9).reshape(3, 3)) == 36.0
    a = np.random.default_rng(1).standard_normal((7, 5))
    assert modules["sum2d"].sum2d(a[::2, ::-1]) == pytest.approx(a[::2].sum())


def test_hypot(modules):
    hypot = modules["hypot"].hypot
    assert hypot(3.0, 4.0) == 5.0 and hypot(-3, 4) == 5.0
    assert hypot(np.float32(3), np.float32(-4)) == 5.0
    with pytest.raises(ZeroDivisionError) as error:
        hypot(0.0, 0.0)
    assert error.traceback[-1].lineno + 1 == 11 and str(error.traceback[-1].path).endswith("hypot.py")


def test_add(modules):
    for function, dtype in ((modules["add"].f1, "f8"), (modules["add"].add, "f4")):
        a, b, c = np.arange(100, dtype=dtype), np.ones(100, dtype), np.zeros(100, dtype)
        function(a, b, c, 90)
        assert (c[:90] == a[:90] + 1).all() and (c[90:] == 0).all()


def test_inside_polygon(modules):
    inside = modules["polygon"].insidePolygon
    square = ((0, 0), (10, 0), (10, 10), (0, 10))
    plain = {}
    source = (HERE / "kernels/documents/polygon.py").read_text().replace("from numba import jit", "jit = lambda f: f")
    exec(source, plain)
    for x in range(-2, 13):
        for y in range(-2, 13):
            expected = plain["insidePolygon"](square, (x, y))
            assert inside(square, (x, y), True) is expected
            assert inside(np.array(square, dtype=float), (float(x), float(y)), True) is expected
    assert inside(square, (10, 10)) is True  # the default of border_value
