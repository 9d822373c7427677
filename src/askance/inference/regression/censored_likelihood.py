"""What ranges say of an error within them: their likelihood, chances, means and slopes.

A part's chance is the difference of two tail chances, the tail being on the side on which most of
the part lies. That is exact unless the part holds little of its tail; then the density hardly
changes over it, and ten Gauss-Legendre nodes are exact to rounding. An exact number needs one.

The noise is counted from its mean, so that fitted values are means whatever the family.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import final

import numpy as np

from askance.channels.ranges import Ranges, single_numbers
from askance.inference.regression.covariates import gram
from askance.inference.regression.error_laws import AbstractNoise, Tail
from askance.typing import Floats, Integers
from askance_collect.errors import InputError, NotIdentified

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(10)
_FLAT = 0.8
"""A part that leaves more of its tail is narrow."""

_ROWS = 1 << 14
"""So many at once stay in the processor's cache."""

_FARTHEST = 1e30
"""Where all densities are nothing, and products of powers still numbers."""

_LEAST_CHANCE = -400.0  # the exponential of less is nothing, and slow
_LOWEST = -np.finfo(float).max
_TINY = np.finfo(float).tiny


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Narrow:
    """Narrow parts, by nodes.

    Attributes
    ----------
    part : array of int, shape (k,)
    node, weight : array, shape (k, nodes)
        Values of the noise, and how likely each is within its part.
    """

    part: Integers
    node: Floats
    weight: Floats


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Parts:
    """Parts of the ranges of some rows, by the distance ``near < far`` of their ends from zero.

    Attributes
    ----------
    rows : slice
        Which rows.
    row : array of int, shape (p,), or None
        Which of these each part belongs to; None if part i is all of row i.
    crossed : array of int
        Rows that hold zero, of noise with a kink there.
    near, far : Tail
        Beyond the ends of the parts.
    tail_ratio : array, shape (p,)
        What share of the tail beyond the near end is beyond the far end; 0 for narrow parts.
    narrow : Narrow
    share : array, shape (p,), or None
        Of each part in the chance of its row; None if part i is all of row i.
    total : array
        Log-chance of each row; for an exact number that of its density.
    """

    rows: slice
    row: Integers | None
    crossed: Integers
    near: Tail
    far: Tail
    tail_ratio: Floats
    narrow: Narrow
    share: Floats | None
    total: Floats

    def summed(self, figures: Floats) -> Floats:
        """Average figures of parts, shape (m, p), over the parts of each row."""
        if self.row is None or self.share is None:
            return figures
        n = len(self.total)
        return np.stack(
            [np.bincount(self.row, figure, minlength=n) for figure in figures * self.share]
        )


def parts(noise: AbstractNoise, ranges: Ranges, location: Floats, scale: float) -> Iterator[Parts]:
    """The parts of ranges about their locations, block by block.

    Parameters
    ----------
    noise : AbstractNoise
    ranges : Ranges, n rows
    location : array, shape (n,)
    scale : float

    >>> from askance.inference.regression.error_laws import LogisticNoise
    >>> (block,) = parts(LogisticNoise(), Ranges([-6.0], [2.0]), np.array([2.0]), 2.0)
    >>> block.near.side.tolist(), block.near.t.tolist(), block.far.t.tolist()
    ([-1.0], [0.0], [4.0])
    """
    for first in range(0, max(len(ranges), 1), _ROWS):
        rows = slice(first, min(first + _ROWS, len(ranges)))
        yield _parts_of_block(noise, ranges, location, scale, rows)


def _parts_of_block(
    noise: AbstractNoise, ranges: Ranges, location: Floats, scale: float, rows: slice
) -> Parts:
    low, high, width, row = _residuals(ranges, location, scale, rows)
    crossed = np.zeros(0, dtype=np.int64)
    if noise.kink:
        low, high, width, row, crossed = _split_at_zero(low, high, width, row)
    side = np.where(low > -high, 1.0, -1.0)
    near = noise.tail(np.clip(np.maximum(low, 0.0 - high), -_FARTHEST, _FARTHEST), side)
    far = noise.tail(np.minimum(np.maximum(high, -low), _FARTHEST), side)
    tail_ratio = np.exp(np.maximum(far.log_chance - near.log_chance, _LEAST_CHANCE))
    thin = np.flatnonzero(tail_ratio > _FLAT)
    tail_ratio[thin] = 0
    log_chance = near.log_chance + np.log1p(-tail_ratio)
    thin = thin[far.t[thin] < _FARTHEST]
    log_chance[thin], node, weight = _integrate_by_nodes(
        noise, near.t[thin], width[thin], side[thin], scale
    )
    total, share = _combine_parts(log_chance, row, rows.stop - rows.start)
    return Parts(
        rows=rows,
        row=row,
        crossed=crossed,
        near=near,
        far=far,
        tail_ratio=tail_ratio,
        narrow=Narrow(part=thin, node=node, weight=weight),
        share=share,
        total=total,
    )


