"""The report: the form it answers, a random id, and one value per question. Nothing else."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, final

from askance.errors import ReportRefused
from askance.wire.canonical import canonical, keep_unchangeable, members
from askance.wire.form import Form
from askance.wire.question import Value

_ID = re.compile(r"[0-9a-f]{32}")


@final
@dataclass(frozen=True, slots=True)
class Report:
    """What leaves a respondent's device.

    Attributes
    ----------
    form : str
        Fingerprint of the form, 64 hexadecimal digits.
    id : str
        128 random bits, 32 hexadecimal digits: the only key a report has.
    values : Mapping[str, Value]
        For each question of the form a column, a tick, a cell ``(a, b)``, or None for blank.
    """

    form: str
    id: str
    values: Mapping[str, Value] = field(repr=False)

    def __post_init__(self) -> None:
        keep_unchangeable(self, "values")

    def __reduce__(self) -> tuple[Any, ...]:
        """Let a report cross processes."""
        return Report, (self.form, self.id, dict(self.values))

    def body(self, size: int) -> bytes:
        """Spell the report canonically and pad it with spaces to the form's fixed size.

        Raises
        ------
        ReportRefused
            If the report does not fit, which no report under that form can do.

        >>> Report("f" * 64, "0" * 32, {"q": 1}).body(256)[:20]
        b'{"answers":{"q":1},"'
        """
        spelling = canonical({"answers": dict(self.values), "form": self.form, "id": self.id})
        if len(spelling) > size:
            raise ReportRefused("size", "report", allowed=f"at most {size} bytes")
        return spelling.ljust(size)


def read_report(body: bytes, form: Form) -> Report:
    """Read a body, refusing whatever could not have been sent under this form.

    Raises
    ------
    ReportRefused
        With one of the codes ``size``, ``not-json``, ``shape``, ``wrong-form``, ``id``,
        ``questions``, ``impossible``.
    """
    if len(body) != form.size:
        raise ReportRefused("size", "body", allowed=f"exactly {form.size} bytes")
    document = _parse(body)
    if set(document) != {"answers", "form", "id"} or not isinstance(document["answers"], dict):
        raise ReportRefused("shape", "body", allowed='an object with "answers", "form" and "id"')
    if document["form"] != form.fingerprint:
        raise ReportRefused(
            "wrong-form",
            "form",
            allowed=f"the fingerprint {form.fingerprint}",
            remedy="reload the page: it belongs to another version of this survey",
        )
    if not isinstance(document["id"], str) or not _ID.fullmatch(document["id"]):
        raise ReportRefused("id", "id", allowed="32 hexadecimal digits")
    return Report(form.fingerprint, document["id"], read_values(document["answers"], form))


def read_values(raw: Mapping[str, Any], form: Form) -> dict[str, Value]:
    """Check the values of a report against the form, question by question, in the form's order.

    Raises
    ------
    ReportRefused
        With code ``questions`` or ``impossible``; the message names the question, not the value.
    """
    names = [question.name for question in form.questions]
    if set(raw) != set(names):
        raise ReportRefused("questions", "answers", allowed=f"exactly {', '.join(names)}")
    for question in form.questions:
        value = raw[question.name]
        if value is not None and not question.allows(value):
            raise ReportRefused(
                "impossible",
                f"answers.{question.name}",
                allowed="null, or a value that some answer can send",
            )
    return {name: tuple(value) if isinstance(value := raw[name], list) else value for name in names}


def _parse(body: bytes) -> dict[str, Any]:
    try:
        document = json.loads(body.decode("ascii"), object_pairs_hook=members)
    except (ValueError, RecursionError):
        raise ReportRefused("not-json", "body", allowed="one JSON object in ASCII") from None
    if not isinstance(document, dict):
        raise ReportRefused("shape", "body", allowed="one JSON object")
    return document
