"""How often each value was sent: what an analysis needs of reports, added up and kept as JSON."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, TypeVar, final

from askance.arguments import checked
from askance.errors import DocumentError, FormError, InputError
from askance.typing import Json
from askance.wire.checklist import pairs_of
from askance.wire.form import Form
from askance.wire.label import keep_unchangeable
from askance.wire.question import Question, Value, is_counted

COUNTED = "counts-1"
"""What written counts say that they are."""

Pairs = Mapping[tuple[str, str], Mapping[tuple[Value, Value], int]]
"""How often each two values were sent together, by the names of two questions."""

Key = TypeVar("Key")


@final
class Fieldwork(Enum):
    """Whether reports still come in: intervals are for one look, at the number that was planned.

    >>> from askance.engines import Fieldwork
    >>> Fieldwork.OPEN.together(Fieldwork.CLOSED)
    <Fieldwork.OPEN: 'open'>
    """

    OPEN = "open"
    CLOSED = "closed"
    UNKNOWN = "unknown"

    def together(self, other: "Fieldwork") -> "Fieldwork":
        """Say how two places stand together: open if one is, closed if both are."""
        if Fieldwork.OPEN in (self, other):
            return Fieldwork.OPEN
        return self if self is other else Fieldwork.UNKNOWN


@final
@dataclass(frozen=True, slots=True)
class Counts:
    """Reports counted by value.

    Attributes
    ----------
    reports : int
        How many reports there are.
    values : Mapping[str, Mapping[Value, int]]
        For each question how often each column, tick, cell ``(a, b)`` or blank (None) was sent.
    pairs : Mapping[tuple of (str, str), Mapping[tuple of (Value, Value), int]]
        The same of two items of a list to tick, sent together.
    fieldwork : Fieldwork
        Whether the store that was counted still took reports; not known of a file.
    """

    reports: int
    values: Mapping[str, Mapping[Value, int]]
    pairs: Pairs = field(default_factory=dict)
    fieldwork: Fieldwork = Fieldwork.UNKNOWN

    def __post_init__(self) -> None:
        keep_unchangeable(self, "values pairs")

    def __add__(self, other: "Counts") -> "Counts":
        """Put reports to one form together that were counted in two places."""
        if not isinstance(other, Counts):
            return NotImplemented
        if set(other.values) != set(self.values):
            raise InputError(
                "Counts.__add__",
                got="counts of other questions",
                allowed="counts of the questions of one form",
            )
        values = {name: _sum(found, other.values[name]) for name, found in self.values.items()}
        both = self.pairs.keys() & other.pairs.keys()
        pairs = {at: _sum(one, other.pairs[at]) for at, one in self.pairs.items() if at in both}
        fieldwork = self.fieldwork.together(other.fieldwork)
        return Counts(self.reports + other.reports, in_order(values), pairs, fieldwork)

    def __radd__(self, other: object) -> "Counts":
        """Let `sum` put many together, which begins at 0."""
        return self if type(other) is int and other == 0 else NotImplemented

    @checked
    def to_dict(self, form: Form) -> Json:
        """Write the counts for JSON, with the fingerprint of the form whose reports they count."""
        told = {
            "askance": COUNTED,
            "form": form.fingerprint,
            "reports": self.reports,
            "questions": {
                name: [[one, count] for one, count in found.items()]
                for name, found in self.values.items()
            },
        }
        pairs = [
            [*at, [[*both, count] for both, count in found.items()]]
            for at, found in self.pairs.items()
        ]
        if self.fieldwork is not Fieldwork.UNKNOWN:
            told["fieldwork"] = self.fieldwork.value
        return told | ({"pairs": pairs} if pairs else {})

    @classmethod
    @checked
    def from_dict(cls, written: Any, form: Form) -> "Counts":
        """Read what `to_dict` wrote, of exactly this form, and check every value against it.

        Raises
        ------
        DocumentError
            If these are no counts, or those of another form.
        """
        parts = {"askance", "form", "reports", "questions"}
        known = isinstance(written, dict) and set(written) - {"pairs", "fieldwork"} == parts
        if not known or written["askance"] != COUNTED:
            got = ", ".join(sorted(map(str, written))) if isinstance(written, dict) else "no object"
            raise DocumentError(
                "counts", got=got, allowed=f'"askance": "{COUNTED}", form, reports, questions'
            )
        if written["form"] != form.fingerprint:
            raise DocumentError(
                "counts.form",
                got=f"counts for the form {str(written['form'])[:16]}…",
                allowed=f"counts for the form {form.fingerprint[:16]}…",
            )
        told = written["questions"]
        if not isinstance(told, dict) or set(told) != {one.name for one in form.questions}:
            raise DocumentError("counts.questions", allowed="the questions of the form")
        values = {one.name: _counted(told[one.name], one) for one in form.questions}
        reports = written["reports"]
        if type(reports) is not int or {sum(one.values()) for one in values.values()} != {reports}:
            raise DocumentError("counts.reports", allowed="as many reports to every question")
        pairs = _paired(written.get("pairs", []), form, reports)
        return cls(reports, in_order(values), pairs, _fieldwork(written))

    def __reduce__(self) -> tuple[Any, ...]:
        """Let counts cross processes."""
        values, pairs = (
            {name: dict(found) for name, found in told.items()}
            for told in (self.values, self.pairs)
        )
        return Counts, (self.reports, values, pairs, self.fieldwork)


def _fieldwork(written: Json) -> Fieldwork:
    try:
        return Fieldwork(written.get("fieldwork", "unknown"))
    except ValueError as error:
        raise DocumentError("counts.fieldwork", allowed="open, closed or unknown") from error


def asked_together(form: Form) -> list[tuple[str, str]]:
    """Name the questions that are counted two by two: items of one list to tick."""
    names = [question.name for question in form.questions]
    return [
        (names[found.at + one], names[found.at + other])
        for found in form.checklists
        for one, other in pairs_of(len(found.items))
    ]


def _counted(told: Any, question: Question) -> dict[Value, int]:
    """Read how often each value was sent to a question."""
    where = f"counts.questions.{question.name}"
    found: dict[Value, int] = {}
    try:
        for spelt, count in told:
            value = tuple(spelt) if isinstance(spelt, list) else spelt
            known = value is None or is_counted(question, value)
            if not known or type(count) is not int or count < 0 or value in found:
                raise ValueError
            found[value] = count
    except (TypeError, ValueError) as error:
        allowed = "pairs of a value that a respondent can send and how often it was sent"
        raise DocumentError(where, allowed=allowed) from error
    return found


def in_order(values: Mapping[str, Mapping[Value, int]]) -> dict[str, dict[Value, int]]:
    """Bring the values of each question into their order, blanks last."""
    return {name: dict(sorted(found.items(), key=_rank)) for name, found in values.items()}


def _rank(item: tuple[Value, int]) -> tuple[int, ...]:
    value = item[0]
    if value is None:
        return (1,)
    return (0, value) if isinstance(value, int) else (0, *value)


def _sum(found: Mapping[Key, int], more: Mapping[Key, int]) -> dict[Key, int]:
    return {one: found.get(one, 0) + more.get(one, 0) for one in {**found, **more}}


def _paired(written: Any, form: Form, reports: int) -> Pairs:
    """Read how often two values came together, and check them against the form."""
    pairs: dict[tuple[str, str], dict[tuple[Value, Value], int]] = {}
    asked = asked_together(form)
    try:
        for first, second, told in written:
            questions = [form.question(name) for name in (first, second)]
            found = {(one, other): count for one, other, count in told}
            if (first, second) not in asked or sum(found.values()) != reports:
                raise ValueError
            for values, count in found.items():
                read = zip(questions, values, strict=True)
                fits = all(value is None or is_counted(one, value) for one, value in read)
                if not fits or type(count) is not int or count < 1:
                    raise ValueError
            pairs[first, second] = found
    except (TypeError, ValueError, FormError) as error:
        allowed = "[name, name, [[value, value, count], …]] of items of one list"
        raise DocumentError("counts.pairs", allowed=allowed) from error
    return pairs
