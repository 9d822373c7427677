"""Channels and mass functions as JSON: every part is there, known and a number where it must be."""

import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from askance.channels.frame import Frame
from askance.channels.lattice import Mass
from askance.errors import DocumentError, InputError
from askance.exact.ratio import ratio
from askance.typing import Json

_FRACTION = re.compile(r"[0-9]{1,4000}/0*[1-9][0-9]{0,3999}")  # a text of digits is read so far


def masses_written(frame: Frame, masses: Mapping[int, Mass]) -> Json:
    """Write masses set by set.

    >>> masses_written(Frame(["a"]), {1: Fraction(1)})
    {'frame': ['a'], 'masses': [{'set': ['a'], 'mass': '1'}]}
    """
    told = [
        {"set": list(frame.names(focal)), "mass": mass}
        for focal, mass in zip(masses, numbers_written(masses.values()), strict=True)
    ]
    return {"frame": list(frame.answers), "masses": told}


def masses_opened(written: Any) -> tuple[Frame, dict[int, Mass]]:
    """Read what `masses_written` wrote.

    Raises
    ------
    DocumentError
        If a part is missing, unknown, twice there or no number.

    >>> masses_opened({"frame": ["a"], "masses": [{"set": ["a"], "mass": "1"}]})
    (Frame(answers=('a',)), {1: Fraction(1, 1)})
    """
    answers, told = opened(written, "mass function", ("frame", "masses"))
    frame = Frame(strings(answers, "frame"))
    parts = [
        opened(one, f"masses[{at}]", ("set", "mass"))
        for at, one in enumerate(listed(told, "masses"))
    ]
    shares = numbers_read([share for _, share in parts], "masses")
    masses: dict[int, Mass] = {}
    for at, ((names, _), share) in enumerate(zip(parts, shares, strict=True)):
        focal = frame.mask(strings(names, f"masses[{at}].set"))
        if focal in masses:
            raise DocumentError(f"masses[{at}].set", got=names, allowed="each set once")
        masses[focal] = share
    return frame, masses


def channel_opened(
    written: Any,
) -> tuple[Frame, Frame, dict[str, list[str]], list[list[Any]]]:
    """Read a channel's frame, output, reports with meanings, and rows.

    Raises
    ------
    DocumentError
        If a part is missing, unknown, twice there or of the wrong kind.

    >>> report = {"name": "a", "means": ["a"]}
    >>> one = {"frame": ["a"], "output": ["a"], "reports": [report], "matrix": [["1"]]}
    >>> channel_opened(one)[2:]
    ({'a': ['a']}, [[Fraction(1, 1)]])
    """
    parts = ("frame", "output", "reports", "matrix")
    answers, outputs, told, matrix = opened(written, "channel", parts)
    reports: dict[str, list[str]] = {}
    for at, one in enumerate(listed(told, "reports")):
        name, means = opened(one, f"reports[{at}]", ("name", "means"))
        if not isinstance(name, str) or name in reports:
            raise DocumentError(f"reports[{at}].name", got=name, allowed="different names")
        reports[name] = strings(means, f"reports[{at}].means")
    rows = [
        numbers_read(listed(row, f"matrix[{at}]"), f"matrix[{at}]")
        for at, row in enumerate(listed(matrix, "matrix"))
    ]
    return Frame(strings(answers, "frame")), Frame(strings(outputs, "output")), reports, rows


def opened(written: Any, where: str, parts: Sequence[str]) -> tuple[Any, ...]:
    """Take a JSON object apart.

    Raises
    ------
    DocumentError
        If it is no object, or a part is missing or unknown.

    >>> opened({"frame": ["a"], "masses": []}, "mass function", ("frame", "masses"))
    (['a'], [])
    """
    if not isinstance(written, dict) or set(written) != set(parts):
        got = sorted(written) if isinstance(written, dict) else type(written).__name__
        raise DocumentError(where, got=got, allowed=f"an object with {', '.join(parts)}")
    return tuple(written[part] for part in parts)


def numbers_written(numbers: Iterable[Mass]) -> list[str | float]:
    """Write Fractions as strings such as "3/5" and doubles as they are.

    >>> numbers_written([Fraction(3, 5), Fraction(2)]), numbers_written([0.6])
    (['3/5', '2'], [0.6])
    """
    return [str(one) if isinstance(one, Fraction) else float(one) for one in numbers]


def numbers_read(written: Iterable[Any], where: str) -> list[Mass]:
    """Read numbers back: exactly where all are strings or integers, as doubles otherwise.

    Raises
    ------
    DocumentError
        If one is no number.

    >>> numbers_read(["3/5", 2], "row"), numbers_read(["3/5", 0.5], "row")
    ([Fraction(3, 5), Fraction(2, 1)], [0.6, 0.5])
    """
    given = list(written)
    try:
        exact = [_number(one, f"{where}[{at}]") for at, one in enumerate(given)]
    except InputError as error:
        raise DocumentError(error.where, got=error.got, allowed=error.allowed) from error
    if any(isinstance(one, float) for one in given):
        return [one if isinstance(one, float) else float(exact[at]) for at, one in enumerate(given)]
    return list(exact)


def _number(one: Any, where: str) -> Fraction:
    """Read a number; a fraction of any length, since `numbers_written` writes them so."""
    return Fraction(one) if isinstance(one, str) and _FRACTION.fullmatch(one) else ratio(one, where)


def strings(written: Any, where: str) -> list[str]:
    """Read a list of names.

    >>> strings(["a", "b"], "frame")
    ['a', 'b']
    """
    if not isinstance(written, list) or not all(isinstance(one, str) for one in written):
        raise DocumentError(where, got=written, allowed="a list of names")
    return written


def listed(written: Any, where: str) -> list[Any]:
    """Read a list.

    >>> listed([1], "matrix")
    [1]
    """
    if not isinstance(written, list):
        raise DocumentError(where, got=type(written).__name__, allowed="a list")
    return written
