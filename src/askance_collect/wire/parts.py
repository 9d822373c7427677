"""The two parts of a form that keeps protected and plain answers apart, and of a report on it.

Each part is a form by itself: reports on it are stored, copied, exported and estimated as any
others. No stored part names its other half. The id of a part is a hash of the report's id: 128
random bits that are kept nowhere once a report is parted.
"""

from collections.abc import Mapping
from enum import Enum
from hashlib import sha256
from types import MappingProxyType
from typing import Any, final

from askance_collect.arguments import checked
from askance_collect.errors import FormError
from askance_collect.wire.form import Form, body_size, is_protected, unpiped, version_of
from askance_collect.wire.form_schema import NEWER
from askance_collect.wire.question import Question

PARTING_CROWD = 50
"""So many reports wait whole, and are parted together; on closing, as many as there are."""

_DOMAIN = b"askance-part-1"
_KEPT = "title", "consent", "contact", "languages"
"""What both parts say as the whole form does."""


@final
class FormPart(Enum):
    """One of the two parts that a form keeps apart.

    >>> [part.value for part in FormPart]
    ['protected', 'plain']
    """

    PROTECTED = "protected"
    PLAIN = "plain"

    def includes(self, question: Question) -> bool:
        """Whether answers to a question are kept in this part."""
        return is_protected(question) == (self is FormPart.PROTECTED)


@checked
def part_of(form: Form) -> FormPart | None:
    """Return which part of another form this form is; None for a whole form.

    >>> import askance as ak
    >>> part_of(ak.publish(ak.load_survey("examples/affairs.toml")))
    """
    described = form.document["about"].get("part")
    name = described.get("name") if isinstance(described, dict) else None
    return next((part for part in FormPart if part.value == name), None)


@checked
def names_kept_apart(form: Form) -> tuple[str, ...]:
    """Name the questions that are kept apart from those of a part; none for a whole form.

    >>> import askance as ak
    >>> names_kept_apart(ak.publish(ak.load_survey("examples/affairs.toml")))
    ()
    """
    if part_of(form) is None:
        return ()
    names = form.document["about"]["part"].get("apart", ())
    return tuple(name for name in names if isinstance(name, str))


@checked
def form_of_part(form: Form, part: FormPart) -> Form:
    """Write the form of one part: its questions, with their rules, lists and sections.

    Parameters
    ----------
    form : Form
        One that keeps protected and plain answers apart.
    part : FormPart

    Raises
    ------
    FormError
        If it does not.

    >>> import askance as ak
    >>> form = ak.publish(ak.load_survey("examples/apart.toml"))
    >>> [question.name for question in form_of_part(form, FormPart.PROTECTED).questions]
    ['cheated', 'cannabis', 'drinks']
    """
    if not form.keeps_apart:
        raise FormError("apart", got="a form without it", allowed="a form with apart = true")
    document = form.document
    places = [index for index, question in enumerate(form.questions) if part.includes(question)]
    questions = [form.questions[place] for place in places]
    raw = [_unpiped(document["questions"][place]) for place in places]
    written = {key: document[key] for key in _KEPT}
    if any(entry["kind"] == "sealed" for entry in raw):
        written["seal"] = document["seal"]
    written |= _write_order(document, {place: index for index, place in enumerate(places)})
    newer = bool(NEWER & written.keys()) or any("needed" in entry for entry in raw)
    fixed = {"collector": "", "size": body_size(questions), "questions": raw}
    fixed |= {"askance": version_of(questions, newer=newer), "about": _about(form, part)}
    return Form.read(written | fixed)


def _unpiped(entry: Mapping[str, Any]) -> dict[str, Any]:
    """Write a question without the answers that were piped into its text."""
    question = {key: value for key, value in entry.items() if key != "piped"}
    if "piped" in entry:
        question["text"] = {tag: unpiped(text) for tag, text in entry["text"].items()}
    return question


def _write_order(document: Mapping[str, Any], index_of: Mapping[int, int]) -> dict[str, Any]:
    """Write the sections, lists and rules of one part, with their positions in it."""
    begins = [section["at"] for section in document.get("sections", ())]
    sections = []
    for section, end in zip(document.get("sections", ()), [*begins[1:], 1 << 30], strict=False):
        inside = [index_of[place] for place in index_of if section["at"] <= place < end]
        sections += [section | {"at": min(inside)}] if inside else []
    lists = [
        checklist | {"at": index_of[checklist["at"]]}
        for checklist in document.get("checklists", ())
        if checklist["at"] in index_of
    ]
    skips = [
        skip | {key: index_of[skip[key]] for key in ("question", "after")}
        for skip in document.get("skips", ())
        if skip["question"] in index_of
    ]
    written = {"sections": sections, "checklists": lists, "skips": skips}
    return {key: entries for key, entries in written.items() if entries}


def _about(form: Form, part: FormPart) -> dict[str, Any]:
    """Describe a part for people: its form, its name, and what holds of its questions."""
    about = form.document["about"]
    own = {FormPart.PROTECTED: ("minimum", "traits"), FormPart.PLAIN: ("minimum", "crowd")}[part]
    apart = [question.name for question in form.questions if not part.includes(question)]
    described = {"of": form.fingerprint, "name": part.value, "apart": apart}
    return {"traits": []} | {key: about[key] for key in own if key in about} | {"part": described}


@checked
def id_of_part(id: bytes, part: FormPart) -> bytes:
    """Derive the id of a part from the id of a report: the first 128 bits of a SHA-256.

    Whoever does not know the report's id, of 128 random bits, cannot tell which two parts belong
    together.

    >>> ids = [id_of_part(bytes(16), part).hex() for part in FormPart]
    >>> [len(id) for id in ids], ids[0] == ids[1]
    ([32, 32], False)
    """
    return sha256(b"\0".join((_DOMAIN, part.value.encode("ascii"), id))).digest()[:16]


@checked
def split_values(values: Mapping[str, Any], form: Form) -> Mapping[FormPart, dict[str, Any]]:
    """Split the values of a report into those of each part; together they are the report's.

    >>> import askance as ak
    >>> form = ak.publish(ak.load_survey("examples/apart.toml"))
    >>> values = dict.fromkeys((question.name for question in form.questions), None)
    >>> split = split_values(values, form)
    >>> sorted(split[FormPart.PLAIN]), split[FormPart.PROTECTED] | split[FormPart.PLAIN] == values
    (['city', 'faculty', 'more', 'year'], True)
    """
    split: dict[FormPart, dict[str, Any]] = {part: {} for part in FormPart}
    for question in form.questions:
        part = next(part for part in FormPart if part.includes(question))
        split[part][question.name] = values[question.name]
    return MappingProxyType(split)
