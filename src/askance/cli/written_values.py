"""Values as they are typed: lists, sets, names with numbers, and how they are written again."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from askance_collect.errors import InputError
from askance_collect.exact.ratio import spelt

_PAIR = re.compile(r'\s*("(?:[^"]|"")*"|[^="\s][^=]*?)\s*=\s*(\S|\S.*\S)\s*', re.DOTALL)
_PLAIN = re.compile(r'[^\s"=,\[\]{}](?:[^"=,\[\]{}]*[^\s"=,\[\]{}])?')
_BEFORE = ("", "=", '"', ",", "[", "{")  # what a value, and so a quote, may come after


def named(written: str, where: str) -> tuple[str, dict[str, Any]]:
    """Read a name with its numbers, as they are typed.

    >>> named("sld:carriers=yes,says=no", "--model")
    ('sld', {'carriers': 'yes', 'says': 'no'})
    >>> named('forced:forced={"yes, often"=.2,no=1/6}', "--mechanism")
    ('forced', {'forced': {'yes, often': '0.2', 'no': '1/6'}})
    """
    name, colon, rest = written.partition(":")
    return name.strip(), _read_unique(rest, where) if colon else {}


def write_named(name: str, numbers: Mapping[str, Any]) -> str:
    """Write a name with its numbers as they are typed.

    >>> write_named("forced", {"forced": {"yes, often": "0.2", "no": "1/6"}})
    'forced:forced={"yes, often"=0.2,no=1/6}'
    >>> write_named("hidden", {"harmless": ["1/4", "3/4"]}), write_named("direct", {})
    ('hidden:harmless=[1/4,3/4]', 'direct')
    """
    return f"{name}:{_write_pairs(numbers)}" if numbers else name


def _write_pairs(numbers: Mapping[str, Any]) -> str:
    return ",".join(f"{_write_value(key)}={_write_value(value)}" for key, value in numbers.items())


def _write_value(value: Any) -> str:
    if isinstance(value, Mapping):
        return f"{{{_write_pairs(value)}}}"
    if isinstance(value, list):
        return f"[{','.join(map(_write_value, value))}]"
    text = str(value)
    return text if _PLAIN.fullmatch(text) else '"' + text.replace('"', '""') + '"'


def _read_unique(written: str, where: str) -> dict[str, Any]:
    """Read keys and their values, each key once."""
    pairs: dict[str, Any] = {}
    for key, value in _pairs(written, where):
        if key in pairs:
            raise InputError(where, got=f"{key} twice", allowed="each key once")
        pairs[key] = value
    return pairs


def _pairs(written: str, where: str) -> Iterator[tuple[str, Any]]:
    for part in split_list(written):
        pair = _PAIR.fullmatch(part)
        if pair is None:
            raise InputError(where, got=part, allowed="KEY=VALUE with commas between: harmless=1/4")
        yield unquote(pair[1]), _value(pair[2], where)


def unquote(written: str) -> str:
    """Remove quotes around a text; two quotes within it mean one."""
    quoted = len(written) > 1 and written[0] == written[-1] == '"'
    return written[1:-1].replace('""', '"') if quoted else written


def read_texts(written: str) -> list[str]:
    """Read a list with commas between, in which quotes go round a text with a comma.

    >>> read_texts('yes, "no, never"')
    ['yes', 'no, never']
    """
    return [unquote(part.strip()) for part in split_list(written)]


def write_texts(texts: Iterable[str]) -> str:
    """Write a list as it is typed.

    >>> write_texts(["yes", "no, never"])
    'yes,"no, never"'
    """
    return ",".join(map(_write_value, texts))


def convert_texts(value: Any) -> list[str]:
    """Read a list of texts, a list of numbers with all their digits, or a single one.

    Raises
    ------
    TypeError
        If it is something else.

    >>> convert_texts([0.2, ".3", "1/2"]), convert_texts(0.5)
    (['0.2', '0.3', '1/2'], ['0.5'])
    """
    members = value if isinstance(value, list | tuple) else [value]
    if not all(isinstance(member, str | int | float) for member in members) or any(
        isinstance(member, bool) for member in members
    ):
        raise TypeError(value)
    return [spelt(str(member)) for member in members]


def convert_names(value: Any) -> list[str]:
    """Take a list of names as they are; a number is its digits.

    Raises
    ------
    TypeError
        If it is something else.

    >>> convert_names([".5", "yes", 1])
    ['.5', 'yes', '1']
    """
    spelled = convert_texts(value)
    members = value if isinstance(value, list | tuple) else [value]
    pairs = zip(members, spelled, strict=True)
    return [member if isinstance(member, str) else digits for member, digits in pairs]


def read_sets(written: Sequence[str]) -> dict[str, list[str]]:
    """Read answers that are counted together, by a name.

    >>> read_sets(['now and then = "at times, seldom",often'])
    {'now and then': ['at times, seldom', 'often']}
    """
    return dict(map(_read_set, written))


def _read_set(written: str) -> tuple[str, list[str]]:
    name, equals, answers = (part.strip() for part in written.partition("="))
    if not (name and equals and answers):
        raise InputError("--set", got=written, allowed="NAME=ANSWER,ANSWER: ever=daily,often")
    return name, [unquote(part.strip()) for part in split_list(answers)]


def split_list(written: str) -> list[str]:
    """Take a list apart at its commas, but for those in brackets, or in quotes that begin a value.

    >>> split_list('"a, b"=c,d=[1,2],5" pipe=e,f=["}",2]')
    ['"a, b"=c', 'd=[1,2]', '5" pipe=e', 'f=["}",2]']
    """
    parts, depth, inside = [""], 0, False
    for sign in written:
        if sign == '"':
            inside = not inside and parts[-1].rstrip()[-1:] in _BEFORE
        depth += 0 if inside else (sign in "[{") - (sign in "]}")
        if sign == "," and not depth and not inside:
            parts.append("")
        else:
            parts[-1] += sign
    return parts


def _value(written: str, where: str) -> Any:
    if written[:1] == "[" and written[-1] == "]":
        return [_value(part.strip(), where) for part in split_list(written[1:-1])]
    if written[:1] == "{" and written[-1] == "}":
        return _read_unique(written[1:-1], where)
    if written[:1] == '"':
        return unquote(written)
    return int(written) if written.isdecimal() else spelt(written)
