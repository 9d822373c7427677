"""What is typed in one word: a name with its numbers, and lists in brackets and quotes."""

import re
from collections.abc import Iterator
from typing import Any

from askance.errors import InputError
from askance.exact.ratio import spelt

_PAIR = re.compile(r'\s*("(?:[^"]|"")*"|[^="\s][^=]*?)\s*=\s*(\S|\S.*\S)\s*', re.DOTALL)


def named(written: str, where: str) -> tuple[str, dict[str, Any]]:
    """Read a name with its numbers, as they are typed.

    >>> named("sld:carriers=yes,says=no", "--model")
    ('sld', {'carriers': 'yes', 'says': 'no'})
    >>> named('forced:forced={"yes, often"=.2,no=1/6}', "--design")
    ('forced', {'forced': {'yes, often': '0.2', 'no': '1/6'}})
    """
    name, colon, rest = written.partition(":")
    return name.strip(), _once(rest, where) if colon else {}


def _once(written: str, where: str) -> dict[str, Any]:
    """Read keys and their values, each key once."""
    found: dict[str, Any] = {}
    for key, value in _pairs(written, where):
        if key in found:
            raise InputError(where, got=f"{key} twice", allowed="each key once")
        found[key] = value
    return found


def _pairs(written: str, where: str) -> Iterator[tuple[str, Any]]:
    for part in apart(written):
        pair = _PAIR.fullmatch(part)
        if pair is None:
            raise InputError(where, got=part, allowed="KEY=VALUE with commas between: harmless=1/4")
        yield unquoted(pair[1]), _value(pair[2], where)


def unquoted(written: str) -> str:
    """Take quotes away, of which two stand for one within."""
    quoted = len(written) > 1 and written[0] == written[-1] == '"'
    return written[1:-1].replace('""', '"') if quoted else written


_BEFORE = ("", "=", '"', ",", "[", "{")  # what a value, and so a quote, may come after


def apart(written: str) -> list[str]:
    """Take a list apart at its commas, but for those in brackets, or in quotes that begin a value.

    >>> apart('"a, b"=c,d=[1,2],5" pipe=e,f=["}",2]')
    ['"a, b"=c', 'd=[1,2]', '5" pipe=e', 'f=["}",2]']
    """
    found, depth, inside = [""], 0, False
    for sign in written:
        if sign == '"':
            inside = not inside and found[-1].rstrip()[-1:] in _BEFORE
        depth += 0 if inside else (sign in "[{") - (sign in "]}")
        if sign == "," and not depth and not inside:
            found.append("")
        else:
            found[-1] += sign
    return found


def _value(written: str, where: str) -> Any:
    if written[:1] == "[" and written[-1] == "]":
        return [_value(one.strip(), where) for one in apart(written[1:-1])]
    if written[:1] == "{" and written[-1] == "}":
        return _once(written[1:-1], where)
    if written[:1] == '"':
        return unquoted(written)
    return int(written) if written.isdecimal() else spelt(written)
