"""Scrambled numbers: means and totals from numbers that respondents multiplied and added to."""

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from askance.arguments import checked
from askance.errors import InputError, NotIdentified
from askance.inference.regression.coefficients import Margins, normal_margins
from askance.results import Listing, json_of, listed, normal_quantile, number, numbers, read_only
from askance.typing import Floats, Json

Moments = tuple[float, float]
"""Mean and standard deviation."""

_MOST = 1e100  # whose square has a square
_LEAST = 1e-15  # the smallest chance to be asked, for as many people as a population may have


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Scrambling:
    r"""A scrambled response design, as far as means of reports depend on it.

    .. math:: z = y \text{ with chance } p, \quad S y + T \text{ otherwise}

    Made by the class methods, which are named for who proposed the design. No ε is told here: what
    is known of S and T are moments. A factor alone hides no 0, since S · 0 = 0, and where the
    number itself is told with a chance, it stands among the reports: neither has a finite loss.

    Attributes
    ----------
    name : str
    told : float
        p.
    factor, factor_square : float
        Mean of S, and of S².
    added, added_square : float
        Mean of T, and of T².
    both : float
        Mean of S T.

    >>> from askance.inference import Scrambling
    >>> Scrambling.eichhorn_hayre(factor=(1, 0.5)).factor_square
    1.25
    """

    name: str
    told: float
    factor: float
    factor_square: float
    added: float
    added_square: float
    both: float

    def __post_init__(self) -> None:
        _chance(self.told, "Scrambling.told")
        spreads = np.sqrt([self.factor_square, self.added_square]) * (1 + 1e-9)
        means = np.abs([self.factor, self.added])
        if not (spreads < _MOST).all() or not (means <= spreads).all():
            got = f"mean squares {self.factor_square:g} and {self.added_square:g}"
            raise InputError("Scrambling", got=got, allowed="at least the squares of the means")
        if not abs(self.both) <= spreads.prod():
            allowed = "at most the root of both mean squares"
            raise InputError("Scrambling.both", got=self.both, allowed=allowed)
        if abs(self.scale) < 1e-12:
            raise NotIdentified(
                "Scrambling",
                got="reports whose mean does not depend on the number",
                allowed="a factor of another mean",
            )

    @classmethod
    @checked
    def eichhorn_hayre(cls, *, factor: Moments) -> "Scrambling":
        """Multiply by a factor: z = S y (Eichhorn & Hayre, 1983)."""
        return _independent("Eichhorn–Hayre", 0.0, factor, (0.0, 0.0))

    @classmethod
    @checked
    def bar_lev(cls, *, told: float, factor: Moments) -> "Scrambling":
        """Tell the number with a chance, else multiply it (Bar-Lev, Bobovitch & Boukai, 2004)."""
        return _independent("Bar-Lev", told, factor, (0.0, 0.0))

    @classmethod
    @checked
    def pollock_bek(cls, *, added: Moments) -> "Scrambling":
        """Add a number: z = y + T (Pollock & Bek, 1976)."""
        return _independent("Pollock–Bek", 0.0, (1.0, 0.0), added)

    @classmethod
    @checked
    def saha(cls, *, factor: Moments, added: Moments) -> "Scrambling":
        """Add and then multiply: z = W (y + U) (Saha, 2007)."""
        return _together("Saha", 0.0, factor, added, 1.0, 1.0)

    @classmethod
    @checked
    def diana_perri_1(cls, *, told: float, factor: Moments, added: Moments) -> "Scrambling":
        """Tell the number with a chance, else z = W (y + U) (Diana & Perri, 2010)."""
        return _together("Diana–Perri 1", told, factor, added, 1.0, 1.0)

    @classmethod
    @checked
    def diana_perri_2(cls, *, weight: float, factor: Moments, added: Moments) -> "Scrambling":
        """Mix and then multiply: z = W (β U + (1 − β) y), with weight β (Diana & Perri, 2010)."""
        beta = _chance(weight, "Scrambling.weight")
        return _together("Diana–Perri 2", 0.0, factor, added, 1 - beta, beta)

    @property
    def scale(self) -> float:
        """What the mean report rises by where the number rises by 1."""
        return self.told + (1 - self.told) * self.factor

    @checked
    def unscramble(self, reports: Any) -> Floats:
        """Give each report's unbiased estimate of its number: (z − (1 − p) E T) / scale.

        Raises
        ------
        InputError
            If a report is missing or infinite, or above 10¹⁰⁰.
        """
        held = numbers(reports, "reports")
        odd = held[~(np.abs(held) <= _MOST)]
        if odd.size:
            allowed = "numbers in [-1e100, 1e100]"
            raise InputError("reports", got=float(odd[0]), allowed=allowed)
        return read_only((held - (1 - self.told) * self.added) / self.scale)

    @checked
    def variance(self, mean: float, mean_square: float) -> float:
        """What scrambling adds to one unscrambled report's variance, given moments of the number.

        (E z² − E (E z | y)²) / scale², with E z² = (p + q E S²) E y² + 2 q E ST E y + q E T².

        Raises
        ------
        InputError
            If the mean square is below the squared mean.
        """
        if not mean * mean * (1 - 1e-12) <= mean_square < _MOST:
            got = f"{mean_square} beside a mean of {mean}"
            allowed = f"at least the squared mean, {mean * mean}, and below 1e100"
            raise InputError("mean_square", got=got, allowed=allowed)
        q = 1 - self.told
        square = (self.told + q * self.factor_square) * mean_square
        square += 2 * q * self.both * mean + q * self.added_square
        line = self.scale**2 * mean_square + 2 * self.scale * q * self.added * mean
        return (square - line - (q * self.added) ** 2) / self.scale**2


