"""How often each value was sent, question by question, from wherever the reports lie."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, final

from askance.arguments import checked
from askance.collect.store import open_store
from askance.engines.rows import Kind, kind_of
from askance.errors import DocumentError
from askance.wire.canonical import keep_unchangeable
from askance.wire.form import Form
from askance.wire.question import Value


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
    """

    reports: int
    values: Mapping[str, Mapping[Value, int]]

    def __post_init__(self) -> None:
        keep_unchangeable(self, "values")

    def __reduce__(self) -> tuple[Any, ...]:
        """Let counts cross processes."""
        values = {name: dict(found) for name, found in self.values.items()}
        return Counts, (self.reports, values)


@checked
def count_reports(source: str | Path, form: Form) -> Counts:
    r"""Count the reports of a form where they lie, and check every value against the form.

    Parameters
    ----------
    source : str or Path
        A collector's SQLite file, a ``postgresql://…`` URL, a CSV table with the columns that
        `askance.collect.export.export_csv` writes (more columns do no harm), or JSON Lines with one
        report's values on each line (``.jsonl`` or ``.ndjson``).
    form : Form

    Raises
    ------
    DocumentError
        If something is there that no respondent can have sent; the message names row and column.

    from askance.wire.form import Form
    >>> form = Form.read({
    ...     "askance": "form-1", "title": {"en": ""}, "consent": {"en": ""}, "contact": {"en": ""},
    ...     "languages": ["en"], "collector": "", "size": 256, "about": {},
    ...     "questions": [{"kind": "choice", "name": "tea", "text": {"en": "Tea?"}, "answers": [
    ...         {"name": "yes", "label": {"en": "Yes"}}, {"name": "no", "label": {"en": "No"}}]}],
    ... })
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     table = Path(folder, "tea.csv")
    ...     _ = table.write_text("tea\nyes\nno\nyes\n")
    ...     counts = count_reports(table, form)
    >>> counts.reports, dict(counts.values["tea"])
    (3, {0: 2, 1: 1})
    """
    groups = _group(source, form)
    values = {name: dict(sorted(found.items(), key=_rank)) for name, found in groups.items()}
    reports = sum(next(iter(values.values())).values())
    return Counts(reports, values)


def _group(source: str | Path, form: Form) -> dict[str, dict[Value, int]]:
    kind = kind_of(source)
    if kind is Kind.STORE:
        return group_database(source, form)
    from askance.engines.files import group_csv, group_jsonl

    return (group_csv if kind is Kind.TABLE else group_jsonl)(Path(source), form)


def _rank(item: tuple[Value, int]) -> tuple[int, ...]:
    value = item[0]
    if value is None:
        return (1,)
    return (0, value) if isinstance(value, int) else (0, *value)


def group_database(source: str | Path, form: Form) -> dict[str, dict[Value, int]]:
    """Count the reports in a store by value, for each question.

    Raises
    ------
    DocumentError
        If the store is another form's, or holds what no respondent can have sent.
    """
    store = open_store(source, form, read_only=True)
    try:
        found = store.counts([question.name for question in form.questions])
    finally:
        store.close()
    groups: dict[str, dict[Value, int]] = {}
    for question in form.questions:
        group: dict[Value, int] = {}
        for spelling, count in found[question.name]:
            value = None if spelling is None else json.loads(spelling)
            if spelling is None or not (value is None or question.allows(value)):
                raise DocumentError(
                    f"reports.answers.{question.name}",
                    got=f"{count} reports with something else",
                    allowed="null, or a value that some respondent can send",
                    remedy="the database was changed by another program",
                )
            group[tuple(value) if isinstance(value, list) else value] = count
        groups[question.name] = group
    return groups
