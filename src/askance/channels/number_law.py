"""Laws of numbers: distributions on the whole line, in whole units on a grid, and by name."""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol, final

import numpy as np
import numpy.typing as npt
from scipy.special import betainc, betaincinv

from askance.random_streams import random_stream
from askance.results import doubles
from askance.typing import Booleans, Floats
from askance_collect.arguments import checked
from askance_collect.errors import InputError, refuse_unknown
from askance_collect.exact.line import Line
from askance_collect.exact.ratio import LARGEST_TOTAL, read_integer, read_ratio

_PROBES = np.concatenate([-np.logspace(300, -300, 601), [0.0], np.logspace(-300, 300, 601)])
_ROUNDING = 1e-9  # by so much may a function of the user's miss 0, 1 or a rise


class ContinuousLaw(Protocol):
    """The interface of a distribution, which SciPy's frozen distributions have."""

    def cdf(self, x: Any, /) -> Any:
        """The chance of a number up to here."""

    def ppf(self, q: Any, /) -> Any:
        """The number that is not exceeded with this chance."""


@final
@dataclass(frozen=True, slots=True)
class CumulativeLaw:
    """A distribution known by its cumulative function alone.

    Attributes
    ----------
    upto : callable
        Takes an array of numbers, gives the chance of a number up to each.

    >>> float(CumulativeLaw(lambda x: np.clip(x / 4, 0, 1)).ppf(0.5))
    2.0
    """

    upto: Callable[[Any], Any]

    def cdf(self, x: npt.ArrayLike) -> Floats:
        """The chance of a number up to here."""
        with np.errstate(all="ignore"):
            return doubles(self.upto(np.asarray(x, dtype=float)), "cumulative function")

    def ppf(self, q: npt.ArrayLike) -> Floats:
        """The least number whose chance is reached, by halving between powers of ten."""
        probabilities = np.asarray(q, dtype=float)
        upto = np.maximum.accumulate(self.cdf(_PROBES))
        above = np.clip(np.searchsorted(upto, probabilities), 1, len(_PROBES) - 1)
        _, high = narrowed(
            lambda points: self.cdf(points) < probabilities, _PROBES[above - 1], _PROBES[above], 64
        )
        return np.where(
            probabilities <= 0, -np.inf, np.where(probabilities > upto[-1], np.inf, high)
        )


def narrowed(
    short: Callable[[Floats], Booleans], low: Floats, high: Floats, times: int
) -> tuple[Floats, Floats]:
    """Bisect many brackets at once, so many times each.

    >>> low, high = narrowed(lambda x: x * x < 2, np.array([0.0]), np.array([2.0]), 60)
    >>> float(high[0]) == 2**0.5
    True
    """
    for _ in range(times):
        middle = low + (high - low) / 2
        below = short(middle)
        low, high = np.where(below, middle, low), np.where(below, high, middle)
    return low, high


def continuous_law(distribution: Any, where: str) -> ContinuousLaw:
    """Take a distribution with `cdf` and `ppf`, or a cumulative function.

    Raises
    ------
    InputError
        If it is neither, the distribution has no median, as where its scale is not positive, or the
        function does not rise from 0 to 1.

    >>> from scipy import stats
    >>> float(continuous_law(stats.norm(2, 1), "prior").cdf(2))
    0.5
    """
    if hasattr(distribution, "cdf") and hasattr(distribution, "ppf"):
        law: ContinuousLaw = distribution
        with np.errstate(all="ignore"):
            middle = law.ppf(0.5)
        if not np.isfinite(middle):
            raise InputError(
                where,
                got="a distribution without a median",
                allowed="one whose parameters are finite and whose scale is above 0",
            )
        return law
    if not callable(distribution):
        raise InputError(
            where,
            got=type(distribution).__name__,
            allowed="a distribution with cdf and ppf, such as scipy.stats.norm(0, 1), or a "
            "cumulative function",
        )
    cumulative = CumulativeLaw(distribution)
    upto = cumulative.cdf(_PROBES)
    rises = upto.shape == _PROBES.shape and bool((upto[1:] >= upto[:-1] - _ROUNDING).all())
    if not rises or abs(upto[0]) > _ROUNDING or abs(upto[-1] - 1) > _ROUNDING:
        raise InputError(
            where,
            got="a function that is not cumulative",
            allowed="a function of an array that never falls, from 0 far below to 1 far above",
        )
    return cumulative


_MOST = 10_000_000  # people that fit in memory


