"""np.random with sizes: arrays are the numbers that scalar calls draw one after another; NumPy's own where they are the same."""
import numpy as np
import pytest
from conftest import Batch

MADE = Batch("numpy_random")
SCALARS = {"standard_normal": "", "standard_exponential": "", "standard_cauchy": "", "exponential": "2.0", "standard_gamma": "2.0", "poisson": "3.0",
           "geometric": "0.4", "chisquare": "3.0", "pareto": "2.0", "power": "2.0", "rayleigh": "2.0", "standard_t": "4.0", "weibull": "2.0",
           "normal": "1.0, 2.0", "uniform": "-1.0, 3.0", "gamma": "2.0, 3.0", "beta": "1.0, 2.0", "laplace": "1.0, 2.0", "logistic": "1.0, 2.0",
           "lognormal": "0.0, 0.5", "gumbel": "1.0, 2.0", "triangular": "0.0, 1.0, 2.0", "random": "", "ranf": "", "sample": "", "randint": "2, 90"}
for name, arguments in SCALARS.items():
    first = arguments + ", " if arguments else ""
    MADE.add(f'''
@njit("()")
def one_{name}():
    np.random.seed(5)
    out = np.empty(6, dtype=type(np.random.{name}({arguments})))
    np.random.seed(5)
    for k in range(6):
        out[k] = np.random.{name}({arguments})
    return out

@njit("()")
def line_{name}():
    np.random.seed(5)
    return np.random.{name}({first}6)

@njit("()")
def grid_{name}():
    np.random.seed(5)
    return np.random.{name}({first}size=(2, 3))
'''.replace(f"dtype=type(np.random.{name}({arguments}))", f"dtype=np.{'int64' if name in ('poisson', 'geometric', 'randint') else 'float64'}"))
EMPTY = {"np.random.choice(n)": True, "np.random.randint(n, n)": True, "np.random.randint(n)": True, "random.randint(n + 1, n)": True,
         "random.randrange(n)": True, "random.randrange(5, n, 1)": True, "random.randrange(n, 5, -1)": True, "np.random.choice(np.zeros(n))": True,
         "np.random.choice(n, 3)[0]": True, "np.random.randint(n, n, 3)[0]": True, "random.randint(n, n)": False,
         "random.randrange(5, n, -1)": False, "random.randrange(n, 5, 2)": False}
MADE.add("import random\n")
for number, call in enumerate(EMPTY):
    MADE.add(f'@njit("float64(int64)")\ndef draws_{number}(n):\n    return float({call})\n')
MADE.add('''
@njit("()")
def named():
    np.random.seed(5)
    return np.random.uniform(low=1.0, high=2.0), np.random.randint(low=1, high=90), np.random.poisson(lam=3.0)

@njit("()")
def cube():
    np.random.seed(5)
    return np.random.rand(2, 2, 3)

@njit("(float64[:],)")
def permuted(a):
    return np.random.permutation(a)

@njit("(float64[:, :],)")
def rows_permuted(a):
    return np.random.permutation(a)

@njit("(int64,)")
def order(n):
    return np.random.permutation(n)

@njit("(float64[:],)")
def one_of(a):
    return np.random.choice(a)

@njit("(int64, int64)")
def numbers_of(n, count):
    return np.random.choice(n, count)

@njit("(float64[:],)")
def grid_of(a):
    return np.random.choice(a, size=(2, 3))

@njit("(float64[:], int64)")
def some_of(a, count):
    return np.random.choice(a, count, replace=False)

@njit("(float64[:], int64)")
def also_some_of(a, count):
    return np.random.choice(a, count, False)
''')


