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

_SHORT = 4


def answers_of(length: int, where: str = "values") -> int:
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
            where,
            got=f"a last axis of length {length}",
            allowed=f"2^l for l answers, at most 2^{LARGEST}: one value per set",
        )
    return bits


def subset_sums(values: npt.ArrayLike) -> npt.NDArray[Any]:
    """Give Σ f(B) over the subsets B of every set A: from masses to beliefs.

    Parameters
    ----------
    values : array_like, shape (…, 2^l)

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
    return _transform(values, np.add, upwards=True)


def superset_sums(values: npt.ArrayLike) -> npt.NDArray[Any]:
    """Give Σ f(B) over the supersets B of every set A: from masses to commonalities.

    Same shapes and errors as `subset_sums`.

    References
    ----------
    Shafer (1976), chapter 2.

    >>> superset_sums([0, 0.6, 0.1, 0.3]).round(12).tolist()
    [1.0, 0.9, 0.4, 0.3]
    """
    return _transform(values, np.add, upwards=False)


def subset_differences(values: npt.ArrayLike) -> npt.NDArray[Any]:
    """Undo `subset_sums`: from beliefs to masses (the Möbius inverse).

    Same shapes and errors as `subset_sums`.

    References
    ----------
    Shafer (1976), chapter 2.

    >>> subset_differences([0, 0.6, 0.1, 1]).round(12).tolist()
    [0.0, 0.6, 0.1, 0.3]
    """
    return _transform(values, np.subtract, upwards=True)


def superset_differences(values: npt.ArrayLike) -> npt.NDArray[Any]:
    """Undo `superset_sums`: from commonalities to masses.

    Same shapes and errors as `subset_sums`.

    References
    ----------
    Shafer (1976), chapter 2.

    >>> superset_differences([1, 0.75, 0.5, 0.25]).tolist()
    [0.0, 0.5, 0.25, 0.25]
    """
    return _transform(values, np.subtract, upwards=False)


def meeting_sums(values: npt.ArrayLike) -> npt.NDArray[Any]:
    """Give Σ f(B) over the sets B that meet every set A: from masses to plausibilities.

    Only additions are made, so that where f is not negative every sum is right to a few units in
    the last place, and zero exactly where nothing meets A; 1 − bel(Aᶜ) would lose small ones.
    Same shapes and errors as `subset_sums`.

    References
    ----------
    Shafer (1976), chapter 2.

    >>> meeting_sums([0, 0.5, 0.25, 0.25]).tolist()
    [0.0, 0.75, 0.5, 1.0]
    """
    held = _copy(values)
    meeting = np.zeros_like(held)
    with_last = []  # by answer: the sets of it and earlier ones, later ones summed away
    for bit in reversed(range(answers_of(held.shape[-1]))):
        without, with_it = held[..., : 1 << bit], held[..., 1 << bit :]
        with_last.append(with_it)
        held = without + with_it
    for bit, sets in enumerate(reversed(with_last)):
        half = 1 << bit  # what meets A and the answer: what meets A, or else holds the answer
        missed = subset_sums(sets)[..., ::-1]
        np.add(meeting[..., :half], missed, out=meeting[..., half : 2 * half])
    return meeting


def _copy(values: npt.ArrayLike) -> npt.NDArray[Any]:
    given = np.asarray(values)
    answers_of(given.shape[-1] if given.ndim else 1)
    dtype = object if given.dtype == object else np.float64
    return np.array(given, dtype=dtype, order="C", ndmin=1)


def _runs(bit: int) -> Any:
    """Cut the values that differ in one bit into runs: a few long ones beat many short ones."""
    return range(1 << bit) if bit < _SHORT else [slice(None)]


def _transform(values: npt.ArrayLike, change: np.ufunc, *, upwards: bool) -> npt.NDArray[Any]:
    sums = _copy(values)
    into, out_of = int(upwards), int(not upwards)
    for bit in range(answers_of(sums.shape[-1])):
        pairs = sums.reshape(-1, 2, 1 << bit)
        for run in _runs(bit):
            change(pairs[:, into, run], pairs[:, out_of, run], out=pairs[:, into, run])
    return sums
