"""Export reports in a fresh random order, with a codebook.

In the codebook one row for each report and answer: the rows of a question are its matrix of
chances, so that any program can invert it. A number asked by cuts has one row for each run of
equally likely cuts.

In the table a name that a spreadsheet would take for a formula gets an apostrophe in front, and so
does a name that begins with an apostrophe; reading takes one apostrophe away. An empty cell, or two
for a range, is a blank. An empty end of a range is open; of the whole range the upper end is
written, since it is no blank. A range whose lower end is the larger is a
ring's outside: above it, or up to the other.

Texts that people wrote stand in a file of their own, one question after another, each in an order
of its own: in the table stands only that there is one, so that no row has a text beside what was
protected.
"""

import csv
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from fractions import Fraction
from functools import lru_cache
from hashlib import sha256
from io import StringIO, TextIOWrapper
from itertools import chain, groupby
from pathlib import Path
from typing import Any, TextIO

from askance_collect.arguments import checked
from askance_collect.collect.accept import Store
from askance_collect.collect.age_library import age_library, read_recipient
from askance_collect.collect.folder import replacing
from askance_collect.errors import DocumentError, InputError, file_faults, nearest
from askance_collect.exact.line import Line
from askance_collect.exact.ratio import read_ratio, written
from askance_collect.wire.canonical_json import (
    RESPONDENT,
    canonical,
    escape_formula,
    unescape_formula,
)
from askance_collect.wire.form import Form
from askance_collect.wire.form_schema import Label
from askance_collect.wire.question import (
    TEXT_GIVEN,
    Choice,
    CutsQuestion,
    FreeText,
    Number,
    Question,
    RangeQuestion,
    RingQuestion,
    TableQuestion,
    Value,
    is_counted,
)
from askance_collect.wire.report import read_values

_OFTEN = 1 << 15
"""So many different reports are spelt once and then looked up."""


@checked
def export_csv(
    store: Store, form: Form, path: str | Path, *, text_keys: Sequence[str] = ()
) -> Path:
    r"""Write the reports as a CSV table, and its codebook to a second file.

    Parameters
    ----------
    store : Store
        Open or closed, also read-only while a server writes.
    form : Form
        The form that the store belongs to.
    path : str or Path
        Where the table goes; the codebook goes to ``<stem>.codebook.csv``.
    text_keys : sequence of str
        Public keys, such as ``age1…``: whoever holds a private key of one of them can read what
        people wrote, and nobody else.

    Returns
    -------
    Path
        Where the codebook is.

    Notes
    -----
    UTF-8 and RFC 4180. The respondent column numbers the shuffled rows and is no key to anything.
    `askance_collect.collect.export` says how values are spelt. What people wrote goes to
    ``<stem>.texts.csv``, where the form asks for it; encrypted, to ``<stem>.texts.csv.age``, in the
    format of age.

    Raises
    ------
    DocumentError
        If the store is damaged.
    InputError
        If a key is none, or the form asks for no text that could be encrypted.
    MissingExtra
        For keys, without ``pip install 'askance-collector[backup]'``.

    >>> from tempfile import TemporaryDirectory
    >>> from askance_collect.collect import accept, export_jsonl, export_receipts, open_store
    >>> from askance_collect.wire import Report
    >>> tea = {"en": "Tea?"}
    >>> answers = [{"name": name, "label": tea} for name in ("yes", "no")]
    >>> form = Form.read({
    ...     "askance": "form-1", "title": tea, "consent": tea, "contact": tea, "languages": ["en"],
    ...     "collector": "", "size": 256, "about": {},
    ...     "questions": [{"kind": "choice", "name": "tea", "text": tea, "answers": answers}],
    ... })
    >>> body = Report(form.fingerprint, "0f" * 16, {"tea": 1}).body(form.size)
    >>> with TemporaryDirectory() as folder:
    ...     store = open_store(f"{folder}/tea.db", form)
    ...     outcomes = store.append([accept(body, form)])
    ...     _ = export_csv(store, form, f"{folder}/tea.csv")
    ...     export_jsonl(store, form, f"{folder}/tea.jsonl")
    ...     receipts = export_receipts(store, f"{folder}/receipts.txt")
    ...     Path(folder, "tea.csv").read_text().split(), Path(folder, "tea.jsonl").read_text()
    ...     store.close()
    (['respondent,tea', '1,no'], '{"tea":1}\n')
    """
    seal = _text_cipher(form, text_keys)
    table = Path(path)
    book = table.with_name(f"{table.stem}.codebook.csv")
    header = [RESPONDENT, *(name for names in columns(form).values() for name in names)]
    _write_rows(table, chain([header], _rows(store, form)))
    _write_rows(book, codebook(form))
    if _asks_for_texts(form):
        text_rows = ((name, escape_formula(text)) for name, text in _texts(store, form))
        text = StringIO(newline="")
        with nullcontext(text) if seal else _replacing(text_path(table)) as file:
            csv.writer(file).writerows(chain([("question", "text")], text_rows))
        if seal:
            _write_sealed(text_path(table), text.getvalue(), seal)
    return book


