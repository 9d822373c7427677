"""The best channel for a stated purpose at a stated privacy, with a bound on the optimum."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Annotated, Any, ClassVar, final

import numpy as np

from askance.channels.channel import DONT_KNOW, Channel, fresh
from askance.channels.frame import Frame, Names
from askance.chart import Axis, Chart, MarkKind, Series, chart_frame, draw_result
from askance.design.extremal_columns import (
    MOST_ANSWERS,
    Limits,
    all_columns,
    corners,
    has_too_many_classes,
    staircase_classes,
)
from askance.design.optimal_pairs import (
    OptimalPair,
    has_even_report,
    joint_rows,
    name_reports,
    yoshida_pair,
)
from askance.design.programme import best_mixture, generate_columns, realise
from askance.design.utility import (
    AbstractConstraint,
    AbstractUtility,
    Advantage,
    AOptimal,
    MutualInformation,
    PairLosses,
    Shafer,
    guesses,
    merit,
)
from askance.inference.provenance import Computation
from askance.privacy.guarantee import Guarantee
from askance.privacy.losses import distances, guessing, walley_loss
from askance.results import Listing, listed, number, plain_json, result_frame, result_stream
from askance.typing import Booleans, Floats, Integers, Json
from askance_collect.arguments import checked, no_less
from askance_collect.errors import InputError, NotIdentified
from askance_collect.exact.ratio import LARGEST_TOTAL, Table, just_below, percent, read_integer
from askance_collect.exact.whole_tables import quantise_table, tabulate

_FEW = 8  # reports that a table and sentences show


@final
@listed
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Design:
    """A channel ready to deploy, with its certificate.

    Attributes
    ----------
    channel : Channel
        On integers, exactly as it would be deployed.
    utility : AbstractUtility
        What it was chosen for.
    value : float
        The utility of this channel, rounding included.
    bound : float
        No channel that keeps the constraints has a better utility; where `among` is not empty, none
        of those.
    guarantees : tuple of Guarantee
        What was asked for, computed on the integers.
    promises : tuple of str
        The guarantees as sentences.
    among : str
        The channels that the bound is about, where these are not all.
    """

    computation: ClassVar[Computation] = Computation.OPTIMAL_CHANNEL
    channel: Channel
    utility: AbstractUtility
    value: float
    bound: float
    guarantees: tuple[Guarantee, ...]
    promises: tuple[str, ...]
    among: str = ""

    @property
    def gap(self) -> float:
        """How much of the utility any other channel could gain at most, as a share."""
        if self.utility.larger_is_better:
            return max(1 - self.value / self.bound, 0.0)
        return max(1 - self.bound / self.value, 0.0)

    @property
    def sentences(self) -> tuple[str, ...]:
        """What the channel does and promises, in sentences."""
        table = self.channel.table
        if table is None or len(self.channel.reports) > _FEW:
            return self.promises
        by_answer = tuple(
            f"Of 100 people whose answer is “{answer}”, "
            + ", ".join(
                f"{percent(Fraction(chance).limit_denominator(10**6))} send “{report}”"
                for chance, report in zip(table.row(i), self.channel.reports, strict=True)
                if chance
            )
            + "."
            for i, answer in enumerate(self.channel.frame.answers)
        )
        return (*by_answer, *self.promises)

    def to_dict(self) -> Json:
        """Write the design for JSON; the integers are in `channel`."""
        document: Json = plain_json(
            {
                "utility": self.utility.name,
                "measure": self.utility.label,
                "value": self.value,
                "bound": self.bound,
                "gap": self.gap,
                "among": self.among,
                "guarantees": [
                    {
                        "notion": guarantee.notion.name.lower(),
                        "value": float(guarantee.value),
                        "attained": guarantee.attained,
                    }
                    for guarantee in self.guarantees
                ],
                "words": list(self.sentences),
            }
        )
        return {**document, "channel": self.channel.to_dict()}

    def _chart(self) -> Chart:
        """Describe the chances of reports by answers."""
        answers, reports = self.channel.frame.answers, self.channel.reports
        k, m = len(answers), len(reports)
        cells = Series(
            mark=MarkKind.HEATMAP,
            names=tuple(answer for answer in answers for _ in reports),
            x=np.tile(np.arange(m), k),
            value=self.channel.matrix.ravel(),
            columns={"report": np.tile(np.array(reports, dtype=object), k)},
        )
        ticks = tuple(reports) if m <= 4 * _FEW else ()
        x = Axis(name="chance", label="report", limits=(-0.5, m - 0.5), fits=False, ticks=ticks)
        return Chart(series=(cells,), x=x, y=Axis(name="answer"))

    plot = draw_result
    plot_data = chart_frame

    def _frame(self) -> dict[str, Any]:
        columns = dict(zip(self.channel.reports, self.channel.matrix.T, strict=True))
        return {"answer": self.channel.frame.answers} | columns

    def _table(self) -> Listing:
        reports = self.channel.reports[:_FEW]
        more = len(self.channel.reports) - len(reports)
        head = ["answer", *reports, *(["…"] if more else [])]
        rows = [
            [answer, *(f"{chance:.4f}" for chance in row[: len(reports)]), *(["…"] if more else [])]
            for answer, row in zip(self.channel.frame.answers, self.channel.matrix, strict=True)
        ]
        merit = (
            f"{self.utility.label} {number(self.value, 6)}; at most {self.gap:.1e} could be gained"
        )
        among = f" among {self.among}" if self.among else ""
        notes = [f"{len(self.channel.reports)} reports; {merit}{among}", *self.promises]
        return f"optimal channel, {self.utility.name}", head, rows, notes

    to_frame = result_frame
    __arrow_c_stream__ = result_stream


_ONE_EACH = "channels with one report for each answer, and silence"
_TWO = "channels with two reports"
_MESSAGES = "channels in which reports of one meaning are alike"


@checked
def optimal_channel(
    frame: Frame,
    *constraints: AbstractConstraint,
    utility: AbstractUtility | None = None,
    reports: Annotated[int | None, "a whole number of reports, 2 or more"] = None,
) -> Design:
    """Choose the channel with the best utility among all that keep the constraints.

    All channels, with any number of reports, are looked at through their extremal columns. The
    result is rounded to integers on which every constraint is checked exactly; its `gap` says how
    much any channel could still gain, rounding included, or any of those that `among` names.

    Parameters
    ----------
    frame : Frame
        Two or more answers. Up to 12 with one bound on all pairs (8 if pairs differ); up to 64 and
        more where guesses have few different shares, or for the mutual information.
    *constraints : AbstractConstraint
        `LocalDifferentialPrivacy`, `Advantage`, `PairLosses`, `Shafer`, `Walley`, `Answered`; all
        are kept.
    utility : AbstractUtility, optional
        `AOptimal`, `DOptimal`, `EOptimal`, `MeanSquaredError` or `MutualInformation`; by default
        `AOptimal` at equal shares.
    reports : int, optional
        How many reports there may be. For two answers also fewer than the best channel needs.

    Raises
    ------
    InputError
        If nothing protects an answer, constraints contradict each other, or fewer reports are
        allowed than needed.

    References
    ----------
    Kairouz, Oh & Viswanath (2016), for extremal columns under one bounded loss; Yoshida, Yung &
    Hayashi (2019), Theorem 1, for two answers under a bounded advantage; Ye & Barg (2018), for
    equal shares.

    >>> yn = Frame(["yes", "no"])
    >>> optimal_channel(yn, Advantage(0.25, first_weight=0.5), reports=3).channel.table.rows
    ((1, 0, 3), (0, 1, 3))
    """
    wanted = AOptimal() if utility is None else utility
    if reports is not None:
        reports = read_integer(reports, "reports", "a whole number of reports, 2 or more", 2)
    limits = _limits(frame, constraints)
    shares = guesses(wanted.prior, len(frame))
    channel, bound, among = _choose_best(limits.binding, wanted, shares, reports)
    if not keeps_limits(channel, limits):
        raise InputError(
            "constraints",
            got=", ".join(type(constraint).__name__ for constraint in constraints),
            allowed="constraints that one channel in whole parts keeps",
        )
    if not among and _by_meaning(limits, constraints):
        among = _MESSAGES
    return replace(_build_design(channel, bound, constraints, wanted, reports), among=among)


def _limits(frame: Frame, constraints: Sequence[AbstractConstraint]) -> Limits:
    if len(frame) < 2:
        raise InputError(
            "frame", got=frame.answers, allowed="two answers or more", remedy="ask nothing"
        )
    limits = Limits.free(frame)
    for constraint in constraints:
        if not isinstance(constraint, AbstractConstraint):
            raise InputError(
                "constraints",
                got=constraint,
                allowed="LocalDifferentialPrivacy, Advantage, PairLosses, Shafer, Walley, Answered",
            )
        limits = constraint.tighten(limits)
    if not limits.private:
        raise InputError(
            "constraints",
            got=", ".join(type(constraint).__name__ for constraint in constraints) or "none",
            allowed="at least one that protects an answer",
            remedy="without one the best channel is the plain question",
        )
    return limits


def _by_meaning(limits: Limits, constraints: Sequence[AbstractConstraint]) -> bool:
    """Say whether ratios are asked of messages that are not asked of reports."""
    others = Limits.free(limits.frame)
    for constraint in constraints:
        if not isinstance(constraint, Shafer):
            others = constraint.tighten(others)
    return others.ratios != limits.ratios


def _choose_best(
    limits: Limits, utility: AbstractUtility, shares: Floats, reports: int | None
) -> tuple[Channel, float, str]:
    """Choose the best of all channels, or of those that the third thing returned names.

    Beside a fixed share that says nothing, the best of all would say nothing still more often where
    an advantage is bounded. What comes as near to it as one likes is no best, so for two answers
    the best with one report for each is given.
    """
    few = len(limits.frame) == 2 and reports == 2 and not limits.silent
    if few or _has_vague_silence(limits):
        return *_choose_two_reports(limits, utility, shares), _TWO if few else _ONE_EACH
    if (pair := closed_pair(limits, limits.common_ratio)) is not None:
        if limits.silent and has_even_report(pair):
            return *_choose_two_reports(limits, utility, shares), _ONE_EACH
        return *from_pair(limits, utility, pair), ""
    columns, chances, bound = _mix_extremal_columns(limits, utility, shares)
    if len(limits.frame) == 2 and limits.silent and has_silence(columns, chances):
        return *_choose_two_reports(limits, utility, shares), _ONE_EACH
    return round_channel(columns, chances, limits), bound, ""


def _has_vague_silence(limits: Limits) -> bool:
    """Whether silence counts against Walley's loss, which ties all reports together."""
    if limits.walley is None or not limits.silent:
        return False
    if len(limits.frame) > 2:
        raise InputError(
            "constraints",
            got=f"Walley and Answered for {len(limits.frame)} answers",
            allowed="Walley and Answered together for two answers",
            remedy="leave Answered out: at a bounded loss silence gains nothing",
        )
    least = 2 / (1 + limits.walley)
    if 1 - limits.silent < least:
        raise InputError(
            "constraints",
            got=f"Answered({1 - limits.silent}) under Walley's ratio {float(limits.walley):.6g}",
            allowed=f"a share of answers of at least {no_less(least)}",
            remedy="every 'don't know' counts as plausible for both answers",
        )
    return True


