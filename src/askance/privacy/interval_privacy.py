"""Disclosure by ranges beyond exclusion: flatness inside them, silence, and loss of odds."""

import math
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, pairwise, product
from typing import Any, final

from askance.channels.channel import Channel, senders
from askance.channels.cut_variants import OpenCellChannel, RingChannel
from askance.channels.frame import Frame
from askance.channels.range_channel import (
    AbstractRangeChannel,
    RangeChannel,
    piece_written,
    range_written,
)
from askance.privacy.guarantee import AS_GIVEN, EVENLY, Guarantee, Notion
from askance.privacy.losses import exact_rows
from askance.results import Listing, listed, result_frame, result_stream
from askance.typing import Json
from askance_collect.arguments import checked
from askance_collect.errors import InputError
from askance_collect.exact.ratio import chance


@checked
def flatness(channel: AbstractRangeChannel) -> Guarantee:
    """Flatness: the worst ratio of a report's chances between numbers that it leaves possible.

    It is 1 exactly when every posterior is the prior cut to the range: the definition of interval
    privacy. On a short line every draw is followed from every number, as a device follows it;
    where that is too long, the ratio is 1 because cuts are drawn before the answer is looked at.
    A range that is withheld is a report too: `silence` says what it tells, and with which blank.

    Parameters
    ----------
    channel : RangeChannel

    References
    ----------
    Ding & Ding (2022), Definition 1.

    >>> from askance.channels.range_channel import RangeChannel
    >>> from askance_collect.exact.line import Line
    >>> flatness(RangeChannel(Line(0, 4, 1), [1, 2, 1], 2)).value
    Fraction(1, 1)
    """
    silent = silence(channel).ratio
    if silent > 1:
        return Guarantee(Notion.FLATNESS, silent, "where nothing is sent")
    worst = worst_ratio(channel)
    if worst is None:
        return Guarantee(Notion.FLATNESS, Fraction(1), "everywhere: cuts precede the answer")
    return Guarantee(Notion.FLATNESS, worst, "over every draw of the cuts, enumerated")


@checked
def derived_flatness(
    channel: AbstractRangeChannel, derive: Callable[[int, int], Hashable], *, alone: bool = False
) -> Guarantee:
    """Say whether a figure derived from each reported range may be passed on.

    Beside the range it tells nothing more: whoever has the range could derive it too. Alone it need
    not be a range of anything. Let Y and a cut U be even on (0, 1) and W say whether Y ≤ U: given
    W, Y has the density 2(1 − y), which excludes nothing and is not flat.

    Parameters
    ----------
    channel : RangeChannel, RingChannel or OpenCellChannel
    derive : callable
        Takes the ticks of a reported range ``(low, high]`` and gives the figure.
    alone : bool
        Whether the figure is passed on without its range.

    Raises
    ------
    InputError
        If the figure alone tells numbers apart that it leaves possible; the message says by what
        ratio of chances.

    References
    ----------
    Ding & Ding (2022), Theorem 6, which holds for the range and the figure together.

    >>> from askance.channels.range_channel import RangeChannel
    >>> from askance_collect.exact.line import Line
    >>> cuts = RangeChannel(Line(0, 4, 1), [1, 1, 1])
    >>> derived_flatness(cuts, lambda low, high: high - low).value
    Fraction(1, 1)
    >>> derived_flatness(cuts, lambda low, high: low == 0, alone=True)
    Traceback (most recent call last):
    ...
    askance_collect.errors.InputError: derived_flatness.alone: got 'chances that differ by the ra...
    """
    if not alone:
        return Guarantee(Notion.FLATNESS, Fraction(1), "everywhere: the range tells the figure")
    chances: dict[Hashable, list[Fraction]] = {}
    for low, high in channel.cells()[0].tolist():
        row = chances.setdefault(derive(low, high), [Fraction(0)] * channel.line.ticks)
        share = channel.cell_chance(low, high)
        for piece in channel.pieces(low, high):
            for step in range(*piece):
                row[step] += share
    worst = max(max(row) / min(entry for entry in row if entry) for row in chances.values())
    if worst > 1:
        raise InputError(
            "derived_flatness.alone",
            got=f"chances that differ by the ratio {worst} between two numbers left possible",
            allowed="figures that are flat on what they leave possible",
            remedy="pass the range on beside the figure",
        )
    return Guarantee(Notion.FLATNESS, worst, "over every figure, enumerated")