@checked
def export_jsonl(
    store: Store, form: Form, path: str | Path, *, text_keys: Sequence[str] = ()
) -> None:
    """Write the reports as JSON Lines: on each line one report's values as they were sent.

    What people wrote goes to ``<stem>.texts.jsonl``, where the form asks for it; a text has 0 in
    its place.

    Parameters
    ----------
    store, form, path, text_keys
        As in `export_csv`.

    Raises
    ------
    DocumentError
        If the store is damaged.
    InputError, MissingExtra
        As in `export_csv`.
    """
    seal = _text_cipher(form, text_keys)

    @lru_cache(_OFTEN)
    def line(answers: str) -> str:
        values = _read_report(answers, form)
        return f"{canonical(values).decode('ascii')}\n"

    with _replacing(Path(path)) as file:
        file.writelines(map(line, store.shuffled_values()))
    if _asks_for_texts(form):
        records = (
            canonical({"question": name, "text": text}).decode("ascii")
            for name, text in _texts(store, form)
        )
        if seal:
            _write_sealed(text_path(Path(path)), "".join(f"{line}\n" for line in records), seal)
            return
        with _replacing(text_path(Path(path))) as file:
            file.writelines(f"{line}\n" for line in records)


@checked
def export_receipts(store: Store, path: str | Path) -> str:
    """Write the digest on every receipt, a line each, in the order of the random ids.

    Where parts are kept apart, the order is that of the digests: no id is left beside them.

    Who publishes the list shows every respondent that the report is kept as it was sent; who keeps
    its SHA-256 elsewhere can tell whether reports were changed, lost or added since.

    Parameters
    ----------
    store : Store
    path : str or Path
        The file to write.

    Returns
    -------
    str
        The SHA-256 of the file.
    """
    root = sha256()
    with _replacing(Path(path)) as file:
        for line in receipts(store):
            file.write(line)
            root.update(line.encode("ascii"))
    return root.hexdigest()


def receipts(store: Store) -> Iterator[str]:
    """The lines of the list of receipts: each is the SHA-256 of a message that was sent."""
    return (f"{digest}\n" for digest in store.digests())


def written_files(path: Path) -> list[Path]:
    """Name the files that an export may write."""
    texts = text_path(path)
    others = [texts, _sealed_path(texts)]
    if path.suffix != ".jsonl":
        others.insert(0, path.with_name(f"{path.stem}.codebook.csv"))
    return [path, *others]


def text_path(path: Path) -> Path:
    """Name the file that takes an export's texts.

    >>> text_path(Path("tea.csv")).name
    'tea.texts.csv'
    """
    return path.with_name(f"{path.stem}.texts{path.suffix}")


def _sealed_path(texts: Path) -> Path:
    return texts.with_name(f"{texts.name}.age")