def _choose_two_reports(
    limits: Limits, utility: AbstractUtility, shares: Floats
) -> tuple[Channel, float]:
    """Choose the best corner: at a single guess, the utility is convex."""
    if len(shares) > 1:
        raise InputError(
            "prior",
            got=f"{len(shares)} guesses",
            allowed="one guess where the number of reports is limited",
        )
    c = 1 - limits.silent
    candidates = []
    for a, b in corners(limits):
        if a > b:
            pair = OptimalPair(first=(a / c, 1 - a / c), second=(b / c, 1 - b / c))
            candidates.append((merit(pair_channel(pair, limits), utility), pair))
    if not candidates:
        raise NotIdentified("constraints", got="no informative channel", allowed="looser ones")
    bound, best = (max if utility.larger_is_better else min)(
        candidates, key=lambda candidate: candidate[0]
    )
    return write_pair(best, limits), bound


def _mix_extremal_columns(
    limits: Limits, utility: AbstractUtility, shares: Floats
) -> tuple[Floats, Floats, float]:
    """Mix extremal columns, up to symmetry where there is any."""
    telling, c = limits.telling, float(1 - limits.silent)
    k = len(limits.frame)
    groups = np.unique(shares.T, axis=0, return_inverse=True)[1].ravel()
    nats = isinstance(utility, MutualInformation)
    if (
        k > MOST_ANSWERS
        and nats
        and len(shares) == 1
        and not telling.caps
        and has_too_many_classes(groups)
    ):
        columns, chances, bound = generate_columns(telling, shares[0])
        return columns, chances, c * bound
    symmetric = telling.symmetric and (k > MOST_ANSWERS or not groups.any())
    candidates = (
        staircase_classes(telling, groups)
        if symmetric or k > MOST_ANSWERS
        else all_columns(telling)
    )
    mixture, bound = best_mixture(candidates, utility, c)
    columns, chances = realise(candidates, mixture.chances, shares, keep_information=not nats)
    return columns, chances, bound


