"""Loops that end after a different number of steps for every element."""
import math

from numba import njit, prange


@njit("void(uint8[:,:], float64, float64, float64, int64)", parallel=True)
def julia(image, cx, cy, radius, limit):
    """Steps until z * z + c leaves the circle of radius 2, from every pixel."""
    height, width = image.shape
    for row in prange(height):
        for column in range(width):
            x = (2.0 * column / width - 1.0) * radius
            y = (2.0 * row / height - 1.0) * radius
            count = 0
            while x * x + y * y <= 4.0 and count < limit:
                x, y = x * x - y * y + cx, 2.0 * x * y + cy
                count += 1
            image[row, column] = count


@njit("void(int32[:,:], float64, int64)")
def newton_fractal(basin, radius, limit):
    """The cube root of one to which Newton's method leads from every pixel: 0, 1 or 2, or -1 for none."""
    height, width = basin.shape
    second = complex(-0.5, 0.5 * math.sqrt(3.0))
    third = complex(-0.5, -0.5 * math.sqrt(3.0))
    for row in range(height):
        for column in range(width):
            z = complex((2.0 * (column + 0.5) / width - 1.0) * radius, (2.0 * (row + 0.5) / height - 1.0) * radius)
            found = -1
            for _ in range(limit):
                z -= (z * z * z - 1.0) / (3.0 * z * z)
                if abs(z - 1.0) < 1e-6:
                    found = 0
                    break
                if abs(z - second) < 1e-6:
                    found = 1
                    break
                if abs(z - third) < 1e-6:
                    found = 2
                    break
            basin[row, column] = found


@njit("void(int64, int32[::1])", parallel=True)
def collatz_lengths(first, lengths):
    """Steps of the Collatz sequence down to 1, from every number beginning with `first`."""
    for i in prange(len(lengths)):
        n = first + i
        steps = 0
        while n != 1:
            if n % 2 == 0:
                n = n // 2
            else:
                n = 3 * n + 1
            steps += 1
        lengths[i] = steps


@njit("void(float64[:], float64[:], float64)")
def lambert_w(y, out, tolerance):
    """Solves x * exp(x) = y for every y >= 0 by bisection."""
    for i in range(y.shape[0]):
        low = 0.0
        high = math.log(1.0 + y[i]) + 1e-12
        while high - low > tolerance:
            middle = 0.5 * (low + high)
            if middle * math.exp(middle) < y[i]:
                low = middle
            else:
                high = middle
        out[i] = 0.5 * (low + high)


@njit("float64(float64, float64)")
def eccentric_anomaly(mean, eccentricity):
    """Solves Kepler's equation by Newton's method."""
    angle = mean if eccentricity < 0.8 else math.pi
    for _ in range(50):
        delta = (angle - eccentricity * math.sin(angle) - mean) / (1.0 - eccentricity * math.cos(angle))
        angle -= delta
        if abs(delta) < 1e-12:
            break
    return angle


@njit("void(float64[::1], float64[::1], float64[::1])", parallel=True)
def kepler(mean, eccentricity, out):
    """The eccentric anomaly of every orbit."""
    for i in prange(mean.size):
        out[i] = eccentric_anomaly(mean[i], eccentricity[i])


@njit("void(float64[::1], float64, float64, float64[:,::1], int32[::1])")
def van_der_pol(mu, end, tolerance, state, steps):
    """Van der Pol oscillators, integrated with steps of Heun and Euler that follow the error."""
    for i in range(mu.shape[0]):
        m = mu[i]
        t = 0.0
        h = 0.01
        x = 2.0
        v = 0.0
        count = 0
        while t < end and count < 100000:
            if t + h > end:
                h = end - t
            ax = v
            av = m * (1.0 - x * x) * v - x
            x1 = x + h * ax
            v1 = v + h * av
            bx = v1
            bv = m * (1.0 - x1 * x1) * v1 - x1
            error = 0.5 * h * max(abs(bx - ax), abs(bv - av))
            if error <= tolerance:
                t += h
                x += 0.5 * h * (ax + bx)
                v += 0.5 * h * (av + bv)
            h *= min(2.0, max(0.2, 0.9 * math.sqrt(tolerance / (error + 1e-300))))
            count += 1
        state[i, 0] = x
        state[i, 1] = v
        steps[i] = count