def _residuals(
    ranges: Ranges, location: Floats, scale: float, rows: slice
) -> tuple[Floats, Floats, Floats, Integers | None]:
    """The ends of the pieces about their locations, in scales, how wide they are, and rows."""
    centre, row = location[rows], None
    pieces = slice(ranges.starts[rows.start], ranges.starts[rows.stop])
    if not ranges.is_single_piece:
        row = np.repeat(np.arange(len(centre)), np.diff(ranges.starts[rows.start : rows.stop + 1]))
        centre = centre[row]
    begin, end = ranges.lower[pieces], ranges.upper[pieces]
    single = single_numbers(begin, end)
    if single.any():
        begin = np.where(single, end, begin)
    return (begin - centre) / scale, (end - centre) / scale, (end - begin) / scale, row


def _split_at_zero(
    low: Floats, high: Floats, width: Floats, row: Integers | None
) -> tuple[Floats, Floats, Floats, Integers, Integers]:
    """Cut pieces that hold zero in two."""
    row = np.arange(len(low)) if row is None else row
    across = np.flatnonzero((low < 0) & (high > 0))
    below, above = high.copy(), high[across]
    below[across], wide = 0, width.copy()
    wide[across] = -low[across]
    return (
        np.concatenate([low, np.zeros(len(across))]),
        np.concatenate([below, above]),
        np.concatenate([wide, above]),
        np.concatenate([row, row[across]]),
        row[across],
    )


def _integrate_by_nodes(
    noise: AbstractNoise, near: Floats, width: Floats, side: Floats, scale: float
) -> tuple[Floats, Floats, Floats]:
    """Integrate the density over narrow parts; one number counts by its density."""
    if not width.any():
        node = (side * near)[:, None]
        return noise.log_density(node[:, 0]) - np.log(scale), node, np.ones(node.shape)
    node = side[:, None] * (near[:, None] + width[:, None] * (_NODES + 1) / 2)
    heights = noise.log_density(node)
    top = heights.max(axis=1)
    weight = np.exp(np.maximum(heights - top[:, None], _LEAST_CHANCE)) * _WEIGHTS / 2
    mass = weight.sum(axis=1)
    size = np.log(np.where(width > 0, width, 1 / scale))
    return top + np.log(mass) + size, node, weight / mass[:, None]


def _combine_parts(
    log_chance: Floats, row: Integers | None, n: int
) -> tuple[Floats, Floats | None]:
    """Add the chances of the parts of each row; give each part's share in its row."""
    if row is None:
        return log_chance, None
    top = np.full(n, _LOWEST)
    np.maximum.at(top, row, log_chance)
    chance = np.exp(log_chance - top[row])
    sums = np.bincount(row, chance, minlength=n)
    with np.errstate(divide="ignore"):
        return top + np.log(sums), chance / np.maximum(sums, _TINY)[row]


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Slopes:
    """Derivatives of each range's log-chance.

    Attributes
    ----------
    log_chance : array, shape (n,)
    first : array, shape (2, n)
        By the location in units of the scale, and by the logarithm of the scale.
    second : array, shape (3, n)
        Twice by the location, by both, twice by the logarithm of the scale.
    """

    log_chance: Floats
    first: Floats
    second: Floats


def concatenated(blocks: Sequence[Slopes]) -> Slopes:
    """The slopes of the rows of all blocks."""
    return Slopes(
        log_chance=np.concatenate([block.log_chance for block in blocks]),
        first=np.concatenate([block.first for block in blocks], axis=1),
        second=np.concatenate([block.second for block in blocks], axis=1),
    )


def slopes_within(noise: AbstractNoise, block: Parts) -> Slopes:
    """Differentiate each range's log-chance by the location and the log-scale.

    With P = ∫ f over the range, ∂P/∂η = −∫ f', ∂P/∂log σ = −∫ (z f)' and so on: differences of
    f, z f, f', z f' and z² f' at the ends.
    """
    change = _end_differences(noise, block)
    change[:, block.narrow.part] = _slopes_by_nodes(noise, block.narrow)
    by = block.summed(change)
    by[2, block.crossed] += noise.kink * np.exp(-block.total[block.crossed])
    first = -by[:2]
    second = by[2:]
    second[0] -= first[0] ** 2
    second[1] -= first[0] * (first[1] + 1)
    second[2] -= first[1] * (first[1] + 1)
    return Slopes(log_chance=block.total, first=first, second=second)


