"""What each sample is called with: arguments, what to compare, and the NumPy way where one is natural."""
import math

import numpy as np

RNG = np.random.default_rng(7)


def star(points, size):
    """A star-shaped polygon of 2 * points vertices inside a square image, float32[n, 2]."""
    angle = np.linspace(0, 2 * np.pi, 2 * points, endpoint=False)
    radius = np.where(np.arange(2 * points) % 2, 0.2, 0.45) * size
    return np.stack([size / 2 + radius * np.cos(angle), size / 2 + radius * np.sin(angle)], 1).astype(np.float32)


def options(n):
    price, strike = RNG.uniform(5, 30, n), RNG.uniform(1, 100, n)
    return np.zeros(n), np.zeros(n), price, strike, RNG.uniform(0.25, 10, n), 0.02, 0.3


def normals(count):
    return lambda n: tuple(RNG.standard_normal(n) for _ in range(count))


def image_points(n):
    """A polygon, and the points of an image, float32[n, n, 2]."""
    return star(12, n), np.stack(np.meshgrid(np.arange(n), np.arange(n)), -1).astype(np.float32)


class Case:
    """One row of the table. `make(scale)` gives fresh arguments; `written` says which of them are results."""

    def __init__(self, module, function, make, small, large, written=(), numpy=None, tolerance=0.0, launch=None,
                 picture=None):
        self.module, self.function, self.make, self.small, self.large = module, function, make, small, large
        self.written, self.numpy, self.tolerance, self.launch, self.picture = written, numpy, tolerance, launch, picture

    def call(self, module, arguments):
        """Calls the function or launches the kernel; returns the results as a list."""
        function = getattr(module, self.function)
        if self.launch:
            function = function[self.launch(*arguments)]
        value = function(*arguments)
        return ([] if value is None else [value]) + [arguments[i] for i in self.written]


def square(n):
    return RNG.standard_normal((n, n))


