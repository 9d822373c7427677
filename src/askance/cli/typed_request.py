"""A verb's options, and the JSON of its call, from one typed description of the request.

A request is a struct of msgspec, or a data class where the verb runs without msgspec. Each of its
fields is an argument, with its type, its default and a sentence of help; a field that is a struct
or a data class itself stands for the arguments that this one has.
"""

import inspect
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields, is_dataclass
from functools import cache, wraps
from pathlib import Path
from types import MappingProxyType, NoneType
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Literal,
    TypeVar,
    final,
    get_args,
    get_origin,
    get_type_hints,
)

import click

from askance_collect.cli.documents import FILE
from askance_collect.errors import InputError, nearest
from askance_collect.exact.ratio import spelt

if TYPE_CHECKING:
    import msgspec

Request = TypeVar("Request")


@final
@dataclass(frozen=True, slots=True)
class Arg:
    """How an argument is typed and read; it annotates the argument's field, or the field's type.

    Attributes
    ----------
    flag : str or None
        On the command line, if it is not the argument's name; empty for what stands without a flag.
    help : str
        A sentence of Markdown, where several requests have the argument; else that of the
        attribute in the docstring of its struct.
    read : callable or None
        Reads what was typed, or of an option that may be repeated all of it, as JSON has it.
    convert : callable or None
        Reads the argument in JSON, where its type does not say all.
    allowed : str
        What `convert` takes, in words.
    exact : bool
        Whether it is text that holds numbers, and may be a number of JSON.
    folder : bool
        Whether a path is that of a folder.
    choices : tuple of str
        The texts that are allowed, where the type does not list them.
    metavar : str
        How its value is called in the usage of the command line.
    without : tuple of str
        For a field that is a struct: its arguments that the request leaves out.
    """

    flag: str | None = None
    help: str = ""
    read: Callable[[Any], Any] | None = None
    convert: Callable[[Any], Any] | None = None
    allowed: str = ""
    exact: bool = False
    folder: bool = False
    choices: tuple[str, ...] = ()
    metavar: str | None = None
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
        A sentence of Markdown.
    arg : Arg
        How it is typed and read.
    type : type
        What it holds.
    default : object
        dataclasses.MISSING where it is required.
    part : str
        The field of the request whose struct holds it; empty for one of the request itself.
    attribute : str
        The field's name in its struct.
    """

    name: str
    flag: str
    help: str
    arg: Arg
    type: Any
    default: Any
    part: str
    attribute: str

    @property
    def kind(self) -> Any:
        """The type of its value, without None and without what annotates it."""
        return _strip(self.type)

    @property
    def allowed(self) -> str:
        """What its value may be, in words."""
        if self.arg.allowed:
            return self.arg.allowed
        if self.choices:
            return ", ".join(self.choices)
        words = "a number, or text with one" if self.arg.exact else _ALLOWED[_origin(self.kind)]
        return words + _describe_bounds(_find_bounds(self.type))

    @property
    def choices(self) -> tuple[str, ...]:
        """The texts that its value may be, if only some may."""
        return get_args(self.kind) if get_origin(self.kind) is Literal else self.arg.choices

    @property
    def option(self) -> click.Option:
        """The option of the command line."""
        is_required = self.default is MISSING
        default = None if is_required else self.default
        is_switch = self.kind is bool and default is None
        flag = f"{self.flag}/--no-{self.flag[2:]}" if is_switch else self.flag
        more: dict[str, Any] = {"default": default, "show_default": default is not None}
        if self.kind is bool and default is not None:
            more |= {"is_flag": True, "flag_value": not default, "show_default": False}
        elif _origin(self.kind) in (tuple, dict) and default is not None:
            more |= {"multiple": True, "default": (), "show_default": False}
        return click.Option(
            [flag, self.attribute],
            required=is_required,
            help=_plain(self.help),
            type=self._typed,
            metavar=self.arg.metavar,
            **more,
        )

    @property
    def placed(self) -> click.Argument:
        """The argument of the command line, where it stands without a flag."""
        is_required = self.default is MISSING
        return click.Argument(
            [self.attribute],
            required=is_required,
            default=None if is_required else self.default,
            type=self._typed,
            metavar=self.arg.metavar,
        )

    @property
    def _typed(self) -> Any:
        """What the command line takes, or each of several."""
        kind = get_args(self.kind)[0] if _origin(self.kind) is tuple else self.kind
        if self.choices:
            return click.Choice(self.choices)
        bounds = _find_bounds(self.type)
        if bounds is not None:
            within: Any = click.IntRange if _strip(kind) is int else click.FloatRange
            least = bounds.ge if bounds.gt is None else bounds.gt
            return within(least, bounds.le, min_open=bounds.gt is not None)
        if kind is Path:
            return click.Path(file_okay=False, path_type=Path) if self.arg.folder else FILE
        return str if _origin(kind) is dict else kind


def _strip(kind: Any) -> Any:
    """Take away what annotates a type, and None beside it."""
    if get_origin(kind) is Annotated:
        return _strip(get_args(kind)[0])
    several = get_args(kind) if NoneType in get_args(kind) else ()
    return next((_strip(member) for member in several if member is not NoneType), kind)


def _origin(kind: Any) -> Any:
    return get_origin(kind) or kind


def _find_bounds(kind: Any) -> "msgspec.Meta | None":
    """Find the bounds of the numbers that a type takes, or takes several of."""
    for member in get_args(kind):
        bounds: msgspec.Meta | None = member if hasattr(member, "ge") else _find_bounds(member)
        if bounds is not None:
            return bounds
    return None


def _describe_bounds(bounds: "msgspec.Meta | None") -> str:
    if bounds is None:
        return ""
    if bounds.gt is not None:
        return f" above {bounds.gt:,}"
    return (
        f", {bounds.ge:,} or more" if bounds.le is None else f" from {bounds.ge:,} to {bounds.le:,}"
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
def list_arguments(request: Any, part: str = "") -> tuple[Argument, ...]:
    """List the arguments of a request, those of structs within it in their place."""
    return tuple(_arguments(request, part))


def _arguments(request: Any, part: str) -> Iterator[Argument]:
    hints, sentences = get_type_hints(request, include_extras=True), _read_attributes(request)
    for attribute, name, default in _list_fields(request):
        hint = hints[attribute]
        args = [arg for arg in _annotations(hint) if isinstance(arg, Arg)]
        arg = args[0] if args else Arg()
        if _has_fields(_strip(hint)):
            inner = list_arguments(_strip(hint), attribute)
            yield from (argument for argument in inner if argument.name not in arg.without)
            continue
        yield Argument(
            name=name,
            flag=f"--{name.replace('_', '-')}" if arg.flag is None else arg.flag,
            help=arg.help or sentences[attribute],
            arg=arg,
            type=hint,
            default=default,
            part=part,
            attribute=attribute,
        )


def _annotations(hint: Any) -> tuple[Any, ...]:
    """Give what annotates a type, or the type beside None."""
    if get_origin(hint) is Annotated:
        return get_args(hint)[1:]
    members = get_args(hint) if NoneType in get_args(hint) else ()
    return tuple(found for member in members for found in _annotations(member))


def _read_attributes(request: type) -> dict[str, str]:
    """Read what a struct's docstring says of each attribute."""
    listed = inspect.cleandoc(request.__doc__ or "").partition("----------\n")[2]
    entries = re.findall(r"^(\w+) : .*\n((?: +.*\n?)+)", listed, re.MULTILINE)
    return {name: " ".join(text.split()) for name, text in entries}


