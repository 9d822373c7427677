"""A fitted regression of true answers: coefficients, shares and effects with their uncertainty."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np

from askance.arguments import checked
from askance.errors import InputError
from askance.estimators.outcome import Outcome
from askance.estimators.regression.answer_model import AnswerModel
from askance.estimators.regression.average_share import Move, People, average_share, moved, nudged
from askance.estimators.regression.coefficients import (
    coefficient_json,
    coefficient_plot,
    coefficient_rows,
    wald,
)
from askance.estimators.regression.covariance import inverse
from askance.estimators.regression.covariates import design_of
from askance.estimators.regression.margins import Margins, normal_margins
from askance.estimators.regression.nested import likelihood_ratio
from askance.estimators.regression.response_likelihood import ResponseLikelihood
from askance.estimators.shares.uncertainty import normal_quantile
from askance.estimators.shares.wilson import noisy_wilson
from askance.results import html_listing, keep_read_only, listing, number, read_only
from askance.typing import Floats, Json

_TINY = np.finfo(float).tiny


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class ResponseRegression:
    """A regression of the true answer on covariates.

    Attributes
    ----------
    model : AnswerModel
        How the shares of the answers depend on the coefficients.
    value : array, shape (parameters,)
        The coefficients, in the order of ``names``.
    covariance : array, shape (parameters, parameters)
    errors : str
        What the covariance comes from.
    log_likelihood : float
    gap : float
        What a further step would add to it.
    outcome : Outcome
    level : float
        How often the intervals hold the true value.
    likelihood : ResponseLikelihood
        The reports and covariates that were given.
    terms : tuple of str
        The covariates.

    >>> import askance as ak
    >>> q = ak.Abstain(truth=0.6, lie=0.1).channel(ak.Frame(["yes", "no"]))
    >>> said = (["yes"] * 20 + ["no"] * 50 + ["don't know"] * 30) * 2
    >>> said += ["yes"] * 35 + ["no"] * 35 + ["don't know"] * 30
    >>> ak.response_regression(said, [[0]] * 200 + [[1]] * 100, q, terms=["urban"])
    logit of the share of yes
    term        value      se      z        p  95 % from      to
    intercept  -1.386  0.3341  -4.15  3.3e-05      -2.04  -0.732
    urban       1.386  0.4729   2.93   0.0034      0.459    2.31
    mean share and its se: yes 0.3 ± 0.045, no 0.7 ± 0.045
    300 respondents; log-likelihood -315.53734; AIC 635.075; se by observed information
    no small change is more likely; a higher top elsewhere is not ruled out
    """

    model: AnswerModel
    value: Floats
    covariance: Floats
    errors: str
    log_likelihood: float
    gap: float
    outcome: Outcome
    level: float
    likelihood: ResponseLikelihood
    terms: tuple[str, ...]

    def __post_init__(self) -> None:
        keep_read_only(self, "value covariance")

    @property
    def names(self) -> tuple[str, ...]:
        """What each coefficient multiplies."""
        return self.model.names

    @property
    def n(self) -> int:
        """How many respondents there are."""
        return len(self.likelihood.design)

    @property
    def se(self) -> Floats:
        """Standard error of each coefficient."""
        return read_only(np.sqrt(np.diag(self.covariance).clip(0)))

    @property
    def p_value(self) -> Floats:
        """How often a coefficient of 0 would come out at least as large (Wald's test)."""
        return read_only(wald(self.value, self.se))

    @property
    def aic(self) -> float:
        """Akaike's criterion: twice the coefficients, less twice the log-likelihood."""
        return 2 * len(self.value) - 2 * self.log_likelihood

    def coefficients(self) -> Margins:
        """Give the coefficients with their normal intervals."""
        return normal_margins("coefficient", self.names, self.value, self.covariance, self.level)

    def predict(self, covariates: Any) -> Floats:
        """Give the chance of each answer for each row of covariates, shape (rows, k)."""
        eta = design_of(covariates, self.terms) @ self.model.weights(self.value)
        return self.model.shares(eta)

    def prevalence(self, covariates: Any = None) -> Margins:
        """Give the mean predicted share of each answer, with an interval inside [0, 1].

        The interval is Wilson's (1927) with what protection adds to the variance, as that of
        `askance.estimate`: the part of the variance that the true answers themselves would have
        varies with the share as π(1 − π), the rest does not.

        The covariates are taken as given: the share is that expected of these people. Of everybody
        whom they are drawn from at random the variance is larger by that of the predicted shares,
        over their number.

        Parameters
        ----------
        covariates : array_like, shape (rows, c), optional
            Whose mean share; all respondents, by their weights, if left out. One row gives the
            share among people like that.
        """
        value, slope = average_share(self.model, self.value, self._people(covariates))
        covariance = slope @ self.covariance @ slope.T
        lower, upper = noisy_wilson(
            value.clip(0, 1),
            np.diag(covariance).clip(0),
            self._sampling(value, slope, np.diag(covariance)),
            normal_quantile(self.level),
        )
        return Margins(
            what="share of each answer",
            labels=self.model.answers,
            value=value,
            covariance=covariance,
            lower=lower,
            upper=upper,
            level=self.level,
        )

    def difference(self, after: Any, before: Any) -> Margins:
        """Give how much the mean share of each answer differs between two tables of covariates.

        The normal interval, inside [−1, 1].

        Parameters
        ----------
        after, before : array_like, shape (n, c)
            Covariates of the same n respondents, or of one person each.
        """
        move = self._people(after), self._people(before), 1.0
        value, slope = moved(self.model, self.value, move)
        covariance = slope @ self.covariance @ slope.T
        told = normal_margins(
            "difference in share", self.model.answers, value, covariance, self.level
        )
        return replace(told, lower=told.lower.clip(-1), upper=told.upper.clip(max=1))

    def effects(self) -> Margins:
        """Give the average marginal effect of every covariate on the share of each answer.

        Of a covariate that is 0 or 1 for everyone: the share if all had 1, less that if all had 0.
        Of others: the slope, averaged over respondents by their weights. Where one covariate is
        made from another, such as a square, ask `difference` what changing both does. Like
        `prevalence`, the averages take the covariates as given.
        """
        people = self._people(None)
        return self.average_effects(
            {term: nudged(people, at) for at, term in enumerate(self.terms, start=1)}
        )

    @checked
    def average_effects(self, moves: Mapping[str, Move]) -> Margins:
        """Give what each of several moves of people does to the mean share of each answer."""
        for name, move in dict[str, Any](moves).items():
            if not isinstance(move, tuple) or len(move) != 3:
                where, allowed = f"moves[{name!r}]", "people after, people before, how far apart"
                raise InputError(where, got=move, allowed=allowed)
        found = [moved(self.model, self.value, move) for move in moves.values()]
        answers = self.model.answers
        told = range(len(answers) if len(answers) > 2 else 1)
        value = np.array([value[one] for value, _ in found for one in told])
        slope = np.array([slope[one] for _, slope in found for one in told])
        slope = slope.reshape(-1, len(self.value))
        which = answers[0] if len(answers) == 2 else "each answer"
        return normal_margins(
            f"average effect on the share of {which}",
            tuple(
                name if len(told) == 1 else f"{answers[one]}: {name}"
                for name in moves
                for one in told
            ),
            value,
            slope @ self.covariance @ slope.T,
            self.level,
        )

    @checked
    def likelihood_ratio(self, smaller: "ResponseRegression") -> tuple[float, int, float]:
        """Test what a smaller regression of the same reports leaves out.

        Gives twice the difference in log-likelihood, its degrees of freedom, and how often χ² is as
        large.

        Raises
        ------
        InputError
            If the other regression is not smaller, or of other reports or another link.
        """
        own, other = self.likelihood, smaller.likelihood
        same = (
            self.model.link == smaller.model.link
            and np.array_equal(own.received.at, other.received.at)
            and np.array_equal(own.received.chances, other.received.chances)
            and np.array_equal(own.weights, other.weights)
        )
        return likelihood_ratio(self, smaller, same=same, given="reports and link")

    def to_dict(self) -> Json:
        """Write the coefficients and the mean shares for JSON."""
        written = coefficient_json(self, "aic")
        return written | {"model": self.model.told, "prevalence": self.prevalence().to_dict()}

    def __repr__(self) -> str:
        return listing(*self._table())

    def _repr_html_(self) -> str:
        return html_listing(*self._table())

    def _table(self) -> tuple[str, list[str], list[list[str]], list[str]]:
        head, rows = coefficient_rows(self.coefficients())
        shares = self.prevalence()
        mean = ", ".join(
            f"{answer} {number(float(share))} ± {number(float(se), 2)}"
            for answer, share, se in zip(self.model.answers, shares.value, shares.se, strict=True)
        )
        notes = [
            f"mean share and its se: {mean}",
            f"{self.n:,} respondents; log-likelihood {self.log_likelihood:.8g}; "
            f"AIC {self.aic:.6g}; se by {self.errors}",
            self.outcome.value,
        ]
        return self.model.told, head, rows, notes

    def plot(self, ax: Any = None) -> Any:
        """Draw the coefficients with their intervals, the intercepts left out.

        Raises
        ------
        MissingExtra
            If no axes are given and matplotlib is not installed.
        """
        kept = [at for at, name in enumerate(self.names) if self.model.slopes[at]]
        told = normal_margins(
            "coefficient",
            tuple(self.names[at] for at in kept),
            self.value[kept],
            self.covariance[np.ix_(kept, kept)],
            self.level,
        )
        return coefficient_plot(told, self.model.told, ax)

    def _sampling(self, value: Floats, slope: Floats, variance: Floats) -> Floats:
        """Give the part of the variance that plain answers would have, over π(1 − π)."""
        plain, told = (
            np.einsum("ai,ij,aj->a", slope, inverse(information), slope)
            for information in (
                self.likelihood.complete(self.value),
                self.likelihood.expected(self.value),
            )
        )
        part = np.clip(plain / np.maximum(told, _TINY), 0, 1)
        sampling: Floats = part * variance / np.maximum(value * (1 - value), _TINY)
        return sampling

    def _people(self, covariates: Any) -> People:
        if covariates is None:
            return self.likelihood.design, self.likelihood.weights
        design = design_of(covariates, self.terms)
        if not len(design):
            raise InputError("covariates", got="no rows", allowed="at least one person")
        own = len(design) == self.n
        return design, self.likelihood.weights if own else np.ones(len(design))
