"""Averages over respondents, of shares or of effects on them, with their uncertainty."""

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from askance.estimators.shares.uncertainty import normal_quantile
from askance.results import Listing, axes, json_of, keep_read_only, listed, number, read_only
from askance.typing import Floats, Json


@final
@listed
@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Margins:
    """What a fitted model says on average, by the delta method.

    Attributes
    ----------
    what : str
    labels : tuple of str
    value : array
    covariance : array
    lower, upper : array
        Ends of the intervals; those of shares stay inside [0, 1].
    level : float
        How often such an interval holds the true value.

    >>> said = Margins(
    ...     what="share of each answer",
    ...     labels=("yes", "no"),
    ...     value=np.array([0.25, 0.75]),
    ...     covariance=np.array([[1.0, -1.0], [-1.0, 1.0]]) / 1024,
    ...     lower=np.array([0.19, 0.68]),
    ...     upper=np.array([0.32, 0.81]),
    ...     level=0.95,
    ... )
    >>> said
    share of each answer
         value       se  95 % from    to
    yes   0.25  0.03125       0.19  0.32
    no    0.75  0.03125       0.68  0.81
    """

    what: str
    labels: tuple[str, ...]
    value: Floats
    covariance: Floats
    lower: Floats
    upper: Floats
    level: float

    def __post_init__(self) -> None:
        keep_read_only(self, "value covariance lower upper")

    @property
    def se(self) -> Floats:
        """Standard error of each value."""
        return read_only(np.sqrt(np.diag(self.covariance).clip(0)))

    def to_dict(self) -> Json:
        """Write the averages for JSON."""
        return json_of(self, "what labels value se covariance lower upper level")

    def _table(self) -> Listing:
        columns = (self.value, self.se, self.lower, self.upper)
        rows = [
            [label, *(number(float(column[at])) for column in columns)]
            for at, label in enumerate(self.labels)
        ]
        return self.what, ["", "value", "se", f"{100 * self.level:g} % from", "to"], rows, []

    def plot(self, ax: Any = None) -> Any:
        """Draw each value with its interval, the first on top.

        Raises
        ------
        MissingExtra
            If no axes are given and matplotlib is not installed.
        """
        ax = axes(ax)
        at = np.arange(len(self.labels))
        (dots,) = ax.plot(self.value, at, "o", markersize=5)
        ax.hlines(at, self.lower, self.upper, color=dots.get_color(), linewidth=2)
        ax.set_yticks(at, self.labels)
        ax.invert_yaxis()
        ax.set_xlabel(f"{self.what}, {100 * self.level:g} % interval")
        return ax


def normal_margins(
    what: str, labels: tuple[str, ...], value: Floats, covariance: Floats, level: float
) -> Margins:
    """Give values with their normal intervals.

    >>> one = normal_margins("slope", ("age",), np.array([2.0]), np.array([[0.25]]), 0.95)
    >>> one.lower.round(4).tolist(), one.upper.round(4).tolist()
    ([1.02], [2.98])
    """
    reach = normal_quantile(level) * np.sqrt(np.diag(covariance).clip(0))
    return Margins(
        what=what,
        labels=labels,
        value=value,
        covariance=covariance,
        lower=value - reach,
        upper=value + reach,
        level=level,
    )
