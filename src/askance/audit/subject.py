"""The subject of an audit: it takes answers and gives reports, with traces and messages.

The auditor assumes nothing of it that it has not looked at: it may keep a state, write in batches
or be slow.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import ClassVar, final

from askance.channels.channel import Channel, fresh, meant
from askance.results import kept_mapping, numbers, read_only
from askance.survey.deployed import table_channel
from askance.typing import Floats, Integers
from askance_collect.errors import InputError
from askance_collect.wire.question import TableQuestion

LENGTH = "length in bytes"
"""The trace that says how long a message was."""

NOTHING = "nothing sent"
"""The report of a device that sends a blank."""

MOST_CHANCES = 1 << 20
"""So many chances of a stated channel are compared with what was heard, at the most."""


@final
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Responses:
    """The reports of a subject, and everything that came with them.

    Attributes
    ----------
    reports : tuple of str
        The report to each answer, in the order in which they were asked.
    traces : mapping of str to array, shape (n,)
        What came with each report: a length in bytes, words that were drawn, seconds.
    side_texts : mapping of str to tuple of str
        What was written beside each report, such as a program's error output.
    other_answers : mapping of str to tuple of str
        What was answered to, and sent of, each other question of the same person.
    messages : tuple of bytes
        The whole message that held each report, or nothing.
    has_unassigned_output : bool
        Whether something was written, or an error came, of which nobody knows to which answer.
    """

    reports: tuple[str, ...]
    traces: Mapping[str, Floats] = field(default_factory=dict)
    side_texts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    other_answers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    messages: tuple[bytes, ...] = ()
    has_unassigned_output: bool = False

    def __post_init__(self) -> None:
        reports = need_texts(self.reports, "Responses.reports", "a list of texts, one an answer")
        need(self.traces, Mapping, "Responses.traces", "columns by their names")
        traces = {name: read_only(numbers(column, name)) for name, column in self.traces.items()}
        for name, values in traces.items():
            if values.shape != (len(self.reports),):
                problem = f"shape {values.shape}"
                raise InputError(
                    f"Responses.traces.{name}", got=problem, allowed="a number for each report"
                )
        need(self.has_unassigned_output, bool, "Responses.has_unassigned_output", "True or False")
        messages = _need_messages(self.messages)
        if messages and len(messages) != len(reports):
            raise InputError("Responses.messages", got=len(messages), allowed="one for each report")
        for name in ("side_texts", "other_answers"):
            columns = _need_columns(getattr(self, name), f"Responses.{name}", len(reports))
            object.__setattr__(self, name, kept_mapping(columns))
        object.__setattr__(self, "reports", reports)
        object.__setattr__(self, "traces", kept_mapping(traces))
        object.__setattr__(self, "messages", messages)


def _need_messages(messages: object) -> tuple[bytes, ...]:
    """Read a list of whole messages."""
    if isinstance(messages, list | tuple) and set(map(type, messages)) <= {bytes}:
        return tuple(messages)
    raise InputError("Responses.messages", got=type(messages).__name__, allowed="a list of bytes")


def _need_columns(written: object, where: str, count: int) -> dict[str, tuple[str, ...]]:
    """Read columns of texts, one for each report."""
    allowed = "columns by their names, with a text for each report"
    if not isinstance(written, Mapping):
        raise InputError(where, got=type(written).__name__, allowed=allowed)
    columns = {
        name: need_texts(column, f"{where}.{name}", allowed) for name, column in written.items()
    }
    for name, column in columns.items():
        if len(column) != count:
            raise InputError(f"{where}.{name}", got=f"{len(column)} texts", allowed=allowed)
    return columns


class AbstractSubject(ABC):
    """Anything that maps answers to reports: a local randomiser, as an auditor meets it.

    Attributes
    ----------
    name : str
        What it is called in a verdict.
    answers : tuple of str
        The answers that it can be asked: two or more.
    stated_channel : Channel or None
        What it says of itself: how probable each report is given each answer.
    constant : tuple of str
        Traces that must be the same for every report, such as the length of a padded body.
    at_a_time : int
        How many answers it is asked in one run.
    """

    __slots__ = ()
    name: str
    answers: tuple[str, ...]
    stated_channel: Channel | None
    constant: ClassVar[tuple[str, ...]] = ()
    at_a_time: ClassVar[int] = 1 << 12

    @property
    def stated_ratio(self) -> Fraction | float | None:
        """What is stated of the local loss, e^ε, where that is not in a channel's chances."""
        return None

    @abstractmethod
    def respond(self, places: Integers) -> Responses:
        """Draw the responses to answers, given by position, one after another."""

    def respond_singly(self) -> tuple[Integers, Responses] | None:
        """Ask answers in runs of one; return the positions and the responses, or None without runs.

        Whatever comes beside a report then belongs to one answer.
        """
        return None

    def respond_twice(self) -> tuple[Responses, Responses] | None:
        """Ask the first answer many times in two fresh runs; None if a subject has no runs.

        Two runs that agree more than chance lets them have the same seed.
        """
        return None


