"""Arguments of another kind than their annotation names, refused where they are handed in.

Without this a dictionary given for a `Tally` fails three rooms below, with words about attributes
that the reader never wrote, and a missing number goes through to the end. Looked at are our own
classes, mappings and sequences of them, and plain numbers, texts, choices, pairs and functions: a
number is there and is a number. How large it may be is said by whoever uses it.
"""

import inspect
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from functools import cache, wraps
from numbers import Integral, Real
from pathlib import Path
from types import (
    BuiltinFunctionType,
    FunctionType,
    MethodType,
    MethodWrapperType,
    NoneType,
    UnionType,
)
from typing import Annotated, Any, Literal, ParamSpec, TypeVar, Union, final, get_args, get_origin

from askance_collect.errors import InputError

_P = ParamSpec("_P")
_T = TypeVar("_T")
_Kinds = tuple[type, ...]
_WORD = re.compile("[A-Z][a-z]*")
_FOUR_UP = Context(prec=4, rounding=ROUND_CEILING)
_FOUR_DOWN = Context(prec=4, rounding=ROUND_FLOOR)
_Reader = Callable[[Any], object]
_READERS: dict[type, _Reader] = {}
_REFUSALS: dict[str, tuple[str, str]] = {}
_FUNCTIONS = {FunctionType, BuiltinFunctionType, MethodType, MethodWrapperType}
_MAX_CHARACTERS = 60  # characters of what was got


@final
@dataclass(frozen=True, slots=True)
class _Wanted:
    """What an annotation accepts, and how a message describes it.

    Attributes
    ----------
    fits : function
        Whether it is such a thing.
    description : str
        What is allowed, in words.
    kind : type or None
        The class, where it is one.
    element_kinds : tuple of type
        The classes of what a mapping or sequence holds.
    """

    fits: Callable[[Any], bool]
    description: str
    kind: type | None = None
    element_kinds: _Kinds = ()


_CheckedParameter = tuple[int, str, tuple[_Wanted, ...], frozenset[type]]


def checked(function: Callable[_P, _T]) -> Callable[_P, _T]:
    """Validate the arguments of a function against its annotations, and refuse others.

    What the kind can be read from (`reads`) is read first. A whole number that is written as 3.0
    becomes 3, and a fraction given for a float becomes one.

    Raises
    ------
    InputError
        From the decorated function; it names the argument, what was got and what is allowed.

    >>> from askance import local_loss
    >>> from askance.inference import mean_inverse
    >>> local_loss(3)
    Traceback (most recent call last):
    askance_collect.errors.InputError: local_loss.channel: got 'int'; allowed: Channel (a row-sto...
    >>> mean_inverse(2.5, 0.5)
    Traceback (most recent call last):
    askance_collect.errors.InputError: n: got 2.5; allowed: a whole number
    """
    parameters: list[_CheckedParameter] | None = None

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> _T:
        nonlocal parameters
        parameters = _checked_parameters(function) if parameters is None else parameters
        for name in kwargs.keys() & _REFUSALS.keys():
            _refuse_unless_taken(function, name)
        if _are_plain(parameters, args, kwargs):
            return function(*args, **kwargs)
        positional, named = _read_arguments(function, parameters, args, kwargs)
        return function(*positional, **named)

    return call


@cache
def _parameters(function: Callable[..., Any]) -> Mapping[str, inspect.Parameter]:
    """What a function takes, read once: to read it takes longer than most calls."""
    return inspect.signature(function).parameters


def _refuse_unless_taken(function: Callable[..., Any], name: str) -> None:
    """Refuse an argument that only other functions take, with a remedy."""
    parameters = _parameters(function).values()
    if not any(
        parameter.name == name or parameter.kind is parameter.VAR_KEYWORD
        for parameter in parameters
    ):
        raise InputError(
            f"{function.__qualname__.removesuffix('.__init__')}.{name}",
            got=f"{name}=",
            allowed=_REFUSALS[name][0],
            remedy=_REFUSALS[name][1],
        )


def refuse_elsewhere(allowed: str, remedies: Mapping[str, str]) -> None:
    """Register remedies for arguments that a `checked` function does not take.

    Parameters
    ----------
    allowed : str
        What is assumed where none of the arguments is given.
    remedies : mapping of str to str
        For each argument, by its name, what takes it.
    """
    _REFUSALS.update({name: (allowed, remedy) for name, remedy in remedies.items()})


