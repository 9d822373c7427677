"""Channels made from channels: fewer answers, more reports or questions, garbled, relabelled."""

from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from fractions import Fraction
from itertools import product
from typing import Any, TypeAlias, final

import numpy as np

from askance.arguments import checked
from askance.channels.channel import Channel
from askance.channels.combine import ProductFrame
from askance.channels.frame import Frame
from askance.channels.lattice import Mass
from askance.channels.mass_functions import MassFunction
from askance.errors import InputError, nearest
from askance.exact.ratio import chance
from askance.exact.table import Table
from askance.typing import Floats


def meant(channel: Channel) -> dict[str, tuple[str, ...]]:
    """Each report with the answers that it leaves possible.

    >>> from askance.mechanisms.randomised_response import Abstain
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

    >>> from askance.mechanisms.randomised_response import Abstain
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

    >>> from askance.mechanisms.randomised_response import Warner
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

    >>> from askance.mechanisms.randomised_response import Warner
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

    >>> from askance.mechanisms.randomised_response import Warner
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


_COUNTEREXAMPLE = (
    "masses (.45, .45, .10) and (.49, .49, .02) on {1}, {2} and {1, 2}: sending {1, 2} on as a new "
    "answer 3 raises Walley's loss from ln(17/15) to ln 5"
)


@final
class Reading(Enum):
    """How reports that are sets of answers are understood; each value says it."""

    SHAFER = "a report is a message: its meaning is evidence, and messages are told apart"
    WALLEY = "a report bounds the chance of an answer that someone resolves as they like"


@checked
def post_process(
    channel: Channel,
    kernel: Mapping[str, Mapping[str, object]],
    reports: Mapping[str, Sequence[str]] | None = None,
    *,
    reading: Reading,
    output: Frame | None = None,
) -> Channel:
    """Post-processing: each report is sent on as another, by chances that depend on it alone.

    Parameters
    ----------
    channel : Channel
    kernel : mapping of str to (mapping of str to probability)
        For each report, the chances of the new ones; they sum to one, and reports with equal
        meanings, which are one message, are treated alike.
    reports : mapping of str to iterable of str, optional
        The new reports with their meanings; the channel's own if left out.
    reading : Reading
        Under ``Reading.SHAFER`` no loss grows. Under ``Reading.WALLEY`` it can, and the call is
        refused: there, map answers with `relabel`.
    output : Frame, optional
        What the new reports are about; as before if left out.

    Raises
    ------
    InputError
        If the reading is Walley's, a report is unknown or left out, chances do not sum to one, or
        reports with equal meanings are treated differently.

    References
    ----------
    Li, Zhou, Qin & Xu (2022), Lemmas 4 and 16.

    >>> from askance.mechanisms.randomised_response import Abstain
    >>> q = Abstain(truth=0.6, lie=0.1).channel(Frame(["yes", "no"]))
    >>> silence = {"yes": {"yes": 1}, "no": {"no": 1}, "don't know": {"yes": "1/2", "no": "1/2"}}
    >>> post_process(q, silence, {"yes": ["yes"], "no": ["no"]}, reading=Reading.SHAFER).table.rows
    ((3, 1), (1, 3))
    """
    if reading is not Reading.SHAFER:
        raise InputError(
            "post_process",
            got=reading.name,
            allowed="Shafer's reading: under Walley's, changing reports as messages can raise the "
            f"loss: {_COUNTEREXAMPLE}",
            remedy="map answers instead: relabel(channel, maps)",
        )
    about = channel.output if output is None else output
    new = meant(channel) if reports is None else reports
    onward = [_chances(report, kernel, tuple(new)) for report in channel.reports]
    _alike(channel, onward)
    return carried(channel, onward, new, about)


def _chances(
    report: str, kernel: Mapping[str, Mapping[str, object]], names: tuple[str, ...]
) -> dict[int, Fraction]:
    if report not in kernel:
        raise InputError("kernel", got=f"nothing for {report!r}", allowed="chances for each report")
    if not isinstance(kernel[report], Mapping):
        allowed = "a mapping of reports to chances"
        raise InputError(f"kernel[{report!r}]", got=kernel[report], allowed=allowed)
    read: dict[int, Fraction] = {}
    for name, share in kernel[report].items():
        where = f"kernel[{report!r}]"
        if name not in names:
            allowed = ", ".join(names) or "one of the reports, of which there are none"
            raise InputError(where, got=name, allowed=allowed, remedy=nearest(name, names))
        read[names.index(name)] = chance(share, f"{where}[{name!r}]")
    if sum(read.values()) != 1:
        raise InputError(
            f"kernel[{report!r}]",
            got=f"chances that sum to {sum(read.values())}",
            allowed="a sum of one; write thirds as '1/3'",
        )
    return {at: share for at, share in read.items() if share}


def _alike(channel: Channel, onward: Sequence[Mapping[int, Fraction]]) -> None:
    first: dict[int, int] = {}
    for at, meaning in enumerate(channel.meanings):
        same = first.setdefault(meaning, at)
        if onward[same] != onward[at]:
            raise InputError(
                "kernel",
                got=f"{channel.reports[same]!r} and {channel.reports[at]!r} treated differently",
                allowed="reports with equal meanings treated alike: they are one message",
            )


AnswerMap: TypeAlias = Mapping[str, str]
"""For each answer, the one it becomes."""

Maps: TypeAlias = AnswerMap | Sequence[tuple[object, AnswerMap]]
"""One map, or several with their chances."""


@checked
def image(mass: MassFunction, maps: Maps, to: Frame | None = None) -> MassFunction:
    r"""Map the answers that a mass function is about.

    .. math:: m^f(F) = \sum_{E : f(E) = F} m(E)

    Parameters
    ----------
    mass : MassFunction
        m, with focal sets E.
    maps : mapping of str to str, or sequence of (probability, mapping)
        f: for each answer, the one it becomes. Several with chances that sum to one are a map that
        is drawn at random; how they move different answers together matters, so that the chances
        of single answers alone would not do.
    to : Frame, optional
        The frame of the images F; the mass function's own if left out.

    Raises
    ------
    InputError
        If an answer has no image, or the chances do not sum to one.

    References
    ----------
    Li, Zhou, Qin & Xu (2022), Lemma 4, whose proof misprints the image mass.

    >>> abc, ab = Frame(["a", "b", "c"]), Frame(["a", "b"])
    >>> m = MassFunction(abc, {("a",): 0.5, ("b",): 0.25, ("b", "c"): 0.25})
    >>> image(m, {"a": "a", "b": "b", "c": "b"}, ab)
    MassFunction(a: 0.5, b: 0.5)
    """
    frame = mass.frame if to is None else to
    moved: dict[int, Mass] = {}
    for share, places in _drawn(mass.frame, maps, frame):
        for focal, weight in mass.masses.items():
            onto = _image(mass.frame, focal, places)
            part = weight * (share if mass.exact else float(share))
            moved[onto] = moved.get(onto, 0) + part
    return MassFunction(frame, moved)


@checked
def relabel(channel: Channel, maps: Maps, to: Frame | None = None) -> Channel:
    """Map the answers that reports are about, as in `image`; no loss of any kind grows.

    Reports whose images coincide become one, named for its meaning.

    Raises
    ------
    InputError
        If an answer has no image, or the chances do not sum to one.

    References
    ----------
    Li, Zhou, Qin & Xu (2022), Lemmas 4 and 16.

    >>> from askance.mechanisms.randomised_response import Abstain
    >>> q = Abstain(truth=0.6, lie=0.2).channel(Frame(["a", "b", "c"]))
    >>> r = relabel(q, {"a": "a", "b": "bc", "c": "bc"}, Frame(["a", "bc"]))
    >>> r.reports, r.table.rows
    (('a', 'bc', 'a or bc'), ((6, 2, 2), (1, 7, 2), (1, 7, 2)))
    """
    frame = channel.output if to is None else to
    onward: list[dict[int, Fraction]] = [{} for _ in channel.reports]
    for share, places in _drawn(channel.output, maps, frame):
        for chances, meaning in zip(onward, channel.meanings, strict=True):
            onto = _image(channel.output, meaning, places)
            chances[onto] = chances.get(onto, Fraction(0)) + share
    focal = sorted({onto for chances in onward for onto in chances})
    column = {onto: at for at, onto in enumerate(focal)}
    named = dict(zip(frame.wordings(focal), map(frame.names, focal), strict=True))
    placed = [{column[onto]: share for onto, share in chances.items()} for chances in onward]
    return carried(channel, placed, named, frame)


def _drawn(frame: Frame, maps: Maps, to: Frame) -> list[tuple[Fraction, list[int]]]:
    """Read each map as positions, with its chance."""
    given: Sequence[Any] = [(1, maps)] if isinstance(maps, Mapping) else maps
    for at, pair in enumerate(given):
        if not (isinstance(pair, tuple | list) and len(pair) == 2 and isinstance(pair[1], Mapping)):
            raise InputError(f"maps[{at}]", got=pair, allowed="a chance and a map of the answers")
    drawn = []
    for at, (share, one) in enumerate(given):
        unmapped = [answer for answer in frame.answers if answer not in one]
        if unmapped:
            raise InputError(
                f"maps[{at}]",
                got=f"nothing for {unmapped[0]!r}",
                allowed="an image for each answer",
            )
        places = [to.index(one[answer]) for answer in frame.answers]
        drawn.append((chance(share, f"maps[{at}]"), places))
    total = sum(share for share, _ in drawn)
    if total != 1:
        raise InputError("maps", got=f"chances that sum to {total}", allowed="a sum of one")
    return drawn


def _image(frame: Frame, focal: int, places: list[int]) -> int:
    return sum(1 << to for to in {places[at] for at in frame.places(focal)})
