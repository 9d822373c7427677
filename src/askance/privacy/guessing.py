"""Guessing one person's answer: how often anyone who sees the report is wrong; advantage."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations
from typing import final

import numpy as np

from askance.arguments import checked
from askance.channels.channel import Channel
from askance.errors import InputError
from askance.exact.ratio import cautious, ratio
from askance.privacy.guarantee import Guarantee, Notion
from askance.privacy.losses import exact_rows

_LARGEST = 1 << 61  # sums of two such products fit into 64 bits


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Guessing:
    """What the best guess between two answers achieves, at a stated prior.

    Attributes
    ----------
    guarantee : Guarantee
        The weighted advantage, exact.
    first_weight : Fraction
        w, the prior chance of the first answer of the pair.
    pair : tuple of str
        The two answers, in order.
    """

    guarantee: Guarantee
    first_weight: Fraction
    pair: tuple[str, str]

    @property
    def error(self) -> Fraction:
        """The average error probability of the best guess: (1 − advantage)/2."""
        return (1 - Fraction(self.guarantee.value)) / 2

    @property
    def words(self) -> str:
        """The promise to one person, in one sentence."""
        most = cautious(1 - self.error, math.ceil)
        right = f"Whoever sees the report guesses right at most {most} times"
        if self.first_weight == Fraction(1, 2):
            return f"{right} in 100, if both answers are equally likely beforehand."
        held = f"{float(100 * self.first_weight):g}"
        return f"{right} in 100, if {self.pair[0]!r} has {held} chances in 100 beforehand."


@checked
def guessing(
    channel: Channel, *, first_weight: object = "1/2", between: tuple[str, str] | None = None
) -> Guessing:
    r"""Bayes error and advantage of whoever guesses between two answers from a report.

    .. math:: \tfrac12 \bigl(1 - \lVert w\, p_x - (1 - w)\, p_{x'} \rVert_1\bigr)

    is the average error probability of the best guess, where x has chance w and x′ has chance 1 − w
    beforehand.

    Parameters
    ----------
    channel : Channel
    first_weight : probability
        w in (0, 1), the prior chance of the first answer of the pair.
    between : pair of str, optional
        The two answers, in order. By default the ordered pair at which guessing is easiest.

    Raises
    ------
    InputError
        If w is not in (0, 1), an answer is unknown, or the two are the same.

    References
    ----------
    Yoshida, Yung & Hayashi (2019), equation (1).

    >>> from askance.channels.frame import Frame
    >>> from askance.mechanisms.randomised_response import Abstain
    >>> q = Abstain(truth="3/8", lie="1/8").channel(Frame(["yes", "no"]))
    >>> guessing(q).error, guessing(q).words[:60]
    (Fraction(3, 8), 'Whoever sees the report guesses right at most 62.5 times in ')
    """
    w = prior_weight(first_weight, "guessing.first_weight")
    answers, distance = channel.frame.answers, distances(channel, w)
    found = [
        (distance(x, other), (answers[x], answers[other])) for x, other in _pairs(channel, between)
    ]
    value, pair = max(found, key=lambda one: one[0])
    where = f"between {pair[0]!r} and {pair[1]!r}"
    judged = Guarantee(Notion.ADVANTAGE, value, where)
    return Guessing(guarantee=judged, first_weight=w, pair=pair)


def prior_weight(weight: object, where: str = "first_weight") -> Fraction:
    """Read the chance that a guesser gives the first of two answers beforehand.

    >>> prior_weight(0.4)
    Fraction(2, 5)
    """
    read = ratio(weight, where)
    if not 0 < read < 1:
        raise InputError(where, got=str(weight), allowed="a probability in (0, 1)")
    return read


def advantage_limit(limit: object, weight: Fraction) -> Fraction:
    """Read a bound δ on the weighted advantage.

    Raises
    ------
    InputError
        If δ is below |1 − 2w|, which whoever ignores the report reaches, if it is 0, or if it is 1
        or more.

    >>> advantage_limit("1/4", Fraction(1, 2))
    Fraction(1, 4)
    """
    read, least = ratio(limit, "advantage"), abs(1 - 2 * weight)
    if read >= 1 or read < least or read == 0:
        nearest = f"the least that can hold is {least}: guessing without a report attains it"
        remedies = [
            (read >= 1, "1 bounds nothing: leave the constraint out"),
            (read == 0, "at 0 no report says anything"),
            (True, nearest),
        ]
        raise InputError(
            "advantage",
            got=str(limit),
            allowed=f"a bound in [{least}, 1), above 0" if least else "a bound in (0, 1)",
            remedy=next(remedy for holds, remedy in remedies if holds),
        )
    return read


def _pairs(channel: Channel, between: tuple[str, str] | None) -> list[tuple[int, int]]:
    if between is None:
        pairs = list(permutations(range(len(channel.frame)), 2))
    else:
        x, other = (channel.frame.index(answer) for answer in between)
        pairs = [(x, other)] if x != other else []
    if not pairs:
        raise InputError(
            "guessing.between",
            got=between or f"{len(channel.frame)} answer",
            allowed="two different answers",
        )
    return pairs


def distances(channel: Channel, w: Fraction) -> Callable[[int, int], Fraction]:
    """Compare rows by ‖w Q(·|x) − (1 − w) Q(·|x′)‖₁, exactly; x and x′ are positions.

    In whole numbers, of a machine's size where they fit.

    >>> from askance.channels.frame import Frame
    >>> from askance.mechanisms.randomised_response import Warner
    >>> q = Warner(truth="3/4").channel(Frame(["yes", "no"]))
    >>> distances(q, Fraction(1, 2))(0, 1)
    Fraction(1, 2)
    """
    above, below = w.numerator, w.denominator - w.numerator
    if channel.table is not None:
        total, rows = channel.table.total, channel.table.rows
    else:
        fractions = exact_rows(channel)
        total = math.lcm(*(entry.denominator for row in fractions for entry in row))
        rows = tuple(tuple(int(entry * total) for entry in row) for row in fractions)
    small = w.denominator * total <= _LARGEST
    units = np.array(rows, dtype=np.int64 if small else object)
    whole = w.denominator * total
    return lambda x, other: Fraction(
        int(np.abs(above * units[x] - below * units[other]).sum()), whole
    )


@checked
def advantage(channel: Channel, *, first_weight: object = "1/2") -> Guarantee:
    r"""Bayes advantage: by how much a report helps to guess between two answers, at worst.

    .. math:: \max_{x \ne x'} \lVert w\, p_x - (1 - w)\, p_{x'} \rVert_1

    With w = ½ this is the total variation distance: someone who holds the two answers equally
    likely beforehand guesses right with chance (1 + advantage) / 2.

    Parameters
    ----------
    channel : Channel
    first_weight : probability
        w in (0, 1), the prior chance of x, the first answer of the pair; over ordered pairs either
        answer is the first once.

    References
    ----------
    Yoshida, Yung & Hayashi (2019), equation (1), the constraint on the weighted ℓ₁ norm.

    >>> from askance.channels.frame import Frame
    >>> from askance.mechanisms.randomised_response import Abstain
    >>> advantage(Abstain(truth=0.6, lie=0.1).channel(Frame(["yes", "no"]))).value
    Fraction(1, 2)
    """
    w = prior_weight(first_weight, "advantage.first_weight")
    answers, distance = channel.frame.answers, distances(channel, w)
    worst, where = abs(1 - 2 * w), "with a single answer"
    for x, other in permutations(range(len(answers)), 2):
        if (found := distance(x, other)) >= worst:
            worst, where = found, f"between {answers[x]!r} and {answers[other]!r}"
    return Guarantee(Notion.ADVANTAGE, worst, where)