def _end_differences(noise: AbstractNoise, block: Parts) -> Floats:
    """The differences of f, z f, f', z f', z² f' over each part, by its chance."""
    change = np.empty((5, len(block.tail_ratio)))
    share = block.near.side / (1 - block.tail_ratio)
    far = _terms_at_end(noise, block.far, share * block.tail_ratio)
    near = _terms_at_end(noise, block.near, share)
    for i, (at_far, at_near) in enumerate(zip(far, near, strict=True)):
        np.subtract(at_far, at_near, out=change[i])
    return change


def _terms_at_end(noise: AbstractNoise, end: Tail, share: Floats) -> tuple[Floats, ...]:
    z, height = end.t * end.side, end.rate * share
    steep = height * noise.slope(z)
    bent = z * steep
    return height, z * height, steep, bent, z * bent


def _slopes_by_nodes(noise: AbstractNoise, narrow: Narrow) -> Floats:
    """Average (f)', (z f)', (f')', (z f')', (z² f')' over f."""
    z = narrow.node
    slope, bend = noise.slope(z), noise.bend(z)
    rates = slope, 1 + z * slope, bend, slope + z * bend, 2 * z * slope + z * z * bend
    return np.stack([(rate * narrow.weight).sum(axis=1) for rate in rates])


_WIDEST = 700.0
"""The largest logarithm of a scale, either way, that doubles can hold."""

_LEAST = -1e300
"""The log-chance of what cannot be."""


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LocalLikelihood:
    """A log-likelihood at one place, with its gradient and minus its second derivatives."""

    total: float
    slope: Floats
    information: Floats


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CensoredLikelihood:
    r"""Σ_i w_i log P(x_i β + σ ε ∈ D_i), as a function of (β, log σ).

    Of a truncated range it is log P(D_i)/P(T_i), with T_i where its number would have been seen.

    Attributes
    ----------
    noise : AbstractNoise
        The law of ε.
    ranges : Ranges, n rows
        The sets D_i, with their weights.
    model_matrix : array, shape (n, c + 1)
        Covariates, after a column of ones.
    """

    noise: AbstractNoise
    ranges: Ranges
    model_matrix: Floats
    latest: dict[bytes, LocalLikelihood] = field(default_factory=dict, init=False, repr=False)
    """The place last looked at, so that the likelihood and its derivatives share one pass."""

    def total(self, parameters: Floats) -> float:
        """The log-likelihood; -∞ where the data are impossible or the scale is no number."""
        if not np.isfinite(parameters).all() or abs(parameters[-1]) > _WIDEST:
            return -np.inf
        total = self._evaluate_once(parameters).total
        return total if np.isfinite(total) else -np.inf

    def slope(self, parameters: Floats) -> Floats:
        """The gradient, shape (c + 2,)."""
        return self._evaluate_once(parameters).slope

    def observed(self, parameters: Floats) -> Floats:
        """The negative second derivatives."""
        return self._evaluate_once(parameters).information

    def informations(self, parameters: Floats) -> Iterator[Callable[[], Floats]]:
        """The observed information, and that from the products of scores."""
        yield lambda: self.observed(parameters)
        yield lambda: self.products(parameters)

    def scores(self, parameters: Floats) -> Floats:
        """Each row's gradient, not weighted, shape (n, c + 2)."""
        blocks = [slopes.first for _, slopes in self._blocks(parameters)]
        by_location, by_scale = np.concatenate(blocks, axis=1)
        return np.column_stack(
            [self.model_matrix * (by_location / np.exp(parameters[-1]))[:, None], by_scale]
        )

    def products(self, parameters: Floats) -> Floats:
        """The sum of products of scores, an estimate of the expected information."""
        return gram(self.scores(parameters), self.weights)

    @property
    def weights(self) -> Floats:
        """How often each range was observed."""
        return self.ranges.weights

    def weighed(self, weights: Floats) -> "CensoredLikelihood":
        """Count the ranges otherwise."""
        ranges = self.ranges.reweighed(weights)
        return CensoredLikelihood(noise=self.noise, ranges=ranges, model_matrix=self.model_matrix)

    def of(self, model_matrix: Floats) -> "CensoredLikelihood":
        """Write the covariates otherwise."""
        return CensoredLikelihood(noise=self.noise, ranges=self.ranges, model_matrix=model_matrix)

    def some(self, rows: slice) -> "CensoredLikelihood":
        """Choose rows."""
        return CensoredLikelihood(
            noise=self.noise, ranges=self.ranges[rows], model_matrix=self.model_matrix[rows]
        )

    def _evaluate_once(self, parameters: Floats) -> LocalLikelihood:
        key = parameters.tobytes()
        if key not in self.latest:
            self.latest.clear()
            self.latest[key] = self._evaluate(parameters)
        return self.latest[key]

    def _evaluate(self, parameters: Floats) -> LocalLikelihood:
        """Add up the rows, block by block, while they are in the processor's cache."""
        total = 0.0
        slope = np.zeros(len(parameters))
        information = np.zeros((len(parameters), len(parameters)))
        for rows, slopes in self._blocks(parameters):
            model_matrix, weights = self.model_matrix[rows], self.weights[rows]
            total += float(weights @ np.maximum(slopes.log_chance, _LEAST))
            first, second = slopes.first * weights, slopes.second * weights
            slope[:-1] += first[0] @ model_matrix
            slope[-1] += first[1].sum()
            information[:-1, :-1] -= gram(model_matrix, second[0])
            information[:-1, -1] -= second[1] @ model_matrix
            information[-1, -1] -= second[2].sum()
        size = np.append(np.full(len(parameters) - 1, np.exp(-parameters[-1])), 1.0)
        information[-1, :-1] = information[:-1, -1]
        with np.errstate(over="ignore"):  # of a scale so small nothing but the total is asked
            return LocalLikelihood(
                total=total, slope=slope * size, information=information * size * size[:, None]
            )

    def _blocks(self, parameters: Floats) -> Iterator[tuple[slice, Slopes]]:
        location, scale = self.model_matrix @ parameters[:-1], float(np.exp(parameters[-1]))
        blocks = parts(self.noise, self.ranges, location, scale)
        windows = self.ranges.windows
        if windows is None:
            for block in blocks:
                yield block.rows, slopes_within(self.noise, block)
            return
        for block, window in zip(blocks, parts(self.noise, windows, location, scale), strict=True):
            inside, observable = slopes_within(self.noise, block), slopes_within(self.noise, window)
            yield (
                block.rows,
                Slopes(
                    log_chance=inside.log_chance - observable.log_chance,
                    first=inside.first - observable.first,
                    second=inside.second - observable.second,
                ),
            )


