"""Two answers told by two reports: the share in closed form, with its exact variance."""

from dataclasses import dataclass
from typing import final

from askance.arguments import checked
from askance.errors import InputError, NotIdentified
from askance.estimators.shares.informative import Informative
from askance.estimators.shares.inverse_count import mean_inverse

_ROUNDING = 1e-12


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class BinomialShare:
    """The share of the first answer, seen through a binomial count.

    Attributes
    ----------
    base, slope : float
        Given that a report is informative it is the first one with chance
        base + slope · share.
    seen, total : float
        First reports, and informative reports.
    share : float
        Chance that a report is informative.
    received : int
        All reports, the others included.
    """

    base: float
    slope: float
    seen: float
    total: float
    share: float
    received: int

    @property
    def raw(self) -> float:
        """The unbiased estimate, which can leave [0, 1]; not a number without a report."""
        return (self.seen / self.total - self.base) / self.slope if self.total else float("nan")

    def variance(self, prevalence: float) -> float:
        r"""Give the exact variance of the unbiased estimate, given that a report says anything.

        r(1 − r)/slope² · E[1/N | N > 0] with r = base + slope · prevalence. For truth p, lie q and
        "don't know" otherwise this is [−(π − ½)² + ((p + q)/(p − q))²/4] · E[1/N | N > 0] (Li,
        Zhou, Qin & Xu, 2022, theorem 10, with the conditional mean in place of its misprint). With
        p + q = 1 it is [1/(4(2p − 1)²) − (π − ½)²]/n (Warner, 1965, equation 1).
        """
        chance = self.base + self.slope * prevalence
        spread = chance * (1 - chance) / self.slope**2
        return max(spread, 0.0) * mean_inverse(self.received, self.share)


def binomial_share(data: Informative) -> BinomialShare | None:
    """Recognise two answers told by exactly two informative reports, from the chances alone."""
    if len(data.labels) != 2 or len(data.counts) != 2:
        return None
    base, top = data.rows[0, 1] / data.share, data.rows[0, 0] / data.share
    return BinomialShare(
        base=float(base),
        slope=float(top - base),
        seen=float(data.counts[0]),
        total=data.total,
        share=data.share,
        received=data.received,
    )


@checked
def truth_lie_variance(prevalence: float, truth: float, lie: float, n: int) -> float:
    """Give the exact variance of the estimated share under truth, lie or "don't know".

    [−(π − ½)² + ((p + q)/(p − q))²/4] · E[1/N | N > 0] with N ~ Binomial(n, p + q) the number of
    reports that name an answer (Li, Zhou, Qin & Xu, 2022, theorem 10 as it holds: the mean is the
    conditional one, and needs no further division by P(N > 0)).

    Parameters
    ----------
    prevalence : float
        π, the true share of the answer.
    truth, lie : float
        p and q, the chances of naming the true and the false answer.
    n : int
        Reports, those that say "don't know" included.

    Raises
    ------
    InputError
        If the share or a chance is not in [0, 1], the chances sum to more than 1, or n is no whole
        number of at least one.
    NotIdentified
        If truth and lie are equally likely.

    >>> truth_lie_variance(0.0, 0.6, 0.1, 1)
    0.2399999999999...
    """
    for name, value in (("prevalence", prevalence), ("truth", truth), ("lie", lie)):
        if not 0 <= value <= 1:
            allowed = "a share in [0, 1]" if name == "prevalence" else "a chance in [0, 1]"
            raise InputError(f"truth_lie_variance.{name}", got=value, allowed=allowed)
    if truth + lie > 1 + _ROUNDING:
        raise InputError(
            "truth_lie_variance",
            got=f"truth {truth} and lie {lie}",
            allowed="chances that sum to at most 1: the rest say that they do not know",
        )
    if truth == lie:
        raise NotIdentified(
            "truth_lie_variance", got=f"truth = lie = {truth}", allowed="truth ≠ lie"
        )
    spread = ((truth + lie) / (truth - lie)) ** 2 / 4 - (prevalence - 0.5) ** 2
    return max(spread, 0.0) * mean_inverse(n, min(truth + lie, 1.0))