def _text_cipher(form: Form, keys: Sequence[str]) -> Callable[[bytes], bytes] | None:
    """Give what encrypts texts for keys; None without a key."""
    if not keys:
        return None
    if not _asks_for_texts(form):
        allowed = "none, where the form asks for no text: reports are protected by chance"
        raise InputError("recipient", got=f"{len(keys)} of texts", allowed=allowed)
    recipients = [read_recipient(key) for key in keys]
    encrypt: Callable[[bytes, list[Any]], bytes] = age_library().encrypt
    return lambda content: encrypt(content, recipients)


def _write_sealed(texts: Path, content: str, seal: Callable[[bytes], bytes]) -> None:
    """Write texts encrypted: they are never on the disk as they were written."""
    with replacing(_sealed_path(texts)) as file:
        file.write(seal(content.encode("utf-8")))


def _rows(store: Store, form: Form) -> Iterator[Sequence[str]]:
    @lru_cache(_OFTEN)
    def cells(answers: str) -> tuple[str, ...]:
        values = _read_report(answers, form)
        return tuple(
            cell for question in form.questions for cell in spell(question, values[question.name])
        )

    for number, answers in enumerate(store.shuffled_values(), start=1):
        yield (str(number), *cells(answers))


def _read_report(answers: str, form: Form) -> dict[str, Value]:
    """Read the values of a report, but of a text only that there is one."""
    values = read_values(json.loads(answers), form)
    return {name: TEXT_GIVEN if isinstance(value, str) else value for name, value in values.items()}


def _asks_for_texts(form: Form) -> bool:
    return any(isinstance(question, FreeText) for question in form.questions)


def _texts(store: Store, form: Form) -> Iterator[tuple[str, str]]:
    """Give the texts that people wrote, by question, each question's in a new random order."""
    for question in form.questions:
        if isinstance(question, FreeText):
            for answers in store.shuffled_values():
                text = read_values(json.loads(answers), form)[question.name]
                if isinstance(text, str):
                    yield question.name, text


def _write_rows(path: Path, rows: Iterable[Sequence[str]]) -> None:
    with _replacing(path) as file:
        csv.writer(file).writerows(rows)


@contextmanager
def _replacing(path: Path) -> Iterator[TextIO]:
    """Write to a temporary file and move it to the path at the end: never half a file.

    Nobody but its owner can read the file.
    """
    room = "a file that can be written, on a disk with room for it"
    with file_faults(path, room), replacing(path) as file:
        text = TextIOWrapper(file, encoding="utf-8", newline="")
        try:
            yield text
        finally:
            text.detach()


HEADER = (
    "question",
    "kind",
    "columns",
    "report",
    "reads",
    "means",
    "answer",
    "lower",
    "upper",
    "step",
    "numerator",
    "denominator",
    "chance",
)
"""The chance of the report, given the answer, is numerator / denominator exactly."""

_WROTE = "written"
_KEPT_APART = "a text, in a file of its own"
_NOTHING = "nothing was sent, whatever the answer"
_CUT = "each of {} independent cuts; the piece that holds the answer is sent"
_RING = "two cuts a < b drawn together by the product of their weights; above > upto is the outside"
_SKIPPED = "size; a cut that leaves less than {} on a side of its range is passed over"
_WITHHELD = "size; a range of less than {} is not sent"
_NEVER = "size; a pair whose inside or outside has less than {} is never drawn"
_EXACT = "an answer in here is sent exactly; no other range includes it"


def codebook(form: Form) -> Iterator[tuple[str, ...]]:
    """The rows of the codebook, header first."""
    yield HEADER
    for question in form.questions:
        head = (question.name, question.kind, " ".join(columns(form)[question.name]))
        for row in _codebook_rows(question, form.languages[0]):
            yield (*head, *row)


