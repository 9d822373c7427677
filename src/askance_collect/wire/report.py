"""The report: the form it answers, a random id, and one value per question. Nothing else."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, final

from askance_collect.arguments import checked
from askance_collect.errors import ReportRefused
from askance_collect.wire.canonical_json import canonical, unique_members
from askance_collect.wire.form import Form
from askance_collect.wire.form_schema import keep_unchangeable
from askance_collect.wire.question import Question, Value, is_counted

REPLY_POLICY = "default-src 'none'; frame-ancestors 'none'"
"""The Content Security Policy of what a collector replies: nothing in it runs."""

_ID = re.compile(r"[0-9a-f]{32}")
_BODY = re.compile(
    rb'\{"answers":(?P<answers>\{[ -~]*\}),"form":"(?P<form>[0-9a-f]{64})",'
    rb'"id":"(?P<id>[0-9a-f]{32})"\} *'
)
_PROBE = re.compile(rb'\{"form":"(?P<form>[0-9a-f]{64})","probe":"[0-9a-f]{32}"\} *')
_VALUE = r'null|[0-9]+|\[[0-9]+,[0-9]+\]|"(?:[ !#-\[\]-~]|\\[ -~])*"'
_REMEMBERED = 1 << 16
"""So many spellings of a question's values are remembered, so that memory stays bounded."""


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
    values : Mapping[str, Value or str]
        For each question of the form a column, a tick, a cell ``(a, b)``, a text, or None for
        blank.
    """

    form: str
    id: str
    values: Mapping[str, Value | str] = field(repr=False)

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


def probe_body(form: Form, nonce: str) -> bytes:
    """Spell a test report: as long as what is posted under a form, and no report on any.

    A collector acknowledges it by its SHA-256, and keeps nothing.

    Parameters
    ----------
    form : Form
    nonce : str
        32 hexadecimal digits, drawn anew each time, so that no reply to another is taken for its.

    >>> import askance as ak
    >>> from askance.survey import load_survey
    >>> form = ak.publish(load_survey("examples/affairs.toml"))
    >>> body = probe_body(form, "0f" * 16)
    >>> len(body) == form.posted_size, is_probe(body, form), is_probe(body + b" ", form)
    (True, True, False)
    """
    return canonical({"form": form.fingerprint, "probe": nonce}).ljust(form.posted_size)


def is_probe(body: bytes, form: Form) -> bool:
    """Say whether a body is a test report under a form."""
    probe = _PROBE.fullmatch(body) if len(body) == form.posted_size else None
    return probe is not None and probe["form"].decode("ascii") == form.fingerprint


@checked
def read_report(body: bytes, form: Form) -> Report:
    """Read a report's body, refusing whatever could not have been sent under this form.

    Raises
    ------
    ReportRefused
        With one of the codes ``size``, ``not-json``, ``shape``, ``wrong-form``, ``id``,
        ``questions``, ``impossible``, ``not-canonical``; the message repeats no answer.

    >>> import askance as ak
    >>> form = ak.publish(ak.parse_survey(b'''
    ... askance = "survey-1"
    ... title = "Tea"
    ... consent = "Say it or leave."
    ... [[question]]
    ... name = "tea"
    ... text = "Do you drink tea?"
    ... answers = ["yes", "no"]
    ... mechanism = { name = "warner", truth = "3/4" }
    ... '''))
    >>> sent = Report(form.fingerprint, "0f" * 16, {"tea": 1})
    >>> read_report(sent.body(form.size), form) == sent
    True
    >>> read_report(b"{}", form)
    Traceback (most recent call last):
    askance_collect.errors.ReportRefused: body: allowed: exactly 256 bytes
    """
    id, answers = check_report(body, form)
    return Report(form.fingerprint, id, read_values(json.loads(answers), form))


def check_report(body: bytes, form: Form) -> tuple[str, str]:
    """A body's id and its answers as they are spelt, in canonical JSON.

    What a respondent's device sends has one spelling, so nearly every body is taken apart at fixed
    places and compared with how its answers are spelt; only what differs is looked at for why.

    Raises
    ------
    ReportRefused
        With one of the codes ``size``, ``not-json``, ``shape``, ``wrong-form``, ``id``,
        ``questions``, ``impossible``, ``not-canonical``.
    """
    received: object = body
    if not isinstance(received, bytes) or len(body) != form.size:
        raise ReportRefused("size", "body", allowed=f"exactly {form.size} bytes")
    match = _BODY.fullmatch(body)
    if match is not None and match["form"].decode("ascii") == form.fingerprint:
        answers = match["answers"].decode("ascii")
        if _is_sent(answers, form):
            return match["id"].decode("ascii"), answers
    raise _fault(body, form)


@final
class ReportScanner:
    r"""Reads many reports on a form at once, and takes none that `check_report` would refuse.

    A report is the concatenation of its values' spellings between fixed bytes. So one regular
    expression takes all lines apart, and of each question every spelling is looked at once.

    >>> from askance_collect.wire.question import Choice
    >>> from askance_collect.wire.form_schema import Label
    >>> tea = {"en": "Tea?"}
    >>> answers = [{"name": name, "label": tea} for name in ("yes", "no")]
    >>> form = Form.read({
    ...     "askance": "form-1", "title": tea, "consent": tea, "contact": tea, "languages": ["en"],
    ...     "collector": "", "size": 256, "about": {},
    ...     "questions": [{"kind": "choice", "name": "tea", "text": tea, "answers": answers}],
    ... })
    >>> line = Report(form.fingerprint, "0f" * 16, {"tea": 1}).body(form.size).rstrip() + b"\n"
    >>> scanner = ReportScanner(form)
    >>> scanner.read([line]), scanner.read([line, line.replace(b":1}", b":2}")])
    ([(b'\x0f\x0f\x0f\x0f\x0f\x0f\x0f\x0f\x0f\x0f\x0f\x0f\x0f\x0f\x0f\x0f', '{"tea":1}')], None)
    """

    __slots__ = ("_accepted", "_pattern", "_questions", "_size")

    def __init__(self, form: Form) -> None:
        self._questions = sorted(form.questions, key=lambda question: question.name)
        self._accepted: list[set[str]] = [set() for _ in self._questions]
        self._size = form.size
        names = (canonical(question.name).decode("ascii") for question in self._questions)
        values = ",".join(f"{re.escape(name)}:({_VALUE})" for name in names)
        self._pattern = re.compile(
            rf'^\{{"answers":(\{{{values}\}}),"form":"{form.fingerprint}","id":"([0-9a-f]{{32}})"\}}\n',
            re.MULTILINE,
        )

    def read(self, lines: Sequence[bytes]) -> list[tuple[bytes, str]] | None:
        """Read lines, each a report less the spaces at its end.

        Returns
        -------
        list of (bytes, str) or None
            Ids, and answers as they are spelt. None if any line is something else.
        """
        if max(map(len, lines), default=0) > self._size + 1:
            return None
        try:
            matches = self._pattern.findall(b"".join(lines).decode("ascii"))
        except UnicodeDecodeError:
            return None
        if len(matches) != len(lines) or not matches:
            return None
        answers, *columns, ids = zip(*matches, strict=True)
        for question, accepted, column in zip(
            self._questions, self._accepted, columns, strict=True
        ):
            fresh = set(column) - accepted
            if not all(_is_spelling(value, question) for value in fresh):
                return None
            if len(accepted) > _REMEMBERED:
                accepted.clear()
            accepted.update(fresh)
        return list(zip(map(bytes.fromhex, ids), answers, strict=True))


def read_values(
    raw: Mapping[str, Any], form: Form, *, exported: bool = False
) -> dict[str, Value | str]:
    """Check the values of a report against the form, question by question, in the form's order.

    In one that was ``exported``, texts are taken out.

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
        is_possible = is_counted(question, value) if exported else question.allows(value)
        if value is not None and not is_possible:
            raise ReportRefused(
                "impossible",
                f"answers.{question.name}",
                allowed="null, or a value that some answer can send",
            )
    return {name: tuple(value) if isinstance(value := raw[name], list) else value for name in names}


