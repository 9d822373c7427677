"""The codebook of a form for an archive: DDI-Codebook 2.5, and what a deposit still lacks.

Variables are what is stored. Of a protected question these are reports, so its notes hold the
mechanism and the chance of each report by each answer, as fractions.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from html import escape
from typing import Any, final

from askance.present.instrument import (
    describe_universe,
    in_markdown,
    in_markdown_cell,
    in_markdown_line,
)
from askance.present.result_table import MethodsParagraph
from askance.results import Listing, in_xml, json_of, listed, result_frame, result_stream
from askance.typing import Json
from askance_collect.arguments import checked
from askance_collect.errors import InputError, nearest
from askance_collect.exact.ratio import written
from askance_collect.wire.form import Form
from askance_collect.wire.form_schema import in_first_language
from askance_collect.wire.question import (
    Choice,
    CutsQuestion,
    Number,
    Question,
    RingQuestion,
    TableQuestion,
)
from askance_collect.wire.toml_text import packaged_toml

_NAMESPACE = "ddi:codebook:2_5"


def _deposit_table(name: str) -> Mapping[str, Any]:
    table: Mapping[str, Any] = packaged_toml("askance.present", "templates/deposit.toml")[name]
    return table


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class DepositItem:
    """What a deposit should have, and whether it has it.

    Attributes
    ----------
    name : str
    by : str
        Who asks for it.
    sentence : str
    is_there : bool
    where : str
        The file or the entry that has it; else what to do.

    >>> import askance as ak
    >>> form = ak.publish(ak.load_survey("examples/affairs.toml"))
    >>> item = ak.present.check_deposit(["form.json"], {}).items[3]
    >>> item.name, item.is_there, item.where
    ('form', True, 'form.json')
    """

    name: str
    by: str
    sentence: str
    is_there: bool
    where: str

    def to_dict(self) -> Json:
        """Write the item for JSON."""
        return json_of(self)


@final
@listed
@dataclass(frozen=True, slots=True, kw_only=True)
class DepositCheck:
    """What archives ask of a deposit, item by item.

    Attributes
    ----------
    items : tuple of DepositItem

    >>> import askance as ak
    >>> ak.present.check_deposit([], {"population": "Students"}).is_complete
    False
    """

    items: tuple[DepositItem, ...]

    @property
    def is_complete(self) -> bool:
        """Whether nothing is missing."""
        return all(item.is_there for item in self.items)

    def to_dict(self) -> Json:
        """Write the items for JSON."""
        return {"complete": self.is_complete, "items": [item.to_dict() for item in self.items]}

    def to_markdown(self) -> str:
        """Write the items as a table of Markdown."""
        words = _deposit_table("words")
        lines = ["# What is in this deposit", "", "| asked by | item | there | where |"]
        lines.append("|---|---|---|---|")
        for item in self.items:
            there = words["yes"] if item.is_there else words["no"]
            cells = [item.by, item.sentence, there, item.where]
            row = " | ".join(map(in_markdown_cell, cells))
            lines.append(f"| {row} |")
        return "\n".join(lines) + "\n"

    def _table(self) -> Listing:
        words = _deposit_table("words")
        rows = [
            [item.sentence, words["yes"] if item.is_there else words["no"], item.where]
            for item in self.items
        ]
        missing = sum(not item.is_there for item in self.items)
        return "deposit", ["item", "there", "where"], rows, [f"missing: {missing}"]

    to_frame = result_frame
    __arrow_c_stream__ = result_stream


@checked
def check_deposit(
    names: Sequence[str], study: Mapping[str, Any], reasons: Mapping[str, str] | None = None
) -> DepositCheck:
    """Check what archives ask of a deposit: its files, and what is said of the study.

    Parameters
    ----------
    names : sequence of str
        The files and folders of the deposit.
    study : mapping
        What is said of the study, by key: `authors`, `population`, `sampling` and so on.
    reasons : mapping of str to str, optional
        Why a file is not there and what to do, by its name.

    Raises
    ------
    InputError
        If a key is unknown, or a value is no text.

    >>> check_deposit([], {"populaton": "Students"})
    Traceback (most recent call last):
    askance_collect.errors.InputError: study: got 'populaton'; allowed: authors, contact, sponsor...
    """
    asked = _deposit_table("asked")
    words = _deposit_table("words")
    keys = [entry["key"] for entry in asked.values() if "key" in entry]
    for name in names:
        if not isinstance(name, str):
            raise InputError("names", got=name, allowed="names of files")
    for key, value in study.items():
        if key not in keys:
            raise InputError("study", got=key, allowed=", ".join(keys), remedy=nearest(key, keys))
        if not isinstance(value, str) or not value.strip():
            raise InputError(f"study.{key}", got=value, allowed="a text")
    reasons = _read_reasons(reasons)
    items = []
    for name, entry in asked.items():
        is_file = "file" in entry
        target = entry["file"] if is_file else entry["key"]
        is_there = target in (names if is_file else study)
        missing = words["file_missing" if is_file else "key_missing"]
        where = target if is_file else f"study.toml, {target}"
        remedy = reasons.get(target) or missing.format(file=target, key=target)
        items.append(
            DepositItem(
                name=name,
                by=entry["by"],
                sentence=entry["sentence"],
                is_there=is_there,
                where=where if is_there else remedy,
            )
        )
    return DepositCheck(items=tuple(items))


def _read_reasons(reasons: object) -> Mapping[str, str]:
    """Read why files are not there."""
    if reasons is None:
        return {}
    if isinstance(reasons, Mapping) and all(isinstance(text, str) for text in reasons.values()):
        return reasons
    raise InputError("reasons", got=reasons, allowed="a text for each name of a file")


@checked
def render_codebook(form: Form, study: Mapping[str, Any] | None = None) -> str:
    """Write the codebook of a form: DDI-Codebook 2.5, an XML document.

    Parameters
    ----------
    form : Form
    study : mapping, optional
        What is said of the study, as in `check_deposit`.

    References
    ----------
    DDI Alliance, DDI-Codebook 2.5.

    >>> import askance as ak
    >>> form = ak.publish(ak.load_survey("examples/affairs.toml"))
    >>> text = ak.present.render_codebook(form, {"population": "Readers"})
    >>> '<var ID="V2" name="affair">' in text, "<universe>Readers</universe>" in text
    (True, True)
    """
    facts = dict(study or {})
    check_deposit((), facts)
    variables = "\n".join(
        _write_variable(form, position) for position in range(len(form.questions))
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<codeBook xmlns="{_NAMESPACE}" version="2.5" xml:lang="{form.languages[0]}">\n'
        f"{_write_study(form, facts)}\n<dataDscr>\n{variables}\n</dataDscr>\n</codeBook>\n"
    )


def _element(tag: str, text: str, **attributes: str) -> str:
    """Write an element of XML with a text, or nothing for an empty one."""
    if not text:
        return ""
    named = "".join(
        f' {name.replace("__", ":")}="{escape(value)}"' for name, value in attributes.items()
    )
    return f"<{tag}{named}>{escape(in_xml(text), quote=False)}</{tag}>"


def _wrap(tag: str, *parts: str) -> str:
    inside = "".join(parts)
    return f"<{tag}>{inside}</{tag}>" if inside else ""


def _write_study(form: Form, facts: Mapping[str, str]) -> str:
    """Describe the study: its authors, its people, its time and its mode."""
    get = facts.get
    summary = _wrap(
        "stdyInfo",
        _wrap(
            "sumDscr",
            _element("collDate", get("dates", "")),
            _element("universe", get("population", "")),
        ),
    )
    method = _wrap(
        "method",
        _wrap(
            "dataColl",
            _element("sampProc", "\n".join(filter(None, (get("frame"), get("sampling"))))),
            _element("collMode", get("mode", "")),
            _element("weight", get("weighting", "")),
            _element("cleanOps", get("processing", "")),
        ),
        _wrap(
            "anlyInfo",
            _element("respRate", get("response", "")),
            _element("dataAppr", get("limitations", "")),
        ),
    )
    access = _wrap(
        "dataAccs",
        _wrap("setAvail", _element("accsPlac", get("data", ""))),
        _wrap("useStmt", _element("conditions", get("licence", ""))),
    )
    return _wrap("stdyDscr", _write_citation(form, facts), summary, method, access)


def _write_citation(form: Form, facts: Mapping[str, str]) -> str:
    """Write the citation: title, form, authors, funder and contact."""
    title = form.document["title"][form.languages[0]]
    return _wrap(
        "citation",
        _wrap(
            "titlStmt",
            _element("titl", title),
            _element("IDNo", form.fingerprint, agency="SHA-256 of the form"),
        ),
        _wrap("rspStmt", _element("AuthEnty", facts.get("authors", ""))),
        _wrap("prodStmt", _element("fundAg", facts.get("sponsor", ""))),
        _wrap("distStmt", _element("contact", facts.get("contact", ""))),
    )


def _write_variable(form: Form, position: int) -> str:
    """Write a variable: question, values, universe, and how chance decides what is stored."""
    question, words = form.questions[position], _deposit_table("words")
    kind = "protected" if isinstance(question, TableQuestion) else "plain"
    kind = "ranges" if isinstance(question, CutsQuestion | RingQuestion) else kind
    is_coin = isinstance(question, Choice) and question.coin is not None
    parts = [
        _element("labl", _first_line(question.text[form.languages[0]])),
        _element("security", words["protected" if is_coin else kind]),
        _wrap("qstn", *_write_wordings("qstnLit", question.text)),
        *_write_range(question),
        _element("universe", describe_universe(form, position)),
        *_write_categories(question),
        *_write_notes(question),
    ]
    name = escape(in_xml(question.name))
    return f'<var ID="V{position + 1}" name="{name}">{"".join(parts)}</var>'


def _write_wordings(tag: str, texts: Mapping[str, str]) -> Iterator[str]:
    return (_element(tag, text, xml__lang=language) for language, text in texts.items())


def _first_line(text: str) -> str:
    return text.replace("\n", " ")[:80]


def _write_range(question: Question) -> Iterator[str]:
    if isinstance(question, Number | CutsQuestion | RingQuestion):
        line = question.line
        unit, units = in_first_language(question.unit), "INT" if line.integer else "REAL"
        lowest, highest = written(line.lower), written(line.upper)
        yield (
            f'<valrng><range UNITS="{units}" min="{lowest}" max="{highest}"/>'
            f"{_element('key', unit)}</valrng>"
        )


def _write_categories(question: Question) -> Iterator[str]:
    """Write the values that are stored: answers, or of a protected question reports."""
    if not isinstance(question, Choice | TableQuestion):
        return
    labels = question.answers if isinstance(question, Choice) else question.reports
    for label in labels:
        worded = _write_wordings("labl", label.wording)
        yield _wrap("catgry", _element("catValu", label.name), *worded)


def _write_notes(question: Question) -> Iterator[str]:
    """Write the mechanism, and the chance of each report by each answer, as JSON."""
    about: Mapping[str, Any] = getattr(question, "about", {})
    document: dict[str, Any] = {}
    if isinstance(question, TableQuestion):
        document = matrix_of(question)
    if isinstance(question, Choice) and question.coin is not None:
        coin, about = question.coin, question.coin.about
        document = {
            "answers": [answer.name for answer in coin.answers],
            "reports": [reply.name for reply in question.answers],
            "rows": [
                [str(chance) for chance in coin.table.row(i)] for i in range(len(coin.answers))
            ],
        }
    if mechanism := about.get("mechanism"):
        document |= {"mechanism": dict(mechanism), "trait": about["trait"]}
    if document:
        text = json.dumps(document, ensure_ascii=False, default=dict)
        yield _element("notes", text, type="misclassification", subject="JSON")


@checked
def write_methods(
    paragraphs: Mapping[str, MethodsParagraph], study: Mapping[str, Any] | None = None
) -> str:
    """Write one section on methods for a survey, as Markdown: each reference once.

    What holds of all questions alike stands first. Below it stands what the AAPOR's Transparency
    Initiative asks to disclose, as the study says it.

    Parameters
    ----------
    paragraphs : mapping of str to MethodsParagraph
        By question.
    study : mapping, optional
        What is said of the study, as in `check_deposit`.

    >>> from askance.present import MethodsParagraph
    >>> text = MethodsParagraph(text="By its channel.", references=("Warner (1965).",))
    >>> print(write_methods({"tea": text, "coffee": text}, {"dates": "May"})[:82])
    # Methods
    <BLANKLINE>
    ## tea, coffee
    <BLANKLINE>
    By its channel.
    <BLANKLINE>
    ## References
    <BLANKLINE>
    - Warner (1965)...
    """
    facts, words = dict(study or {}), _deposit_table("words")
    check_deposit((), facts)
    shared = _list_shared_parts(tuple(paragraphs.values()))
    named: dict[str, list[str]] = {}
    for name, paragraph in paragraphs.items():
        own = " ".join(part for part in paragraph.parts if part not in shared)
        named.setdefault(own or paragraph.text, []).append(name)
    references = {line for paragraph in paragraphs.values() for line in paragraph.references}
    lines = ["# Methods", "", *([in_markdown(" ".join(shared)), ""] if shared else [])]
    for text, names in named.items():
        lines += [f"## {in_markdown_line(', '.join(names))}", "", in_markdown(text), ""]
    if references:
        entries = [f"- {in_markdown_line(line)}" for line in sorted(references)]
        lines += ["## References", "", *entries, ""]
    lines += [f"## {words['disclosure']}", ""]
    for entry in _deposit_table("asked").values():
        if "AAPOR" in entry["by"]:
            fact = (
                facts.get(entry["key"], words["undisclosed"]) if "key" in entry else entry["file"]
            )
            lines.append(f"- {entry['sentence']}: {in_markdown_line(fact)}")
    return "\n".join(lines) + "\n"


def _list_shared_parts(paragraphs: Sequence[MethodsParagraph]) -> list[str]:
    """List the parts that stand in every paragraph, of several."""
    if len(paragraphs) < 2:
        return []
    first, *others = (paragraph.parts for paragraph in paragraphs)
    return [part for part in first if all(part in parts for parts in others)]


def matrix_of(question: TableQuestion) -> dict[str, Any]:
    """Write the misclassification matrix of a question: rows are answers, columns reports.

    >>> from askance_collect.wire.form import read_form
    >>> from pathlib import Path
    >>> matrix_of(read_form(Path("examples/affairs.form.json")).question("affair"))["rows"][0]
    ['3/5', '1/10', '3/10']
    """
    rows = [[str(chance) for chance in question.table.row(i)] for i in range(len(question.answers))]
    return {
        "answers": [answer.name for answer in question.answers],
        "reports": [report.name for report in question.reports],
        "rows": rows,
        "blank": str(Fraction(*question.blank)),
    }
