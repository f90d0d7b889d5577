"""What the kernels are called with: seeded arguments, what they write, and how near the results have to be.

`KERNELS` are the forty kernels, `GOAL` the rows of the goal (of the samples and of goal.py).
"""
import math
import zlib

import numpy as np

F4, F8 = np.float32, np.float64


class Case:
    """One row. `make(rng, size)` gives the arguments at the `size` that is timed or at the `small` one of the tests.

    written: the arguments that are results, by position; restore: those that a call uses up;
    tolerance: the relative error that floats may have; differ: the share of elements that may differ at all, where a
    count of steps or the side of a border hangs on the last bit; numpy: the same with NumPy, where that is natural.
    """

    def __init__(self, module, function, make, size, small, written=(), tolerance=None, differ=0.0, restore=(),
                 numpy=None, note=""):
        self.module, self.function, self.make, self.size, self.small = module, function, make, size, small
        self.written, self.tolerance, self.differ, self.restore = written, tolerance, differ, restore
        self.numpy, self.note = numpy, note

    @property
    def name(self):
        return f"{self.module}.{self.function}{' ' + self.note if self.note else ''}"

    def arguments(self, size):
        return self.make(np.random.default_rng(zlib.crc32(self.function.encode())), size)

    def results(self, function, arguments):
        """Calls the function; its value, if any, and what it wrote."""
        value = function(*arguments)
        return ([] if value is None else [value]) + [arguments[i] for i in self.written]

    def same(self, ours, expected):
        """Do two lists of results agree?"""
        if len(ours) != len(expected):
            return False
        return all(self._agree(np.asarray(a), np.asarray(b)) for a, b in zip(ours, expected))

    def _agree(self, a, b):
        if a.shape != b.shape:
            return False
        if b.dtype.kind != "f":
            return np.mean(a != b) <= self.differ
        tolerance = self.tolerance or (1e-9 if b.dtype == F8 else 1e-4)
        finite = np.abs(b[np.isfinite(b)])
        scale = np.maximum(np.abs(b), 1e-2 * finite.max() if finite.size else 1.0)
        with np.errstate(invalid="ignore"):
            far = ~((a == b) | (np.isnan(a) & np.isnan(b)) | (np.abs(a - b) <= tolerance * scale))
        return np.mean(far) <= self.differ


# ---- iterate ------------------------------------------------------------------------------------------------
def julia(rng, n):
    return np.zeros((n, n), np.uint8), -0.8, 0.156, 1.6, 200


def newton_fractal(rng, n):
    return np.zeros((n, n), np.int32), 2.0, 60


def collatz_lengths(rng, n):
    return 1_000_000, np.zeros(n, np.int32)


def lambert_w(rng, n):
    return rng.exponential(20.0, n), np.zeros(n), 1e-10


def kepler(rng, n):
    return rng.uniform(0, 2 * math.pi, n), rng.beta(1, 3, n), np.zeros(n)


def van_der_pol(rng, n):
    return rng.uniform(0.1, 5.0, n), 10.0, 1e-4, np.zeros((n, 2)), np.zeros(n, np.int32)


# ---- geometry -----------------------------------------------------------------------------------------------
def sphere_trace(rng, n):
    return np.zeros((n, n), F4), 100


def points_in_polygon(rng, n):
    angle = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    radius = rng.uniform(0.3, 1.0, 40)
    polygon = np.stack([radius * np.cos(angle), radius * np.sin(angle)], 1)
    return polygon, rng.uniform(-1, 1, (n, 2)), np.zeros(n, bool)


def haversine_matrix(rng, n):
    return np.arcsin(rng.uniform(-1, 1, n)), rng.uniform(-math.pi, math.pi, n), np.zeros((n, n))


def rotate_vectors(rng, n):
    return rng.standard_normal((n, 4), F4), rng.standard_normal((n, 3), F4), np.zeros((n, 3), F4)


# ---- images -------------------------------------------------------------------------------------------------
def photo(rng, n, *channels):
    """Bright hills with noise, bytes."""
    y, x = np.mgrid[0:n, 0:n] / n
    hills = 110 + 70 * np.sin(7 * x + 2 * y) * np.cos(5 * y)
    shape = (n, n, *channels)
    hills = hills.reshape(n, n, *(1 for _ in channels)) + rng.normal(0, 20, shape)
    return np.clip(hills, 0, 255).astype(np.uint8)


def filtered(*more):
    return lambda rng, n: (photo(rng, n), np.zeros((n, n), np.uint8), *more)


