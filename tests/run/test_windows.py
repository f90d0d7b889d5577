"""Windows that move with the loop, and truths in lanes: what one by one gives, whatever the window's width."""
import numpy as np
import pytest
from conftest import Batch, assert_same_effects, run_pyk2cu

TEXT = '''
@njit("void(float64[:], int64, float64[:], float64[:])")
def bollinger(x, n, low, high):
    for i in range(n - 1, len(x)):
        mean = 0.0
        for j in range(i - n + 1, i + 1):
            mean += x[j]
        mean /= n
        squares = 0.0
        for j in range(i - n + 1, i + 1):
            squares += (x[j] - mean) ** 2
        low[i] = mean - math.sqrt(squares / n)
        high[i] = mean + math.sqrt(squares / n)

@njit("void(float64[:], int64, float64[:])")
def ahead(x, n, out):
    for i in range(len(x) - n + 1):
        total = 0.0
        for j in range(i, i + n):
            total += x[j]
        out[i] = total

@njit("void(float64[:], int64, float64[:])")
def behind(x, n, out):
    for i in range(n, len(x)):
        total = 0.0
        for j in range(n):
            total += x[i - j]
        out[i] = total

@njit("void(int64[:], int64, int64[:])")
def around(x, n, out):
    """The first windows count from the end."""
    for i in range(len(x)):
        largest = x[i]
        for j in range(i - n, i):
            if x[j] > largest:
                largest = x[j]
                if largest > 90:
                    break
        out[i] = largest

@njit("void(float32[:], int32, float32[:])")
def narrow(x, n, out):
    for i in range(n, len(x)):
        total = np.float32(0)
        for j in range(i - n, i):
            total += x[j] * np.float32(j - i)
        out[i] = total

@njit("int64(int64[:], int64, int64[:])")
def last(x, n, out):
    """The variable of the loop inside is read behind it."""
    j = -1
    for i in range(n, len(x)):
        count = 0
        for j in range(i - n, i + 2):
            if x[j % len(x)] > 3:
                count += j
        out[i] = count
    return j

@njit("void(float64[:, :], int64, float64[:, :])", parallel=True)
def columns(a, n, out):
    for i in prange(n, a.shape[0]):
        for c in range(a.shape[1]):
            total = 0.0
            for j in range(i - n, i):
                total += a[j, c]
            out[i, c] = total

@njit("void(int64[:], int64, int64, int64[:])")
def shifted(x, low, high, out):
    """As wide as both say, which may be nothing."""
    for i in range(max(-low, 0), len(x) - max(high, 0)):
        total = 0
        for j in range(i + low, i + high):
            total += x[j] * (j - i)
        out[i] = total

@njit("void(int64[:], int64, int64[:])")
def grows(x, n, out):
    """No window: the loop inside grows."""
    for i in range(n, len(x)):
        total = 0
        for j in range(i - n, 2 * i - n):
            total += x[j % len(x)]
        out[i] = total

@njit("void(float64[:], int64[:], int64, float64[:])")
def raises(x, by, n, out):
    for i in range(n, len(x)):
        total = 0.0
        for j in range(i - n, i):
            total += x[j] / by[j]
        out[i] = total

@njit("void(float64[:], float64[:], float64[:], float64[:])")
def three_checks(a, b, c, out):
    for i in range(len(a)):
        x = a[i]
        for k in range(6):
            x = x / b[i] + 1.0 / c[i] - 2.0 / (x + 3.0)
            if x > 20.0:
                break
        out[i] = x

@njit("void(float64[:], int64[:], boolean[:])")
def truths(x, n, out):
    for i in range(len(x)):
        inside = x[i] > 0.0
        seen = False
        missed = True
        k = 0
        while k < n[i]:
            v = x[i] * k - 3.0
            if v > 1.0:
                inside = not inside
                if v > 5.0:
                    seen = True
                elif inside:
                    missed = False
                else:
                    seen = v < 3.0
            else:
                missed = missed and seen
                inside = v < -1.0
            if v > 40.0:
                break
            k += 1
        out[i] = (inside or seen) and missed or (seen and not inside)
'''

MODULES = {name: Batch(f"windows_{name}", ["--fp=strict", *options])
           for name, options in {"default": [], "eight": ["--gang=8"]}.items()}
PLAIN = Batch("windows_plain", ["--fp=strict", "--no-lanes"])
for module in (*MODULES.values(), PLAIN):
    module.add(TEXT)
SIZES = [0, 1, 2, 5, 31, 64, 65, 200]


@pytest.fixture(params=MODULES)
def built(request):
    return MODULES[request.param]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("n", [1, 2, 5, 20, 64])
