"""Sums over the sets inside or around every set, and back: the zeta and Möbius transforms.

A function of sets of l answers is an array whose last axis has length 2^l, indexed by mask. Each
transform costs l · 2^(l−1) additions. Arrays of Fractions or other objects are summed exactly;
anything else as doubles.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from askance.errors import InputError

LARGEST = 24
"""Full arrays over the sets of at most so many answers: 2^24 doubles are 128 MiB."""

_SHORT, _LONG = 4, 1 << 10


def answers_of(length: int) -> int:
    """Give l where a length is 2^l.

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
    """Give Σ f(B) over the subsets B of every set A: from masses to beliefs.

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
    return _sweep(_own(values, copy=copy), np.add, upwards=True)


def superset_sums(values: npt.ArrayLike, *, copy: bool = True) -> npt.NDArray[Any]:
    """Give Σ f(B) over the supersets B of every set A: from masses to commonalities.

    Same shapes and errors as `subset_sums`.

    References
    ----------
    Shafer (1976), chapter 2.

    >>> superset_sums([0, 0.6, 0.1, 0.3]).round(12).tolist()
    [1.0, 0.9, 0.4, 0.3]
    """
    return _sweep(_own(values, copy=copy), np.add, upwards=False)


def subset_differences(values: npt.ArrayLike) -> npt.NDArray[Any]:
    """Undo `subset_sums`: from beliefs to masses (the Möbius inverse).

    Same shapes and errors as `subset_sums`.

    References
    ----------
    Shafer (1976), chapter 2.

    >>> subset_differences([0, 0.6, 0.1, 1]).round(12).tolist()
    [0.0, 0.6, 0.1, 0.3]
    """
    return _sweep(_own(values, copy=True), np.subtract, upwards=True)


def superset_differences(values: npt.ArrayLike) -> npt.NDArray[Any]:
    """Undo `superset_sums`: from commonalities to masses.

    Same shapes and errors as `subset_sums`.

    References
    ----------
    Shafer (1976), chapter 2.

    >>> superset_differences([1, 0.75, 0.5, 0.25]).tolist()
    [0.0, 0.5, 0.25, 0.25]
    """
    return _sweep(_own(values, copy=True), np.subtract, upwards=False)


def meeting_sums(values: npt.ArrayLike, *, copy: bool = True) -> npt.NDArray[Any]:
    """Give Σ f(B) over the sets B that meet every set A: from masses to plausibilities.

    Only additions are made, so that where f is not negative every sum is right to a few units in
    the last place, and zero exactly where nothing meets A; 1 − bel(Aᶜ) would lose small ones.
    Same shapes and errors as `subset_sums`; without a copy, the array given is used up.

    References
    ----------
    Shafer (1976), chapter 2.

    >>> meeting_sums([0, 0.5, 0.25, 0.25]).tolist()
    [0.0, 0.75, 0.5, 1.0]
    """
    held = _own(values, copy=copy)
    meeting = np.zeros_like(held)
    bits = answers_of(held.shape[-1])
    for bit in reversed(range(bits)):  # what holds the last answer stays, the rest forgets it
        held[..., : 1 << bit] += held[..., 1 << bit : 2 << bit]
    for bit in range(bits):
        half = 1 << bit  # what meets A and the answer: what meets A, or else holds the answer
        beyond = meeting[..., half : 2 * half]
        beyond[...] = held[..., half : 2 * half][..., ::-1]
        _sweep(beyond, np.add, upwards=False)
        beyond += meeting[..., :half]
    return meeting


def _own(values: npt.ArrayLike, *, copy: bool) -> npt.NDArray[Any]:
    given = np.atleast_1d(np.asarray(values))
    answers_of(given.shape[-1])
    return given.astype(object if given.dtype == object else np.float64, copy=copy)


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
