"""Extremal columns: of all chances that `Limits` leave a report, those that no mixture makes.

Information is convex in a column and grows in proportion to it, so that nothing is lost by
splitting every column into extremal ones of the cone that the ratios allow, or, where distances
between rows are bounded too, of the cells into which the kinks |(1 − w) q_x − w q_x′| cut it.
"""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations, product
from math import isfinite
from typing import final

import numpy as np

from askance.channels.frame import Frame
from askance.design.concave_terms import Block
from askance.typing import Floats, Integers
from askance_collect.errors import InputError

Ratio = Fraction | float


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Cap:
    """A bound on ‖w Q(·|x) − (1 − w) Q(·|x′)‖₁ for one ordered pair of answers.

    Attributes
    ----------
    pair : tuple of int
        x and x′.
    first_weight : Fraction
        w.
    limit : Fraction
    """

    pair: tuple[int, int]
    first_weight: Fraction
    limit: Fraction


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Constraints in numbers.

    Attributes
    ----------
    frame : Frame
    ratios : tuple of tuple of Fraction or float
        No report may be more than ratios[x][x′] times as likely from x as from x′; infinite where
        nothing is asked.
    caps : tuple of Cap
    silent : Fraction
        The chance, whatever the answer, of a report that says nothing.
    walley : Fraction or None
        The bound on Walley's ratio, where reports that say nothing count against it.
    precise : bool
        Whether every other report has to mean a single answer.
    """

    frame: Frame
    ratios: tuple[tuple[Ratio, ...], ...]
    caps: tuple[Cap, ...] = ()
    silent: Fraction = Fraction(0)
    walley: Fraction | None = None
    precise: bool = False

    @classmethod
    def free(cls, frame: Frame) -> "Limits":
        """Ask nothing yet.

        >>> Limits.free(Frame(["yes", "no"])).common_ratio
        inf
        """
        k = len(frame)
        return cls(frame=frame, ratios=((math.inf,) * k,) * k)

    def bounded(self, ratios: tuple[tuple[Ratio, ...], ...]) -> "Limits":
        """Ask for these ratios too."""
        tighter = tuple(
            tuple(min(pair) for pair in zip(*rows, strict=True))
            for rows in zip(self.ratios, ratios, strict=True)
        )
        return replace(self, ratios=tighter)

    def capped(self, caps: Iterable[Cap]) -> "Limits":
        """Ask for these distances too; of two bounds on one distance the lower is kept."""
        lowest: dict[tuple[tuple[int, int], Fraction], Cap] = {}
        for cap in (*self.caps, *caps):
            turned = cap.pair[0] > cap.pair[1]
            low, high = sorted(cap.pair)
            key = (low, high), 1 - cap.first_weight if turned else cap.first_weight
            if key not in lowest or cap.limit < lowest[key].limit:
                lowest[key] = cap
        return replace(self, caps=tuple(lowest.values()))

    @property
    def common_ratio(self) -> Ratio | None:
        """The bound on ratios if all pairs of different answers have the same, otherwise None."""
        first = self.ratios[0][1]
        expected = (first,) * (len(self.frame) - 1)
        same = all(row[:x] + row[x + 1 :] == expected for x, row in enumerate(self.ratios))
        return first if same else None

    @property
    def bounded_ratios(self) -> bool:
        """Whether any ratio is bounded."""
        pairs = ((x, other) for x, row in enumerate(self.ratios) for other in range(len(row)))
        return any(self.ratios[x][other] != math.inf for x, other in pairs if x != other)

    @property
    def private(self) -> bool:
        """Whether anything is asked that protects an answer."""
        return bool(self.caps) or self.bounded_ratios

    @property
    def symmetric(self) -> bool:
        """Whether the constraints are the same for all answers, and weights are one half."""
        k = len(self.frame)
        capped_pairs = {(cap.pair, cap.limit) for cap in self.caps}
        limits = {limit for _, limit in capped_pairs}
        return (
            self.common_ratio is not None
            and all(cap.first_weight == Fraction(1, 2) for cap in self.caps)
            and len(limits) <= 1
            and len({frozenset(pair) for pair, _ in capped_pairs}) in {0, k * (k - 1) // 2}
        )

    @property
    def binding(self) -> "Limits":
        """The same without distances that the ratios keep.

        Where no report outweighs the odds (1 − w)/w that a guesser starts from, every guess is the
        one made without a report, whose distance is |1 − 2w|: the least that a cap allows.
        """
        caps = []
        for cap in self.caps:
            x, other = cap.pair if 2 * cap.first_weight <= 1 else cap.pair[::-1]
            low = min(cap.first_weight, 1 - cap.first_weight)
            if not self.ratios[x][other] * low <= 1 - low:
                caps.append(cap)
        return replace(self, caps=tuple(caps))

    @property
    def telling(self) -> "Limits":
        """What is left to ask of the reports that say something, given that one is sent."""
        if not self.silent:
            return self
        c = 1 - self.silent
        caps = []
        for cap in self.caps:
            least = abs(1 - 2 * cap.first_weight)
            remaining = (cap.limit - self.silent * least) / c
            caps += [replace(cap, limit=remaining)] if remaining < 1 else []
        return replace(self, caps=tuple(caps), silent=Fraction(0))

    def silenced(self, share: Fraction) -> "Limits":
        """Ask that this share of reports says nothing.

        Raises
        ------
        InputError
            If another share was asked for before.
        """
        if self.silent not in {0, share}:
            raise InputError(
                "constraints",
                got=f"shares answered of {1 - self.silent} and of {1 - share}",
                allowed="one",
            )
        return replace(self, silent=share)


_MOST_CLASSES = 8_000  # more are not listed


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Candidates:
    """Extremal columns, or classes of columns that are equal up to the order of answers.

    Attributes
    ----------
    columns : array, shape (n, k)
        A column, or one of each class.
    balance : array, shape (n, g)
        What each adds to the sums of the rows, which have to be one.
    caps : array, shape (n, c)
        What each adds to the distances between rows.
    limits : array, shape (c,)
    groups : array of int, shape (k,)
        Which answers are exchangeable; all different if columns are listed one by one.
    """

    columns: Floats
    balance: Floats
    caps: Floats
    limits: Floats
    groups: Integers

    @property
    def equations(self) -> tuple[Floats, Floats]:
        """The equations with a slack for each cap: left side by column, and right side."""
        n, c = len(self.columns), len(self.limits)
        coefficients = np.zeros((self.balance.shape[1] + c, n + c))
        coefficients[: self.balance.shape[1], :n] = self.balance.T
        coefficients[self.balance.shape[1] :, :n] = self.caps.T
        coefficients[self.balance.shape[1] :, n:] = np.eye(c)
        return coefficients, np.concatenate([np.ones(self.balance.shape[1]), self.limits])

    @property
    def is_exchangeable(self) -> bool:
        """Whether answers are exchangeable and no distance is bounded: then one class is best."""
        return self.balance.shape[1] == 1 and not len(self.limits)

    def blocks(self, shares: Floats) -> list[Block]:
        """The Fisher information on contrasts, by column and slack, at shares equal within groups.

        One block for the groups as wholes, and one for each group's inside, which stands there once
        for each of its contrasts.
        """
        rows = self.columns - self.columns.min(axis=1, keepdims=True)
        chance = self.columns @ shares
        sizes = np.bincount(self.groups)
        wholes = np.zeros((len(self.groups), len(sizes)))
        wholes[np.arange(len(self.groups)), self.groups] = 1 / np.sqrt(sizes[self.groups])
        basis = _group_contrasts(sizes)
        parts = [((rows @ wholes @ basis) / np.sqrt(chance)[:, None], 1)]
        for group in np.flatnonzero(sizes > 1):
            inside = rows[:, self.groups == group]
            spread = inside.var(axis=1) * sizes[group] / (sizes[group] - 1)
            parts.append((np.sqrt(spread / chance)[:, None], int(sizes[group]) - 1))
        c = len(self.limits)
        return [
            Block(features=np.vstack([part, np.zeros((c, part.shape[1]))]), times=times)
            for part, times in parts
            if part.shape[1]
        ]


def all_columns(limits: Limits) -> Candidates:
    """List every extremal column."""
    columns = extremal_columns(limits)
    caps = [
        np.abs(
            float(cap.first_weight) * columns[:, cap.pair[0]]
            - float(1 - cap.first_weight) * columns[:, cap.pair[1]]
        )
        for cap in limits.caps
    ]
    return Candidates(
        columns=columns,
        balance=columns,
        caps=np.array(caps).reshape(len(caps), len(columns)).T,
        limits=np.array([float(cap.limit) for cap in limits.caps]),
        groups=np.arange(len(limits.frame)),
    )


def staircase_classes(limits: Limits, groups: Integers) -> Candidates:
    """List the staircase columns up to the order of answers within groups.

    Every class is used evenly: all its columns with one chance. By symmetry and concavity nothing
    better is lost, where constraints treat all answers alike and guesses those of a group.

    Raises
    ------
    InputError
        If constraints treat answers differently, or there are too many classes.
    """
    sizes = np.bincount(groups)
    if not limits.symmetric or has_too_many_classes(groups):
        different = f"shares of {len(sizes)} sizes"
        raise InputError(
            "optimal_channel",
            got=f"{len(groups)} answers, {different if limits.symmetric else 'treated unlike'}",
            allowed="more than 12 answers only where constraints treat all alike and guesses have "
            "few different shares",
            remedy="round the guesses to two or three different shares",
        )
    ratio = float(limits.common_ratio or 1)
    low, high = (1.0, ratio) if isfinite(ratio) else (0.0, 1.0)
    counts = np.array(list(product(*(range(size + 1) for size in sizes))))
    inside = counts.sum(axis=1)
    flat = (inside > 0) if limits.caps else (inside > 0) & (inside < len(groups))
    counts = counts[flat]
    rank = np.array([int((groups[:i] == groups[i]).sum()) for i in range(len(groups))])
    columns = np.where(rank[None, :] < counts[:, groups], high, low)
    scale = columns.mean(axis=1, keepdims=True)
    columns = columns / scale
    share = counts / sizes
    caps, bounds = _mean_distances(counts, sizes, (high - low) / scale, limits)
    return Candidates(
        columns=columns,
        balance=(low + (high - low) * share) / scale,
        caps=caps,
        limits=bounds,
        groups=groups,
    )


def has_too_many_classes(groups: Integers) -> bool:
    """Say whether there are too many classes to list.

    >>> has_too_many_classes(np.repeat([0, 1], 32)), has_too_many_classes(np.arange(64))
    (False, True)
    """
    return float(np.prod(np.bincount(groups) + 1.0)) > _MOST_CLASSES


def _mean_distances(
    counts: Integers, sizes: Integers, height: Floats, limits: Limits
) -> tuple[Floats, Floats]:
    """Half the mean distance between two answers of each pair of groups."""
    if not limits.caps:
        return np.zeros((len(counts), 0)), np.zeros(0)
    columns = []
    for i, j in product(range(len(sizes)), repeat=2):
        if i < j:
            first, second = counts[:, i] / sizes[i], counts[:, j] / sizes[j]
            columns.append(first * (1 - second) + second * (1 - first))
        elif i == j and sizes[i] > 1:
            columns.append(
                2 * counts[:, i] * (sizes[i] - counts[:, i]) / (sizes[i] * (sizes[i] - 1))
            )
    distances = np.array(columns).T * height / 2
    return distances, np.full(distances.shape[1], float(limits.caps[0].limit))


def _group_contrasts(sizes: Integers) -> Floats:
    """An orthonormal basis of what is orthogonal to the whole, in units of the groups."""
    g = len(sizes)
    if np.all(sizes == 1):
        return contrasts(g)
    direction = np.sqrt(sizes / sizes.sum())
    return np.linalg.svd(direction[None, :])[2][1:].T


MOST_ANSWERS = 12
_MOST_UNEVEN = 8  # answers, where columns are grown one by one
_MOST_STATES = 400_000
_DIGITS = 11  # of a logarithm, below which columns are the same


def extremal_columns(limits: Limits) -> Floats:
    r"""List the extremal columns, each with mean one.

    With one ratio e^ε for all pairs these are the staircase columns, 1 or e^ε for each answer; with
    bounded advantages at w = ½, the column of ones as well. In general a column is extremal where
    the pairs of answers at a bound or a kink hang together as a graph.

    Returns
    -------
    array, shape (n, k)

    Raises
    ------
    InputError
        If there are too many answers to list them.

    References
    ----------
    Kairouz, Oh & Viswanath (2016), on staircase mechanisms, for one ratio.

    >>> from fractions import Fraction
    >>> from askance.channels.frame import Frame
    >>> ratios = ((1, Fraction(3)), (Fraction(3), 1))
    >>> extremal_columns(Limits.free(Frame(["yes", "no"])).bounded(ratios)).tolist()
    [[1.5, 0.5], [0.5, 1.5]]
    """
    k = len(limits.frame)
    even = all(2 * cap.first_weight == 1 for cap in limits.caps)
    most = MOST_ANSWERS if limits.common_ratio is not None and even else _MOST_UNEVEN
    if k > most:
        raise InputError(
            "frame",
            got=f"{k} answers",
            allowed=f"at most {most} answers for constraints that "
            + ("treat pairs differently" if most < MOST_ANSWERS else "have no symmetry"),
        )
    if limits.common_ratio is not None and even:
        columns = _staircase(k, float(limits.common_ratio), ones=bool(limits.caps))
    else:
        columns = np.array(list(_grow_columns(limits)))
    scaled: Floats = columns / columns.mean(axis=1, keepdims=True)
    return scaled


def _staircase(k: int, ratio: float, *, ones: bool) -> Floats:
    masks = np.arange(1, (1 << k) - (0 if ones else 1))
    high = (masks[:, None] >> np.arange(k)) & 1
    if math.isinf(ratio):
        return high.astype(float)
    return np.where(high == 1, ratio, 1.0)


def _grow_columns(limits: Limits) -> Iterator[list[float]]:
    """Grow columns from one answer along bounds and kinks; what is out of reach is zero."""
    k = len(limits.frame)
    bounds = [[_log(limits.ratios[x][y]) for y in range(k)] for x in range(k)]
    steps = _log_differences(limits, bounds)
    columns: set[tuple[float, ...]] = set()
    for start in range(k):
        seed = tuple(0.0 if answer == start else -math.inf for answer in range(k))
        visited, waiting = {seed}, [seed]
        while waiting:
            state = waiting.pop()
            if _is_complete(state, bounds):
                top = max(state)
                columns.add(tuple(round(value - top, _DIGITS) + 0.0 for value in state))
            for longer in _add_answer(state, steps, bounds, start):
                if longer not in visited:
                    visited.add(longer)
                    waiting.append(longer)
            if len(visited) > _MOST_STATES:
                raise InputError(
                    "constraints",
                    got=f"more than {_MOST_STATES:,} columns to look at",
                    allowed="fewer answers, or fewer different bounds",
                )
    return ([math.exp(value) for value in column] for column in sorted(columns))


def _log_differences(limits: Limits, bounds: list[list[float]]) -> list[list[tuple[float, ...]]]:
    """The differences of logarithms, y less x, that are at a bound or a kink."""
    k = len(bounds)
    steps: list[list[set[float]]] = [[set() for _ in range(k)] for _ in range(k)]
    for x in range(k):
        for y in range(k):
            if x != y and math.isfinite(bounds[x][y]):
                steps[x][y].add(-bounds[x][y])
                steps[y][x].add(bounds[x][y])
    for cap in limits.caps:
        x, y = cap.pair
        kink = _log(cap.first_weight / (1 - cap.first_weight))
        steps[x][y].add(kink)
        steps[y][x].add(-kink)
    return [[tuple(sorted(differences)) for differences in row] for row in steps]


def _add_answer(
    state: tuple[float, ...],
    steps: list[list[tuple[float, ...]]],
    bounds: list[list[float]],
    start: int,
) -> Iterator[tuple[float, ...]]:
    """Add one answer to a column, at a bound or a kink with one that is there.

    Answers before the start are left out: a column without them was grown from them already.
    """
    present = [answer for answer, value in enumerate(state) if value > -math.inf]
    for y in range(start + 1, len(state)):
        if state[y] == -math.inf:
            values = {round(state[x] + step, _DIGITS) for x in present for step in steps[x][y]}
            for value in values:
                if all(
                    -bounds[x][y] - 1e-9 <= value - state[x] <= bounds[y][x] + 1e-9 for x in present
                ):
                    yield (*state[:y], value, *state[y + 1 :])


def _is_complete(state: tuple[float, ...], bounds: list[list[float]]) -> bool:
    """Whether the answers left out of a column may have chance zero, given those in it."""
    inside = [answer for answer, value in enumerate(state) if value > -math.inf]
    outside = [answer for answer, value in enumerate(state) if value == -math.inf]
    return all(math.isinf(bounds[x][y]) for x in inside for y in outside)


def _log(ratio: float | Fraction) -> float:
    return math.inf if ratio == math.inf else math.log(float(ratio))


Half = tuple[Fraction, Fraction, Fraction]
"""α, β, γ for α a + β b ≤ γ."""

Corner = tuple[Fraction, Fraction]


def corners(limits: Limits) -> list[Corner]:
    r"""List the corners of what two telling reports may do, exactly.

    (a, b) are the chances of the first report given either answer; the second takes what is left to
    c, the chance that a report says anything. What is convex in them, such as the information, is
    largest at a corner.

    Returns
    -------
    list of pair of Fraction
        Empty if the bounds leave nothing.

    >>> from askance.channels.frame import Frame
    >>> ratios = ((Fraction(1), Fraction(3)), (Fraction(3), Fraction(1)))
    >>> points = corners(Limits.free(Frame(["yes", "no"])).bounded(ratios))
    >>> [(str(a), str(b)) for a, b in points]
    [('0', '0'), ('1/4', '3/4'), ('3/4', '1/4'), ('1', '1')]
    """
    half_planes = list(_half_planes(limits))
    points = set()
    for first, second in combinations(half_planes, 2):
        flat = first[0] * second[1] - second[0] * first[1]
        if flat:
            a = (first[2] * second[1] - second[2] * first[1]) / flat
            b = (first[0] * second[2] - second[0] * first[2]) / flat
            if all(alpha * a + beta * b <= gamma for alpha, beta, gamma in half_planes):
                points.add((a, b))
    return sorted(points)


def _half_planes(limits: Limits) -> Iterator[Half]:
    """State every bound, first of the first report and then of the second."""
    c = 1 - limits.silent
    yield from ((Fraction(-1), Fraction(0), Fraction(0)), (Fraction(0), Fraction(-1), Fraction(0)))
    yield from ((Fraction(1), Fraction(0), c), (Fraction(0), Fraction(1), c))
    for x in (0, 1):
        ratio = limits.ratios[x][1 - x]
        if isinstance(ratio, Fraction):
            yield from _ratio_half_planes(x, ratio, Fraction(0), c)
        if limits.walley is not None:
            yield from _ratio_half_planes(x, limits.walley, limits.silent, c)
    for cap in limits.caps:
        weights = [Fraction(0), Fraction(0)]
        weights[cap.pair[0]], weights[cap.pair[1]] = cap.first_weight, cap.first_weight - 1
        most = cap.limit - limits.silent * abs(1 - 2 * cap.first_weight)
        for first_sign, second_sign in product((1, -1), repeat=2):
            rest = second_sign * c * (weights[0] + weights[1])
            yield (
                (first_sign - second_sign) * weights[0],
                (first_sign - second_sign) * weights[1],
                most - rest,
            )


def _ratio_half_planes(x: int, ratio: Fraction, more: Fraction, c: Fraction) -> Iterator[Half]:
    """Ask of both reports that their chance from x, and more, is at most so many times the other's.

    For x the first answer: a + more ≤ ratio b, and (c − a) + more ≤ ratio (c − b).
    """
    signs = (Fraction(1), -ratio) if x == 0 else (-ratio, Fraction(1))
    yield *signs, -more
    yield -signs[0], -signs[1], -more - c * (1 - ratio)


def contrasts(k: int) -> Floats:
    """An orthonormal basis of the changes of k shares that sum to zero, shape (k, k − 1).

    >>> basis = contrasts(3)
    >>> bool(np.allclose(basis.T @ basis, np.eye(2))), bool(np.allclose(basis.sum(axis=0), 0))
    (True, True)
    """
    j = np.arange(1.0, k)
    basis = np.triu(np.ones((k, k - 1)))
    basis[1:].flat[::k] = -j
    return basis / np.sqrt(j * (j + 1))