def test_windows(built, size, n):
    rng = np.random.default_rng(size)
    x, counts = rng.standard_normal(size), rng.integers(-9, 99, size)
    for values in (x, x[::-1], np.repeat(x, 2)[::2]):
        assert_same_effects(built, PLAIN, "bollinger", values, n, np.zeros(size), np.zeros(size))
        assert_same_effects(built, PLAIN, "ahead", values, n, np.zeros(size))
        assert_same_effects(built, PLAIN, "behind", values, n, np.zeros(size))
    if n <= size:
        assert_same_effects(built, PLAIN, "around", counts, n, np.zeros(size, np.int64))
    assert_same_effects(built, PLAIN, "narrow", x.astype(np.float32), n, np.zeros(size, np.float32))
    assert_same_effects(built, PLAIN, "last", counts, n, np.zeros(size, np.int64))
    assert_same_effects(built, PLAIN, "grows", counts, n, np.zeros(size, np.int64))
    a = rng.standard_normal((size, 7))
    assert_same_effects(built, PLAIN, "columns", a, n, np.zeros_like(a))
    for low, high in ((-n, 0), (0, n), (-n, n), (-2, -3), (n, 1), (-1, 1)):
        assert_same_effects(built, PLAIN, "shifted", counts, low, high, np.zeros(size, np.int64))


@pytest.mark.parametrize("n", [0, -1, -40, -2**62, -2**63, 2**62, 2**63 - 1])
def test_windows_that_are_none(built, n):
    x, counts = np.arange(100.0), np.arange(100)
    if n > 0:
        for name in ("bollinger", "ahead", "behind"):
            outs = [np.zeros(100)] * (2 if name == "bollinger" else 1)
            assert_same_effects(built, PLAIN, name, x, n, *outs)
    if -40 <= n <= 0:
        if n == 0:
            assert_same_effects(built, PLAIN, "behind", x, n, np.zeros(100))
        assert_same_effects(built, PLAIN, "around", counts, n, np.zeros(100, np.int64))
        assert_same_effects(built, PLAIN, "shifted", counts, n, n, np.zeros(100, np.int64))


def test_one_array_for_both(built):
    for name in ("ahead", "behind"):
        for shift in (0, 1, 3):
            results = []
            for module in (built, PLAIN):
                x = np.random.default_rng(1).standard_normal(150)
                getattr(module, name)(x[shift:], 4, x[:150 - shift] if shift else x)
                results.append(x)
            np.testing.assert_array_equal(*results)


def test_what_is_stored_before_an_exception(built):
    for at in (0, 9, 10, 50, 120):
        results = []
        for module in (built, PLAIN):
            by, out = np.ones(140, np.int64), np.zeros(140)
            by[at] = 0
            with pytest.raises(ZeroDivisionError):
                module.raises(np.arange(140.0), by, 10, out)
            results.append(out)
        np.testing.assert_array_equal(*results)


@pytest.mark.parametrize("n", SIZES)
def test_truths(built, n):
    rng = np.random.default_rng(n)
    x = rng.standard_normal(n) * 4
    assert_same_effects(built, PLAIN, "truths", x, rng.integers(-1, 12, n), np.zeros(n, bool))
    assert_same_effects(built, PLAIN, "three_checks", x, x[::-1] + 9, np.full(n, 3.0), np.zeros(n))


@pytest.mark.parametrize("which", ["b", "c", "sum"])
def test_each_of_three_checks(built, which):
    for at in (0, 15, 16, 77):
        results = []
        for module in (built, PLAIN):
            a, b, c, out = np.ones(100), np.ones(100), np.full(100, 4.0), np.zeros(100)
            {"b": b, "c": c, "sum": a}[which][at] = -3.0 if which == "sum" else 0.0
            with pytest.raises(ZeroDivisionError):
                module.three_checks(a, b, c, out)
            results.append(out)
        np.testing.assert_array_equal(*results)


@pytest.mark.parametrize("option, expected", [
    ([], {"bollinger", "ahead", "behind", "around", "columns", "shifted", "three_checks"}), (["--gang=8"], {"truths"})])
def test_they_are_in_lanes(tmp_path, option, expected):
    """Or all of the above compares scalar code with itself."""
    (tmp_path / "windows.py").write_text("import math\nfrom numba import njit, prange\nimport numpy as np\n" + TEXT)
    said = run_pyk2cu("explain", tmp_path / "windows.py", *option).stdout
    beside = {part.split("(")[0].split()[-1] for part in said.split("\n\n") if "side by side" in part}
    assert beside >= expected, expected - beside
