"""Distributions that a survey file can name, with the parameters that surveys report."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

import numpy as np
import numpy.typing as npt

from askance.errors import InputError, refuse_unknown
from askance.exact.ratio import ratio
from askance.typing import Floats

Made = Callable[..., Any]

_WRITTEN = re.compile(r'\{ name = "(\w+)", (\w+) = (\S+), (\w+) = (\S+) \}')


def _normal(mean: float, sd: float) -> Any:
    from scipy.stats import norm

    return norm(mean, sd)


def _logistic(mean: float, sd: float) -> Any:
    from scipy.stats import logistic

    return logistic(mean, sd * 3**0.5 / np.pi)


def _lognormal(median: float, spread: float) -> Any:
    from scipy.stats import lognorm

    return lognorm(np.log(spread), scale=median)


def _uniform(lower: float, upper: float) -> Any:
    from scipy.stats import uniform

    return uniform(lower, upper - lower)


_NAMED: Mapping[str, tuple[Made, tuple[str, str], Callable[[Fraction, Fraction], bool], str]] = {
    "normal": (_normal, ("mean", "sd"), lambda _, sd: sd > 0, "sd above 0"),
    "logistic": (_logistic, ("mean", "sd"), lambda _, sd: sd > 0, "sd above 0"),
    "lognormal": (
        _lognormal,
        ("median", "spread"),
        lambda median, spread: median > 0 and spread > 1,
        "median above 0 and spread above 1",
    ),
    "uniform": (_uniform, ("lower", "upper"), lambda low, high: low < high, "lower below upper"),
}


@final
@dataclass(frozen=True, slots=True)
class NamedLaw:
    """A distribution written as in a survey file.

    ``normal`` and ``logistic`` have a mean and a standard deviation; ``lognormal`` a median and the
    factor, ``spread``, between the median and the 84th hundredth; ``uniform`` its ends.

    Attributes
    ----------
    name : str
    parameters : tuple of (str, Fraction)

    >>> read_law({"name": "normal", "mean": 45, "sd": 15}, "law").cdf(45)
    array(0.5)
    """

    name: str
    parameters: tuple[tuple[str, Fraction], ...]

    def cdf(self, x: npt.ArrayLike) -> Floats:
        """The chance of a number up to here."""
        return np.asarray(self._frozen().cdf(x), dtype=float)

    def ppf(self, q: npt.ArrayLike) -> Floats:
        """The number that is not exceeded with this chance."""
        return np.asarray(self._frozen().ppf(q), dtype=float)

    def _frozen(self) -> Any:
        return _NAMED[self.name][0](*(float(value) for _, value in self.parameters))

    def __str__(self) -> str:
        given = [f'name = "{self.name}"', *(f"{key} = {value}" for key, value in self.parameters)]
        return f"{{ {', '.join(given)} }}"


def read_law(given: Any, where: str) -> Any:
    """Read a law as a survey file or a person at a keyboard writes it.

    A table with a name becomes a `NamedLaw`, a list or an array a tuple; anything else stays as it
    is, and is read when the line is known.

    Raises
    ------
    InputError
        If the name, or a parameter, is unknown or out of its range.

    >>> print(read_law({"name": "lognormal", "median": 30000, "spread": "5/2"}, "sizes"))
    { name = "lognormal", median = 30000, spread = 5/2 }
    >>> read_law([1, 2], "law"), read_law("even", "law")
    ((1, 2), 'even')
    """
    if isinstance(given, list | np.ndarray):
        return tuple(np.asarray(given).tolist() if isinstance(given, np.ndarray) else given)
    if not isinstance(given, Mapping):
        return given
    name = str(given.get("name", "no name"))
    refuse_unknown(where, name, _NAMED)
    _, keys, fits, allowed = _NAMED[name]
    if set(given) != {"name", *keys}:
        raise InputError(where, got=", ".join(map(str, given)), allowed=f"name, {', '.join(keys)}")
    values = [ratio(given[key], where) for key in keys]
    if not fits(*values):
        raise InputError(where, got=", ".join(map(str, values)), allowed=allowed)
    return NamedLaw(name, tuple(zip(keys, values, strict=True)))


def law_written(law: Any) -> str:
    """Write a law as a survey file would, or say what it is.

    >>> law_written("even"), law_written((1, 2))
    ('even', '[1, 2]')
    """
    if isinstance(law, tuple):
        return f"[{', '.join(map(str, law))}]"
    if hasattr(law, "dist") and hasattr(law, "args"):
        given = [*map(str, law.args), *(f"{key}={value}" for key, value in law.kwds.items())]
        return f"{law.dist.name}({', '.join(given)})"
    return str(law) if isinstance(law, str | NamedLaw) else type(law).__name__


def law_read(written: str, where: str) -> Any:
    """Read a law back from how `law_written` wrote what a survey file can say.

    Raises
    ------
    InputError
        If it is not so written.

    >>> law = read_law({"name": "lognormal", "median": 30000, "spread": "5/2"}, "sizes")
    >>> law_read(law_written(law), "sizes") == law
    True
    >>> law_read("even", "law"), law_read("[1, 1/2]", "law")
    ('even', ('1', '1/2'))
    """
    if named := _WRITTEN.fullmatch(written):
        name, *pairs = named.groups()
        return read_law({"name": name, **dict(zip(pairs[::2], pairs[1::2], strict=True))}, where)
    if written[:1] == "[" and written[-1:] == "]":
        return tuple(written[1:-1].split(", "))
    return written
