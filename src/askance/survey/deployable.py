"""Channels in whole parts that one draw of 48 bits holds, and what they promise."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from askance.channels.channel import Channel
from askance.channels.channel import meant as meanings_of
from askance.privacy.guarantee import Guarantee
from askance.privacy.interval_privacy import set_guarantees
from askance.privacy.losses import advantage, local_loss, shafer_loss, walley_loss
from askance.privacy.tradeoff_function import neyman_pearson
from askance_collect.arguments import checked
from askance_collect.errors import InputError
from askance_collect.exact.ratio import LARGEST_TOTAL, Table
from askance_collect.exact.whole_tables import quantise_table

Rows = tuple[Sequence[int], Sequence[int]]


def find_guarantees(channel: Channel) -> tuple[Guarantee, ...]:
    """Guarantees of a channel: interval privacy of sets where it applies, else privacy losses."""
    if sets := set_guarantees(channel):
        return *sets, advantage(channel)
    return find_losses(channel)


def find_losses(channel: Channel) -> tuple[Guarantee, ...]:
    """Privacy losses of a channel, whatever its reports mean."""
    judges = local_loss, shafer_loss, walley_loss, advantage
    return tuple(judge(channel) for judge in judges)


@checked
def deployable(channel: Channel) -> Channel:
    """Write a channel in whole parts that one draw of 48 bits holds, if it is not so already.

    Rounded once, towards what it promises: no guarantee of the exact channel grows weaker, and no
    test of one answer against another gains, by reports or by messages.

    Raises
    ------
    InputError
        If the channel is not exact, or nothing so near to it in whole parts promises as much.

    >>> from fractions import Fraction
    >>> from askance import Frame, Warner
    >>> from askance.survey import deployable
    >>> fine = Warner(truth=Fraction(3, 4) + Fraction(1, 10**20)).channel(Frame(["yes", "no"]))
    >>> table = deployable(fine).table
    >>> table.total == 2**48, table.rows[0][0] - 3 * 2**46
    (True, 0)
    """
    table = channel.table
    if table is None:
        raise InputError("channel", got="doubles", allowed="exact chances, which can be drawn")
    if table.total <= LARGEST_TOTAL:
        return channel
    reports = meanings_of(channel)

    def build(parts: Table) -> Channel:
        return Channel(channel.frame, reports, parts, output=channel.output)

    promised = find_guarantees(channel)
    parts = quantise_table(table, lambda parts: _keeps_promises(build(parts), channel, promised))
    if parts is None:
        raise InputError(
            "channel",
            got=f"chances in some 2^{table.total.bit_length() - 1} whole parts",
            allowed="chances that keep what they promise in 2^48 whole parts",
            remedy="write the chances with fewer digits, over one common denominator",
        )
    return build(parts)


def _keeps_promises(channel: Channel, exact: Channel, promised: Sequence[Guarantee]) -> bool:
    """Whether a rounded channel keeps every guarantee of the exact one, and every test's errors.

    The tests of two answers hold their losses; Walley's has no such pairs that garbling lowers.
    """
    guarantees = find_guarantees(channel)
    if len(guarantees) != len(promised) or not all(
        map(Guarantee.is_at_least_as_strong, guarantees, promised)
    ):
        return False
    return all(
        neyman_pearson(*ours).is_at_least_as_strong(neyman_pearson(*theirs))
        for ours, theirs in _list_tests(channel, exact)
    )


def _list_tests(channel: Channel, exact: Channel) -> Iterator[tuple[Rows, Rows]]:
    """List the distinct pairs of rows of two answers in both channels, by report and by message."""
    by_report = {name: [i] for i, name in enumerate(channel.reports)}
    by_message: dict[int, list[int]] = {}
    for i, meant_by in enumerate(channel.meanings):
        by_message.setdefault(meant_by, []).append(i)
    listed = set()
    for groups in (by_report.values(), by_message.values()):
        ours, theirs = (_sum_columns(either, groups) for either in (channel, exact))
        for x, other in combinations(range(len(channel.frame)), 2):
            columns = zip(ours[x], ours[other], theirs[x], theirs[other], strict=True)
            rows = tuple(sorted(columns))
            if rows not in listed:
                listed.add(rows)
                row, other_row, exact_row, exact_other = zip(*rows, strict=True)
                yield (row, other_row), (exact_row, exact_other)


def _sum_columns(channel: Channel, groups: Iterable[Sequence[int]]) -> list[list[int]]:
    assert channel.table is not None
    return [[sum(row[j] for j in group) for group in groups] for row in channel.table.rows]
