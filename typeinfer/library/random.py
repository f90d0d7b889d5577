"""np.random of arrays: numbers one after another, as Numba draws them; shuffles and choices.

Names are those of numpy.py: random_normal_3 is the form with three arguments. python_shuffle is random.shuffle.
Tested by tests/run/test_numpy_library.py and tests/run/test_numpy_random.py.
"""
import random

import numpy as np
from numba import njit


@njit
def filled(size, draw):
    out = np.empty(size)
    for k in range(out.size):
        out.flat[k] = draw()
    return out


@njit
def filled_whole(size, draw):
    out = np.empty(size, dtype=np.int64)
    for k in range(out.size):
        out.flat[k] = draw()
    return out


@njit
def random_rand_1(d0):
    return filled(d0, lambda: np.random.random())


@njit
def random_rand_2(d0, d1):
    return filled((d0, d1), lambda: np.random.random())


@njit
def random_rand_3(d0, d1, d2):
    return filled((d0, d1, d2), lambda: np.random.random())


@njit
def random_randn_1(d0):
    return filled(d0, lambda: np.random.randn())


@njit
def random_randn_2(d0, d1):
    return filled((d0, d1), lambda: np.random.randn())


@njit
def random_randn_3(d0, d1, d2):
    return filled((d0, d1, d2), lambda: np.random.randn())


@njit
def random_random_1(size):
    return filled(size, lambda: np.random.random())


@njit
def random_random_sample_1(size):
    return filled(size, lambda: np.random.random())


@njit
def random_ranf_1(size):
    return filled(size, lambda: np.random.random())


@njit
def random_sample_1(size):
    return filled(size, lambda: np.random.random())


@njit
def random_standard_normal_1(size):
    return filled(size, lambda: np.random.standard_normal())


@njit
def random_standard_exponential_1(size):
    return filled(size, lambda: np.random.standard_exponential())


@njit
def random_standard_cauchy_1(size):
    return filled(size, lambda: np.random.standard_cauchy())


@njit
def random_exponential_2(scale, size):
    return filled(size, lambda: np.random.exponential(scale))


@njit
def random_standard_gamma_2(shape, size):
    return filled(size, lambda: np.random.standard_gamma(shape))


@njit
def random_poisson_2(lam, size):
    return filled_whole(size, lambda: np.random.poisson(lam))


@njit
def random_geometric_2(p, size):
    return filled_whole(size, lambda: np.random.geometric(p))


@njit
def random_chisquare_2(df, size):
    return filled(size, lambda: np.random.chisquare(df))


@njit
def random_pareto_2(a, size):
    return filled(size, lambda: np.random.pareto(a))


@njit
def random_power_2(a, size):
    return filled(size, lambda: np.random.power(a))


@njit
def random_rayleigh_2(scale, size):
    return filled(size, lambda: np.random.rayleigh(scale))


@njit
def random_standard_t_2(df, size):
    return filled(size, lambda: np.random.standard_t(df))


@njit
def random_weibull_2(a, size):
    return filled(size, lambda: np.random.weibull(a))


@njit
def random_normal_3(loc, scale, size):
    return filled(size, lambda: np.random.normal(loc, scale))


@njit
def random_uniform_3(low, high, size):
    return filled(size, lambda: np.random.uniform(low, high))


@njit
def random_gamma_3(shape, scale, size):
    return filled(size, lambda: np.random.gamma(shape, scale))


@njit
def random_beta_3(a, b, size):
    return filled(size, lambda: np.random.beta(a, b))


@njit
def random_laplace_3(loc, scale, size):
    return filled(size, lambda: np.random.laplace(loc, scale))


@njit
def random_logistic_3(loc, scale, size):
    return filled(size, lambda: np.random.logistic(loc, scale))


@njit
def random_lognormal_3(mean, sigma, size):
    return filled(size, lambda: np.random.lognormal(mean, sigma))


