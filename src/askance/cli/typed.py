"""What is typed in one word: a name with its numbers, and lists in brackets and quotes."""

from collections.abc import Iterator
from typing import Any

from askance.errors import InputError
from askance.exact.ratio import spelt


def named(written: str, where: str) -> tuple[str, dict[str, Any]]:
    """Read a name with its numbers, as they are typed.

    >>> named("sld:carriers=yes,says=no", "--model")
    ('sld', {'carriers': 'yes', 'says': 'no'})
    """
    name, colon, rest = spelt(written).partition(":")
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
        key, equals, value = (one.strip() for one in part.partition("="))
        if not equals or not key or not value:
            raise InputError(where, got=part, allowed="KEY=VALUE with commas between: harmless=1/4")
        yield key, _value(value, where)


def unquoted(written: str) -> str:
    """Take quotes away, of which two stand for one within."""
    quoted = len(written) > 1 and written[0] == written[-1] == '"'
    return written[1:-1].replace('""', '"') if quoted else written


def apart(written: str) -> list[str]:
    """Take a list apart at its commas, but for those in brackets, or in quotes that begin a value.

    >>> apart('"a, b"=c,d=[1,2],5" pipe=e')
    ['"a, b"=c', 'd=[1,2]', '5" pipe=e']
    """
    found, depth, inside = [""], 0, False
    for sign in written:
        if sign == '"':
            inside = not inside and found[-1].rstrip()[-1:] in ("", "=", '"')
        depth += 0 if inside else (sign in "[{") - (sign in "]}")
        if sign == "," and not depth and not inside:
            found.append("")
        else:
            found[-1] += sign
    return found


def _value(written: str, where: str) -> Any:
    if written[0] == "[" and written[-1] == "]":
        return [one.strip() for one in apart(written[1:-1])]
    if written[0] == "{" and written[-1] == "}":
        return _once(written[1:-1], where)
    return int(written) if written.isdecimal() else written