Cell = tuple[int, int]

_MOST = 250_000  # pairs of draw and answer, which take a fraction of a second


def worst_ratio(channel: AbstractRangeChannel) -> Fraction | float | None:
    """The worst ratio of a sent range's chances between two numbers that it leaves possible.

    None where there are too many draws to be followed. That nothing is sent is no range: here a
    silence tells all, and the ranges nothing but themselves.

    >>> from askance_collect.exact.line import Floor
    >>> from askance_collect.exact.line import Line
    >>> channel = RangeChannel(Line(0, 4, 1), [1, 1, 1], floor=Floor([1] * 4, 2), withhold=True)
    >>> silence(channel).ratio, worst_ratio(channel)
    (inf, Fraction(1, 1))
    """
    draws = followed(channel)
    if draws is None:
        return None
    return max(
        Fraction(max(row), min(row)) if min(row) else math.inf
        for cell, counts in draws.items()
        for row in [[counts[step] for piece in channel.pieces(*cell) for step in range(*piece)]]
    )


def followed(channel: AbstractRangeChannel) -> dict[Cell, Counter[int]] | None:
    """Count the draws on which each step sends each range, following them as a device does.

    None where pairs of draw and step are more than a quarter of a million.

    >>> from askance_collect.exact.line import Line
    >>> {cell: dict(counts) for cell, counts in followed(RangeChannel(Line(0, 2, 1), [3])).items()}
    {(0, 1): {0: 3}, (1, 2): {1: 3}}
    """
    if isinstance(channel, RingChannel):
        draws_of = math.comb(channel.line.ticks - 1, channel.number)
        sendings = _follow_rings(channel) if draws_of * channel.line.ticks <= _MOST else None
    elif isinstance(channel, RangeChannel):
        draw_count = sum(weight > 0 for weight in channel.cut_weights) ** channel.number
        sendings = _follow_cuts(channel) if draw_count * channel.line.ticks <= _MOST else None
    elif isinstance(channel, OpenCellChannel):
        draw_count = sum(weight > 0 for weight in channel.cuts.cut_weights) ** channel.cuts.number
        sendings = _follow_open_cells(channel) if draw_count * channel.line.ticks <= _MOST else None
    else:
        sendings = None
    if sendings is None:
        return None
    draws: defaultdict[Cell, Counter[int]] = defaultdict(Counter)
    for cell, step, weight in sendings:
        draws[cell][step] += weight
    return dict(draws)


def _follow_rings(channel: RingChannel) -> Iterator[tuple[Cell, int, int]]:
    for cuts in combinations(range(1, channel.line.ticks), channel.number):
        weight = math.prod(channel.cut_weights[tick - 1] for tick in cuts)
        arcs = [(cuts[-1], cuts[0]), *pairwise(cuts), (cuts[-1], cuts[0])]
        if weight and all(channel.floor.allows_range(*arc) for arc in arcs):
            for step in range(channel.line.ticks):
                yield arcs[bisect_right(cuts, step)], step, weight


def _list_draws(channel: RangeChannel) -> Iterator[tuple[tuple[int, ...], int]]:
    ticks = [tick for tick, weight in enumerate(channel.cut_weights, start=1) if weight]
    for cuts in product(ticks, repeat=channel.number):
        yield cuts, math.prod(channel.cut_weights[tick - 1] for tick in cuts)


def _follow_open_cells(channel: OpenCellChannel) -> Iterator[tuple[Cell, int, int]]:
    for cuts, weight in _list_draws(channel.cuts):
        ends = [0, *sorted(cuts), channel.line.ticks]
        for step in range(channel.line.ticks):
            k = bisect_right(ends, step, 1, len(ends) - 1)
            yield (
                ((step, step + 1) if k in channel.exact_cells else (ends[k - 1], ends[k])),
                step,
                weight,
            )


