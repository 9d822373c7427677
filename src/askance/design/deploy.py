"""A design as integers that keep every bound exactly, with reports that have names."""

from collections.abc import Mapping
from fractions import Fraction

import numpy as np

from askance.channels.channel import DONT_KNOW, Channel, fresh
from askance.channels.frame import Names
from askance.design.constraints import Limits
from askance.errors import InputError
from askance.exact.ratio import Table
from askance.privacy.guessing import distances
from askance.privacy.losses import walley_loss
from askance.typing import Booleans, Floats, Integers

_TOTAL = 1 << 46  # parts, fewer than a page draws by 48 bits
_ALIKE = 1e-9  # chances of a report that count as equal
_TRIFLE = 1e-10  # of the commonest column: so rare a one would be rounding alone
_UNSAID = 1e-7  # of what is sent: so rare a silence is rounding alone
_FIRST_BLUR = 1.0  # units


def deployed(columns: Floats, chances: Floats, limits: Limits) -> Channel:
    """Round to integers, and take back as much of what reports tell as keeps the bounds.

    That is a few units of each column, and of silence where distances are bounded.

    Parameters
    ----------
    columns : array, shape (m, k)
    chances : array, shape (m,)
    limits : Limits
        Checked on the integers, exactly.
    """
    columns, chances = _telling(*_merged(columns, chances), limits)
    rows = (columns * chances[:, None]).T
    reports, order = _named(columns, limits)
    c = 1 - limits.silent
    parts = _TOTAL // c.denominator * c.numerator
    channel = settled(rows[:, order], reports, limits.telling, parts)
    assert channel.table is not None
    return with_silence(channel.table, reports, limits)


def with_silence(telling: Table, reports: Mapping[str, Names], limits: Limits) -> Channel:
    """Let a share of reports say nothing, exactly, beside those that say something.

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
    taken = dict.fromkeys(limits.frame.answers, ()) | dict(reports)
    named = {**reports, fresh(DONT_KNOW, taken): limits.frame.answers}
    return Channel(limits.frame, named, table)


def unsaid(columns: Floats, chances: Floats) -> bool:
    """Say whether a share of reports, more than rounding makes, is as likely from every answer.

    >>> unsaid(np.array([[1.0, 1.0], [2.0, 0.0]]), np.array([0.5, 0.5]))
    True
    """
    sent = columns.mean(axis=1) * chances
    return bool(sent[_alike(columns)].sum() > _UNSAID * sent.sum())


def _alike(columns: Floats) -> Booleans:
    return np.asarray(np.ptp(columns, axis=1) <= _ALIKE * columns.max(axis=1))


def _telling(columns: Floats, chances: Floats, limits: Limits) -> tuple[Floats, Floats]:
    """Leave out columns that say nothing where a fixed share of reports does.

    Raises
    ------
    InputError
        If the best channel says nothing more often than that.
    """
    if not limits.silent:
        return columns, chances
    if unsaid(columns, chances):
        raise InputError(
            "constraints",
            got=f"Answered({1 - limits.silent}) beside a bounded advantage",
            allowed="a share answered that is no larger than what the advantage lets be told",
            remedy="leave Answered out: the best channel says nothing as often as it has to",
        )
    told = ~_alike(columns)
    return columns[told], chances[told]


def settled(rows: Floats, reports: Mapping[str, Names], limits: Limits, total: int) -> Channel:
    """Write rows in so many whole parts, blurred as little as keeps the bounds.

    Raises
    ------
    InputError
        If so few parts cannot keep them.
    """
    rows, blur = rows / rows.sum(axis=1, keepdims=True), 0.0
    while blur < total:
        units = rounded(_blurred(rows, blur, limits, total), total)
        if _in_ratio(units, limits):
            parts = Table(total, tuple(map(tuple, units.tolist())))
            channel = Channel(limits.frame, reports, parts)
            if _near_enough(channel, limits):
                return channel
        blur = max(2 * blur, _FIRST_BLUR)
    raise InputError(
        "constraints", got="bounds that no integers keep", allowed="bounds a little wider"
    )


def rounded(rows: Floats, total: int) -> Integers:
    """Round rows to integers that sum to the total; columns that are constant stay so.

    What is possible stays possible, and what is impossible stays impossible.

    >>> rounded(np.array([[0.25, 0.25, 0.5], [0.5, 0.0, 0.5]]), 9).tolist()
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
    each, rest = np.divmod(np.abs(missing), movable.sum(axis=1, keepdims=True))
    more = each + (np.argsort(order, axis=1) < rest)
    found: Integers = units + np.sign(missing) * np.where(movable, more, 0)
    return found


