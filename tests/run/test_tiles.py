"""Nests of loops that add up products, in tiles: the values of the source's order, and no element that it does not touch."""
import itertools
import sys

import numpy as np
import pytest
from conftest import ROOT, Batch, load_module

sys.path.insert(0, str(ROOT / "tests/fuzz"))
import tiles  # noqa: E402

batch = Batch("tiles", ["--verify-ir"])
ORDERS = ["".join(order) for order in itertools.permutations("ijk")]
for order in ORDERS:
    pad, lines = "    ", []
    for name in order:
        lines.append(f"{pad}for {name} in range({'n' if name == 'i' else 'm' if name == 'j' else 'q'}):")
        pad += "    "
    batch.add(f'''
@njit("void(float64[:, ::1], float64[:, ::1], float64[:, ::1], int64, int64, int64)")
def add_{order}(a, b, c, n, m, q):
''' + "\n".join(lines) + f"\n{pad}c[i, j] += a[i, k] * b[k, j]\n")
batch.add('''
@njit("int64(float64[:, ::1], float64[:, ::1], float64[:, ::1], int64)")
def index_behind(a, b, c, n):
    for i in range(n):
        for j in range(n):
            total = 0.0
            for k in range(n):
                total += a[i, k] * b[k, j]
            c[i, j] = total
    return i + int(total)

@njit("void(float64[:, ::1], float64[:, ::1], float64[:, ::1])", parallel=True)
def in_parallel(a, b, c):
    for i in prange(c.shape[0]):
        for k in range(b.shape[0]):
            for j in range(c.shape[1]):
                c[i, j] += a[i, k] * b[k, j]

@njit("void(float64[::1], float64[:, ::1], float64[:, ::1])")
def handed_on(a, b, c):
    x = 1.0
    for i in range(c.shape[0]):
        x = a[i] - x
        for k in range(b.shape[0]):
            for j in range(c.shape[1]):
                c[i, j] += x * b[k, j]

@njit("void(float64[:, ::1], float64[:, ::1], float64[:, ::1])")
def fading(a, b, c):
    x = 1.0
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            c[i, j] = x
        x = x * 0.5
        for k in range(b.shape[0]):
            for j in range(c.shape[1]):
                c[i, j] += a[i, k] * b[k, j]

@njit("void(float64[:, ::1], float64[:, ::1], float64[:, ::1])")
def as_people_write_it(a, b, c):
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            c[i, j] = 0.0
        for k in range(b.shape[0]):
            x = a[i, k]
            y = 2.0 * x
            for j in range(c.shape[1]):
                c[i, j] += y * b[k, j]

@njit("void(float64[:, ::1], float64[:, ::1], float64[:, ::1])")
def cleared_inside(a, b, c):
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            c[i, j] = 0
            for k in range(b.shape[0]):
                c[i, j] += a[i, k] * b[k, j]

@njit("void(float64[:, ::1], float64[:, ::1], float64[:, ::1])")
def read_back(a, b, c):
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            c[i, j] = 0
            start = c[i, j] + 1.0
            for k in range(b.shape[0]):
                start += a[i, k] * b[k, j]
            c[i, j] += start

@njit("void(float64[:, ::1], float64[:, ::1], float64[:, ::1], int64)")
def long_before(a, b, c, n):
    for i in range(1, n):
        for k in range(2, n):
            for j in range(1, n):
                c[i, j] += a[i, k] * b[k, j]

@njit("void(float64[:, ::1], float64[:, ::1], float64[:, ::1], int64)")
def checked(a, b, c, by):
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            for k in range(b.shape[0]):
                c[i, j] += a[i, k] // by * b[k, j]
''')


@pytest.fixture(scope="module")
def built():
    return batch.module


def plain(a, b, c, n, m, q):
    """Every element in the order of the source."""
    for k in range(q):
        c[:n, :m] += a[:n, k, None] * b[None, k, :m]


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("n, m, q", [(5, 70, 9), (4, 32, 1), (3, 31, 4), (1, 1, 1), (0, 5, 5), (5, 0, 5), (67, 33, 2)])
def test_every_order_adds_in_the_same_order(built, order, n, m, q):
    rng = np.random.default_rng(n + m + q)
    a, b, c = rng.normal(size=(n, q)), rng.normal(size=(q, m)), rng.normal(size=(n, m))
    expected = c.copy()
    plain(a, b, expected, n, m, q)
    getattr(built, f"add_{order}")(a, b, c, n, m, q)
    assert c.tobytes() == expected.tobytes()