@njit
def random_gumbel_3(loc, scale, size):
    return filled(size, lambda: np.random.gumbel(loc, scale))


@njit
def random_triangular_4(left, mode, right, size):
    return filled(size, lambda: np.random.triangular(left, mode, right))


@njit
def random_poisson_lam(lam):
    return np.random.poisson(lam)


@njit
def random_uniform_high(low=0.0, high=1.0, size=None):
    if isinstance(size, (int, tuple, np.int32, np.uint32)):
        return filled(size, lambda: np.random.uniform(low, high))
    return np.random.uniform(low, high)


@njit
def random_randint_high(low, high, size=None):
    if isinstance(size, (int, tuple, np.int32, np.uint32)):
        return random_randint_3(low, high, size)
    return np.random.randint(low, high)


@njit
def random_randint_3(low, high, size):
    return filled_whole(size, lambda: np.random.randint(low, high))


@njit
def random_shuffle(x):
    shuffle_by(x, lambda n: np.random.randint(0, n))


@njit
def python_shuffle(x):
    shuffle_by(x, lambda n: random.randrange(n))


@njit
def shuffle_by(x, draw):
    i = len(x) - 1
    while i > 0:
        j = draw(i + 1)
        if x.ndim == 1:
            x[i], x[j] = x[j], x[i]
        else:
            row = x[i].copy()
            x[i] = x[j]
            x[j] = row
        i -= 1


@njit
def random_permutation(x):
    if x.ndim == 0:
        order = np.arange(x)
        random_shuffle(order)
        return order
    else:
        out = x.copy()
        random_shuffle(out)
        return out


@njit
def source_of(a):
    if a.ndim == 0:
        return np.arange(a)
    return a


@njit
def chosen(source, size, replace):
    out = np.empty(size, dtype=source.dtype)
    if replace:
        for k in range(out.size):
            out.flat[k] = source[np.random.randint(0, len(source))]
        return out
    if out.size > len(source):
        raise ValueError("Cannot take a larger sample than population when 'replace=False'")
    mixed = random_permutation(source)
    for k in range(out.size):
        out.flat[k] = mixed[k]
    return out


@njit
def random_choice(a, size=None, replace=True):
    source = source_of(a)
    if isinstance(size, (int, tuple, np.int32, np.uint32)):
        return chosen(source, size, replace)
    return source[np.random.randint(0, len(source))]


# ---- distributions made of others ---------------------------------------------------------------


@njit
def random_f(dfnum, dfden):
    return np.random.chisquare(dfnum) * dfden / (np.random.chisquare(dfden) * dfnum)


@njit
def random_f_3(dfnum, dfden, size):
    return filled(size, lambda: random_f(dfnum, dfden))


@njit
def random_noncentral_chisquare(df, nonc):
    if df <= 0:
        raise ValueError("df <= 0")
    if nonc < 0:
        raise ValueError("nonc < 0")
    if nonc == 0:
        return np.random.chisquare(df)
    if df > 1:
        rest = np.random.chisquare(df - 1)
        return rest + (np.random.standard_normal() + np.sqrt(nonc)) ** 2
    return np.random.chisquare(df + 2 * np.random.poisson(nonc / 2))


@njit
def random_noncentral_chisquare_3(df, nonc, size):
    return filled(size, lambda: random_noncentral_chisquare(df, nonc))


@njit
def random_negative_binomial(n, p):
    if n <= 0:
        raise ValueError("negative_binomial(): n <= 0")
    if p < 0.0 or p > 1.0:
        raise ValueError("negative_binomial(): p outside of [0, 1]")
    return np.random.poisson(np.random.gamma(n, (1.0 - p) / p))


