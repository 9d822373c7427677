"""A fitted regression of an outcome on a protected answer."""

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from askance.estimators.outcome import Outcome
from askance.estimators.regression.coefficients import (
    coefficient_json,
    coefficient_plot,
    coefficient_rows,
    wald,
)
from askance.estimators.regression.margins import Margins, normal_margins
from askance.results import Listing, keep_read_only, listed, read_only
from askance.typing import Floats, Json


@final
@listed
@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class OutcomeRegression:
    """A regression of an outcome on the true answer, of which only reports were received.

    Attributes
    ----------
    told : str
        The model in words.
    names : tuple of str
        What each coefficient multiplies: of the outcome first, then of the answer.
    value : array, shape (parameters,)
    covariance : array, shape (parameters, parameters)
    errors : str
        What the covariance comes from.
    scale : float
        σ of a normal outcome; not a number for others.
    log_likelihood : float
    gap : float
        What a further step would add to it.
    n : int
    outcome : Outcome
    level : float

    >>> import askance as ak
    >>> q = ak.Warner(truth=1).channel(ak.Frame(["yes", "no"]))
    >>> said, seen = ["yes", "yes", "no", "no"] * 4, [4.0, 6, 2, 4] * 2 + [2.0, 4, 0, 2] * 2
    >>> fit = ak.outcome_regression(seen, said, [[at % 2] for at in range(16)], q)
    >>> isinstance(fit, ak.OutcomeRegression), fit.names[1], float(fit.se[1].round(6))
    (True, 'outcome: answer yes', 0.5)
    """

    told: str
    names: tuple[str, ...]
    value: Floats
    covariance: Floats
    errors: str
    scale: float
    log_likelihood: float
    gap: float
    n: int
    outcome: Outcome
    level: float

    def __post_init__(self) -> None:
        keep_read_only(self, "value covariance")

    @property
    def se(self) -> Floats:
        """Standard error of each coefficient."""
        return self.coefficients().se

    @property
    def p_value(self) -> Floats:
        """How often a coefficient of 0 would come out at least as large (Wald's test)."""
        return read_only(wald(self.value, self.se))

    def coefficients(self) -> Margins:
        """Give the coefficients with their normal intervals."""
        return normal_margins("coefficient", self.names, self.value, self.covariance, self.level)

    def to_dict(self) -> Json:
        """Write the coefficients for JSON."""
        return coefficient_json(self, "told scale")

    def _table(self) -> Listing:
        scale = f"; σ {self.scale:.4g}" if np.isfinite(self.scale) else ""
        notes = [
            f"{self.n:,} respondents; log-likelihood {self.log_likelihood:.8g}{scale}; "
            f"se by {self.errors}",
            self.outcome.value,
        ]
        return self.told, *coefficient_rows(self.coefficients()), notes

    def plot(self, ax: Any = None) -> Any:
        """Draw the coefficients with their intervals.

        Raises
        ------
        MissingExtra
            If no axes are given and matplotlib is not installed.
        """
        return coefficient_plot(self.coefficients(), self.told, ax)