def _codebook_rows(question: Question, language: str) -> Iterator[tuple[str, ...]]:
    match question:
        case Choice() if isinstance(judged := question.underlying_question, TableQuestion):
            yield from _list_table_rows(judged, language)
        case Choice():
            for label in question.answers:
                named = (escape_formula(label.name), escape_formula(label.wording[language]))
                yield (*named, named[0], named[0], "", "", "", *_chance(Fraction(1)))
        case Number():
            ends = (written(question.line.lower), written(question.line.upper))
            unit = escape_formula(question.unit[language])
            yield (
                "number",
                unit,
                "",
                "",
                *ends,
                written(question.line.step),
                *_chance(Fraction(1)),
            )
        case FreeText():
            yield _WROTE, _KEPT_APART, "", "", "", "", "", *_chance(Fraction(1))
        case TableQuestion():
            yield from _list_table_rows(question, language)
        case CutsQuestion() | RingQuestion():
            yield from _list_range_rows(question, language)


def _list_table_rows(question: TableQuestion, language: str) -> Iterator[tuple[str, ...]]:
    sent_chance = 1 - Fraction(*question.blank)
    for column, label in enumerate(question.reports):
        head = (
            escape_formula(label.name),
            escape_formula(label.wording[language]),
            _join_names([question.answers[i] for i in question.meanings[column]]),
        )
        for row, answer in enumerate(question.answers):
            chance = sent_chance * question.table.chance(row, column)
            yield *head, escape_formula(answer.name), "", "", "", *_chance(chance)
    if sent_chance != 1:
        for answer in question.answers:
            named = ("", _NOTHING, _join_names(question.answers), escape_formula(answer.name))
            yield *named, "", "", "", *_chance(1 - sent_chance)


def _list_range_rows(question: RangeQuestion, language: str) -> Iterator[tuple[str, ...]]:
    line, unit = question.line, escape_formula(question.unit[language])
    full_range = (written(line.value_at(0)), written(line.upper), written(line.step))
    yield "line", unit, "", "", *full_range, "", "", ""
    if isinstance(question, RingQuestion):
        law, rule = _RING, _NEVER
    else:
        law, rule = _CUT.format(question.number), _WITHHELD if question.withhold else _SKIPPED
    yield from _list_runs("cut", law, line, question.weights, 1)
    if question.floor is not None:
        min_size = Fraction(question.floor.minimum, question.floor.total)
        yield from _list_runs("size", rule.format(min_size), line, question.floor.sizes, 0)
    for low, high in question.open:
        ends = (written(line.value_at(low)), written(line.value_at(high)))
        yield "open", _EXACT, "", "", *ends, full_range[2], *_chance(Fraction(1))
    if question.blank[0]:
        yield "", _NOTHING, "", "", *full_range, *_chance(Fraction(*question.blank))


def _list_runs(
    report: str, law: str, line: Line, units: Sequence[int], first: int
) -> Iterator[tuple[str, ...]]:
    """One row for each run of equal units: of ticks, or of steps named by their two ends."""
    total, step = sum(units), written(line.step)
    places = range(first, first + len(units))
    for unit, run in groupby(places, lambda tick: units[tick - first]):
        ticks = list(run)
        ends = (written(line.value_at(ticks[0])), written(line.value_at(ticks[-1] + 1 - first)))
        yield report, law, "", "", *ends, step, *_chance(Fraction(unit, total))


def _join_names(answers: Sequence[Label]) -> str:
    return escape_formula(" | ".join(answer.name for answer in answers))


def _chance(chance: Fraction) -> tuple[str, str, str]:
    return str(chance.numerator), str(chance.denominator), f"{float(chance):.12g}"


def columns(form: Form) -> Mapping[str, tuple[str, ...]]:
    """Name the columns of each question, in the form's order.

    A range has two columns. A name that is taken already gets underscores until it is new.
    """
    used = {RESPONDENT}
    named: dict[str, tuple[str, ...]] = {}
    for question in form.questions:
        ends = ("_above", "_upto") if isinstance(question, RangeQuestion) else ("",)
        stem = question.name
        while used & {stem + end for end in ends}:
            stem += "_"
        named[question.name] = tuple(stem + end for end in ends)
        used |= set(named[question.name])
    return named


