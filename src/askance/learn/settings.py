"""Settings of the learners, refused at fit where they cannot be right."""

import math
from numbers import Real
from typing import Any

from askance.errors import InputError


def choice(value: Any, where: str, *words: str) -> None:
    """Refuse a word that is none of these.

    >>> choice("median", "response", "mean", "score")
    Traceback (most recent call last):
    askance.errors.InputError: response: got 'median'; allowed: "mean" or "score"
    """
    if value not in words:
        allowed = " or ".join(f'"{word}"' for word in words)
        raise InputError(where, got=value, allowed=allowed)


def number(given: Any) -> float:
    """Read a number; NaN where it is none.

    >>> number(2), number("2")
    (2.0, nan)
    """
    return float(given) if isinstance(given, Real) else math.nan


def tolerance(tol: Any) -> float:
    """Read how little may move at the end.

    >>> tolerance(1e-4)
    0.0001
    """
    read = number(tol)
    if not read >= 0:
        raise InputError("tol", got=tol, allowed="a number in [0, ∞)")
    return read


def known_scale(scale: Any, *words: str) -> float | None:
    """Read a scale that is known; None where a word says how it is found.

    >>> known_scale(2, "held-out"), known_scale("held-out", "held-out")
    (2.0, None)
    """
    if isinstance(scale, str) and scale in words:
        return None
    read = number(scale)
    if not 0 < read < math.inf:
        named = ", ".join(f'"{word}"' for word in words)
        raise InputError("scale", got=scale, allowed=f"{named}, or a number in (0, ∞)")
    return read
