"""Interval privacy beside the notions that bound odds: what is ruled out, and what is shifted."""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from askance.arguments import checked
from askance.channels.channel import Channel
from askance.channels.frame import Frame
from askance.channels.line_channel import AbstractRangeChannel, piece_written, range_written
from askance.errors import InputError
from askance.exact.ratio import chance
from askance.privacy.guarantee import AS_GIVEN, EVENLY, Guarantee, Notion
from askance.privacy.losses.messages import exact_rows
from askance.privacy.ranges.shares import shares_of

_MOST_ENTRIES = 200_000


@checked
def interval_differential(
    channel: Channel, shares: Sequence[object] | None = None
) -> tuple[Guarantee, Guarantee]:
    r"""Give both parameters of interval–differential privacy: coverage τ and the loss α inside.

    .. math:: \tau = \sum_y P(y)\,\pi(S_y),\qquad
              e^\alpha = \max_y \max_{x, x' \in S_y} \frac{Q(y|x)}{Q(y|x')},\qquad
              S_y = \{x : Q(y|x) > 0\}

    A report y rules out all answers but S_y, and tells those apart by a ratio of e^α at most.
    Ranges that never lie have α = 0; mechanisms with a finite local loss have τ = 1 and α = ε. Both
    at once, τ = 1 and α = 0, is a report that tells nothing.

    Parameters
    ----------
    channel : Channel
        Such as `noisy_ranges` gives, or any other.
    shares : sequence of number, shape (k,), optional
        π, how common the answers are; equally common if left out.

    Returns
    -------
    (Guarantee, Guarantee)
        Coverage and flatness; α is the epsilon of the second.

    Raises
    ------
    InputError
        If there is not one share for each answer or they do not sum to one.

    References
    ----------
    Ding & Ding (2022), Definition 7 and Proposition 3; section S3.3 there has the two limits the
    other way round.

    >>> from askance.mechanisms.warner import Warner
    >>> tau, alpha = interval_differential(Warner(truth="3/4").channel(Frame(["yes", "no"])))
    >>> tau.value, alpha.value
    (Fraction(1, 1), Fraction(3, 1))
    """
    rows = exact_rows(channel)
    pi = shares_of(shares, len(rows), "interval_differential.shares")
    tau, worst, where = Fraction(0), Fraction(1), channel.reports[0]
    for report, column in zip(channel.reports, zip(*rows, strict=True), strict=True):
        inside = [entry for entry in column if entry]
        if not inside:
            continue
        sent = sum((share * entry for share, entry in zip(pi, column, strict=True)), Fraction(0))
        left = [share for share, entry in zip(pi, column, strict=True) if entry]
        tau += sent * sum(left, Fraction(0))
        if max(inside) / min(inside) > worst:
            worst, where = max(inside) / min(inside), report
    spread = EVENLY if shares is None else AS_GIVEN
    covered = Guarantee(Notion.COVERAGE, tau, "on average over answers and reports", spread=spread)
    return covered, Guarantee(Notion.FLATNESS, worst, f"by '{where}'")


