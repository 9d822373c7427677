"""Columns of answers or numbers, each sent through a channel: by dice, or by the coin."""

from collections.abc import Callable, Iterator
from typing import Any, TypeVar, overload

import numpy as np
import numpy.typing as npt

from askance.channels.abstract_oracle import AbstractChance, Places
from askance.channels.bulk_draws import CoinChance, Dice, inverse_table
from askance.channels.channel import BLANK, Channel
from askance.channels.cut_variants import OpenCellChannel, RingChannel
from askance.channels.named_columns import (
    ExpectedNames,
    coded_like,
    column_name,
    named_column,
    record_columns,
    record_reader,
)
from askance.channels.range_channel import AbstractRangeChannel, RangeChannel, reaches
from askance.channels.ranges import Ranges
from askance.random_streams import is_seed, random_stream
from askance.results import doubles
from askance.typing import Floats, Integers
from askance_collect.arguments import checked
from askance_collect.errors import InputError
from askance_collect.exact.line import Line

_CHUNK = 1 << 15
"""How many people are dealt with at a time: what they need fits into the cache."""

_NAMED_CHUNK = 1 << 17  # names need less

_Column = TypeVar("_Column")
_RangeChannel = RangeChannel | RingChannel | OpenCellChannel
Cells = tuple[Integers, Integers]
CellSampler = Callable[[Integers], Cells]


@overload
def privatise(
    channel: Channel,
    column: _Column,
    *,
    rng: Any = None,
    name: str | None = None,
    coin: bool = False,
) -> _Column: ...
@overload
def privatise(
    channel: RangeChannel | RingChannel | OpenCellChannel,
    column: Iterator[Any],
    *,
    rng: Any = None,
    name: str | None = None,
    coin: bool = False,
) -> Iterator[Ranges]: ...
@overload
def privatise(
    channel: RangeChannel | RingChannel | OpenCellChannel,
    column: npt.ArrayLike,
    *,
    rng: Any = None,
    name: str | None = None,
    coin: bool = False,
) -> Ranges: ...
@checked
def privatise(
    channel: Channel | RangeChannel | RingChannel | OpenCellChannel,
    column: Any,
    *,
    rng: Any = None,
    name: str | None = None,
    coin: bool = False,
) -> Any:
    """Privatise a column: each answer is replaced by its random report (local randomiser).

    Row i's report has the law of its answer alone,

        P(report_i = j | answer_i = a) = Q[a, j],

    independently of all other rows. With dice a name uses one word, so that one seed and column
    name send the same reports whatever holds the column and however it is divided into parts, and
    another answer in one row changes that row's report alone. Chances are then right to double
    precision. With the coin they are exactly the integers of the channel's table; a range channel's
    are its weights.

    Parameters
    ----------
    channel : Channel, RangeChannel, RingChannel or OpenCellChannel
    column : column of answers, array_like of shape (n,), or iterator of either
        For a `Channel` names of answers: a list, a NumPy array, or a column of pandas, polars or
        pyarrow, as text or as categories (``askance[engines]`` reads these). What is missing
        stays missing. For the others numbers in the unit of the line, none missing; ±∞ is beyond an
        end. An iterator of such columns, or a pyarrow record-batch reader of one column, is
        privatised part by part, in the memory of one part.
    rng : seed or numpy Generator, optional
        The analyst's dice, for rehearsals. A seed has a stream for each name of a column, none of
        which is that of ``default_rng(seed)``. A Generator gives the seed of one stream, and moves
        on.
    name : str, optional
        Which column this is, for its stream; its name in a data frame if left out. With a seed, a
        list or an array needs one: two columns that share a stream would be dependent.
    coin : bool
        Draw fresh bits of the operating system, exactly as a respondent's device does, for devices
        and gateways that privatise for real: no seed, and no message repeats an answer.

    Returns
    -------
    column, Ranges, or an iterator of them
        Names of reports in a column of the same kind, in the same order; for numbers `Ranges`,
        without those that are withheld.

    Raises
    ------
    InputError
        If a value is no answer of the channel (numbers and truth values are never positions), there
        is none, or they have more than one dimension; with the coin, if there are dice as well or
        chances are not exact integers up to 2^48. If a seed is given and the column has no name.

    References
    ----------
    Kasiviswanathan, Lee, Nissim, Raskhodnikova & Smith (2011), Definition 2.4 (the local
    randomiser); the alias method is of Walker (1977).

    >>> from askance.channels import Frame
    >>> from askance_collect.exact import Line
    >>> yn = Frame(["yes", "no"])
    >>> warner = Channel(yn, {"yes": ["yes"], "no": ["no"]}, [[0.75, 0.25], [0.25, 0.75]])
    >>> privatise(warner, ["yes", "no", None, "no", "yes"], rng=1, name="tea")
    ['yes', 'no', None, 'no', 'yes']
    >>> privatise(RangeChannel(Line(0, 40, 20), [1]), [12, 20, 31], rng=np.random.default_rng(1))
    Ranges((-inf, 20], (-inf, 20], (20, inf])
    """
    if coin and rng is not None:
        raise InputError(
            "privatise.rng",
            got="dice and the coin",
            allowed="one of them",
            remedy="leave out rng, or coin=True: what a device sends for real has no seed",
        )
    chance = CoinChance() if coin else Dice(_column_stream(rng, column, name))
    if isinstance(channel, Channel):
        send = _names_sender(channel, chance, show_values=not coin)
    else:
        send = _numbers_sender(channel, chance, show_values=not coin)
    parts = column if isinstance(column, Iterator) else None
    batches = record_columns(column, "privatise.column")
    if parts is None and batches is None:
        return send(column, "privatise.column", 1)
    reports = _send_parts(parts if batches is None else batches, send)
    if batches is None or not isinstance(channel, Channel):
        return reports
    return record_reader(column, lambda empty: send(empty, "privatise.column", 0), reports)