def spell(question: Question, value: Value) -> tuple[str, ...]:
    """Write a value as the cells of its question's columns.

    Parameters
    ----------
    question : Question
    value : Value
        One that the question allows.

    >>> from askance_collect.wire.question import CutsQuestion
    >>> age = CutsQuestion("age", {}, Line(17, 70), {}, 1, (1,) * 52, False, (0, 1), {})
    >>> spell(age, (0, 12)), spell(age, (12, 53)), spell(age, None)
    (('', '29'), ('29', ''), ('', ''))
    >>> spell(age, (0, 53))
    ('', '70')
    """
    if isinstance(question, RangeQuestion):
        if not isinstance(value, tuple):
            return "", ""
        low, high = value
        above = written(question.line.value_at(low)) if low > 0 else ""
        is_open = high == question.line.ticks and low > 0
        return above, "" if is_open else written(question.line.value_at(high))
    if not isinstance(value, int):
        return ("",)
    if isinstance(question, FreeText):
        return (_WROTE,)
    if isinstance(question, Number):
        return (written(question.line.value_at(value)),)
    return (escape_formula(_names(question)[value].name),)


def unspell(question: Question, cells: Sequence[str], *, is_export: bool = True) -> Value:
    """Read the cells that `spell` writes, whatever spelling their numbers have; any text is one.

    Of a table that is no export nobody knows whether an apostrophe guards a formula: a cell that
    may be two answers is refused.

    Raises
    ------
    InputError
        If the cells are not those of a value that some respondent can have sent.

    >>> tea = Choice("tea", {}, (Label("yes", {}), Label("no", {})))
    >>> unspell(tea, ["no"]), unspell(tea, [""])
    (1, None)
    """
    value = _value(question, cells, is_export=is_export) if any(cells) else None
    if value is not None and not is_counted(question, value):
        raise InputError(question.name, allowed="what a respondent can send")
    return value


def _value(question: Question, cells: Sequence[str], *, is_export: bool) -> Value:
    if isinstance(question, RangeQuestion):
        above, upto = cells
        low = _tick(question.line, above) if above else 0
        return low, _tick(question.line, upto) if upto else question.line.ticks
    if isinstance(question, FreeText):
        return TEXT_GIVEN
    if isinstance(question, Number):
        return _tick(question.line, cells[0])
    names = [label.name for label in _names(question)]
    name = unescape_formula(cells[0], names, is_guarded=is_export)
    if name not in names:
        raise InputError(question.name, allowed=", ".join(names[:20]))
    return names.index(name)


def _names(question: Choice | TableQuestion) -> tuple[Label, ...]:
    return question.answers if isinstance(question, Choice) else question.reports


def _tick(line: Line, cell: str) -> int:
    try:
        steps = (read_ratio(cell, "number") - line.value_at(0)) / line.step
    except InputError:
        steps = Fraction(1, 2)
    if steps.denominator != 1:
        first, second, last = (written(line.value_at(tick)) for tick in (0, 1, line.ticks))
        raise InputError("number", allowed=f"{first}, {second} and so on up to {last}")
    return steps.numerator


def find_columns(
    header: Sequence[str], wanted: Mapping[str, tuple[str, ...]], where: str
) -> dict[str, tuple[int, ...]]:
    """Say where each question's columns stand in a table.

    Raises
    ------
    DocumentError
        If a column is missing or stands there twice.

    >>> find_columns(["respondent", "tea"], {"tea": ("tea",)}, "tea.csv")
    {'tea': (1,)}
    """
    for name in (name for names in wanted.values() for name in names):
        if header.count(name) != 1:
            raise DocumentError(
                f"{where}: row 1",
                got=f"{header.count(name) or 'no'} columns named {name!r}",
                allowed="exactly one column for each question, or two for a range",
                remedy=_column_remedy(name, header),
            )
    return {
        question: tuple(header.index(name) for name in names) for question, names in wanted.items()
    }


def _column_remedy(name: str, header: Sequence[str]) -> str:
    if len(header) == 1 and name in re.split("[;\t|]", header[0]):
        return "put commas between the cells, and points into numbers"
    suggestion = nearest(name, [other for other in header if other != name])
    return suggestion or "give the column in the table the name of the question in the survey file"