def _independent(name: str, told: float, factor: Moments, added: Moments) -> Scrambling:
    (s, spread), (t, noise) = _moments(factor, "factor"), _moments(added, "added")
    return Scrambling(
        name=name,
        told=_chance(told, "Scrambling.told"),
        factor=s,
        factor_square=s * s + spread**2,
        added=t,
        added_square=t * t + noise**2,
        both=s * t,
    )


def _together(
    name: str, told: float, factor: Moments, added: Moments, own: float, other: float
) -> Scrambling:
    """W (a y + b U): both parts share the factor."""
    (w, spread), (u, noise) = _moments(factor, "factor"), _moments(added, "added")
    square = w * w + spread**2
    return Scrambling(
        name=name,
        told=_chance(told, "Scrambling.told"),
        factor=own * w,
        factor_square=own**2 * square,
        added=other * w * u,
        added_square=other**2 * square * (u * u + noise**2),
        both=own * other * square * u,
    )


def _moments(given: Moments, where: str) -> Moments:
    mean, spread = map(float, given)
    if not (np.isfinite([mean, spread]).all() and spread >= 0 and abs(mean) + spread < 1e50):
        allowed = "a mean, and a standard deviation of at least 0, below 10⁵⁰"
        raise InputError(f"Scrambling.{where}", got=given, allowed=allowed)
    return mean, spread


def _chance(given: float, where: str) -> float:
    if not 0 <= given < 1:
        raise InputError(where, got=given, allowed="a number in [0, 1)")
    return float(given)


@final
@listed
@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class ScrambledMean:
    """The mean of numbers that were scrambled.

    Attributes
    ----------
    design : str
    value, se, lower, upper : float
        The mean, its standard error and normal interval.
    total, total_se : float
        Of the population; NaN where its size is not known.
    deviation : float
        The estimated standard deviation of the numbers themselves; 0 where it comes out negative.
    n : int
    effective_sample_size : float
        As many numbers, not scrambled, would have told as much.
    level : float

    >>> from askance.inference import Scrambling, scrambled_mean
    >>> found = scrambled_mean([2.0, 9.0, 4.0], Scrambling.pollock_bek(added=(1, 1)))
    >>> found.value, round(found.se, 4)
    (4.0, 2.0817)
    """

    design: str
    value: float
    se: float
    lower: float
    upper: float
    total: float
    total_se: float
    deviation: float
    n: int
    effective_sample_size: float
    level: float

    def to_dict(self) -> Json:
        """Write the estimate for JSON."""
        return json_of(self)

    def margins(self) -> Margins:
        """The mean with its interval; the total too, where the population's size is known."""
        return self._margins(1 if np.isnan(self.total) else 2)

    def to_frame(self) -> Any:
        """A pandas data frame with a row for the mean, and one for the total where it is known."""
        import pandas as pd

        told = self.margins()
        columns = {name: getattr(told, name) for name in ("value", "se", "lower", "upper")}
        return pd.DataFrame({"of": told.labels} | columns)

    def plot(self, ax: Any = None) -> Any:
        """Draw the mean with its interval.

        Raises
        ------
        MissingExtra
            If no axes are given and matplotlib is not installed.
        """
        return self._margins(1).plot(ax)

    def _margins(self, told: int) -> Margins:
        value = np.array([self.value, self.total][:told])
        se = np.array([self.se, self.total_se][:told])
        what = f"mean of scrambled numbers, {self.design}"
        labels = ("mean", "total")[:told]
        return normal_margins(what, labels, value, np.outer(se, se), self.level)

    def _table(self) -> Listing:
        head = ["", "value", "se", f"{100 * self.level:g} % from", "to"]
        told = self.margins()
        rows = [
            [label, *(number(float(column[at])) for column in columns)]
            for at, label in enumerate(told.labels)
            for columns in [(told.value, told.se, told.lower, told.upper)]
        ]
        notes = [
            f"{self.n:,} reports, worth {self.effective_sample_size:,.0f} plain numbers; "
            f"standard deviation of the numbers {number(self.deviation, 3)}",
            "no finite ε follows from the moments of a scramble",
        ]
        return told.what, head, rows, notes