def _is_spelling(value: str, question: Question) -> bool:
    """Say whether this is the one spelling of a value that a report may carry, or of none."""
    try:
        read = json.loads(value)
    except ValueError:
        return False
    if read is not None and not question.allows(read):
        return False
    return canonical(read) == value.encode("ascii")


def _is_sent(answers: str, form: Form) -> bool:
    """Say whether these are possible values of every question, in their one spelling."""
    try:
        values = json.loads(answers)
    except (ValueError, RecursionError):
        return False
    if not isinstance(values, dict) or len(values) != len(form.questions):
        return False
    for question in form.questions:
        value = values.get(question.name, values)
        if value is not None and not question.allows(value):
            return False
    return canonical(values) == answers.encode("ascii")


def _fault(body: bytes, form: Form) -> ReportRefused:
    """Say what is wrong with a body of the right size: the first thing that a reader comes to."""
    try:
        document = _parse(body)
        if set(document) != {"answers", "form", "id"} or not isinstance(document["answers"], dict):
            allowed = 'an object with "answers", "form" and "id"'
            return ReportRefused("shape", "body", allowed=allowed)
        if document["form"] != form.fingerprint:
            return ReportRefused(
                "wrong-form",
                "form",
                allowed=f"the fingerprint {form.fingerprint}",
                remedy="reload the page: it belongs to another version of this survey",
            )
        if not isinstance(document["id"], str) or not _ID.fullmatch(document["id"]):
            return ReportRefused("id", "id", allowed="32 hexadecimal digits")
        read_values(document["answers"], form)
    except ReportRefused as refusal:
        return refusal
    return ReportRefused(
        "not-canonical",
        "body",
        allowed="keys in order, no space between, nothing escaped without need; then spaces alone",
    )


def _parse(body: bytes) -> dict[str, Any]:
    try:
        document = json.loads(body.decode("ascii"), object_pairs_hook=unique_members)
    except (ValueError, RecursionError):
        raise ReportRefused("not-json", "body", allowed="one JSON object in ASCII") from None
    if not isinstance(document, dict):
        raise ReportRefused("shape", "body", allowed="one JSON object")
    return document