def _column_stream(rng: Any, column: Any, name: str | None) -> np.random.Generator:
    name = column_name(column) if name is None else name
    if name is None and is_seed(rng):
        raise InputError(
            "privatise.rng",
            got="a seed, for a column without a name",
            allowed="a seed with name=…, or a numpy Generator",
            remedy="two columns with one seed would be dependent: name each, or make "
            "dice = numpy.random.default_rng(seed) once and give rng=dice for all",
        )
    return random_stream(rng, "privatise", name or "")


_Send = Callable[[Any, str, int], Any]
"""Sends a column that a message calls so and that holds so many answers at the least, 0 or 1."""


def _send_parts(parts: Any, send: _Send) -> Iterator[Any]:
    """Send one part after the other; one without rows stays so."""
    for number, part in enumerate(parts):
        yield send(part, f"privatise.column, part {number}", 0)


def _names_sender(channel: Channel, chance: AbstractChance, *, show_values: bool) -> _Send:
    oracle = channel.oracle
    draw = chance.reports(channel.matrix, channel.table) if oracle is None else oracle.draw(chance)

    def send(column: Any, where: str, least: int) -> Any:
        named = named_column(column, ExpectedNames(channel.frame.answers, where, show_values))
        first, rest = named.places[:1], named.places[1:]
        if least and first.max(initial=BLANK) == BLANK == rest.max(initial=BLANK):
            summary = f"{len(named.places)} rows, all missing" if len(named.places) else "no row"
            raise InputError(where, got=summary, allowed="at least one answer")
        reports = _draw_reports(draw, named.places)
        if oracle is None or oracle.coded == "names":
            return named.written(reports, channel.reports)
        return coded_like(column, reports, named.places < 0, where)

    return send


def _draw_reports(draw: Callable[[Integers], Places], answers: Places) -> Places:
    """Draw a report for each answer, and for each blank, where a place is then left blank."""
    reports: Places | None = None
    holes = answers.min(initial=0) == BLANK
    for start in range(0, max(len(answers), 1), _NAMED_CHUNK):
        part = answers[start : start + _NAMED_CHUNK]
        missing = holes and part.min(initial=0) == BLANK
        block = draw(np.maximum(part, 0) if missing else part)
        if missing and block.ndim == 1:
            block[part == BLANK] = BLANK
        if reports is None:
            reports = np.empty((len(answers), *block.shape[1:]), dtype=block.dtype)
        reports[start : start + len(part)] = block
    assert reports is not None
    return reports


