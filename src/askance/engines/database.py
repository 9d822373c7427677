"""Count inside the collector's own database, read-only, also while it is being written."""

import json
from pathlib import Path

from askance.collect.store import open_store
from askance.errors import DocumentError
from askance.wire.form import Form
from askance.wire.question import Value


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