MIXTURES = {"f": "2.0, 3.0", "wald": "1.0, 2.0", "zipf": "2.5", "logseries": "0.8", "vonmises": "1.0, 2.0", "hypergeometric": "5, 7, 4", "binomial": "20, 0.3"}
for name, arguments in MIXTURES.items():
    whole = name in ("zipf", "logseries", "hypergeometric", "binomial")
    MADE.add(f'''
@njit("()")
def one_{name}():
    np.random.seed(5)
    out = np.empty(6, dtype=np.{"int64" if whole else "float64"})
    for k in range(6):
        out[k] = np.random.{name}({arguments})
    return out

@njit("()")
def line_{name}():
    np.random.seed(5)
    return np.random.{name}({arguments}, 6)

@njit("()")
def grid_{name}():
    np.random.seed(5)
    return np.random.{name}({arguments}, size=(2, 3))
''')
MADE.add('''
@njit("(int64, float64)")
def binomials(n, p):
    np.random.seed(9)
    return np.random.binomial(n, p, 200)

@njit("(int64, float64[:])")
def multinomials(n, p):
    np.random.seed(9)
    return np.random.multinomial(n, p), np.random.multinomial(n, p, 5)

@njit("(float64[:],)")
def dirichlet(a):
    return np.random.dirichlet(a)

@njit("()")
def means():
    np.random.seed(1)
    n = 20000
    return (np.mean(np.random.f(5.0, 8.0, n)), np.mean(np.random.wald(1.5, 2.0, n)), np.mean(np.random.hypergeometric(5, 7, 4, n)),
            np.mean(np.sin(np.random.vonmises(1.0, 4.0, n))), np.mean(np.random.zipf(4.0, n)))

@njit("(int64, float64)")
def negative_binomial(n, p):
    return np.random.negative_binomial(n, p)


@njit("float64(float64, float64)")
def noncentral(df, nonc):
    return np.random.noncentral_chisquare(df, nonc)


@njit("float64[:](int64, float64, float64, int64)")
def noncentrals(seed, df, nonc, n):
    np.random.seed(seed)
    return np.random.noncentral_chisquare(df, nonc, n)
''')


@pytest.mark.parametrize("name", [*SCALARS, *MIXTURES])
def test_sizes(name):
    one_by_one = getattr(MADE, f"one_{name}")()
    line, grid = getattr(MADE, f"line_{name}")(), getattr(MADE, f"grid_{name}")()
    assert line.dtype == one_by_one.dtype and len(set(line.tolist())) > 1
    np.testing.assert_array_equal(line, one_by_one)
    np.testing.assert_array_equal(grid, one_by_one.reshape(2, 3))


def test_names_and_three_sizes():
    low, whole, count = MADE.named()
    assert 1.0 <= low < 2.0 and 1 <= whole < 90 and count >= 0
    np.testing.assert_array_equal(MADE.cube(), MADE.plain.cube())


def test_permutations():
    a = np.arange(50.0)
    mixed = MADE.permuted(a)
    assert sorted(mixed) == a.tolist() and mixed.tolist() != a.tolist() and a.tolist() == sorted(a)
    rows = MADE.rows_permuted(a.reshape(25, 2))
    assert sorted(rows[:, 0]) == a[::2].tolist() and (rows[:, 1] == rows[:, 0] + 1).all() and rows[:, 0].tolist() != a[::2].tolist()
    order = MADE.order(20)
    assert order.dtype == np.int64 and sorted(order) == list(range(20)) and MADE.order(0).shape == (0,)


@pytest.mark.parametrize("n, p", [(20, 0.3), (1, 0.5), (1000, 0.7), (100, 0.5), (10000, 0.01), (10**6, 0.123), (400, 0.999), (7, 0.0), (7, 1.0), (0, 0.5)])
def test_binomials_are_numpys(n, p):
    np.testing.assert_array_equal(MADE.binomials(n, p), MADE.plain.binomials(n, p))


def test_multinomials_are_numpys():
    for p in np.array([0.2, 0.3, 0.5]), np.array([1.0]), np.array([0.5, 0.25, 0.25]):
        for ours, theirs in zip(MADE.multinomials(50, p), MADE.plain.multinomials(50, p)):
            np.testing.assert_array_equal(ours, theirs)


def test_mixtures():
    parts = MADE.dirichlet(np.array([1.0, 2.0, 3.0]))
    assert parts.shape == (3,) and (parts > 0).all() and abs(parts.sum() - 1) < 1e-12
    expected = 8 / 6, 1.5, 4 * 5 / 12, np.sin(1.0) * 0.8635, 1.1106
    np.testing.assert_allclose(MADE.means(), expected, rtol=0.05)
    assert MADE.negative_binomial(3, 0.5) >= 0


