"""People's recorded answers, read from a table, to rehearse a survey with."""

import csv
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from statistics import fmean
from typing import final

from askance.arguments import checked
from askance.engines.fault import find_columns
from askance.errors import AskanceError, DocumentError
from askance.estimators.line.band import SHARES
from askance.exact.ratio import ratio
from askance.wire.canonical import keep_unchangeable
from askance.wire.form import Form
from askance.wire.question import (
    Choice,
    CutsQuestion,
    Number,
    Question,
    RingQuestion,
    TableQuestion,
)


@final
@dataclass(frozen=True, slots=True)
class Recorded:
    """Who answers a rehearsal, and what is true of them.

    Attributes
    ----------
    people : tuple of mappings from str to int or None
        Each person's answers as the respondent's side takes them; None is no answer.
    truth : mapping of str to mapping of str to float
        By question the share of each answer, or the mean and quantiles of a number.
    numbers : mapping of str to tuple of float
        By question on a line, the numbers themselves.
    """

    people: tuple[Mapping[str, int | None], ...]
    truth: Mapping[str, Mapping[str, float]]
    numbers: Mapping[str, tuple[float, ...]]

    def __post_init__(self) -> None:
        keep_unchangeable(self, "people truth numbers")


@checked
def read_answers(path: Path, form: Form) -> Recorded:
    """Read a CSV table with a column for each question: names of answers, or numbers.

    An empty cell is no answer. Columns that the form does not ask for are ignored.

    Raises
    ------
    DocumentError
        If a column is missing or a cell is not an answer; the message names row and column.
    """
    head, rows = _read(path)
    given: dict[str, list[str]] = {}
    find_columns(head, {one.name: (one.name,) for one in form.questions}, path.name)
    for question in form.questions:
        given[question.name] = [(row[question.name] or "").strip() for row in rows]
    return record(form, given, path.name)


def record(form: Form, given: Mapping[str, Sequence[str]], where: str) -> Recorded:
    """Take people's answers, one list for each question, as the respondent's side does."""
    encoded = {
        question.name: [
            _encode(question, cell, f"{where}: row {at}, column {question.name}")
            for at, cell in enumerate(given[question.name], start=2)
        ]
        for question in form.questions
    }
    names = tuple(encoded)
    people = tuple(
        dict(zip(names, row, strict=True)) for row in zip(*encoded.values(), strict=True)
    )
    numbers = {
        one.name: tuple(float(ratio(cell)) for cell in given[one.name] if cell)
        for one in form.questions
        if not isinstance(one, Choice | TableQuestion)
    }
    truth = {one.name: _truth(one, given[one.name], numbers) for one in form.questions}
    return Recorded(people, truth, numbers)


def _read(path: Path) -> tuple[tuple[str, ...], list[dict[str, str]]]:
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            reader = csv.DictReader(file)
            return tuple(reader.fieldnames or ()), list(reader)
    except OSError as error:
        raise DocumentError(str(path), got=error.strerror, allowed="a readable file") from error
    except (UnicodeDecodeError, csv.Error) as error:
        raise DocumentError(str(path), got=str(error), allowed="a CSV table in UTF-8") from error


def _encode(question: Question, cell: str, where: str) -> int | None:
    if not cell:
        return None
    match question:
        case Choice() | TableQuestion():
            names = [answer.name for answer in question.answers]
            if cell not in names:
                raise DocumentError(where, allowed=f"{', '.join(names)}; or an empty cell")
            return names.index(cell)
        case CutsQuestion() | RingQuestion():
            return question.line.cell(_number(cell, where))
        case Number():
            line = question.line
            tick = (_number(cell, where) - line.lower) / line.step
            if tick.denominator != 1 or not 0 <= tick <= line.ticks:
                raise DocumentError(where, allowed=f"{line.lower} to {line.upper} by {line.step}")
            return int(tick)


def _number(cell: str, where: str) -> Fraction:
    try:
        return ratio(cell, where)
    except AskanceError as error:
        raise DocumentError(where, allowed="a number") from error


def _truth(
    question: Question, cells: Sequence[str], numbers: Mapping[str, tuple[float, ...]]
) -> dict[str, float]:
    told = [cell for cell in cells if cell]
    if not told:
        return {}
    if isinstance(question, Choice | TableQuestion):
        return {one.name: told.count(one.name) / len(told) for one in question.answers}
    ascending = sorted(numbers[question.name])
    quantiles = {
        name: ascending[math.ceil(share * len(ascending)) - 1] for share, name in SHARES.items()
    }
    return {"mean": fmean(ascending), **quantiles}
