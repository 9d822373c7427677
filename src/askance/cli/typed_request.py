"""The JSON of a verb's call, and what was typed, read into its request."""

from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from inspect import Parameter
from typing import Any, TypeVar, get_type_hints

import click

from askance_collect.cli.request_options import (
    Argument,
    Between,
    list_arguments,
    make_command,
    request_of,
)
from askance_collect.errors import InputError, nearest
from askance_collect.exact.ratio import spelt

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
    import msgspec

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