def _numbers_sender(channel: _RangeChannel, chance: AbstractChance, *, show_values: bool) -> _Send:
    ticks, width = _ticks(channel.line), channel.line.ticks + 1
    draw = _cell_sampler(channel, chance)

    def send(column: Any, where: str, least: int) -> Ranges:
        numbers = _read_numbers(column, where, show_values=show_values)
        if numbers.ndim != 1 or len(numbers) < least or np.isnan(numbers).any():
            missing = int(np.isnan(numbers).sum()) if numbers.size else 0
            raise InputError(
                where,
                got=f"shape {numbers.shape} with {missing} missing",
                allowed="one dimension, with at least one number and none missing",
            )
        if channel.line.integer and (numbers != np.rint(numbers)).any():
            raise InputError(where, allowed="whole numbers, as the line has no others")
        codes = np.empty(len(numbers), dtype=np.int64)
        for start in range(0, len(numbers), _CHUNK):
            part = slice(start, start + _CHUNK)
            low, high = draw(_steps(ticks, numbers[part]))
            codes[part] = low * width + high
        return _write_ranges(channel, codes, width)

    return send


def _read_numbers(column: Any, where: str, *, show_values: bool) -> Floats:
    try:
        return doubles(column, where)
    except InputError:
        if show_values:
            raise
    raise InputError(where, allowed="numbers")  # what was got is nobody's business


def _cell_sampler(channel: _RangeChannel, chance: AbstractChance) -> CellSampler:
    if isinstance(channel, RangeChannel):
        return _cuts(channel, chance)
    if isinstance(channel, OpenCellChannel):
        return _open_cells(channel, chance)
    if isinstance(chance, Dice):
        return (_ring if channel.number == 2 else _arcs)(channel, chance.rng)
    return _ring_exactly(channel, CoinChance())


def _write_ranges(channel: AbstractRangeChannel, codes: Integers, width: int) -> Ranges:
    """Write each distinct range once, and repeat it; (0, 0) is one that is withheld."""
    is_sent = np.zeros(width * width, dtype=bool)
    is_sent[codes] = True
    if is_sent[0]:
        codes, is_sent[0] = codes[codes > 0], False
    distinct = np.flatnonzero(is_sent)
    rank = np.zeros(len(is_sent), dtype=np.int64)
    rank[distinct] = np.arange(len(distinct))
    return channel.ranges(np.stack(np.divmod(distinct, width), axis=1))[rank[codes]]


def _ticks(line: Line) -> Floats:
    inner = [float(line.value_at(tick)) for tick in range(1, line.ticks)]
    return np.array([-np.inf, *inner, np.inf])


def _steps(ticks: Floats, numbers: Floats) -> Integers:
    """Find the step ``(i, i + 1]`` of each number: guess, then compare with the ticks."""
    count = len(ticks) - 1
    if count == 2:
        return np.asarray(numbers > ticks[1], dtype=np.int64)
    width = (ticks[-2] - ticks[1]) / (count - 2)
    guess = np.ceil((numbers - ticks[1]) / width)
    steps: Integers = np.clip(guess, 0, count - 1).astype(np.int64)
    steps += numbers > ticks[steps + 1]
    steps -= (numbers <= ticks[steps]) & (steps > 0)
    return steps


def _ring(channel: RingChannel, dice: np.random.Generator) -> CellSampler:
    law = channel.law
    rows = list(law.rows())
    lows, firsts, lasts, units = (np.array(column) for column in zip(*rows, strict=True))
    row_at, tick_at = inverse_table(units), inverse_table(channel.cut_weights)
    upto = np.array(law.cumulative_weights) / law.cumulative_weights[-1]
    span = upto[lasts + 1] - upto[firsts]

    def draw(steps: Integers) -> Cells:
        row = row_at(dice.random(len(steps)))
        other = tick_at(upto[firsts[row]] + span[row] * dice.random(len(steps))) + 1
        low, high = lows[row], np.clip(other, firsts[row], lasts[row])
        inside = (low <= steps) & (steps < high)
        return np.where(inside, low, high), np.where(inside, high, low)

    return draw


def _ring_exactly(channel: RingChannel, coin: CoinChance) -> CellSampler:
    """Draw one integer below the total of all pairs, as a form's law of two cuts says."""
    law = channel.law
    lows, firsts, _, units = (np.array(column) for column in zip(*law.rows(), strict=True))
    ends, upto = np.cumsum(units), np.array(law.cumulative_weights)

    def draw(steps: Integers) -> Cells:
        position = coin.below(law.total, len(steps))
        row = np.searchsorted(ends, position, side="right")
        inner = position - (ends[row] - units[row])
        low = lows[row]
        offset = inner // np.array(law.weights)[low - 1] + upto[firsts[row]]
        high = np.searchsorted(upto, offset, side="right") - 1
        inside = (low <= steps) & (steps < high)
        return np.where(inside, low, high), np.where(inside, high, low)

    return draw