def need_answers(answers: object, stated_channel: object, where: str) -> tuple[str, ...]:
    """Read the names of answers, and see that a stated channel is about these."""
    named = tuple(answers) if isinstance(answers, list | tuple) else ()
    if len(named) < 2 or not all(map(_is_line, named)) or len(set(named)) < len(named):
        allowed = "a list of two or more different names, of one line each"
        raise InputError(f"{where}.answers", got=answers, allowed=allowed)
    if stated_channel is not None and not isinstance(stated_channel, Channel):
        allowed = "a Channel, or None where no chances are stated"
        raise InputError(
            f"{where}.stated_channel", got=type(stated_channel).__name__, allowed=allowed
        )
    if stated_channel is not None and stated_channel.frame.answers != named:
        problem = ", ".join(stated_channel.frame.answers)
        raise InputError(
            f"{where}.stated_channel", got=problem, allowed="a channel of these answers"
        )
    return named


def _is_line(name: object) -> bool:
    return isinstance(name, str) and bool(name.strip()) and len(name.splitlines()) == 1


def need_function(function: object, name: object, where: str) -> None:
    """Refuse a value that is not callable, or a name that is no text."""
    if not callable(function):
        raise InputError(where, got=function, allowed="a function")
    need(name, str, where, "a name, as a text")


def need(value: object, kind: type, where: str, allowed: str) -> None:
    """Refuse what is of another kind."""
    if not isinstance(value, kind):
        raise InputError(where, got=type(value).__name__, allowed=allowed)


def need_texts(texts: object, where: str, allowed: str) -> tuple[str, ...]:
    """Read a list of texts."""
    if isinstance(texts, list | tuple) and set(map(type, texts)) <= {str}:
        return tuple(texts)
    raise InputError(where, got=texts, allowed=allowed)


def table_law(question: TableQuestion) -> Channel:
    """The stated channel of a question with named answers, blanks by chance among its reports.

    Raises
    ------
    InputError
        If it has more than 2^20 chances.
    """
    size = len(question.answers) * len(question.reports)
    if size > MOST_CHANCES:
        problem, allowed = f"{size:,} chances", f"{MOST_CHANCES:,} at most"
        raise InputError(f"audit.{question.name}", got=problem, allowed=allowed)
    return _add_blank(table_channel(question), question)


def _add_blank(channel: Channel, question: TableQuestion) -> Channel:
    """Add the report of a device that sends nothing, whatever the answer."""
    units, total = question.blank
    if not units or channel.table is None:
        return channel
    share = Fraction(units, total)
    rows = [
        [*((1 - share) * chance for chance in channel.table.row(i)), share]
        for i in range(len(channel.frame))
    ]
    reports = meant(channel)
    return Channel(channel.frame, reports | {fresh(NOTHING, reports): channel.frame.answers}, rows)