def _follow_cuts(channel: RangeChannel) -> Iterator[tuple[Cell, int, int]]:
    for cuts, weight in _list_draws(channel):
        for step in range(channel.line.ticks):
            if (cell := _narrow_range(channel, cuts, step)) is not None:
                yield cell, step, weight


def _narrow_range(channel: RangeChannel, cuts: tuple[int, ...], step: int) -> Cell | None:
    if any(start <= step < end for start, end in channel.open):
        return step, step + 1
    low, high = 0, channel.line.ticks
    floor = channel.floor
    for tick in cuts:
        divides = floor is None or channel.withhold or floor.allows_cut(low, tick, high)
        if low < tick < high and divides:
            low, high = (tick, high) if tick <= step else (low, tick)
    is_sent = floor is None or not channel.withhold or floor.allows_range(low, high)
    return (low, high) if is_sent else None


@final
@listed
@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Silence:
    r"""The chance of silence given the answer, and the likelihood ratio of a silence.

    With ρ the chance that a device is let speak at all, 1 − ρ = ``blank``, and s(y) that the range
    of an answer y is then wide enough, silence has the chance 1 − ρ s(y).

    Attributes
    ----------
    send_chances : tuple of Fraction, one for each step of the line
        s: the chance that a range is wide enough to be sent.
    blank : Fraction
        1 − ρ: the chance that nothing is sent whatever the answer.

    >>> Silence(send_chances=(Fraction(2, 3), Fraction(1)), blank=Fraction(1, 2))
    where nothing is sent
    chance of it, by the answer         50.0 % to 66.7 %
    worst ratio between two answers   1.3334 (at most 2)
    by chance alone                               85.7 %
    blank that makes chance likelier              14.3 %
    the last two: if answers were spread evenly
    """

    send_chances: tuple[Fraction, ...]
    blank: Fraction

    @property
    def chances(self) -> tuple[Fraction, ...]:
        """The chance of silence for each step."""
        return tuple(1 - (1 - self.blank) * share for share in self.send_chances)

    @property
    def ratio(self) -> Fraction | float:
        """The worst ratio of the chances: (1 − ρ min s)/(1 − ρ max s), exact; α is its logarithm.

        Reports that are sent are flat, so with the coverage τ this is (τ, α)-interval-differential
        privacy.
        """
        least = min(self.chances)
        return max(self.chances) / least if least else (1 if max(self.chances) == 0 else math.inf)

    @property
    def bound(self) -> Fraction | float:
        """What the ratio cannot exceed whatever the sizes and cuts: 1 / (1 − ρ)."""
        return 1 / self.blank if self.blank else math.inf

    @property
    def guarantee(self) -> Guarantee:
        """The ratio as a guarantee; its epsilon is α."""
        where = (self.chances.index(end(self.chances)) for end in (max, min))
        attained = "between steps {} and {} of the line".format(*(step + 1 for step in where))
        return Guarantee(Notion.SILENCE, self.ratio, attained)

    @checked
    def by_chance(self, shares: Sequence[object] | None = None) -> Fraction:
        """How likely it is, where nothing was sent, that chance alone had decided so.

        (1 − ρ)/(1 − ρ s) with s averaged over the answers: evenly, or by their shares.

        Raises
        ------
        InputError
            If there is not one share for each step, or they do not sum to one.
        """
        silent = 1 - (1 - self.blank) * self._average(shares)
        return self.blank / silent if silent else Fraction(1)

    @checked
    def min_blank(self, shares: Sequence[object] | None = None) -> Fraction:
        """The least blank at which chance is the likelier reason: ρ ≤ 1/(2 − s), sharply.

        The paper's ρ ≤ 1/2 is sufficient whatever s is.
        """
        s = self._average(shares)
        return (1 - s) / (2 - s)

    def _average(self, shares: Sequence[object] | None) -> Fraction:
        read = shares_of(shares, len(self.send_chances), "Silence.shares")
        return sum((a * b for a, b in zip(read, self.send_chances, strict=True)), Fraction(0))

    def to_dict(self) -> Json:
        """Write the chances and ratios of silence for JSON; exact numbers as strings."""
        return {
            "sent": [str(share) for share in self.send_chances],
            "blank": str(self.blank),
            "ratio": str(self.ratio),
            "bound": str(self.bound),
            "by_chance": str(self.by_chance()),
            "least_blank": str(self.min_blank()),
        }

    def _table(self) -> Listing:
        low, high = (100 * float(end(self.chances)) for end in (min, max))
        bound = Guarantee(Notion.SILENCE, self.bound, "").printed()
        rows = [
            ["chance of it, by the answer", f"{low:.1f} % to {high:.1f} %"],
            ["worst ratio between two answers", f"{self.guarantee.printed()} (at most {bound})"],
            ["by chance alone", f"{100 * float(self.by_chance()):.1f} %"],
            ["blank that makes chance likelier", f"{100 * float(self.min_blank()):.1f} %"],
        ]
        return "where nothing is sent", rows[0], rows[1:], [f"the last two: {EVENLY}"]

    to_frame = result_frame
    __arrow_c_stream__ = result_stream


