"""What is typed in one word, a mechanism or lists in brackets and quotes, and the same in JSON."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from askance_collect.errors import InputError
from askance_collect.exact.ratio import spelt

_PAIR = re.compile(r'\s*("(?:[^"]|"")*"|[^="\s][^=]*?)\s*=\s*(\S|\S.*\S)\s*', re.DOTALL)
_PLAIN = re.compile(r'[^\s"=,\[\]{}](?:[^"=,\[\]{}]*[^\s"=,\[\]{}])?')


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


_BEFORE = ("", "=", '"', ",", "[", "{")  # what a value, and so a quote, may come after


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


Recipe = dict[str, Any]
"""A mechanism as a survey file has it: its name, and its parameters beside it."""


def read_recipe(written: str) -> Recipe:
    """Read a mechanism that is typed, with the parameters of a survey file.

    >>> read_recipe("progressive:number=4,floor=1/5")
    {'name': 'progressive', 'number': 4, 'floor': '1/5'}
    """
    name, numbers = named(written, "--mechanism")
    return {"name": name, **numbers}


def convert_recipe(value: Any) -> Recipe:
    """Make sure that a value has the name of a mechanism.

    Raises
    ------
    TypeError
        If it has none.

    >>> convert_recipe({"name": "warner", "truth": "3/4"})["truth"]
    '3/4'
    """
    if not _is_recipe(value):
        raise TypeError(value)
    return dict(value)


def _is_recipe(value: Any) -> bool:
    return isinstance(value, Mapping) and isinstance(value.get("name"), str)


def read_recipes(written: Sequence[str]) -> dict[str, Any]:
    """Read mechanisms that are typed: one, or those of several groups by the groups' names.

    Raises
    ------
    InputError
        If there are several and one has no group, or a group has two.

    >>> read_recipes(["few=warner:truth=3/4", "many=warner:truth=4/5"])["many"]
    {'name': 'warner', 'truth': '4/5'}
    """
    recipes: dict[str, Recipe] = {}
    for text in written:
        pair = _OF_GROUP.fullmatch(text)
        if (pair is None and len(written) > 1) or (pair is not None and pair[1] in recipes):
            raise InputError(
                "--mechanism",
                got=text,
                allowed="one, or of several groups GROUP=NAME:KEY=VALUE,…, each group once",
            )
        if pair is None:
            return read_recipe(text)
        recipes[pair[1]] = read_recipe(pair[2])
    return recipes


_OF_GROUP = re.compile(r"\s*([^:=]*[^:=\s])\s*=\s*(.+)", re.DOTALL)


def convert_recipes(value: Any) -> dict[str, Recipe]:
    """Give each group's mechanism by the group's name, and one of everybody by an empty name.

    Raises
    ------
    TypeError
        If a mechanism has no name.

    >>> convert_recipes({"name": "warner", "truth": "3/4"})
    {'': {'name': 'warner', 'truth': '3/4'}}
    """
    if _is_recipe(value):
        return {"": dict(value)}
    if not isinstance(value, Mapping):
        raise TypeError(value)
    return {group: convert_recipe(recipe) for group, recipe in value.items()}


def format_recipes(recipes: Mapping[str, Recipe]) -> list[str]:
    """Write mechanisms of groups as they are typed.

    >>> format_recipes({"few": {"name": "warner", "truth": "3/4"}})
    ['few=warner:truth=3/4']
    """
    return [
        f"{group}={format_recipe(recipe)}" if group else format_recipe(recipe)
        for group, recipe in recipes.items()
    ]


def format_recipe(recipe: Recipe) -> str:
    """Write a mechanism as it is typed.

    >>> format_recipe({"name": "crosswise", "harmless": "1/4"})
    'crosswise:harmless=1/4'
    """
    return write_named(*split_recipe(recipe))


def split_recipe(recipe: Recipe) -> tuple[str, dict[str, Any]]:
    """Take the name and the parameters of a mechanism apart.

    >>> split_recipe({"name": "crosswise", "harmless": "1/4"})
    ('crosswise', {'harmless': '1/4'})
    """
    return recipe["name"], {key: value for key, value in recipe.items() if key != "name"}
