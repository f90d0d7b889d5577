"""Series of measurements and prices."""
import math

from numba import njit, prange


@njit("void(float64[:], int64, float64[:], float64[:])")
def rolling_std(values, window, mean, std):
    """Mean and standard deviation of the last `window` values; nan until there are as many."""
    for i in range(len(values)):
        if i < window - 1:
            mean[i] = math.nan
            std[i] = math.nan
            continue
        total = 0.0
        for k in range(i - window + 1, i + 1):
            total += values[k]
        centre = total / window
        squares = 0.0
        for k in range(i - window + 1, i + 1):
            squares += (values[k] - centre) ** 2
        mean[i] = centre
        std[i] = math.sqrt(squares / (window - 1))


@njit("void(float64[:,:], float64[:])")
def max_drawdown(prices, out):
    """The largest fall from a peak in every column, as a share of the peak."""
    for c in range(prices.shape[1]):
        peak = prices[0, c]
        worst = 0.0
        for t in range(1, prices.shape[0]):
            if prices[t, c] > peak:
                peak = prices[t, c]
            else:
                worst = max(worst, (peak - prices[t, c]) / peak)
        out[c] = worst


@njit("void(float32[:,::1], float32[::1], float32[:,::1])", parallel=True)
def iir(signal, coefficients, out):
    """A filter of two poles and two zeros, b0 b1 b2 a1 a2, over every channel."""
    b0, b1, b2 = coefficients[0], coefficients[1], coefficients[2]
    a1, a2 = coefficients[3], coefficients[4]
    for c in prange(signal.shape[0]):
        z1 = b0 * 0
        z2 = b0 * 0
        for t in range(signal.shape[1]):
            x = signal[c, t]
            y = b0 * x + z1
            z1 = b1 * x - a1 * y + z2
            z2 = b2 * x - a2 * y
            out[c, t] = y


@njit("int64(float64[:], float64)")
def find_interval(grid, x):
    """The last i with grid[i] <= x, between 0 and the last interval."""
    low = 0
    high = grid.shape[0] - 1
    while high - low > 1:
        middle = (low + high) // 2
        if grid[middle] <= x:
            low = middle
        else:
            high = middle
    return low


@njit("void(float64[:], float64[:], float64[:], float64[:])")
def interpolate(grid, heights, x, out):
    """A line through the points of a grid, at every x; level beyond its ends."""
    for i in range(len(x)):
        if x[i] <= grid[0]:
            out[i] = heights[0]
        elif x[i] >= grid[-1]:
            out[i] = heights[-1]
        else:
            k = find_interval(grid, x[i])
            share = (x[i] - grid[k]) / (grid[k + 1] - grid[k])
            out[i] = heights[k] + share * (heights[k + 1] - heights[k])