def _build_design(
    channel: Channel,
    bound: float,
    constraints: Sequence[AbstractConstraint],
    utility: AbstractUtility,
    reports: int | None,
) -> Design:
    needed = len(channel.reports)
    if reports is not None and needed > reports:
        raise InputError(
            "reports",
            got=reports,
            allowed=f"{needed} or more, which the best channel uses",
            remedy="fewer than the best channel needs are sought for two answers only: reports=2",
        )
    guarantees: list[Guarantee] = []
    promises: list[str] = []
    for constraint in constraints:
        guarantee = constraint.guarantee(channel)
        if guarantee is not None:
            guarantees.append(guarantee)
            promises += _promises(constraint, guarantee, channel)
    return Design(
        channel=channel,
        utility=utility,
        value=merit(channel, utility),
        bound=bound,
        guarantees=tuple(guarantees),
        promises=tuple(dict.fromkeys(promises)),
    )


def _promises(
    constraint: AbstractConstraint, guarantee: Guarantee, channel: Channel
) -> Iterator[str]:
    match constraint:
        case Advantage():
            w = constraint.first_weight
            yield guessing(channel, first_weight=w, between=constraint.between).words
            return
        case PairLosses():
            yield from _promise_pairs(constraint, guarantee, channel.frame)
    yield guarantee.promise