def _has_fields(kind: Any) -> bool:
    """Say whether a type is a data class, or a struct of msgspec."""
    return is_dataclass(kind) or hasattr(kind, "__struct_fields__")


def _list_fields(request: Any) -> Iterator[tuple[str, str, Any]]:
    """List the fields of a request, each with its name in JSON and its default."""
    if is_dataclass(request):
        for field in fields(request):
            make = field.default_factory
            yield field.name, field.name, field.default if make is MISSING else make()
        return
    from msgspec import NODEFAULT
    from msgspec.structs import fields as list_fields

    for member in list_fields(request):
        is_made = member.default_factory is not NODEFAULT
        default = MISSING if member.required else member.default
        yield member.name, member.encode_name, member.default_factory() if is_made else default


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
        elif argument.default is MISSING:
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
        return msgspec.convert(value, argument.type, dec_hook=lambda kind, text: kind(text))
    except (msgspec.ValidationError, TypeError):
        raise InputError(argument.name, got=value, allowed=argument.allowed) from None


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
        placed = [argument for argument in arguments if not argument.flag]
        parameters: list[click.Parameter] = [argument.placed for argument in placed]
        if any(_origin(argument.kind) is tuple for argument in placed):
            parameters = [click.Argument(["words"], nargs=-1, required=True, metavar=words)]
        parameters += [argument.option for argument in arguments if argument.flag]

        @wraps(run)
        def call(request_read: Any = None, **typed: Any) -> None:
            if request_read is None and is_dataclass(request):  # as click has read it
                request_read = request(**typed)
            run(request_read or read_request(request, _name_typed(arguments, typed)))

        name = run.__name__.rstrip("_").replace("_", "-")
        return click.command(name, params=parameters, epilog=epilog)(call)

    return decorate


def request_of(run: Callable[..., Any] | None) -> Callable[..., Any] | None:
    """Give the request that a verb's function takes, if it takes one."""
    request = None if run is None else get_type_hints(inspect.unwrap(run)).get("request")
    return request if isinstance(request, type) and _has_fields(request) else None


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