@checked
def silence(channel: AbstractRangeChannel, blank: object = 0) -> Silence:
    """Compute the likelihood ratio of silence: what a withheld report discloses.

    Parameters
    ----------
    channel : RangeChannel, RingChannel or OpenCellChannel
    blank : probability
        The chance that nothing is sent whatever the answer: 1 − ρ of a (τ, ρ)-selective mechanism.

    Raises
    ------
    InputError
        If the blank is not a probability.

    References
    ----------
    Ding & Ding (2022), Definition 5 and Proposition 2, made sharp.

    >>> from askance.channels.range_channel import RangeChannel
    >>> from askance_collect.exact.line import Floor
    >>> from askance_collect.exact.line import Line
    >>> channel = RangeChannel(Line(0, 4, 1), [1, 1, 1], floor=Floor([1] * 4, 2), withhold=True)
    >>> silent = silence(channel, "1/2")  # 1/2 + 1/2 · 1/3 against 1/2
    >>> silent.ratio, silent.bound, silent.by_chance(), silent.min_blank()
    (Fraction(4, 3), Fraction(2, 1), Fraction(6, 7), Fraction(1, 7))
    """
    send_chances = tuple(1 - channel.null_chance(step) for step in range(channel.line.ticks))
    return Silence(send_chances=send_chances, blank=chance(blank, "silence.blank"))


_MOST_ENTRIES = 200_000


