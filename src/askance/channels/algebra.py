"""Channels made from channels: fewer answers, two reports of one answer, two questions."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import product

import numpy as np

from askance.arguments import checked
from askance.channels.channel import Channel
from askance.channels.frame import Frame
from askance.channels.product import ProductFrame
from askance.errors import InputError
from askance.exact.table import Table
from askance.typing import Floats


def meant(channel: Channel) -> dict[str, tuple[str, ...]]:
    """Give each report with the answers that it leaves possible.

    >>> from askance.mechanisms.abstain import Abstain
    >>> meant(Abstain(truth=0.6, lie=0.2).channel(Frame(["a", "b"])))
    {'a': ('a',), 'b': ('b',), "don't know": ('a', 'b')}
    """
    return dict(zip(channel.reports, map(channel.output.names, channel.meanings), strict=True))


@checked
def restrict(channel: Channel, answers: Iterable[str]) -> Channel:
    """Admit fewer answers: keep their rows, in the channel's order. Reports mean what they meant.

    Raises
    ------
    InputError
        If an answer is not the channel's, or none is left.

    >>> from askance.mechanisms.abstain import Abstain
    >>> q = Abstain(truth=0.6, lie=0.2).channel(Frame(["a", "b", "c"]))
    >>> restrict(q, ["c", "a"]).table.rows
    ((6, 1, 1, 2), (1, 1, 6, 2))
    """
    kept = channel.frame.places(channel.frame.mask(answers))
    frame = Frame(channel.frame.answers[at] for at in kept)
    rows: Table | Floats = channel.matrix[list(kept)]
    if channel.table is not None:
        rows = Table(channel.table.total, tuple(channel.table.rows[at] for at in kept))
    return Channel(frame, meant(channel), rows, output=channel.output)


@checked
def two_reports(first: Channel, second: Channel) -> Channel:
    """Send two reports of one answer, each by its own channel with its own chance.

    The pair is about pairs of answers: its meaning is the rectangle of the two meanings, which is
    what independent random sets come to. Shafer's and Walley's losses of a pair of answers add.

    Raises
    ------
    InputError
        If the channels do not have the same answers.

    References
    ----------
    Li, Zhou, Qin & Xu (2022), Lemmas 3 and 15.

    >>> from askance.mechanisms.warner import Warner
    >>> q = Warner(truth=0.75).channel(Frame(["yes", "no"]))
    >>> two_reports(q, q).table.rows[0]
    (9, 3, 3, 1)
    """
    if first.frame != second.frame:
        raise InputError(
            "two_reports",
            got=f"answers {first.frame.answers} and {second.frame.answers}",
            allowed="two channels for the same answers",
            remedy="for two questions, use two_questions",
        )
    rows = range(len(first.frame))
    return _paired(first, second, first.frame, [(at, at) for at in rows])


@checked
def two_questions(first: Channel, second: Channel) -> Channel:
    """Send one report for each of two questions: the channel from pairs of answers.

    Raises
    ------
    InputError
        If two combinations would bear the same name.

    >>> from askance.mechanisms.warner import Warner
    >>> q = Warner(truth=0.75).channel(Frame(["yes", "no"]))
    >>> two_questions(q, q).frame.answers
    ('yes, yes', 'yes, no', 'no, yes', 'no, no')
    """
    frame = ProductFrame({"first": first.frame, "second": second.frame}).joint
    rows = list(product(range(len(first.frame)), range(len(second.frame))))
    return _paired(first, second, frame, rows)


def carried(
    channel: Channel,
    onward: Sequence[Mapping[int, Fraction]],
    reports: Mapping[str, Sequence[str]],
    output: Frame,
) -> Channel:
    """Send every report on, at random, as one of new reports.

    Parameters
    ----------
    channel : Channel
    onward : sequence of mapping of int to Fraction
        For each report, the chances of the new ones by position.
    reports : mapping of str to sequence of str
        The new reports with their meanings.
    output : Frame
        What the new reports are about.

    >>> from askance.mechanisms.warner import Warner
    >>> yn = Frame(["yes", "no"])
    >>> swapped = [{1: Fraction(1)}, {0: Fraction(1)}]
    >>> q = Warner(truth=0.75).channel(yn)
    >>> carried(q, swapped, {"yes": ["yes"], "no": ["no"]}, yn).table.rows
    ((1, 3), (3, 1))
    """
    if channel.table is None:
        matrix: Floats = np.zeros((len(channel.frame), len(reports)))
        for column, chances in enumerate(onward):
            for new, chance in chances.items():
                matrix[:, new] += float(chance) * channel.matrix[:, column]
        return Channel(channel.frame, reports, matrix, output=output)
    rows = [[Fraction(0)] * len(reports) for _ in channel.frame.answers]
    for at, row in enumerate(rows):
        for shared, chances in zip(channel.table.row(at), onward, strict=True):
            for new, chance in chances.items():
                row[new] += shared * chance
    return Channel(channel.frame, reports, rows, output=output)


def _paired(
    first: Channel, second: Channel, frame: Frame, rows: Sequence[tuple[int, int]]
) -> Channel:
    output = ProductFrame({"first": first.output, "second": second.output})
    meanings = [
        output.joint.names(output.rectangle({"first": one, "second": other}))
        for one, other in product(meant(first).values(), meant(second).values())
    ]
    pairs = list(product(first.reports, second.reports))
    names = [", ".join(pair) for pair in pairs]
    if len(set(names)) < len(names):
        names = [repr(pair) for pair in pairs]
    reports = dict(zip(names, meanings, strict=True))
    if first.table is None or second.table is None:
        matrix = np.array([np.kron(first.matrix[at], second.matrix[to]) for at, to in rows])
        return Channel(frame, reports, matrix, output=output.joint)
    entries = tuple(
        tuple(a * b for a, b in product(first.table.rows[at], second.table.rows[to]))
        for at, to in rows
    )
    table = Table(first.table.total * second.table.total, entries)
    return Channel(frame, reports, table, output=output.joint)
