"""Kinds of cells in one column: what is written like a value of another kind is refused."""

import json
from collections.abc import Iterable, Sequence
from typing import Any

from askance.results import is_missing
from askance_collect.errors import InputError


def written_forms(cell: Any) -> tuple[str, ...]:
    """Write a cell as people type it: 1.0, as Parquet has a 1 in a column with blanks, is 1.

    >>> written_forms("1"), written_forms(1.0), written_forms(True)
    (('1',), ('1.0', '1'), ('true', 'True', 'TRUE'))
    """
    if isinstance(cell, bool):
        return json.dumps(cell), str(cell), str(cell).upper()
    text = json.dumps(cell) if isinstance(cell, int | float) else str(cell)
    short = text.removesuffix(".0")
    return (text, short) if short.lstrip("-").isdecimal() and short != text else (text,)


def refuse_truth_as_number(
    group: tuple[Any, ...], other: tuple[Any, ...], where: str = "tally.by"
) -> None:
    """Refuse two groups that are equal, one by a truth value and one by a number.

    >>> refuse_truth_as_number((1, "a"), (1.0, "a"))
    """
    for cell, same in zip(group, other, strict=True):
        if isinstance(cell, bool) is not isinstance(same, bool):
            raise InputError(
                where,
                got=f"{cell!r} and {same!r} in one column",
                allowed="truth values alone, or numbers alone",
            )


def refuse_truths_among_numbers(cells: Sequence[Any], where: str = "tally.by") -> None:
    """Refuse a column that holds a truth value and the number that equals it.

    >>> refuse_truths_among_numbers([True, 2, None, "1"])
    """
    if bool not in {*map(type, cells)}:
        return
    numbers = {cell: cell for cell in cells if type(cell) in (int, float)}
    for cell in cells:
        if isinstance(cell, bool) and cell in numbers:
            refuse_truth_as_number((cell,), (numbers[cell],), where)


def refuse_alike_kinds(cells: Iterable[Any], where: str) -> None:
    """Refuse bytes as groups, and a text that is written like another group's number or date.

    Raises
    ------
    InputError
        With both.

    >>> refuse_alike_kinds(["1", 2, True, None], "tally.by")
    """
    distinct = {*cells}
    if wrong := [cell for cell in distinct if isinstance(cell, bytes)]:
        raise InputError(
            where,
            got=f"the bytes {min(wrong)!r}",
            allowed="texts, numbers or dates",
            remedy='decode them: data["group"].str.decode("utf-8")',
        )
    for cell, text in find_alike_kinds(distinct):
        raise InputError(
            where,
            got=f"{cell!r} and the text {text!r}, which look alike",
            allowed="texts alone, or numbers alone",
            remedy="in a --reading of JSON Lines, kind = "
            '"name" takes them as one name, kind = "number" as one number',
        )


def find_alike_kinds(cells: Iterable[Any]) -> list[tuple[Any, str]]:
    """Find values with the texts that are written like them.

    >>> find_alike_kinds([1, "1", 2.0, "2", 3, "a"])
    [(1, '1'), (2.0, '2')]
    """
    distinct = [cell for cell in dict.fromkeys(cells) if not is_missing(cell)]
    texts = {cell for cell in distinct if isinstance(cell, str)}
    if not texts:
        return []
    return [
        (cell, min(twins))
        for cell in distinct
        if not isinstance(cell, str) and (twins := texts & {*written_forms(cell)})
    ]