def _promise_pairs(constraint: PairLosses, guarantee: Guarantee, frame: Frame) -> Iterator[str]:
    """Word the bounds on pairs of answers, pairs with the same bound together."""
    pairs_by_ratio: dict[str, list[str]] = {}
    for first, second in constraint.losses or constraint.ratios or ():
        x, y = frame.index(first), frame.index(second)
        worst = max(guarantee.pairs[x][y], guarantee.pairs[y][x])
        pairs_by_ratio.setdefault(replace(guarantee, value=worst).printed(2), []).append(
            f"{first} and {second}"
        )
    for ratio, pairs in pairs_by_ratio.items():
        yield (
            f"Between {', between '.join(pairs)}: no report is more than {ratio} times as likely "
            "from one as from the other."
        )


_CERTAIN = Fraction(1)


def closed_pair(limits: Limits, ratio: Fraction | float | None) -> OptimalPair | None:
    """The best pair in closed form, if there is one: one bound on ratios and one on distance.

    Parameters
    ----------
    limits : Limits
    ratio : Fraction or float, or None
        The common ratio, or what stands for it.
    """
    telling = limits.telling
    if len(limits.frame) > 2 or ratio is None or len(telling.caps) > 1:
        return None
    if not telling.caps and ratio == math.inf:
        return OptimalPair(first=(_CERTAIN, 0 * _CERTAIN), second=(0 * _CERTAIN, _CERTAIN))
    cap = telling.caps[0] if telling.caps else None
    weight = Fraction(1, 2) if cap is None else cap.first_weight
    first = weight if cap is None or cap.pair == (0, 1) else 1 - weight
    if isinstance(ratio, Fraction):
        return joint_rows(ratio, None if cap is None else cap.limit, first)
    assert cap is not None
    return yoshida_pair(cap.limit, first_weight=first)