@final
@dataclass(frozen=True, slots=True, init=False)
class DirichletCuts:
    r"""Ranges whose shares of the population are Dirichlet(a, …, a): any coverage above 1 / m.

    .. math:: \tau = \frac{a + 1}{m a + 1}

    Parameters
    ----------
    prior : distribution or callable
        F, of the answers.
    ranges : int
        m, into how many ranges the line is cut.
    concentration : number
        a. Small a leaves one range that holds nearly everybody; large a gives equal shares.

    Raises
    ------
    InputError
        If there are fewer than two ranges or a is not positive.

    References
    ----------
    Ding & Ding (2022), Theorem 1, made constructive.

    >>> from scipy import stats
    >>> DirichletCuts(stats.norm(), 3, 1).coverage
    Fraction(1, 2)
    """

    prior: ContinuousLaw
    ranges: int
    concentration: Fraction

    def __init__(self, prior: Any, ranges: int, concentration: object) -> None:
        shape = read_ratio(concentration, "DirichletCuts.concentration")
        count = read_integer(ranges, "DirichletCuts.ranges", "an integer in [2, ∞)", 2)
        if shape <= 0:
            raise InputError(
                "DirichletCuts.concentration", got=str(shape), allowed="a number in (0, ∞)"
            )
        object.__setattr__(self, "prior", continuous_law(prior, "DirichletCuts.prior"))
        object.__setattr__(self, "ranges", count)
        object.__setattr__(self, "concentration", shape)

    @property
    def coverage(self) -> Fraction:
        """τ, whatever the continuous prior."""
        a = self.concentration
        return (a + 1) / (self.ranges * a + 1)

    @checked
    def draw(self, n: int, *, rng: Any = None) -> Floats:
        """Draw the cuts of n people, ascending; shape (n, ranges − 1).

        Parameters
        ----------
        n : int
        rng : seed or numpy Generator, optional

        Raises
        ------
        InputError
            If n is no whole number of people.
        """
        count = read_integer(n, "n", f"a number of people from 0 to {_MOST:,}", 0, _MOST)
        shares = random_stream(rng, "DirichletCuts.draw").dirichlet(
            np.full(self.ranges, float(self.concentration)), count
        )
        cuts: Floats = self.prior.ppf(np.clip(np.cumsum(shares, axis=1)[:, :-1], 0, 1))
        return cuts


@final
@dataclass(frozen=True, slots=True)
class QuantileLaw:
    r"""The law of :math:`F^{-1}(B)` with B ~ Beta(a, a): cuts among answers, not among numbers.

    Small a spreads the cuts into the tails, large a draws them to the median; a = 1 is a cut at
    another person's number.

    Attributes
    ----------
    prior : distribution
        F, with ``cdf`` and ``ppf``.
    shape : float
        a.

    References
    ----------
    Ding & Ding (2022), Theorem 1, made constructive.

    >>> from scipy import stats
    >>> round(float(QuantileLaw(stats.norm(), 2.0).cdf(0.0)), 12)
    0.5
    """

    prior: ContinuousLaw
    shape: float

    def cdf(self, x: npt.ArrayLike) -> Floats:
        """The chance of a cut up to here."""
        below, above = self.prior.cdf(x), self._beyond(x)
        chance = betainc(self.shape, self.shape, np.minimum(below, above))
        upto: Floats = np.where(below <= above, chance, 1 - chance)
        return upto

    def ppf(self, q: npt.ArrayLike) -> Floats:
        """The point that a cut does not exceed with this chance."""
        probabilities = np.asarray(q, dtype=float)
        tail = betaincinv(self.shape, self.shape, np.minimum(probabilities, 1 - probabilities))
        return np.where(probabilities <= 0.5, self.prior.ppf(tail), self._from_above(tail))

    # A share next to 1 is stored as its distance to 1: small a puts half of the cuts out there.
    def _beyond(self, x: npt.ArrayLike) -> Floats:
        survival = getattr(self.prior, "sf", None)
        tail: Floats = 1 - self.prior.cdf(x) if survival is None else survival(x)
        return tail

    def _from_above(self, tail: Floats) -> Floats:
        inverse_survival = getattr(self.prior, "isf", None)
        point: Floats = (
            self.prior.ppf(1 - tail) if inverse_survival is None else inverse_survival(tail)
        )
        return point


EVEN = "even"
"""The law that treats every tick, or every step, alike."""

UNITS = 1_000_000
"""What the units of a continuous law sum to."""

_LEAST_MASS = 1e-12  # less on the whole line is no more than rounding of a cumulative function