_LEAST_WEIGHT = 0.02  # keeps one row from a step without end
_LONGEST_MOVE = 4.0  # scales
_LONGEST = np.log(2.0)  # step of the log-scale


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Working:
    """What a weighted least-squares fit takes to step towards the highest likelihood.

    Attributes
    ----------
    response, weight : array, shape (n,)
    """

    response: Floats
    weight: Floats


def first_guess(noise: AbstractNoise, ranges: Ranges) -> tuple[float, float]:
    """Guess a mean and a scale from the finite ends.

    Raises
    ------
    InputError
        If no range has a positive weight.
    NotIdentified
        If no range says anything, or all leave the same side open.

    >>> from askance.inference.regression.error_laws import NormalNoise
    >>> first_guess(NormalNoise(), Ranges([0, 2], [2, 4]))
    (2.0, 1.0)
    """
    counted = ranges.weights > 0
    if not counted.any():
        raise InputError("ranges", got=f"{len(counted)} rows", allowed="a row of positive weight")
    _refuse_one_side(ranges if counted.all() else ranges[counted])
    ends = np.stack([ranges.lower, ranges.upper])
    finite = np.isfinite(ends)
    number, total = finite.sum(axis=0), np.where(finite, ends, 0.0).sum(axis=0)
    if not ranges.is_single_piece:
        number, total = (
            np.add.reduceat(figures, ranges.starts[:-1]) for figures in (number, total)
        )
    middle = total / np.maximum(number, 1)
    weight = ranges.weights * (number > 0)
    weight = weight / weight.sum()
    mean = float(weight @ middle)
    spread = float(np.sqrt(weight @ (middle - mean) ** 2 / noise.variance))
    return mean, spread or max(abs(mean), 1.0)


def _refuse_one_side(ranges: Ranges) -> None:
    for side, ends in (("lower", ranges.lower), ("upper", ranges.upper)):
        if np.isinf(ends).all():
            raise NotIdentified(
                "ranges",
                got=f"no finite {side} end in any row",
                allowed="ranges, some with a lower end and some with an upper one",
                remedy="nothing tells how far the answers reach",
            )