@njit
def random_hypergeometric(ngood, nbad, nsample):
    """Kinds are drawn one after another, as NumPy once did."""
    others = int(nbad) + int(ngood) - int(nsample)
    left = float(min(nbad, ngood))
    fewer = left
    count = int(nsample)
    while left > 0.0 and count > 0:
        left -= np.floor(np.random.random() + left / (others + count))
        count -= 1
    found = int(fewer - left)
    return int(nsample) - found if ngood > nbad else found


@njit
def random_hypergeometric_4(ngood, nbad, nsample, size):
    return filled_whole(size, lambda: random_hypergeometric(ngood, nbad, nsample))


@njit
def random_wald(mean, scale):
    if mean <= 0.0:
        raise ValueError("wald(): mean <= 0")
    if scale <= 0.0:
        raise ValueError("wald(): scale <= 0")
    y = np.random.standard_normal()
    y = mean * y * y
    x = mean + mean / (2.0 * scale) * (y - np.sqrt(4 * scale * y + y * y))
    return x if np.random.random() <= mean / (mean + x) else mean * mean / x


@njit
def random_wald_3(mean, scale, size):
    return filled(size, lambda: random_wald(mean, scale))


@njit
def random_zipf(a):
    if a <= 1.0:
        raise ValueError("zipf(): a <= 1")
    power = a - 1.0
    b = 2.0 ** power
    while True:
        u = 1.0 - np.random.random()
        v = np.random.random()
        x = np.floor(u ** (-1.0 / power))
        if x > 9223372036854774784.0 or x < 1.0:
            continue
        t = (1.0 + 1.0 / x) ** power
        if v * x * (t - 1.0) / (b - 1.0) <= t / b:
            return int(x)


@njit
def random_zipf_2(a, size):
    return filled_whole(size, lambda: random_zipf(a))


@njit
def random_logseries(p):
    if p <= 0.0 or p > 1.0:
        raise ValueError("logseries(): p outside of (0, 1]")
    r = np.log(1.0 - p)
    while True:
        v = np.random.random()
        if v >= p:
            return 1
        q = 1.0 - np.exp(r * np.random.random())
        if v <= q * q:
            return int(1.0 + np.log(v) / np.log(q))
        return 1 if v >= q else 2


@njit
def random_logseries_2(p, size):
    return filled_whole(size, lambda: random_logseries(p))


@njit
def random_vonmises(mu, kappa):
    if kappa <= 1e-6:
        return 2.0 * np.pi * np.random.random()
    s = 0.5 / kappa
    r = s + np.sqrt(1.0 + s * s)
    while True:
        z = np.cos(np.pi * np.random.random())
        d = z / (r + z)
        u = np.random.random()
        if u < 1.0 - d * d or u <= (1.0 - d) * np.exp(d):
            break
    q = 1.0 / r
    turn = np.arccos((q + z) / (1.0 + q * z))
    return (mu + turn if np.random.random() > 0.5 else mu - turn) % (2.0 * np.pi)


@njit
def random_vonmises_3(mu, kappa, size):
    return filled(size, lambda: random_vonmises(mu, kappa))


@njit
def random_dirichlet(alpha):
    out = np.empty(len(alpha))
    for k in range(len(alpha)):
        if alpha[k] <= 0:
            raise ValueError("dirichlet: alpha must be > 0.0")
        out[k] = np.random.gamma(alpha[k], 1.0)
    return out / np.sum(out)


@njit
def random_dirichlet_2(alpha, size):
    out = np.empty((size, len(alpha)))
    for k in range(size):
        out[k] = random_dirichlet(alpha)
    return out


# ---- binomial: inversion for small means, Kachitvichyanukul and Schmeiser's BTPE for large ones --


@njit
def by_inversion(n, p):
    q = 1.0 - p
    first = q ** n
    most = min(float(n), n * p + 10.0 * np.sqrt(n * p * q + 1))
    while True:
        x = 0
        u = np.random.random()
        chance = first
        while x <= most:
            if u <= chance:
                return x
            u -= chance
            x += 1
            chance = (n - x + 1) * p * chance / (x * q)


