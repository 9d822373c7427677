"""A verb's request, read from JSON or from what was typed, and the values that are typed."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import wraps
from inspect import Parameter
from pathlib import Path
from typing import Annotated, Any, TypeVar, get_type_hints

import click
import msgspec

from askance.results import hearing_notes
from askance_collect.cli.request_options import (
    Arg,
    Argument,
    Between,
    list_arguments,
    make_command,
    request_of,
)
from askance_collect.errors import AskanceError, InputError, nearest
from askance_collect.exact.ratio import spelt

Exact = Annotated[str, Arg(exact=True)]
"""A number with all its digits: text such as `1/6` or `.05`, or a number of JSON."""

Positive = Annotated[int, msgspec.Meta(ge=1)]
"""A number of people, draws or repetitions."""

PrintJson = Annotated[bool, Arg(help="Print JSON.")]
"""Whether a verb that has no other format prints JSON."""

Level = Annotated[float, Arg(help="The confidence level of the intervals.")]
GroupColumn = Annotated[
    str | None, Arg(help="The column of groups, where each has a `--mechanism` of its own.")
]
Noncompliance = Annotated[
    tuple[str, ...],
    Arg(
        flag="--model",
        help="Who [does not comply](#people-who-do-not-comply): `cheating`, `sld`, "
        "`self-protective:says=REPORT`, `random` or `one-sayers`; again for several kinds.",
    ),
]
Browser = Annotated[Path | None, Arg(help="A Chromium, if not the one on the command path.")]


Request = TypeVar("Request")


def read_request(request: Callable[..., Request], values: Mapping[str, Any]) -> Request:
    """Read a request from its arguments by name, as JSON or the command line has them.

    Raises
    ------
    InputError
        If an argument is unknown, missing, or of another type; it is named.
    """
    arguments = {argument.name: argument for argument in list_arguments(request)}
    for name in values:
        if name not in arguments:
            remedy = nearest(name, tuple(arguments))
            raise InputError("request", got=name, allowed=", ".join(arguments), remedy=remedy)
    parts: dict[str, dict[str, Any]] = {"": {}}
    for name, argument in arguments.items():
        if name in values:
            part = parts.setdefault(argument.part, {})
            part[argument.attribute] = _convert(argument, values[name])
        elif argument.default is Parameter.empty:
            raise InputError(name, got="nothing", allowed=argument.allowed)
    own, hints = parts.pop(""), get_type_hints(request)
    return request(**own, **{part: hints[part](**inner) for part, inner in parts.items()})


def _convert(argument: Argument, value: Any) -> Any:
    if argument.arg.exact:
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        value = spelt(str(value) if is_number else value)
    try:
        if argument.choices and value not in (*argument.choices, argument.default):
            raise TypeError(value)
        if argument.arg.convert is not None and value is not None:
            value = argument.arg.convert(value)
        read = msgspec.convert(value, argument.type, dec_hook=lambda kind, text: kind(text))
        if isinstance(argument.bounds, Between) and not argument.bounds.hold(read):
            raise TypeError(read)
    except (msgspec.ValidationError, TypeError):
        raise InputError(argument.name, got=value, allowed=argument.allowed) from None
    return read


def takes_request(
    *, words: str = "FORM REPORTS...", epilog: str | None = None
) -> Callable[[Callable[[Any], None]], click.Command]:
    """Make a verb of a function whose argument is a request: its options are those of the request.

    Parameters
    ----------
    words : str
        How a form and the places of reports are called, which stand without flags.
    epilog : str, optional
        What its help ends with.
    """

    def decorate(run: Callable[[Any], None]) -> click.Command:
        request = request_of(run)
        assert request is not None  # it annotates the function's argument
        arguments = list_arguments(request)

        @wraps(run)
        def call(request_read: Any = None, **typed: Any) -> None:
            with _naming_standard_input(), _echoing_notes():
                run(request_read or read_request(request, _name_typed(arguments, typed)))

        return make_command(call, words=words, epilog=epilog)

    return decorate


def _name_typed(arguments: Sequence[Argument], typed: Mapping[str, Any]) -> dict[str, Any]:
    """Map what was typed to the names of the arguments in JSON."""
    named = {}
    if "words" in typed:
        form, *places = [None, *typed["words"]] if typed["mechanism"] else typed["words"]
        named = {"form": form, "reports": [_spooled(place) for place in places]}
    for argument in arguments:
        if argument.attribute in typed:
            value, read = typed[argument.attribute], argument.arg.read
            value = value if argument.flag else _spooled(value)
            named[argument.name] = value if read is None or value is None else read(value)
    return named


def _spooled(place: Any) -> Any:
    """Give the file in which standard input is kept, where a place names it."""
    if str(place) != "-":
        return place
    from askance.engines.files import spool_standard_input

    return str(spool_standard_input())


@contextmanager
def _naming_standard_input() -> Iterator[None]:
    """Name standard input in an error, not the file in which it is kept."""
    try:
        yield
    except AskanceError as error:
        from askance.engines.files import name_standard_input

        error.where = name_standard_input(error.where)
        raise


@contextmanager
def _echoing_notes() -> Iterator[None]:
    """Write on standard error how tables are read, where that should be known."""
    with hearing_notes() as notes:
        try:
            yield
        finally:
            for path, note in notes:
                from askance.engines.files import name_standard_input

                click.echo(f"{name_standard_input(path)} {note}", err=True)


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