@checked
def interval_differential(
    channel: Channel, shares: Sequence[object] | None = None
) -> tuple[Guarantee, Guarantee]:
    r"""Interval–differential privacy: its parameters, coverage τ and the loss α inside.

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

    >>> from askance.mechanisms.randomised_response import Warner
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
        report_chance = sum(
            (share * entry for share, entry in zip(pi, column, strict=True)), Fraction(0)
        )
        possible = [share for share, entry in zip(pi, column, strict=True) if entry]
        tau += report_chance * sum(possible, Fraction(0))
        if max(inside) / min(inside) > worst:
            worst, where = max(inside) / min(inside), report
    assumed_population = EVENLY if shares is None else AS_GIVEN
    covered = Guarantee(
        Notion.COVERAGE,
        tau,
        "on average over answers and reports",
        assumed_population=assumed_population,
    )
    return covered, Guarantee(Notion.FLATNESS, worst, f"by '{where}'")


@checked
def information_loss(channel: Channel, shares: Sequence[object] | None = None) -> Guarantee:
    r"""Information privacy: the most that a report moves an answer's own chance, at a prior.

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

    >>> from askance.mechanisms.randomised_response import Warner
    >>> channel = Warner(truth="3/4").channel(Frame(["yes", "no"]))
    >>> information_loss(channel).value, information_loss(channel, ["1/10", "9/10"]).value
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
    assumed_population = EVENLY if shares is None else AS_GIVEN
    return Guarantee(Notion.INFORMATION, worst, where, assumed_population=assumed_population)


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

    >>> from askance_collect.exact.line import Line
    >>> from askance.channels.range_channel import RangeChannel
    >>> two = RangeChannel(Line(0, 2, 1), [1])
    >>> noisy_ranges(two, [["3/4", "1/4"], ["1/4", "3/4"]]).table
    Table(total=4, rows=((3, 1), (1, 3)))
    """
    line, n = channel.line, channel.line.ticks
    if (channel.inclusion_probability() < 1 - 1e-12).any():
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
    noise_rows = [[chance(entry, "noise") for entry in row] for row in noise]
    if [len(row) for row in noise_rows] != [n] * n or any(sum(row) != 1 for row in noise_rows):
        raise InputError(
            "noisy_ranges.noise", allowed=f"{n} rows of {n} chances that sum to one, exactly"
        )
    names = [piece_written(line, step, step + 1) for step in range(n)]
    steps = [[step for piece in channel.pieces(*cell) for step in range(*piece)] for cell in cells]
    law = [channel.cell_chance(*cell) for cell in cells]
    rows = [
        [
            share * sum((row[step] for step in inside), Fraction(0))
            for inside, share in zip(steps, law, strict=True)
        ]
        for row in noise_rows
    ]
    meant = {
        range_written(channel, *cell): [names[step] for step in inside]
        for cell, inside in zip(cells, steps, strict=True)
    }
    return Channel(Frame(names), meant, rows)


@checked
def set_guarantees(channel: Channel) -> tuple[Guarantee, ...]:
    """Interval privacy of named answers: coverage, least coverage and flatness of reported sets.

    They are for a channel that never lies and only rules answers out: each report is possible for
    exactly the answers that it means, and some report does not mean all of them. Of another channel
    nothing is said. The answers are taken as equally common.

    Returns
    -------
    tuple of Guarantee
        Three, or none.

    References
    ----------
    Ding & Ding (2022), Definitions 1 and 2, with named answers in the place of numbers.

    >>> from askance.channels.frame import Frame
    >>> from askance.mechanisms.randomised_response import Abstain
    >>> from askance.privacy import set_guarantees
    >>> some = Abstain(truth="1/4", lie=0).channel(Frame(["yes", "no"]))  # or "don't know"
    >>> [(loss.notion.label, str(loss.value)) for loss in set_guarantees(some)]
    [('coverage', '7/8'), ('least coverage', '1/2'), ('worst density ratio inside a report', '1')]
    """
    k, support = len(channel.frame), senders(channel)
    sets = {report: mask for report, mask in zip(channel.reports, support, strict=True) if mask}
    honest = all(mask in (0, meant) for mask, meant in zip(support, channel.meanings, strict=True))
    if not honest or all(mask == (1 << k) - 1 for mask in sets.values()):
        return ()
    coverage, flatness = interval_differential(channel)
    report = min(sets, key=lambda sent_report: sets[sent_report].bit_count())
    least = Fraction(sets[report].bit_count(), k)
    floor = Guarantee(Notion.FLOOR, least, f"by '{report}'", assumed_population=EVENLY)
    return coverage, floor, flatness


_SLACK = Fraction(1, 10**9)


def shares_of(shares: Sequence[object] | None, k: int, where: str) -> list[Fraction]:
    """Read one share for each of k answers; equal ones where nothing is said.

    Raises
    ------
    InputError
        If there are not k shares or they do not sum to one, up to rounding.

    >>> shares_of(None, 2, "shares")
    [Fraction(1, 2), Fraction(1, 2)]
    """
    read = [Fraction(1, k)] * k if shares is None else [chance(share, where) for share in shares]
    total = sum(read, Fraction(0))
    if len(read) != k or abs(total - 1) > _SLACK:
        raise InputError(
            where,
            got=f"{len(read)} shares that sum to {float(total)}",
            allowed=f"{k} shares that sum to one",
        )
    return [share / total for share in read]
