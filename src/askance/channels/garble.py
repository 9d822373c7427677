"""Reports changed at random as messages: sound for Shafer's reading, not for Walley's."""

from collections.abc import Mapping, Sequence
from enum import Enum
from fractions import Fraction
from typing import final

from askance.arguments import checked
from askance.channels.algebra import carried, meant
from askance.channels.channel import Channel
from askance.channels.frame import Frame
from askance.errors import InputError, nearest
from askance.exact.ratio import chance

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
def garble(
    channel: Channel,
    kernel: Mapping[str, Mapping[str, object]],
    reports: Mapping[str, Sequence[str]] | None = None,
    *,
    reading: Reading,
    output: Frame | None = None,
) -> Channel:
    """Send each report on as another, with chances that depend on the report alone.

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

    >>> from askance.mechanisms.abstain import Abstain
    >>> q = Abstain(truth=0.6, lie=0.1).channel(Frame(["yes", "no"]))
    >>> silence = {"yes": {"yes": 1}, "no": {"no": 1}, "don't know": {"yes": "1/2", "no": "1/2"}}
    >>> garble(q, silence, {"yes": ["yes"], "no": ["no"]}, reading=Reading.SHAFER).table.rows
    ((3, 1), (1, 3))
    """
    if reading is not Reading.SHAFER:
        raise InputError(
            "garble",
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