def from_pair(limits: Limits, utility: AbstractUtility, best: OptimalPair) -> tuple[Channel, float]:
    """Deploy a pair in closed form: with a ratio just below the bound, exactly where possible."""
    bound = merit(pair_channel(best, limits), utility)
    ratio = limits.common_ratio
    below = just_below(ratio) if isinstance(ratio, Fraction) else ratio
    pair = closed_pair(limits, below) or best
    return write_pair(pair, limits), bound


def write_pair(pair: OptimalPair, limits: Limits) -> Channel:
    """Write a pair as integers: exactly where they are small enough, and keep the bounds."""
    channel = pair_channel(pair, limits)
    assert channel.table is not None
    if channel.table.total <= LARGEST_TOTAL and keeps_limits(channel, limits):
        return channel
    reports, columns = name_reports(pair, limits)
    c = 1 - limits.silent
    unit = LARGEST_TOTAL // c.denominator
    table = quantise_table(
        tabulate(list(zip(*columns, strict=True))),
        lambda parts: keeps_limits(add_silence(parts, reports, limits), limits),
        unit * c.numerator,
    )
    if table is not None:
        return add_silence(table, reports, limits)
    doubles = np.array(columns, dtype=float)
    return round_channel(doubles, np.ones(len(doubles)), limits)


def pair_channel(pair: OptimalPair, limits: Limits) -> Channel:
    """Let a share of reports say nothing; not yet in integers that can be deployed."""
    reports, columns = name_reports(pair, limits)
    telling = tabulate(list(zip(*columns, strict=True)))
    c = 1 - limits.silent
    rows = tuple(tuple(c.numerator * units for units in row) for row in telling.rows)
    return add_silence(Table(c.numerator * telling.total, rows), reports, limits)


_TOTAL = 1 << 46  # parts, fewer than a page draws by 48 bits
_EQUAL = 1e-9  # chances of a report that count as equal
_TRIFLE = 1e-10  # of the commonest column: so rare a one would be rounding alone
_SILENCE = 1e-7  # of what is sent: so rare a silence is rounding alone
_FIRST_BLUR = 1.0  # units


def round_channel(columns: Floats, chances: Floats, limits: Limits) -> Channel:
    """Round a channel to integers, and blur it as little as keeps the bounds.

    That is a few units of each column, and of silence where distances are bounded.

    Parameters
    ----------
    columns : array, shape (m, k)
    chances : array, shape (m,)
    limits : Limits
        Checked on the integers, exactly.
    """
    columns, chances = _drop_silent_columns(*_merge_columns(columns, chances), limits)
    rows = (columns * chances[:, None]).T
    reports, order = _name_reports(columns, limits)
    c = 1 - limits.silent
    parts = _TOTAL // c.denominator * c.numerator
    channel = write_whole_parts(rows[:, order], reports, limits.telling, parts)
    assert channel.table is not None
    return add_silence(channel.table, reports, limits)


def add_silence(telling: Table, reports: Mapping[str, Names], limits: Limits) -> Channel:
    """Add a report of silence with exactly the chance that the limits state.

    Parameters
    ----------
    telling : Table
        What says something; its total is a multiple of the numerator of the share answered.
    reports : mapping of str to names
    limits : Limits
    """
    if not limits.silent:
        return Channel(limits.frame, reports, telling)
    c = 1 - limits.silent
    unit = telling.total // c.numerator
    silence = unit * (c.denominator - c.numerator)
    table = Table(unit * c.denominator, tuple((*row, silence) for row in telling.rows))
    used_names = dict.fromkeys(limits.frame.answers, ()) | dict(reports)
    named = {**reports, fresh(DONT_KNOW, used_names): limits.frame.answers}
    return Channel(limits.frame, named, table)


