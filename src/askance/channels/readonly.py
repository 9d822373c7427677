"""Results that hand out arrays without being changed, and are written as JSON can hold them."""

import math
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
    """Read an array of doubles.

    Raises
    ------
    InputError
        If it holds anything but numbers, or rows of unequal length.

    >>> doubles("half", "prevalence")
    Traceback (most recent call last):
    askance.errors.InputError: prevalence: got 'half'; allowed: numbers
    """
    try:
        return np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(where, got=values, allowed="numbers") from error


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
