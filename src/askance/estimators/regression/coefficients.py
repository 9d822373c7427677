"""Coefficients as they are shown: rows of a table, JSON, a drawing."""

from typing import Any, Protocol

import numpy as np
from scipy.special import ndtr

from askance.estimators.outcome import Outcome
from askance.estimators.regression.margins import Margins
from askance.results import json_of, number
from askance.typing import Floats, Json

_DIGITS = (4, 4, 3, 2, 3, 3)
_WRITTEN = "names value se p_value covariance errors log_likelihood gap n level"


class Regression(Protocol):
    """A fitted regression, as far as it is shown here."""

    @property
    def outcome(self) -> Outcome:
        """How the climb ended."""
        ...

    def coefficients(self) -> Margins:
        """Give the coefficients with their intervals."""
        ...


def wald(value: Floats, se: Floats) -> Floats:
    """Say how often a coefficient of 0 would come out at least as large.

    >>> wald(np.array([1.959964]), np.ones(1)).round(6).tolist()
    [0.05]
    """
    p: Floats = 2 * ndtr(-np.abs(value) / se)
    return p


def coefficient_rows(told: Margins) -> tuple[list[str], list[list[str]]]:
    """Give the head and a row for each coefficient, with Wald's test that it is 0."""
    value, se = told.value, told.se
    columns = (value, se, value / se, wald(value, se), told.lower, told.upper)
    rows = [
        [
            name,
            *(
                number(float(column[at]), digits)
                for column, digits in zip(columns, _DIGITS, strict=True)
            ),
        ]
        for at, name in enumerate(told.labels)
    ]
    return ["term", "value", "se", "z", "p", f"{100 * told.level:g} % from", "to"], rows


def coefficient_json(fit: Regression, more: str) -> Json:
    """Write what every regression has, and further attributes of this one."""
    told = fit.coefficients()
    written = json_of(fit, f"{_WRITTEN} {more}") | json_of(told, "lower upper")
    return written | fit.outcome.to_dict()


def coefficient_plot(told: Margins, title: str, ax: Any) -> Any:
    """Draw coefficients with their intervals, beside a line at 0."""
    ax = told.plot(ax)
    ax.axvline(0, linewidth=0.8, color="0.5", zorder=0)
    ax.set_title(title, fontsize="medium", loc="left")
    return ax
