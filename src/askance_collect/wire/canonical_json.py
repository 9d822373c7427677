"""One spelling for every document, so that equal documents have equal bytes."""

import hashlib
import json
import unicodedata
from collections.abc import Collection
from typing import Any

from askance_collect.errors import DocumentError, InputError


def canonical(document: Any) -> bytes:
    r"""Spell a document in its one canonical way.

    Keys sorted, no spaces, ASCII only, integers and strings as the only scalars, and ``<``, ``>``
    and ``&`` escaped so that the bytes can stand inside a page as they are.

    >>> canonical({"b": 1, "a": "é<"})
    b'{"a":"\\u00e9\\u003c","b":1}'
    """
    text = json.dumps(document, sort_keys=True, separators=(",", ":"), allow_nan=False)
    for sign in "<>&":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text.encode("ascii")


def fingerprint(spelling: bytes) -> str:
    """The SHA-256 of some bytes in hexadecimal.

    >>> fingerprint(b"")[:16]
    'e3b0c44298fc1c14'
    """
    return hashlib.sha256(spelling).hexdigest()


def unique_members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Make a JSON object of its members, refusing a repeated key.

    >>> json.loads('{"a": 1, "a": 2}', object_pairs_hook=unique_members)
    Traceback (most recent call last):
    ValueError: a key stands twice
    """
    read = dict(pairs)
    if len(read) != len(pairs):
        raise ValueError("a key stands twice")
    return read


def read_json(text: str | bytes, where: str, allowed: str) -> Any:
    """Read JSON in which no object has a key twice.

    Raises
    ------
    DocumentError
        With the line and the column from which on it is none.

    >>> read_json('{"a": [1, 2]}', "tea.json", "counts in JSON")
    {'a': [1, 2]}
    >>> read_json('{"a": 1', "tea.json", "counts")
    Traceback (most recent call last):
    askance_collect.errors.DocumentError: tea.json: line 1, column 8: got 'no JSON'; allowed: counts
    """
    try:
        return json.loads(text, object_pairs_hook=unique_members)
    except json.JSONDecodeError as error:
        raise DocumentError(
            f"{where}: line {error.lineno}, column {error.colno}",
            got="no JSON",
            allowed=allowed,
        ) from error
    except UnicodeDecodeError as error:
        raise DocumentError(where, got="bytes that are no UTF-8", allowed=allowed) from error
    except RecursionError as error:
        raise DocumentError(where, got="JSON that is nested too deeply", allowed=allowed) from error
    except ValueError as error:
        raise DocumentError(where, got=str(error), allowed=allowed) from error


_FORMULA = tuple("=+-@\t\r'\uff1d\uff0b\uff0d\uff20")
"""What a spreadsheet takes for a formula's begin, in both widths, and the apostrophe itself."""


RESPONDENT = "respondent"
"""The column of shuffled row numbers in an export, whose cells `escape_formula` writes."""


def escape_formula(text: str) -> str:
    """Keep a spreadsheet from taking a text for a formula, in a way that can be undone.

    >>> escape_formula("=1+1"), escape_formula("yes"), escape_formula("\N{FULLWIDTH EQUALS SIGN}1")
    ("'=1+1", 'yes', "'＝1")
    """
    return f"'{text}" if text.startswith(_FORMULA) else text


def unguard_formula(cell: str) -> str:
    """Take away an apostrophe that guards a formula, and no other.

    >>> unguard_formula("'=1+1"), unguard_formula("'s-Hertogenbosch")
    ('=1+1', "'s-Hertogenbosch")
    """
    return cell[1:] if cell.startswith("'") and cell[1:].startswith(_FORMULA) else cell


def unescape_formula(
    cell: str, names: Collection[str] = (), where: str = "name", *, is_guarded: bool = False
) -> str:
    """Read a cell of a table, guarded by an apostrophe or not, as the name that it holds.

    Parameters
    ----------
    cell : str
    names : collection of str
        What the cell may be.
    where : str
        What a message calls it.
    is_guarded : bool
        Whether `escape_formula` is known to have written it.

    Raises
    ------
    InputError
        If it is a name as it stands, and another one without its apostrophe.

    >>> unescape_formula("'=1+1"), unescape_formula("'yes", ["yes"]), unescape_formula("'s", ["'s"])
    ('=1+1', 'yes', "'s")
    """
    if not cell.startswith("'"):
        return cell
    if cell in names and cell[1:] in names and not is_guarded:
        raise InputError(
            where,
            got="an apostrophe that may guard a formula, or belong to a name",
            allowed="answers that differ in more than an apostrophe in front",
            remedy="read the store itself or JSON Lines, which guard nothing",
        )
    return cell if cell in names and cell[1:] not in names else cell[1:]


def fold(text: str) -> str:
    """Fold a text to what a reader sees: NFKC, without ignorable characters, case and outer spaces.

    An apostrophe in front is folded away too, since it may guard a formula.

    >>> fold("\u00a0Ｙes\u200b ") == fold("'yes") == fold("yes")
    True
    """
    text = text.removeprefix("'")
    kept = "".join(sign for sign in text if unicodedata.category(sign) != "Cf")
    return " ".join(unicodedata.normalize("NFKC", kept).casefold().split())


def describe_difference(entry: str, name: str) -> str:
    """Name the characters of an entry that a name which looks like it has not.

    >>> describe_difference("Yes\u00a0", "yes"), describe_difference("yes", "yes ")
    ('LATIN CAPITAL LETTER Y, NO-BREAK SPACE', 'fewer characters')
    """
    signs = dict.fromkeys(sign for sign in entry if sign not in name)
    more = ", ".join(unicodedata.name(sign, f"U+{ord(sign):04X}") for sign in signs)
    is_longer = len(entry) > len(name)
    same = "the same characters in another order" if sorted(entry) == sorted(name) else ""
    return more or same or f"{'more' if is_longer else 'fewer'} characters"
