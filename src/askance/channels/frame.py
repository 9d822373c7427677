"""The admissible answers, a finite ordered set, and functions of its subsets: masses and sums.

A function of sets of l answers is an array whose last axis has length 2^l, indexed by mask. Each
transform costs l · 2^(l−1) additions. Arrays of Fractions or other objects are summed exactly;
anything else as doubles.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from math import fsum, lcm
from numbers import Rational, Real
from types import MappingProxyType
from typing import Any, TypeAlias, final

import numpy as np
import numpy.typing as npt

from askance_collect.errors import InputError, listed_names, refuse_unknown


@final
@dataclass(frozen=True, slots=True, init=False)
class Frame:
    """The finite, ordered set of admissible answers (the frame of discernment).

    A set of answers is written as an integer mask: bit ``i`` stands for answer ``i``.

    Parameters
    ----------
    answers : iterable of str
        At least one name, all different.

    Raises
    ------
    InputError
        If there is no answer, an empty name, a name twice, or one that is no text.

    >>> yn = Frame(["yes", "no"])
    >>> yn.mask(["no"]), yn.names(3), len(yn)
    (2, ('yes', 'no'), 2)
    """

    answers: tuple[str, ...]
    _index: Mapping[str, int] | None = field(init=False, repr=False, compare=False)

    def __init__(self, answers: Iterable[str]) -> None:
        listed: object = answers
        names = tuple(listed) if isinstance(listed, Iterable) else ()
        texts = all(isinstance(name, str) for name in names)
        if isinstance(answers, str) or not (names and texts and all(names)):
            raise InputError(
                "Frame.answers",
                got=answers,
                allowed="a list of one or more non-empty names",
                remedy="" if texts else 'write numbers as text: ["0", "1"]',
            )
        if len(set(names)) != len(names):
            twice = _find_duplicate(names)
            raise InputError("Frame.answers", got=f"{twice!r} twice", allowed="different names")
        object.__setattr__(self, "answers", names)
        object.__setattr__(self, "_index", None)

    def __reduce__(self) -> tuple[Any, ...]:
        """Let a frame cross processes as its names."""
        return Frame, (self.answers,)

    def __len__(self) -> int:
        return len(self.answers)

    @property
    def full_mask(self) -> int:
        """The mask of the whole frame, which says nothing."""
        return (1 << len(self)) - 1

    def index(self, answer: str) -> int:
        """The position of an answer.

        >>> Frame(["yes", "no"]).index("noo")
        Traceback (most recent call last):
        askance_collect.errors.InputError: answer: got 'noo'; allowed: yes, no; did you mean 'no'?
        """
        name: object = answer
        positions = self._positions()
        if not (isinstance(name, str) and name in positions):
            refuse_unknown("answer", answer, self.answers)
        return positions[answer]

    def _positions(self) -> Mapping[str, int]:
        """The positions by name, laid out when they are first asked for."""
        positions = self._index
        if positions is None:
            positions = MappingProxyType(dict(zip(self.answers, range(len(self)), strict=True)))
            object.__setattr__(self, "_index", positions)
        return positions

    def mask(self, answers: Iterable[str]) -> int:
        """Write a set of answers as a mask."""
        names: object = (answers,) if isinstance(answers, str) else answers
        if not isinstance(names, Iterable):
            raise InputError(
                "answers", got=answers, allowed=f"some of {listed_names(self.answers)}"
            )
        places = {self.index(answer) for answer in names}
        if len(places) * len(self) < _LONG_MASKS:
            return sum(1 << position for position in places)
        bits = np.zeros(len(self), dtype=np.uint8)
        bits[list(places)] = 1
        return int.from_bytes(np.packbits(bits, bitorder="little").tobytes(), "little")

    def positions(self, mask: int) -> tuple[int, ...]:
        """Read a mask as the positions of the answers in it."""
        if len(self) < _LONG:
            return tuple(position for position in range(len(self)) if mask >> position & 1)
        packed = (mask & self.full_mask).to_bytes(-(-len(self) // 8), "little")
        bits = np.unpackbits(np.frombuffer(packed, dtype=np.uint8), bitorder="little")
        return tuple(np.flatnonzero(bits).tolist())

    def names(self, mask: int) -> tuple[str, ...]:
        """Read a mask as the answers in it."""
        return tuple(map(self.answers.__getitem__, self.positions(mask)))

    def wordings(self, masks: Iterable[int]) -> list[str]:
        """Word sets of answers such as "yes or no", each differently.

        >>> Frame(["yes", "no"]).wordings([1, 3])
        ['yes', 'yes or no']
        """
        sets = [self.names(mask) for mask in masks]
        plain = [" or ".join(names) for names in sets]
        return plain if len(set(plain)) == len(set(sets)) else [repr(names) for names in sets]


def _find_duplicate(names: Iterable[str]) -> str:
    earlier: set[str] = set()
    for name in names:
        if name in earlier:
            return name
        earlier.add(name)
    return ""


LARGEST = 24
"""Full arrays over the sets of at most so many answers: 2^24 doubles are 128 MiB."""

_SHORT, _LONG = 4, 1 << 10
_SHOWN_BITS = 128  # a longer mask is told as a power of two
_LONG_MASKS = 1 << 14  # so many bits, of all names together, are sooner set at once


def answers_of(length: int) -> int:
    """The number l where a length is 2^l.

    Raises
    ------
    InputError
        If the length is no power of two, or l is over 24.

    >>> answers_of(8)
    3
    """
    bits = length.bit_length() - 1
    if length < 1 or length != 1 << bits or bits > LARGEST:
        raise InputError(
            "values",
            got=f"a last axis of length {length}",
            allowed=f"2^l for l answers, at most 2^{LARGEST}: one value per set",
        )
    return bits


def subset_sums(values: npt.ArrayLike, *, copy: bool = True) -> npt.NDArray[Any]:
    """Σ f(B) over the subsets B of every set A: from masses to beliefs.

    Parameters
    ----------
    values : array_like, shape (…, 2^l)
    copy : bool
        If not, an array of doubles or objects is changed in place.

    Returns
    -------
    array, shape (…, 2^l)

    Raises
    ------
    InputError
        If the last axis is no power of two, or l is over 24.

    References
    ----------
    Shafer (1976), chapter 2; the fast transform is in Kennes (1992).

    >>> subset_sums([0, 0.6, 0.1, 0.3]).round(12).tolist()
    [0.0, 0.6, 0.1, 1.0]
    """
    return _sweep(_as_array(values, copy=copy), np.add, upwards=True)


def superset_sums(values: npt.ArrayLike, *, copy: bool = True) -> npt.NDArray[Any]:
    """Σ f(B) over the supersets B of every set A: from masses to commonalities.

    Same shapes and errors as `subset_sums`.

    References
    ----------
    Shafer (1976), chapter 2.

    >>> superset_sums([0, 0.6, 0.1, 0.3]).round(12).tolist()
    [1.0, 0.9, 0.4, 0.3]
    """
    return _sweep(_as_array(values, copy=copy), np.add, upwards=False)


def subset_differences(values: npt.ArrayLike) -> npt.NDArray[Any]:
    """Undo `subset_sums`: from beliefs to masses (the Möbius inverse).

    Same shapes and errors as `subset_sums`.

    References
    ----------
    Shafer (1976), chapter 2.

    >>> subset_differences([0, 0.6, 0.1, 1]).round(12).tolist()
    [0.0, 0.6, 0.1, 0.3]
    """
    return _sweep(_as_array(values, copy=True), np.subtract, upwards=True)


def superset_differences(values: npt.ArrayLike) -> npt.NDArray[Any]:
    """Undo `superset_sums`: from commonalities to masses.

    Same shapes and errors as `subset_sums`.

    References
    ----------
    Shafer (1976), chapter 2.

    >>> superset_differences([1, 0.75, 0.5, 0.25]).tolist()
    [0.0, 0.5, 0.25, 0.25]
    """
    return _sweep(_as_array(values, copy=True), np.subtract, upwards=False)


def meeting_sums(values: npt.ArrayLike, *, copy: bool = True) -> npt.NDArray[Any]:
    """Σ f(B) over the sets B that meet every set A: from masses to plausibilities.

    Only additions are made, so that where f is not negative every sum is right to a few units in
    the last place, and zero exactly where nothing meets A; 1 − bel(Aᶜ) would lose small ones.
    Same shapes and errors as `subset_sums`; without a copy, the array given is used up.

    References
    ----------
    Shafer (1976), chapter 2.

    >>> meeting_sums([0, 0.5, 0.25, 0.25]).tolist()
    [0.0, 0.75, 0.5, 1.0]
    """
    sums = _as_array(values, copy=copy)
    meeting = np.zeros_like(sums)
    bits = answers_of(sums.shape[-1])
    for bit in reversed(range(bits)):  # what holds the last answer stays, the rest forgets it
        sums[..., : 1 << bit] += sums[..., 1 << bit : 2 << bit]
    for bit in range(bits):
        half = 1 << bit  # what meets A and the answer: what meets A, or else holds the answer
        beyond = meeting[..., half : 2 * half]
        beyond[...] = sums[..., half : 2 * half][..., ::-1]
        _sweep(beyond, np.add, upwards=False)
        beyond += meeting[..., :half]
    return meeting


def _as_array(values: npt.ArrayLike, *, copy: bool) -> npt.NDArray[Any]:
    array = np.atleast_1d(np.asarray(values))
    answers_of(array.shape[-1])
    return array.astype(object if array.dtype == object else np.float64, copy=copy)


def _sweep(sums: npt.NDArray[Any], change: np.ufunc, *, upwards: bool) -> npt.NDArray[Any]:
    """Change, answer by answer, the values of sets with it by those without it, or conversely."""
    into, out_of = int(upwards), int(not upwards)
    size = sums.shape[-1]
    for bit in range(answers_of(size)):
        pairs = sums.reshape(*sums.shape[:-1], -1, 2, 1 << bit)
        few = bit < _SHORT and size >= _LONG  # a few long strided runs beat many short ones
        for run in range(1 << bit) if few else [slice(None)]:
            target = pairs[..., into, run]
            change(target, pairs[..., out_of, run], out=target)
    return sums


Mass: TypeAlias = Fraction | float
"""A mass: exact, or a double."""

Names: TypeAlias = Iterable[str] | int
"""A set of answers: their names, or its mask."""

_EXACT_DOUBLES = 1 << 53  # below this every whole number is a double

TOLERANCE = 1e-9
"""By so much may doubles that must sum to one, or must not be negative, miss it."""


def mask_of(frame: Frame, answers: Names, where: str = "answers") -> int:
    """Write a set of answers as a mask.

    >>> yn = Frame(["yes", "no"])
    >>> mask_of(yn, ["no"]), mask_of(yn, 3)
    (2, 3)
    """
    if not isinstance(answers, int):
        return frame.mask(answers)
    if not 0 <= answers <= frame.full_mask:
        most = frame.full_mask if len(frame) <= _SHOWN_BITS else f"2^{len(frame)} − 1"
        raise InputError(where, got=answers, allowed=f"a mask in [0, {most}]")
    return answers


def masses_read(frame: Frame, masses: Mapping[Any, Mass]) -> dict[int, Mass]:
    """Read masses by mask: all Fractions where all are rational, doubles otherwise.

    Raises
    ------
    InputError
        If a mass is negative or no number, stands on the empty set, or they do not sum to one.

    >>> masses_read(Frame(["yes", "no"]), {("yes",): Fraction(1, 3), ("yes", "no"): Fraction(2, 3)})
    {1: Fraction(1, 3), 3: Fraction(2, 3)}
    """
    as_number = _common_type(masses.values())
    read: dict[int, Mass] = {}
    for names, mass in masses.items():
        where = f"MassFunction.masses[{names!r}]"
        if not isinstance(mass, Real) or not mass >= 0:
            plain = mass.item() if isinstance(mass, np.generic) else mass
            raise InputError(where, got=plain, allowed="a mass in [0, 1]")
        mask = mask_of(frame, names, where)
        if not mask and mass:
            raise InputError(where, got=mass, allowed="no mass on the empty set")
        if mass:
            read[mask] = read.get(mask, 0) + as_number(mass)
    _demand_sum_one(read.values(), "MassFunction.masses")
    return read


def coded(frame: Frame, codes: Iterable[tuple[Mass, Names]]) -> dict[int, Mass]:
    """Add the chances of the codes by what they say, given that they say something possible."""
    read_codes = [(chance, mask_of(frame, names)) for chance, names in codes]
    where = "MassFunction.from_codes"
    for index, (chance, _) in enumerate(read_codes):
        if not isinstance(chance, Real) or not chance >= 0:
            raise InputError(f"{where}[{index}]", got=chance, allowed="a chance in [0, 1]")
    _demand_sum_one([chance for chance, _ in read_codes], where)
    masses: dict[int, Mass] = {}
    as_number = _common_type(chance for chance, _ in read_codes)
    for chance, mask in read_codes:
        masses[mask] = masses.get(mask, 0) + as_number(chance)
    impossible = masses.pop(0, 0)
    if not any(masses.values()):
        raise InputError(where, got="no code that says anything", allowed="at least one that does")
    return {mask: chance / (1 - impossible) for mask, chance in masses.items()}


def over_every_set(
    frame: Frame,
    masses: Mapping[int, Mass],
    transform: Callable[[npt.ArrayLike], npt.NDArray[Any]],
) -> npt.NDArray[Any]:
    """Spread masses over every set by mask and sum them; Fractions stay exact.

    Raises
    ------
    InputError
        If the frame has more than 24 answers.

    >>> over_every_set(Frame(["a", "b"]), {1: 0.25, 3: 0.75}, np.asarray).tolist()
    [0.0, 0.25, 0.0, 0.75]
    """
    if len(frame) > LARGEST:
        raise InputError(
            "values over every set",
            got=f"a frame of {len(frame)} answers",
            allowed=f"at most {LARGEST} answers",
            remedy="belief, plausibility and commonality of single sets need focal sets alone",
        )
    exact = isinstance(next(iter(masses.values())), Fraction)
    total = lcm(*(mass.denominator for mass in masses.values() if isinstance(mass, Fraction)))
    needs_integers = (
        exact and total >= _EXACT_DOUBLES
    )  # else doubles add units of the total exactly
    spread = np.zeros(1 << len(frame), dtype=object if needs_integers else np.float64)
    for focal, mass in masses.items():
        spread[focal] = int(mass * total) if exact else mass
    sums = transform(spread)
    if exact:
        distinct, where = np.unique(sums, return_inverse=True)
        sums = np.array([Fraction(int(value), total) for value in distinct], dtype=object)[where]
    sums.setflags(write=False)
    return sums


def _common_type(masses: Iterable[Mass]) -> Callable[[Any], Mass]:
    return Fraction if all(isinstance(mass, Rational) for mass in masses if mass) else float


def _demand_sum_one(masses: Iterable[Mass], where: str) -> None:
    listed = list(masses)
    exact = all(isinstance(mass, Rational) for mass in listed)
    total: Mass = sum(listed) if exact else fsum(listed)
    if not (total == 1 if exact else abs(float(total) - 1) <= TOLERANCE):
        raise InputError(where, got=f"sum {total}", allowed="masses that sum to one")


SetValues: TypeAlias = Mapping[Any, Mass] | npt.ArrayLike
"""One value per set: an array by mask, or a mapping by names or mask."""


def from_belief(frame: Frame, beliefs: SetValues) -> dict[int, Mass]:
    """Find the masses behind beliefs, or name a set whose mass would be negative.

    >>> from_belief(Frame(["a", "b"]), [0, 0.5, 0.25, 1])
    {1: 0.5, 2: 0.25, 3: 0.25}
    >>> from_belief(Frame(["a", "b"]), [0, 0.75, 0.5, 1])
    Traceback (most recent call last):
    askance_collect.errors.InputError: beliefs: got 'a mass of -0.25 on a or b'; allowed: a belie...
    no mass is negative; the value of a or b does not fit those of its parts
    """
    values = _values_by_mask(frame, beliefs, "beliefs", nothing=0)
    return _read_masses(frame, subset_differences(values), "beliefs")


def from_plausibility(frame: Frame, plausibilities: SetValues) -> dict[int, Mass]:
    """Find the masses behind plausibilities: bel(A) = 1 − pl(Aᶜ).

    >>> from_plausibility(Frame(["a", "b"]), [0, 0.75, 0.5, 1])
    {1: 0.5, 2: 0.25, 3: 0.25}
    """
    values = _values_by_mask(frame, plausibilities, "plausibilities", nothing=0)
    beliefs = values[-1] - values[::-1]
    return _read_masses(frame, subset_differences(beliefs), "plausibilities")


def from_commonality(frame: Frame, commonalities: SetValues) -> dict[int, Mass]:
    """Find the masses behind commonalities.

    >>> from_commonality(Frame(["a", "b"]), [1, 0.75, 0.5, 0.25])
    {1: 0.5, 2: 0.25, 3: 0.25}
    """
    values = _values_by_mask(frame, commonalities, "commonalities", nothing=1)
    return _read_masses(frame, superset_differences(values), "commonalities")


def _values_by_mask(
    frame: Frame, set_values: SetValues, where: str, nothing: int
) -> npt.NDArray[Any]:
    """Lay the values out by mask; the empty set's must be what it is for every mass function."""
    if len(frame) > LARGEST:
        raise InputError(
            where,
            got=f"a frame of {len(frame)} answers",
            allowed=f"at most {LARGEST} answers",
            remedy="give the masses of the focal sets instead",
        )
    size = 1 << len(frame)
    values = np.array(
        _list_values(frame, set_values, where, nothing)
        if isinstance(set_values, Mapping)
        else set_values
    )
    if values.shape != (size,):
        raise InputError(where, got=f"shape {values.shape}", allowed=f"shape ({size},)")
    values = _read_numbers(frame, values, where)
    if abs(values[0] - nothing) > TOLERANCE:
        raise InputError(f"{where} of the empty set", got=float(values[0]), allowed=str(nothing))
    frame_value = values[0] if nothing else values[-1]
    if abs(frame_value - 1) > TOLERANCE:
        raise InputError(f"{where} of the whole frame", got=float(frame_value), allowed="1")
    return values


