"""A respondent's path through a mechanism: what chance shows, what the own answer is, what is sent.

A mechanism that is written as a path has the channel that its branches come to, so that its drawing
and its chances cannot differ.
"""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import final

from askance.channels.channel import Channel
from askance.channels.frame import Frame
from askance.mechanisms.randomised_response import AbstractMechanism, Warner
from askance_collect.arguments import checked
from askance_collect.errors import InputError


@final
@dataclass(frozen=True, slots=True)
class SentReport:
    """The end of a respondent's path: the report that is sent.

    >>> from askance.mechanisms import SentReport
    >>> SentReport("just one").report
    'just one'
    """

    report: str


@final
@dataclass(frozen=True, slots=True)
class Outcome:
    """One side of a coin: its chance, what it shows, and how the path goes on.

    Attributes
    ----------
    chance : Fraction
    label : str
        What the coin shows on this side.
    next_step : PathTree
        How the path goes on.

    >>> from askance.mechanisms import Outcome, SentReport
    >>> Outcome(Fraction(1, 6), "say yes", SentReport("yes")).label
    'say yes'
    """

    chance: Fraction
    label: str
    next_step: "PathTree"


@final
@dataclass(frozen=True, slots=True)
class Draw:
    """A fork that chance takes: a device, or a harmless fact about the respondent.

    Attributes
    ----------
    device : str
        What is drawn, in words.
    outcomes : tuple of Outcome
        Their chances sum to one.

    >>> from askance.mechanisms import Crosswise, Draw, respondent_path
    >>> path = respondent_path(Crosswise(harmless="1/4"), Frame(["yes", "no"]))
    >>> isinstance(path, Draw), [str(outcome.chance) for outcome in path.outcomes]
    (True, ['1/4', '3/4'])
    """

    device: str
    outcomes: tuple[Outcome, ...]


@final
@dataclass(frozen=True, slots=True)
class OwnAnswer:
    """A fork that the respondent's own answer takes.

    Attributes
    ----------
    next_steps : tuple of (str, PathTree)
        How the path goes on for each answer, in the order of the frame.

    >>> from askance.mechanisms import OwnAnswer, SentReport
    >>> OwnAnswer((("yes", SentReport("yes")), ("no", SentReport("no")))).next_steps[0]
    ('yes', SentReport(report='yes'))
    """

    next_steps: tuple[tuple[str, "PathTree"], ...]


PathTree = SentReport | Draw | OwnAnswer
"""A tree of what chance shows and what the own answer is, down to what is reported."""

DEVICE, COIN = "The device draws", "The harmless trait"


class AbstractPathMechanism(AbstractMechanism):
    """A recipe that is written as a respondent's path."""

    __slots__ = ()

    @abstractmethod
    def path(self, frame: Frame) -> PathTree:
        """Write the path of a respondent who has one of these answers."""


@checked
def respondent_path(mechanism: AbstractMechanism, frame: Frame) -> PathTree:
    """Decision tree of a randomised response mechanism: what is drawn, what is asked, what is said.

    Parameters
    ----------
    mechanism : AbstractMechanism
        A mechanism by its name; of any other recipe each answer draws its report.
    frame : Frame
        The answers.

    Returns
    -------
    PathTree
        Nested `Draw`, `OwnAnswer` and `SentReport`. Its branches, multiplied out, are the chances
        of ``mechanism.channel(frame)``.

    Raises
    ------
    InputError
        If the recipe is not for these answers, or its channel has no exact table.

    >>> from askance.mechanisms import Mangat, respondent_path
    >>> path = respondent_path(Mangat(truth_if_no="2/3"), Frame(["yes", "no"]))
    >>> path.next_steps[0]
    ('yes', SentReport(report='yes'))
    """
    if isinstance(mechanism, AbstractPathMechanism):
        return mechanism.path(frame)
    channel = mechanism.channel(frame)
    if isinstance(mechanism, Warner):
        return fork_by_chance(
            DEVICE,
            Outcome(mechanism.truth, "“is it so?”", fork_by_answer(frame, frame.answers)),
            Outcome(
                1 - mechanism.truth, "“is it not so?”", fork_by_answer(frame, frame.answers[::-1])
            ),
        )
    if channel.table is None:
        raise InputError("mechanism", got="doubles", allowed="a recipe with exact chances")
    rows = (channel.table.row(answer) for answer in range(len(frame)))
    ends = [zip(row, channel.reports, strict=True) for row in rows]
    draws = [
        fork_by_chance(DEVICE, *(Outcome(part, "", SentReport(report)) for part, report in row))
        for row in ends
    ]
    return OwnAnswer(tuple(zip(frame.answers, draws, strict=True)))


def fork_by_chance(by: str, *outcomes: Outcome) -> Draw:
    """Fork by chance, without what never happens.

    >>> always = Outcome(Fraction(1), "a", SentReport("a"))
    >>> never = Outcome(Fraction(0), "b", SentReport("b"))
    >>> len(fork_by_chance(DEVICE, always, never).outcomes)
    1
    """
    return Draw(by, tuple(outcome for outcome in outcomes if outcome.chance))


def fork_by_answer(frame: Frame, reports: Sequence[str]) -> OwnAnswer:
    """Let each answer send one report.

    >>> fork_by_answer(Frame(["yes", "no"]), ["no", "yes"]).next_steps[0]
    ('yes', SentReport(report='no'))
    """
    return OwnAnswer(tuple(zip(frame.answers, map(SentReport, reports), strict=True)))


def path_channel(frame: Frame, path: PathTree, reports: Sequence[str] = ()) -> Channel:
    """Multiply a path out to its channel.

    Reports are the answers, or else mean the answers that send them most often.

    >>> yn = Frame(["yes", "no"])
    >>> path = fork_by_answer(yn, ["a", "b"])
    >>> path_channel(yn, path, ["a", "b"]).meanings
    (1, 2)
    """
    names = reports or frame.answers
    rows = [dict.fromkeys(names, Fraction(0)) for _ in frame.answers]
    for answer, row in zip(frame.answers, rows, strict=True):
        for part, report in _walk_path(path, answer):
            row[report] += part
    meanings: dict[str, tuple[str, ...]] = {name: (name,) for name in names}
    for name in reports:
        most = max(row[name] for row in rows)
        answer_rows = zip(frame.answers, rows, strict=True)
        meanings[name] = tuple(answer for answer, row in answer_rows if row[name] == most)
    return Channel(frame, meanings, [list(row.values()) for row in rows])


def _walk_path(
    path: PathTree, answer: str, part: Fraction = Fraction(1)
) -> Iterator[tuple[Fraction, str]]:
    match path:
        case SentReport():
            yield part, path.report
        case Draw():
            for outcome in path.outcomes:
                yield from _walk_path(outcome.next_step, answer, part * outcome.chance)
        case OwnAnswer():
            yield from _walk_path(dict(path.next_steps)[answer], answer, part)
