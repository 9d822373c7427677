"""Counts of the values that were sent: the statistic that an analysis needs, kept as JSON."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, TypeVar, final

from askance.typing import Json
from askance_collect.arguments import checked
from askance_collect.errors import DocumentError, FormError, InputError
from askance_collect.wire.form import Form, pairs_of
from askance_collect.wire.form_schema import keep_unchangeable
from askance_collect.wire.question import Question, Value, is_counted

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
        """Combine the states of two places: open if one is open, closed if both are closed."""
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
        The same of two items of a list to tick, and of evidence, sent together.
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
        values = {name: _sum(counts, other.values[name]) for name, counts in self.values.items()}
        common = self.pairs.keys() & other.pairs.keys()
        pairs = {
            pair: _sum(counts, other.pairs[pair])
            for pair, counts in self.pairs.items()
            if pair in common
        }
        fieldwork = self.fieldwork.together(other.fieldwork)
        return Counts(self.reports + other.reports, in_order(values), pairs, fieldwork)

    def __radd__(self, other: object) -> "Counts":
        """Let `sum` put many together, which begins at 0."""
        return self if type(other) is int and other == 0 else NotImplemented

    @checked
    def to_dict(self, form: Form) -> Json:
        """Write the counts for JSON, with the fingerprint of the form whose reports they count."""
        document = {
            "askance": COUNTED,
            "form": form.fingerprint,
            "reports": self.reports,
            "questions": {
                name: [[value, count] for value, count in counts.items()]
                for name, counts in self.values.items()
            },
        }
        pairs = [
            [*pair, [[*values, count] for values, count in counts.items()]]
            for pair, counts in self.pairs.items()
        ]
        if self.fieldwork is not Fieldwork.UNKNOWN:
            document["fieldwork"] = self.fieldwork.value
        return document | ({"pairs": pairs} if pairs else {})

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
        is_complete = isinstance(written, dict) and set(written) - {"pairs", "fieldwork"} == parts
        if not is_complete or written["askance"] != COUNTED:
            keys = (
                ", ".join(sorted(map(str, written))) if isinstance(written, dict) else "no object"
            )
            raise DocumentError(
                "counts", got=keys, allowed=f'"askance": "{COUNTED}", form, reports, questions'
            )
        if written["form"] != form.fingerprint:
            raise DocumentError(
                "counts.form",
                got=f"counts for the form {str(written['form'])[:16]}…",
                allowed=f"counts for the form {form.fingerprint[:16]}…",
            )
        questions = written["questions"]
        if not isinstance(questions, dict) or set(questions) != {
            question.name for question in form.questions
        }:
            raise DocumentError("counts.questions", allowed="the questions of the form")
        values = {
            question.name: _read_counts(questions[question.name], question)
            for question in form.questions
        }
        reports = written["reports"]
        if type(reports) is not int or {sum(counts.values()) for counts in values.values()} != {
            reports
        }:
            raise DocumentError("counts.reports", allowed="as many reports to every question")
        pairs = _read_pairs(written.get("pairs", []), form, reports)
        return cls(reports, in_order(values), pairs, _fieldwork(written))

    def __reduce__(self) -> tuple[Any, ...]:
        """Let counts cross processes."""
        values, pairs = (
            {name: dict(counts) for name, counts in by_key.items()}
            for by_key in (self.values, self.pairs)
        )
        return Counts, (self.reports, values, pairs, self.fieldwork)


def _fieldwork(written: Json) -> Fieldwork:
    try:
        return Fieldwork(written.get("fieldwork", "unknown"))
    except ValueError as error:
        raise DocumentError("counts.fieldwork", allowed="open, closed or unknown") from error


def list_question_pairs(form: Form) -> list[tuple[str, str]]:
    """Name the questions that are counted two by two: items of one list, evidence on another."""
    names = [question.name for question in form.questions]
    return [
        *_list_evidence_pairs(form),
        *(
            (names[checklist.first_question + first], names[checklist.first_question + second])
            for checklist in form.checklists
            for first, second in pairs_of(len(checklist.items))
        ),
    ]


def _list_evidence_pairs(form: Form) -> tuple[tuple[str, str], ...]:
    if form.explanations is None:
        return ()
    from askance_collect.wire.explanations import read_evidence

    evidence = read_evidence(form.document, form.questions)
    return () if evidence is None else evidence.pairs


def _read_counts(written: Any, question: Question) -> dict[Value, int]:
    """Read how often each value was sent to a question."""
    where = f"counts.questions.{question.name}"
    counts: dict[Value, int] = {}
    try:
        for spelt, count in written:
            value = tuple(spelt) if isinstance(spelt, list) else spelt
            is_valid = value is None or is_counted(question, value)
            if not is_valid or type(count) is not int or count < 0 or value in counts:
                raise ValueError
            counts[value] = count
    except (TypeError, ValueError) as error:
        allowed = "pairs of a value that a respondent can send and how often it was sent"
        raise DocumentError(where, allowed=allowed) from error
    return counts


def in_order(values: Mapping[str, Mapping[Value, int]]) -> dict[str, dict[Value, int]]:
    """Bring the values of each question into their order, blanks last."""
    return {name: dict(sorted(counts.items(), key=_rank)) for name, counts in values.items()}


def _rank(item: tuple[Value, int]) -> tuple[int, ...]:
    value = item[0]
    if value is None:
        return (1,)
    return (0, value) if isinstance(value, int) else (0, *value)


def _sum(first: Mapping[Key, int], second: Mapping[Key, int]) -> dict[Key, int]:
    return {key: first.get(key, 0) + second.get(key, 0) for key in {**first, **second}}


def _read_pairs(written: Any, form: Form, reports: int) -> Pairs:
    """Read how often two values came together, and check them against the form."""
    pairs: dict[tuple[str, str], dict[tuple[Value, Value], int]] = {}
    question_pairs = list_question_pairs(form)
    try:
        for first, second, entries in written:
            questions = [form.question(name) for name in (first, second)]
            counts = {(value, partner): count for value, partner, count in entries}
            if (first, second) not in question_pairs or sum(counts.values()) != reports:
                raise ValueError
            for values, count in counts.items():
                read = zip(questions, values, strict=True)
                fits = all(value is None or is_counted(question, value) for question, value in read)
                if not fits or type(count) is not int or count < 1:
                    raise ValueError
            pairs[first, second] = counts
    except (TypeError, ValueError, FormError) as error:
        allowed = "[name, name, [[value, value, count], …]] of items of one list, or of evidence"
        raise DocumentError("counts.pairs", allowed=allowed) from error
    return pairs