def resize_bilinear(rng, n):
    return photo(rng, n, 3), np.zeros((n * 3 // 2, n * 4 // 3, 3), np.uint8)


def equalize(rng, n):
    return photo(rng, n), np.zeros((n, n), np.uint8), np.zeros(256, np.int64)


def rgb_to_hsv(rng, n):
    return photo(rng, n, 3), np.zeros((n, n, 3), np.uint8)


def alpha_blend(rng, n):
    return photo(rng, n, 4), photo(rng, n, 3), np.zeros((n, n, 3), np.uint8)


# ---- dynamic ------------------------------------------------------------------------------------------------
def letters(rng, *shape):
    return rng.choice(np.frombuffer(b"ACGT", np.uint8), shape)


def edit_distance(rng, n):
    return letters(rng, n), letters(rng, n + n // 10)


def dtw_matrix(rng, n):
    return np.cumsum(rng.standard_normal((n, 4 * n)), 1), np.zeros((n, n))


def smith_waterman(rng, n):
    return letters(rng, n, 120), letters(rng, 80), np.zeros(n, np.int32)


# ---- graphs -------------------------------------------------------------------------------------------------
def edges(rng, n, mean):
    """A random graph as compressed rows: where each begins, and the nodes."""
    counts = np.minimum(rng.zipf(1.8, n) - 1, 200) + rng.poisson(mean, n)
    starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)
    return starts, rng.integers(0, n, starts[-1], dtype=np.int32)


def spmv(rng, n):
    starts, columns = edges(rng, n, 6)
    return rng.standard_normal(len(columns)), columns, starts, rng.standard_normal(n), np.zeros(n)


def bfs(rng, n):
    starts, targets = edges(rng, n, 2)
    return starts, targets, 0, np.zeros(n, np.int32)


def floyd_warshall(rng, n):
    distance = np.where(rng.random((n, n)) < 0.1, rng.uniform(1, 10, (n, n)), np.inf).astype(F4)
    np.fill_diagonal(distance, 0)
    return distance,


def pagerank(rng, n):
    starts, sources = edges(rng, n, 4)
    return starts, sources, np.bincount(sources, minlength=n).astype(np.int32), np.zeros(n), 1e-6, 100


# ---- particles ----------------------------------------------------------------------------------------------
def nbody(rng, n):
    return rng.standard_normal((n, 3)), rng.uniform(0.1, 1, n), np.zeros((n, 3)), 0.05


def lennard_jones(rng, n):
    """Particles near the places of a cubic lattice."""
    side = math.ceil(n ** (1 / 3))
    places = np.stack(np.meshgrid(*[np.arange(side)] * 3), -1).reshape(-1, 3)[:n] * 1.2
    return places + rng.normal(0, 0.05, (n, 3)), np.zeros((n, 3)), side * 1.2, 2.5


def kmeans_assign(rng, n):
    return rng.standard_normal((n, 8), F4), rng.standard_normal((16, 8), F4), np.zeros(n, np.int32)


def heston_call(rng, n):
    return rng.standard_normal((n, 50)), rng.standard_normal((n, 50)), 105.0, 0.02, 1.0


# ---- grids --------------------------------------------------------------------------------------------------
def heat3d(rng, n):
    return rng.random((n, n, n)), np.zeros((n, n, n)), 0.1


def life(rng, n):
    return (rng.random((n, n)) < 0.3).astype(np.uint8), np.zeros((n, n), np.uint8)


def forest_fire(rng, n):
    forest = rng.choice(np.arange(3, dtype=np.uint8), (n, n), p=[0.4, 0.55, 0.05])
    return forest, np.zeros((n, n), np.uint8), 3, 0.05, 0.001


# ---- codes --------------------------------------------------------------------------------------------------
def power_mod(rng, n):
    return rng.integers(1, 1 << 30, n), rng.integers(1, 1 << 20, n), 1_000_000_007, np.zeros(n, np.int64)


def utf8_count(rng, n):
    text = rng.choice(list("ordinary text, café, naïve, Straße, 東京, 🙂 "), n)
    return np.frombuffer("".join(text).encode(), np.uint8).copy(),


def crc32(rng, n):
    table = [0] * 256
    for i in range(256):
        value = i
        for _ in range(8):
            value = value >> 1 ^ (0xEDB88320 if value & 1 else 0)
        table[i] = value
    return rng.integers(0, 256, (n, 128), np.uint8), np.array(table, np.uint32), np.zeros(n, np.uint32)


def hamming(rng, n):
    words = np.iinfo(np.uint64).max
    return rng.integers(0, words, (n, 4), np.uint64), rng.integers(0, words, 4, np.uint64), np.zeros(n, np.int32)


# ---- series -------------------------------------------------------------------------------------------------
def rolling_std(rng, n):
    return rng.standard_normal(n), 30, np.zeros(n), np.zeros(n)


def max_drawdown(rng, n):
    return 100 * np.exp(np.cumsum(rng.normal(0, 0.01, (n, 64)), 0)), np.zeros(64)


def iir(rng, n):
    coefficients = np.array([0.0675, 0.1349, 0.0675, -1.1430, 0.4128], F4)
    return rng.standard_normal((64, n), F4), coefficients, np.zeros((64, n), F4)


def interpolate(rng, n):
    grid = np.cumsum(rng.exponential(1.0, 1000))
    return grid, np.sin(grid), rng.uniform(-10, grid[-1] + 10, n), np.zeros(n)


KERNELS = [
    Case("iterate", "julia", julia, 800, 24, (0,), differ=1e-3),
    Case("iterate", "newton_fractal", newton_fractal, 300, 16, (0,), differ=1e-3),
    Case("iterate", "collatz_lengths", collatz_lengths, 100_000, 50, (1,)),
    Case("iterate", "lambert_w", lambert_w, 20_000, 50, (1,), 1e-8),
    Case("iterate", "kepler", kepler, 200_000, 100, (2,)),
    Case("iterate", "van_der_pol", van_der_pol, 500, 4, (3, 4), 1e-3, differ=1e-2),
    Case("geometry", "sphere_trace", sphere_trace, 360, 16, (0,), 1e-2, differ=1e-3),
    Case("geometry", "points_in_polygon", points_in_polygon, 100_000, 60, (2,)),
    Case("geometry", "haversine_matrix", haversine_matrix, 600, 12, (2,)),
    Case("geometry", "rotate_vectors", rotate_vectors, 500_000, 50, (2,), 1e-3),
    Case("images", "median3x3", filtered(), 1024, 24, (1,)),
    Case("images", "erode", filtered(2), 512, 20, (1,)),
    Case("images", "resize_bilinear", resize_bilinear, 500, 15, (1,), differ=1e-3),
    Case("images", "sobel", filtered(), 2048, 24, (1,)),
    Case("images", "equalize", equalize, 2048, 20, (1, 2)),
    Case("images", "box_blur", filtered(3), 600, 16, (1,)),
    Case("images", "rgb_to_hsv", rgb_to_hsv, 800, 16, (1,)),
    Case("images", "alpha_blend", alpha_blend, 1500, 16, (2,)),
    Case("dynamic", "edit_distance", edit_distance, 2000, 30),
    Case("dynamic", "dtw_matrix", dtw_matrix, 20, 4, (1,)),
    Case("dynamic", "smith_waterman", smith_waterman, 1000, 3, (2,)),
    Case("graphs", "spmv", spmv, 300_000, 60, (4,)),
    Case("graphs", "bfs", bfs, 200_000, 60, (3,)),
    Case("graphs", "floyd_warshall", floyd_warshall, 300, 14, (0,), restore=(0,)),
    Case("graphs", "pagerank", pagerank, 50_000, 50, (3,)),
    Case("particles", "nbody", nbody, 1500, 20, (2,)),
    Case("particles", "lennard_jones", lennard_jones, 1500, 40, (1,)),
    Case("particles", "kmeans_assign", kmeans_assign, 100_000, 40, (2,), differ=1e-4),
    Case("particles", "heston_call", heston_call, 20_000, 10),
    Case("grids", "heat3d", heat3d, 160, 8, (1,)),
    Case("grids", "life", life, 800, 20, (1,)),
    Case("grids", "forest_fire", forest_fire, 1000, 20, (1,)),
    Case("codes", "power_mod", power_mod, 20_000, 40, (3,)),
    Case("codes", "utf8_count", utf8_count, 2_000_000, 300),
    Case("codes", "crc32", crc32, 20_000, 6, (2,)),
    Case("codes", "hamming", hamming, 500_000, 20, (2,)),
    Case("series", "rolling_std", rolling_std, 200_000, 100, (2, 3)),
    Case("series", "max_drawdown", max_drawdown, 20_000, 20, (1,)),
    Case("series", "iir", iir, 20_000, 20, (2,), 1e-3),
    Case("series", "interpolate", interpolate, 200_000, 60, (3,)),
]


# ---- the rows of the goal -------------------------------------------------------------------------------------
def star(points, size):
    """A star-shaped polygon of 2 * points vertices inside a square image."""
    angle = np.linspace(0, 2 * np.pi, 2 * points, endpoint=False)
    radius = np.where(np.arange(2 * points) % 2, 0.2, 0.45) * size
    return np.stack([size / 2 + radius * np.cos(angle), size / 2 + radius * np.sin(angle)], 1).astype(F4)


def polygon_mask(rng, n):
    return star(12, n), np.zeros((n, n), bool), True


def mandelbrot(rng, n):
    return np.zeros((n, n), np.uint16), -2.0, 1.0, -1.5, 1.5, 100


def black_scholes(rng, n):
    return (np.zeros(n), np.zeros(n), rng.uniform(5, 30, n), rng.uniform(1, 100, n), rng.uniform(0.25, 10, n), 0.02,
            0.3)


def square(rng, n):
    return rng.standard_normal((n, n)),


def jacobi(rng, n):
    return rng.standard_normal((n, n)), np.zeros((n, n))


def sin_cos(dtype):
    return lambda rng, n: (rng.standard_normal(n).astype(dtype), np.zeros(n, dtype))


def gaussian(dtype):
    return lambda rng, n: (rng.standard_normal(n).astype(dtype), dtype(0.5), dtype(2.0), np.zeros(n, dtype))


def matrices(dtype):
    return lambda rng, n: (rng.standard_normal((n, n)).astype(dtype), rng.standard_normal((n, n)).astype(dtype),
                           np.zeros((n, n), dtype))


def numpy_jacobi(a, b):
    b[1:-1, 1:-1] = 0.25 * (a[1:-1, 2:] + a[1:-1, :-2] + a[:-2, 1:-1] + a[2:, 1:-1])
    return np.abs(b[1:-1, 1:-1] - a[1:-1, 1:-1]).max()


def numpy_darts(n):
    return 4.0 * np.count_nonzero(np.random.random(n) ** 2 + np.random.random(n) ** 2 < 1.0) / n


def numpy_gaussian(x, mean, sigma, out):
    z = (x - mean) / sigma
    np.divide(np.exp(-0.5 * z * z), sigma * np.sqrt(2 * np.pi), out=out, casting="same_kind")


def numpy_sin_cos(x, out):
    np.multiply(np.sin(x), np.cos(x), out=out)


def numpy_matmul(a, b, c):
    np.matmul(a, b, out=c)


def goal_rows():
    """The rows in their order, both sizes and types where the goal names them."""
    for suffix in ("", "_parallel"):
        yield Case("polygon", "polygon_mask" + suffix, polygon_mask, 1024, 16, (1,), differ=1e-4)
        yield Case("mandelbrot", "mandelbrot" + suffix, mandelbrot, 1000, 16, (0,), differ=1e-3)
        yield Case("monte_carlo_pi", "monte_carlo_pi" + suffix, lambda rng, n: (n,), 10_000_000, 2000, tolerance=0.2,
                   numpy=numpy_darts)
        for n in (1000, 4000):
            yield Case("sum2d", "sum2d" + suffix, square, n, 20, numpy=np.sum, note=f"{n}²")
        for n in (500, 2000):
            yield Case("jacobi", "jacobi" + suffix, jacobi, n, 20, (1,), numpy=numpy_jacobi, note=f"{n}²")
    yield Case("black_scholes", "black_scholes", black_scholes, 1_000_000, 50, (0, 1))
    for dtype in (F4, F8):
        kind = dtype.__name__
        yield Case("goal", "sin_cos", sin_cos(dtype), 1_000_000, 50, (1,), numpy=numpy_sin_cos, note=kind)
        yield Case("goal", "gaussian", gaussian(dtype), 1_000_000, 50, (3,), numpy=numpy_gaussian, note=kind)
    for dtype in (F4, F8):
        for n in (512, 1024):
            for order in ("ijk", "ijk_fastmath", "ijk_element", "ikj", "jik", "jki", "kij", "kji"):
                yield Case("goal", f"matmul_{order}", matrices(dtype), n, 10, (2,), 1e-3 if dtype is F4 else 1e-9,
                           restore=(2,), numpy=numpy_matmul, note=f"{dtype.__name__} {n}")


GOAL = list(goal_rows())