def reads(kind: type[_T], reader: Callable[[Any], _T | None]) -> None:
    """Register a reader, so that `checked` functions also accept what a kind can be read from.

    Parameters
    ----------
    kind : type
    reader : callable
        Gives one of the kind, or None where the thing is of another sort altogether.
    """
    _READERS[kind] = reader


def same_rows(**columns: Any) -> None:
    """Refuse columns of data frames whose row indexes differ.

    Arrays and lists have no names of rows: theirs are taken in the order in which they stand.

    Raises
    ------
    InputError
        If two indexes differ.

    >>> import pandas as pd
    >>> same_rows(reports=pd.Series(["yes"], index=[3]), weights=pd.Series([1.0]))
    Traceback (most recent call last):
    askance_collect.errors.InputError: weights: got 'another index than that of reports'; ...
    """
    first: tuple[str, Any] | None = None
    for name, column in columns.items():
        index = getattr(column, "index", None)
        if index is None or not hasattr(index, "equals"):
            continue
        if first is None:
            first = name, index
        elif not index.equals(first[1]):
            raise InputError(
                name,
                got=f"another index than that of {first[0]}",
                allowed="columns of one data frame, or rows in the same order",
                remedy=f"pair the rows by {first[0]}.index, or give .to_numpy() to pair them as "
                "they stand",
            )


def refusal(where: str, value: object, kinds: _Kinds) -> InputError:
    """Make the error for a value that is of none of the kinds that are allowed.

    >>> str(refusal("here", 3, (InputError,)))
    "here: got 'int'; allowed: InputError (a parameter that cannot be right)"
    """
    wanted = [kind for kind in kinds if kind is not NoneType]
    parts = {part.lower() for kind in wanted for part in _WORD.findall(kind.__name__)[-1:]}
    parts |= {"to_dict"} if Mapping in wanted else set()
    has = [f"its .{part} may give one" for part in sorted(parts) if hasattr(value, part)]
    return InputError(
        where,
        got=type(value).__name__,
        allowed=" or ".join(_describe_kind(kind) for kind in wanted),
        remedy="; ".join(has),
    )


def no_less(bound: float | Fraction) -> str:
    """Write the least that is allowed, rounded up to four digits: what is written is allowed.

    >>> no_less(2 / 3), no_less(Fraction(13, 25)), no_less(0.5)
    ('0.6667', '0.52', '0.5')
    """
    return _written(bound, _FOUR_UP)


def no_more(bound: float | Fraction) -> str:
    """Write the most that is allowed, rounded down to four digits: what is written is allowed.

    >>> no_more(2 / 3), no_more(5e8 / 3), no_more(Fraction(0))
    ('0.6666', '1.666e+08', '0')
    """
    return _written(bound, _FOUR_DOWN)


def _written(bound: float | Fraction, rounding: Context) -> str:
    exact = Fraction(bound)
    return f"{float(rounding.divide(Decimal(exact.numerator), Decimal(exact.denominator))):g}"


def _checked_parameters(function: Callable[..., Any]) -> list[_CheckedParameter]:
    """The place and name of each argument that is looked at, once it is first asked for."""
    parameters: list[_CheckedParameter] = []
    namespace = inspect.unwrap(function).__globals__
    for position, (name, parameter) in enumerate(_parameters(function).items()):
        if parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            written = parameter.annotation
            wanted = let_through(
                namespace.get(written, Any) if isinstance(written, str) else written
            )
            slot = sys.maxsize if parameter.kind is parameter.KEYWORD_ONLY else position
            parameters += [(slot, name, wanted, _plain_kinds(wanted))] if wanted else []
    return parameters


def _plain_kinds(wanted: Sequence[_Wanted]) -> frozenset[type]:
    """The classes whose instances are accepted without another check."""
    kinds = {
        option.kind for option in wanted if option.kind is not None and not option.element_kinds
    }
    for option in wanted:
        kinds |= {int} if option.fits is _is_whole else set()
        kinds |= _FUNCTIONS if option.fits is callable else set()
        kinds |= {dict} if option.kind is Mapping and not option.element_kinds else set()
    return frozenset(kinds)