@njit
def stirling(x):
    square = x * x
    return (13680.0 - (462.0 - (132.0 - (99.0 - 140.0 / square) / square) / square) / square) / x / 166320.0


@njit
def is_under(v, y, n, r, middle, spread):
    """Whether the point of the height v lies under the curve at y."""
    q = 1.0 - r
    k = abs(y - middle)
    if k <= 20 or k >= spread / 2.0 - 1:
        s = r / q
        a = s * (n + 1)
        height = 1.0
        for i in range(middle + 1, y + 1):
            height *= a / i - s
        for i in range(y + 1, middle + 1):
            height /= a / i - s
        return v <= height
    rho = k / spread * ((k * (k / 3.0 + 0.625) + 0.16666666666666666) / spread + 0.5)
    t = -k * k / (2 * spread)
    log = np.log(v)
    if log < t - rho:
        return True
    if log > t + rho:
        return False
    x1, f1, z, w = float(y + 1), float(middle + 1), float(n + 1 - middle), float(n - y + 1)
    bound = (middle + 0.5) * np.log(f1 / x1) + (n - middle + 0.5) * np.log(z / w) + (y - middle) * np.log(w * r / (x1 * q))
    return log <= bound + stirling(f1) + stirling(z) + stirling(x1) + stirling(w)


@njit
def by_rejection(n, r):
    q = 1.0 - r
    top = n * r + r
    middle = int(np.floor(top))
    spread = n * r * q
    half = np.floor(2.195 * np.sqrt(spread) - 4.6 * q) + 0.5
    center = middle + 0.5
    left, right = center - half, center + half
    c = 0.134 + 20.5 / (15.3 + middle)
    a = (top - left) / (top - left * r)
    falling = a * (1.0 + a / 2.0)
    a = (right - top) / (right * q)
    rising = a * (1.0 + a / 2.0)
    box = half * (1.0 + 2.0 * c)
    third = box + c / falling
    whole = third + c / rising
    while True:
        u = np.random.random() * whole
        v = np.random.random()
        if u <= half:
            return int(np.floor(center - half * v + u))
        if u <= box:
            x = left + (u - half) / c
            v = v * c + 1.0 - abs(middle - x + 0.5) / half
            if v > 1.0:
                continue
            y = int(np.floor(x))
        elif v == 0.0:
            continue
        elif u <= third:
            y = int(np.floor(left + np.log(v) / falling))
            if y < 0:
                continue
            v = v * (u - box) * falling
        else:
            y = int(np.floor(right - np.log(v) / rising))
            if y > n:
                continue
            v = v * (u - third) * rising
        if is_under(v, y, n, r, middle, spread):
            return y


@njit
def random_binomial(n, p):
    if n < 0:
        raise ValueError("binomial(): n <= 0")
    if not (p >= 0.0 and p <= 1.0):
        raise ValueError("binomial(): p outside of [0, 1]")
    if p == 0.0 or n == 0:
        return 0
    if p == 1.0:
        return n
    r = min(p, 1.0 - p)
    x = by_rejection(n, r) if n * r > 30.0 else by_inversion(n, r)
    return n - x if p > 0.5 else x


@njit
def random_binomial_3(n, p, size):
    return filled_whole(size, lambda: random_binomial(n, p))


@njit
def random_multinomial(n, pvals):
    out = np.zeros(len(pvals), dtype=np.int64)
    deal(n, pvals, out)
    return out


@njit
def random_multinomial_3(n, pvals, size):
    out = np.zeros((size, len(pvals)), dtype=np.int64)
    for k in range(size):
        deal(n, pvals, out[k])
    return out


@njit
def deal(n, pvals, out):
    rest, left = 1.0, n
    for j in range(len(pvals) - 1):
        out[j] = random_binomial(left, pvals[j] / rest)
        left -= out[j]
        if left <= 0:
            return
        rest -= pvals[j]
    out[-1] = left
