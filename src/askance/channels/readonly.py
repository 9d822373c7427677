"""Arrays: read from what callers give, handed out unchangeable, written as JSON holds them."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from askance.errors import InputError
from askance.typing import Floats, Json


def read_only(values: npt.ArrayLike) -> Floats:
    """Copy values into an array of doubles that refuses to be written to.

    >>> read_only([0.25, 0.75]).flags.writeable
    False
    """
    array = np.array(values, dtype=np.float64)
    array.setflags(write=False)
    return array


def keep_read_only(result: object, names: str) -> None:
    """Copy arrays that a frozen result was given, so that nobody else can change them."""
    for name in names.split():
        object.__setattr__(result, name, read_only(getattr(result, name)))


def doubles(values: object, where: str) -> Floats:
    """Read an array of doubles; what is missing (None, NaN, NA, a masked number) is NaN.

    Raises
    ------
    InputError
        If it holds anything but numbers (texts, dates and complex ones are none), or rows of
        unequal length.

    >>> doubles("half", "prevalence")
    Traceback (most recent call last):
    askance.errors.InputError: prevalence: got 'half'; allowed: numbers
    >>> doubles(np.ma.array([1.0, 2.0], mask=[False, True]), "outcome").tolist()
    [1.0, nan]
    """
    try:
        held = values if isinstance(values, np.ndarray) else np.asarray(values)
        if held.dtype.kind == "O":
            held = np.array([_number(one) for one in held.ravel()]).reshape(held.shape)
        if held.dtype.kind in "biuf":
            told = np.asarray(held, dtype=np.float64)
            mask = np.ma.getmaskarray(held) if isinstance(held, np.ma.MaskedArray) else False
            return np.where(mask, np.nan, told) if np.any(mask) else told
    except (TypeError, ValueError) as error:
        raise InputError(where, got=values, allowed="numbers") from error
    dates = held.dtype.kind in "mM"
    remedy = "turn dates into numbers, such as years since one of them" if dates else ""
    got = values if held.size < 10 and not dates else f"an array of {held.dtype}"
    raise InputError(where, got=got, allowed="numbers", remedy=remedy)


def numbers(values: object, where: str) -> Floats:
    """Read an array of doubles of which none is missing.

    Raises
    ------
    InputError
        As in `doubles`, or if one is missing.

    >>> numbers([1, None], "at")
    Traceback (most recent call last):
    askance.errors.InputError: at[1]: got 'nothing'; allowed: numbers, none missing
    """
    told = doubles(values, where)
    if np.isnan(told).any():
        at = np.unravel_index(int(np.argmax(np.isnan(told))), told.shape)
        place = f"[{', '.join(map(str, at))}]" if at else ""
        raise InputError(f"{where}{place}", got="nothing", allowed="numbers, none missing")
    return told


def function_values(function: Callable[[Any], Any], at: Floats, where: str) -> Floats:
    """Ask a function of an array for as many doubles; what is no number there is NaN.

    Raises
    ------
    InputError
        If it gives anything else.

    >>> function_values(lambda t: 0.5, np.zeros(3), "phi")
    Traceback (most recent call last):
    askance.errors.InputError: phi: got 'shape () for shape (3,)'; allowed: a function of an...
    """
    with np.errstate(all="ignore"):
        told = doubles(function(at), where)
    if told.shape != np.shape(at):
        raise InputError(
            where,
            got=f"shape {told.shape} for shape {np.shape(at)}",
            allowed="a function of an array that gives as many numbers",
        )
    return told


def is_missing(value: Any) -> bool:
    """Say whether a value says that there is none: None, NaN, NaT, NA or a masked one.

    >>> [is_missing(one) for one in (None, float("nan"), np.datetime64("NaT"), np.ma.masked, 0, "")]
    [True, True, True, True, False, False]
    """
    if value is None or value is np.ma.masked:
        return True
    try:
        return bool(value != value)
    except TypeError:  # of NA no one can say whether it is itself
        return type(value).__name__ == "NAType"
    except ValueError:
        return False


def _number(value: Any) -> float:
    if isinstance(value, str | bytes):
        raise TypeError("a text")
    return math.nan if is_missing(value) else float(value)


def plain_json(value: Any) -> Any:
    """Write arrays as lists and whatever is not finite as None, at any depth.

    >>> plain_json({"ends": np.array([-np.inf, 2.0])})
    {'ends': [None, 2.0]}
    """
    if isinstance(value, dict):
        return {str(name): plain_json(entry) for name, entry in value.items()}
    if isinstance(value, np.ndarray | list | tuple):
        return [plain_json(entry) for entry in value]
    if isinstance(value, np.integer):
        return int(value)
    if isinstance(value, float | np.floating):
        return float(value) if math.isfinite(value) else None
    return value


def json_of(result: Any, names: str = "") -> Json:
    """Write attributes of a result for JSON: those named, or all that it was made of.

    >>> json_of(np.float64(0.5), "real imag")
    {'real': 0.5, 'imag': 0.0}
    """
    return {name: plain_json(getattr(result, name)) for name in names.split() or result.__slots__}
