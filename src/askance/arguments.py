"""Arguments of another kind than their annotation names, refused where they are handed in.

Without this a dictionary given for a `Tally` fails three rooms below, with words about attributes
that the reader never wrote. Only our own classes, and mappings and sequences of them, are looked
at: what numbers an argument may hold is said by whoever uses them.
"""

import inspect
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from functools import wraps
from types import NoneType, UnionType
from typing import Any, ParamSpec, TypeVar, Union, get_args, get_origin

from askance.errors import InputError

_P = ParamSpec("_P")
_T = TypeVar("_T")
_FOUR_UP = Context(prec=4, rounding=ROUND_CEILING)
_FOUR_DOWN = Context(prec=4, rounding=ROUND_FLOOR)
_Kinds = tuple[type, ...]
_Reader = Callable[[Any], object]
_WORD = re.compile("[A-Z][a-z]*")
_READERS: dict[type, _Reader] = {}


def checked(function: Callable[_P, _T]) -> Callable[_P, _T]:
    """Let a function refuse an argument that is not of the kind its annotation names.

    What the kind can be read from (`reads`) is read first.

    Raises
    ------
    InputError
        From the decorated function; it names the argument, what was got and what is allowed.

    >>> from askance import local_loss
    >>> local_loss(3)
    Traceback (most recent call last):
    askance.errors.InputError: local_loss.channel: got 'int'; allowed: Channel (a row-stochastic...
    """
    asked = [
        (sys.maxsize if one.kind is one.KEYWORD_ONLY else at, name, kind, held)
        for at, (name, one) in enumerate(inspect.signature(function).parameters.items())
        if one.kind is not one.VAR_POSITIONAL
        and any((kind := _kinds(one.annotation), held := _held(one.annotation)))
    ]
    title = function.__qualname__.removesuffix(".__init__")
    names = list(inspect.signature(function).parameters)
    readable = {name: (kind, held) for _, name, kind, held in asked if _readable(kind + held)}

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> _T:
        named = {**dict(zip(names, args, strict=False)), **kwargs} if readable else {}
        read = {name: _read(named[name], *readable[name]) for name in readable if name in named}
        if any(one is not named[name] for name, one in read.items()):
            same_rows(**named)
            args = (*map(read.get, names, args), *args[len(names) :])
            kwargs |= {name: read[name] for name in read if name in kwargs}
        for at, name, kind, held in asked:
            if at < len(args) or name in kwargs:
                _demand(f"{title}.{name}", args[at] if at < len(args) else kwargs[name], kind, held)
        return function(*args, **kwargs)

    return call


def reads(kind: type[_T], reader: Callable[[Any], _T | None]) -> None:
    """Let every `checked` function that takes a kind take what it can be read from, too.

    Parameters
    ----------
    kind : type
    reader : callable
        Gives one of the kind, or None where the thing is of another sort altogether.
    """
    _READERS[kind] = reader


def same_rows(**given: Any) -> None:
    """Refuse columns of data frames that name their rows differently.

    Arrays and lists have no names of rows: theirs are taken in the order in which they stand.

    Raises
    ------
    InputError
        If two indexes differ.

    >>> import pandas as pd
    >>> same_rows(reports=pd.Series(["yes"], index=[3]), weights=pd.Series([1.0]))
    Traceback (most recent call last):
    askance.errors.InputError: weights: got 'another index than that of reports'; ...
    """
    first: tuple[str, Any] | None = None
    for name, one in given.items():
        index = getattr(one, "index", None)
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


def refusal(where: str, given: object, kinds: _Kinds) -> InputError:
    """Say that a thing is not of one of these kinds, and what each of them is.

    >>> str(refusal("here", 3, (InputError,)))
    "here: got 'int'; allowed: InputError (a parameter that cannot be right)"
    """
    wanted = [kind for kind in kinds if kind is not NoneType]
    parts = {_WORD.findall(kind.__name__)[-1].lower() for kind in wanted}
    parts |= {"to_dict"} if Mapping in wanted else set()
    has = [f"its .{part} may give one" for part in sorted(parts) if hasattr(given, part)]
    return InputError(
        where,
        got=type(given).__name__,
        allowed=" or ".join(_told(kind) for kind in wanted),
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


def _readable(kinds: _Kinds) -> bool:
    return any(kind in _READERS for kind in kinds)


def _read(given: Any, kinds: _Kinds, held: _Kinds) -> Any:
    """Read one of the kinds, or what a mapping holds; leave alone what cannot be read."""
    if Mapping in kinds and isinstance(given, Mapping):
        read = {key: _read(value, held, ()) for key, value in given.items()}
        return read if any(read[key] is not given[key] for key in read) else given
    if isinstance(given, kinds):
        return given
    found = (_READERS[kind](given) for kind in kinds if kind in _READERS)
    return next((one for one in found if one is not None), given)


def _demand(where: str, given: object, kinds: _Kinds, held: _Kinds) -> None:
    if kinds and not isinstance(given, kinds):
        raise refusal(where, given, kinds)
    if held and isinstance(given, Mapping):
        for key, value in given.items():
            _demand(f"{where}[{key!r}]", value, held, ())
    elif held and isinstance(given, Sequence):
        for at, value in enumerate(given):
            _demand(f"{where}[{at}]", value, held, ())


def _told(kind: type) -> str:
    if kind in (Mapping, Sequence):
        return "a mapping such as {name: …}" if kind is Mapping else "a list"
    said = (kind.__doc__ or "").strip().split("\n")[0].rstrip(".").replace("``", "")
    name = kind.__name__.removeprefix("Abstract")
    ours = kind.__module__.startswith("askance.")
    return f"{name} ({said[0].lower()}{said[1:]})" if ours and said else name


def _kinds(annotation: Any) -> _Kinds:
    """Give the classes to look for; none where anything else is allowed besides."""
    if get_origin(annotation) in (Union, UnionType):
        parts = [_kinds(part) for part in get_args(annotation)]
        return tuple(kind for part in parts for kind in part) if all(parts) else ()
    if annotation is None or annotation is NoneType:
        return (NoneType,)
    kind = get_origin(annotation) or annotation
    if not isinstance(kind, type) or getattr(kind, "_is_protocol", False):
        return ()
    known = kind is Mapping or (kind is Sequence and _held(annotation))
    return (kind,) if known or kind.__module__.startswith("askance.") else ()


def _held(annotation: Any) -> _Kinds:
    """Give the classes of what a mapping or sequence holds."""
    if get_origin(annotation) not in (Mapping, Sequence):
        return ()
    kinds = _kinds(get_args(annotation)[-1])
    return kinds if Mapping not in kinds else ()
