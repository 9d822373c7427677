"""Reports for SPSS, Stata and R: labels of variables and values, kinds of missing, and channels.

A variable is what is stored, as in the collector's table: an answer or a report is a code from 1
on, whose label is its name; a number is a number; a range is two, its ends.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, final

from askance.engines.count import columns_of_reports
from askance.engines.files import Kind, kind_of
from askance.engines.labelled_codebook import codebook_lines, stata_notes, write_characteristics
from askance.engines.reading import AUTOMATIC, TableReading
from askance.engines.tables import ID, OtherColumns
from askance.present.r_data import RValue, r_value, texts, write_rds
from askance.present.sentences import load_sentences
from askance.survey.deployed import table_channel
from askance_collect.arguments import checked
from askance_collect.collect.export import columns, spell
from askance_collect.collect.folder import replacing
from askance_collect.errors import DocumentError, MissingExtra, file_faults
from askance_collect.exact.ratio import written
from askance_collect.random_bytes import SYSTEM_BYTES
from askance_collect.wire.canonical_json import RESPONDENT, escape_formula
from askance_collect.wire.form import Form, unpiped
from askance_collect.wire.form_schema import in_first_language
from askance_collect.wire.question import (
    Choice,
    FreeText,
    Number,
    Question,
    RangeQuestion,
    TableQuestion,
    Value,
)

ENDINGS = (".sav", ".zsav", ".dta", ".rds")
"""How such files end: SPSS, SPSS compressed, Stata, R."""

_BLANK, _SKIPPED, _OPEN = "blank", "skipped", "open"
_STATA = {_BLANK: "a", _SKIPPED: "b", _OPEN: "c"}
_STATA_FORMAT = 14
"""The release whose format 118 is written: the first that has Unicode."""

_LONGEST_LABEL, _LONGEST_TITLE = {".dta": 320, ".sav": 120}, {".dta": 80, ".sav": 240}
_LONGEST_NAME = {".dta": 31, ".sav": 64}  # Stata has 32, the library one less for labels
_RESERVED = re.compile(
    "all|and|by|eq|ge|gt|le|lt|ne|not|or|to|with|byte|double|float|if|in|int|long|using|str[0-9l]+",
    re.IGNORECASE,
)
"""Words of SPSS and of Stata, which name no variable."""


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class _Variable:
    """A variable of the file.

    Attributes
    ----------
    column : str
        What the column is called in a table of reports.
    title : str
        What it is, in words.
    values : sequence
        Codes, numbers or texts; a kind of missing by its name.
    labels : mapping
        Names by code.
    codes : mapping
        The code of each kind of missing.
    entry : mapping
        What the codebook says of it.
    """

    column: str
    title: str
    values: Sequence[Any]
    labels: Mapping[int, str] = field(default_factory=dict)
    codes: Mapping[str, int] = field(default_factory=dict)
    entry: Mapping[str, Any] = field(default_factory=dict)


@checked
def export_labelled(
    form: Form, source: str | Path, path: str | Path, *, reading: TableReading | None = None
) -> None:
    r"""Write reports for SPSS, Stata or R, with labels, kinds of missing values and channels.

    Each protected question has its misclassification matrix P(report | answer): in SPSS and Stata
    in the codebook among the file's notes, as the JSON of a `Channel`, in Stata also as a
    characteristic; in R as the attribute ``misclassification`` of its column, which is labelled as
    the package haven labels it.

    Parameters
    ----------
    form : Form
    source : str or Path
        A store or a table, as in `askance.engines.count_reports`. Rows of a store are shuffled and
        have no id; a table keeps its order and its other columns.
    path : str or Path
        The file to write: ``.sav`` or ``.zsav`` of SPSS, ``.dta`` of Stata from 14 on, or ``.rds``,
        which R reads by `readRDS`.
    reading : TableReading, optional
        How a table is read, if its own contents do not say it.

    Raises
    ------
    DocumentError
        If the source holds what no respondent can have sent, or the file cannot be written.
    MissingExtra
        If pyreadstat is not installed.

    >>> import askance as ak
    >>> form = ak.publish(ak.load_survey("examples/affairs.toml"))
    >>> with TemporaryDirectory() as folder:
    ...     sent = Path(folder, "sent.jsonl")
    ...     _ = sent.write_text('{"marriage":0,"affair":1,"religious":null,"years":null}\n')
    ...     ak.present.export_labelled(form, sent, f"{folder}/sent.dta")
    ...     table = ak.engines.labelled_table(f"{folder}/sent.dta")
    >>> table["affair"].tolist(), table["religious"].tolist()
    (['no'], [None])
    """
    target = Path(path)
    if target.suffix.lower() not in ENDINGS:
        raise DocumentError(str(path), got=target.suffix, allowed=", ".join(ENDINGS))
    values, others = columns_of_reports(source, form, reading or AUTOMATIC)
    rows = list(range(len(next(iter(values.values())))))
    if kind_of(source) is Kind.STORE:
        rows.sort(key=lambda _: SYSTEM_BYTES.draw(16))
        others = OtherColumns(cells={RESPONDENT: [str(i + 1) for i in range(len(rows))]})
    reported = {name: [column[i] for i in rows] for name, column in values.items()}
    variables = [*_list_variables(form, reported), *_list_others(others, reading or AUTOMATIC)]
    if target.suffix.lower() == ".rds":
        _save(target, write_rds(_data_frame(form, variables)))
    else:
        _write_file(form, variables, target)


def _list_variables(form: Form, values: Mapping[str, Sequence[Value]]) -> Iterator[_Variable]:
    """List the variables of each question, one or two."""
    for position, question in enumerate(form.questions):
        skipped = _which_skipped(form, position, values)
        reported = values[question.name]
        title = unpiped(in_first_language(question.text))
        entry = _describe_question(question, title)
        names = columns(form)[question.name]
        if isinstance(question, Choice | TableQuestion | FreeText):
            yield _list_codes(question, reported, skipped, names[0], title, entry)
            continue
        ends = [str(word) for word in load_sentences("deposit.toml")["ends"].values()]
        titles = [f"{title} ({end})" for end in ends] if len(names) > 1 else [title]
        for end, name in enumerate(names):
            yield _list_numbers(question, reported, skipped, name, titles[end], entry, end)


def _list_numbers(
    question: Number | RangeQuestion,
    reported: Sequence[Value],
    skipped: Sequence[bool],
    column: str,
    title: str,
    entry: Mapping[str, Any],
    end: int,
) -> _Variable:
    """List numbers, or one end of ranges; as texts, where no double holds them."""
    line = question.line
    codes = _choose_missing_codes(line.value_at(0))
    cells = [
        _read_cell(question, value, end, is_skipped=was_skipped)
        for value, was_skipped in zip(reported, skipped, strict=True)
    ]
    is_text = "/" in written(line.step) + written(line.lower)
    if is_text or any(isinstance(cell, str) and cell not in codes for cell in cells):
        cells, codes = ["" if cell in codes else str(cell) for cell in cells], {}
    return _Variable(column=column, title=title, values=cells, codes=codes, entry=entry)


def _which_skipped(
    form: Form, position: int, values: Mapping[str, Sequence[Value]]
) -> Sequence[bool]:
    """Say who was not asked a question, because of an earlier answer."""
    skipped = [False] * len(values[form.questions[position].name])
    for rule in form.skips:
        if rule.question == position and rule.send is None:
            replies = values[form.questions[rule.after].name]
            for i, reply in enumerate(replies):
                skipped[i] |= isinstance(reply, int) and reply in rule.answered
    return skipped


def _list_codes(
    question: Choice | TableQuestion | FreeText,
    reported: Sequence[Value],
    skipped: Sequence[bool],
    column: str,
    title: str,
    entry: Mapping[str, Any],
) -> _Variable:
    """List the codes of what was sent, from 1 on, with their names."""
    if isinstance(question, FreeText):
        names = [spell(question, 0)[0]]
    else:
        labels = question.answers if isinstance(question, Choice) else question.reports
        names = [_guard(label.name) for label in labels]
    values = [
        value + 1 if isinstance(value, int) else _SKIPPED if was_skipped else _BLANK
        for value, was_skipped in zip(reported, skipped, strict=True)
    ]
    return _Variable(
        column=column,
        title=title,
        values=values,
        labels=dict(enumerate(names, start=1)),
        codes=_choose_missing_codes(Fraction(0)),
        entry=entry,
    )


def _guard(name: str) -> str:
    """Keep an apostrophe that begins a name: the reader of a form takes one away."""
    return escape_formula(name) if name.startswith("'") else name


def _choose_missing_codes(lowest: Fraction) -> dict[str, int]:
    """Choose codes below all numbers: -9, -8 and -7, or with more nines."""
    base = 10
    while 3 - base >= lowest:
        base *= 10
    return {_BLANK: 1 - base, _SKIPPED: 2 - base, _OPEN: 3 - base}


def _read_cell(question: Question, value: Value, end: int, *, is_skipped: bool) -> Any:
    """Read a number, or one end of a range, as it is written in a table of reports."""
    if value is None:
        return _SKIPPED if is_skipped else _BLANK
    cell = spell(question, value)[end]
    if not cell:
        return _OPEN
    with suppress(ValueError):
        if f"{float(cell):.15g}" == cell:
            return float(cell)
    return cell


def _describe_question(question: Question, title: str) -> dict[str, Any]:
    """Describe for the codebook the question, and the chances by which stored values were drawn."""
    about: Mapping[str, Any] = getattr(question, "about", {})
    entry: dict[str, Any] = {"question": question.name, "kind": question.kind, "text": title}
    judged = getattr(question, "underlying_question", question)
    if isinstance(judged, TableQuestion):
        about = judged.about
        entry["channel"] = table_channel(judged).to_dict()
        entry["blank"] = str(Fraction(*judged.blank))
    if isinstance(question, Number | RangeQuestion):
        line = question.line
        ends = (line.value_at(0), line.value_at(line.ticks), line.step)
        entry["line"] = dict(zip(("lower", "upper", "step"), map(str, ends), strict=True))
        entry["line"]["unit"] = in_first_language(question.unit)
    if isinstance(question, RangeQuestion):
        entry["blank"] = str(Fraction(*question.blank))
    if mechanism := about.get("mechanism"):
        entry["mechanism"] = mechanism
    return entry


def _list_others(others: OtherColumns, reading: TableReading) -> Iterator[_Variable]:
    """List the columns of a table that are no questions: numbers, or texts."""
    for name, cells in others.cells.items():
        if name == ID and not cells:
            continue
        read = others.read(name, reading)
        kinds = {type(value) for value in read if value is not None}
        is_numeric = bool(kinds) and kinds <= {int, float}
        values = [value if is_numeric else "" if value is None else str(value) for value in read]
        yield _Variable(column=name, title="", values=values)


def _write_file(form: Form, variables: Sequence[_Variable], path: Path) -> None:
    """Write a data file with its metadata: labels, missing values and codebook."""
    try:
        import pandas as pd
        import pyreadstat
    except ImportError as error:
        raise MissingExtra("pyreadstat", "files") from error
    ends = ".dta" if path.suffix.lower() == ".dta" else ".sav"
    names = _choose_names([variable.column for variable in variables], _LONGEST_NAME[ends])
    by_name = dict(zip(names, variables, strict=True))
    labels = {name: _label_codes(of.labels, _LONGEST_LABEL[ends]) for name, of in by_name.items()}
    document = _write_codebook(form, by_name, labels)
    frame = pd.DataFrame({name: _encode(of, ends) for name, of in by_name.items()})
    how = {
        "column_labels": [_shorten(of.title, _LONGEST_TITLE[ends]) for of in variables],
        "file_label": _shorten(form.document["title"][form.languages[0]], 60),
        "variable_value_labels": {
            name: {**labels[name], **_word_missing(of, ends)}
            for name, of in by_name.items()
            if of.codes
        },
    }
    write = _write_stata if ends == ".dta" else _write_spss
    faults = pyreadstat.ReadstatError, pyreadstat.PyreadstatError, ValueError
    with TemporaryDirectory() as folder:
        written_path = Path(folder, f"reports{path.suffix.lower()}")
        try:
            write(frame, written_path, by_name, document, how)
        except faults as error:
            allowed = "texts and columns that it has room for"
            raise DocumentError(str(path), got=str(error), allowed=allowed) from error
        _save(path, written_path.read_bytes())


def _save(path: Path, content: bytes) -> None:
    with file_faults(path, "a file that can be written"), replacing(path) as file:
        file.write(content)


_Named = Mapping[str, _Variable]


def _write_spss(
    frame: Any, path: Path, by_name: _Named, document: Mapping[str, Any], how: Mapping[str, Any]
) -> None:
    import pyreadstat

    missing: dict[str, Any] = {
        name: [*of.codes.values()] for name, of in by_name.items() if of.codes
    }
    pyreadstat.write_sav(
        frame,
        path,
        note=codebook_lines(document),
        compress=path.suffix == ".zsav",
        missing_ranges=missing,
        variable_measure={name: "nominal" for name, of in by_name.items() if of.labels},
        variable_format={name: "F8.0" for name, of in by_name.items() if of.labels},
        **how,
    )


def _write_stata(
    frame: Any, path: Path, by_name: _Named, document: Mapping[str, Any], how: Mapping[str, Any]
) -> None:
    import pyreadstat

    missing = {name: list(_STATA.values()) for name, of in by_name.items() if of.codes}
    pyreadstat.write_dta(frame, path, version=_STATA_FORMAT, missing_user_values=missing, **how)
    matrices = [
        (name, "askance_channel", json.dumps(entry["channel"]))
        for name, entry in document["variables"].items()
        if "channel" in entry
    ]
    write_characteristics(path, [*stata_notes(codebook_lines(document)), *matrices])


def _data_frame(form: Form, variables: Sequence[_Variable]) -> RValue:
    """Make a data frame of R with labels as in haven, and with channel matrices as attributes."""
    by_name = {of.column: of for of in variables}
    rows = len(variables[0].values)
    return RValue(
        [_column_of_r(of) for of in variables],
        {
            "names": texts(*by_name),
            "row.names": RValue([None, -rows], is_integer=True),
            "class": texts("tbl_df", "tbl", "data.frame"),
            "label": texts(form.document["title"][form.languages[0]]),
            "form": texts(form.fingerprint),
        },
    )


def _column_of_r(of: _Variable) -> RValue:
    """Make a column of R: texts, numbers, or labelled numbers whose kinds of missing are tagged."""
    about = {"label": texts(of.title)} if of.title else {}
    if any(isinstance(value, str) and value not in of.codes for value in of.values):
        return RValue([str(value) for value in of.values], about, is_text=True)
    values = [_STATA.get(value, value) if of.codes else value for value in of.values]
    if of.codes:
        named = {**of.labels, **_word_missing(of, ".dta")}
        about["labels"] = RValue([*named], {"names": texts(*named.values())})
        about["class"] = texts("haven_labelled", "vctrs_vctr", "double")
    if channel := of.entry.get("channel"):
        names = [[*channel["frame"]], [report["name"] for report in channel["reports"]]]
        rows = channel["matrix"]
        about["misclassification"] = RValue(
            [float(Fraction(row[j])) for j in range(len(names[1])) for row in rows],
            {
                "dim": RValue([len(entries) for entries in names], is_integer=True),
                "dimnames": RValue(
                    [texts(*entries) for entries in names], {"names": texts("answer", "report")}
                ),
            },
        )
    if mechanism := of.entry.get("mechanism"):
        about["mechanism"] = r_value(mechanism)
    return RValue(values, about)


def _write_codebook(
    form: Form, by_name: _Named, labels: Mapping[str, Mapping[int, str]]
) -> dict[str, Any]:
    """Write the metadata that labels have no room for: texts, channels and shortened names."""
    variables = {}
    for name, of in by_name.items():
        entry = dict(of.entry)
        if of.column != name:
            entry["column"] = of.column
        shortened = {
            label: of.labels[code]
            for code, label in labels[name].items()
            if label != of.labels[code]
        }
        if shortened:
            entry["labels"] = shortened
        if entry:
            variables[name] = entry
    return {"askance": "codebook-1", "form": form.fingerprint, "variables": variables}


def _choose_names(wanted: Sequence[str], longest: int) -> list[str]:
    """Choose names that SPSS and Stata take: letters, digits and _, and different in any case."""
    chosen: list[str] = []
    used = set[str]()
    for name in wanted:
        stem = re.sub(r"[^A-Za-z0-9_]", "_", name)
        stem = stem if stem[:1].isalpha() else f"v{stem}"
        candidate, number = stem[:longest], 1
        while candidate.lower() in used or _RESERVED.fullmatch(candidate):
            number += 1
            candidate = f"{stem[: longest - len(str(number)) - 1]}_{number}"
        used.add(candidate.lower())
        chosen.append(candidate)
    return chosen


def _label_codes(names: Mapping[int, str], longest: int) -> dict[int, str]:
    """Label codes by names; one for which there is no room, or that a program trims, is shortened.

    Its code in front keeps it apart from the others.
    """
    return {
        code: name
        if _fits(name, longest)
        else _shorten(f"{code}. {' '.join(name.split())}", longest)
        for code, name in names.items()
    }


def _fits(name: str, longest: int) -> bool:
    return len(name.encode()) <= longest and name == " ".join(name.split(" ")).strip()


def _shorten(text: str, longest: int) -> str:
    """Shorten a text to so many bytes of UTF-8, at the end of a character."""
    plain = " ".join(text.split())
    if len(plain.encode()) <= longest:
        return plain
    return plain.encode()[: longest - 3].decode(errors="ignore") + "…"


def _word_missing(of: _Variable, ends: str) -> dict[Any, str]:
    """Label the codes of what is missing; of ranges alone an end can be open."""
    words = load_sentences("deposit.toml")["missing"]
    kinds = (kind for kind in of.codes if kind != _OPEN or _OPEN in of.values)
    return {_STATA[kind] if ends == ".dta" else of.codes[kind]: str(words[kind]) for kind in kinds}


def _encode(of: _Variable, ends: str) -> Any:
    """Encode a column: kinds of missing as codes of SPSS, or as Stata's own."""
    import pandas as pd

    codes = _STATA if ends == ".dta" else of.codes
    values = [codes.get(value, value) if of.codes else value for value in of.values]
    is_mixed = any(isinstance(value, str) for value in values)
    return pd.Series(values, dtype=object if is_mixed else float)
