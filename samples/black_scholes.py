"""Prices of European options by the formula of Black and Scholes."""
import math

from numba import njit, prange

RSQRT2PI = 0.39894228040143267793994605993438


@njit
def cnd(d):
    k = 1.0 / (1.0 + 0.2316419 * abs(d))
    poly = k * (0.31938153 + k * (-0.356563782 + k * (
        1.781477937 + k * (-1.821255978 + k * 1.330274429))))
    value = RSQRT2PI * math.exp(-0.5 * d * d) * poly
    if d > 0:
        value = 1.0 - value
    return value


@njit("void(float64[:], float64[:], float64[:], float64[:], float64[:], float64, float64)",
      parallel=True)
def black_scholes(call, put, price, strike, years, rate, volatility):
    for i in prange(len(call)):
        root = math.sqrt(years[i])
        d1 = (math.log(price[i] / strike[i])
              + (rate + 0.5 * volatility * volatility) * years[i]) / (volatility * root)
        d2 = d1 - volatility * root
        n1 = cnd(d1)
        n2 = cnd(d2)
        discount = math.exp(-rate * years[i])
        call[i] = price[i] * n1 - strike[i] * discount * n2
        put[i] = strike[i] * discount * (1.0 - n2) - price[i] * (1.0 - n1)