def kept(channel: Channel, limits: Limits) -> bool:
    """Check all that is asked on the integers of a channel, exactly."""
    assert channel.table is not None
    units = np.array(channel.table.rows, dtype=np.int64)
    silent = [at for at, one in enumerate(channel.meanings) if one == limits.frame.everything]
    if limits.silent and set(units[:, silent].sum(axis=1).tolist()) != {
        limits.silent * channel.table.total
    }:
        return False
    return _in_ratio(units, limits) and _near_enough(channel, limits)


def _in_ratio(units: Integers, limits: Limits) -> bool:
    if (units < 0).any():
        return False
    if (common := limits.common_ratio) is not None:
        return _within(units.max(axis=0), units.min(axis=0), common)
    rows = list(enumerate(units))
    return all(
        _within(row, below, limits.ratios[x][y]) for x, row in rows for y, below in rows if x != y
    )


def _near_enough(channel: Channel, limits: Limits) -> bool:
    for w in {cap.first_weight for cap in limits.caps}:
        distance = distances(channel, w)
        if any(distance(*cap.pair) > cap.limit for cap in limits.caps if cap.first_weight == w):
            return False
    return limits.walley is None or walley_loss(channel).value <= limits.walley


def _within(row: Integers, other: Integers, ratio: Fraction | float) -> bool:
    if not isinstance(ratio, Fraction):
        return True
    near = row > float(ratio) * (1 - 1e-9) * other
    return all(
        above * ratio.denominator <= below * ratio.numerator
        for above, below in zip(row[near].tolist(), other[near].tolist(), strict=True)
    )


def _blurred(rows: Floats, blur: float, limits: Limits, total: int) -> Floats:
    """Move every column so many units towards its mean, and so many units of all to silence.

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


def _merged(columns: Floats, chances: Floats) -> tuple[Floats, Floats]:
    """Add up columns in proportion, and leave out what would round to a few units."""
    keys = np.round(columns / columns.max(axis=1, keepdims=True), 9)
    _, first, place = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    added = np.asarray(np.bincount(place.ravel(), weights=chances), dtype=float)
    kept = added > _TRIFLE * added.max()
    return columns[first][kept], added[kept]


def _named(columns: Floats, limits: Limits) -> tuple[dict[str, tuple[str, ...]], Integers]:
    """Let a report mean the answers it is likeliest from; give reports and order of columns."""
    frame = limits.frame
    top = columns >= columns.max(axis=1, keepdims=True) * (1 - _ALIKE)
    sizes = top.sum(axis=1)
    order = np.lexsort((*(~top[:, at] for at in reversed(range(len(frame)))), sizes))
    reports: dict[str, tuple[str, ...]] = {}
    used = dict.fromkeys(frame.answers, 0)
    unsure = fresh(DONT_KNOW, dict.fromkeys(frame.answers, ()))
    for at in order:
        names = tuple(answer for answer, in_it in zip(frame.answers, top[at], strict=True) if in_it)
        if limits.precise:
            names = (min(names, key=lambda name: used[name]),)
            used[names[0]] += 1
        name = unsure if len(names) == len(frame) else " or ".join(names)
        reports[fresh(name, reports)] = names
    return reports, np.asarray(order, dtype=np.int64)
