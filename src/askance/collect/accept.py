"""From the bytes of a request to a report worth keeping, or a refusal with its code."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import final

from askance.wire.form import Form
from askance.wire.report import check_report

CAP = 16 * 1024
"""No more than so many bytes of a body are ever read, unless the form itself needs more."""

STATUS: Mapping[str, int] = MappingProxyType(
    {
        "size": 400,
        "not-json": 400,
        "origin": 403,
        "shape": 422,
        "wrong-form": 409,
        "id": 422,
        "questions": 422,
        "impossible": 422,
        "not-canonical": 400,
        "conflict": 409,
        "busy": 503,
        "disk-full": 503,
        "read-only": 503,
        "disk-error": 503,
        "closed": 410,
    }
)
"""The HTTP status of every refusal; a body beyond the cap is answered 413 instead of 400."""


@final
@dataclass(frozen=True, slots=True)
class Accepted:
    """A report that is possible under its form, as it is kept.

    Attributes
    ----------
    id : bytes
        The respondent's 128 random bits: the only key.
    answers : str
        The values in canonical JSON. Equal reports have equal spellings.
    """

    id: bytes
    answers: str = field(repr=False)


def accept(body: bytes, form: Form) -> Accepted:
    """Take a report in, refusing whatever could not have been sent under this form.

    Raises
    ------
    ReportRefused
        With a code of `STATUS`; the message names the place, never what stood there.

    >>> from askance.wire.report import Report
    >>> form = Form.read({
    ...     "askance": "form-1", "title": {"en": ""}, "consent": {"en": ""}, "contact": {"en": ""},
    ...     "languages": ["en"], "collector": "", "size": 256, "about": {},
    ...     "questions": [{"kind": "choice", "name": "tea", "text": {"en": "Tea?"}, "answers": [
    ...         {"name": "yes", "label": {"en": "Yes"}}, {"name": "no", "label": {"en": "No"}}]}],
    ... })
    >>> accept(Report(form.fingerprint, "0f" * 16, {"tea": 1}).body(form.size), form).answers
    '{"tea":1}'
    >>> accept(b"{}", form)
    Traceback (most recent call last):
    askance.errors.ReportRefused: body: allowed: exactly 256 bytes
    """
    id, answers = check_report(body, form)
    return Accepted(bytes.fromhex(id), answers)