def tick_weights(line: Line, law: Any, where: str = "law", total: int = UNITS) -> tuple[int, ...]:
    """Write the law of one cut as whole weights of the inner ticks, shape (ticks − 1,).

    Each tick takes what a distribution has within half a step of it; cuts beyond the inner ticks
    are drawn anew.

    Parameters
    ----------
    line : Line
    law : "even", distribution, callable, or sequence of number of shape (ticks − 1,)
    where : str
        What an error calls the law.
    total : int
        What the weights of a distribution sum to.

    Raises
    ------
    InputError
        If the law has no mass between the ends of the line, or is none.

    >>> from scipy import stats
    >>> tick_weights(Line(0, 80, 20), stats.logistic(50, 10), total=100)
    (12, 44, 44)
    """
    if isinstance(law, str | Sequence):
        return _read_listed_law(law, line.ticks - 1, "inner ticks", where)
    ends = _first_border(line) + (np.arange(line.ticks) + 0.5) * float(line.step)
    upto = np.asarray(continuous_law(law, where).cdf(ends), dtype=float)
    if not upto[-1] - upto[0] > _LEAST_MASS:
        raise _empty_law_error(line, where)
    return _round_weights((upto - upto[0]) / (upto[-1] - upto[0]), total)


def step_sizes(line: Line, law: Any, where: str = "sizes") -> tuple[int, ...]:
    """Write a law of answers as whole sizes of the steps of a line, shape (ticks,).

    The outer steps are open-ended: they take what lies beyond the ends. On a line of whole numbers
    a law with a density is that of the nearest whole number.

    Raises
    ------
    InputError
        If the law has no mass between the ends of the line, or is none.

    >>> from scipy import stats
    >>> step_sizes(Line(0, 4, 1), stats.uniform(-1, 4))
    (500000, 250000, 250000, 0)
    """
    if isinstance(law, str | Sequence):
        return _read_listed_law(law, line.ticks, "steps", where)
    read = continuous_law(law, where)
    ends = np.array([0, line.ticks]) * float(line.step) + _first_border(line)
    end_chances = np.asarray(read.cdf(ends), dtype=float)
    if not end_chances[1] - end_chances[0] > _LEAST_MASS:
        raise _empty_law_error(line, where)
    inner = read.cdf(_first_border(line) + np.arange(1, line.ticks) * float(line.step))
    return _round_weights(np.concatenate([[0.0], np.asarray(inner, dtype=float), [1.0]]), UNITS)


def _first_border(line: Line) -> float:
    """Where a law with a density passes to the first step: it is rounded to whole numbers."""
    return float(line.value_at(0)) + line.spacing / 2


def _round_weights(upto: Floats, total: int) -> tuple[int, ...]:
    return tuple(np.diff(np.rint(upto * total).astype(np.int64)).tolist())


def _read_listed_law(law: Any, count: int, of: str, where: str) -> tuple[int, ...]:
    """Read one number for each tick or step; fractions become whole in the same proportions."""
    if law == EVEN:
        return (1,) * count
    read = [] if isinstance(law, str) else [read_ratio(weight, where) for weight in law]
    if len(read) != count or not sum(read) or min(read) < 0:
        raise InputError(
            where,
            got=law if isinstance(law, str) else f"{len(read)} numbers",
            allowed=f'"{EVEN}", a distribution, or {count} non-negative numbers, '
            f"one for each of the {of}, not all zero",
        )
    scale = math.lcm(*(weight.denominator for weight in read))
    units = tuple(int(weight * scale) for weight in read)
    if sum(units) > LARGEST_TOTAL:
        raise InputError(where, got="too fine chances", allowed="whole units of at most 2^-48")
    return units


def _empty_law_error(line: Line, where: str) -> InputError:
    return InputError(
        where,
        got=f"a law with nothing between {line.lower} and {line.upper}",
        allowed="a law with mass on the line",
        remedy="check its location, scale and unit",
    )


LawBuilder = Callable[..., Any]


_WRITTEN = re.compile(r'\{ name = "(\w+)", (\w+) = (\S+), (\w+) = (\S+) \}')


def _normal(mean: float, sd: float) -> Any:
    from scipy.stats import norm

    return norm(mean, sd)


def _logistic(mean: float, sd: float) -> Any:
    from scipy.stats import logistic

    return logistic(mean, sd * 3**0.5 / np.pi)


def _lognormal(median: float, spread: float) -> Any:
    from scipy.stats import lognorm

    return lognorm(np.log(spread), scale=median)


def _uniform(lower: float, upper: float) -> Any:
    from scipy.stats import uniform

    return uniform(lower, upper - lower)


