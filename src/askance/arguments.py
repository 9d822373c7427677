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

from askance.errors import InputError

_P = ParamSpec("_P")
_T = TypeVar("_T")
_Kinds = tuple[type, ...]
_WORD = re.compile("[A-Z][a-z]*")
_FOUR_UP = Context(prec=4, rounding=ROUND_CEILING)
_FOUR_DOWN = Context(prec=4, rounding=ROUND_FLOOR)
_Reader = Callable[[Any], object]
_READERS: dict[type, _Reader] = {}
_FUNCTIONS = {FunctionType, BuiltinFunctionType, MethodType, MethodWrapperType}
_SHOWN = 60  # characters of what was got


@final
@dataclass(frozen=True, slots=True)
class _Wanted:
    """What an annotation lets through, and how it is told.

    Attributes
    ----------
    fits : function
        Whether it is such a thing.
    told : str
        What is allowed, in words.
    kind : type or None
        The class, where it is one.
    held : tuple of type
        The classes of what a mapping or sequence holds.
    """

    fits: Callable[[Any], bool]
    told: str
    kind: type | None = None
    held: _Kinds = ()


_Asked = tuple[int, str, tuple[_Wanted, ...], frozenset[type]]


def checked(function: Callable[_P, _T]) -> Callable[_P, _T]:
    """Let a function refuse an argument that is not of the kind its annotation names.

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
    askance.errors.InputError: local_loss.channel: got 'int'; allowed: Channel (a row-stochastic...
    >>> mean_inverse(2.5, 0.5)
    Traceback (most recent call last):
    askance.errors.InputError: n: got 2.5; allowed: a whole number
    """
    asked: list[_Asked] | None = None

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> _T:
        nonlocal asked
        asked = _asked(function) if asked is None else asked
        for name in kwargs.keys() & _OF_SAMPLES.keys():
            _refuse_of_samples(function, name)
        if _all_plain(asked, args, kwargs):
            return function(*args, **kwargs)
        taken, named = _all_read(function, asked, args, kwargs)
        return function(*taken, **named)

    return call


_OF_SAMPLES = {
    "design": "tallies, estimate_line, cdf_intervals, count_items and regressions take one; "
    "errors of any other number are those of replicated(jackknife(design), …)",
    "replicates": "ReplicateWeights(weights=…, replicates=…, scale=…) is a design: give it as "
    "design=, or to tally, where one is taken",
    "weights": "tally(…, weights=…) and regressions take sampling weights; elsewhere they belong "
    "into a design: SamplingDesign(weights=…); how often a range came is Ranges(…, counts=…)",
    "inclusion": "npmle, cdf_intervals, quantile_intervals, functional_interval and scrambled_mean "
    "take chances to be heard of; chances to be drawn belong into "
    "SamplingDesign(probabilities=…)",
}
"""What is said of a sample, and what takes it."""


@cache
def _parameters(function: Callable[..., Any]) -> Mapping[str, inspect.Parameter]:
    """What a function takes, read once: to read it takes longer than most calls."""
    return inspect.signature(function).parameters


def _refuse_of_samples(function: Callable[..., Any], name: str) -> None:
    """Refuse what is said of a sample where it is not taken, and say what takes it."""
    taken = _parameters(function).values()
    if not any(one.name == name or one.kind is one.VAR_KEYWORD for one in taken):
        raise InputError(
            f"{function.__qualname__.removesuffix('.__init__')}.{name}",
            got=f"{name}=",
            allowed="none: people count as drawn alike, each by themselves",
            remedy=_OF_SAMPLES[name],
        )


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
    parts = {part.lower() for kind in wanted for part in _WORD.findall(kind.__name__)[-1:]}
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


def _asked(function: Callable[..., Any]) -> list[_Asked]:
    """The place and name of each argument that is looked at, once it is first asked for."""
    found: list[_Asked] = []
    known = inspect.unwrap(function).__globals__
    for at, (name, one) in enumerate(_parameters(function).items()):
        if one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD):
            written = one.annotation
            wanted = let_through(known.get(written, Any) if isinstance(written, str) else written)
            place = sys.maxsize if one.kind is one.KEYWORD_ONLY else at
            found += [(place, name, wanted, _plain_kinds(wanted))] if wanted else []
    return found


