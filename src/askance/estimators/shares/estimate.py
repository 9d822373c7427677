"""What was learnt about the shares of the answers, with its uncertainty."""

from dataclasses import dataclass, field
from typing import Any, final

import numpy as np

from askance.estimators.outcome import Outcome
from askance.results import Listing, axes, json_of, keep_read_only, listed, number, read_only
from askance.typing import Floats, Json


@final
@listed
@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Estimate:
    """The estimated share of each answer in the population that answered.

    Attributes
    ----------
    what : str
        What the shares are of.
    labels : tuple of str
        The k answers.
    value : array, shape (k,)
        Estimated shares; not a number where nothing was learnt.
    covariance : array, shape (k, k)
        Their estimated covariance.
    lower, upper : array, shape (k,)
        Ends of the interval of each share, inside [0, 1] and never empty.
    level : float
        How often such an interval holds the true share.
    reports : int
        Reports that say anything: those whose chance depends on the answer.
    plain : array, shape (k,)
        How many plainly asked, truthful answers would have told as much.
    method : str
    outcome : Outcome
    gap : float
        At most this much mean log-likelihood per report is missing to the maximum; not a number
        for closed forms.
    """

    what: str = "share of each answer"
    labels: tuple[str, ...]
    value: Floats
    covariance: Floats
    lower: Floats
    upper: Floats
    level: float
    reports: int
    plain: Floats
    method: str
    outcome: Outcome
    gap: float = field(default=float("nan"))

    def __post_init__(self) -> None:
        keep_read_only(self, "value covariance lower upper plain")

    @property
    def se(self) -> Floats:
        """Standard error of each share, shape (k,)."""
        return read_only(np.sqrt(np.diag(self.covariance)))

    def to_dict(self) -> Json:
        """Write the estimate for JSON: lists for arrays, None where there is no number."""
        names = "what labels value se covariance lower upper level reports plain method gap"
        return json_of(self, names) | self.outcome.to_dict()

    def _table(self) -> Listing:
        percent = f"{100 * self.level:g} %"
        head = ["answer", "share", "se", f"{percent} from", "to", "plain answers"]
        columns = (self.value, self.se, self.lower, self.upper)
        rows = [
            [label, *(number(column[at]) for column in columns), f"{self.plain[at]:,.0f}"]
            for at, label in enumerate(self.labels)
        ]
        notes = [f"{self.reports:,} reports; {self.method}; {self.outcome.value}"]
        return self.what, head, rows, notes

    def plot(self, ax: Any = None) -> Any:
        """Draw one bar per answer with its interval, first answer on top.

        Raises
        ------
        MissingExtra
            If no axes are given and matplotlib is not installed.
        """
        ax = axes(ax)
        at = np.arange(len(self.labels))
        (dots,) = ax.plot(self.value, at, "o", markersize=5)
        ax.barh(at, np.nan_to_num(self.value), height=0.6, alpha=0.35, color=dots.get_color())
        ax.hlines(at, self.lower, self.upper, color=dots.get_color(), linewidth=2)
        ax.set_yticks(at, self.labels)
        ax.invert_yaxis()
        ax.set_xlim(0, 1)
        ax.set_xlabel(f"{self.what}, {100 * self.level:g} % interval")
        return ax