@checked
def information_loss(channel: Channel, shares: Sequence[object] | None = None) -> Guarantee:
    r"""Give the loss of information privacy: how far a report moves an answer's own chance.

    .. math:: e^\alpha = \max_{x, y} \max\Bigl\{\frac{P(x \mid y)}{\pi_x},
              \frac{\pi_x}{P(x \mid y)}\Bigr\},\qquad
              \frac{P(x \mid y)}{\pi_x} = \frac{Q(y|x)}{\sum_{x'} \pi_{x'} Q(y|x')}

    It holds for one π only. With ε the local loss, α ≤ ε ≤ 2α for every π without zeros; 2α is
    attained, and ε is the supremum of α over all π. α is infinite where a report rules an answer
    out, as every range does that is not the whole line.

    Parameters
    ----------
    channel : Channel
        For ranges of a number, `noisy_ranges` without noise gives one.
    shares : sequence of number, shape (k,), optional
        π, how common the answers are; equally common if left out. Answers that nobody has are not
        looked at.

    Returns
    -------
    Guarantee
        Of notion INFORMATION; α is its epsilon.

    Raises
    ------
    InputError
        If there is not one share for each answer or they do not sum to one.

    References
    ----------
    Calmon & Fawaz (2012); Ding & Ding (2022), sections II-B and S3.1, compare it with interval
    privacy.

    >>> from askance.mechanisms.warner import Warner
    >>> asked = Warner(truth="3/4").channel(Frame(["yes", "no"]))
    >>> information_loss(asked).value, information_loss(asked, ["1/10", "9/10"]).value
    (Fraction(2, 1), Fraction(14, 5))
    """
    rows = exact_rows(channel)
    pi = shares_of(shares, len(rows), "information_loss.shares")
    worst: Fraction | float = Fraction(1)
    where = "by every report alike"
    for report, column in zip(channel.reports, zip(*rows, strict=True), strict=True):
        mean = sum((share * entry for share, entry in zip(pi, column, strict=True)), Fraction(0))
        if not mean:
            continue
        for answer, share, entry in zip(channel.frame.answers, pi, column, strict=True):
            ratio = max(entry / mean, mean / entry) if entry else math.inf
            if share and ratio > worst:
                worst, where = ratio, f"by {report!r} for {answer!r}"
    spread = EVENLY if shares is None else AS_GIVEN
    return Guarantee(Notion.INFORMATION, worst, where, spread=spread)


@checked
def noisy_ranges(channel: AbstractRangeChannel, noise: Sequence[Sequence[object]]) -> Channel:
    """Perturb the step a number is in, then report a range of what came out.

    Parameters
    ----------
    channel : RangeChannel, RingChannel or OpenCellChannel
        Draws the range; n steps, whose reports are never withheld.
    noise : sequence of sequence of probability, shape (n, n)
        For each step, the chances of the step it is taken for. Rows sum to one.

    Returns
    -------
    Channel
        From the n steps, each named ``(lower, upper]``, to the ranges; a report means the range on
        its face, which may be untrue.

    Raises
    ------
    InputError
        If the noise is not n rows of n chances that sum to one, or the table is too large.

    References
    ----------
    Ding & Ding (2022), the construction below Definition 7.

    >>> from askance.exact.line import Line
    >>> from askance.channels.range_channel import RangeChannel
    >>> two = RangeChannel(Line(0, 2, 1), [1])
    >>> noisy_ranges(two, [["3/4", "1/4"], ["1/4", "3/4"]]).table
    Table(total=4, rows=((3, 1), (1, 3)))
    """
    line, n = channel.line, channel.line.ticks
    if (channel.heard() < 1 - 1e-12).any():
        raise InputError(
            "noisy_ranges.channel", got="reports withheld", allowed="a range for every answer"
        )
    cells = [(int(low), int(high)) for low, high in channel.cells()[0]]
    if n * len(cells) > _MOST_ENTRIES:
        raise InputError(
            "noisy_ranges.channel",
            got=f"{n} steps and {len(cells)} ranges",
            allowed=f"at most {_MOST_ENTRIES} chances",
            remedy="use a larger step",
        )
    if any(not isinstance(row, Sequence) or isinstance(row, str) for row in list[Any](noise)):
        raise InputError("noisy_ranges.noise", got=noise, allowed="rows of chances")
    moved = [[chance(entry, "noise") for entry in row] for row in noise]
    if [len(row) for row in moved] != [n] * n or any(sum(row) != 1 for row in moved):
        raise InputError(
            "noisy_ranges.noise", allowed=f"{n} rows of {n} chances that sum to one, exactly"
        )
    names = [piece_written(line, at, at + 1) for at in range(n)]
    steps = [[at for piece in channel.pieces(*cell) for at in range(*piece)] for cell in cells]
    law = [channel.cell_chance(*cell) for cell in cells]
    rows = [
        [
            share * sum((row[at] for at in held), Fraction(0))
            for held, share in zip(steps, law, strict=True)
        ]
        for row in moved
    ]
    meant = {
        range_written(channel, *cell): [names[at] for at in held]
        for cell, held in zip(cells, steps, strict=True)
    }
    return Channel(Frame(names), meant, rows)
