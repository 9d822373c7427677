"""Ranges reported by a complex sample: distinct ranges with weights, and design-based errors."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import final

import numpy as np

from askance.channels.ranges import Ranges
from askance.inference.replicate_weights import (
    ReplicateWeights,
    fits_to_replicates,
    ratio_covariance,
    replicate_covariance,
)
from askance.inference.sampling_design import AbstractSamplingDesign
from askance.results import over_replicates
from askance.typing import Floats, Integers
from askance_collect.errors import InputError, NotIdentified

_FAINT = 1e-14  # of all people: scores that hardly differ


def replicates_of(sampling: AbstractSamplingDesign | None) -> int:
    """How many replicates a sampling design has; 0 of any other, or of none.

    >>> replicates_of(None)
    0
    """
    return sampling.replicates.shape[1] if isinstance(sampling, ReplicateWeights) else 0


def refitted_error(
    sampling: AbstractSamplingDesign,
    of: Integers,
    fit: Callable[[Floats], tuple[float, float]],
    estimate: tuple[float, float],
) -> float:
    """The standard error of two ends by a fit to each replicate, the larger of both.

    0 of a sampling design without replicates, and where all of them say the same.

    Parameters
    ----------
    sampling : AbstractSamplingDesign
    of : array of int, shape (n,)
        Which distinct range each row told.
    fit : callable
        Gives both ends by the sums of weights of distinct ranges.
    estimate : (float, float)
        What all weights say.

    Raises
    ------
    InputError
        If a replicate has negative weights.
    NotIdentified
        If nobody counts in a replicate, or what its people told settles nothing.
    """
    if not isinstance(sampling, ReplicateWeights):
        return 0.0
    many, centre = int(of.max()) + 1, np.array([*estimate])

    def again(weights: Floats) -> Floats | None:
        if not weights.any():
            return None
        try:
            return np.array([*fit(np.bincount(of, weights, many).astype(float))])
        except NotIdentified:
            return None

    ends = fits_to_replicates(sampling, again, centre, _NOTHING_TOLD)
    return float(np.sqrt(np.diag(replicate_covariance(sampling, ends, centre)).max()))


_NONE = np.finfo(float).tiny

_NOTHING_TOLD = (
    "a replicate whose ranges settle nothing",
    "people enough in every replicate to fit the distribution again",
    "join clusters, or hand over a SamplingDesign, whose variance is linearised",
)


def sampled_ranges(ranges: Ranges, sampling: AbstractSamplingDesign) -> Ranges:
    """Weigh ranges as a sampling design says, weights scaled to sum to the people who have some.

    Blanks weigh nothing: people who sent a range are a domain of the sample.

    >>> from askance.inference import SamplingDesign
    >>> sampled_ranges(Ranges([0, 1, 2], [1, 2, 3]), SamplingDesign(weights=[10, 30, 0])).weights
    array([0.5, 1.5, 0. ])
    """
    if not np.isin(ranges.weights, (0, 1)).all():
        raise InputError(
            "Ranges.counts",
            got="counts beside a sampling design",
            allowed="ranges that are each there once: the sampling design has the weights",
        )
    if len(sampling.weights) != (n := len(ranges)):
        raise InputError("sampling", got=f"{len(sampling.weights):,} rows", allowed=f"{n:,}")
    weights = sampling.weights * ranges.weights
    return ranges.reweighed(weights * (np.count_nonzero(weights) / max(weights.sum(), _NONE)))


def senders(ranges: Ranges, sampling: AbstractSamplingDesign) -> AbstractSamplingDesign:
    """The sample with the people who sent a range as its domain: a blank is counted 0 times.

    >>> from askance.inference import SamplingDesign
    >>> blank = Ranges([0, np.nan, 2], [1, np.nan, 3])
    >>> senders(blank, SamplingDesign(weights=[10, 30, 20])).weights.tolist()
    [10.0, 0.0, 20.0]
    """
    counted = ranges.weights > 0
    return sampling if counted.all() else sampling.domain(counted)


def sample_of(where: str, sampling: AbstractSamplingDesign) -> AbstractSamplingDesign:
    """Leave finite populations out: cuts were drawn too.

    Raises
    ------
    InputError
        If there is no degree of freedom.
    """
    sample = sampling.with_replacement()
    if not sample.df > 0:
        raise InputError(
            f"{where}.sampling",
            got=f"{sample.df:g} degrees of freedom",
            allowed="more clusters than strata",
        )
    return sample


def distinct(ranges: Ranges) -> tuple[Ranges, Integers]:
    """List each distinct range once, with the weights of its rows, and the index of each row.

    >>> ranges = Ranges.unions([[(0, 1), (4, 9)], [(1, 4)], [(0, 1), (4, 9)]], counts=[1, 2, 4])
    >>> once, of = distinct(ranges)
    >>> once, once.weights.tolist(), of.tolist()
    (Ranges((0, 1] | (4, 9], (1, 4]), [5.0, 2.0], [0, 1, 0])
    """
    pieces = np.diff(ranges.starts)
    table = np.full((len(ranges), 2 * int(pieces.max(initial=1)) + 2), -np.inf)
    row = np.repeat(np.arange(len(ranges)), pieces)
    nth = np.arange(len(row)) - ranges.starts[row]
    table[row, 2 * nth], table[row, 2 * nth + 1] = ranges.lower, ranges.upper
    if ranges.entry is not None and ranges.exit is not None:
        table[:, -2], table[:, -1] = ranges.entry, ranges.exit
    _, first, of = np.unique(table, axis=0, return_index=True, return_inverse=True)
    of = of.ravel()
    return ranges[first].reweighed(np.bincount(of, ranges.weights, len(first)).astype(float)), of


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SampledRanges:
    """The ranges of a complex sample, with who reported which.

    Attributes
    ----------
    ranges : Ranges
        Each distinct range once, with weights that sum to the people who have some.
    of : array of int, shape (n,)
        Which of them each person told.
    sampling : AbstractSamplingDesign
        With replacement.
    """

    ranges: Ranges
    of: Integers
    sampling: AbstractSamplingDesign

    def __post_init__(self) -> None:
        self.of.setflags(write=False)

    @classmethod
    def from_sampling(
        cls, where: str, ranges: Ranges, sampling: AbstractSamplingDesign
    ) -> "SampledRanges":
        """Weigh ranges as their sample says.

        Raises
        ------
        InputError
            If ranges have weights, rows are more or fewer, or there is no degree of freedom.
        """
        once, of = distinct(sampled_ranges(ranges, sampling))
        return cls(ranges=once, of=of, sampling=sample_of(where, senders(ranges, sampling)))

    def variance(self, scores: Floats) -> float:
        """Of Σ w u, the weights summing to the people; u is a score of each distinct range.

        Replicates each say the mean of u among their people.
        """
        sampling, own = self.sampling, scores[self.of][:, None]
        scale = self.ranges.total / float(sampling.weights.sum())
        covariance = ratio_covariance(sampling, own, (sampling.weights > 0)[:, None])
        return float(covariance[0, 0]) * scale**2

    def describe_effects(self) -> str:
        """Name the design effects that intervals rest on, with the degrees of freedom."""
        over = over_replicates(replicates_of(self.sampling))
        df = self.sampling.df
        return f"design effects{over} of a complex sample, {df:g} degrees of freedom"

    def effect(self, scores: Floats) -> float | None:
        """The design effect of Σ w u: its variance over Σ w (u − ū)²; None where u hardly differs.

        >>> from askance.inference import SamplingDesign
        >>> twice = SamplingDesign(clusters=[1, 1, 2, 2, 3, 3])
        >>> ranges = Ranges([0, 0, 1, 1, 1, 1], [1, 1, 2, 2, 2, 2])
        >>> sample = SampledRanges.from_sampling("", ranges, twice)
        >>> round(sample.effect(np.array([0.0, 1.0])), 9)  # 2, times 3/2 for three clusters
        3.0
        """
        weights = self.ranges.weights
        centred = np.where(weights > 0, scores - weights @ scores / self.ranges.total, 0.0)
        simple_variance = float(weights @ centred**2)
        if not simple_variance > _FAINT * self.ranges.total:
            return None
        return self.variance(centred) / simple_variance

    def alone(self) -> float:
        """The design effect of unequal weights alone (Kish, 1965)."""
        weights = self.sampling.weights
        people = np.count_nonzero(weights)
        return float(people * (weights @ weights) / weights.sum() ** 2)


def drawn_ranges(
    where: str, ranges: Ranges, sampling: AbstractSamplingDesign | None
) -> tuple[Ranges, SampledRanges | None]:
    """Weigh ranges by their sampling design, each distinct one once; without one, as they are."""
    if sampling is None:
        return ranges, None
    sample = SampledRanges.from_sampling(where, ranges, sampling)
    return sample.ranges, sample