def _are_plain(
    parameters: list[_CheckedParameter], args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> bool:
    """Whether every argument is left out or plainly of its kind, which is the usual case."""
    count = len(args)
    for slot, name, _, kinds in parameters:
        if slot < count:
            if type(args[slot]) not in kinds:
                return False
        elif name in kwargs and type(kwargs[name]) not in kinds:
            return False
    return True


def _read_arguments(
    function: Callable[..., Any],
    parameters: list[_CheckedParameter],
    args: tuple[Any, ...],
    kwargs: Mapping[str, Any],
) -> tuple[list[Any], dict[str, Any]]:
    """Convert a value that is not plainly of its kind, or refuse it."""
    title, positional, named, readable = function.__qualname__, list(args), {**kwargs}, False
    for slot, name, wanted, kinds in parameters:
        if slot < len(positional) and type(positional[slot]) not in kinds:
            positional[slot] = _read_argument(title, name, positional[slot], wanted)
        elif slot >= len(positional) and name in named and type(named[name]) not in kinds:
            named[name] = _read_argument(title, name, named[name], wanted)
        else:
            continue
        readable = readable or _has_reader(wanted)
    if readable:
        _pair_rows(function, (args, kwargs), (positional, named))
    return positional, named


def _pair_rows(function: Callable[..., Any], before: Any, after: Any) -> None:
    """Refuse columns with different row indices, if any of them was converted."""
    names = list(_parameters(function))
    original, read = (
        {**dict(zip(names, args, strict=False)), **more} for args, more in (before, after)
    )
    if any(
        read[name] is not original[name] and not isinstance(read[name], Real) for name in original
    ):
        same_rows(**original)


def _has_reader(wanted: Sequence[_Wanted]) -> bool:
    return any(
        kind in _READERS for option in wanted for kind in (option.kind, *option.element_kinds)
    )


def _read_as(value: Any, kinds: _Kinds) -> Any:
    """Read one of the kinds, or leave alone what cannot be read."""
    if isinstance(value, kinds):
        return value
    readings = (_READERS[kind](value) for kind in kinds if kind in _READERS)
    return next((reading for reading in readings if reading is not None), value)


def _read_argument(title: str, name: str, value: Any, wanted: Sequence[_Wanted]) -> Any:
    """What was given as one of the kinds, numbers as plain ones."""
    is_constructor = title.endswith(".__init__")
    title = title.removesuffix(".__init__")
    if _has_reader(wanted):
        value = _read_as(value, tuple(option.kind for option in wanted if option.kind is not None))
    fitting = [option for option in wanted if option.fits(value)]
    if fitting:
        if all(option.element_kinds for option in fitting):
            element_kinds = tuple(kind for option in fitting for kind in option.element_kinds)
            value = _look_inside(f"{title}.{name}", value, element_kinds)
        is_integer = any(option.fits is _is_whole for option in fitting)
        numeric = is_integer or any(option.fits is _is_number for option in fitting)
        return _to_plain_number(value, integer=is_integer) if numeric else value
    kinds = tuple(option.kind for option in wanted if option.kind is not None)
    if len(kinds) == len(wanted):
        raise refusal(f"{title}.{name}", value, kinds)
    text = repr(value) if isinstance(value, str | Real) else ""
    descriptions = [option.description for option in wanted if option.kind is not NoneType]
    raise InputError(
        f"{title}.{name}" if is_constructor else name,
        got=value if text and len(text) <= _MAX_CHARACTERS else type(value).__name__,
        allowed=" or ".join(dict.fromkeys(descriptions)),
    )


def _look_inside(where: str, container: Any, kinds: _Kinds) -> Any:
    """Read what a mapping holds, and refuse what is of none of the kinds."""
    if isinstance(container, Mapping):
        read = {key: _read_as(value, kinds) for key, value in container.items()}
        container = read if any(read[key] is not container[key] for key in read) else container
    pairs = container.items() if isinstance(container, Mapping) else enumerate(container)
    for key, value in pairs:
        if not isinstance(value, kinds):
            raise refusal(f"{where}[{key!r}]", value, kinds)
    return container


def _to_plain_number(value: Any, *, integer: bool) -> Any:
    if getattr(value, "shape", None) == () and not isinstance(value, Real):
        value = value.item()
    if integer and not isinstance(value, Integral):
        return int(value)
    return float(value) if isinstance(value, Fraction) else value


def _describe_kind(kind: type) -> str:
    if kind in (Mapping, Sequence):
        return "a mapping such as {name: …}" if kind is Mapping else "a list"
    summary = (kind.__doc__ or "").strip().split("\n")[0].rstrip(".").replace("``", "")
    name = kind.__name__.removeprefix("Abstract")
    ours = kind.__module__.startswith("askance")
    return f"{name} ({summary[0].lower()}{summary[1:]})" if ours and summary else name


def let_through(annotation: Any) -> tuple[_Wanted, ...]:
    """The values that an annotation accepts; empty where it accepts values that are not checked."""
    if get_origin(annotation) in (Union, UnionType):
        parts = [let_through(part) for part in get_args(annotation)]
        return tuple(option for part in parts for option in part) if all(parts) else ()
    if get_origin(annotation) is Annotated:
        inner, description = get_args(annotation)
        return tuple(
            replace(option, description=description, kind=None) for option in let_through(inner)
        )
    if get_origin(annotation) is Literal:
        words = get_args(annotation)
        description = ", ".join(f'"{word}"' for word in words)
        return (_Wanted(lambda value: isinstance(value, str) and value in words, description),)
    if annotation in _SIMPLE:
        return (_SIMPLE[annotation],)
    if get_origin(annotation) is tuple:
        return _accept_tuple(get_args(annotation))
    return _accept_class(annotation)


def _accept_class(annotation: Any) -> tuple[_Wanted, ...]:
    """The checks for our own classes and protocols, mappings and lists."""
    if annotation is None or annotation is NoneType:
        return (_Wanted(lambda value: value is None, "None", NoneType),)
    kind, element_kinds = get_origin(annotation) or annotation, _element_kinds(annotation)
    unseen = getattr(kind, "_is_protocol", False) and not getattr(
        kind, "_is_runtime_protocol", False
    )
    if not isinstance(kind, type) or unseen:
        return ()
    if kind.__name__ == "Callable":
        return (_Wanted(callable, "a function"),)
    if (kind is Sequence and not element_kinds) or kind.__name__ == "ndarray":
        return (_Wanted(_is_list, "a list"),)
    if kind in (Mapping, Sequence) or kind.__module__.startswith("askance"):
        return (
            _Wanted(
                lambda value: isinstance(value, kind), _describe_kind(kind), kind, element_kinds
            ),
        )
    return ()


def _accept_tuple(parts: tuple[Any, ...]) -> tuple[_Wanted, ...]:
    """A tuple of so many numbers, or of so many texts."""
    if len(set(parts)) != 1 or parts[0] not in (int, float, str):
        return ()
    fits = _SIMPLE[parts[0]].fits
    noun = "texts" if parts[0] is str else "numbers"
    return (
        _Wanted(
            lambda value: (
                _is_list(value)
                and len(listed := list(value)) == len(parts)
                and all(map(fits, listed))
            ),
            f"{len(parts)} {noun}",
        ),
    )


def _element_kinds(annotation: Any) -> _Kinds:
    """The classes of what a mapping or sequence holds."""
    if get_origin(annotation) not in (Mapping, Sequence):
        return ()
    inner = let_through(get_args(annotation)[-1])
    kinds = tuple(option.kind for option in inner if option.kind is not None)
    return kinds if len(kinds) == len(inner) and Mapping not in kinds else ()


def _is_number(value: Any) -> bool:
    if getattr(value, "shape", None) == () and hasattr(value, "item"):
        value = value.item()
    return not isinstance(value, bool) and isinstance(value, Real) and bool(value == value)


def _is_whole(value: Any) -> bool:
    return _is_number(value) and (isinstance(value, Integral) or float(value).is_integer())


def is_boolean(value: object) -> bool:
    """Say whether a value is True or False, of Python or of an array's kind of booleans.

    >>> import numpy as np
    >>> [is_boolean(value) for value in (True, np.False_, 1, np.array([True]))]
    [True, True, False, False]
    """
    kind = getattr(getattr(value, "dtype", None), "kind", "")
    return isinstance(value, bool) or (kind == "b" and getattr(value, "shape", None) == ())


def _is_list(value: Any) -> bool:
    single = isinstance(value, str | bytes | Mapping | set | frozenset)
    return hasattr(value, "__iter__") and getattr(value, "shape", None) != () and not single


_SIMPLE = {
    float: _Wanted(_is_number, "a number"),
    int: _Wanted(_is_whole, "a whole number"),
    bool: _Wanted(is_boolean, "True or False"),
    str: _Wanted(lambda value: isinstance(value, str), "a text"),
    bytes: _Wanted(lambda value: isinstance(value, bytes), "bytes", bytes),
    Path: _Wanted(lambda value: isinstance(value, Path), "a path"),
}