_NAMED: Mapping[
    str, tuple[LawBuilder, tuple[str, str], Callable[[Fraction, Fraction], bool], str]
] = {
    "normal": (_normal, ("mean", "sd"), lambda _, sd: sd > 0, "sd above 0"),
    "logistic": (_logistic, ("mean", "sd"), lambda _, sd: sd > 0, "sd above 0"),
    "lognormal": (
        _lognormal,
        ("median", "spread"),
        lambda median, spread: median > 0 and spread > 1,
        "median above 0 and spread above 1",
    ),
    "uniform": (_uniform, ("lower", "upper"), lambda low, high: low < high, "lower below upper"),
}


@final
@dataclass(frozen=True, slots=True)
class NamedLaw:
    """A distribution written as in a survey file.

    ``normal`` and ``logistic`` have a mean and a standard deviation; ``lognormal`` a median and the
    factor, ``spread``, between the median and the 84th hundredth; ``uniform`` its ends.

    Attributes
    ----------
    name : str
    parameters : tuple of (str, Fraction)

    >>> read_law({"name": "normal", "mean": 45, "sd": 15}, "law").cdf(45)
    array(0.5)
    """

    name: str
    parameters: tuple[tuple[str, Fraction], ...]

    def cdf(self, x: npt.ArrayLike) -> Floats:
        """The chance of a number up to here."""
        return np.asarray(self._frozen().cdf(x), dtype=float)

    def ppf(self, q: npt.ArrayLike) -> Floats:
        """The number that is not exceeded with this chance."""
        return np.asarray(self._frozen().ppf(q), dtype=float)

    def _frozen(self) -> Any:
        return _NAMED[self.name][0](*(float(value) for _, value in self.parameters))

    def __str__(self) -> str:
        texts = [f'name = "{self.name}"', *(f"{key} = {value}" for key, value in self.parameters)]
        return f"{{ {', '.join(texts)} }}"


def read_law(written: Any, where: str) -> Any:
    """Read a law as a survey file or a person at a keyboard writes it.

    A table with a name becomes a `NamedLaw`, a list or an array a tuple; anything else stays as it
    is, and is read when the line is known.

    Raises
    ------
    InputError
        If the name, or a parameter, is unknown or out of its range.

    >>> print(read_law({"name": "lognormal", "median": 30000, "spread": "5/2"}, "sizes"))
    { name = "lognormal", median = 30000, spread = 5/2 }
    >>> read_law([1, 2], "law"), read_law("even", "law")
    ((1, 2), 'even')
    """
    if isinstance(written, list | np.ndarray):
        return tuple(np.asarray(written).tolist() if isinstance(written, np.ndarray) else written)
    if not isinstance(written, Mapping):
        return written
    name = str(written.get("name", "no name"))
    refuse_unknown(where, name, _NAMED)
    _, keys, fits, allowed = _NAMED[name]
    if set(written) != {"name", *keys}:
        raise InputError(
            where, got=", ".join(map(str, written)), allowed=f"name, {', '.join(keys)}"
        )
    values = [read_ratio(written[key], where) for key in keys]
    if not fits(*values):
        raise InputError(where, got=", ".join(map(str, values)), allowed=allowed)
    return NamedLaw(name, tuple(zip(keys, values, strict=True)))


def law_written(law: Any) -> str:
    """Write a law as a survey file would, or say what it is.

    >>> law_written("even"), law_written((1, 2))
    ('even', '[1, 2]')
    """
    if isinstance(law, tuple):
        return f"[{', '.join(map(str, law))}]"
    if hasattr(law, "dist") and hasattr(law, "args"):
        arguments = [*map(str, law.args), *(f"{key}={value}" for key, value in law.kwds.items())]
        return f"{law.dist.name}({', '.join(arguments)})"
    return str(law) if isinstance(law, str | NamedLaw) else type(law).__name__


def law_read(written: str, where: str) -> Any:
    """Read a law back from how `law_written` wrote what a survey file can say.

    Raises
    ------
    InputError
        If it is not so written.

    >>> law = read_law({"name": "lognormal", "median": 30000, "spread": "5/2"}, "sizes")
    >>> law_read(law_written(law), "sizes") == law
    True
    >>> law_read("even", "law"), law_read("[1, 1/2]", "law")
    ('even', ('1', '1/2'))
    """
    if named := _WRITTEN.fullmatch(written):
        name, *pairs = named.groups()
        return read_law({"name": name, **dict(zip(pairs[::2], pairs[1::2], strict=True))}, where)
    if written[:1] == "[" and written[-1:] == "]":
        return tuple(written[1:-1].split(", "))
    return written
