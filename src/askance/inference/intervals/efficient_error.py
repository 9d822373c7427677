"""How far the most likely average of what ranges hold may err: the efficient standard error."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import final

import numpy as np

from askance.channels.identification import InclusionProbability
from askance.channels.ranges import Ranges
from askance.inference.bounds import Average, cut_to_support, extremes_on_intervals
from askance.inference.ranges.distribution import Distribution, furthest, two_curves
from askance.inference.ranges.sampled import SampledRanges
from askance.inference.ranges.support import cut_ends
from askance.typing import Floats, Integers

_MOST_BLOCKS = 200  # directions; more are not better observed
_AT_ONCE = 20_000  # ranges that fit in memory beside all blocks
_FAINT = 1e-9  # how much of F lies where no answer was, so that no range is impossible


def efficient_error(
    ranges: Ranges,
    fit: Distribution,
    phi: Average,
    support: tuple[float, float],
    turns: Floats,
    *,
    inclusion: InclusionProbability | None = None,
    sample: SampledRanges | None = None,
) -> float:
    r"""The standard error of the most likely ∫ φ dF.

    The variance is that of the worst direction in which F could be wrong,

    .. math:: \max_h \frac{(\int (\varphi - \theta) h\,dF)^2}
              {\sum_i w_i E_F(h \mid Y \in R_i)^2}

    (Groeneboom & Wellner, 1992). Directions h are constant on blocks between cuts, of about equal
    mass and at most √n of them, so that the information is well observed; where there are fewer
    cuts, as on a grid, every direction is seen. A most likely F sits on few places, so it is taken
    twice, with its masses where they are and spread out, and the larger error counts. One plain
    answer is added, so that what is not learnt has a large error, but a finite one. It is never
    less than the error if all had told their numbers; infinite if fewer than two did.

    At the worst h each report moves the average by its E(h | Y ∈ R_i): of a complex sample the
    variance is the design's, of the total of these (Binder, 1983), and that of the one plain
    answer; and at least that of all numbers told, times the design effect of what each report
    expects of its own. By that effect n counts people and not rows, where blocks are chosen, and
    the one plain answer counts as one person does. Where a number is heard of with chance s(y),
    E_F(s h)/E_F(s) is taken off each: what those who were heard of say of h on the whole.

    Parameters
    ----------
    ranges : Ranges
    fit : Distribution
    phi : callable
        φ, with a finite value at both ends of the support.
    support : (float, float)
        Of the number; infinite if φ allows.
    turns : array
        Where φ turns, ascending.
    inclusion : InclusionProbability, optional
        Positive on the support.
    sample : SampledRanges, optional
        Whose ranges these are, row by row.
    """
    ends = cut_ends(ranges)
    if inclusion is not None:
        ends = np.unique(np.concatenate([ends, inclusion.ends]))
    ends = ends[(ends > support[0]) & (ends < support[1])]
    if not len(ends) or ranges.total <= 1:
        return float("inf")
    span = max(float(ends[-1] - ends[0]), 1.0)
    low = support[0] if np.isfinite(support[0]) else ends[0] - span
    high = support[1] if np.isfinite(support[1]) else ends[-1] + span
    places = np.concatenate([[support[0]], ends, [support[1]]])
    lower, upper = extremes_on_intervals(phi, places[:-1], places[1:], turns)
    least, most = extremes_on_intervals(phi, *cut_to_support(fit, support), turns)
    lower = lower - _adjust_for_trades(fit, -least, places[1:])
    upper = upper + _adjust_for_trades(fit, most, places[1:])
    information = _RangeInformation(
        ranges=ranges, ends=ends, chance=_inclusion_chances(inclusion, places), sample=sample
    )
    curves = two_curves(fit, np.concatenate([[low], ends, [high]]), _FAINT * ranges.total)
    return max(information.error(curve, value) for curve in curves for value in (lower, upper))


def _adjust_for_trades(fit: Distribution, value: Floats, ends: Floats) -> Floats:
    """Say what to add to φ so that no trade of shares, which is not learnt, changes its average."""
    _, spared = furthest(fit.mass, fit.null_directions, value)
    adjustment: Floats = spared[np.searchsorted(fit.upper, ends).clip(0, len(spared) - 1)]
    return adjustment


def _inclusion_chances(inclusion: InclusionProbability | None, places: Floats) -> Floats | None:
    """The inclusion probability of a number at each place between neighbouring ends."""
    if inclusion is None:
        return None
    step = np.searchsorted(inclusion.ends, places[1:]) - 1
    chances: Floats = inclusion.chance[step.clip(0, len(inclusion.chance) - 1)]
    return chances


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _RangeInformation:
    """The information of ranges about averages.

    Attributes
    ----------
    ranges : Ranges
    ends : array, shape (c,)
        Which part the line into places.
    chance : array, shape (c + 1,), or None
        How likely a number at each place is to be heard of, up to a factor.
    sample : SampledRanges, optional
    """

    ranges: Ranges
    ends: Floats
    chance: Floats | None
    sample: SampledRanges | None

    def error(self, curve: Floats, value: Floats) -> float:
        """The standard error of Σ mass · value, where F is this curve at the ends of all places."""
        mass, n = np.diff(curve), self.ranges.total
        centred = value - mass @ value
        chance = np.ones(len(mass)) if self.chance is None else self.chance
        effect = self._design_effect(curve, mass * centred / chance)
        person = max(effect, 1.0)  # of so many rows
        first = _cut_into_blocks(curve, int(np.sqrt(n / person)))
        share, away = np.add.reduceat(mass, first), np.add.reduceat(mass * centred, first)
        paid = 0.0 if self.chance is None else _block_masses(mass * self.chance, first)
        edges = curve[np.append(first, -1)]
        information = person * np.diag(share)
        for rows, shares in self._block_shares(curve, edges):
            away_from = shares - paid
            information += away_from.T @ (away_from * self.ranges.weights[rows, None])
        worst = np.linalg.solve(information, away)
        exactly = (mass @ (centred**2 / chance)) * (mass @ chance)
        if self.sample is None:
            return float(np.sqrt(max(away @ worst, exactly / (n - 1))))
        influence = np.zeros(len(self.ranges))
        for rows, shares in self._block_shares(curve, edges):
            influence[rows] = (shares - paid) @ worst
        variance = self.sample.variance(influence) + float(share @ (person * worst) ** 2)
        return float(np.sqrt(max(variance, float(exactly) / n * effect)))

    def _design_effect(self, curve: Floats, sums: Floats) -> float:
        """The design effect of what each report expects of its own number; 1 without a design."""
        if self.sample is None:
            return 1.0
        effect = self.sample.effect(self._average_by_range(curve, sums))
        return self.sample.alone() if effect is None else effect

    def _block_shares(self, curve: Floats, edges: Floats) -> Iterator[tuple[Integers, Floats]]:
        """Give each range's shares of blocks, of some of those that count at a time."""
        counted_rows = np.flatnonzero(self.ranges.weights > 0)
        for start in range(0, len(counted_rows), _AT_ONCE):
            rows = counted_rows[start : start + _AT_ONCE]
            some = self.ranges[rows]
            low, high = (self._read_curve(curve, end) for end in (some.lower, some.upper))
            pieces = np.clip(high[:, None], edges[:-1], edges[1:])
            pieces -= np.clip(low[:, None], edges[:-1], edges[1:])
            shares = np.add.reduceat(pieces, some.starts[:-1])
            yield rows, shares / shares.sum(axis=1, keepdims=True)

    def _average_by_range(self, curve: Floats, sums: Floats) -> Floats:
        """The average over each range of what sums to so much at each place."""
        upto = np.append(0.0, np.cumsum(sums))
        totals = [
            np.add.reduceat(
                self._read_curve(cumulative, self.ranges.upper)
                - self._read_curve(cumulative, self.ranges.lower),
                self.ranges.starts[:-1],
            )
            for cumulative in (upto, curve)
        ]
        return np.asarray(totals[0] / np.where(totals[1] > 0, totals[1], 1.0), dtype=np.float64)

    def _read_curve(self, curve: Floats, number: Floats) -> Floats:
        """Read a curve at ends of ranges."""
        inside = curve[np.searchsorted(self.ends, number, side="right")]
        return np.where(number > self.ends[-1], curve[-1], inside)


def _block_masses(mass: Floats, first: Integers) -> Floats:
    """What part of all each block has."""
    return np.asarray(np.add.reduceat(mass, first) / mass.sum(), dtype=np.float64)


def _cut_into_blocks(curve: Floats, people: int) -> Integers:
    """Cut the places into blocks of about equal mass; each place alone if there are few."""
    places, wanted = len(curve) - 1, int(np.clip(people, 2, _MOST_BLOCKS))
    if places <= wanted:
        return np.arange(places)
    level = np.searchsorted(curve, np.arange(1, wanted) / wanted)
    return np.unique(np.concatenate([[0], np.minimum(level, places - 1)]))