def has_silence(columns: Floats, chances: Floats) -> bool:
    """Say whether a share of reports, more than rounding makes, is as likely from every answer.

    >>> has_silence(np.array([[1.0, 1.0], [2.0, 0.0]]), np.array([0.5, 0.5]))
    True
    """
    weights = columns.mean(axis=1) * chances
    return bool(weights[_constant_columns(columns)].sum() > _SILENCE * weights.sum())


def _constant_columns(columns: Floats) -> Booleans:
    return np.asarray(np.ptp(columns, axis=1) <= _EQUAL * columns.max(axis=1))


def _drop_silent_columns(columns: Floats, chances: Floats, limits: Limits) -> tuple[Floats, Floats]:
    """Leave out columns that say nothing where a fixed share of reports does.

    Raises
    ------
    InputError
        If the best channel says nothing more often than that.
    """
    if not limits.silent:
        return columns, chances
    if has_silence(columns, chances):
        raise InputError(
            "constraints",
            got=f"Answered({1 - limits.silent}) beside a bounded advantage",
            allowed="a share answered that is no larger than what the advantage lets be told",
            remedy="leave Answered out: the best channel says nothing as often as it has to",
        )
    informative = ~_constant_columns(columns)
    return columns[informative], chances[informative]


def write_whole_parts(
    rows: Floats, reports: Mapping[str, Names], limits: Limits, total: int
) -> Channel:
    """Write rows in so many whole parts, blurred as little as keeps the bounds.

    Raises
    ------
    InputError
        If so few parts cannot keep them.
    """
    rows, blur = rows / rows.sum(axis=1, keepdims=True), 0.0
    while blur < total:
        units = round_rows(_blur_rows(rows, blur, limits, total), total)
        if _keeps_ratios(units, limits):
            parts = Table(total, tuple(map(tuple, units.tolist())))
            channel = Channel(limits.frame, reports, parts)
            if _keeps_distances(channel, limits):
                return channel
        blur = max(2 * blur, _FIRST_BLUR)
    raise InputError(
        "constraints", got="bounds that no integers keep", allowed="bounds a little wider"
    )


def round_rows(rows: Floats, total: int) -> Integers:
    """Round rows to integers that sum to the total; columns that are constant stay so.

    What is possible stays possible, and what is impossible stays impossible.

    >>> round_rows(np.array([[0.25, 0.25, 0.5], [0.5, 0.0, 0.5]]), 9).tolist()
    [[3, 2, 4], [5, 0, 4]]
    """
    exact = rows * total
    units = np.floor(exact).astype(np.int64)
    units[(rows > 0) & (units == 0)] = 1
    missing = total - units.sum(axis=1, keepdims=True)
    movable = (exact > 0) & (np.ptp(rows, axis=0) > 0)
    movable |= ~movable.any(axis=1, keepdims=True) & (exact > 0)
    need = np.where(missing < 0, -units, units - exact)
    order = np.argsort(np.where(movable, need, np.inf), axis=1, kind="stable")
    per_column, rest = np.divmod(np.abs(missing), movable.sum(axis=1, keepdims=True))
    more = per_column + (np.argsort(order, axis=1) < rest)
    rounded: Integers = units + np.sign(missing) * np.where(movable, more, 0)
    return rounded


def keeps_limits(channel: Channel, limits: Limits) -> bool:
    """Check all that is asked on the integers of a channel, exactly."""
    assert channel.table is not None
    units = np.array(channel.table.rows, dtype=np.int64)
    silent = [i for i, meaning in enumerate(channel.meanings) if meaning == limits.frame.full_mask]
    if limits.silent and set(units[:, silent].sum(axis=1).tolist()) != {
        limits.silent * channel.table.total
    }:
        return False
    return _keeps_ratios(units, limits) and _keeps_distances(channel, limits)