def _list_values(
    frame: Frame, set_values: Mapping[Any, Mass], where: str, nothing: int
) -> list[Mass]:
    by_mask: dict[int, Mass] = {0: nothing}
    by_mask |= {mask_of(frame, names, where): value for names, value in set_values.items()}
    masks = [0, *sorted(by_mask), 1 << len(frame)]
    gap = next((low + 1 for low, high in pairwise(masks) if high > low + 1), None)
    if gap is not None:
        raise InputError(
            where, got=f"no value for {_describe_set(frame, gap)}", allowed="one for each set"
        )
    return [by_mask[mask] for mask in range(1 << len(frame))]


def _read_numbers(frame: Frame, values: npt.NDArray[Any], where: str) -> npt.NDArray[Any]:
    if values.dtype == object:
        for mask, value in enumerate(values):
            if not isinstance(value, Real):
                raise InputError(
                    f"{where} of {_describe_set(frame, mask)}", got=value, allowed="a number"
                )
        if all(isinstance(value, Rational) for value in values):
            return values
    try:
        numbers = values.astype(np.float64)
    except ValueError as error:
        raise InputError(where, got=str(error), allowed="numbers") from error
    if not np.isfinite(numbers).all():
        mask = int(np.argmin(np.isfinite(numbers)))
        raise InputError(
            f"{where} of {_describe_set(frame, mask)}",
            got=float(numbers[mask]),
            allowed="a finite number",
        )
    return numbers


def _read_masses(frame: Frame, masses: npt.NDArray[Any], where: str) -> dict[int, Mass]:
    exact = masses.dtype == object
    worst = int(np.argmin(masses))
    if masses[worst] < (0 if exact else -TOLERANCE):
        raise InputError(
            where,
            got=f"a mass of {float(masses[worst]):.6g} on {_describe_set(frame, worst)}",
            allowed="a belief function: no mass is negative",
            remedy=f"the value of {_describe_set(frame, worst)} does not fit those of its parts",
        )
    # Doubles leave 2^l roundings in a mass, whose sum grows like its square root.
    noise = 0 if exact else 8 * np.finfo(float).eps * 2 ** (len(frame) / 2)
    focal = np.flatnonzero(masses > noise)
    number = Fraction if exact else float
    return {int(mask): number(masses[mask]) for mask in focal}


def _describe_set(frame: Frame, mask: int) -> str:
    return " or ".join(frame.names(mask)) or "the empty set"
