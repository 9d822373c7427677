"""Read TOML: what anybody may have written, bounded in depth; and what a package brings."""

import re
import tomllib
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from askance_collect.errors import DocumentError

MOST_DEEP = 32
"""The most tables and lists inside each other, and the most parts of one dotted key."""

_QUOTED = re.compile(
    r'"""(?:\\.|[^\\])*?"""|\'\'\'.*?\'\'\'|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\'|#[^\n]*', re.DOTALL
)
_SEPARATOR = re.compile(r"[^\w.\t -]")
_BRACKET = re.compile(r"[][{}\n]")


def load_toml(text: str, parse_float: Callable[[str], Any] = float) -> dict[str, Any]:
    r"""Read TOML in time and memory proportional to its length.

    Raises
    ------
    ValueError
        If it is no TOML, or lies deeper than `MOST_DEEP`; with the line.

    >>> load_toml('a.b = [1, "[[[["]')
    {'a': {'b': [1, '[[[[']}}
    >>> load_toml("\na = " + "[" * 33)
    Traceback (most recent call last):
    ValueError: more than 32 brackets inside each other (at line 2)
    >>> load_toml(".".join("a" * 33) + " = 1")
    Traceback (most recent call last):
    ValueError: a key of more than 32 parts (at line 1)
    """
    bare = _QUOTED.sub(lambda quoted: "s" + "\n" * quoted[0].count("\n"), text)
    depth, line = 0, 1
    for bracket in _BRACKET.findall(bare):
        line += bracket == "\n"
        depth += (bracket in "[{") - (bracket in "]}")
        if depth > MOST_DEEP:
            raise ValueError(f"more than {MOST_DEEP} brackets inside each other (at line {line})")
    for line_number, written in enumerate(bare.split("\n"), 1):
        if any(part.count(".") >= MOST_DEEP for part in _SEPARATOR.split(written)):
            raise ValueError(f"a key of more than {MOST_DEEP} parts (at line {line_number})")
    return tomllib.loads(text, parse_float=parse_float)


def read_toml(path: Path, allowed: str) -> dict[str, Any]:
    """Read a file of TOML in UTF-8, with or without a byte order mark.

    Raises
    ------
    DocumentError
        If it cannot be read, or is no TOML; it says what is allowed there.
    """
    try:
        return load_toml(path.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError) as error:
        raise DocumentError(str(path), got=str(error), allowed=allowed) from error


@cache
def packaged_toml(package: str, name: str) -> dict[str, Any]:
    """Read a file of TOML that a package brings, once; nobody may change what is returned.

    >>> list(packaged_toml("askance_collect.wire", "clients.toml"))[:1]
    ['firefox']
    """
    return tomllib.loads((files(package) / name).read_text("utf-8"))