def test_noncentral_chisquare():
    """Its mean is df + nonc, its variance 2 (df + 2 nonc); where nonc is 0, it is chisquare."""
    for df, nonc in ((3.0, 2.0), (0.5, 4.0), (1.0, 0.0), (2.5, 0.0)):
        drawn = MADE.noncentrals(7, df, nonc, 200000)
        assert drawn.shape == (200000,) and drawn.min() >= 0
        assert drawn.mean() == pytest.approx(df + nonc, rel=0.02)
        assert drawn.var() == pytest.approx(2 * (df + 2 * nonc), rel=0.05)
    assert MADE.noncentral(3.0, 1.0) >= 0
    for df, nonc, text in ((0.0, 1.0, "df <= 0"), (-1.0, 1.0, "df <= 0"), (1.0, -1.0, "nonc < 0")):
        with pytest.raises(ValueError, match=text):
            MADE.noncentral(df, nonc)
    for arguments in ((-1, 0.5), (3, 1.5), (3, np.nan)):
        with pytest.raises(ValueError, match="binomial()"):
            MADE.binomials(*arguments)


def test_choices():
    a = np.arange(10.0, 20.0)
    assert MADE.one_of(a) in a
    many = MADE.numbers_of(5, 1000)
    assert many.dtype == np.int64 and set(many.tolist()) == set(range(5))
    assert MADE.grid_of(a).shape == (2, 3) and np.isin(MADE.grid_of(a), a).all()
    for some in MADE.some_of, MADE.also_some_of:
        assert sorted(some(a, 10)) == a.tolist() and len(set(some(a, 4))) == 4
        with pytest.raises(ValueError, match="Cannot take a larger sample than population when 'replace=False'"):
            some(a, 11)


@pytest.mark.parametrize("call", EMPTY)
def test_integers_of_an_empty_range(call):
    draws = getattr(MADE, f"draws_{list(EMPTY).index(call)}")
    if EMPTY[call]:
        with pytest.raises(ValueError, match=r"^empty range for randrange\(\)$"):
            draws(0)
    else:
        assert 0 <= draws(0) <= 5


WORDS = Batch("random_words")
WORDS.add('''
@njit("void(int64, float64[:], int64[:], int64[:])")
def mixed(seed, numbers, wholes, every):
    """Doubles take two words, small integers one or, where it is too large, another one."""
    np.random.seed(seed)
    k = 0
    for i in range(len(numbers)):
        numbers[i] = np.random.random()
        if i % every[i % len(every)] == 0:
            wholes[k] = np.random.randint(0, 1 << 20)
            k += 1


@njit("void(int64, float64[:])")
def in_lanes(seed, out):
    np.random.seed(seed)
    for i in range(len(out)):
        x = np.random.random()
        y = np.random.random()
        out[i] = np.exp(-x) * y


@njit("float64[:](int64, int64)")
def twice(seed, n):
    np.random.seed(seed)
    out = np.empty(2 * n)
    for i in range(n):
        out[i] = np.random.random()
    np.random.seed(seed)
    for i in range(n):
        out[n + i] = np.random.random()
    return out
''')


class Twister:
    """The words of NumPy's legacy generator, in order."""

    def __init__(self, seed):
        self.words, self.at = np.random.RandomState(seed).randint(0, 1 << 32, 20000, dtype=np.uint32).astype(np.int64), 0

    def next(self):
        self.at += 1
        return self.words[self.at - 1]

    def double(self):
        high, low = self.next() >> 5, self.next() >> 6
        return float(high * 67108864 + low) / 9007199254740992.0


@pytest.mark.parametrize("every", [[1], [2], [3, 7], [313], [5000], [1, 1, 2, 5]])
def test_seeded_words_come_one_after_the_other(every):
    n = 2000
    numbers, wholes = np.zeros(n), np.zeros(n, np.int64)
    WORDS.mixed(7, numbers, wholes, np.array(every))
    twister, k = Twister(7), 0
    for i in range(n):
        assert numbers[i] == twister.double()
        if i % every[i % len(every)] == 0:
            assert wholes[k] == twister.next() & 0xfffff
            k += 1


@pytest.mark.parametrize("n", [1, 311, 312, 313, 1000])
def test_seeded_doubles(n):
    twister, out = Twister(3), np.zeros(n)
    WORDS.in_lanes(3, out)
    pairs = np.array([(twister.double(), twister.double()) for _ in range(n)])
    np.testing.assert_allclose(out, np.exp(-pairs[:, 0]) * pairs[:, 1], rtol=1e-14)
    both = WORDS.twice(3, n)
    assert both[:n].tolist() == both[n:].tolist() == np.random.RandomState(3).random_sample(n).tolist()