def blocks_2d(image):
    return ((image.shape[1] + 15) // 16, (image.shape[0] + 15) // 16), (16, 16)


VIEW = (-2.0, 1.0, -1.5, 1.5)
CASES = [
    Case("saxpy", "saxpy", lambda n: (2.5, RNG.standard_normal(n).astype("f4"), np.ones(n, "f4")), 20_000, 4_000_000,
         (2,), lambda a, x, y: np.add(np.float32(a) * x, y, out=y)),
    Case("sum2d", "sum2d", lambda n: (square(n),), 150, 2000, (), lambda a: a.sum(), 1e-12),
    Case("sum2d", "sum2d_parallel", lambda n: (square(n),), 150, 2000, (), lambda a: a.sum(), 1e-12),
    Case("matmul", "matmul_ijk", lambda n: (square(n), square(n), np.zeros((n, n))), 30, 256, (2,),
         lambda a, b, c: np.matmul(a, b, out=c)),
    Case("matmul", "matmul_ikj", lambda n: (square(n), square(n), np.zeros((n, n))), 30, 256, (2,),
         lambda a, b, c: np.matmul(a, b, out=c)),
    Case("matmul", "matmul_parallel", lambda n: (square(n), square(n), np.zeros((n, n))), 30, 256, (2,),
         lambda a, b, c: np.matmul(a, b, out=c)),
    Case("polygon", "polygon_mask", lambda n: (star(12, n), np.zeros((n, n), bool), True), 64, 1024, (1,)),
    Case("polygon", "polygon_mask_parallel", lambda n: (star(12, n), np.zeros((n, n), bool), True), 64, 1024, (1,),
         picture=1),
    Case("polygon", "inside_tuple", lambda n: (((0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0)), 1.0, n / 1e3), 500, 500),
    Case("mandelbrot", "mandelbrot", lambda n: (np.zeros((n, n), "u2"), *VIEW, 100), 48, 1000, (0,)),
    Case("mandelbrot", "mandelbrot_parallel", lambda n: (np.zeros((n, n), "u2"), *VIEW, 100), 48, 1000, (0,), picture=0),
    Case("black_scholes", "black_scholes", options, 2000, 1_000_000, (0, 1), tolerance=1e-12),
    Case("jacobi", "jacobi", lambda n: (square(n), np.zeros((n, n))), 100, 2000, (1,)),
    Case("jacobi", "jacobi_parallel", lambda n: (square(n), np.zeros((n, n))), 100, 2000, (1,)),
    Case("monte_carlo_pi", "monte_carlo_pi", lambda n: (n,), 20_000, 10_000_000, tolerance=0.05),
    Case("monte_carlo_pi", "monte_carlo_pi_parallel", lambda n: (n,), 20_000, 10_000_000, tolerance=0.05),
    Case("histogram", "histogram", lambda n: (RNG.standard_normal(n), -3.0, 3.0, 60), 20_000, 4_000_000, (),
         lambda v, low, high, bins: np.histogram(v, bins, (low, high))[0]),
    Case("minmax", "rescale", lambda n: (RNG.standard_normal(n), np.zeros(n)), 20_000, 4_000_000, (1,),
         lambda v, out: np.divide(v - v.min(), v.max() - v.min(), out=out)),
    Case("ufuncs", "axpy", lambda n: (2.5, *normals(2)(n)), 20_000, 1_000_000, (), lambda a, x, y: a * x + y),
    Case("ufuncs", "gaussian_pdf", lambda n: (*normals(1)(n), 0.5, 2.0), 20_000, 1_000_000, (),
         lambda x, m, s: np.exp(-0.5 * ((x - m) / s) ** 2) / (s * np.sqrt(2 * np.pi)), 1e-13),
    Case("ufuncs", "sin_cos", normals(1), 20_000, 1_000_000, (), lambda x: np.sin(x) * np.cos(x), 1e-13),
    Case("ufuncs", "hypotenuse", normals(2), 20_000, 1_000_000, (), np.hypot, 1e-15),
    Case("ufuncs", "call_price", lambda n: options(n)[2:], 2000, 1_000_000, (), tolerance=1e-12),
    Case("ufuncs", "l2_norm", lambda n: (RNG.standard_normal((n, 100)),), 200, 20_000, (),
         lambda a: np.linalg.norm(a, axis=-1), 1e-13),
    Case("ufuncs", "matmulcore", lambda n: (RNG.standard_normal((n, 8, 8)), RNG.standard_normal((n, 8, 8))), 20, 20_000,
         (), np.matmul, 1e-13),
    Case("ufuncs", "in_polygon", image_points, 48, 1024, ()),
    Case("cuda_saxpy", "saxpy", lambda n: (2.5, RNG.standard_normal(n).astype("f4"), np.ones(n, "f4")), 5_001, 4_000_001,
         (2,), launch=lambda a, x, y: ((len(x) + 127) // 128, 128)),
    Case("cuda_mandelbrot", "mandelbrot", lambda n: (np.zeros((n, n), "u2"), *VIEW, 100), 37, 1000, (0,),
         launch=lambda image, *_: ((4, 4), (16, 16))),
    Case("cuda_polygon", "polygon_mask", lambda n: (star(12, n), np.zeros((n, n), bool), True), 45, 1024, (1,),
         launch=lambda v, mask, b: blocks_2d(mask)),
]


def largest_error(ours, expected):
    """The largest relative difference between two results, inf where the shapes differ."""
    worst = 0.0
    for a, b in zip(ours, expected):
        a, b = np.asarray(a, dtype="f8"), np.asarray(b, dtype="f8")
        if a.shape != b.shape:
            return math.inf
        with np.errstate(invalid="ignore", divide="ignore"):
            scale = np.maximum(np.abs(b), 1e-300)
            difference = np.where((a == b) | (np.isnan(a) & np.isnan(b)), 0.0, np.abs(a - b) / scale)
        worst = max(worst, float(difference.max(initial=0.0)))
    return worst