@checked
def scrambled_mean(
    reports: Any,
    scrambling: Scrambling,
    *,
    inclusion: Any = None,
    population: float | None = None,
    level: float = 0.95,
) -> ScrambledMean:
    r"""Mean and total of a sensitive number from scrambled responses, by Horvitz–Thompson weights.

    .. math:: \hat\mu = \frac{\sum r_i / \pi_i}{\sum 1 / \pi_i}, \qquad
              \hat V = \frac{n}{n - 1} \frac{\sum (r_i - \hat\mu)^2 / \pi_i^2}{(\sum 1 / \pi_i)^2}

    with r the unscrambled reports and π the chances to be asked. With a population's size N given,
    the total is Σ r/π and the mean that over N. Variances are those of draws with replacement,
    which are too large rather than too small where much of a population is asked; they hold what
    scrambling adds.

    Parameters
    ----------
    reports : array_like, length n
    scrambling : Scrambling
    inclusion : array_like, length n, optional
        π, each in (0, 1]; all alike if left out.
    population : float, optional
        N.
    level : float
        Of the interval.

    Raises
    ------
    InputError
        If fewer than two reports are given, one is missing, or a chance is not in (0, 1].

    References
    ----------
    Eichhorn & Hayre (1983); the designs' estimators and variances are those of R's RRTCS 0.0.4.

    >>> from askance.inference import Scrambling, scrambled_mean
    >>> design = Scrambling.saha(factor=(1.5, 0.2), added=(5.5, 2.6))
    >>> scrambled_mean([12.0, 30.0, 21.0, 45.0, 18.0], design, population=100)
    mean of scrambled numbers, Saha
           value     se  95 % from    to
    mean    11.3  3.826      3.801  18.8
    total   1130  382.6      380.1  1880
    5 reports, worth 4 plain numbers; standard deviation of the numbers 7.76
    no finite ε follows from the moments of a scramble
    """
    z, r = normal_quantile(level), scrambling.unscramble(reports)
    n = r.size
    if r.ndim != 1 or n < 2:
        raise InputError("reports", got=f"shape {r.shape}", allowed="two or more numbers in a row")
    pi = _chances(inclusion, n)
    if population is not None and not n <= population <= 1e15:
        raise InputError("population", got=population, allowed=f"a number of people in [{n}, 1e15]")
    held = 1 / pi if inclusion is not None or population is None else np.full(n, population / n)
    size = float(held.sum() if population is None else population)
    value = float(held @ r) / size
    away = held * (r - value) if population is None else held * r - size * value / n
    variance = float(away @ away) * n / (n - 1) / size**2
    se = float(np.sqrt(variance))
    spread = _spread(r, held / held.sum(), scrambling)
    known = population is not None or inclusion is not None
    total = size if known else np.nan
    return ScrambledMean(
        design=scrambling.name,
        value=value,
        se=se,
        lower=value - z * se,
        upper=value + z * se,
        total=total * value,
        total_se=total * se,
        deviation=float(np.sqrt(spread)),
        n=n,
        effective_sample_size=spread / variance if variance else float(n),
        level=level,
    )


def _chances(inclusion: Any, n: int) -> Floats:
    pi = np.ones(n) if inclusion is None else numbers(inclusion, "inclusion")
    if pi.shape != (n,):
        raise InputError("inclusion", got=f"shape {pi.shape}", allowed=f"{n}: one per report")
    odd = pi[~((pi >= _LEAST) & (pi <= 1))]
    if odd.size:
        raise InputError("inclusion", got=float(odd[0]), allowed="chances in [1e-15, 1]")
    return pi


def _spread(r: Floats, share: Floats, design: Scrambling) -> float:
    """The variance of the numbers themselves: what is left without what scrambling adds."""
    mean, n = float(share @ r), len(r)
    seen = float(share @ (r - mean) ** 2) * n / (n - 1)
    per_square = design.variance(0.0, 1.0) - design.variance(0.0, 0.0)
    rest = design.variance(mean, mean**2)
    return max((seen - rest) / (1 + per_square), 0.0)