def _plain_kinds(wanted: Sequence[_Wanted]) -> frozenset[type]:
    """The classes whose instances are taken as they are, without another look."""
    kinds = {one.kind for one in wanted if one.kind is not None and not one.held}
    for one in wanted:
        kinds |= {int} if one.fits is _is_whole else set()
        kinds |= _FUNCTIONS if one.fits is callable else set()
        kinds |= {dict} if one.kind is Mapping and not one.held else set()
    return frozenset(kinds)


def _all_plain(asked: list[_Asked], args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> bool:
    """Say whether every argument is left out, or just what is asked for: it most often is."""
    count = len(args)
    for at, name, _, kinds in asked:
        if at < count:
            if type(args[at]) not in kinds:
                return False
        elif name in kwargs and type(kwargs[name]) not in kinds:
            return False
    return True


def _all_read(
    function: Callable[..., Any],
    asked: list[_Asked],
    args: tuple[Any, ...],
    kwargs: Mapping[str, Any],
) -> tuple[list[Any], dict[str, Any]]:
    """Read what is not just what is asked for, or refuse it."""
    title, taken, named, readable = function.__qualname__, list(args), {**kwargs}, False
    for at, name, wanted, kinds in asked:
        if at < len(taken) and type(taken[at]) not in kinds:
            taken[at] = _read(title, name, taken[at], wanted)
        elif at >= len(taken) and name in named and type(named[name]) not in kinds:
            named[name] = _read(title, name, named[name], wanted)
        else:
            continue
        readable = readable or _readable(wanted)
    if readable:
        _pair_rows(function, (args, kwargs), (taken, named))
    return taken, named


def _pair_rows(function: Callable[..., Any], before: Any, after: Any) -> None:
    """Refuse columns that name their rows differently, where one of them was read."""
    names = list(_parameters(function))
    given, read = (
        {**dict(zip(names, args, strict=False)), **more} for args, more in (before, after)
    )
    if any(read[name] is not given[name] and not isinstance(read[name], Real) for name in given):
        same_rows(**given)


def _readable(wanted: Sequence[_Wanted]) -> bool:
    return any(kind in _READERS for one in wanted for kind in (one.kind, *one.held))


def _from_reader(given: Any, kinds: _Kinds) -> Any:
    """Read one of the kinds, or leave alone what cannot be read."""
    if isinstance(given, kinds):
        return given
    found = (_READERS[kind](given) for kind in kinds if kind in _READERS)
    return next((one for one in found if one is not None), given)


def _read(title: str, name: str, given: Any, wanted: Sequence[_Wanted]) -> Any:
    """What was given as one of the kinds, numbers as plain ones."""
    made = title.endswith(".__init__")
    title = title.removesuffix(".__init__")
    if _readable(wanted):
        given = _from_reader(given, tuple(one.kind for one in wanted if one.kind is not None))
    fitting = [one for one in wanted if one.fits(given)]
    if fitting:
        if all(one.held for one in fitting):
            held = tuple(kind for one in fitting for kind in one.held)
            given = _look_inside(f"{title}.{name}", given, held)
        whole = any(one.fits is _is_whole for one in fitting)
        numeric = whole or any(one.fits is _is_number for one in fitting)
        return _plain(given, whole=whole) if numeric else given
    kinds = tuple(one.kind for one in wanted if one.kind is not None)
    if len(kinds) == len(wanted):
        raise refusal(f"{title}.{name}", given, kinds)
    shown = repr(given) if isinstance(given, str | Real) else ""
    told = [one.told for one in wanted if one.kind is not NoneType]
    raise InputError(
        f"{title}.{name}" if made else name,
        got=given if shown and len(shown) <= _SHOWN else type(given).__name__,
        allowed=" or ".join(dict.fromkeys(told)),
    )


def _look_inside(where: str, given: Any, held: _Kinds) -> Any:
    """Read what a mapping holds, and refuse what is of none of the kinds."""
    if isinstance(given, Mapping):
        read = {key: _from_reader(value, held) for key, value in given.items()}
        given = read if any(read[key] is not given[key] for key in read) else given
    pairs = given.items() if isinstance(given, Mapping) else enumerate(given)
    for key, value in pairs:
        if not isinstance(value, held):
            raise refusal(f"{where}[{key!r}]", value, held)
    return given


def _plain(given: Any, *, whole: bool) -> Any:
    if getattr(given, "shape", None) == () and not isinstance(given, Real):
        given = given.item()
    if whole and not isinstance(given, Integral):
        return int(given)
    return float(given) if isinstance(given, Fraction) else given


def _told(kind: type) -> str:
    if kind in (Mapping, Sequence):
        return "a mapping such as {name: …}" if kind is Mapping else "a list"
    said = (kind.__doc__ or "").strip().split("\n")[0].rstrip(".").replace("``", "")
    name = kind.__name__.removeprefix("Abstract")
    ours = kind.__module__.startswith("askance.")
    return f"{name} ({said[0].lower()}{said[1:]})" if ours and said else name


def let_through(annotation: Any) -> tuple[_Wanted, ...]:
    """What to let through; nothing where anything else is allowed besides."""
    if get_origin(annotation) in (Union, UnionType):
        parts = [let_through(part) for part in get_args(annotation)]
        return tuple(one for part in parts for one in part) if all(parts) else ()
    if get_origin(annotation) is Annotated:
        inner, told = get_args(annotation)
        return tuple(replace(one, told=told, kind=None) for one in let_through(inner))
    if get_origin(annotation) is Literal:
        words = get_args(annotation)
        told = ", ".join(f'"{word}"' for word in words)
        return (_Wanted(lambda given: isinstance(given, str) and given in words, told),)
    if annotation in _SIMPLE:
        return (_SIMPLE[annotation],)
    if get_origin(annotation) is tuple:
        return _pair(get_args(annotation))
    return _object(annotation)


def _object(annotation: Any) -> tuple[_Wanted, ...]:
    """Our own classes and what can be told to be like them, mappings and lists."""
    if annotation is None or annotation is NoneType:
        return (_Wanted(lambda given: given is None, "None", NoneType),)
    kind, held = get_origin(annotation) or annotation, _held(annotation)
    unseen = getattr(kind, "_is_protocol", False) and not getattr(
        kind, "_is_runtime_protocol", False
    )
    if not isinstance(kind, type) or unseen:
        return ()
    if kind.__name__ == "Callable":
        return (_Wanted(callable, "a function"),)
    if (kind is Sequence and not held) or kind.__name__ == "ndarray":
        return (_Wanted(_is_list, "a list"),)
    if kind in (Mapping, Sequence) or kind.__module__.startswith("askance."):
        return (_Wanted(lambda given: isinstance(given, kind), _told(kind), kind, held),)
    return ()


def _pair(parts: tuple[Any, ...]) -> tuple[_Wanted, ...]:
    """A tuple of so many numbers, or of so many texts."""
    if len(set(parts)) != 1 or parts[0] not in (int, float, str):
        return ()
    fits = _SIMPLE[parts[0]].fits
    told = "texts" if parts[0] is str else "numbers"
    return (
        _Wanted(
            lambda given: (
                _is_list(given)
                and len(listed := list(given)) == len(parts)
                and all(map(fits, listed))
            ),
            f"{len(parts)} {told}",
        ),
    )


def _held(annotation: Any) -> _Kinds:
    """The classes of what a mapping or sequence holds."""
    if get_origin(annotation) not in (Mapping, Sequence):
        return ()
    inner = let_through(get_args(annotation)[-1])
    kinds = tuple(one.kind for one in inner if one.kind is not None)
    return kinds if len(kinds) == len(inner) and Mapping not in kinds else ()


def _is_number(given: Any) -> bool:
    if getattr(given, "shape", None) == () and hasattr(given, "item"):
        given = given.item()
    return not isinstance(given, bool) and isinstance(given, Real) and bool(given == given)


def _is_whole(given: Any) -> bool:
    return _is_number(given) and (isinstance(given, Integral) or float(given).is_integer())


def _is_truth(given: Any) -> bool:
    return type(given).__name__ in ("bool", "bool_")


def _is_list(given: Any) -> bool:
    single = isinstance(given, str | bytes | Mapping | set | frozenset)
    return hasattr(given, "__iter__") and getattr(given, "shape", None) != () and not single


_SIMPLE = {
    float: _Wanted(_is_number, "a number"),
    int: _Wanted(_is_whole, "a whole number"),
    bool: _Wanted(_is_truth, "True or False"),
    str: _Wanted(lambda given: isinstance(given, str), "a text"),
    bytes: _Wanted(lambda given: isinstance(given, bytes), "bytes", bytes),
    Path: _Wanted(lambda given: isinstance(given, Path), "a path"),
}
