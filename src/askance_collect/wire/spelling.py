"""One spelling for every document, so that equal documents have equal bytes."""

import hashlib
import json
from typing import Any


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


def members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Make a JSON object of its members, refusing a repeated key.

    >>> json.loads('{"a": 1, "a": 2}', object_pairs_hook=members)
    Traceback (most recent call last):
    ValueError: a key stands twice
    """
    read = dict(pairs)
    if len(read) != len(pairs):
        raise ValueError("a key stands twice")
    return read


_FORMULA = tuple("=+-@\t\r'\uff1d\uff0b\uff0d\uff20")
"""What a spreadsheet takes for a formula's begin, in both widths, and the apostrophe itself."""


def guard(text: str) -> str:
    """Keep a spreadsheet from taking a text for a formula, in a way that can be undone.

    >>> guard("=1+1"), guard("yes"), guard("\N{FULLWIDTH EQUALS SIGN}1")
    ("'=1+1", 'yes', "'＝1")
    """
    return f"'{text}" if text.startswith(_FORMULA) else text
