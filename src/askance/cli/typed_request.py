"""A verb's options, and the JSON of its call, from one typed description of the request.

A request is a struct. Each of its fields is an argument, with its type, its default and a sentence
of help; a field that is a struct itself stands for the arguments that this one has.
"""

import inspect
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, wraps
from pathlib import Path
from types import MappingProxyType, NoneType
from typing import Annotated, Any, Literal, TypeVar, final, get_args, get_origin, get_type_hints

import click
import msgspec

from askance.cli.replicate_bar import replicate_progress
from askance_collect.cli.documents import FILE
from askance_collect.errors import InputError, nearest

Request = TypeVar("Request", bound=msgspec.Struct)


@final
@dataclass(frozen=True, slots=True)
class Arg:
    """How an argument is typed on the command line; it annotates the argument's field.

    Attributes
    ----------
    flag : str or None
        On the command line, if it is not the argument's name; empty for what stands without a flag.
    read : callable or None
        Reads one typed text as a name and its value, where the option may be repeated.
    without : tuple of str
        For a field that is a struct: its arguments that the request leaves out.
    """

    flag: str | None = None
    read: Callable[[str], tuple[str, Any]] | None = None
    without: tuple[str, ...] = ()


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Argument:
    """One argument of a call.

    Attributes
    ----------
    name : str
        In JSON, and in R.
    flag : str
        On the command line; empty for what stands without a flag.
    help : str
        A sentence of Markdown, from the docstring of its struct.
    read : callable or None
        Reads one typed text as a name and its value, where the option may be repeated.
    type : type
        What it holds.
    default : object
        msgspec.NODEFAULT where it is required.
    part : str
        The field of the request whose struct holds it; empty for one of the request itself.
    attribute : str
        The field's name in its struct.
    """

    name: str
    flag: str
    help: str
    read: Callable[[str], tuple[str, Any]] | None
    type: Any
    default: Any
    part: str
    attribute: str

    @property
    def kind(self) -> Any:
        """The type of its value, without None."""
        kinds = get_args(self.type) if NoneType in get_args(self.type) else (self.type,)
        return next(kind for kind in kinds if kind is not NoneType)

    @property
    def allowed(self) -> str:
        """What its value may be, in words."""
        if get_origin(self.kind) is Literal:
            return ", ".join(get_args(self.kind))
        return _ALLOWED[get_origin(self.kind) or self.kind]

    @property
    def option(self) -> click.Option:
        """The option of the command line."""
        is_required = self.default is msgspec.NODEFAULT
        default = None if is_required else self.default
        is_switch = self.kind is bool and default is None
        flag = f"{self.flag}/--no-{self.flag[2:]}" if is_switch else self.flag
        more: dict[str, Any] = {"default": default, "show_default": default is not None}
        if self.kind is bool and default is not None:
            more |= {"is_flag": True, "flag_value": not default, "show_default": False}
        elif get_origin(self.kind) in (tuple, dict):
            more |= {"multiple": True, "default": (), "show_default": False}
        elif get_origin(self.kind) is Literal:
            more["type"] = click.Choice(get_args(self.kind))
        else:
            more["type"] = FILE if self.kind is Path else self.kind
        return click.Option(
            [flag, self.attribute], required=is_required, help=_plain(self.help), **more
        )


def _plain(markdown: str) -> str:
    """Take the marks of code and links away, for a terminal."""
    return re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", markdown).replace("`", "")


_ALLOWED: Mapping[Any, str] = MappingProxyType(
    {
        bool: "true or false",
        int: "a whole number",
        float: "a number",
        str: "text",
        Path: "the name of a file",
        tuple: "a list of texts",
        dict: "lists of texts by name",
    }
)


@cache
def list_arguments(request: type[msgspec.Struct], part: str = "") -> tuple[Argument, ...]:
    """List the arguments of a request, those of structs within it in their place."""
    return tuple(_arguments(request, part))


def _arguments(request: type[msgspec.Struct], part: str) -> Iterator[Argument]:
    hints, sentences = get_type_hints(request, include_extras=True), _read_attributes(request)
    for field in msgspec.structs.fields(request):
        hint, arg = hints[field.name], Arg()
        if get_origin(hint) is Annotated:
            hint, arg = get_args(hint)
        if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
            inner = list_arguments(hint, field.name)
            yield from (argument for argument in inner if argument.name not in arg.without)
            continue
        name = field.encode_name
        yield Argument(
            name=name,
            flag=f"--{name.replace('_', '-')}" if arg.flag is None else arg.flag,
            help=sentences[field.name],
            read=arg.read,
            type=hint,
            default=_default(field),
            part=part,
            attribute=field.name,
        )


def _read_attributes(request: type[msgspec.Struct]) -> dict[str, str]:
    """Read what a struct's docstring says of each attribute."""
    listed = inspect.cleandoc(request.__doc__ or "").partition("----------\n")[2]
    entries = re.findall(r"^(\w+) : .*\n((?: +.*\n?)+)", listed, re.MULTILINE)
    return {name: " ".join(text.split()) for name, text in entries}


def _default(field: msgspec.structs.FieldInfo) -> Any:
    is_made = field.default_factory is not msgspec.NODEFAULT
    return field.default_factory() if is_made else field.default


def read_request(request: type[Request], values: Mapping[str, Any]) -> Request:
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
        elif argument.default is msgspec.NODEFAULT:
            raise InputError(name, got="nothing", allowed=argument.allowed)
    own, hints = parts.pop(""), get_type_hints(request)
    return request(**own, **{part: hints[part](**inner) for part, inner in parts.items()})


def _convert(argument: Argument, value: Any) -> Any:
    try:
        return msgspec.convert(value, argument.type, dec_hook=lambda kind, text: kind(text))
    except (msgspec.ValidationError, TypeError):
        raise InputError(argument.name, got=value, allowed=argument.allowed) from None


def takes_request(
    request: type[Request], name: str | None = None, words: str = "FORM REPORTS..."
) -> Callable[[Callable[[Request], None]], click.Command]:
    """Make a verb of a function that takes a request: its options are those of the request.

    Parameters
    ----------
    request : type of struct
    name : str, optional
        The verb's, if not the function's.
    words : str
        How a form and the places of reports are called, which stand without flags.
    """
    arguments = list_arguments(request)
    placed = [argument for argument in arguments if not argument.flag]
    several = len(placed) > 1
    parameters: list[click.Parameter] = [
        click.Argument(["words"], nargs=-1, required=True, metavar=words)
        if several
        else click.Argument([argument.name for argument in placed])
    ]
    parameters += [argument.option for argument in arguments if argument.flag]

    def decorate(run: Callable[[Request], None]) -> click.Command:
        @wraps(run)
        def call(request_read: Request | None = None, **typed: Any) -> None:
            with replicate_progress():
                run(request_read or read_request(request, _name_typed(arguments, typed)))

        return click.command(name or run.__name__, params=parameters)(call)

    return decorate


def _name_typed(arguments: Sequence[Argument], typed: Mapping[str, Any]) -> dict[str, Any]:
    """Map what was typed to the names of the arguments in JSON."""
    named = {}
    if "words" in typed:
        form, *places = [None, *typed["words"]] if typed["mechanism"] else typed["words"]
        named = {"form": form, "reports": places}
    for argument in arguments:
        if argument.attribute in typed:
            value = typed[argument.attribute]
            named[argument.name] = dict(map(argument.read, value)) if argument.read else value
    return named
