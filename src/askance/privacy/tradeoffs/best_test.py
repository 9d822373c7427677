"""The test that attains a trade-off curve: when to accuse, and with what chance."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from types import MappingProxyType
from typing import final

from askance.arguments import checked
from askance.channels.channel import Channel
from askance.channels.listing import Listing, listed, number
from askance.errors import InputError
from askance.exact.ratio import chance
from askance.privacy.losses.messages import messages, units
from askance.privacy.tradeoffs.attack import MOST_NESTED, nested
from askance.privacy.tradeoffs.events import Events, events
from askance.privacy.tradeoffs.minimax import chain
from askance.privacy.tradeoffs.neyman_pearson import ranking, whole
from askance.privacy.tradeoffs.tradeoff import View, rows_of
from askance.typing import Json

Corner = tuple[Fraction, Fraction, int]
"""Errors α and β of the test that accuses on a set, and the set as a mask."""


@final
@listed
@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class BestTest:
    """A test with the least type II error among those with its type I error.

    Attributes
    ----------
    view : View
    accuses : mapping of str to Fraction
        The chance with which it accuses at each report, message or answer.
    alpha, beta : Fraction
        Its errors, in that view.

    >>> half = Fraction(1, 2)
    >>> BestTest(view=View.REPORTS, accuses={"yes": half}, alpha=half, beta=half).beta
    Fraction(1, 2)
    """

    view: View
    accuses: Mapping[str, Fraction]
    alpha: Fraction
    beta: Fraction

    def to_dict(self) -> Json:
        """Write the test for JSON, fractions as strings."""
        return {
            "view": self.view.name.lower(),
            "accuses": {name: str(share) for name, share in self.accuses.items()},
            "alpha": str(self.alpha),
            "beta": str(self.beta),
        }

    def _table(self) -> Listing:
        rows = [[name, number(float(share))] for name, share in self.accuses.items()]
        errors = f"α = {number(float(self.alpha))}, β = {number(float(self.beta))}"
        return f"best test, {self.view.value}", ["sees", "accuses"], rows, [errors]


@checked
def best_test(
    channel: Channel,
    x: str,
    other: str,
    alpha: object,
    *,
    view: View = View.MESSAGES,
) -> BestTest:
    """Give a test that attains `tradeoff` at a type I error.

    Parameters
    ----------
    channel : Channel
    x, other : str
        The innocent answer, and the one that the test looks for.
    alpha : number
        α, the chance of a false alarm, used to the full.
    view : View
        Any but OPTIMISTIC, which is a bound and no test's errors.

    Raises
    ------
    InputError
        If α is no chance, an answer is not in the frame, or the view is OPTIMISTIC.

    References
    ----------
    Neyman & Pearson (1933), section III; Huber & Strassen (1973), Theorem 4.1, for the minimax
    test of the pessimistic view.

    >>> from askance.channels.frame import Frame
    >>> from askance.mechanisms.abstain import Abstain
    >>> q = Abstain(truth=0.6, lie=0.1).channel(Frame(["yes", "no"]))
    >>> best_test(q, "yes", "no", 0.05)
    best test, message by message: sets of answers, taken as they are
    sees       accuses
    yes              0
    no             0.5
    yes or no        0
    α = 0.05, β = 0.7
    """
    level = chance(alpha, "best_test.alpha")
    names, steps = _steps(channel, *rows_of(channel, x, other), view)
    beta, inner, outer, part = min(
        (b0 + (b1 - b0) * share, inner, outer, share)
        for (a0, b0, inner), (a1, b1, outer) in steps
        if a0 <= level <= a1
        for share in [(level - a0) / (a1 - a0) if a1 > a0 else Fraction(1)]
    )
    accuses = {
        name: Fraction(inner >> at & 1) or part * (outer >> at & 1) for at, name in enumerate(names)
    }
    return BestTest(view=view, accuses=MappingProxyType(accuses), alpha=level, beta=beta)


def _steps(
    channel: Channel, x: int, other: int, view: View
) -> tuple[Sequence[str], Iterable[tuple[Corner, Corner]]]:
    """Name what the test sees, and pair the nested sets between which it may mix."""
    match view:
        case View.REPORTS:
            rows, _ = units(channel)
            return channel.reports, pairwise(_ranked(whole(rows[x]), whole(rows[other])))
        case View.MESSAGES:
            read = messages(channel)
            names = channel.output.wordings(int(mask) for mask in read.masks)
            return names, pairwise(_ranked(whole(read.masses[x]), whole(read.masses[other])))
        case View.PESSIMISTIC:
            each = events(channel, x, other)
            corners = _corners(each, each.cautious())
            return channel.output.answers, pairwise(corners[mask] for mask in chain(each))
        case View.ATTACKER:
            each = events(channel, x, other, MOST_NESTED)
            corners = _corners(each, each.bold())
            pairs = zip(*nested(each.size), strict=True)
            return channel.output.answers, ((corners[a], corners[b]) for a, b in pairs)
    allowed = ", ".join(one.name for one in View if one is not View.OPTIMISTIC)
    raise InputError("best_test.view", got=view.name, allowed=allowed)


def _ranked(first: Sequence[int], second: Sequence[int]) -> Iterator[Corner]:
    alarms, misses = sum(first), sum(second)
    alarm, missed, mask = 0, misses, 0
    yield Fraction(0), Fraction(1), mask
    for at in ranking(first, second):
        alarm, missed, mask = alarm + first[at], missed - second[at], mask | 1 << at
        yield Fraction(alarm, alarms), Fraction(missed, misses), mask


def _corners(read: Events, errors: Sequence[tuple[int, int]]) -> list[Corner]:
    alarms, misses = read.totals
    return [(Fraction(a, alarms), Fraction(b, misses), at) for at, (a, b) in enumerate(errors)]