@pytest.mark.parametrize("order", ["ijk", "ikj", "kji"])
def test_a_loop_that_turns_never_touches_nothing(built, order):
    nothing = np.zeros((0, 0))
    getattr(built, f"add_{order}")(nothing, nothing, nothing, 1 << 40, 1 << 40, 0)  # would be a segmentation fault


def test_a_result_that_is_a_factor_is_done_in_the_order_of_the_source(built):
    rng = np.random.default_rng(3)
    a, b = rng.integers(-3, 3, (2, 6, 6)).astype(float)
    ours, expected = a.copy(), a.copy()
    built.add_ikj(ours, b, ours, 6, 6, 6)
    for i, k, j in itertools.product(range(6), repeat=3):
        expected[i, j] += expected[i, k] * b[k, j]
    assert ours.tobytes() == expected.tobytes()


def test_what_is_read_behind_the_nest_is_there(built):
    a = np.eye(9) * 3
    assert built.index_behind(a, a, np.zeros((9, 9)), 9) == 8 + 9


@pytest.mark.parametrize("rows", [0, 1, 15, 16, 17, 31, 100])
def test_cores_take_portions_of_rows(built, rows):
    rng = np.random.default_rng(rows)
    a, b, c = rng.normal(size=(rows, 40)), rng.normal(size=(40, 37)), rng.normal(size=(rows, 37))
    expected = c.copy()
    plain(a, b, expected, rows, 37, 40)
    built.in_parallel(a, b, c)
    assert c.tobytes() == expected.tobytes()


@pytest.mark.parametrize("rows", [0, 1, 4, 9])
def test_nests_with_something_in_front_of_the_last_loop(built, rows):
    rng = np.random.default_rng(rows)
    a, b = rng.normal(size=(rows, 6)), rng.normal(size=(6, 37))
    for function, factor in (("as_people_write_it", 2.0), ("cleared_inside", 1.0)):
        c, expected = rng.normal(size=(rows, 37)), np.zeros((rows, 37))
        plain(a * factor, b, expected, rows, 37, 6)
        getattr(built, function)(a, b, c)
        assert c.tobytes() == expected.tobytes(), function
    c, expected = rng.normal(size=(rows, 37)), np.tile(0.5 ** np.arange(rows)[:, None], 37)
    plain(a, b, expected, rows, 37, 6)
    built.fading(a, b, c)
    assert c.tobytes() == expected.tobytes()
    c, expected = rng.normal(size=(rows, 37)), np.ones((rows, 37))
    plain(a, b, expected, rows, 37, 6)
    built.read_back(a, b, c)
    assert c.tobytes() == expected.tobytes()
    c, expected, x = np.zeros((rows, 37)), np.zeros((rows, 37)), 1.0
    built.handed_on(np.arange(rows) * 1.5, b, c)
    for i in range(rows):
        x = i * 1.5 - x
        for k in range(6):
            expected[i] += x * b[k]
    assert c.tobytes() == expected.tobytes()


def test_loops_that_end_long_before_they_begin_turn_never(built):
    nothing = np.zeros((0, 0))
    built.long_before(nothing, nothing, nothing, -2**63)


def test_an_exception_comes_where_the_source_has_it(built):
    c = np.ones((3, 3))
    with pytest.raises(ZeroDivisionError):
        built.checked(c, c, c.copy(), 0)
    built.checked(c, c, c.copy(), 2)


def test_the_nests_of_these_tests_are_tiles(built):
    assert batch.emitted.count("lanes::gang<") >= 10


@pytest.mark.parametrize("count, options", [(30, ["--march=native"]), (10, []), (20, ["--march=x86-64", "--gang=4"])])
def test_random_nests_are_the_same_in_tiles(count, options):
    bad, compared, made = tiles.run(count, 100 + count, options)
    assert not bad
    assert compared == 8 * count and made > count // 10
