"""What was learnt about several questions together."""

import math
from dataclasses import dataclass
from itertools import product
from typing import final

import numpy as np

from askance.arguments import checked
from askance.errors import InputError, refuse_unknown
from askance.estimators.outcome import Outcome
from askance.estimators.shares.uncertainty import normal_quantile
from askance.results import Listing, json_of, keep_read_only, listed, number, read_only
from askance.typing import Floats, Json


@final
@listed
@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class JointEstimate:
    """The estimated share of each combination of answers.

    Attributes
    ----------
    questions : tuple of str
        The d questions.
    labels : tuple of tuple of str
        Each question's answers.
    value, lower, upper, plain : array, shape (k_1, …, k_d)
        Shares, their intervals, and the plain answers that would have told as much.
    covariance : array, shape (K, K)
        Of the K = k_1 ⋯ k_d shares, the last question's answers fastest.
    level : float
    reports : int
    gap : float
        At most this much mean log-likelihood per report is missing to the maximum.
    outcome : Outcome
    """

    questions: tuple[str, ...]
    labels: tuple[tuple[str, ...], ...]
    value: Floats
    covariance: Floats
    lower: Floats
    upper: Floats
    plain: Floats
    level: float
    reports: int
    gap: float
    outcome: Outcome

    def __post_init__(self) -> None:
        keep_read_only(self, "value covariance lower upper plain")

    @property
    def se(self) -> Floats:
        """Standard error of each share, shape (k_1, …, k_d)."""
        return read_only(np.sqrt(np.diag(self.covariance)).reshape(self.value.shape))

    def margin(self, *questions: str) -> Floats:
        """Give the shares of the answers to some of the questions, over all others.

        Raises
        ------
        InputError
            If a question is not among those estimated.
        """
        kept = [self._axis(question) for question in questions]
        if len(set(kept)) < len(kept):
            raise InputError("margin", got=questions, allowed="different questions")
        others = tuple(at for at in range(len(self.questions)) if at not in kept)
        left = [at for at in range(len(self.questions)) if at in kept]
        return read_only(self.value.sum(axis=others).transpose([left.index(at) for at in kept]))

    def odds_ratio(self) -> tuple[float, float, float]:
        """Give how many times the odds of one yes-or-no answer are with the other, and interval.

        π₁₁π₂₂/(π₁₂π₂₁) for two questions of two answers, with the interval on its logarithm by the
        delta method; 0 to infinity where a share is estimated as 0.

        Raises
        ------
        InputError
            Unless there are two questions of two answers each.
        """
        if self.value.shape != (2, 2):
            raise InputError(
                "odds_ratio",
                got=f"{' × '.join(map(str, self.value.shape))} answers",
                allowed="two questions of two answers",
                remedy="use association() for more",
            )
        shares = self.value.ravel()
        if not np.all(shares > 0):
            odds = shares[0] * shares[3], shares[1] * shares[2]
            ratio = odds[0] / odds[1] if odds[1] > 0 else (math.inf if odds[0] > 0 else math.nan)
            return float(ratio), 0.0, math.inf
        slope = np.array([1, -1, -1, 1]) / shares
        logarithm = float(np.log(shares) @ [1, -1, -1, 1])
        reach = normal_quantile(self.level) * math.sqrt(slope @ self.covariance @ slope)
        ratio, lower, upper = np.exp(np.clip(logarithm + reach * np.array([0, -1, 1]), None, 700))
        return float(ratio), float(lower), float(upper)

    @checked
    def association(self, first: str, second: str) -> float:
        """Give Cramér's V of two questions' estimated joint shares: 0 apart, 1 together.

        V² = Σ (π_ab − π_a π_b)²/(π_a π_b) / (min(k₁, k₂) − 1)
        """
        joint = self.margin(first, second)
        apart = np.outer(joint.sum(axis=1), joint.sum(axis=0))
        there = apart > 0
        excess = float(((joint[there] - apart[there]) ** 2 / apart[there]).sum())
        return math.sqrt(excess / (min(joint.shape) - 1))

    def to_dict(self) -> Json:
        """Write the estimate for JSON: nested lists for arrays, None where there is no number."""
        names = "questions labels value se covariance lower upper plain level reports gap"
        return json_of(self, names) | self.outcome.to_dict()

    def _axis(self, question: str) -> int:
        refuse_unknown("question", question, self.questions)
        return self.questions.index(question)

    def _table(self) -> Listing:
        percent = f"{100 * self.level:g} %"
        head = [*self.questions, "share", "se", f"{percent} from", "to", "plain answers"]
        columns = [array.ravel() for array in (self.value, self.se, self.lower, self.upper)]
        rows = [
            [*combined, *(number(float(column[at])) for column in columns), f"{worth:,.0f}"]
            for at, (combined, worth) in enumerate(
                zip(product(*self.labels), self.plain.ravel(), strict=True)
            )
        ]
        title = f"share of each combination of {' and '.join(self.questions)}"
        notes = [f"{self.reports:,} reports; gap {self.gap:.1g}; {self.outcome.value}"]
        return title, head, rows, notes