def _arcs(channel: RingChannel, dice: np.random.Generator) -> CellSampler:
    """Draw three or more cuts one after the other, each by what all ways to go on from it weigh."""
    nearest, _ = reaches(channel.line.ticks, channel.floor)
    law = np.array([0, *channel.cut_weights, 0], dtype=float) / sum(channel.cut_weights)
    upto, floor = np.array(channel.floor.cumulative_sizes), channel.floor
    ways = [law * (upto <= (upto + (floor.total - floor.minimum))[:, None])]  # by the first (row)
    for _ in range(channel.number - 1):
        beyond = np.cumsum(ways[0][:, ::-1], axis=1)[:, ::-1]
        beyond = np.append(beyond, np.zeros((len(law), 1)), axis=1)[:, nearest] * law
        ways.insert(0, beyond / beyond.max())
    first_at = inverse_table(np.diag(ways[0]))

    def draw(steps: Integers) -> Cells:
        first = first_at(dice.random(len(steps)))
        low, high, last = np.zeros_like(steps), np.zeros_like(steps), first
        for weights in ways[1:]:
            cut = _next_cut(weights, first, nearest[last], dice.random(len(steps)))
            inside = (last <= steps) & (steps < cut)
            np.copyto(low, last, where=inside)
            np.copyto(high, cut, where=inside)
            last = cut
        outside = (steps < first) | (steps >= last)
        return np.where(outside, last, low), np.where(outside, first, high)

    return draw


def _next_cut(weights: Floats, first: Integers, nearest: Integers, u: Floats) -> Integers:
    """Find the next cut, at the nearest tick allowed or above it, in the row of the first one."""
    cut = np.empty_like(first)
    for start in np.unique(first):
        rows = np.flatnonzero(first == start)
        upto = np.concatenate([[0.0], np.cumsum(weights[start])])
        below = upto[nearest[rows]]
        tick = np.searchsorted(upto, below + u[rows] * (upto[-1] - below), side="right") - 1
        cut[rows] = np.clip(tick, nearest[rows], np.flatnonzero(weights[start])[-1])
    return cut


def _cuts(channel: RangeChannel, chance: AbstractChance) -> CellSampler:
    tick_at = chance.places(channel.cut_weights)
    upto = None if channel.floor is None else np.array(channel.floor.cumulative_sizes)
    least = 0 if channel.floor is None else channel.floor.minimum
    accepted = np.zeros(channel.line.ticks, dtype=bool)
    for first, last in channel.open:
        accepted[first:last] = True

    def draw(steps: Integers) -> Cells:
        low, high = np.zeros_like(steps), np.full_like(steps, channel.line.ticks)
        for _ in range(channel.number):
            cut = tick_at(len(steps)) + 1
            counts = (low < cut) & (cut < high)
            if upto is not None and not channel.withhold:
                size = upto[cut]
                counts &= (size - upto[low] >= least) & (upto[high] - size >= least)
            above = cut <= steps
            np.copyto(low, cut, where=counts & above)
            np.copyto(high, cut, where=counts & ~above)
        if upto is not None and channel.withhold:
            small = upto[high] - upto[low] < least
            low[small & ~accepted[steps]] = high[small & ~accepted[steps]] = 0
        if channel.open:
            exact = accepted[steps]
            low, high = np.where(exact, steps, low), np.where(exact, steps + 1, high)
        return low, high

    return draw


def _open_cells(channel: OpenCellChannel, chance: AbstractChance) -> CellSampler:
    """Draw cuts, and count how many are below each number."""
    tick_at = chance.places(channel.cuts.cut_weights)

    def draw(steps: Integers) -> Cells:
        low, high = np.zeros_like(steps), np.full_like(steps, channel.line.ticks)
        cell = np.ones_like(steps)
        for _ in range(channel.cuts.number):
            cut = tick_at(len(steps)) + 1
            above = cut <= steps
            low = np.where(above, np.maximum(low, cut), low)
            high = np.where(above, high, np.minimum(high, cut))
            cell += above
        exact = np.isin(cell, channel.exact_cells)
        return np.where(exact, steps, low), np.where(exact, steps + 1, high)

    return draw
