"""A verb's options, from one typed description of what it takes, which is called its request.

A request is a data class, or a struct of msgspec. Each of its fields is an argument, with its type,
its default and a sentence of help; a field that is a struct itself stands for the arguments that
this one has.
"""

import inspect
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, is_dataclass
from functools import cache, wraps
from inspect import Parameter
from pathlib import Path
from types import MappingProxyType, NoneType
from typing import Annotated, Any, Literal, final, get_args, get_origin, get_type_hints

import click

from askance_collect.cli.documents import FILE


@final
@dataclass(frozen=True, slots=True)
class Arg:
    """How an argument is typed and read; an annotation of the argument's field or of its type.

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
    path : click.Path
        What a path may be.
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
    path: click.Path = FILE
    choices: tuple[str, ...] = ()
    metavar: str | None = None
    without: tuple[str, ...] = ()


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Between:
    """Between which numbers a value lies; it annotates the type, as msgspec.Meta does elsewhere."""

    ge: float | None = None
    gt: float | None = None
    le: float | None = None

    def hold(self, value: float) -> bool:
        """Say whether a number lies within."""
        return (
            (self.ge is None or value >= self.ge)
            and (self.gt is None or value > self.gt)
            and (self.le is None or value <= self.le)
        )


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
        inspect.Parameter.empty where it is required.
    part : str
        The field of the request whose struct holds it; empty for one of the request itself.
    attribute : str
        The field's name in its struct.
    choices : tuple of str
        The texts that its value may be, if only some may.
    bounds : Between or msgspec.Meta, optional
        Between which numbers it lies, or each of several.
    """

    name: str
    flag: str
    help: str
    arg: Arg
    type: Any
    default: Any
    part: str
    attribute: str
    choices: tuple[str, ...]
    bounds: Between | None

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
        return words + _describe_bounds(self.bounds)

    @property
    def option(self) -> click.Option:
        """The option of the command line."""
        is_required = self.default is Parameter.empty
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
        is_required = self.default is Parameter.empty
        return click.Argument(
            [self.attribute],
            required=is_required,
            default=None if is_required else self.default,
            type=self._typed,
            metavar=self.arg.metavar,
            nargs=-1 if _origin(self.kind) is tuple else 1,
        )

    @property
    def _typed(self) -> Any:
        """What the command line takes: one value, or each of several values."""
        kind = get_args(self.kind)[0] if _origin(self.kind) is tuple else self.kind
        if self.choices:
            return click.Choice(self.choices)
        bounds = self.bounds
        if bounds is not None:
            within: Any = click.IntRange if _strip(kind) is int else click.FloatRange
            least = bounds.ge if bounds.gt is None else bounds.gt
            return within(least, bounds.le, min_open=bounds.gt is not None)
        if kind is Path:
            return self.arg.path
        return str if _origin(kind) is dict else kind


def _strip(kind: Any) -> Any:
    """Strip the annotations and None from a type."""
    if get_origin(kind) is Annotated:
        return _strip(get_args(kind)[0])
    several = get_args(kind) if NoneType in get_args(kind) else ()
    return next((_strip(member) for member in several if member is not NoneType), kind)


def _origin(kind: Any) -> Any:
    return get_origin(kind) or kind


def _find_bounds(kind: Any) -> Between | None:
    """Find the bounds of the numbers that a type takes, or takes several of."""
    for member in get_args(kind):
        bounds: Between | None = member if hasattr(member, "ge") else _find_bounds(member)
        if bounds is not None:
            return bounds
    return None


def _describe_bounds(bounds: Between | None) -> str:
    if bounds is None:
        return ""
    if bounds.gt is not None:
        return f" above {bounds.gt:,}"
    return (
        f", {bounds.ge:,} or more" if bounds.le is None else f" from {bounds.ge:,} to {bounds.le:,}"
    )


def _plain(markdown: str) -> str:
    """Remove the markup of code and links, for a terminal."""
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
        kind = _strip(hint)
        if _has_fields(kind):
            inner = list_arguments(kind, attribute)
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
            choices=get_args(kind) if get_origin(kind) is Literal else arg.choices,
            bounds=_find_bounds(hint),
        )


def _annotations(hint: Any) -> tuple[Any, ...]:
    """Return the annotations of a type; of an optional type, those of the type that is not None."""
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
    in_json = getattr(request, "__struct_encode_fields__", ())
    names = dict(zip(getattr(request, "__struct_fields__", ()), in_json, strict=True))
    for field in inspect.signature(request).parameters.values():
        yield field.name, names.get(field.name, field.name), field.default


def make_command(
    call: Callable[..., None], *, words: str | None = None, epilog: str | None = None
) -> click.Command:
    """Make a verb of a function that wraps one which takes a request, with its options.

    Parameters
    ----------
    call : callable
        Takes what was typed, by the names of the request's fields.
    words : str, optional
        How a form and the places of reports are called, where `call` tells them apart.
    epilog : str, optional
        What its help ends with.
    """
    arguments = list_arguments(request_of(call))
    parameters: list[click.Parameter] = [
        argument.placed for argument in arguments if not argument.flag
    ]
    if words is not None and any(parameter.nargs == -1 for parameter in parameters):
        parameters = [click.Argument(["words"], nargs=-1, required=True, metavar=words)]
    parameters += [argument.option for argument in arguments if argument.flag]
    name = call.__name__.rstrip("_").replace("_", "-")
    return click.command(name, params=parameters, epilog=epilog)(call)


def takes_request(*, epilog: str | None = None) -> Callable[[Callable[[Any], None]], click.Command]:
    """Make a verb of a function whose argument is a data class, as click has read its fields."""

    def decorate(run: Callable[[Any], None]) -> click.Command:
        request = request_of(run)
        assert request is not None  # it annotates the function's argument

        @wraps(run)
        def call(request_read: Any = None, **typed: Any) -> None:
            run(request_read or request(**typed))

        return make_command(call, epilog=epilog)

    return decorate


def request_of(run: Callable[..., Any] | None) -> Callable[..., Any] | None:
    """Give the request that a verb's function takes, if it takes one."""
    request = None if run is None else get_type_hints(inspect.unwrap(run)).get("request")
    return request if isinstance(request, type) and _has_fields(request) else None
