"""A fitted linear regression of numbers seen as ranges: coefficients, tests and predictions."""

from dataclasses import dataclass
from typing import Any, Literal, final

import numpy as np

from askance.arguments import checked
from askance.errors import InputError, refuse_unknown
from askance.estimators.noise.law import AbstractNoise
from askance.estimators.noise.quantile import noise_quantile
from askance.estimators.outcome import Outcome
from askance.estimators.regression.censored_intervals import turning
from askance.estimators.regression.censored_likelihood import CensoredLikelihood
from askance.estimators.regression.coefficients import (
    coefficient_json,
    coefficient_plot,
    coefficient_rows,
    wald,
)
from askance.estimators.regression.covariates import design_of
from askance.estimators.regression.margins import Margins, normal_margins
from askance.estimators.regression.nested import likelihood_ratio
from askance.estimators.shares.uncertainty import normal_quantile
from askance.results import counted, html_listing, keep_read_only, listing, number, read_only
from askance.typing import Floats, Json

_INTERVALS = ("wald", "profile", "score")


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class CensoredRegression:
    """A linear regression y = β₀ + xβ + σε, or of log y, with y seen as ranges.

    Attributes
    ----------
    noise : AbstractNoise
        The law of ε.
    log : bool
        Whether it is log y that is linear.
    terms : tuple of str
        The c covariates.
    value : array, shape (c + 2,)
        β₀, β and log σ.
    covariance : array, shape (c + 2, c + 2)
    errors : str
        What the covariance comes from.
    log_likelihood : float
    gap : float
        What a further step would add to it.
    outcome : Outcome
    level : float
        How often the intervals hold the true value.
    likelihood : CensoredLikelihood
        The ranges, of log y if that is linear, and the covariates.

    >>> import askance as ak
    >>> hours = ak.Ranges([0, 2, 4, 6, 8, 10] * 2, [2, 4, 6, 8, 10, 12] * 2)
    >>> children = [[x] for x in (0, 1, 1, 2, 2, 3, 0, 0, 1, 2, 3, 3)]
    >>> ak.censored_regression(hours, children, terms=["children"]).predict([[0], [2]]).round(1)
    array([1.6, 7.5])
    """

    noise: AbstractNoise
    log: bool
    terms: tuple[str, ...]
    value: Floats
    covariance: Floats
    errors: str
    log_likelihood: float
    gap: float
    outcome: Outcome
    level: float
    likelihood: CensoredLikelihood

    def __post_init__(self) -> None:
        keep_read_only(self, "value covariance")

    @property
    def names(self) -> tuple[str, ...]:
        """What each value is."""
        return ("intercept", *self.terms, "log scale")

    @property
    def scale(self) -> float:
        """The scale σ of the noise."""
        return float(np.exp(self.value[-1]))

    @property
    def n(self) -> float:
        """How many numbers were observed, counting weights."""
        return self.likelihood.ranges.total

    @property
    def se(self) -> Floats:
        """Standard error of each value."""
        return read_only(np.sqrt(np.diag(self.covariance).clip(0)))

    @property
    def p_value(self) -> Floats:
        """How often a value of 0 would come out at least as large (Wald's test)."""
        return read_only(wald(self.value, self.se))

    @property
    def aic(self) -> float:
        """Akaike's criterion: twice the values fitted, less twice the log-likelihood."""
        return 2 * len(self.value) - 2 * self.log_likelihood

    def coefficients(self, by: Literal["wald", "profile", "score"] = "wald") -> Margins:
        """Give every value with its interval.

        Parameters
        ----------
        by : {"wald", "profile", "score"}
            Value ± z se; or all values that a test on the likelihood ratio, or on its slope, does
            not reject, the others taking their most likely values. These two hold under the model,
            whatever the standard errors come from.

        Raises
        ------
        InputError
            If the kind of interval is unknown.
        """
        refuse_unknown("coefficients.by", by, _INTERVALS)
        if by == "wald":
            return normal_margins(
                "coefficient", self.names, self.value, self.covariance, self.level
            )
        z = normal_quantile(self.level)
        size = np.sqrt(np.diag(np.linalg.inv(self.likelihood.observed(self.value))))
        ends = [
            turning(self.likelihood, self.value, at, float(size[at]), z, by)
            for at in range(len(self.value))
        ]
        return Margins(
            what=f"coefficient, {by} interval",
            labels=self.names,
            value=self.value,
            covariance=self.covariance,
            lower=np.array(ends)[:, 0],
            upper=np.array(ends)[:, 1],
            level=self.level,
        )

    @checked
    def likelihood_ratio(self, smaller: "CensoredRegression") -> tuple[float, int, float]:
        """Test what a smaller regression of the same ranges leaves out.

        Gives twice the difference in log-likelihood, its degrees of freedom, and how often χ² is as
        large.

        Raises
        ------
        InputError
            If the other regression is not smaller, or of other ranges or another noise.
        """
        same = (
            self.noise == smaller.noise
            and np.array_equal(self.likelihood.ranges.lower, smaller.likelihood.ranges.lower)
            and np.array_equal(self.likelihood.ranges.upper, smaller.likelihood.ranges.upper)
            and np.array_equal(self.likelihood.weights, smaller.likelihood.weights)
        )
        return likelihood_ratio(self, smaller, same=same, given="ranges and noise")

    @checked
    def predict(self, covariates: Any, share: float = 0.5) -> Floats:
        """Give the number that a share of people with these covariates do not exceed.

        Parameters
        ----------
        covariates : array_like or data frame, shape (rows, c)
        share : float
            The median, if left out; for noise that leans to no side also the mean of what is
            linear.
        """
        return self._shown(self._linear(covariates, share)[0])

    def predict_interval(self, covariates: Any) -> tuple[Floats, Floats]:
        """Give the range between whose ends one more number lies at the regression's level.

        What is uncertain in the coefficients is left out; `at` tells how much that is.
        """
        tail = (1 - self.level) / 2
        return self.predict(covariates, tail), self.predict(covariates, 1 - tail)

    @checked
    def at(self, covariates: Any, share: float = 0.5) -> Margins:
        """Give `predict` with the uncertainty of the coefficients, by the delta method.

        The intervals are those of what is linear, so that those of log y are never negative.
        """
        linear, slope = self._linear(covariates, share)
        covariance = slope @ self.covariance @ slope.T
        reach = normal_quantile(self.level) * np.sqrt(np.diag(covariance).clip(0))
        grown = np.exp(linear) if self.log else np.ones(len(linear))
        return Margins(
            what="median" if share == 0.5 else f"{share:g} quantile",
            labels=tuple(f"row {at}" for at in range(len(linear))),
            value=self._shown(linear),
            covariance=covariance * np.outer(grown, grown),
            lower=self._shown(linear - reach),
            upper=self._shown(linear + reach),
            level=self.level,
        )

    def to_dict(self) -> Json:
        """Write the fit for JSON."""
        return coefficient_json(self, "scale log aic") | {"noise": self.noise.name}

    def __repr__(self) -> str:
        return listing(*self._table())

    def _repr_html_(self) -> str:
        return html_listing(*self._table())

    def _table(self) -> tuple[str, list[str], list[list[str]], list[str]]:
        head, rows = coefficient_rows(self.coefficients())
        notes = [
            f"scale {number(self.scale)}; {counted(self.n, 'range')}; log-likelihood "
            f"{self.log_likelihood:.8g}; AIC {self.aic:.6g}; se by {self.errors}",
            self.outcome.value,
        ]
        return self._title(), head, rows, notes

    def plot(self, ax: Any = None) -> Any:
        """Draw the coefficients of the covariates with their intervals.

        Raises
        ------
        MissingExtra
            If no axes are given and matplotlib is not installed.
        """
        kept = slice(1, -1)
        told = normal_margins(
            "coefficient", self.terms, self.value[kept], self.covariance[kept, kept], self.level
        )
        return coefficient_plot(told, self._title(), ax)

    def _title(self) -> str:
        return f"{'logarithm of the number' if self.log else 'number'}, {self.noise.name} noise"

    def _linear(self, covariates: Any, share: float) -> tuple[Floats, Floats]:
        """Give a quantile of what is linear, and its slope by each value."""
        if not 0 < share < 1:
            raise InputError("share", got=share, allowed="a probability strictly between 0 and 1")
        design = design_of(covariates, self.terms)
        reach = float(noise_quantile(self.noise, share)) * self.scale
        return design @ self.value[:-1] + reach, np.column_stack(
            [design, np.full(len(design), reach)]
        )

    def _shown(self, linear: Floats) -> Floats:
        return np.exp(linear) if self.log else linear