def slopes_at(noise: AbstractNoise, ranges: Ranges, fitted: Floats, scale: float) -> Slopes:
    """Each range's log-chance and its derivatives by the location and the scale."""
    location = fitted - scale * noise.mean
    blocks = [slopes_within(noise, block) for block in parts(noise, ranges, location, scale)]
    return concatenated(blocks)


def working(slopes: Slopes, fitted: Floats, scale: float) -> Working:
    """Turn the slopes of the likelihood into a weighted least-squares problem.

    ``z = f + σ ℓ'/w`` with weights ``w = max(−ℓ'', |ℓ'|/4, 0.02)``: where least squares fits z by f
    itself, the likelihood is at its highest (Green 1984). The weights keep z within four scales.
    """
    steep = np.abs(slopes.first[0]) / _LONGEST_MOVE
    weight = np.maximum(np.maximum(-slopes.second[0], steep), _LEAST_WEIGHT)
    return Working(response=fitted + scale * slopes.first[0] / weight, weight=weight)


def next_scale(noise: AbstractNoise, slopes: Slopes, weights: Floats, scale: float) -> float:
    """Take one Newton step of the likelihood in the logarithm of the scale, fitted values fixed.

    The fixed point is that of the EM step ``σ² ← mean{(ỹ − f)² + Var(ε | range)}`` for normal noise
    and the likelihood's own for every other (Liu and Rubin 1994); a step at most doubles or halves.
    """
    return _step_scale(_scale_derivatives(noise, slopes, weights), scale)


def filled(
    noise: AbstractNoise, ranges: Ranges, fitted: Floats, scale: float, weights: Floats
) -> tuple[Floats, float]:
    """The mean of each unseen number, given its range and its fitted mean; and `next_scale`.

    ``ỹ = f + σ E[ε | f + σ ε in the range]`` (Ding and Ding 2022, Algorithm 1; the noise ε has mean
    zero here).

    Parameters
    ----------
    noise : AbstractNoise
    ranges : Ranges, n rows
    fitted : array, shape (n,)
        Fitted means f.
    scale : float
        Scale σ of the noise.
    weights : array, shape (n,)
        How much each row tells of the scale.

    >>> from askance.inference.regression.error_laws import NormalNoise
    >>> above = Ranges([0.0], [np.inf])
    >>> means, _ = filled(NormalNoise(), above, np.zeros(1), 2.0, above.weights)
    >>> means.round(6).tolist()
    [1.595769]
    """
    location = fitted - scale * noise.mean
    means, by = np.empty(len(fitted)), np.zeros(2)
    for block in parts(noise, ranges, location, scale):
        means[block.rows] = mean_within(noise, block)
        by += _scale_derivatives(noise, slopes_within(noise, block), weights[block.rows])
    return location + scale * means, _step_scale(by, scale)


def _scale_derivatives(noise: AbstractNoise, slopes: Slopes, weights: Floats) -> Floats:
    """The slope and the bend of the log-likelihood by the logarithm of the scale."""
    mean, first, second = noise.mean, slopes.first[1], slopes.second[2]
    if mean:
        first = first - mean * slopes.first[0]
        second = second - mean * (2 * slopes.second[1] - mean * slopes.second[0] + slopes.first[0])
    return np.array([weights @ first, weights @ second])


def _step_scale(by: Floats, scale: float) -> float:
    first, second = by
    if not np.isfinite(first):
        return scale
    step = -first / second if second < 0 else np.sign(first) * _LONGEST
    return float(scale * np.exp(np.clip(step, -_LONGEST, _LONGEST)))


def mean_within(noise: AbstractNoise, block: Parts) -> Floats:
    """The mean of the noise within each range.

    That of the tail beyond the near end is made up of this, and of that beyond the far end.

    >>> from askance.channels.ranges import Ranges
    >>> from askance.inference.regression.error_laws import LogisticNoise
    >>> from askance.inference.regression.censored_likelihood import parts
    >>> law, far = LogisticNoise(), Ranges([40.0], [float("inf")])
    >>> [mean_within(law, block).tolist() for block in parts(law, far, 0 * far.lower, 1.0)]
    [[41.0]]
    """
    difference = noise.mean_beyond(block.near) - block.tail_ratio * noise.mean_beyond(block.far)
    mean = block.near.side * difference / (1 - block.tail_ratio)
    narrow = block.narrow
    mean[narrow.part] = (narrow.node * narrow.weight).sum(axis=1)
    (by_row,) = block.summed(mean[None])
    return np.asarray(by_row)
