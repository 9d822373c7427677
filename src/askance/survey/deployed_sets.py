"""Deployed questions whose replies identify only the shares of sets of answers.

So asks an unrelated question whose harmless share is unknown: behind a reply are pairs of answers,
and what is learnt is the share of each answer to the sensitive one.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, final

import numpy as np

from askance.channels.channel import Channel
from askance.channels.tally import Tally
from askance.errors import NotIdentified
from askance.inference.climb import Convergence
from askance.inference.goodness_of_fit import goodness_of_fit
from askance.inference.shares.information import (
    Estimate,
    ShareEstimator,
    answers_worth,
    speaking,
)
from askance.inference.shares.partial import TallyMaximum, estimate_sets
from askance.privacy.guarantee import EVENLY, Guarantee
from askance.survey.deployable import find_guarantees, table_channel
from askance.survey.deployed import (
    COIN,
    FALSE,
    AbstractDeployed,
    PoisoningBound,
    QuestionEstimate,
    ReportPreview,
    Way,
    describe_row,
)
from askance.typing import Floats
from askance.wire.answer_question import Choice, Coin, TableQuestion
from askance.wire.label import in_first_language
from askance.wire.proof import can_prove
from askance.wire.question import ReportCounts, Value, sent_of

_Z = 1.959963984540054
_SUPPOSED = Fraction(1, 10), Fraction(1, 4), Fraction(1, 2)
_NOTES = (
    "What is learnt is the share of {}; how the answers behind a reply hang together stays open.",
    "Whoever knows the harmless answer of a person can learn the other for certain from a reply.",
)


@final
@dataclass(frozen=True, slots=True)
class DeployedSets(AbstractDeployed):
    """Named answers behind a physical coin; the replies identify only shares of sets of them.

    Attributes
    ----------
    question : TableQuestion
        The question through the coin's table.
    coin : Coin
    channel : Channel
        From answers to replies.
    """

    question: TableQuestion
    coin: Coin
    channel: Channel
    guarantees: tuple[Guarantee, ...]
    spread: ClassVar[str] = EVENLY
    by_answer: ClassVar[bool] = False
    blank_warning: ClassVar[str] = ""
    mean_warning: ClassVar[str] = ""
    rounding_note: ClassVar[str] = ""

    @property
    def way(self) -> Way:
        """How an answer becomes what is replied."""
        return Way.PROVING if can_prove(self.question) else Way.BROAD

    def sentences(self) -> tuple[str, ...]:
        """Say what is replied, what is learnt of it, and what protects it."""
        coin = COIN.format(in_first_language(self.coin.text))
        named = " and of ".join(f"“{label.name}”" for label, _ in self.coin.sets)
        learnt, warning = _NOTES
        rows = (describe_row(self.question, i) for i in range(len(self.question.answers)))
        return (coin, warning, *self._describe_suppositions(), learnt.format(named), *rows)

    def _describe_suppositions(self) -> tuple[str, ...]:
        """Describe the privacy loss to others by how common the harmless trait is."""
        if [len(members) for _, members in self.coin.sets] != [2, 2]:
            return ()
        ratios = [
            (_find_worst_ratio(self.question, self.coin, share), share) for share in _SUPPOSED
        ]
        first, *others = [f"{math.ceil(10 * ratio) / 10:g} times" for ratio, _ in ratios]
        common, *rest = [f"where {100 * share}" for _, share in ratios]
        more = ", ".join(" ".join(parts) for parts in zip(others, rest, strict=True))
        return (
            f"To others no reply is more than {first} as likely from one answer as from the other, "
            f"{common} of 100 people have the harmless trait, and it has nothing to do with the "
            f"answer; {more}.",
        )

    def preview(self) -> ReportPreview | None:
        """Nothing: what a reply leaves possible is pairs of answers."""
        return None

    def protection(self) -> str:
        """Say in a sentence how well a reply is protected."""
        return "Protected from whoever knows neither the coin nor the harmless answer."

    def precision(self, sizes: Sequence[int]) -> tuple[str, ...]:
        """The half-width of a 95 % interval for each number of reports, if pairs were even."""
        chances = self.channel.matrix.mean(axis=0)
        worst = math.sqrt(
            _find_covariance(self._find_weights(chances), chances, chances).diagonal().max()
        )
        return tuple(f"± {100 * _Z * worst / math.sqrt(n):.1f} points" for n in sizes)

    def bound_poisoning(self, false: int, reports: int) -> PoisoningBound:
        """Bound how far false replies move an unbiased share."""
        weights = self._find_weights(self.channel.matrix.mean(axis=0))
        far = float((weights.max(axis=1) - weights.min(axis=1)).max())
        return PoisoningBound(
            false=false,
            reports=reports,
            at_most=100 * far * false / reports,
            plain=100 * false / reports,
            unit="points",
            target="an unbiased share",
            by_chance=True,
            unbiased=True,
        )

    def _find_weights(self, noise: Floats) -> Floats:
        """Minimum-variance unbiased weights of the replies for the share of each set.

        Of all c with Σ c_j q_xj = [x is in the set] those with the least Σ c² v, where v is the
        noise of each reply.

        Raises
        ------
        NotIdentified
            If the replies leave the share of a set open.
        """
        targets = np.zeros((len(self.coin.sets), len(self.channel.frame)))
        for i, (_, members) in enumerate(self.coin.sets):
            targets[i, list(members)] = 1.0
        root, matrix = np.sqrt(noise), self.channel.matrix
        weights: Floats = np.linalg.lstsq(matrix / root, targets.T, rcond=1e-12)[0].T / root
        if not np.allclose(matrix @ weights.T, targets.T, atol=1e-6):
            raise NotIdentified("coin.sets", got="a share left open", allowed="sets replies tell")
        return weights

    def estimate(self, counts: ReportCounts, level: float) -> Estimate:
        """Estimate the share of each set by the likelihood of the answers behind replies."""
        tally = self._tally(counts)
        labels = tuple(label.name for label, _ in self.coin.sets)
        answers, many = self.channel.frame.answers, len(labels)
        if not tally.total:
            nothing = np.full(many, math.nan)
            return Estimate(
                labels=labels,
                value=nothing,
                covariance=np.full((many, many), math.nan),
                lower=np.zeros(many),
                upper=np.ones(many),
                level=level,
                reports=0,
                effective_sample_size=nothing,
                estimator=ShareEstimator.NONE,
                convergence=Convergence.NO_REPORTS,
                goodness_of_fit=goodness_of_fit(tally),
            )
        sets = {label.name: [answers[i] for i in members] for label, members in self.coin.sets}
        bounds = estimate_sets(tally, sets, level)
        value, n = (bounds.low + bounds.high) / 2, tally.total
        chances = TallyMaximum.of(tally).chance
        smoothed = np.where(tally.counts > 0, tally.counts, n * chances).clip(0.25)
        noise = (n * chances**2 / smoothed).clip(0.25 / n)
        covariance = _find_covariance(self._find_weights(noise), noise, chances) / n
        informative = float(tally.counts[speaking(tally.channel)].sum())
        return Estimate(
            labels=labels,
            value=value,
            covariance=covariance,
            lower=bounds.lower,
            upper=bounds.upper,
            level=level,
            reports=n,
            effective_sample_size=answers_worth(value, covariance, informative),
            estimator=ShareEstimator.LIKELIHOOD_OF_SETS,
            convergence=bounds.convergence,
            goodness_of_fit=goodness_of_fit(tally),
        )

    def learn(self, values: Mapping[Value, int], level: float) -> QuestionEstimate:
        """Estimate from all that came, and test it against the coin's chances."""
        counts = sent_of(values)
        n, estimate = sum(counts.values()), self.estimate(counts, level)
        bound = self.bound_poisoning(max(n // FALSE, 1), n) if n else None
        return QuestionEstimate(
            estimate=estimate, fit=estimate.goodness_of_fit, manipulation=bound, left_open=()
        )

    def _tally(self, counts: ReportCounts) -> Tally:
        reports = self.channel.reports
        return Tally(self.channel, {reports[i]: n for i, n in counts.items() if type(i) is int})

    @property
    def wording(self) -> Mapping[str, str]:
        """The wording of each set by its name."""
        return {label.name: in_first_language(label.wording) for label, _ in self.coin.sets}

    def column(self, values: Sequence[Value]) -> list[Any] | None:
        """Name the replies that were sent."""
        names = self.channel.reports
        return [names[value] if isinstance(value, int) else None for value in values]


def deployed_sets(question: Choice, coin: Coin) -> DeployedSets:
    """Deploy a question whose replies identify shares of sets, with its guarantees.

    Parameters
    ----------
    question : Choice
    coin : Coin
        Its own, with sets.
    """
    judged = question.judged
    assert isinstance(judged, TableQuestion)
    channel = table_channel(judged)
    return DeployedSets(judged, coin, channel, find_guarantees(channel))


def _find_covariance(weights: Floats, noise: Floats, chances: Floats) -> Floats:
    """The covariance matrix of the weights of one reply."""
    means = weights @ chances
    spread: Floats = (weights * noise) @ weights.T - np.outer(means, means)
    return spread


def _find_worst_ratio(question: TableQuestion, coin: Coin, share: Fraction) -> Fraction:
    """The largest likelihood ratio of a reply, at this share of the harmless trait."""
    rows = [
        [share * chance + (1 - share) * other for chance, other in zip(*pair, strict=True)]
        for pair in ([question.table.row(i) for i in members] for _, members in coin.sets)
    ]
    ratios = [Fraction(first, second) for first, second in zip(*rows, strict=True)]
    return max(*ratios, *(1 / ratio for ratio in ratios))