def _keeps_ratios(units: Integers, limits: Limits) -> bool:
    if (units < 0).any():
        return False
    if (common := limits.common_ratio) is not None:
        return _is_within_ratio(units.max(axis=0), units.min(axis=0), common)
    rows = list(enumerate(units))
    return all(
        _is_within_ratio(row, below, limits.ratios[x][y])
        for x, row in rows
        for y, below in rows
        if x != y
    )


def _keeps_distances(channel: Channel, limits: Limits) -> bool:
    for w in {cap.first_weight for cap in limits.caps}:
        distance = distances(channel, w)
        if any(distance(*cap.pair) > cap.limit for cap in limits.caps if cap.first_weight == w):
            return False
    return limits.walley is None or walley_loss(channel).value <= limits.walley


def _is_within_ratio(row: Integers, other: Integers, ratio: Fraction | float) -> bool:
    if not isinstance(ratio, Fraction):
        return True
    near = row > float(ratio) * (1 - 1e-9) * other
    return all(
        above * ratio.denominator <= below * ratio.numerator
        for above, below in zip(row[near].tolist(), other[near].tolist(), strict=True)
    )


def _blur_rows(rows: Floats, blur: float, limits: Limits, total: int) -> Floats:
    """Move every column some units towards its mean, and some units of all to silence.

    Columns move where ratios are bounded, and all of them more where that leaves rows unequal sums,
    since making these one would part the rows again; silence gains where distances are, unless no
    channel has a smaller one: then every column has to move.
    """
    if not blur:
        return rows
    mixed = rows.copy()
    if limits.bounded_ratios:
        least = np.where(rows > 0, rows, np.inf).min(axis=0)
        mixed += np.minimum(blur / (total * least), 1.0) * (rows.mean(axis=0) - rows)
        more = min(blur * float(np.ptp(mixed.sum(axis=1))), 1.0)
        mixed += more * (mixed.mean(axis=0) - mixed)
    if limits.caps:
        flat = np.flatnonzero(np.ptp(rows, axis=0) <= 0)
        tight = any(cap.limit <= abs(1 - 2 * cap.first_weight) for cap in limits.caps)
        still = tight or not len(flat)
        silent = rows.mean(axis=0) if still else np.eye(rows.shape[1])[flat[0]]
        share = min(blur * rows.shape[1] / total, 1.0)
        mixed = (1 - share) * mixed + share * silent
    scaled: Floats = mixed / mixed.sum(axis=1, keepdims=True)
    return scaled


def _merge_columns(columns: Floats, chances: Floats) -> tuple[Floats, Floats]:
    """Add up columns in proportion, and leave out what would round to a few units."""
    keys = np.round(columns / columns.max(axis=1, keepdims=True), 9)
    _, first, key_index = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    added = np.asarray(np.bincount(key_index.ravel(), weights=chances), dtype=float)
    used = added > _TRIFLE * added.max()
    return columns[first][used], added[used]


def _name_reports(columns: Floats, limits: Limits) -> tuple[dict[str, tuple[str, ...]], Integers]:
    """Let a report mean the answers it is likeliest from; give reports and order of columns."""
    frame = limits.frame
    top = columns >= columns.max(axis=1, keepdims=True) * (1 - _EQUAL)
    sizes = top.sum(axis=1)
    order = np.lexsort((*(~top[:, i] for i in reversed(range(len(frame)))), sizes))
    reports: dict[str, tuple[str, ...]] = {}
    used = dict.fromkeys(frame.answers, 0)
    unsure = fresh(DONT_KNOW, dict.fromkeys(frame.answers, ()))
    for column in order:
        names = tuple(
            answer for answer, in_it in zip(frame.answers, top[column], strict=True) if in_it
        )
        if limits.precise:
            names = (min(names, key=lambda name: used[name]),)
            used[names[0]] += 1
        name = unsure if len(names) == len(frame) else " or ".join(names)
        reports[fresh(name, reports)] = names
    return reports, np.asarray(order, dtype=np.int64)
