"""Universal functions: NumPy calls them for every element, with everything that its own ones have."""
import math

from numba import guvectorize, vectorize


@vectorize(["float32(float32, float32, float32)", "float64(float64, float64, float64)"],
           target="parallel")
def axpy(a, x, y):
    """a * x + y"""
    return a * x + y


@vectorize(["float64(float64, float64, float64)"], target="parallel")
def gaussian_pdf(x, mean, sigma):
    """The density of the normal distribution."""
    t = (x - mean) / sigma
    return math.exp(-0.5 * t * t) / (sigma * math.sqrt(2.0 * math.pi))


@vectorize(["float64(float64)"], target="parallel")
def sin_cos(x):
    return math.sin(x) * math.cos(x)


@vectorize(["float32(float32, float32)", "float64(float64, float64)"], target="parallel")
def hypotenuse(x, y):
    return math.sqrt(x * x + y * y)


@vectorize(["float64(float64)"])
def cnd(d):
    k = 1.0 / (1.0 + 0.2316419 * abs(d))
    poly = k * (0.31938153 + k * (-0.356563782 + k * (
        1.781477937 + k * (-1.821255978 + k * 1.330274429))))
    value = math.exp(-0.5 * d * d) * poly / math.sqrt(2.0 * math.pi)
    return 1.0 - value if d > 0 else value


@vectorize(["float64(float64, float64, float64, float64, float64)"], target="parallel")
def call_price(price, strike, years, rate, volatility):
    """The price of a European call option by the formula of Black and Scholes."""
    root = volatility * math.sqrt(years)
    d = (math.log(price / strike) + (rate + 0.5 * volatility * volatility) * years) / root
    return price * cnd(d) - strike * math.exp(-rate * years) * cnd(d - root)


@guvectorize(["(float64[:], float64[:])"], "(n)->()", target="parallel")
def l2_norm(vector, out):
    total = 0.0
    for value in vector:
        total += value * value
    out[0] = math.sqrt(total)


@guvectorize(["(float64[:,:], float64[:,:], float64[:,:])"], "(m,n),(n,p)->(m,p)", target="parallel")
def matmulcore(a, b, c):
    m, n = a.shape
    for i in range(m):
        for j in range(b.shape[1]):
            c[i, j] = 0.0
        for k in range(n):
            for j in range(b.shape[1]):
                c[i, j] += a[i, k] * b[k, j]


@guvectorize(["(float32[:,:], float32[:], boolean[:])"], "(n,d),(d)->()", target="parallel")
def in_polygon(vertices, point, out):
    """Does the point lie inside? Vertices and point broadcast: one polygon, an image of points."""
    n = vertices.shape[0]
    inside = False
    x1, y1 = vertices[n - 1, 0], vertices[n - 1, 1]
    for i in range(n):
        x2, y2 = vertices[i, 0], vertices[i, 1]
        if (y1 > point[1]) != (y2 > point[1]):
            if point[0] < (x2 - x1) * (point[1] - y1) / (y2 - y1) + x1:
                inside = not inside
        x1, y1 = x2, y2
    out[0] = inside
